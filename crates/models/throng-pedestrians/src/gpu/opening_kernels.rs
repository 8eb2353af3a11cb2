//! The kernels of openings: pedestrians leave, doors open and close, and pedestrians enter and choose their exits.

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]
#![allow(clippy::collapsible_if, reason = "in a kernel the right side of `&&` always runs")]

use throng_device::cubecl::prelude::*;
use throng_device::exact::copied;
use throng_device::{KernelArrays, cubecl};

use super::super::rules::exit_choice::BINS;
use super::super::rules::floor::{EMPTY, FreeFromView, FreeFromViewExpand, WALL};
use super::super::rules::openings::{
    self as rules, CrowdView, CrowdViewExpand, QueuesView, QueuesViewExpand, RoutesView, RoutesViewExpand, UNREACHABLE,
    counter, occupant_of_door,
};
use super::state::{Config, Crowd, CrowdExpand, NO_ROUTE, NUMBER, NUMBER_BITS, Parameters, ROUTE_BITS, Travellers};

/// The space units of exits, and the exit of each.
#[derive(CubeType, CubeLaunch, KernelArrays)]
#[buffers(owned)]
pub struct ExitUnits {
    pub units: Array<u32>,
    pub exits: Array<u32>,
}

/// The space units of doors, and whether their doors are open.
#[derive(CubeType, CubeLaunch, KernelArrays)]
#[buffers(owned)]
pub struct Doors {
    pub units: Array<u32>,
    pub is_open: Array<u32>,
}

/// The space units of entry `i` begin at `firsts[i]`, and `ends[i]` is the pedestrian after its last.
#[derive(CubeType, CubeLaunch, KernelArrays)]
#[buffers(owned)]
pub struct Entries {
    pub units: Array<u32>,
    pub firsts: Array<u32>,
    pub ends: Array<u32>,
}

/// The pedestrians and their routes.
#[derive(CubeType, CubeLaunch, KernelArrays)]
pub struct Routed {
    pub occupants: Array<u32>,
    pub routes: Array<u32>,
    pub travellers: Travellers,
}

/// Inputs of the choice of an exit.
#[derive(CubeType, CubeLaunch, KernelArrays)]
pub struct Choice {
    pub occupants: Array<u32>,
    pub periods: Array<u32>,
    pub routes: Array<u32>,
    pub ahead: Array<u32>,
    /// Ticks per pedestrian ahead.
    pub queues: Array<i32>,
}

/// Lets pedestrians leave: one unit per space unit of an exit.
#[cube(launch)]
pub(super) fn leave(params: &Parameters, exit_units: &ExitUnits, crowd: &mut Crowd, #[comptime] config: Config) {
    if ABSOLUTE_POS < exit_units.units.len() {
        let (unit, exit) = (exit_units.units[ABSOLUTE_POS], exit_units.exits[ABSOLUTE_POS]);
        rules::leave::<Crowd>(crowd, unit, exit, params.tick, config.has_free_from);
    }
}

/// Opens and closes doors: one unit per space unit of a door.
#[cube(launch)]
pub(super) fn set_doors(doors: &Doors, occupants: &mut Array<u32>) {
    if ABSOLUTE_POS < doors.units.len() {
        let unit = doors.units[ABSOLUTE_POS] as usize;
        let before = copied(occupants[unit]);
        let after = occupant_of_door(before, doors.is_open[ABSOLUTE_POS] == 1u32);
        if after != before {
            occupants[unit] = after;
        }
    }
}

/// Lets pedestrians enter, one per empty space unit of their entry, starting at a random space unit: one unit per
/// entry. `next`: the next pedestrian of each entry.
#[cube(launch)]
pub(super) fn enter(
    params: &Parameters,
    entries: &Entries,
    next: &mut Array<u32>,
    crowd: &mut Crowd,
    #[comptime] exits: u32,
    #[comptime] config: Config,
) {
    if ABSOLUTE_POS < next.len() {
        let first = entries.firsts[ABSOLUTE_POS];
        let units = entries.firsts[ABSOLUTE_POS + 1] - first;
        let begin = params.seed.first_place(ABSOLUTE_POS as u32, params.tick, units);
        let end = entries.ends[ABSOLUTE_POS];
        let mut pedestrian = copied(next[ABSOLUTE_POS]);
        for place in 0..units {
            let unit = entries.units[(first + (begin + place) % units) as usize];
            if pedestrian < end {
                let has_long_steps = comptime!(config.has_free_from);
                pedestrian = rules::enter::<Crowd>(crowd, pedestrian, unit, params.tick, exits, has_long_steps);
            }
        }
        next[ABSOLUTE_POS] = pedestrian;
    }
}

/// Returns the length of a route from its word.
#[cube]
fn length_of(route: u32) -> u32 {
    let length = route >> ROUTE_BITS;
    select(length == NO_ROUTE, UNREACHABLE, length)
}

#[cube]
impl FreeFromView for Crowd {
    fn free_from(&self, unit: u32) -> u32 {
        self.periods.free_from[unit as usize]
    }
}

#[cube]
impl RoutesView for Crowd {
    fn length(&self, exit: u32, unit: u32) -> u32 {
        length_of(self.routes[exit as usize * self.occupants.len() + unit as usize])
    }
}

#[cube]
impl CrowdView for Crowd {
    fn pedestrian(&self, unit: u32) -> u32 {
        let occupant = copied(self.occupants[unit as usize]);
        select(occupant < WALL, occupant & NUMBER, occupant)
    }

