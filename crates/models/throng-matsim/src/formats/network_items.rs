//! The records of a network file, as the reader yields them and the writer accepts them.

use std::io::BufRead;

use throng_core::{InputError, Problems, Warnings};

use super::check::{Element, Rule, SystemName, report};
use super::value::shortened;
use super::xml::{Tag, Token, Xml};
use crate::coordinates::InputCoordinates;
use throng_traffic_scenario::Link;

/// The attribute of networks, facilities and plans that names their coordinate system.
pub const COORDINATE_SYSTEM: &str = "coordinateReferenceSystem";

/// One record of a network file, in file order.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum NetworkItem<'a> {
    /// The start of the network; its nodes follow.
    Network {
        /// `name` of the network.
        name: Option<&'a str>,
    },
    /// A node.
    Node(NodeRecord<'a>),
    /// Start tag of the list of links.
    Links(LinksHead),
    /// A link.
    Link(LinkRecord<'a>),
    /// A user-defined attribute of the most recent network, node or link.
    Attribute(AttributeRecord<'a>),
    /// An unknown attribute in the tag of the most recent node or link.
    Unknown(UnknownAttribute<'a>),
}

/// A `<node>`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NodeRecord<'a> {
    /// Id; may be empty in a file with problems.
    pub id: &'a str,
    /// Coordinates in the units of the coordinate system, usually metres.
    pub x: f64,
    /// See [`NodeRecord::x`].
    pub y: f64,
    /// Elevation.
    pub z: Option<f64>,
    /// `type`.
    pub kind: Option<&'a str>,
    /// `origid`: the id in the source data of the network.
    pub original_id: Option<&'a str>,
}

/// The attributes of `<links>`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LinksHead {
    /// `capperiod`: the period to which link capacities refer, seconds.
    pub capacity_period_s: f64,
    /// `effectivecellsize`, metres.
    pub cell_size_m: f64,
    /// `effectivelanewidth`, metres.
    pub lane_width_m: f64,
}

impl Default for LinksHead {
    fn default() -> Self {
        Self { capacity_period_s: 3600.0, cell_size_m: 7.5, lane_width_m: 3.75 }
    }
}

/// A `<link>`. Numbers missing from the file are NaN; reading such a file ends with an error.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LinkRecord<'a> {
    /// Id of the link.
    pub id: &'a str,
    /// Id of the start node.
    pub from: &'a str,
    /// Id of the end node.
    pub to: &'a str,
    /// Length, metres.
    pub length_m: f64,
    /// Free speed, metres per second.
    pub freespeed_mps: f64,
    /// Capacity, vehicles per capacity period.
    pub capacity: f64,
    /// `permlanes`; may be fractional.
    pub lanes: f64,
    /// Allowed modes, separated by commas; `car` if the attribute is missing.
    pub modes: &'a str,
    /// `origid`: the id in the source data of the network.
    pub original_id: Option<&'a str>,
    /// `type`.
    pub kind: Option<&'a str>,
}

/// An `<attribute>` inside `<attributes>`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AttributeRecord<'a> {
    /// Name of the attribute.
    pub name: &'a str,
    /// Java class of the value.
    pub class: &'a str,
    /// Value as a string.
    pub value: &'a str,
}

/// An attribute left over from old tools, which MATSim ignores.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnknownAttribute<'a> {
    /// Name of the element.
    pub element: &'a str,
    /// Name of the attribute.
    pub name: &'a str,
}

