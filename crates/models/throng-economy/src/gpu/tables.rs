//! Parameter sets on a device: curves as tables, and numbers.

use throng_device::cubecl::{self, prelude::*};
use throng_device::{Device, DeviceError, KernelArrays};

use crate::curves::{Effort, Utility};
use crate::parameters::Parameters;
use crate::rules::numbers::{about_kinds, numbers_of};

/// Indices into the `places` of a set: the offset of each table, and its last entry.
pub mod table_offset {
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

/// The tables of all sets, concatenated, and data common to all sets.
#[derive(CubeType, CubeLaunch, KernelArrays)]
#[buffers(owned)]
pub struct Tables {
    /// Utility of 0, 1, 2, ... units.
    pub of_units: Array<f64>,
    /// Utility of the next unit when 0, 1, 2, ... are held; the last entry also holds for more.
    pub of_next: Array<f64>,
    /// The inverse of `of_next`.
    pub inverse_of_next: Array<f64>,
    /// Minutes per unit of extraction with an experience of 0, 1, 2, ... units; the last entry also holds for more.
    pub effort: Array<f64>,
    /// Minutes of work to reach that experience.
    pub until: Array<f64>,
    /// Minutes for the assembly of a device with an experience of 0, 1, 2, ... devices; the last entry also holds
    /// for more.
    pub assembly: Array<f64>,
    /// Offsets of the tables of each set, and their last entries: `[set][table_offset]`.
    pub places: Array<u32>,
    /// Numbers of each set, followed by the trade power and the speed of invention of each agent.
    pub numbers: Array<f64>,
    /// `[kind][kind_property]`, followed by the order of production.
    pub kinds: Array<u32>,
    /// Set of each society, and the lower and upper words of its seed: `[society][3]`.
    pub societies: Array<u32>,
    /// Presence of each agent, followed by availability of each resource: 1 if it was not removed.
    pub remains: Array<u32>,
}

impl TablesBuffers {
    /// Uploads the tables of `sets`, and the set and the seed of each society.
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
            let mut of_set = [0; table_offset::COUNT];
            for (at, before, own) in [
                (table_offset::UNITS, units.len(), of_units.len()),
                (table_offset::NEXT, next.len(), of_next.len()),
                (table_offset::EFFORT, effort.len(), minutes.len()),
                (table_offset::ASSEMBLY, assembly.len(), of_assembly.len()),
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
}
