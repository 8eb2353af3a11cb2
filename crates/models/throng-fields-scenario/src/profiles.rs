//! Profiles, by which charges fall off: `[profiles]`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use throng_core::Problems;
use throng_fields_core::{Knot, Profile};
use throng_model::scenario_file::{At, word_of};

use crate::key_rules::{Presence, check_keys};
use crate::value_checks::accept;

/// An entry of `[profiles]`.
#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "struct Profile")]
pub struct ProfileTable {
    /// How a charge falls off.
    pub form: Form,
    /// The distance beyond which the value is zero, units of length (all but piecewise).
    pub radius: Option<f32>,
    /// Standard deviation of a bell, units of length (gaussian).
    pub sigma: Option<f32>,
    /// Distance and value, or distance and the values before and after a jump (piecewise).
    pub knots: Option<Vec<Vec<f32>>>,
    /// Equidistant values from distance 0 to the radius (table).
    pub values: Option<Vec<f32>>,
}

impl ProfileTable {
    /// The lengths of the profile, which [`check_lengths`](crate::value_checks::check_lengths) limits.
    pub(crate) fn lengths(&self) -> [(&'static str, Option<f32>); 3] {
        let distances = self.knots.iter().flatten().filter_map(|knot| knot.first().copied());
        let farthest = distances.reduce(f32::max);
        [("radius", self.radius), ("sigma", self.sigma), ("knots", farthest)]
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Form {
    Linear,
    Quadratic,
    Gaussian,
    Piecewise,
    Table,
}

/// Reads a profile.
pub(crate) fn profile(written: &At<ProfileTable>, problems: &mut Problems) -> Option<Profile> {
    let ProfileTable { form, radius, sigma, knots, values } = &written.value;
    let keys = [
        ("radius", radius.is_some(), Presence::when(*form != Form::Piecewise)),
        ("sigma", sigma.is_some(), Presence::when(*form == Form::Gaussian)),
        ("knots", knots.is_some(), Presence::when(*form == Form::Piecewise)),
        ("values", values.is_some(), Presence::when(*form == Form::Table)),
    ];
    if !check_keys(&written.place, &format!("form = \"{}\"", word_of(form)), &keys, problems) {
        return None;
    }
    let radius = radius.unwrap_or_default();
    let made = match form {
        Form::Linear => Profile::linear(radius),
        Form::Quadratic => Profile::quadratic(radius),
        Form::Gaussian => Profile::gaussian(sigma.unwrap_or_default(), radius),
        Form::Table => Profile::table(radius, values.as_deref().unwrap_or_default()),
        Form::Piecewise => {
            let mut list = Vec::new();
            for (i, knot) in knots.iter().flatten().enumerate() {
                match knot[..] {
                    [distance, value] => list.push(Knot::at(distance, value)),
                    [distance, before, after] => list.push(Knot { distance, before, after }),
                    _ => {
                        let place = written.part(&format!("knot {}", i + 1));
                        let remedy = "write [distance, value], or [distance, value before, value after]";
                        problems.push(place, format!("number of values: {}", knot.len()), remedy);
                        return None;
                    }
                }
            }
            Profile::piecewise(&list)
        }
    };
    accept(&written.place, made, problems)
}
