//! Sets of parameters on a device: curves as tables, and numbers.

#![allow(clippy::cast_lossless, reason = "kernels have no `f64::from`")]

use std::marker::PhantomData;

use throng_device::cubecl::{self, prelude::*};
use throng_device::exact::NEGATIVE_ZERO;
use throng_device::{Buffer, Device, DeviceError, Gpu, exact};

use crate::curves::{Effort, Utility};
use crate::devices::{KINDS, Kind};
use crate::parameters::Parameters;
use crate::rules::worth::beyond_table;

/// No resource, kind, partner, candidate or lot.
pub const NONE: u32 = u32::MAX;

/// Places of the numbers of a set.
pub mod number {
    pub const DAY_MIN: usize = 0;
    pub const TOLERANCE: usize = 1;
    pub const FORGOTTEN: usize = 2;
    pub const FULL_EXPERIENCE: usize = 3;
    pub const LEAST_SURPLUS: usize = 4;
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
    /// The numbers of the first kind of device.
    pub const KINDS: usize = 16;
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
    pub const MOST_LEVELS: usize = 4;
    pub const COUNT: usize = FIRST_LEVEL + MOST_LEVELS;
    /// After all kinds comes their order of production.
    pub const PRODUCTION: usize = COUNT * crate::devices::KINDS;
}

/// Places of the tables of a set.
mod place {
    pub const UNITS: usize = 0;
    pub const LAST_UNITS: usize = 1;
    pub const NEXT: usize = 2;
    pub const LAST_NEXT: usize = 3;
    pub const EFFORT: usize = 4;
    pub const LAST_EFFORT: usize = 5;
    pub const ASSEMBLY: usize = 6;
    pub const LAST_ASSEMBLY: usize = 7;
    pub const COUNT: usize = 8;
}

/// The tables of all sets, one after the other, and what all have in common.
#[derive(CubeType, CubeLaunch)]
pub struct Tables {
    /// Utility of 0, 1, 2, ... units.
    pub of_units: Array<f64>,
    /// Utility of the next unit when 0, 1, 2, ... are held; the last entry also when more are.
    pub of_next: Array<f64>,
    /// The inverse of these.
    pub inverse_of_next: Array<f64>,
    /// Minutes for a unit of extraction with an experience of 0, 1, 2, ... units; the last entry also with more.
    pub effort: Array<f64>,
    /// Minutes of work until there is such an experience.
    pub until: Array<f64>,
    /// Minutes for the assembly of a device with an experience of 0, 1, 2, ... devices; the last entry also with more.
    pub assembly: Array<f64>,
    /// Where the tables of each set begin, and their last entries: `[set][place]`.
    pub places: Array<u32>,
    /// Numbers of each set, and then the power in trade and the speed of invention of each agent.
    pub numbers: Array<f64>,
    /// `[kind][about_kind]`, and the order of production.
    pub kinds: Array<u32>,
    /// The set of each society, and the lower and the upper word of its seed: `[society][3]`.
    pub societies: Array<u32>,
    /// Whether each agent was not removed, and after all agents each resource.
    pub remains: Array<u32>,
}

/// The same on a device.
pub struct TableBuffers {
    of_units: Buffer<f64>,
    of_next: Buffer<f64>,
    inverse_of_next: Buffer<f64>,
    effort: Buffer<f64>,
    until: Buffer<f64>,
    assembly: Buffer<f64>,
    places: Buffer<u32>,
    numbers: Buffer<f64>,
    kinds: Buffer<u32>,
    societies: Buffer<u32>,
    pub remains: Buffer<u32>,
}

