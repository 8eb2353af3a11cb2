//! The cost of links.

use throng_core::{InputError, Problems};
use throng_traffic_scenario::settings::ScoringParameters;

/// The cost of a link, in utils: `per_s * travel time + per_m * length`.
///
/// As in MATSim's randomizing time and distance disutility, the rates are
///
/// * per second, (performing - traveling) / 3600: the utility of travelling plus that of the activity that is missed;
/// * per metre, L * (-monetary distance rate * utility of money - utility of distance).
///
/// L is drawn once for each person whose trips are routed: exp(sigma * g) / exp(sigma^2 / 2) with a standard normal g,
/// so its mean is 1. Persons thus differ in the route that they take for the best.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LinkDisutility {
    per_s: f64,
    per_m: f64,
    random_per_m: f64,
}

impl LinkDisutility {
    /// Creates a disutility with these rates: utils per second and utils per metre, without randomness.
    ///
    /// # Errors
    /// If a rate is negative or not finite: a path of least cost might not exist.
    pub fn new(per_s: f64, per_m: f64) -> Result<Self, InputError> {
        let mut problems = Problems::new();
        for (rate, unit, settings) in [
            (per_s, "second", "performing and marginalUtilityOfTraveling"),
            (per_m, "metre", "marginalUtilityOfDistance, monetaryDistanceRate and marginalUtilityOfMoney"),
        ] {
            if !(rate >= 0.0 && rate.is_finite()) {
                let message = format!("the cost per {unit} is {rate} utils");
                problems.push("cost of links", message, format!("expected a cost not below 0: correct {settings}"));
            }
        }
        problems.into_result()?;
        // Adding 0 makes 0 of -0: costs are ordered by their bits.
        Ok(Self { per_s: per_s + 0.0, per_m: per_m + 0.0, random_per_m: per_m + 0.0 })
    }

    /// Creates the disutility of a mode.
    ///
    /// # Errors
    /// If the mode has no parameters, or if a rate is negative.
    pub fn of_mode(parameters: &ScoringParameters, mode: &str) -> Result<Self, InputError> {
        let Some(of_mode) = parameters.modes.iter().find(|of_mode| of_mode.mode == mode) else {
            let message = format!("mode \"{mode}\" has no parameters, but its trips are routed");
            let remedy = format!("add a parameter set modeParams for \"{mode}\"");
            return Err(InputError::one("module scoring", message, remedy));
        };
        let per_s = (-of_mode.traveling_per_h + parameters.performing_per_h) / 3600.0;
        let per_m = -of_mode.monetary_distance_rate_per_m * parameters.utility_of_money - of_mode.distance_per_m;
        Self::new(per_s, per_m).map_err(|error| error.within(&format!("module scoring, mode \"{mode}\"")))
    }

    /// Returns the disutility of a person for whom `gauss` was drawn from the standard normal distribution. `sigma` is
    /// the setting `routingRandomness`; 0 means no randomness.
    pub fn randomized(self, sigma: f64, gauss: f64) -> Self {
        // Without a cost of distance, the draw has no effect, even if it overflows.
        if sigma == 0.0 || self.per_m == 0.0 {
            return Self { random_per_m: self.per_m, ..self };
        }
        let factor = libm::exp(sigma * gauss) / libm::exp(sigma * sigma / 2.0);
        Self { random_per_m: factor * self.per_m, ..self }
    }

    /// Returns the cost of a link with this travel time (seconds) and length (metres), in utils.
    #[inline]
    pub fn cost(&self, travel_time_s: f64, length_m: f64) -> f64 {
        self.per_s * travel_time_s + self.random_per_m * length_m
    }
}

#[cfg(test)]
mod tests {
    use throng_traffic_scenario::settings::ModeParameters;

    use super::*;

    #[test]
    fn rates_are_those_of_the_mode() {
        let truck = ModeParameters {
            traveling_per_h: -3.0,
            distance_per_m: -0.5,
            monetary_distance_rate_per_m: -0.25,
            ..ModeParameters::new("truck")
        };
        let parameters = ScoringParameters {
            performing_per_h: 6.0,
            utility_of_money: 2.0,
            modes: vec![ModeParameters::new("car"), truck],
            ..ScoringParameters::default()
        };
        let car = LinkDisutility::of_mode(&parameters, "car").unwrap();
        assert_eq!(car.cost(3600.0, 1000.0), 12.0);
        let truck = LinkDisutility::of_mode(&parameters, "truck").unwrap();
        assert_eq!(truck.cost(3600.0, 10.0), 9.0 + 10.0);
        let unknown = LinkDisutility::of_mode(&parameters, "ship").unwrap_err().to_string();
        assert!(unknown.contains("\"ship\""), "{unknown}");
    }

    #[test]
    fn negative_rates_are_refused() {
        let parameters = ScoringParameters { performing_per_h: -7.0, ..ScoringParameters::default() };
        let error = LinkDisutility::of_mode(&parameters, "car").unwrap_err().to_string();
        assert!(error.contains("\"car\"") && error.contains("per second") && error.contains("performing"), "{error}");
        assert!(LinkDisutility::new(0.0, f64::NAN).is_err());
    }

    #[test]
    fn randomness_scales_the_cost_of_distance_only() {
        let plain = LinkDisutility::new(1.0, 2.0).unwrap();
        assert_eq!(plain.randomized(0.0, 1.5), plain);
        assert_eq!(plain.randomized(3.0, 0.0).cost(1.0, 1.0), 1.0 + 2.0 / libm::exp(4.5));
        let mean_of = |sigma: f64| plain.randomized(sigma, sigma / 2.0).cost(0.0, 1.0);
        assert!((mean_of(3.0) - 2.0).abs() < 1e-12, "g = sigma / 2 gives L = 1");
        assert_eq!(plain.randomized(3.0, 1.0).randomized(0.0, 0.0), plain, "a draw replaces the previous one");
        let time_only = LinkDisutility::new(1.0, 0.0).unwrap();
        assert_eq!(time_only.randomized(1e3, 10.0).cost(1.0, 1.0), 1.0);
    }
}
