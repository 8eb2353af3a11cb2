//! Reader for networks, versions 1 and 2.

use std::io::BufRead;
use std::path::Path;

use throng_core::{InputError, NONE, Problems, Warnings};

use super::check::Element;
use super::network_items::{
    AttributeRecord, COORDINATE_SYSTEM, LinkRecord, NetworkItem, NodeRecord, read_network_items,
};
use super::open::TextInput;
use super::value::quoted;
use crate::coordinates::InputCoordinates;
use throng_traffic_scenario::{Link, ModeId, ModeTable, Network};

const TOO_MANY_MODES: &str = "The links of a network name at most 64 different modes, each of at most 65535 bytes.";

/// Reads the network in `path` (`.xml`, `.xml.gz` or `.xml.zst`); new modes are added to `modes`.
///
/// # Errors
/// All problems of the file: nonexistent nodes, duplicate ids, numbers out of range, malformed XML.
pub fn read_network(path: &Path, modes: &mut ModeTable, warnings: &mut Warnings) -> Result<Network, InputError> {
    read_with_attributes(path, InputCoordinates::default(), modes, warnings).map(|(network, _)| network)
}

/// A user-defined attribute of a link that the loader uses: see [`is_used`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LinkAttribute {
    /// Index of the link.
    pub link: u32,
    pub name: String,
    pub value: String,
}

/// Link attribute with forbidden turns.
pub(crate) const DISALLOWED_NEXT_LINKS: &str = "disallowedNextLinks";
/// Beginnings of the names of link attributes with the seconds before and after a leg; the mode follows.
pub(crate) const ACCESS_TIME: &str = "accesstime_";
pub(crate) const EGRESS_TIME: &str = "egresstime_";

fn is_used(name: &str) -> bool {
    name == DISALLOWED_NEXT_LINKS || [ACCESS_TIME, EGRESS_TIME].iter().any(|stem| name.starts_with(stem))
}

/// Like [`read_network`], with transformed coordinates; also returns the attributes of links that the loader uses.
pub(crate) fn read_with_attributes(
    path: &Path,
    coordinates: InputCoordinates,
    modes: &mut ModeTable,
    warnings: &mut Warnings,
) -> Result<(Network, Vec<LinkAttribute>), InputError> {
    let input = TextInput::open(path)?;
    let name = input.name().to_owned();
    let read = read(input, &name, coordinates, modes, warnings)?;
    Ok((read.network, read.attributes))
}

/// Like [`read_network`], but from any reader; `file` is its name in messages.
///
/// # Errors
/// See [`read_network`].
///
/// ```
/// use throng_core::Warnings;
/// use throng_matsim::formats::network::read_network_from;
/// use throng_traffic_scenario::ModeTable;
///
/// let text = r#"<network><nodes><node id="a" x="0" y="0"/><node id="b" x="9" y="0"/></nodes>
///     <links capperiod="01:00:00"><link id="1" from="a" to="b" length="9.5" freespeed="13.9" capacity="900"
///     permlanes="1.5" modes="car,bike"/></links></network>"#;
/// let network =
///     read_network_from(text.as_bytes(), "network.xml", &mut ModeTable::default(), &mut Warnings::new())?;
/// assert_eq!((network.nodes(), network.links(), network.lanes[0]), (2, 1, 1.5));
/// # Ok::<(), throng_core::InputError>(())
/// ```
pub fn read_network_from(
    input: impl BufRead,
    file: &str,
    modes: &mut ModeTable,
    warnings: &mut Warnings,
) -> Result<Network, InputError> {
    read(input, file, InputCoordinates::default(), modes, warnings).map(|read| read.network)
}

fn read<'a>(
    input: impl BufRead,
    file: &'a str,
    coordinates: InputCoordinates,
    modes: &'a mut ModeTable,
    warnings: &mut Warnings,
) -> Result<Builder<'a>, InputError> {
    let mut odd = Warnings::new();
    let mut builder = Builder { network: Network::default(), attributes: Vec::new(), modes: Modes::new(modes), file };
    read_network_items(input, file, coordinates, warnings, |item, line, problems| match item {
        NetworkItem::Network { name } => builder.network.name = name.map(str::to_owned),
        NetworkItem::Node(node) => builder.node(&node, line, problems),
        NetworkItem::Links(head) => {
            builder.network.capacity_period_s = head.capacity_period_s;
            builder.network.cell_size_m = head.cell_size_m;
            builder.network.lane_width_m = head.lane_width_m;
        }
        NetworkItem::Link(link) => builder.link(&link, line, problems, &mut odd),
        NetworkItem::Attribute(attribute) => builder.attribute(&attribute),
        // Unknown attributes matter only to conversions, which lose them.
        NetworkItem::Unknown(_) => {}
    })?;
    warnings.append(odd);
    Ok(builder)
}