impl TableBuffers {
    /// The tables of some sets, and the set and the seed of each society.
    pub fn new(device: &Device, sets: &[Parameters], societies: &[(u32, u64)]) -> Result<Self, DeviceError> {
        let (mut units, mut next, mut inverse) = (Vec::new(), Vec::new(), Vec::new());
        let (mut effort, mut until, mut assembly) = (Vec::new(), Vec::new(), Vec::new());
        let (mut places, mut numbers) = (Vec::new(), Vec::new());
        for parameters in sets {
            let utility = Utility::new(parameters);
            let (of_units, of_next, inverse_of_next) = utility.tables();
            let of_extraction = Effort::of_extraction(parameters);
            let (minutes, minutes_until) = of_extraction.tables();
            let (of_assembly, _) = Effort::of_assembly(parameters).tables();
            let mut of_set = [0; place::COUNT];
            for (at, before, own) in [
                (place::UNITS, units.len(), of_units.len()),
                (place::NEXT, next.len(), of_next.len()),
                (place::EFFORT, effort.len(), minutes.len()),
                (place::ASSEMBLY, assembly.len(), of_assembly.len()),
            ] {
                of_set[at] = before as u32;
                of_set[at + 1] = own as u32 - 1;
            }
            places.extend(of_set);
            numbers.extend(numbers_of(parameters));
            let agents = 0..parameters.agents as usize;
            numbers.extend(agents.clone().map(|agent| f64::from(parameters.trade_power(agent))));
            numbers.extend(agents.map(|agent| parameters.invention_speed(agent)));
            units.extend(of_units);
            next.extend(of_next);
            inverse.extend(inverse_of_next);
            effort.extend(minutes);
            until.extend(minutes_until);
            assembly.extend(of_assembly);
        }
        let first = &sets[0];
        let of_societies: Vec<u32> =
            societies.iter().flat_map(|&(set, seed)| [set, seed as u32, (seed >> 32) as u32]).collect();
        Ok(Self {
            of_units: device.upload("utility", &units)?,
            of_next: device.upload("marginal utility", &next)?,
            inverse_of_next: device.upload("inverse utility", &inverse)?,
            effort: device.upload("effort", &effort)?,
            until: device.upload("effort", &until)?,
            assembly: device.upload("assembly", &assembly)?,
            places: device.upload("parameters", &places)?,
            numbers: device.upload("parameters", &numbers)?,
            kinds: device.upload("kinds of devices", &about_kinds(first))?,
            societies: device.upload("societies", &of_societies)?,
            remains: device.upload("removals", &vec![1; (first.agents + first.resources) as usize])?,
        })
    }

    /// The argument of a launch; made inside its closure.
    pub fn arg(&self) -> TablesLaunch<Gpu> {
        TablesLaunch {
            of_units: self.of_units.arg(),
            of_next: self.of_next.arg(),
            inverse_of_next: self.inverse_of_next.arg(),
            effort: self.effort.arg(),
            until: self.until.arg(),
            assembly: self.assembly.arg(),
            places: self.places.arg(),
            numbers: self.numbers.arg(),
            kinds: self.kinds.arg(),
            societies: self.societies.arg(),
            remains: self.remains.arg(),
            _phantom_runtime: PhantomData,
        }
    }
}

