//! Writes networks as MATSim does, versions 1 and 2.

use std::io::{self, BufRead, Write};

use throng_core::{InputError, Warnings, clock, java_double};

use super::network_items::{
    AttributeRecord, COORDINATE_SYSTEM, LinkRecord, LinksHead, NetworkItem, NodeRecord, UnknownAttribute,
    read_network_items,
};
use super::text::{push_attribute, push_escaped};
use super::value::{quoted, shortened};
use crate::coordinates::InputCoordinates;
use throng_traffic_scenario::{ModeId, ModeTable, Network};

const SEPARATOR: &str = "<!-- ====================================================================== -->\n\n";

/// Version of MATSim's network format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NetworkVersion {
    /// `network_v1.dtd`: no user-defined attributes.
    V1,
    /// `network_v2.dtd`.
    V2,
}

/// Writes the records of a network; they must be in the order in which the reader yields them.
///
/// Attribute names, their order, numbers and whitespace follow MATSim, so that its files are reproduced byte for byte.
#[derive(Debug)]
pub struct NetworkWriter<W> {
    out: W,
    version: NetworkVersion,
    stage: Stage,
    // The tag of the most recent element; in version 1 a nested attribute may still change it.
    tag: String,
    attributes: String,
    /// Coordinate system of a network that does not name one itself.
    coordinate_system: Option<String>,
    lost: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Network,
    Nodes,
    Links,
}

impl<W: Write> NetworkWriter<W> {
    /// Creates a writer of `version` to `out`.
    pub fn new(out: W, version: NetworkVersion) -> Self {
        let (tag, attributes) = (String::new(), String::new());
        Self { out, version, stage: Stage::Network, tag, attributes, coordinate_system: None, lost: 0 }
    }

    /// Sets the coordinate system of a network that does not name one. Version 1 cannot hold it.
    #[must_use]
    pub fn with_coordinate_system(self, name: &str) -> Self {
        Self { coordinate_system: Some(name.to_owned()), ..self }
    }

    /// Writes one record.
    ///
    /// # Errors
    /// If writing to `out` fails.
    pub fn write(&mut self, item: &NetworkItem<'_>) -> io::Result<()> {
        match item {
            NetworkItem::Network { name } => self.network(*name),
            NetworkItem::Node(node) => self.node(node),
            NetworkItem::Links(head) => self.links(head),
            NetworkItem::Link(link) => self.link(link),
            NetworkItem::Attribute(attribute) => {
                self.attribute(attribute);
                Ok(())
            }
            NetworkItem::Unknown(_) => Ok(()),
        }
    }

    /// Completes the document and returns `out`.
    ///
    /// # Errors
    /// If writing to `out` fails.
    pub fn finish(mut self) -> io::Result<W> {
        if self.stage != Stage::Links {
            self.links(&LinksHead::default())?;
        }
        self.flush_element()?;
        write!(self.out, "\t</links>\n\n{SEPARATOR}</network>\n")?;
        Ok(self.out)
    }

    /// Returns the number of user-defined attributes that were omitted because the version cannot hold them.
    pub fn lost_attributes(&self) -> u64 {
        self.lost
    }

    fn network(&mut self, name: Option<&str>) -> io::Result<()> {
        let dtd = match self.version {
            NetworkVersion::V1 => "network_v1.dtd",
            NetworkVersion::V2 => "network_v2.dtd",
        };
        write!(
            self.out,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
             <!DOCTYPE network SYSTEM \"http://www.matsim.org/files/dtd/{dtd}\">\n"
        )?;
        self.tag.push_str("<network");
        if let Some(name) = name {
            push_attribute(&mut self.tag, "name", name);
        }
        self.tag.push_str(">\n\n");
        Ok(())
    }

    fn node(&mut self, node: &NodeRecord<'_>) -> io::Result<()> {
        self.flush_element()?;
        self.open_nodes()?;
        let tag = &mut self.tag;
        tag.push_str("\t\t<node");
        push_attribute(tag, "id", node.id);
        push_number(tag, "x", node.x);
        push_number(tag, "y", node.y);
        if let Some(z) = node.z {
            push_number(tag, "z", z);
        }
        if let Some(kind) = node.kind {
            push_attribute(tag, "type", kind);
        }
        if let Some(original_id) = node.original_id {
            push_attribute(tag, "origid", original_id);
        }
        Ok(())
    }

