//! The device version of the paper's program.

mod limits;

use throng_device::{Buffer, CUBE_UNITS, Device, DeviceError, KernelParameter, Pending};
use throng_model::Failure;
use throng_pedestrians::{FieldTables, Pedestrians, World};

use super::caching::{Caching, bytes};
use super::kernels::multi_step::TILE;
use super::kernels::one_step::SlotCacheBuffers;
use super::kernels::{
    self, BallotsBuffers, DecidedBuffers, EnrolledBuffers, HEADING_BITS, Layout, Parameters, PlacesBuffers,
    SeenBuffers, VotedBuffers, atomic, multi_step, one_step,
};
use super::numbers::{CROWD, Numbers};
use super::program::check;
use super::slots::Slots;
use super::techniques::{Technique, Variant};

pub use limits::check_cache;
use limits::check_local_memory;

/// A world with pedestrians and their stored fields, on a device.
#[derive(Debug)]
pub struct DeviceStoredFields {
    parameters: Parameters,
    fan_out: u32,
    /// Radius of fields.
    radius: u32,
    variant: Variant,
    headings: Vec<u8>,
    walk_periods: Vec<u32>,
    places: PlacesBuffers,
    /// Walk periods and headings.
    traits: Buffer<u32>,
    wanted: Buffer<u32>,
    stations: Buffer<u32>,
    winners: Buffer<u32>,
    slots: Buffer<i32>,
    /// Indexed by number and space unit.
    fields: Buffer<i32>,
    cache: Cache,
}

#[derive(Debug)]
#[allow(clippy::large_enum_variant, reason = "there is one of them")]
enum Cache {
    /// Changes are added by atomic operations.
    None,
    OneStep(SlotCacheBuffers),
    /// Sums are indexed by number, sum and space unit, in chunks of four if they are added by dot products.
    MultiStep {
        count: u32,
        sums: Buffer<i32>,
        changes: Buffer<u32>,
    },
}

/// Maximum number of buffers of a kernel.
const BUFFERS: u32 = 12;

impl DeviceStoredFields {
    /// Copies pedestrians in a world, before `tick`, to the device. Device memory: see [`bytes`], plus 40 bytes per
    /// space unit and 16 per pedestrian.
    ///
    /// # Errors
    /// As for [`StoredFields::new`](super::StoredFields::new), and if the cache does not fit on the device; the message
    /// gives the sizes. Also if the fields do not fit into local memory, or the device cannot run the kernels or fails.
    pub fn new(
        device: &Device,
        world: &World,
        tables: &FieldTables,
        pedestrians: &Pedestrians,
        seed: u64,
        tick: u32,
        variant: Variant,
    ) -> Result<Self, Failure> {
        let Variant { caching, techniques } = variant;
        check(world, tables, pedestrians, caching)?;
        let occupants = pedestrians.occupants(world)?;
        let numbers = Numbers::of(&pedestrians.heading);
        let slots = Slots::new(tables, caching.multiple());
        let units = occupants.len();
        check_cache(device, caching, slots.fan_out(), numbers, units as u64)?;
        device.check_buffers(BUFFERS)?;
        let radius = tables.size() / 2;
        check_local_memory(device, variant, radius)?;
        // Walk periods have 17 bits.
        let traits: Vec<u32> = pedestrians
            .period
            .iter()
            .zip(&pedestrians.heading)
            .map(|(&period, &heading)| period << HEADING_BITS | u32::from(heading))
            .collect();
        let count = pedestrians.len();
        let state = Self {
            parameters: Parameters {
                grid: *world.grid(),
                weights: tables.weights(),
                numbers,
                pedestrians: count as u32,
                of_sector: slots.of_sector(),
                seed_low: seed as u32,
                seed_high: (seed >> 32) as u32,
                tick,
                layout: if techniques.has(Technique::Locality) { Layout::ByNumber } else { Layout::ByUnit },
            },
            fan_out: slots.fan_out(),
            radius,
            variant,
            headings: pedestrians.heading.clone(),
            walk_periods: pedestrians.period.clone(),
            places: PlacesBuffers {
                at: device.upload("positions of pedestrians", &pedestrians.at)?,
                due: device.upload("due ticks", &pedestrians.due)?,
                occupants: device.upload("occupants", &occupants)?,
            },
            traits: device.upload("headings and walk periods", &traits)?,
            wanted: device.empty("wanted space units", count)?,
            stations: device.empty("enrolment stations", units * 8)?,
            winners: device.empty("winners", units)?,
            slots: device.upload("slots", &slots.table())?,
            fields: device.empty("stored fields", units * numbers.count() as usize)?,
            cache: Cache::new(device, caching, &slots, numbers, units)?,
        };
        device.launch("yu: no fields", state.fields.len(), |client, cubes, dim| {
            kernels::no_fields::launch(client, cubes, dim, state.fields.arg());
        })?;
        state.initialize(device)?;
        state.carry_out(device, true)?;
        state.write_back(device)?;
        Ok(state)
    }

