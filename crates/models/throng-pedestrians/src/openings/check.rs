//! Checks the pedestrians of a world with openings.

use throng_core::{InputError, Problems};

use super::super::scene::{Entry, Openings, Pedestrians, WAITING};

impl Openings {
    /// Rejects walk periods with which the times of routes would not fit in 32 bits, and entries whose pedestrians do
    /// not exist, entered before one that waits, are unsorted or have two entries; and waiting pedestrians without one.
    pub fn check_pedestrians(&self, units: usize, pedestrians: &Pedestrians) -> Result<(), InputError> {
        let mut problems = Problems::new();
        let longest = pedestrians.period.iter().copied().max().unwrap_or(1);
        // No route has more steps than there are space units, and no step is longer than 14 tenths.
        let limit = u64::from(u32::MAX / 4) / (units as u64 * 14 / 10).max(1);
        if u64::from(longest) > limit {
            let remedy = format!("give at most {limit} ticks in a world of {units} space units");
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
                    let remedy = "give the first number, and the last number plus 1";
                    problems.push(place, format!("pedestrians {numbers:?}"), remedy);
                }
                None => {
                    let remedy = format!("give numbers below {}", pedestrians.len());
                    problems.push(place, format!("pedestrians {numbers:?}"), remedy);
                }
                // Pedestrians enter in ascending index, so that a tick checks only the next one.
                Some(_) if !from_first_waiting().all(|pedestrian| waits(&pedestrian)) => {
                    let found = format!("pedestrians {numbers:?}: some have entered before an earlier one");
                    problems.push(place, found, "make all pedestrians after the first waiting one wait");
                }
                Some(_) if !range.clone().filter(waits).is_sorted_by_key(|pedestrian| pedestrians.due[pedestrian]) => {
                    problems.push(place, "pedestrians out of order", "sort them by the tick of their arrival");
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
