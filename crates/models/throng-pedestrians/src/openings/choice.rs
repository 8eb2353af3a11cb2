//! How pedestrians choose among exits.

use throng_core::{InputError, Philox, Problems};

use super::super::rules::exit_choice::{BINS, CHOICE, NEVER, allows, bin, chooses, chosen, expected_time, nearest};
use super::super::rules::fixed::ONE;
use super::super::scene::{LEFT, Pedestrians, WAITING};
use super::{Entry, Openings, UNREACHABLE, Ways};

/// The parameters of the choice.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ExitChoice {
    /// Ticks from one choice to the next; 0: pedestrians go to the nearest exit, and choose again only when doors open
    /// or close. In each choice a quarter of the pedestrians, drawn at random, thinks of it.
    pub every: u32,
    /// How much crowding counts, beside the distance; 0 for not at all.
    pub crowding: f64,
    /// How many persons each space unit of an exit is expected to let out in a tick.
    pub flow: f64,
}

impl Default for ExitChoice {
    fn default() -> Self {
        Self { every: 0, crowding: 1.0, flow: 0.5 }
    }
}

impl ExitChoice {
    pub(super) fn check(&self, problems: &mut Problems) {
        if !(0.0..=100.0).contains(&self.crowding) {
            problems.push("crowding_weight", self.crowding.to_string(), "give a number from 0 to 100");
        }
        if !(0.01..=1.0).contains(&self.flow) {
            let remedy = "give a number from 0.01 to 1; a space unit lets out at most 0.5 persons in a tick";
            problems.push("exit_flow", self.flow.to_string(), remedy);
        }
    }

    /// Ticks for each person ahead at an exit of so many space units, a fixed-point number.
    pub fn queue(&self, units: usize) -> i32 {
        let ticks = self.crowding / (self.flow * units.max(1) as f64);
        // The most pedestrians still give a time of 32 bits.
        libm::round(f64::from(ONE) * ticks.min(100.0)) as i32
    }
}

/// For each exit, how many pedestrians go there from a nearer bin: `[exit][bin]`.
fn ahead(ways: &[Ways], pedestrians: &Pedestrians) -> Vec<Vec<u32>> {
    let mut counts = vec![vec![0; BINS as usize]; ways.len()];
    for (&at, &exit) in pedestrians.at.iter().zip(&pedestrians.exit).filter(|&(&at, _)| at < LEFT) {
        let distance = ways[exit as usize].distance[at as usize];
        if distance != UNREACHABLE {
            counts[exit as usize][bin(distance) as usize] += 1;
        }
    }
    for of_exit in &mut counts {
        let mut before = 0;
        for count in of_exit {
            (*count, before) = (before, before + *count);
        }
    }
    counts
}

impl Openings {
    /// The nearest of some exits from a space unit; the first of them if none can be reached.
    pub fn nearest(&self, ways: &[Ways], exits: u32, unit: u32) -> u8 {
        let mut nearest = nearest();
        for (exit, ways) in (0..).zip(ways).filter(|&(exit, _)| allows(exits, exit)) {
            nearest.consider(exit, ways.distance[unit as usize]);
        }
        nearest.exit as u8
    }

    /// Lets pedestrians choose: all that are in the world, or a quarter of them drawn for this tick.
    pub(super) fn choose(&self, ways: &[Ways], pedestrians: &mut Pedestrians, draws: Philox, tick: u32, all: bool) {
        let ahead = ahead(ways, pedestrians);
        for pedestrian in 0..pedestrians.len() {
            let (at, period) = (pedestrians.at[pedestrian], pedestrians.period[pedestrian]);
            let drawn = draws.block([pedestrian as u32, tick, CHOICE, 0])[0];
            if at >= LEFT || !(all || chooses(drawn)) {
                continue;
            }
            let time = |exit: u32| {
                let of_exit = exit as usize;
                let length = ways[of_exit].distance[at as usize];
                if length == UNREACHABLE {
                    return NEVER;
                }
                let queue = self.choice.queue(self.exits[of_exit].len());
                expected_time(length, period, ahead[of_exit][bin(length) as usize], queue)
            };
            let (present, exits) = (u32::from(pedestrians.exit[pedestrian]), pedestrians.exits[pedestrian]);
            let mut best = chosen(present, time(present));
            for exit in (0..self.exits.len() as u32).filter(|&exit| exit != present && allows(exits, exit)) {
                best.consider(exit, time(exit));
            }
            pedestrians.exit[pedestrian] = best.exit as u8;
        }
    }

    /// Refuses walk periods with which the times of ways would not fit in 32 bits, and entries whose pedestrians do not
    /// exist, have not all entered before those that wait, or do not come in the order of their ticks.
    pub fn check_pedestrians(&self, units: usize, pedestrians: &Pedestrians) -> Result<(), InputError> {
        let mut problems = Problems::new();
        let longest = pedestrians.period.iter().copied().max().unwrap_or(1);
        // No way has more steps than there are space units, nor is a step longer than 14 tenths.
        let most = u64::from(u32::MAX / 4) / (units as u64 * 14 / 10).max(1);
        if u64::from(longest) > most {
            let remedy = format!("give at most {most} ticks in a world of {units} space units");
            problems.push("walk_periods", longest.to_string(), remedy);
        }
        let mut has_entry = vec![false; pedestrians.len()];
        for (number, Entry { pedestrians: numbers, .. }) in self.entries.iter().enumerate() {
            let place = format!("entry {number}");
            let range = numbers.start as usize..numbers.end as usize;
            let waits = |&pedestrian: &usize| pedestrians.at[pedestrian] == WAITING;
            let from_first_waiting = || range.clone().skip_while(|pedestrian| !waits(pedestrian));
            match pedestrians.due.get(range.clone()) {
                _ if range.start > range.end => {
                    let remedy = "give a first number and the one after the last";
                    problems.push(place, format!("pedestrians {numbers:?}"), remedy);
                }
                None => {
                    let remedy = format!("give numbers below {}", pedestrians.len());
                    problems.push(place, format!("pedestrians {numbers:?}"), remedy);
                }
                // They enter in the order of their numbers, so that a tick looks at the next one only.
                Some(_) if !from_first_waiting().all(|pedestrian| waits(&pedestrian)) => {
                    let found = format!("pedestrians {numbers:?}, of which some have entered before others");
                    problems.push(place, found, "let all wait that come after one who waits");
                }
                Some(_) if !range.clone().filter(waits).is_sorted_by_key(|pedestrian| pedestrians.due[pedestrian]) => {
                    problems.push(place, "pedestrians out of order", "sort them by the tick in which they come");
                }
                Some(_) if has_entry[range.clone()].contains(&true) => {
                    problems.push(place, format!("pedestrians {numbers:?} of two entries"), "give each one entry");
                }
                Some(_) => has_entry[range].fill(true),
            }
        }
        let waits = |&pedestrian: &usize| pedestrians.at[pedestrian] == WAITING && !has_entry[pedestrian];
        if let Some(pedestrian) = (0..pedestrians.len()).find(waits) {
            problems.push(format!("pedestrian {pedestrian}"), "waits without an entry", "add it to an entry");
        }
        problems.into_result()
    }
}