    fn units(&self) -> usize {
        self.parameters.grid.units()
    }

    /// Whether the host submits a tick before the device has finished the last one.
    pub(super) fn overlaps(&self) -> bool {
        self.variant.techniques.has(Technique::Concurrency)
    }

    /// Makes one tick, without waiting for the device.
    ///
    /// Cost: four launches without a cache, six with a one-step cache, seven with partial sums; k-1 and k-4 take up to
    /// two each.
    ///
    /// # Errors
    /// When the device is lost.
    pub fn step(&mut self, device: &Device) -> Result<(), DeviceError> {
        self.initialize(device)?;
        self.decide(device)?;
        self.vote(device)?;
        self.carry_out(device, false)?;
        self.write_back(device)?;
        self.parameters.tick += 1;
        Ok(())
    }

    /// Clears stations and cache, kernel k-1.
    fn initialize(&self, device: &Device) -> Result<(), DeviceError> {
        let parameters = self.parameters;
        device.launch("yu: k-1 stations", self.units(), |client, cubes, dim| {
            let ballots = BallotsBuffers { stations: &self.stations, winners: &self.winners };
            kernels::initialize::launch(client, cubes, dim, parameters.arg(), ballots.arg());
        })?;
        if matches!(self.cache, Cache::None) {
            return Ok(());
        }
        device.launch("yu: k-1 cache", self.units(), |client, cubes, dim| match &self.cache {
            Cache::None => {}
            Cache::OneStep(slots) => {
                one_step::initialize_slots::launch(client, cubes, dim, parameters.arg(), slots.arg());
            }
            Cache::MultiStep { changes, .. } => {
                multi_step::initialize_changes::launch(client, cubes, dim, parameters.arg(), changes.arg());
            }
        })
    }

    /// Chooses the wanted space units, kernel k-2.
    fn decide(&self, device: &Device) -> Result<(), DeviceError> {
        device.launch("yu: k-2 decide", self.headings.len(), |client, cubes, dim| {
            let seen = SeenBuffers { places: &self.places, traits: &self.traits, fields: &self.fields };
            let decided = DecidedBuffers { wanted: &self.wanted, stations: &self.stations };
            let techniques = self.variant.techniques.of_decisions();
            kernels::decide::launch(client, cubes, dim, self.parameters.arg(), seen.arg(), decided.arg(), techniques);
        })
    }

    /// Chooses the winners, kernel k-3.
    fn vote(&self, device: &Device) -> Result<(), DeviceError> {
        device.launch("yu: k-3 vote", self.units(), |client, cubes, dim| {
            let enrolled = EnrolledBuffers { occupants: &self.places.occupants, stations: &self.stations };
            let (parameters, winners) = (self.parameters.arg(), self.winners.arg());
            kernels::vote::launch(client, cubes, dim, parameters, enrolled.arg(), winners);
        })
    }

    /// Moves the winners and caches the changes, kernel k-4. At the `start`, all pedestrians appear at their positions.
    fn carry_out(&self, device: &Device, start: bool) -> Result<(), DeviceError> {
        let parameters = self.parameters;
        device.launch("yu: k-4 move", self.headings.len(), |client, cubes, dim| {
            let voted = VotedBuffers { traits: &self.traits, wanted: &self.wanted, winners: &self.winners };
            let (parameters, voted, places) = (parameters.arg(), voted.arg(), self.places.arg());
            match &self.cache {
                Cache::None => {
                    let (slots, fields) = (self.slots.arg(), self.fields.arg());
                    atomic::move_and_add::launch(client, cubes, dim, parameters, voted, places, slots, fields, start);
                }
                Cache::OneStep(cache) => {
                    let (slots, cache) = (self.slots.arg(), cache.arg());
                    one_step::move_and_fill_slots::launch(
                        client, cubes, dim, parameters, voted, places, slots, cache, start,
                    );
                }
                Cache::MultiStep { changes, .. } => {
                    let changes = changes.arg();
                    multi_step::move_and_note::launch(client, cubes, dim, parameters, voted, places, changes, start);
                }
            }
        })?;
        self.sum_in_steps(device)
    }