    fn links(&mut self, head: &LinksHead) -> io::Result<()> {
        self.flush_element()?;
        self.open_nodes()?;
        write!(self.out, "\t</nodes>\n\n{SEPARATOR}")?;
        self.stage = Stage::Links;
        let mut tag = String::from("\t<links");
        push_attribute(&mut tag, "capperiod", &clock::exact(head.capacity_period_s));
        push_number(&mut tag, "effectivecellsize", head.cell_size_m);
        push_number(&mut tag, "effectivelanewidth", head.lane_width_m);
        tag.push_str(">\n");
        self.out.write_all(tag.as_bytes())
    }

    fn link(&mut self, link: &LinkRecord<'_>) -> io::Result<()> {
        if self.stage != Stage::Links {
            self.links(&LinksHead::default())?;
        }
        self.flush_element()?;
        let tag = &mut self.tag;
        tag.push_str("\t\t<link");
        push_attribute(tag, "id", link.id);
        push_attribute(tag, "from", link.from);
        push_attribute(tag, "to", link.to);
        push_number(tag, "length", link.length_m);
        push_number(tag, "freespeed", link.freespeed_mps);
        push_number(tag, "capacity", link.capacity);
        push_number(tag, "permlanes", link.lanes);
        tag.push_str(" oneway=\"1\"");
        push_attribute(tag, "modes", link.modes);
        // In version 2 these two are user-defined attributes.
        for (name, value) in [("origid", link.original_id), ("type", link.kind)] {
            if let Some(value) = value {
                self.attribute(&AttributeRecord { name, class: "java.lang.String", value });
            }
        }
        Ok(())
    }

    fn attribute(&mut self, attribute: &AttributeRecord<'_>) {
        if self.stage == Stage::Network && attribute.name == COORDINATE_SYSTEM {
            self.coordinate_system = None;
        }
        match self.version {
            NetworkVersion::V1 if self.stage == Stage::Links && matches!(attribute.name, "origid" | "type") => {
                push_attribute(&mut self.tag, attribute.name, attribute.value);
            }
            NetworkVersion::V1 => self.lost += 1,
            NetworkVersion::V2 => {
                let indent = if self.stage == Stage::Network { "\t\t" } else { "\t\t\t\t" };
                let lines = &mut self.attributes;
                lines.push_str(indent);
                lines.push_str("<attribute");
                push_attribute(lines, "name", attribute.name);
                push_attribute(lines, "class", attribute.class);
                lines.push('>');
                push_escaped(lines, attribute.value);
                lines.push_str("</attribute>\n");
            }
        }
    }

    fn open_nodes(&mut self) -> io::Result<()> {
        if self.stage == Stage::Network {
            self.stage = Stage::Nodes;
            writeln!(self.out, "{SEPARATOR}\t<nodes>")?;
        }
        Ok(())
    }

    /// Writes the most recent element with its attributes.
    fn flush_element(&mut self) -> io::Result<()> {
        if self.tag.is_empty() {
            return Ok(());
        }
        if let Some(name) = self.coordinate_system.take().filter(|_| self.version == NetworkVersion::V2) {
            let class = "java.lang.String";
            self.attribute(&AttributeRecord { name: COORDINATE_SYSTEM, class, value: &name });
        }
        let Self { out, tag, attributes, .. } = self;
        let element = match self.stage {
            Stage::Network => "",
            Stage::Nodes => "node",
            Stage::Links => "link",
        };
        let indent = if element.is_empty() { "\t" } else { "\t\t\t" };
        if !element.is_empty() {
            tag.push_str(if self.version == NetworkVersion::V1 { " />\n" } else { " >\n" });
        }
        out.write_all(tag.as_bytes())?;
        if !attributes.is_empty() {
            write!(out, "{indent}<attributes>\n{attributes}{indent}</attributes>\n")?;
        }
        if !element.is_empty() && self.version == NetworkVersion::V2 {
            writeln!(out, "\t\t</{element}>")?;
        }
        tag.clear();
        attributes.clear();
        Ok(())
    }
}

fn push_number(tag: &mut String, name: &str, value: f64) {
    tag.push(' ');
    tag.push_str(name);
    tag.push_str("=\"");
    java_double::push(tag, value);
    tag.push('"');
}

/// Writes a network as `version`, without user-defined attributes, which are not part of a [`Network`].
///
/// # Errors
/// If writing to `out` fails.
pub fn write_network<W: Write>(network: &Network, modes: &ModeTable, version: NetworkVersion, out: W) -> io::Result<W> {
    write_network_with(network, modes, NetworkWriter::new(out, version))
}