fn numbers_of(parameters: &Parameters) -> [f64; number::COUNT] {
    let Parameters { work, market, assembly, invention, .. } = parameters;
    let mut numbers = [0.0; number::COUNT];
    for (at, value) in [
        (number::DAY_MIN, work.day_min),
        (number::TOLERANCE, work.tolerance),
        (number::FORGOTTEN, work.forgotten_per_day),
        (number::FULL_EXPERIENCE, f64::from(work.full_experience)),
        (number::LEAST_SURPLUS, market.least_surplus),
        (number::MORE_HELD_THAN, f64::from(invention.more_held_than)),
        (number::TOOL_PROBABILITY, invention.tool_probability),
        (number::DEVICE_PROBABILITY, invention.device_probability),
        (number::INVENTOR_EXPERIENCE, invention.inventor_experience),
        (number::OWNER_EXPERIENCE, invention.owner_experience),
        (number::FULL_ASSEMBLY, f64::from(assembly.full_experience)),
        (number::STOCK_MIN, parameters.stock_min()),
        (number::WEAR_MIN, assembly.wear_min),
        (number::MADE_FOR_ASSEMBLER, f64::from(assembly.made_for_assembler)),
        (number::CONSUMED_TO, parameters.consumed_words().saturating_sub(1) as u32 as f64),
        (number::ZERO, NEGATIVE_ZERO),
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

fn about_kinds(parameters: &Parameters) -> Vec<u32> {
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

/// Where the tables of a society's set are.
#[derive(CubeType, Clone, Copy)]
pub struct Set {
    units: u32,
    last_units: u32,
    next: u32,
    last_next: u32,
    effort: u32,
    pub last_effort: u32,
    assembly: u32,
    last_assembly: u32,
    numbers: u32,
    /// [`NEGATIVE_ZERO`](exact::NEGATIVE_ZERO).
    pub zero: f64,
}

/// The set of a society.
#[cube]
pub fn set_of(tables: &Tables, society: u32, #[comptime] agents: u32) -> Set {
    let set = tables.societies[3 * society as usize] as usize;
    let at = set * comptime!(place::COUNT);
    let numbers = set * comptime!(number::COUNT + 2 * agents as usize);
    Set {
        units: tables.places[at + comptime!(place::UNITS)],
        last_units: tables.places[at + comptime!(place::LAST_UNITS)],
        next: tables.places[at + comptime!(place::NEXT)],
        last_next: tables.places[at + comptime!(place::LAST_NEXT)],
        effort: tables.places[at + comptime!(place::EFFORT)],
        last_effort: tables.places[at + comptime!(place::LAST_EFFORT)],
        assembly: tables.places[at + comptime!(place::ASSEMBLY)],
        last_assembly: tables.places[at + comptime!(place::LAST_ASSEMBLY)],
        numbers: numbers as u32,
        zero: tables.numbers[numbers + comptime!(number::ZERO)],
    }
}

/// Whether an agent was not removed.
#[cube]
pub fn is_present(tables: &Tables, agent: u32) -> bool {
    tables.remains[agent as usize] == 1u32
}

/// Whether a resource was not removed.
#[cube]
pub fn is_left(tables: &Tables, agents: u32, resource: u32) -> bool {
    tables.remains[(agents + resource) as usize] == 1u32
}

/// The lower and the upper word of the seed of a society.
#[cube]
pub fn seed_of(tables: &Tables, society: u32) -> (u32, u32) {
    let at = 3 * society as usize;
    (tables.societies[at + 1], tables.societies[at + 2])
}

/// A number of the set.
#[cube]
pub fn number_of(tables: &Tables, set: &Set, #[comptime] which: usize) -> f64 {
    tables.numbers[set.numbers as usize + which]
}

/// The power of an agent of a society in trade.
#[cube]
pub fn trade_power(tables: &Tables, set: &Set, agent: u32) -> u32 {
    tables.numbers[set.numbers as usize + comptime!(number::COUNT) + agent as usize] as u32
}

/// Multiplies the probability that an agent invents.
#[cube]
pub fn invention_speed(tables: &Tables, set: &Set, agent: u32, #[comptime] agents: u32) -> f64 {
    tables.numbers[set.numbers as usize + comptime!(number::COUNT + agents as usize) + agent as usize]
}

/// A number of a kind of device.
#[cube]
pub fn number_of_kind(tables: &Tables, set: &Set, kind: u32, #[comptime] which: usize) -> f64 {
    let at = set.numbers as usize + comptime!(number::KINDS) + comptime!(number::OF_KIND) * kind as usize;
    tables.numbers[at + which]
}

/// What is said about a kind of device.
#[cube]
pub fn about(tables: &Tables, kind: u32, #[comptime] which: usize) -> u32 {
    tables.kinds[comptime!(about_kind::COUNT) * kind as usize + which]
}

/// The kind of a level of a device, tools first.
#[cube]
pub fn level_of(tables: &Tables, kind: u32, level: u32) -> u32 {
    let at = comptime!(about_kind::COUNT) * kind as usize + comptime!(about_kind::FIRST_LEVEL);
    tables.kinds[at + level as usize]
}

/// The utility of the next unit.
#[cube]
pub fn of_next(tables: &Tables, set: &Set, held: u32) -> f64 {
    tables.of_next[(set.next + min(held, set.last_next)) as usize]
}

/// Its inverse.
#[cube]
pub fn inverse_of_next(tables: &Tables, set: &Set, held: u32) -> f64 {
    tables.inverse_of_next[(set.next + min(held, set.last_next)) as usize]
}

/// The utility of all units.
#[cube]
pub fn of_units(tables: &Tables, set: &Set, units: u32) -> f64 {
    let mut utility = tables.of_units[(set.units + min(units, set.last_units)) as usize];
    if units > set.last_units {
        let of_further = tables.of_next[(set.next + set.last_next) as usize];
        utility = beyond_table(exact::copied(utility), of_further, units - set.last_units, set.zero);
    }
    utility
}

/// Minutes for a unit.
#[cube]
pub fn effort(tables: &Tables, set: &Set, experience: f64) -> f64 {
    tables.effort[(set.effort + min(experience as u32, set.last_effort)) as usize]
}

/// Minutes until there is so much whole experience, which is at most full experience.
#[cube]
pub fn minutes_until_whole(tables: &Tables, set: &Set, experience: u32) -> f64 {
    tables.until[(set.effort + experience) as usize]
}

/// Minutes for the assembly of a device by hand.
#[cube]
pub fn assembly(tables: &Tables, set: &Set, experience: f64) -> f64 {
    tables.assembly[(set.assembly + min(experience as u32, set.last_assembly)) as usize]
}
