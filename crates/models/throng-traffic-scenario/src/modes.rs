//! Transport modes as small integers.

use throng_core::IdTable;

/// A transport mode such as `car`; index into the scenario's [`ModeTable`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ModeId(pub u8);

impl ModeId {
    /// The value for "no mode" in arrays and events.
    pub const NONE: Self = Self(u8::MAX);

    /// Maximum number of modes with a bit in the masks of links.
    pub const BITS: u8 = 64;

    /// Returns the bit of this mode in a link's mask of allowed modes. Modes with an id of [`ModeId::BITS`] or
    /// more have none: no link is open to them, and a network with that many modes is rejected.
    pub fn bit(self) -> u64 {
        1_u64.checked_shl(u32::from(self.0)).unwrap_or(0)
    }
}

/// The names of all modes of a scenario, at most 255.
#[derive(Debug, Clone, Default)]
pub struct ModeTable {
    names: IdTable,
}

impl ModeTable {
    /// Returns the mode called `name`, and defines it if it is new. `None` if there are too many modes or the name is
    /// too long for an id.
    pub fn intern(&mut self, name: &str) -> Option<ModeId> {
        if let known @ Some(_) = self.get(name) {
            return known;
        }
        // A name that does not fit must not remain in the table, because its index would wrap.
        if self.names.len() >= usize::from(u8::MAX) {
            return None;
        }
        self.names.intern(name).ok().map(|id| ModeId(id as u8))
    }

    /// Returns the mode called `name`, if any link, leg or setting mentions it.
    pub fn get(&self, name: &str) -> Option<ModeId> {
        self.names.get(name).map(|id| ModeId(id as u8))
    }

    /// Returns the name of `mode`.
    pub fn name(&self, mode: ModeId) -> &str {
        self.names.name(u32::from(mode.0))
    }

    /// Returns the table of the names, by [`ModeId`].
    pub fn table(&self) -> &IdTable {
        &self.names
    }

    /// Iterates over all names in the order of their ids.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter()
    }

    /// Returns the number of modes.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether no mode is defined.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }
}

/// Modes from the least to the most important in a trip, as in MATSim's analyses.
const HIERARCHY: [&str; 17] = [
    "non_network_walk",
    "undefined",
    "transit_walk",
    "other",
    "walk",
    "bike",
    "taxi",
    "drt",
    "ride",
    "motorcycle",
    "truck",
    "car",
    "pt",
    "train",
    "ship",
    "airplane",
    "freight",
];
const WALK: usize = 4;

/// Returns the most important one of the modes of a trip's legs; `None` without legs.
///
/// Modes that MATSim does not know rank between `walk` and `bike`. If a trip has several of them and no mode from
/// `bike` on, the first counts; MATSim gives no mode to trips with an unknown mode and another one above `walk`.
///
/// ```
/// use throng_traffic_scenario::main_mode;
///
/// assert_eq!(main_mode(["walk", "bike", "walk", "pt", "walk"]), Some("pt"));
/// assert_eq!(main_mode(["walk", "scooter", "walk"]), Some("scooter"));
/// ```
pub fn main_mode<'a>(modes: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // Ranks are doubled to leave one for unknown modes.
    let rank = |mode: &str| HIERARCHY.iter().position(|known| *known == mode).map_or(2 * WALK + 1, |rank| 2 * rank);
    let ranked = modes.into_iter().map(|mode| (rank(mode), mode));
    ranked.reduce(|best, next| if next.0 > best.0 { next } else { best }).map(|(_, mode)| mode)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_important_mode_of_a_trip_is_its_main_mode() {
        for (modes, expected) in [
            ("car", "car"),
            ("walk", "walk"),
            ("walk-pt-walk", "pt"),
            ("walk-bike-pt-walk", "pt"),
            ("pt-car", "pt"),
            ("car-walk-pt", "pt"),
            ("pt-train", "train"),
            ("ride-drt", "ride"),
            ("taxi-drt", "drt"),
            ("bike-taxi", "taxi"),
            ("truck-motorcycle", "truck"),
            ("freight-airplane", "freight"),
            ("non_network_walk-walk", "walk"),
            ("transit_walk-undefined", "transit_walk"),
            ("other-walk-other", "walk"),
            // Unknown modes.
            ("scooter", "scooter"),
            ("walk-scooter-walk", "scooter"),
            ("scooter-tram", "scooter"),
            ("scooter-bike", "bike"),
        ] {
            assert_eq!(main_mode(modes.split('-')), Some(expected), "{modes}");
        }
        assert_eq!(main_mode([]), None);
    }

    #[test]
    fn a_full_table_keeps_its_modes() {
        let mut modes = ModeTable::default();
        for i in 0..255 {
            assert_eq!(modes.intern(&format!("m{i}")), Some(ModeId(i)));
        }
        assert_eq!(modes.intern("one more"), None);
        assert_eq!((modes.get("one more"), modes.intern("m254"), modes.len()), (None, Some(ModeId(254)), 255));
    }

    #[test]
    fn no_two_modes_share_a_bit() {
        let all = (0..ModeId::BITS).fold(0, |mask, mode| {
            assert_eq!(mask & ModeId(mode).bit(), 0);
            mask | ModeId(mode).bit()
        });
        assert_eq!(all, u64::MAX);
        assert_eq!((ModeId(64).bit(), ModeId::NONE.bit()), (0, 0));
    }
}
