//! Utility and effort as tables computed on the host: devices would not all compute the same values, but can look them
//! up.

use libm::{exp, pow, sqrt};

use throng_device::exact::NEGATIVE_ZERO;

use crate::Parameters;
use crate::rules::worth::beyond_table;

/// Maximum length of the table of utilities, units. An agent holds hundreds of units of a resource, and thousands with
/// industries.
pub const MAX_LENGTH: usize = 1 << 16;

/// The utility of units of a resource to an agent.
///
/// The utility of x units is `D x^(1/n)`, up to the point where a further unit adds no more than the minimum utility;
/// each unit beyond that adds exactly the minimum. If n is so small that this point lies beyond [`MAX_LENGTH`] units,
/// each further unit adds as much as the last unit of the table.
#[derive(Debug, Clone, PartialEq)]
pub struct Utility {
    /// Utility of 0, 1, 2, ... units.
    of_units: Vec<f64>,
    /// Utility of the next unit when 0, 1, 2, ... are held, and its inverse.
    of_next: Vec<[f64; 2]>,
    /// Utility of each unit beyond the table.
    further: f64,
}

impl Utility {
    /// Computes the curve of a society.
    pub fn new(parameters: &Parameters) -> Self {
        let economy = &parameters.economy;
        let of = |units: usize| economy.utility_of_first * pow(units as f64, 1.0 / economy.elasticity);
        let (mut of_units, mut of_next) = (vec![0.0], Vec::new());
        for units in 1..=MAX_LENGTH {
            let (last, now) = (of_units[units - 1], of(units));
            let next = now - last;
            if next <= economy.least_utility {
                break;
            }
            of_units.push(now);
            of_next.push([next, 1.0 / next]);
        }
        let further = if of_next.len() < MAX_LENGTH { economy.least_utility } else { of_next[MAX_LENGTH - 1][0] };
        of_next.push([further, 1.0 / further]);
        Self { of_units, of_next, further }
    }

    /// Returns the utility of a stock of `units`.
    pub fn of(&self, units: u32) -> f64 {
        let last = self.of_units.len() - 1;
        match self.of_units.get(units as usize) {
            Some(&utility) => utility,
            None => beyond_table(self.of_units[last], self.further, units - last as u32, NEGATIVE_ZERO),
        }
    }

    /// Returns the utility of one more unit when `held` are in stock.
    pub fn of_next(&self, held: u32) -> f64 {
        self.of_next[(held as usize).min(self.of_next.len() - 1)][0]
    }

    /// Returns the inverse of the utility of the next unit.
    pub fn inverse_of_next(&self, held: u32) -> f64 {
        self.of_next[(held as usize).min(self.of_next.len() - 1)][1]
    }

    /// The utility of 0, 1, 2, ... units; the utility of the next unit by the number held; and its inverse. The last
    /// entries of both hold for all further units.
    pub fn tables(&self) -> (&[f64], Vec<f64>, Vec<f64>) {
        let column = |at: usize| self.of_next.iter().map(|entry| entry[at]).collect();
        (&self.of_units, column(0), column(1))
    }
}

/// Minutes of work per unit, by whole units of experience.
#[derive(Debug, Clone, PartialEq)]
pub struct Effort {
    /// Minutes per unit with less than full experience.
    minutes: Vec<f64>,
    /// Cumulative minutes of work from no experience to 0, 1, 2, ..., full experience.
    until: Vec<f64>,
    least_min: f64,
}

impl Effort {
    /// Effort of extraction by hand: `Emax - (Emax - Emin) exp(-2 sqrt(Emax) exp(-(Emax - Emin) e / X))`.
    pub fn of_extraction(parameters: &Parameters) -> Self {
        let (max, min) = (parameters.work.most_effort_min, parameters.work.least_effort_min);
        Self::gompertz([max, min], parameters.work.full_experience, 2.0 * sqrt(max), max - min)
    }

    /// Effort of the assembly of a device: `Dmax - (Dmax - Dmin) exp(-2 Dmax exp(-(Dmax - Dmin) / 2 e / DX))`.
    pub fn of_assembly(parameters: &Parameters) -> Self {
        let (max, min) = (parameters.assembly.most_effort_min, parameters.assembly.least_effort_min);
        Self::gompertz([max, min], parameters.assembly.full_experience, 2.0 * max, (max - min) / 2.0)
    }