struct Builder<'a> {
    network: Network,
    attributes: Vec<LinkAttribute>,
    modes: Modes<'a>,
    file: &'a str,
}

impl Builder<'_> {
    fn node(&mut self, node: &NodeRecord<'_>, line: u64, problems: &mut Problems) {
        if node.id.is_empty() {
            return;
        }
        if let Err(error) = self.network.add_node(node.id, node.x, node.y) {
            Element { file: self.file, line, kind: "node", id: node.id }.refused(&error, problems);
        }
    }

    /// Handles a user-defined attribute; those before the first node belong to the network, and those after the first
    /// link to the last link so far.
    fn attribute(&mut self, attribute: &AttributeRecord<'_>) {
        let of_network = self.network.nodes() == 0 && self.network.links() == 0;
        if of_network && attribute.name == COORDINATE_SYSTEM {
            self.network.coordinate_system = Some(attribute.value.to_owned());
        }
        if is_used(attribute.name)
            && let Some(link) = self.network.links().checked_sub(1)
        {
            let (name, value) = (attribute.name.to_owned(), attribute.value.to_owned());
            self.attributes.push(LinkAttribute { link: link as u32, name, value });
        }
    }

    fn link(&mut self, record: &LinkRecord<'_>, line: u64, problems: &mut Problems, odd: &mut Warnings) {
        let element = Element { file: self.file, line, kind: "link", id: record.id };
        let modes = self.modes.mask(record.modes).unwrap_or_else(|| {
            element.bad("modes", Some(record.modes), TOO_MANY_MODES, problems);
            0
        });
        if modes == 0 {
            odd.add("links that are open to no mode", || format!("{}: {}", element.place(), element.name()));
        }
        let link = Link {
            from: self.end("from", record.from, &element, problems),
            to: self.end("to", record.to, &element, problems),
            length_m: record.length_m,
            freespeed_mps: record.freespeed_mps,
            capacity: record.capacity,
            lanes: record.lanes,
            modes,
        };
        for (value, kind) in [
            (link.length_m, "links of length 0, which take no time"),
            (link.freespeed_mps, "links with a freespeed of 0, where vehicles stay for ever"),
            (link.capacity, "links with a capacity of 0, which no vehicle leaves"),
            (link.lanes, "links with 0 permlanes, which hold only the vehicles that their flow needs"),
        ] {
            if value == 0.0 {
                odd.add(kind, || format!("{}: {}", element.place(), element.name()));
            }
        }
        if let Some(fault) = link.undefined_without_length() {
            problems.push(element.place(), format!("{} has {fault}", element.name()), "Correct its length.");
        }
        if !record.id.is_empty()
            && let Err(error) = self.network.add_link(record.id, link)
        {
            element.refused(&error, problems);
        }
    }

    /// Returns the index of the node `id`, the `side` of a link; [`NONE`] and a problem if it does not exist.
    fn end(&self, side: &'static str, id: &str, link: &Element<'_>, problems: &mut Problems) -> u32 {
        let node = self.network.node_ids.get(id);
        if node.is_none() && !id.is_empty() {
            let verb = if side == "from" { "begins" } else { "ends" };
            let message = format!("{} {verb} at node {}, which is not defined", link.name(), quoted(id));
            problems.push(link.place(), message, "Add the node to <nodes>, or remove the link.");
        }
        node.unwrap_or(NONE)
    }
}

/// Converts lists of modes to bit masks; caches the last list, because consecutive links mostly have the same.
struct Modes<'a> {
    table: &'a mut ModeTable,
    last: String,
    last_mask: Option<u64>,
}

impl<'a> Modes<'a> {
    fn new(table: &'a mut ModeTable) -> Self {
        Self { table, last: String::new(), last_mask: Some(0) }
    }

    /// Returns the mask of `list`, or `None` if there are too many modes.
    fn mask(&mut self, list: &str) -> Option<u64> {
        if self.last != list {
            list.clone_into(&mut self.last);
            let names = list.split(',').map(str::trim_ascii).filter(|name| !name.is_empty());
            let mut bits = names.map(|name| self.table.intern(name).map(ModeId::bit).filter(|&bit| bit != 0));
            self.last_mask = bits.try_fold(0, |mask, bit| Some(mask | bit?));
        }
        self.last_mask
    }
}

#[cfg(test)]
mod tests;
