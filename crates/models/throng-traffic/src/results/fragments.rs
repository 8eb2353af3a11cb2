//! XML attributes that are formatted once per id, so that writing an event takes only a few copies.

use throng_core::IdTable;

use throng_matsim::formats::text::push_escaped_value;
use throng_traffic_scenario::events::EventKind;
use throng_traffic_scenario::{ModeId, Scenario};

/// The attribute `name="id" ` of each id of a table, escaped, in one buffer.
#[derive(Debug, Default)]
pub struct Attributes {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl Attributes {
    /// Formats the attributes called `name` for the given ids.
    pub fn new<'a>(name: &str, ids: impl Iterator<Item = &'a str>) -> Self {
        let mut all = Self::default();
        let mut escaped = String::new();
        for id in ids {
            all.bytes.extend_from_slice(name.as_bytes());
            all.bytes.extend_from_slice(b"=\"");
            escaped.clear();
            push_escaped_value(&mut escaped, id);
            all.bytes.extend_from_slice(escaped.as_bytes());
            all.bytes.extend_from_slice(b"\" ");
            all.ends.push(all.bytes.len());
        }
        all
    }

    /// Returns the attribute of an id with a trailing space; empty for [`throng_core::NONE`].
    #[inline]
    pub fn get(&self, index: u32) -> &[u8] {
        let i = index as usize;
        let Some(&end) = self.ends.get(i) else { return &[] };
        let start = if i == 0 { 0 } else { self.ends[i - 1] };
        &self.bytes[start..end]
    }

    /// Returns the attribute of a mode; empty for [`ModeId::NONE`].
    #[inline]
    pub fn of_mode(&self, mode: ModeId) -> &[u8] {
        self.get(u32::from(mode.0))
    }
}

/// All attributes that events of a scenario can have.
#[derive(Debug)]
pub struct EventAttributes {
    /// `type`, by [`EventKind`].
    pub kind: Attributes,
    /// `person`.
    pub person: Attributes,
    /// `link`.
    pub link: Attributes,
    /// `vehicle`.
    pub vehicle: Attributes,
    /// `facility`.
    pub facility: Attributes,
    /// `actType`.
    pub activity_type: Attributes,
    /// `legMode`.
    pub leg_mode: Attributes,
    /// `networkMode`.
    pub network_mode: Attributes,
    /// `mode`.
    pub mode: Attributes,
    /// `computationalRoutingMode`.
    pub routing_mode: Attributes,
}

impl EventAttributes {
    /// Formats the attributes of `scenario`; takes about 25 bytes per person, vehicle, link and facility.
    pub fn new(scenario: &Scenario) -> Self {
        let of = |name: &str, table: &IdTable| Attributes::new(name, table.iter());
        let of_modes = |name: &str| {
            let modes = (0..scenario.modes.len()).map(|i| scenario.modes.name(ModeId(i as u8)));
            Attributes::new(name, modes)
        };
        Self {
            kind: Attributes::new("type", EventKind::ALL.into_iter().map(EventKind::matsim_type)),
            person: of("person", &scenario.population.person_ids),
            link: of("link", &scenario.network.link_ids),
            vehicle: of("vehicle", &scenario.vehicles.ids),
            facility: of("facility", &scenario.facilities.ids),
            activity_type: of("actType", &scenario.population.activity_types),
            leg_mode: of_modes("legMode"),
            network_mode: of_modes("networkMode"),
            mode: of_modes("mode"),
            routing_mode: of_modes("computationalRoutingMode"),
        }
    }
}

#[cfg(test)]
mod tests {
    use throng_core::NONE;

    use super::*;

    #[test]
    fn attributes_are_escaped_and_missing_ones_are_empty() {
        let links = Attributes::new("link", ["1", "a<b>&\"c\"", "Zürich 'Nord'"].into_iter());
        assert_eq!(links.get(0), b"link=\"1\" ");
        assert_eq!(links.get(1), b"link=\"a&lt;b&gt;&amp;&quot;c&quot;\" ");
        assert_eq!(links.get(2), "link=\"Zürich 'Nord'\" ".as_bytes());
        assert_eq!(links.get(NONE), b"");
        assert_eq!(links.of_mode(ModeId::NONE), b"");
    }
}
