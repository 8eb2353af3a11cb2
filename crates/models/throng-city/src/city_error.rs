//! Errors of the city generator.

use thiserror::Error;
use throng_core::BadParts;
use throng_model::Failure;

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
                Self::input("generate city", format!("{option} = {value} is not possible"), range)
            }
            // The cause may be lack of memory, so changing an option would not help.
            CityError::Day(_) => Self::resource(error.to_string(), "nothing was written; request fewer persons"),
            CityError::Vehicles(_) => Self::resource(error.to_string(), "request fewer persons"),
        }
    }
}
