//! The reasons why a day has no score.

use thiserror::Error;
use throng_core::{InputError, did_you_mean};
use throng_traffic_scenario::ModeId;

use super::{Names, Preferences};

/// The reason why a day has no score. Indices get names with [`error`](Self::error).
#[derive(Clone, Copy, PartialEq, Error)]
pub enum Fault {
    /// An activity type has no parameters.
    #[error("the activity type with index {0} has no parameters")]
    UnknownActivity(u32),
    /// A mode has no parameters.
    #[error("the mode with index {} has no parameters", .0.0)]
    UnknownMode(ModeId),
    /// The utility of an activity is not a number.
    #[error("the utility of an activity from {arrival_s} s to {departure_s} s is not a number")]
    ActivityNotANumber {
        /// Index of the type.
        kind: u32,
        /// Arrival, seconds of the day.
        arrival_s: f64,
        /// Departure, seconds of the day.
        departure_s: f64,
    },
    /// The utility of a leg is not a number, usually because its distance is unknown.
    #[error("the utility of a leg of {travel_time_s} s and {distance_m} m is not a number")]
    LegNotANumber {
        /// Mode of the leg.
        mode: ModeId,
        /// Travel time, seconds.
        travel_time_s: f64,
        /// Distance, metres.
        distance_m: f64,
    },
    /// An amount of money, or of score, is not a number.
    #[error("an amount is not a number")]
    AmountNotANumber,
}

throng_core::debug_is_message!(Fault);

impl Fault {
    /// Describes the fault of the day of the person with this id.
    pub fn error(&self, person: &str, preferences: &Preferences, names: Names<'_>) -> InputError {
        let set = match &preferences.subpopulation {
            Some(subpopulation) => format!("the parameter set of scoring for subpopulation \"{subpopulation}\""),
            None => "the parameter set of scoring".to_owned(),
        };
        let kind = |kind: u32| {
            let is_known = (kind as usize) < names.activity_types.len();
            if is_known { names.activity_types.name(kind) } else { "undefined" }
        };
        let mode = |mode: ModeId| {
            let is_known = usize::from(mode.0) < names.modes.len();
            if is_known { names.modes.name(mode) } else { "undefined" }
        };
        let (message, remedy) = match *self {
            Self::UnknownActivity(index) => {
                let name = kind(index);
                let known = names.activity_types.iter().filter(|other| *other != name);
                let question = did_you_mean(name, known).map(|text| format!("{text} Else ")).unwrap_or_default();
                let remedy = format!("{question}add the activity type to {set}");
                (format!("activity type \"{name}\" has no parameters"), remedy)
            }
            Self::UnknownMode(index) => {
                (format!("mode \"{}\" has no parameters", mode(index)), format!("add the mode to {set}"))
            }
            Self::ActivityNotANumber { kind: index, arrival_s, departure_s } => {
                let name = kind(index);
                let message = format!("activity \"{name}\" from {arrival_s} s to {departure_s} s: its utility is NaN");
                (message, format!("correct the parameters of \"{name}\" in {set}"))
            }
            Self::LegNotANumber { mode: index, travel_time_s, distance_m } => {
                let name = mode(index);
                let message = format!("leg by {name}, {travel_time_s} s and {distance_m} m: its utility is NaN");
                let remedy = if distance_m.is_nan() {
                    format!("give the route a distance, or set the rates per distance of \"{name}\" to 0 in {set}")
                } else {
                    format!("correct the parameters of \"{name}\" in {set}")
                };
                (message, remedy)
            }
            Self::AmountNotANumber => ("an amount of money or score is NaN".to_owned(), "correct the event".to_owned()),
        };
        InputError::one(format!("person \"{person}\""), message, remedy)
    }
}