/// Like [`write_network`], with a writer.
///
/// # Errors
/// If writing fails.
pub fn write_network_with<W: Write>(
    network: &Network,
    modes: &ModeTable,
    mut writer: NetworkWriter<W>,
) -> io::Result<W> {
    writer.write(&NetworkItem::Network { name: network.name.as_deref() })?;
    for node in 0..network.nodes() as u32 {
        let (x, y) = (network.node_x[node as usize], network.node_y[node as usize]);
        let id = network.node_ids.name(node);
        writer.write(&NetworkItem::Node(NodeRecord { id, x, y, z: None, kind: None, original_id: None }))?;
    }
    writer.write(&NetworkItem::Links(LinksHead {
        capacity_period_s: network.capacity_period_s,
        cell_size_m: network.cell_size_m,
        lane_width_m: network.lane_width_m,
    }))?;
    let (mut list, mut mask) = (mode_list(0, modes), 0);
    for i in 0..network.links() as u32 {
        let link = network.link(i);
        if link.modes != mask {
            mask = link.modes;
            list = mode_list(mask, modes);
        }
        writer.write(&NetworkItem::Link(LinkRecord {
            id: network.link_ids.name(i),
            from: network.node_ids.name(link.from),
            to: network.node_ids.name(link.to),
            length_m: link.length_m,
            freespeed_mps: link.freespeed_mps,
            capacity: link.capacity,
            lanes: link.lanes,
            modes: &list,
            original_id: None,
            kind: None,
        }))?;
    }
    writer.finish()
}

/// Returns the names of the modes in `mask`, separated by commas.
fn mode_list(mask: u64, modes: &ModeTable) -> String {
    let all = (0..modes.len().min(255) as u8).map(ModeId);
    let names: Vec<_> = all.filter(|mode| mask & mode.bit() != 0).map(|mode| modes.name(mode)).collect();
    names.join(",")
}

/// Reads a network and writes it as `version`, record by record: memory use does not grow with the file. Returns the
/// number of user-defined attributes that the version cannot hold.
///
/// References between records are not checked; [`super::network::read_network`] does that.
///
/// # Errors
/// All problems of the input; a write error of `out` is the inner result.
pub fn convert_network<W: Write>(
    input: impl BufRead,
    file: &str,
    version: NetworkVersion,
    out: W,
    warnings: &mut Warnings,
) -> Result<io::Result<(W, u64)>, InputError> {
    convert_network_with(input, file, InputCoordinates::default(), NetworkWriter::new(out, version), warnings)
}

