//! The default scenario.

use throng_core::Progress;
use throng_model::Failure;

use throng_city::{CityOptions, city, whole_day};
use throng_traffic_scenario::Scenario;

/// A synthetic city from 00:00 to 36:00. The defaults of [`CityOptions`] give a city of the size of the paper's Zurich.
///
/// # Errors
/// If an option is out of range, or a day cannot be simulated.
pub fn generated_city(options: &CityOptions, progress: &dyn Progress) -> Result<Scenario, Failure> {
    Ok(city(options, progress)?.into_scenario(whole_day())?)
}
