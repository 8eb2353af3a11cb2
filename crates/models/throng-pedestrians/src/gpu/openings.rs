//! The openings of a world on a device.

use throng_core::InputError;
use throng_device::Error;
use throng_device::{Buffer, Device, DeviceError, Gpu, KernelParameter};

use super::super::openings::phases::{self, Phases};
use super::super::openings::{next, routes};
use super::super::rules::exit_choice::BINS;
use super::super::rules::openings::UNREACHABLE;
use super::super::scene::{LEFT, Openings, Pedestrians, WAITING, World};
use super::opening_kernels::{
    self as kernels, ChoiceBuffers, DoorsBuffers, EntriesBuffers, ExitUnitsBuffers, RoutedBuffers,
};
use super::state::{
    Config, CrowdBuffers, CrowdLaunch, NO_ROUTE, Parameters, PeriodsBuffers, ROUTE_BITS, TravellersBuffers,
};

/// The openings of a world between two ticks.
#[derive(Debug)]
pub struct DeviceOpenings {
    /// For the routes, which the host computes when doors open or close.
    world: World,
    exit_units: ExitUnitsBuffers,
    doors: Option<DoorsBuffers>,
    entries: Option<Entries>,
    /// Length and first step of the route from each space unit: `[exit][unit]`.
    routes: Buffer<u32>,
    travellers: TravellersBuffers,
    /// Pedestrians in nearer bins, `[exit][bin]`, and ticks per pedestrian ahead, `[exit]`.
    ahead: Buffer<u32>,
    queues: Buffer<i32>,
}

#[derive(Debug)]
struct Entries {
    entries: EntriesBuffers,
    next: Buffer<u32>,
}

/// State outside the openings that they change.
#[derive(Debug, Clone, Copy)]
pub struct Crowd<'c> {
    pub parameters: Parameters,
    pub config: Config,
    pub occupants: &'c Buffer<u32>,
    pub periods: &'c PeriodsBuffers,
}

/// Returns the routes to all exits as words: the length, with the first step in the lower bits.
fn words_of_routes(world: &World, tick: u32) -> Vec<u32> {
    let word = |(&length, &heading): (&u32, &u8)| {
        (if length == UNREACHABLE { NO_ROUTE } else { length }) << ROUTE_BITS | u32::from(heading)
    };
    routes(world, tick).iter().flat_map(|route| route.distance.iter().zip(&route.heading).map(word)).collect()
}

/// Returns whether the door of each space unit of a door is open.
fn open_units(openings: &Openings, tick: u32) -> Vec<u32> {
    let of_door = |is_open: bool, units: usize| std::iter::repeat_n(u32::from(is_open), units);
    openings.doors.iter().flat_map(|door| of_door(door.is_open(tick), door.units.len())).collect()
}

