//! Errors of the city generator.

use thiserror::Error;
use throng_core::BadParts;
use throng_model::Failure;

use super::generator::FLAGS;
use super::options::OptionsError;
use throng_queue::RunError;

/// The reason why a city could not be generated.
#[derive(Debug, Error)]
pub enum CityError {
    /// An option is out of its range.
    #[error(transparent)]
    Options(#[from] OptionsError),
    /// A day could not be simulated.
    #[error("a day of the city could not be simulated: {0}")]
    Day(#[from] RunError),
    /// The ids of the vehicles take too much memory.
    #[error("the vehicles of the city could not be named: {0}")]
    Vehicles(#[from] BadParts),
}

impl From<CityError> for Failure {
    fn from(error: CityError) -> Self {
        match error {
            CityError::Options(OptionsError { option, value, range }) => {
                let name = option.replace(' ', "-");
                // Some options have no flag.
                if FLAGS.iter().any(|flag| flag.name == name) {
                    return Self::input(format!("--{name}"), value, range);
                }
                Self::input("generate city", format!("{option} = {value} is not possible"), range)
            }
            // No option is invalid; the cause may be lack of memory.
            CityError::Day(_) => Self::resource(error.to_string(), "nothing was written; request fewer persons"),
            CityError::Vehicles(_) => Self::resource(error.to_string(), "request fewer persons"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CityOptions;

    #[test]
    fn the_place_of_an_option_is_its_flag() {
        for (options, expected) in [
            (CityOptions { links: 10, ..CityOptions::default() }, "--links: 10\n    give 300 to 20,000,000 links"),
            (
                CityOptions { car_share: 1.5, ..CityOptions::default() },
                "--car-share: 1.5\n    give a fraction from 0 to 1",
            ),
            (
                CityOptions { jitter: 2.0, ..CityOptions::default() },
                "generate city: jitter = 2 is not possible\n    give a fraction from 0 to 1",
            ),
        ] {
            let failure = Failure::from(CityError::from(options.check().unwrap_err()));
            assert_eq!(failure.to_string(), expected);
        }
    }
}
