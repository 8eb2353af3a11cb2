//! The kind of a document: its document type and its root element.

use crate::formats::references::find_unquoted;

/// The `<!DOCTYPE ...>` of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Doctype {
    /// Name of the root element.
    pub root: String,
    /// File name of the DTD, for example `network_v2.dtd`; empty if the document names none.
    pub dtd: String,
}

/// Returns the kind of file that has this root element, for messages about mixed-up files.
pub(super) fn kind_of_root(root: &str) -> Option<&'static str> {
    Some(match root {
        "network" => "a network",
        "plans" | "population" => "a file of plans",
        "facilities" => "a file of facilities",
        "vehicleDefinitions" => "a file of vehicles",
        "networkChangeEvents" => "a file of network change events",
        "config" => "a configuration",
        "events" => "a file of events",
        "counts" => "a file of counts",
        "transitSchedule" => "a transit schedule",
        "households" => "a file of households",
        "laneDefinitions" => "a file of lanes",
        "objectAttributes" => "a file of object attributes",
        "html" | "HTML" => "a web page",
        _ => return None,
    })
}

/// Parses the content of `<!DOCTYPE ...>`.
pub(super) fn doctype(text: &str) -> Doctype {
    let outer = find_unquoted(text, b'[').and_then(|at| text.get(..at)).unwrap_or(text);
    let root = outer.split_ascii_whitespace().next().unwrap_or_default().to_owned();
    // The system identifier is the last quoted string.
    let trimmed = outer.trim_end();
    let quoted = trimmed.chars().next_back().filter(|c| matches!(c, '"' | '\'')).and_then(|quote| {
        let inner = trimmed.strip_suffix(quote)?;
        inner.rsplit_once(quote).map(|(_, identifier)| identifier)
    });
    let dtd = quoted.and_then(|identifier| identifier.rsplit(['/', '\\']).next()).unwrap_or_default();
    Doctype { root, dtd: dtd.to_owned() }
}
