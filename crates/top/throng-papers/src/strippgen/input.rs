//! What is simulated where the user names no scenario.

use throng_core::Progress;

use throng_city::{CityError, CityOptions, city, whole_day};
use throng_traffic_scenario::Scenario;

/// A generated city from 00:00 to 36:00. The defaults of [`CityOptions`] give one of the size of the paper's Zurich.
///
/// # Errors
/// When an option is out of its range, or a day cannot be simulated.
pub fn generated_city(options: &CityOptions, progress: &dyn Progress) -> Result<Scenario, CityError> {
    Ok(city(options, progress)?.into_scenario(whole_day())?)
}
