//! The numbers of a set of parameters and what is said about kinds of devices, by places, as rules read them.

use throng_device::cube::NONE;
use throng_device::exact::NEGATIVE_ZERO;

use crate::devices::{KINDS, Kind};
use crate::parameters::Parameters;

/// Places of the numbers of a set.
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
    /// Minutes of devices with which an agent has enough.
    pub const STOCK_MIN: usize = 11;
    pub const WEAR_MIN: usize = 12;
    pub const MADE_FOR_ASSEMBLER: usize = 13;
    /// A unit whose draw is at most this is consumed.
    pub const CONSUMED_TO: usize = 14;
    /// [`NEGATIVE_ZERO`](throng_device::exact::NEGATIVE_ZERO): read from memory, it is not a constant for the compiler.
    pub const ZERO: usize = 15;
    /// Minutes for a unit of extraction with full experience.
    pub const MIN_EFFORT: usize = 16;
    /// The numbers of the first kind of device.
    pub const KINDS: usize = 17;
    /// Numbers of a kind.
    pub const OF_KIND: usize = 4;
    pub const FACTOR: usize = 0;
    pub const LIFETIME: usize = 1;
    pub const EXPERIENCE: usize = 2;
    /// Units of resources in a device.
    pub const UNITS_IN: usize = 3;
    /// All numbers of a set.
    pub const COUNT: usize = KINDS + OF_KIND * crate::devices::KINDS;
}

/// Places of what is said about a kind of device, and [`NONE`] where there is no such kind.
pub mod about_kind {
    pub const MADE_OF: usize = 0;
    pub const ASSEMBLES: usize = 1;
    pub const ASSEMBLED_WITH: usize = 2;
    pub const NEXT_ORDER: usize = 3;
    pub const COMPONENTS: usize = 4;
    /// Levels of components, the device itself included.
    pub const LEVELS: usize = 5;
    /// The kinds of the levels, tools first.
    pub const FIRST_LEVEL: usize = 6;
    pub const MAX_LEVELS: usize = 4;
    pub const COUNT: usize = FIRST_LEVEL + MAX_LEVELS;
    /// After all kinds comes their order of production.
    pub const PRODUCTION: usize = COUNT * crate::devices::KINDS;
}

/// The numbers of a set, by their [places](number).
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

/// What is said about the kinds of devices of a society, by [place](about_kind).
pub fn about_kinds(parameters: &Parameters) -> Vec<u32> {
    let number =
        |kind: Option<Kind>| kind.filter(|&kind| parameters.devices.contain(kind)).map_or(NONE, |kind| kind as u32);
    let mut about = vec![NONE; about_kind::PRODUCTION + KINDS];
    for kind in Kind::ALL {
        let of_kind = &mut about[about_kind::COUNT * kind as usize..];
        of_kind[about_kind::MADE_OF] = number(kind.made_of());
        of_kind[about_kind::ASSEMBLES] = number(kind.assembles());
        of_kind[about_kind::ASSEMBLED_WITH] = number(kind.assembled_with());
        of_kind[about_kind::NEXT_ORDER] = number(kind.next_order());
        of_kind[about_kind::COMPONENTS] = parameters.components(kind);
        let mut levels: Vec<Kind> = std::iter::successors(Some(kind), |kind| kind.made_of()).collect();
        levels.reverse();
        of_kind[about_kind::LEVELS] = levels.len() as u32;
        for (level, kind) in levels.into_iter().enumerate() {
            of_kind[about_kind::FIRST_LEVEL + level] = kind as u32;
        }
    }
    for (at, kind) in parameters.devices.by(Kind::BY_PRODUCTION).enumerate() {
        about[about_kind::PRODUCTION + at] = kind as u32;
    }
    about
}
