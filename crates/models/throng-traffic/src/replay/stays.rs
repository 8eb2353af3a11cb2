//! Finds the stays at a given time among all stays of a day.

use super::stay_reader::Stay;

/// Number of stays in a group, and of groups in a group of the next level.
const GROUP: usize = 16;

/// Stays in the order in which they begin, with the latest end of each group, and of groups of groups. A search skips
/// groups that are over, so its time depends on the number of stays found, not on that of the day. A stay of many hours
/// takes no more memory than a short one.
#[derive(Debug)]
pub struct Stays {
    all: Vec<Stay>,
    /// The latest ends: first those of groups of stays; the last level has at most [`GROUP`] of them.
    ends: Vec<Vec<f32>>,
}

impl Stays {
    /// Indexes the stays of a day, which must be sorted by their beginnings.
    pub fn new(all: Vec<Stay>) -> Self {
        let latest = |ends: &[f32]| ends.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let of_stays = |stays: &[Stay]| stays.iter().fold(f32::NEG_INFINITY, |end, stay| end.max(stay.leave_s));
        let mut ends = vec![all.chunks(GROUP).map(of_stays).collect::<Vec<f32>>()];
        while let Some(last) = ends.last().filter(|last| last.len() > GROUP) {
            let next = last.chunks(GROUP).map(latest).collect();
            ends.push(next);
        }
        Self { all, ends }
    }

    /// Returns the stays that have begun at a time and are not over, in the order in which they began.
    pub fn at(&self, time_s: f64) -> Vec<Stay> {
        let begun = self.all.partition_point(|stay| f64::from(stay.enter_s) <= time_s);
        let mut groups: Vec<usize> = (0..self.ends.last().map_or(0, Vec::len)).collect();
        for (level, ends) in self.ends.iter().enumerate().rev() {
            groups.retain(|&group| f64::from(ends[group]) > time_s);
            let parts = if level == 0 { begun } else { self.ends[level - 1].len() };
            let parts_of = |group: usize| group * GROUP..((group + 1) * GROUP).min(parts);
            groups = groups.into_iter().flat_map(parts_of).collect();
        }
        let stays = groups.into_iter().map(|number| self.all[number]);
        stays.filter(|stay| f64::from(stay.leave_s) > time_s).collect()
    }
}
