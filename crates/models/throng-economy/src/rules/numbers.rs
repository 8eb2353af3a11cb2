//! The values of a parameter set and the properties of kinds of devices, as arrays with fixed indices for the rules.

use throng_device::cube::NONE;
use throng_device::exact::NEGATIVE_ZERO;

use crate::devices::{KINDS, Kind};
use crate::parameters::Parameters;

/// Indices of the values of a set.
pub mod number {
    pub const DAY_MIN: usize = 0;
    pub const TOLERANCE: usize = 1;
    pub const FORGOTTEN: usize = 2;
    pub const FULL_EXPERIENCE: usize = 3;
    pub const MIN_SURPLUS: usize = 4;
    pub const MORE_HELD_THAN: usize = 5;
    pub const TOOL_PROBABILITY: usize = 6;
    pub const DEVICE_PROBABILITY: usize = 7;
    pub const INVENTOR_EXPERIENCE: usize = 8;
    pub const OWNER_EXPERIENCE: usize = 9;
    pub const FULL_ASSEMBLY: usize = 10;
    /// Device minutes that are enough for an agent.
    pub const STOCK_MIN: usize = 11;
    pub const WEAR_MIN: usize = 12;
    pub const MADE_FOR_ASSEMBLER: usize = 13;
    /// A unit whose draw is at most this is consumed.
    pub const CONSUMED_TO: usize = 14;
    /// [`NEGATIVE_ZERO`](throng_device::exact::NEGATIVE_ZERO): read from memory so that it is no compile-time constant.
    pub const ZERO: usize = 15;
    /// Minutes for a unit of extraction with full experience.
    pub const MIN_EFFORT: usize = 16;
    /// Index of the first kind's values.
    pub const KINDS: usize = 17;
    /// Number of values per kind.
    pub const OF_KIND: usize = 4;
    pub const FACTOR: usize = 0;
    pub const LIFETIME: usize = 1;
    pub const EXPERIENCE: usize = 2;
    /// Units of resources in a device.
    pub const UNITS_IN: usize = 3;
    /// Number of values of a set.
    pub const COUNT: usize = KINDS + OF_KIND * crate::devices::KINDS;
}

/// Indices of the properties of a kind of device. Properties that name a kind are [`NONE`] if there is no such kind.
pub mod kind_property {
    pub const MADE_OF: usize = 0;
    pub const ASSEMBLES: usize = 1;
    pub const ASSEMBLED_WITH: usize = 2;
    pub const NEXT_ORDER: usize = 3;
    pub const COMPONENTS: usize = 4;
    /// Number of levels of components, including the device itself.
    pub const LEVELS: usize = 5;
    /// Kinds of the levels, tools first.
    pub const FIRST_LEVEL: usize = 6;
    pub const MAX_LEVELS: usize = 4;
    pub const COUNT: usize = FIRST_LEVEL + MAX_LEVELS;
    /// The order of production follows the properties of all kinds.
    pub const PRODUCTION: usize = COUNT * crate::devices::KINDS;
}

/// Returns the values of a set, by [index](number).
pub fn numbers_of(parameters: &Parameters) -> [f64; number::COUNT] {
    let Parameters { work, market, assembly, invention, .. } = parameters;
    let mut numbers = [0.0; number::COUNT];
    for (at, value) in [
        (number::DAY_MIN, work.day_min),
        (number::TOLERANCE, work.tolerance),
        (number::FORGOTTEN, work.forgotten_per_day),
        (number::FULL_EXPERIENCE, f64::from(work.full_experience)),
        (number::MIN_SURPLUS, market.least_surplus),
        (number::MORE_HELD_THAN, f64::from(invention.more_held_than)),
        (number::TOOL_PROBABILITY, invention.tool_probability),
        (number::DEVICE_PROBABILITY, invention.device_probability),
        (number::INVENTOR_EXPERIENCE, invention.inventor_experience),
        (number::OWNER_EXPERIENCE, invention.owner_experience),
        (number::FULL_ASSEMBLY, f64::from(assembly.full_experience)),
        (number::STOCK_MIN, parameters.stock_min()),
        (number::WEAR_MIN, assembly.wear_min),
        (number::MADE_FOR_ASSEMBLER, f64::from(assembly.made_for_assembler)),
        (number::CONSUMED_TO, f64::from(parameters.consumed_words().saturating_sub(1) as u32)),
        (number::ZERO, NEGATIVE_ZERO),
        (number::MIN_EFFORT, work.least_effort_min),
    ] {
        numbers[at] = value;
    }
    for kind in Kind::ALL {
        let of_kind = parameters.of(kind);
        let at = number::KINDS + number::OF_KIND * kind as usize;
        numbers[at + number::FACTOR] = of_kind.factor;
        numbers[at + number::LIFETIME] = of_kind.lifetime_min;
        numbers[at + number::EXPERIENCE] = of_kind.experience;
        numbers[at + number::UNITS_IN] = parameters.units_in(kind) as f64;
    }
    numbers
}

/// Returns the properties of the kinds of devices of a society, by [index](kind_property).
pub fn about_kinds(parameters: &Parameters) -> Vec<u32> {
    let number =
        |kind: Option<Kind>| kind.filter(|&kind| parameters.devices.contain(kind)).map_or(NONE, |kind| kind as u32);
    let mut about = vec![NONE; kind_property::PRODUCTION + KINDS];
    for kind in Kind::ALL {
        let of_kind = &mut about[kind_property::COUNT * kind as usize..];
        of_kind[kind_property::MADE_OF] = number(kind.made_of());
        of_kind[kind_property::ASSEMBLES] = number(kind.assembles());
        of_kind[kind_property::ASSEMBLED_WITH] = number(kind.assembled_with());
        of_kind[kind_property::NEXT_ORDER] = number(kind.next_order());
        of_kind[kind_property::COMPONENTS] = parameters.components(kind);
        let mut levels: Vec<Kind> = std::iter::successors(Some(kind), |kind| kind.made_of()).collect();
        levels.reverse();
        of_kind[kind_property::LEVELS] = levels.len() as u32;
        for (level, kind) in levels.into_iter().enumerate() {
            of_kind[kind_property::FIRST_LEVEL + level] = kind as u32;
        }
    }
    for (at, kind) in parameters.devices.by(Kind::BY_PRODUCTION).enumerate() {
        about[kind_property::PRODUCTION + at] = kind as u32;
    }
    about
}