    fn exits(&self, pedestrian: u32) -> u32 {
        self.travellers.exits[pedestrian as usize]
    }

    fn set_exit(&mut self, pedestrian: u32, exit: u32) {
        self.travellers.exit[pedestrian as usize] = exit;
    }

    fn due(&self, pedestrian: u32) -> u32 {
        self.periods.due[pedestrian as usize]
    }

    fn period(&self, pedestrian: u32) -> u32 {
        self.periods.walk[pedestrian as usize]
    }

    fn let_in(&mut self, pedestrian: u32, unit: u32, tick: u32) {
        // `turn` sets its heading later.
        self.occupants[unit as usize] = pedestrian;
        self.periods.due[pedestrian as usize] = tick;
    }

    fn let_out(&mut self, pedestrian: u32, unit: u32, tick: u32) {
        self.occupants[unit as usize] = EMPTY;
        self.periods.due[pedestrian as usize] = tick;
    }

    fn set_free_from(&mut self, unit: u32, tick: u32) {
        self.periods.free_from[unit as usize] = tick;
    }
}

/// Resets the counts of pedestrians that walk to each exit.
#[cube(launch)]
pub(super) fn clear_counts(counts: &mut Array<u32>) {
    if ABSOLUTE_POS < counts.len() {
        counts[ABSOLUTE_POS] = 0u32;
    }
}

/// Counts the pedestrians that walk to an exit by the bin of their distance, `[exit][bin]`: one unit per space unit.
#[cube(launch)]
pub(super) fn count_ahead(params: &Parameters, routed: &Routed, counts: &mut Array<Atomic<u32>>) {
    if ABSOLUTE_POS < params.units() as usize {
        let occupant = routed.occupants[ABSOLUTE_POS];
        if occupant < WALL {
            let exit = routed.travellers.exit[(occupant & NUMBER) as usize];
            let length = length_of(routed.routes[exit as usize * params.units() as usize + ABSOLUTE_POS]);
            if length != UNREACHABLE {
                // The order of additions does not matter.
                counts[counter(exit, length) as usize].fetch_add(1u32);
            }
        }
    }
}

/// Turns the counts into counts of all nearer bins: one unit per exit.
#[cube(launch)]
pub(super) fn cumulate(counts: &mut Array<u32>) {
    let exit = ABSOLUTE_POS * BINS as usize;
    if exit < counts.len() {
        let mut before = 0u32;
        for place in 0..BINS {
            let count = copied(counts[exit + place as usize]);
            counts[exit + place as usize] = before;
            before += count;
        }
    }
}

/// Lets pedestrians choose their exits: one unit per space unit.
#[cube(launch)]
pub(super) fn choose(
    params: &Parameters,
    choice: &Choice,
    all: u32,
    travellers: &mut Travellers,
    #[comptime] exits: u32,
) {
    if ABSOLUTE_POS < params.units() as usize {
        let occupant = choice.occupants[ABSOLUTE_POS];
        if occupant < WALL {
            let number = occupant & NUMBER;
            if all == 1u32 || params.seed.chooses(number, params.tick) {
                let (unit, period) = (ABSOLUTE_POS as u32, choice.periods[number as usize]);
                let present = copied(travellers.exit[number as usize]);
                let allowed = travellers.exits[number as usize];
                let chosen = choose_at(params, choice, unit, period, present, allowed, exits);
                travellers.exit[number as usize] = chosen;
            }
        }
    }
}

#[cube]
fn choose_at<'w>(
    params: &'w Parameters,
    choice: &'w Choice,
    unit: u32,
    period: u32,
    present: u32,
    allowed: u32,
    #[comptime] exits: u32,
) -> u32 {
    let view = QueuesOnDevice::<'w> { params, choice };
    rules::choose::<QueuesOnDevice<'w>>(&view, unit, period, present, allowed, exits)
}

/// View of the crowds in front of all exits.
#[derive(CubeType)]
pub struct QueuesOnDevice<'w> {
    params: &'w Parameters,
    choice: &'w Choice,
}

#[cube]
impl RoutesView for QueuesOnDevice<'_> {
    fn length(&self, exit: u32, unit: u32) -> u32 {
        length_of(self.choice.routes[(exit * self.params.units() + unit) as usize])
    }
}

#[cube]
impl QueuesView for QueuesOnDevice<'_> {
    fn ahead(&self, counter: u32) -> u32 {
        self.choice.ahead[counter as usize]
    }

    fn ticks_for_each(&self, exit: u32) -> i32 {
        self.choice.queues[exit as usize]
    }
}

/// Turns all pedestrians towards their exits: one unit per space unit.
#[cube(launch)]
pub(super) fn turn(params: &Parameters, routes: &Array<u32>, travellers: &Travellers, occupants: &mut Array<u32>) {
    if ABSOLUTE_POS < params.units() as usize {
        let occupant = copied(occupants[ABSOLUTE_POS]);
        if occupant < WALL {
            let number = occupant & NUMBER;
            let exit = travellers.exit[number as usize];
            let route = routes[exit as usize * params.units() as usize + ABSOLUTE_POS];
            occupants[ABSOLUTE_POS] = ((route & comptime!((1u32 << ROUTE_BITS) - 1)) << NUMBER_BITS) | number;
        }
    }
}