impl DeviceOpenings {
    /// Creates the openings of a world with these pedestrians before `tick`; `None` for a world without openings. No
    /// pedestrian enters or turns yet.
    pub fn new(device: &Device, world: &World, pedestrians: &Pedestrians, tick: u32) -> Result<Option<Self>, Error> {
        let openings = &world.openings;
        if openings.is_empty() {
            return Ok(None);
        }
        let units = world.grid.units();
        openings.check_pedestrians(units, pedestrians)?;
        // Route lengths share words with headings.
        let limit = (1usize << (32 - ROUTE_BITS)) / 14 - 1;
        if units > limit {
            let remedy = format!("give at most {limit}, or simulate on the CPU");
            return Err(InputError::one("world", format!("{units} space units with openings"), remedy).into());
        }
        let number = |(exit, units): (usize, &Vec<u32>)| vec![exit as u32; units.len()];
        let exits: Vec<u32> = openings.exits.iter().enumerate().flat_map(number).collect();
        let door_units: Vec<u32> = openings.doors.iter().flat_map(|door| door.units.iter().copied()).collect();
        let doors = if door_units.is_empty() {
            None
        } else {
            let is_open = device.upload("open doors", &open_units(openings, tick))?;
            Some(DoorsBuffers { units: device.upload("space units of doors", &door_units)?, is_open })
        };
        let entries = if openings.entries.is_empty() {
            None
        } else {
            let units: Vec<u32> = openings.entries.iter().flat_map(|entry| entry.units.iter().copied()).collect();
            let mut firsts = vec![0];
            firsts.extend(openings.entries.iter().scan(0, |end, entry| {
                *end += entry.units.len() as u32;
                Some(*end)
            }));
            let ends: Vec<u32> = openings.entries.iter().map(|entry| entry.pedestrians.end).collect();
            Some(Entries {
                entries: EntriesBuffers {
                    units: device.upload("space units of entries", &units)?,
                    firsts: device.upload("first space units of entries", &firsts)?,
                    ends: device.upload("last pedestrians of entries", &ends)?,
                },
                next: device.upload("next pedestrians of entries", &next(world, pedestrians))?,
            })
        };
        let queues: Vec<i32> = openings.exits.iter().map(|units| openings.choice.queue(units.len())).collect();
        let chosen: Vec<u32> = pedestrians.exit.iter().map(|&exit| exit.into()).collect();
        Ok(Some(Self {
            exit_units: ExitUnitsBuffers {
                units: device.upload("space units of exits", &openings.exits.concat())?,
                exits: device.upload("exits", &exits)?,
            },
            doors,
            entries,
            routes: device.upload("routes", &words_of_routes(world, tick))?,
            travellers: TravellersBuffers {
                exits: device.upload("exits of pedestrians", &pedestrians.exits)?,
                exit: device.upload("chosen exits", &chosen)?,
            },
            ahead: device.empty("pedestrians ahead", openings.exits.len() * BINS as usize)?,
            queues: device.upload("queues", &queues)?,
            world: world.clone(),
        }))
    }

    /// Prepares the first tick: sets doors, lets pedestrians enter, and sets headings.
    pub fn begin(&mut self, device: &Device, crowd: Crowd<'_>) -> Result<(), Error> {
        phases::begin(&mut Between { openings: self, device, crowd })
    }

    /// Applies the openings at the end of the tick before the tick of the parameters.
    ///
    /// Cost: two launches, one more with doors and one more with entries, and four more in ticks with a choice. When
    /// doors open or close, the host recomputes all routes.
    pub fn end_tick(&mut self, device: &Device, crowd: Crowd<'_>) -> Result<(), Error> {
        let (openings, tick) = (&self.world.openings, crowd.parameters.tick);
        let (changes, has_choice) = (openings.changes(tick), openings.has_choice(tick));
        phases::end_tick(&mut Between { openings: self, device, crowd }, changes, has_choice)
    }

    fn crowd(&self, crowd: Crowd<'_>) -> CrowdLaunch<Gpu> {
        let Crowd { occupants, periods, .. } = crowd;
        CrowdBuffers { occupants, periods, travellers: &self.travellers, routes: &self.routes }.arg()
    }

    fn exits(&self) -> u32 {
        self.world.openings.exits.len() as u32
    }

    /// Completes the pedestrians, given the positions of those in the world: marks those waiting and those that have
    /// left, and sets the exits that all walk to.
    pub fn complete(&self, device: &Device, pedestrians: &mut Pedestrians) -> Result<(), DeviceError> {
        let next = self.entries.as_ref().map(|entries| device.read(&entries.next)).transpose()?;
        let waiting = |entry: usize| next.as_ref().and_then(|next| next.get(entry)).copied().unwrap_or(0);
        let is_outside = |at: u32| at >= LEFT;
        pedestrians.at.iter_mut().filter(|at| is_outside(**at)).for_each(|at| *at = LEFT);
        for (number, entry) in self.world.openings.entries.iter().enumerate() {
            for pedestrian in waiting(number).max(entry.pedestrians.start)..entry.pedestrians.end {
                if let Some(at) = pedestrians.at.get_mut(pedestrian as usize).filter(|at| is_outside(**at)) {
                    *at = WAITING;
                }
            }
        }
        let exits = device.read(&self.travellers.exit)?;
        pedestrians.exit = exits.into_iter().take(pedestrians.at.len()).map(|exit| exit as u8).collect();
        Ok(())
    }