    /// Computes the outer steps of partial sums, the second part of kernel k-4.
    fn sum_in_steps(&self, device: &Device) -> Result<(), DeviceError> {
        let Cache::MultiStep { count, sums, changes } = &self.cache else { return Ok(()) };
        let techniques = self.variant.techniques.of_sums();
        let in_tiles = techniques.has(Technique::DataBandwidth);
        let radius = if in_tiles { self.radius } else { 0 };
        let (count, wide) = (*count, self.chunk(*count));
        let summing = multi_step::Summing { count, wide, techniques, radius };
        let [columns, rows] = [self.parameters.grid.width, self.parameters.grid.height].map(|side| side.div_ceil(TILE));
        let cubes = if in_tiles { columns * rows } else { self.units().div_ceil(CUBE_UNITS as usize) as u32 };
        device.launch_cubes("yu: k-4 sums", cubes, CUBE_UNITS, |client, cubes, dim| {
            let (parameters, changes, slots, sums) =
                (self.parameters.arg(), changes.arg(), self.slots.arg(), sums.arg());
            let size = wide as usize;
            multi_step::sum_in_steps::launch(client, cubes, dim, size, parameters, changes, slots, sums, summing);
        })
    }

    /// The number of partial sums that are stored and added at a time. Two are too few for a chunk of four.
    fn chunk(&self, count: u32) -> u32 {
        if self.variant.techniques.has(Technique::DotProducts) && count.is_multiple_of(4) { 4 } else { 1 }
    }

    /// Adds the cached changes to the fields, kernel k-5.
    fn write_back(&self, device: &Device) -> Result<(), DeviceError> {
        if matches!(self.cache, Cache::None) {
            return Ok(());
        }
        device.launch("yu: k-5 write back", self.units(), |client, cubes, dim| {
            let (parameters, fields) = (self.parameters.arg(), self.fields.arg());
            match &self.cache {
                Cache::None => {}
                Cache::OneStep(cache) => {
                    one_step::write_back_slots::launch(client, cubes, dim, parameters, cache.arg(), fields);
                }
                Cache::MultiStep { count, sums, .. } => {
                    let (sums, wide) = (sums.arg(), self.chunk(*count));
                    let size = wide as usize;
                    multi_step::write_back_sums::launch(
                        client, cubes, dim, size, parameters, sums, fields, *count, wide,
                    );
                }
            }
        })
    }

    /// Starts to read the positions of pedestrians back.
    ///
    /// # Errors
    /// When the device failed earlier.
    pub(super) fn positions(&self, device: &Device) -> Result<Pending<u32>, DeviceError> {
        device.read_first(&self.places.at, self.headings.len())
    }

    /// Reads the pedestrians back.
    ///
    /// # Errors
    /// When the device fails.
    pub fn pedestrians(&self, device: &Device) -> Result<Pedestrians, DeviceError> {
        let (count, tick) = (self.headings.len(), self.parameters.tick);
        let (mut at, mut due) = (device.read(&self.places.at)?, device.read(&self.places.due)?);
        at.truncate(count);
        due.truncate(count);
        for due in &mut due {
            *due = (*due).max(tick);
        }
        Ok(Pedestrians {
            at,
            heading: self.headings.clone(),
            period: self.walk_periods.clone(),
            due,
            ..Pedestrians::default()
        })
    }

    /// Reads the stored numbers back, indexed by `[number][unit]`.
    ///
    /// # Errors
    /// When the device fails.
    pub fn fields(&self, device: &Device) -> Result<Vec<i32>, DeviceError> {
        let stored = device.read(&self.fields)?;
        if self.variant.techniques.has(Technique::Locality) {
            return Ok(stored);
        }
        let count = self.parameters.numbers.count() as usize;
        Ok((0..count).flat_map(|number| stored[number..].iter().step_by(count)).copied().collect())
    }

    /// The layout of the stored numbers.
    pub fn numbers(&self) -> &Numbers {
        &self.parameters.numbers
    }

    /// Device memory of fields and cache, bytes.
    pub fn bytes(&self) -> u64 {
        bytes(self.variant.caching, self.fan_out, self.parameters.numbers, self.units() as u64)
    }
}

impl Cache {
    fn new(
        device: &Device,
        caching: Caching,
        slots: &Slots,
        numbers: Numbers,
        units: usize,
    ) -> Result<Self, DeviceError> {
        let block = |what: &str| device.empty(what, units * slots.all().len());
        Ok(match caching {
            Caching::None => Self::None,
            Caching::OneStep => Self::OneStep(SlotCacheBuffers {
                appear: block("cache of RR, appearing")?,
                disappear: block("cache of RR, disappearing")?,
                same: block("cache of DA")?,
                oncoming: block("cache of DR")?,
            }),
            Caching::MultiStep(sums) => Self::MultiStep {
                count: sums,
                sums: device.empty("partial sums", units * (numbers.count() + CROWD) as usize * sums as usize)?,
                changes: device.empty("changes", units)?,
            },
        })
    }
}

#[cfg(test)]
mod tests;
