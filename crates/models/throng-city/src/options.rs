//! Options of the city generator and their valid ranges.

use std::fmt;
use std::ops::RangeInclusive;

use throng_core::InputError;

/// Size and demand of a synthetic city. The defaults yield a city of about the size of Zurich: 37,000 links, 850,000
/// persons.
///
/// The defaults require days of simulation: with routes that follow from volumes only, the evening peak ends in
/// gridlock.
#[derive(Debug, Clone, PartialEq)]
pub struct CityOptions {
    /// Approximate number of links, 300 to 20,000,000. The actual number is within 3 % of it.
    pub links: u32,
    /// Number of persons in the whole city, before sampling, 1 to 100,000,000.
    pub persons: u32,
    /// Seed of all random draws, at most [`MAX_SEED`].
    pub seed: u64,
    /// Fraction of the persons to write, above 0 and up to 1. The capacity factors in the configuration are adjusted to
    /// it.
    pub sample: f64,
    /// Stress test: all trips to work and school at 06:00:00 and from there at 16:00:00 sharp.
    pub spike: bool,
    /// Number of centres, 1 to 30: the main one and smaller ones around it.
    pub centres: u32,
    /// Fraction of persons who go by car. The others walk or take public transport; they are teleported, unless there
    /// are [`CityOptions::lines`].
    pub car_share: f64,
    /// Number of bus lines with a timetable, at most 10,000. There is a railway line for every ten of them. In a very
    /// small city some are left out, because no two of its zones are far enough apart.
    pub lines: u32,
    /// Number of stations on main roads for which [`write_city`](crate::write_city) writes hourly counts, at most
    /// 100,000: volumes of a simulated day with random errors. A city with fewer main roads has fewer stations.
    pub counts: u32,
    /// Fraction of persons who go out again for shopping or leisure, most of them in the evening. With the default 0.55
    /// there are about 3.3 trips per person.
    pub second_tour_share: f64,
    /// Target of the mean distance by road from home to work, metres. `None`: 12 km, less in cities that are too small
    /// for that.
    pub work_trip_m: Option<f64>,
    /// Number of rounds of trial assignment before the final routes are computed. 0 together with
    /// [`CityOptions::batches`] = 1, [`CityOptions::days`] = 0 and [`CityOptions::jitter`] = 0 yields free-flow routes.
    pub rounds: u32,
    /// Fraction of the trips that each trial round routes.
    pub round_share: f64,
    /// Number of batches in which the final routes are computed. Travel times are updated after each batch.
    pub batches: u32,
    /// Number of simulated days from which travellers learn where queues are, 0 to 100. At the end of all but the last
    /// day some travellers get new routes. With 0, routes follow from volumes only. If [`CityOptions::sample`] is below
    /// 1, travellers learn from the queues of the sample.
    pub days: u32,
    /// Maximum fraction by which travellers perceive the cost of a link as higher, which makes their preferences
    /// differ.
    pub jitter: f64,
}

impl Default for CityOptions {
    fn default() -> Self {
        Self {
            links: 37_000,
            persons: 850_000,
            seed: 1,
            sample: 1.0,
            spike: false,
            centres: 6,
            car_share: 1.0,
            lines: 0,
            counts: 0,
            second_tour_share: 0.55,
            work_trip_m: None,
            rounds: 8,
            round_share: 0.1,
            batches: 12,
            days: 6,
            jitter: 0.06,
        }
    }
}

/// Number of links of a city.
pub(crate) const LINKS: RangeInclusive<u32> = 300..=20_000_000;
/// Number of persons of a city, before sampling.
pub(crate) const PERSONS: RangeInclusive<u32> = 1..=100_000_000;
/// Number of centres of a city.
pub(crate) const CENTRES: RangeInclusive<u32> = 1..=30;

/// Number of bus lines of a city.
pub(crate) const LINES: RangeInclusive<u32> = 0..=10_000;

/// Number of stations with counts.
pub(crate) const COUNTS: RangeInclusive<u32> = 0..=100_000;

/// Maximum seed that a config can contain: `global.randomSeed` is a Java `long`.
pub const MAX_SEED: u64 = i64::MAX as u64;