    /// `max - (max - min) exp(-shift exp(-slope e / full))` below full experience, `min` at full experience and above.
    fn gompertz([max, min]: [f64; 2], full: u32, shift: f64, slope: f64) -> Self {
        let of =
            |experience: u32| max - (max - min) * exp(-shift * exp(-slope * f64::from(experience) / f64::from(full)));
        let minutes: Vec<f64> = (0..full).map(of).collect();
        let mut until = vec![0.0];
        for minutes in &minutes {
            until.push(until[until.len() - 1] + minutes);
        }
        Self { minutes, until, least_min: min }
    }

    /// Returns the minutes for one unit at this experience.
    pub fn minutes(&self, experience: f64) -> f64 {
        *self.minutes.get(experience as usize).unwrap_or(&self.least_min)
    }

    /// Returns the minutes of work to reach this many whole units of experience, at most full experience.
    pub fn minutes_until(&self, experience: u32) -> f64 {
        self.until[experience as usize]
    }

    /// Full experience, units.
    pub fn full_experience(&self) -> u32 {
        self.minutes.len() as u32
    }

    /// The minutes per unit with an experience of 0, 1, 2, ... units (the last entry also holds for more), and the
    /// cumulative minutes of work to reach that experience.
    pub fn tables(&self) -> (Vec<f64>, &[f64]) {
        (self.minutes.iter().copied().chain([self.least_min]).collect(), &self.until)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::extraction::units_during;
    use crate::society::Model;

    fn is_close(found: f64, expected: f64) {
        assert!((found - expected).abs() < 0.6e-5 * expected.max(1.0), "{found}, expected {expected}");
    }

    /// Values computed for the specification by another program.
    #[test]
    fn curves_match_published_values() {
        let effort = Effort::of_extraction(&Parameters::default());
        for (experience, minutes) in [
            (0.0, 8.98513),
            (1.0, 8.98421),
            (1.9, 8.98421),
            (10.0, 8.97368),
            (50.0, 8.84236),
            (100.0, 8.34),
            (150.0, 7.42701),
            (200.0, 6.33622),
            (250.0, 5.33346),
            (300.0, 4.54941),
            (400.0, 3.62442),
            (500.0, 3.23773),
            (599.0, 3.08946),
            (600.0, 3.0),
        ] {
            is_close(effort.minutes(experience), minutes);
        }
        let assembly = Effort::of_assembly(&Parameters::default());
        for (experience, minutes) in [
            (0.0, 27.0),
            (6.0, 26.99999),
            (8.0, 26.99761),
            (10.0, 26.93926),
            (12.0, 26.52228),
            (15.0, 24.16344),
            (20.0, 17.12026),
            (25.0, 12.18534),
            (30.0, 10.10286),
            (39.0, 9.1496),
            (40.0, 9.0),
        ] {
            is_close(assembly.minutes(experience), minutes);
        }
        let utility = Utility::new(&Parameters::default());
        for (held, next) in [
            (0, 600.0),
            (1, 191.70475),
            (2, 139.4026),
            (3, 113.55333),
            (4, 97.53169),
            (9, 62.19705),
            (19, 40.3865),
            (49, 23.09166),
            (99, 15.18865),
            (199, 10.00566),
            (499, 5.76886),
            (999, 3.80489),
            (100_000, 1.0),
        ] {
            is_close(utility.of_next(held), next);
        }
        assert_eq!(utility.of_units.len() - 1, 9269);
        is_close(utility.of_next(9268), 1.000_012_8);
    }

    #[test]
    fn the_utility_of_a_bundle_is_the_sum_of_its_units() {
        let utility = Utility::new(&Parameters::default());
        for (held, units) in [(0, 5), (3, 40), (9260, 20), (9269, 3), (20_000, 7)] {
            let sum: f64 = (held..held + units).map(|held| utility.of_next(held)).sum();
            is_close(utility.of(held + units) - utility.of(held), sum);
        }
    }

    #[test]
    fn units_during_a_time_match_a_sequential_count() {
        let model = Model::new(&Parameters::default());
        for factor in [3.0, 9.0, 27.0] {
            for (minutes, experience) in
                [(0.0, 5.0), (0.1, 0.0), (150.0, 0.0), (150.0, 250.7), (600.0, 590.2), (77.7, 800.0), (150.0, 600.0)]
            {
                let (mut clock, mut gained, mut units) = (0.0, 0.0, 0);
                while clock < minutes - 1e-9 {
                    clock += model.effort.minutes(experience + gained) / factor;
                    gained += 1.0 / factor;
                    units += 1;
                }
                let found = units_during(&model, minutes, experience, factor);
                assert_eq!(found, units, "{minutes} min from {experience} with factor {factor}");
            }
        }
    }
}
