//! The times at which walls are present: `present` of `[[walls]]`.

use std::collections::{BTreeMap, BTreeSet};

use throng_core::{InputError, Problems, check_memory_within};
use throng_model::scenario_file::At;

use crate::walls::WallTable;

/// 1/1000 of a step, because multiples of the time step are not exact.
const ROUNDING: f64 = 1e-3;

/// The sets of walls that are present in the course of a run.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct WallTimes {
    /// The distinct sets: whether each wall of the file is present.
    pub sets: Vec<Vec<bool>>,
    /// The steps after which the walls change, ascending, and the index of the set that is then present. The first
    /// change is at step 0.
    pub changes: Vec<(u32, usize)>,
    /// Locations and values of intervals that contain no step of the run.
    pub idle: Vec<String>,
}

impl WallTimes {
    /// Reads the times of all walls of a run with this time step and number of steps, given the number of `available`
    /// bytes of memory, if known.
    pub(crate) fn read(
        walls: &[At<WallTable>],
        (time_step, steps): (f64, u32),
        available: Option<u64>,
        problems: &mut Problems,
    ) -> Self {
        let mut idle = Vec::new();
        let mut of_wall = |wall: &At<WallTable>| -> Vec<(u32, u32)> {
            let Some(present) = &wall.value.present else { return vec![(0, u32::MAX)] };
            check(wall, present, problems);
            // The number of the first step at or after a time. The cast turns infinity into the highest number.
            let step = |time: f64| (time / time_step - ROUNDING).ceil() as u32;
            let ranges = present.iter().map(|&[from, until]| (step(from), step(until)));
            let has_steps = |&(from, until): &(u32, u32)| from < until && from <= steps;
            for (interval, _) in present.iter().zip(ranges.clone()).filter(|(_, range)| !has_steps(range)) {
                idle.push(format!("{interval:?} of {}", wall.place));
            }
            ranges.filter(has_steps).collect()
        };
        let ranges: Vec<Vec<(u32, u32)>> = walls.iter().map(&mut of_wall).collect();
        let ends = ranges.iter().flatten().flat_map(|&(from, until)| [from, until]);
        let steps: BTreeSet<u32> = ends.filter(|end| *end <= steps).chain([0]).collect();
        let bytes = steps.len() as u64 * walls.len() as u64;
        let data = format_args!("{} changes of {} walls", steps.len(), walls.len());
        let fits = check_memory_within(available, bytes, "walls, present", data, "use fewer intervals");
        if let Err(InputError(shortage)) = fits {
            problems.append(shortage);
            return Self { sets: vec![vec![true; walls.len()]], changes: vec![(0, 0)], idle };
        }
        let is_present = |ranges: &Vec<(u32, u32)>, step: u32| {
            let next = ranges.partition_point(|(from, _)| *from <= step);
            next.checked_sub(1).is_some_and(|range| step < ranges[range].1)
        };
        let mut numbers: BTreeMap<Vec<bool>, usize> = BTreeMap::new();
        let mut changes: Vec<(u32, usize)> = Vec::new();
        for step in steps {
            let set = ranges.iter().map(|ranges| is_present(ranges, step)).collect();
            let next = numbers.len();
            let number = *numbers.entry(set).or_insert(next);
            if changes.last().is_none_or(|(_, last)| *last != number) {
                changes.push((step, number));
            }
        }
        let mut sets: Vec<(usize, Vec<bool>)> = numbers.into_iter().map(|(set, number)| (number, set)).collect();
        sets.sort_unstable();
        Self { sets: sets.into_iter().map(|(_, set)| set).collect(), changes, idle }
    }
}

