//! Counts of the vehicles that left links in the last quarter of an hour.

use super::stay_reader::Stay;

/// The time window in which vehicles are counted, s.
pub const WINDOW_S: f64 = 900.0;

/// The times at which vehicles left each link for another one. Vehicles that arrive on a link use no flow capacity.
#[derive(Debug)]
pub struct Volumes {
    /// Index of the first time of each link; one more entry than links.
    first: Vec<usize>,
    /// Times at which vehicles left, seconds of the day; sorted by link and time.
    left_s: Vec<f32>,
}

impl Volumes {
    /// Computes the volumes of a day.
    pub fn new(stays: &[Stay], links: usize) -> Self {
        let leaving = || stays.iter().filter(|stay| stay.goes_on);
        let mut first = vec![0; links + 1];
        for stay in leaving() {
            first[stay.link as usize + 1] += 1;
        }
        for link in 0..links {
            first[link + 1] += first[link];
        }
        let (mut next, mut left_s) = (first.clone(), vec![0.0; first[links]]);
        for stay in leaving() {
            let at = &mut next[stay.link as usize];
            left_s[*at] = stay.leave_s;
            *at += 1;
        }
        first.windows(2).for_each(|link| left_s[link[0]..link[1]].sort_unstable_by(f32::total_cmp));
        Self { first, left_s }
    }

    /// Returns the vehicles per hour that left a link in the [`WINDOW_S`] up to a time.
    pub fn per_hour(&self, link: usize, time_s: f64) -> f64 {
        let left_s = &self.left_s[self.first[link]..self.first[link + 1]];
        let until = |end_s: f64| left_s.partition_point(|&left_s| f64::from(left_s) <= end_s);
        (until(time_s) - until(time_s - WINDOW_S)) as f64 * 3600.0 / WINDOW_S
    }
}
