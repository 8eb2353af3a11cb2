//! Why a city could not be made.

use thiserror::Error;
use throng_core::BadParts;

use super::options::OptionsError;
use throng_queue::RunError;

/// A city that could not be made.
#[derive(Debug, Error)]
pub enum CityError {
    /// An option is out of its range.
    #[error(transparent)]
    Options(#[from] OptionsError),
    /// A day could not be simulated.
    #[error("a day of the city could not be simulated: {0}")]
    Day(#[from] RunError),
    /// The ids of the vehicles take too much room.
    #[error("the vehicles of the city could not be named: {0}")]
    Vehicles(#[from] BadParts),
}