    /// Returns the size of the buffers in device memory, without those of doors, entries and queues, bytes.
    pub fn bytes(&self) -> usize {
        let Self { exit_units, routes, travellers, ahead, .. } = self;
        [&exit_units.units, &exit_units.exits, routes, &travellers.exits, &travellers.exit, ahead]
            .iter()
            .map(|buffer| 4 * buffer.len())
            .sum()
    }
}

/// The openings between two ticks, and the state that they change.
struct Between<'b> {
    openings: &'b mut DeviceOpenings,
    device: &'b Device,
    /// The crowd, with the parameters of the next tick.
    crowd: Crowd<'b>,
}

impl Phases for Between<'_> {
    type Error = throng_device::Error;

    fn leave(&mut self) -> Result<(), Error> {
        let Self { openings, device, crowd } = self;
        Ok(device.launch("social field: leave", openings.exit_units.units.len(), |client, cubes, dim| {
            let (params, units) = (crowd.parameters.arg(), openings.exit_units.arg());
            kernels::leave::launch(client, cubes, dim, params, units, openings.crowd(*crowd), crowd.config);
        })?)
    }

    fn find_routes(&mut self) -> Result<(), Error> {
        let (openings, tick) = (&mut *self.openings, self.crowd.parameters.tick);
        openings.routes = self.device.upload("routes", &words_of_routes(&openings.world, tick))?;
        if let Some(doors) = &mut openings.doors {
            doors.is_open = self.device.upload("open doors", &open_units(&openings.world.openings, tick))?;
        }
        Ok(())
    }

    fn set_doors(&mut self) -> Result<(), Error> {
        let Self { openings, device, crowd } = self;
        let Some(doors) = &openings.doors else { return Ok(()) };
        Ok(device.launch("social field: set doors", doors.units.len(), |client, cubes, dim| {
            kernels::set_doors::launch(client, cubes, dim, doors.arg(), crowd.occupants.arg());
        })?)
    }

    fn enter(&mut self) -> Result<(), Error> {
        let Self { openings, device, crowd } = self;
        let Some(Entries { entries, next }) = &openings.entries else { return Ok(()) };
        Ok(device.launch("social field: enter", next.len(), |client, cubes, dim| {
            let (params, config, exits) = (crowd.parameters.arg(), crowd.config, openings.exits());
            let (entries, next, crowd) = (entries.arg(), next.arg(), openings.crowd(*crowd));
            kernels::enter::launch(client, cubes, dim, params, entries, next, crowd, exits, config);
        })?)
    }

    fn choose(&mut self, all: bool) -> Result<(), Error> {
        let Self { openings, device, crowd } = self;
        device.launch("social field: clear counts", openings.ahead.len(), |client, cubes, dim| {
            kernels::clear_counts::launch(client, cubes, dim, openings.ahead.arg());
        })?;
        let units = openings.world.grid.units();
        let DeviceOpenings { routes, travellers, ahead, queues, .. } = &**openings;
        let routed = RoutedBuffers { occupants: crowd.occupants, routes, travellers };
        device.launch("social field: count ahead", units, |client, cubes, dim| {
            let (params, ahead) = (crowd.parameters.arg(), openings.ahead.arg());
            kernels::count_ahead::launch(client, cubes, dim, params, routed.arg(), ahead);
        })?;
        device.launch("social field: cumulate", openings.exits() as usize, |client, cubes, dim| {
            kernels::cumulate::launch(client, cubes, dim, openings.ahead.arg());
        })?;
        let choice = ChoiceBuffers { occupants: crowd.occupants, periods: &crowd.periods.walk, routes, ahead, queues };
        Ok(device.launch("social field: choose", units, |client, cubes, dim| {
            let (params, travellers, exits) = (crowd.parameters.arg(), travellers.arg(), openings.exits());
            kernels::choose::launch(client, cubes, dim, params, choice.arg(), u32::from(all), travellers, exits);
        })?)
    }

    fn turn(&mut self) -> Result<(), Error> {
        let Self { openings, device, crowd } = self;
        Ok(device.launch("social field: turn", openings.world.grid.units(), |client, cubes, dim| {
            let (params, routes) = (crowd.parameters.arg(), openings.routes.arg());
            let travellers = openings.travellers.arg();
            kernels::turn::launch(client, cubes, dim, params, routes, travellers, crowd.occupants.arg());
        })?)
    }
}