/// Reads a network file and passes its records with their lines to `sink`, which may add problems. Nodes and the
/// coordinate system of the network are passed on as transformed by `coordinates`.
///
/// Records with problems are also passed on, so that `sink` can find further problems.
///
/// # Errors
/// All problems of the file, found here or by `sink`.
pub fn read_network_items<R: BufRead>(
    input: R,
    file: &str,
    coordinates: InputCoordinates,
    warnings: &mut Warnings,
    mut sink: impl FnMut(NetworkItem<'_>, u64, &mut Problems),
) -> Result<(), InputError> {
    let mut problems = Problems::new();
    let read = walk(input, file, coordinates, warnings, &mut problems, &mut sink);
    report(problems, read)
}

fn walk<R: BufRead>(
    input: R,
    file: &str,
    mut coordinates: InputCoordinates,
    warnings: &mut Warnings,
    problems: &mut Problems,
    sink: &mut impl FnMut(NetworkItem<'_>, u64, &mut Problems),
) -> Result<(), InputError> {
    let mut xml = Xml::new(input, file);
    let root = xml.root(&["network"], "a network")?;
    sink(NetworkItem::Network { name: root.get("name") }, root.line, problems);
    xml.check_doctype("network", &["network_v1.dtd", "network_v2.dtd"], "networks")?;
    let (mut name, mut class) = (String::new(), String::new());
    let mut links_begun = false;
    let (mut system, mut behind) = (SystemName::default(), None);
    // Whether a node or link is open, whose own attributes are not those of the network.
    let mut in_element = false;
    loop {
        let example = match xml.read()? {
            Token::Start(tag) => match tag.name {
                // With any other order, the file could not be converted to another version while streaming.
                "node" | "links" if links_begun => {
                    let message = format!("<{}> after the beginning of <links>", tag.name);
                    problems.push(
                        tag.place(),
                        message,
                        "A network has all its nodes, then one <links> with all links.",
                    );
                    continue;
                }
                "link" => {
                    (links_begun, in_element) = (true, true);
                    behind = behind.or(Some("link"));
                    let (link, odd) = link(file, &tag, problems);
                    sink(NetworkItem::Link(link), tag.line, problems);
                    if odd {
                        unknown_attributes(&tag, &LINK_ATTRIBUTES, problems, sink);
                    }
                    continue;
                }
                "node" => {
                    (in_element, behind) = (true, Some("node"));
                    let (mut node, odd) = node(file, &tag, problems);
                    let element = Element { file, line: tag.line, kind: "node", id: node.id };
                    (node.x, node.y) = element.transformed(&coordinates, (node.x, node.y), problems);
                    sink(NetworkItem::Node(node), tag.line, problems);
                    if odd {
                        unknown_attributes(&tag, &NODE_ATTRIBUTES, problems, sink);
                    }
                    continue;
                }
                "links" => {
                    links_begun = true;
                    behind = behind.or(Some("links"));
                    sink(NetworkItem::Links(links_head(file, &tag, problems)), tag.line, problems);
                    continue;
                }
                "attribute" => {
                    name.clear();
                    class.clear();
                    name.push_str(tag.get("name").unwrap_or_default());
                    class.push_str(tag.get("class").unwrap_or("java.lang.String"));
                    if name == COORDINATE_SYSTEM && !in_element {
                        system.give(&tag.place(), behind)?;
                    }
                    continue;
                }
                "nodes" | "attributes" => continue,
                other => format!("{}: <{}>", tag.place(), shortened(other)),
            },
            Token::End(end) if end.name == "attribute" => {
                let mut attribute = AttributeRecord { name: &name, class: &class, value: end.text };
                if name == COORDINATE_SYSTEM && !in_element {
                    coordinates.file_names(end.text, &format!("{file}:{}", end.line), warnings)?;
                    attribute.value = coordinates.system_of(end.text);
                }
                sink(NetworkItem::Attribute(attribute), end.line, problems);
                continue;
            }
            Token::End(end) => {
                in_element &= !matches!(end.name, "node" | "link");
                continue;
            }
            Token::Eof => return Ok(()),
        };
        warnings.add("unknown elements in networks; skipped", || example);
        xml.skip()?;
    }
}

/// Parses a node; also returns whether its tag has unknown attributes.
fn node<'a>(file: &str, tag: &Tag<'a>, problems: &mut Problems) -> (NodeRecord<'a>, bool) {
    let mut odd = false;
    let (mut id, mut x, mut y, mut z, mut kind, mut original_id) = (None, None, None, None, None, None);
    for (name, value) in tag.attributes() {
        match name {
            "id" => id = Some(value),
            "x" => x = Some(value),
            "y" => y = Some(value),
            "z" => z = Some(value),
            "type" => kind = Some(value),
            "origid" => original_id = Some(value),
            _ => odd = true,
        }
    }
    let element = Element { file, line: tag.line, kind: "node", id: id.unwrap_or_default() };
    let unit = ", usually in metres";
    let record = NodeRecord {
        id: element.required("id", id, problems),
        x: element.number("x", x, Rule::Finite, unit, problems),
        y: element.number("y", y, Rule::Finite, unit, problems),
        z: z.map(|_| element.number("z", z, Rule::Finite, unit, problems)),
        kind,
        original_id,
    };
    (record, odd)
}

fn links_head(file: &str, tag: &Tag<'_>, problems: &mut Problems) -> LinksHead {
    let element = Element { file, line: tag.line, kind: "<links>", id: "" };
    let mut head = LinksHead::default();
    if let text @ Some(_) = tag.get("capperiod") {
        head.capacity_period_s = element.time("capperiod", text, problems);
        if head.capacity_period_s <= 0.0 {
            element.bad("capperiod", text, "Expected a time above 0, for example 01:00:00.", problems);
        }
    }
    let (cell, width) = (tag.get("effectivecellsize"), tag.get("effectivelanewidth"));
    head.cell_size_m =
        element.number_or("effectivecellsize", cell, head.cell_size_m, Rule::Positive, " (metres)", problems);
    // The width is only copied, and some tools write NaN for "unknown".
    if width.is_some_and(|text| text.trim_ascii() == "NaN") {
        head.lane_width_m = f64::NAN;
    } else {
        head.lane_width_m =
            element.number_or("effectivelanewidth", width, head.lane_width_m, Rule::Number, " (metres)", problems);
    }
    head
}

/// Parses a link; also returns whether its tag has unknown attributes.
fn link<'a>(file: &str, tag: &Tag<'a>, problems: &mut Problems) -> (LinkRecord<'a>, bool) {
    let mut odd = false;
    let (mut id, mut from, mut to, mut modes, mut original_id, mut kind) = (None, None, None, None, None, None);
    let (mut length, mut freespeed, mut capacity, mut lanes) = (None, None, None, None);
    for (name, value) in tag.attributes() {
        match name {
            "id" => id = Some(value),
            "from" => from = Some(value),
            "to" => to = Some(value),
            "length" => length = Some(value),
            "freespeed" => freespeed = Some(value),
            "capacity" => capacity = Some(value),
            "permlanes" => lanes = Some(value),
            "modes" => modes = Some(value),
            "origid" => original_id = Some(value),
            "type" => kind = Some(value),
            // It has no meaning: a link is always one-way.
            "oneway" => {}
            _ => odd = true,
        }
    }
    let element = Element { file, line: tag.line, kind: "link", id: id.unwrap_or_default() };
    let record = LinkRecord {
        id: element.required("id", id, problems),
        from: element.required("from", from, problems),
        to: element.required("to", to, problems),
        length_m: element.number("length", length, Link::LENGTHS, " (metres)", problems),
        freespeed_mps: element.number("freespeed", freespeed, Link::FREESPEEDS, " (metres per second)", problems),
        capacity: element.number("capacity", capacity, Link::CAPACITIES, " (vehicles per capacity period)", problems),
        lanes: element.number("permlanes", lanes, Link::LANES, " (lanes)", problems),
        modes: modes.unwrap_or("car"),
        original_id,
        kind,
    };
    if Link::is_too_slow(record.length_m, record.freespeed_mps) {
        let message = format!(
            "{} takes {:e} seconds at its free speed (length {}, freespeed {})",
            element.name(),
            record.length_m / record.freespeed_mps,
            record.length_m,
            record.freespeed_mps
        );
        problems.push(element.place(), message, "Expected at most 1000000000 seconds: correct length or freespeed.");
    }
    (record, odd)
}

const NODE_ATTRIBUTES: [&str; 6] = ["id", "x", "y", "z", "type", "origid"];

const LINK_ATTRIBUTES: [&str; 11] =
    ["id", "from", "to", "length", "freespeed", "capacity", "permlanes", "modes", "origid", "type", "oneway"];

fn unknown_attributes(
    tag: &Tag<'_>,
    known: &[&str],
    problems: &mut Problems,
    sink: &mut impl FnMut(NetworkItem<'_>, u64, &mut Problems),
) {
    for (name, _) in tag.attributes().filter(|(name, _)| !known.contains(name)) {
        sink(NetworkItem::Unknown(UnknownAttribute { element: tag.name, name }), tag.line, problems);
    }
}