/// Like [`convert_network`], with a writer and transformed coordinates.
///
/// # Errors
/// As for [`convert_network`].
pub fn convert_network_with<W: Write>(
    input: impl BufRead,
    file: &str,
    coordinates: InputCoordinates,
    mut writer: NetworkWriter<W>,
    warnings: &mut Warnings,
) -> Result<io::Result<(W, u64)>, InputError> {
    let mut written = Ok(());
    let mut unknown = Warnings::new();
    read_network_items(input, file, coordinates, warnings, |item, line, _| {
        if let NetworkItem::Unknown(UnknownAttribute { element, name }) = item {
            let example = || format!("{file}:{line}: <{}> has {}", shortened(element), quoted(name));
            unknown.add("attributes that networks do not have; left out", example);
        }
        if written.is_ok() {
            written = writer.write(&item);
        }
    })?;
    warnings.append(unknown);
    let lost = writer.lost_attributes();
    Ok(written.and_then(|()| writer.finish()).map(|out| (out, lost)))
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;
    use crate::formats::network::read_network_from;
    use crate::formats::open::TextInput;
    use throng_testing::reference_data;
    use throng_traffic_scenario::NetworkBuilder;

    fn convert(text: &str, version: NetworkVersion) -> (String, u64) {
        let converted = convert_network(text.as_bytes(), "n.xml", version, Vec::new(), &mut Warnings::new());
        let (bytes, lost) = converted.unwrap().unwrap();
        (String::from_utf8(bytes).unwrap(), lost)
    }

    #[test]
    fn a_matsim_file_is_reproduced_byte_for_byte() {
        let Some(path) = reference_data("equil100/controler_it0_fast/output_network.xml.gz") else { return };
        let mut text = String::new();
        TextInput::open(&path).unwrap().read_to_string(&mut text).unwrap();
        assert_eq!(convert(&text, NetworkVersion::V2), (text, 0));
    }

    #[test]
    fn attributes_pass_through_version_2_and_back() {
        let one = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
            <!DOCTYPE network SYSTEM \"http://www.matsim.org/files/dtd/network_v1.dtd\">\n\
            <network name=\"&lt;n&gt;\">\n\n\
            <!-- ====================================================================== -->\n\n\
            \t<nodes>\n\t\t<node id=\"a&amp;b\" x=\"1.0\" y=\"-2.5\" z=\"3.0\" type=\"t\" origid=\"o\" />\n\t</nodes>\n\n\
            <!-- ====================================================================== -->\n\n\
            \t<links capperiod=\"12:00:00\" effectivecellsize=\"7.5\" effectivelanewidth=\"3.75\">\n\
            \t\t<link id=\"1\" from=\"a&amp;b\" to=\"a&amp;b\" length=\"10.0\" freespeed=\"Infinity\" \
            capacity=\"1.0E7\" permlanes=\"1.5\" oneway=\"1\" modes=\"car,bike\" origid=\"17\" type=\"road\" />\n\
            \t</links>\n\n\
            <!-- ====================================================================== -->\n\n</network>\n";
        let (two, lost) = convert(one, NetworkVersion::V2);
        assert_eq!(lost, 0);
        let nested = "\t\t\t<attributes>\n\t\t\t\t<attribute name=\"origid\" class=\"java.lang.String\">17</attribute>\n\
            \t\t\t\t<attribute name=\"type\" class=\"java.lang.String\">road</attribute>\n\t\t\t</attributes>\n\
            \t\t</link>\n";
        assert!(two.contains("modes=\"car,bike\" >\n") && two.contains(nested), "{two}");
        assert_eq!(convert(&two, NetworkVersion::V2).0, two);
        assert_eq!(convert(&two, NetworkVersion::V1), (one.to_owned(), 0));
        let more = two.replace("name=\"type\"", "name=\"surface\"");
        assert_eq!(convert(&more, NetworkVersion::V1).1, 1, "version 1 cannot hold it");
    }

    #[test]
    fn unknown_attributes_are_counted() {
        let text = "<network><nodes><node id='a' x='0' y='0' lanes='2'/></nodes><links>\n<link id='1' from='a' to='a' \
            length='1' freespeed='1' capacity='1' permlanes='1' oneway='1' name='High Street' volume='3'/></links></network>";
        let mut warnings = Warnings::new();
        convert_network(text.as_bytes(), "n.xml", NetworkVersion::V2, Vec::new(), &mut warnings).unwrap().unwrap();
        let (kind, warning) = warnings.iter().next().unwrap();
        assert_eq!((kind, warning.count), ("attributes that networks do not have; left out", 3));
        assert_eq!(warning.example, "n.xml:1: <node> has \"lanes\"");
        let mut warnings = Warnings::new();
        read_network_from(text.as_bytes(), "n.xml", &mut ModeTable::default(), &mut warnings).unwrap();
        assert!(warnings.is_empty(), "a run loses nothing");
    }

    #[test]
    fn a_network_is_read_back_unchanged() {
        let mut modes = ModeTable::default();
        let (car, bike) = (modes.intern("car").unwrap(), modes.intern("bike").unwrap());
        let mut network = NetworkBuilder::new()
            .node("a", 0.0, 1e-4)
            .node("b", 1e8, -0.1)
            .link("ab", "a", "b", 0.1 + 0.2, 13.9, 1800.0, 1.5)
            .link("ba", "b", "a", 7.0, f64::INFINITY, 1.0, 1.0)
            .build()
            .unwrap();
        network.modes = vec![car.bit() | bike.bit(), 0];
        network.name = Some("n".into());
        for version in [NetworkVersion::V1, NetworkVersion::V2] {
            let text = write_network(&network, &modes, version, Vec::new()).unwrap();
            let mut again = ModeTable::default();
            let back = read_network_from(&text[..], "n.xml", &mut again, &mut Warnings::new()).unwrap();
            assert_eq!((0..2).map(|i| back.link(i)).collect::<Vec<_>>(), [network.link(0), network.link(1)]);
            assert_eq!((&back.node_x, &back.node_y, &back.name), (&network.node_x, &network.node_y, &network.name));
            assert_eq!(back.link_ids.iter().collect::<Vec<_>>(), ["ab", "ba"]);
        }
    }

    #[test]
    fn an_empty_network_is_still_a_network() {
        let text = write_network(&Network::default(), &ModeTable::default(), NetworkVersion::V2, Vec::new()).unwrap();
        let back = read_network_from(&text[..], "n.xml", &mut ModeTable::default(), &mut Warnings::new()).unwrap();
        assert_eq!((back.nodes(), back.links()), (0, 0));
    }
}