/// Rejects intervals that are empty, not in order, or overlap.
fn check(wall: &At<WallTable>, present: &[[f64; 2]], problems: &mut Problems) {
    let place = wall.part("present");
    if present.is_empty() {
        let remedy = "give at least one, such as [[0, 20]], or leave the key out for a wall that is always there";
        problems.push(&place, "no intervals", remedy);
    }
    for &[from, until] in present {
        if !(from.is_finite() && from >= 0.0 && until > from) {
            let remedy = "expected [from, until], two times, the first one finite and 0 or more, the second one later \
                          and possibly inf";
            problems.push(&place, format!("[{from:?}, {until:?}]"), remedy);
        }
    }
    for pair in present.windows(2).filter(|pair| pair[1][0] < pair[0][1]) {
        let value = format!("{:?} after {:?}", pair[1], pair[0]);
        problems.push(&place, value, "expected intervals in ascending order that do not overlap");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(present: &[Option<&str>], run: (f64, u32)) -> (WallTimes, Problems) {
        read_within(None, present, run)
    }

    fn read_within(available: Option<u64>, present: &[Option<&str>], run: (f64, u32)) -> (WallTimes, Problems) {
        let wall = |(number, present): (usize, Option<&str>)| {
            let present = present.map_or_else(String::new, |present| format!("present = {present}"));
            let value = toml::from_str(&format!("shape = \"disc\"\n{present}")).unwrap();
            At { value, place: format!("walls {}", number + 1) }
        };
        let walls: Vec<_> = present.iter().copied().enumerate().map(wall).collect();
        let mut problems = Problems::new();
        (WallTimes::read(&walls, run, available, &mut problems), problems)
    }

    #[test]
    fn walls_are_present_in_the_steps_of_their_intervals() {
        let (times, problems) = read(&[None, Some("[[0, 2], [4, inf]]"), Some("[[1, 4]]")], (0.5, 12));
        let sets = [[true, true, false], [true, true, true], [true, false, true]];
        assert_eq!((times.sets, problems.is_empty()), (sets.map(|set| set.to_vec()).to_vec(), true));
        // At time 4 one wall vanishes and another one appears.
        assert_eq!(times.changes, [(0, 0), (2, 1), (4, 2), (8, 0)]);
        assert!(times.idle.is_empty());
        // Times between two steps take effect at the later one; 0.3 is less than three times 0.1.
        let (times, _) = read(&[Some("[[0.3, 0.61]]")], (0.1, 10));
        assert_eq!((times.changes, times.sets.len()), (vec![(0, 0), (3, 1), (7, 0)], 2));
        // Adjacent intervals change nothing.
        let (times, problems) = read(&[Some("[[0, 3], [3, inf]]")], (1.0, 10));
        assert_eq!((times.changes, problems.is_empty()), (vec![(0, 0)], true));
    }

    #[test]
    fn intervals_without_a_step_are_reported() {
        let (times, problems) = read(&[Some("[[0.2, 0.4], [10, 30], [11, 12]]")], (1.0, 10));
        assert_eq!(problems.total(), 1, "intervals 2 and 3 overlap");
        assert_eq!(times.idle, ["[0.2, 0.4] of walls 1", "[11.0, 12.0] of walls 1"]);
        assert_eq!(times.changes, [(0, 0), (10, 1)]);
    }

    #[test]
    fn changes_beyond_memory_are_refused() {
        // Three sets of two walls.
        let read = |available| read_within(Some(available), &[None, Some("[[1, 2]]")], (1.0, 10)).1;
        assert!(read(6).is_empty());
        let text = read(5).into_result().unwrap_err().to_string();
        assert!(text.contains("walls, present: 3 changes of 2 walls take 6 bytes"), "{text}");
        assert!(text.contains("5 bytes (0.0 MiB) are available: use fewer intervals"), "{text}");
    }

    #[test]
    fn intervals_out_of_order_are_refused_with_value_and_remedy() {
        for (present, expected) in [
            ("[]", "walls 1, present: no intervals\n    give at least one"),
            ("[[3, 3]]", "walls 1, present: [3.0, 3.0]\n    expected [from, until]"),
            ("[[-1, 3]]", "walls 1, present: [-1.0, 3.0]\n    expected [from, until]"),
            ("[[nan, 3]]", "walls 1, present: [NaN, 3.0]"),
            ("[[1, nan]]", "walls 1, present: [1.0, NaN]"),
            ("[[inf, inf]]", "walls 1, present: [inf, inf]"),
            ("[[5, 9], [0, 2]]", "walls 1, present: [0.0, 2.0] after [5.0, 9.0]\n    expected intervals in ascending"),
            ("[[0, 3], [2, 4]]", "walls 1, present: [2.0, 4.0] after [0.0, 3.0]"),
        ] {
            let (_, problems) = read(&[Some(present)], (1.0, 10));
            let text = problems.into_result().unwrap_err().to_string();
            assert!(text.contains(expected), "{text}");
        }
    }
}