impl CityOptions {
    /// Checks the ranges of all options.
    ///
    /// # Errors
    /// The first option that is out of its range.
    pub fn check(&self) -> Result<(), InputError> {
        let share = |x: f64| (0.0..=1.0).contains(&x);
        let wrong = |option: &str, value: &dyn fmt::Display, range: &str| Err(InputError::one(option, value, range));
        if !LINKS.contains(&self.links) {
            return wrong("links", &self.links, "give 300 to 20,000,000 links");
        }
        if !PERSONS.contains(&self.persons) {
            return wrong("persons", &self.persons, "give 1 to 100,000,000 persons");
        }
        if self.seed > MAX_SEED {
            return wrong("seed", &self.seed, "give 0 to 9,223,372,036,854,775,807");
        }
        if !(share(self.sample) && self.sample > 0.0) {
            return wrong("sample", &self.sample, "give a fraction above 0 and up to 1");
        }
        if self.sample * f64::from(self.persons) < 1.0 {
            let least = format!("fewer than one person on average; give at least {}", 1.0 / f64::from(self.persons));
            return wrong("sample", &self.sample, &least);
        }
        if !CENTRES.contains(&self.centres) {
            return wrong("centres", &self.centres, "give 1 to 30 centres");
        }
        if !LINES.contains(&self.lines) {
            return wrong("lines", &self.lines, "give at most 10,000 bus lines");
        }
        if !COUNTS.contains(&self.counts) {
            return wrong("counts", &self.counts, "give at most 100,000 stations");
        }
        for (option, value) in [("car_share", self.car_share), ("second_tour_share", self.second_tour_share)] {
            if !share(value) {
                return wrong(option, &value, "give a fraction from 0 to 1");
            }
        }
        if self.work_trip_m.is_some_and(|m| !(100.0..=1e6).contains(&m)) {
            return wrong("work_trip_m", &self.work_trip_m.unwrap_or_default(), "give 100 to 1,000,000 metres");
        }
        if self.rounds > 100 {
            return wrong("rounds", &self.rounds, "give 0 to 100 rounds");
        }
        if self.batches == 0 || self.batches > 1000 {
            return wrong("batches", &self.batches, "give 1 to 1000 batches");
        }
        if self.days > 100 {
            return wrong("days", &self.days, "give 0 to 100 days");
        }
        if !(share(self.round_share) && self.round_share > 0.0) {
            return wrong("round_share", &self.round_share, "give a fraction above 0 and up to 1");
        }
        if !share(self.jitter) {
            return wrong("jitter", &self.jitter, "give a fraction from 0 to 1");
        }
        Ok(())
    }

    /// Returns the target of the mean distance to work, metres.
    pub(crate) fn work_trip(&self) -> f64 {
        // The diameter of a city grows with the square root of its links; 37,000 links have room for trips of 12 km.
        self.work_trip_m.unwrap_or_else(|| 12_000.0 * (f64::from(self.links) / 37_000.0).sqrt().min(1.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_checked() {
        assert_eq!(CityOptions::default().check(), Ok(()));
        let error = CityOptions { sample: 0.0, ..CityOptions::default() }.check().unwrap_err();
        assert_eq!(error.to_string(), "sample: 0\n    give a fraction above 0 and up to 1");
        let error = CityOptions { sample: 1e-9, persons: 1000, ..CityOptions::default() }.check().unwrap_err();
        assert_eq!(error.to_string(), "sample: 0.000000001\n    fewer than one person on average; give at least 0.001");
        let error = CityOptions { seed: 1 << 63, ..CityOptions::default() }.check().unwrap_err();
        let expected = "seed: 9223372036854775808\n    give 0 to 9,223,372,036,854,775,807";
        assert_eq!(error.to_string(), expected);
        assert_eq!(CityOptions { seed: MAX_SEED, ..CityOptions::default() }.check(), Ok(()));
        assert!(CityOptions { persons: 100_000_001, ..CityOptions::default() }.check().is_err());
        assert!(CityOptions { links: 10, ..CityOptions::default() }.check().is_err());
        assert!(CityOptions { days: 101, ..CityOptions::default() }.check().is_err());
        assert!(CityOptions { jitter: f64::NAN, ..CityOptions::default() }.check().is_err());
        assert!(CityOptions { work_trip_m: Some(0.0), ..CityOptions::default() }.check().is_err());
    }
}
