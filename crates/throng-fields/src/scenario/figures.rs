//! Profiles and shapes of a scenario file: their numbers, and how they are built.

use crate::{FieldError, Knot, Profile, Shape};
use throng_core::Problems;

use crate::scenario::written::{self, Form};
use throng_model::At;

/// Adds an error of the library as a problem.
pub(crate) fn refused(place: &str, error: &FieldError, problems: &mut Problems) {
    problems.push(format!("{place}, {}", error.place), error.value.clone(), error.remedy.clone());
}

/// The value of a result; an error becomes a problem.
pub(crate) fn accept<T>(place: &str, result: Result<T, FieldError>, problems: &mut Problems) -> Option<T> {
    result.map_err(|error| refused(place, &error, problems)).ok()
}

/// Optional numbers, with those that the choice needs and those that are given.
pub(crate) struct Given<'a> {
    /// Their place.
    pub place: &'a str,
    /// The choice, such as `shape = "ring"`.
    pub choice: String,
    /// Name, whether it is given, whether the choice needs it, whether it may have it.
    pub keys: Vec<(&'static str, bool, Need)>,
}

/// Whether something is required.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Need {
    Must,
    May,
    MustNot,
}

impl Need {
    /// Required if `needed`, otherwise not allowed.
    pub(crate) fn when(needed: bool) -> Self {
        if needed { Self::Must } else { Self::MustNot }
    }

    /// Allowed if `sensible`.
    pub(crate) fn may_when(sensible: bool) -> Self {
        if sensible { Self::May } else { Self::MustNot }
    }
}

impl Given<'_> {
    /// Whether everything required is given. Superfluous numbers are problems, too.
    pub(crate) fn check(&self, problems: &mut Problems) -> bool {
        let mut complete = true;
        for (key, given, need) in &self.keys {
            match (given, need) {
                (false, Need::Must) => {
                    complete = false;
                    problems.push(self.place, format!("{key} is missing"), format!("{} needs it", self.choice));
                }
                (true, Need::MustNot) => {
                    problems.push(self.place, format!("{key} is given"), format!("{} has no {key}", self.choice));
                }
                _ => {}
            }
        }
        complete
    }
}

/// A profile.
pub(crate) fn profile(written: &At<written::Profile>, problems: &mut Problems) -> Option<Profile> {
    let written::Profile { form, radius, sigma, knots, values } = &written.value;
    let given = Given {
        place: &written.place,
        choice: format!("form = \"{}\"", format!("{form:?}").to_lowercase()),
        keys: vec![
            ("radius", radius.is_some(), Need::when(*form != Form::Piecewise)),
            ("sigma", sigma.is_some(), Need::when(*form == Form::Gaussian)),
            ("knots", knots.is_some(), Need::when(*form == Form::Piecewise)),
            ("values", values.is_some(), Need::when(*form == Form::Table)),
        ],
    };
    if !given.check(problems) {
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
                        problems.push(place, format!("{} numbers", knot.len()), remedy);
                        return None;
                    }
                }
            }
            Profile::piecewise(&list)
        }
    };
    accept(&written.place, made, problems)
}

/// The name of a shape in messages.
pub(crate) fn choice(shape: written::Shape) -> String {
    format!("shape = \"{}\"", format!("{shape:?}").to_lowercase())
}

/// The shape of an entity, except a stamp.
pub(crate) fn shape(written: &At<written::Entity>, problems: &mut Problems) -> Option<Shape> {
    use written::Shape as Kind;
    let entity = &written.value;
    let kind = entity.shape;
    let given = Given {
        place: &written.place,
        choice: choice(kind),
        keys: vec![
            ("radius", entity.radius.is_some(), Need::when(kind == Kind::Ring)),
            ("length", entity.length.is_some(), Need::when(kind == Kind::Capsule)),
            ("size", entity.size.is_some(), Need::when(kind == Kind::Box)),
            ("corners", entity.corners.is_some(), Need::when(kind == Kind::Polygon)),
            ("opening", entity.opening.is_some(), Need::when(kind == Kind::Cone)),
            ("stamp", entity.stamp.is_some(), Need::when(kind == Kind::Stamp)),
            ("heading", entity.heading.is_some(), Need::may_when(!matches!(kind, Kind::Disc | Kind::Ring))),
        ],
    };
    if !given.check(problems) {
        return None;
    }
    Some(match kind {
        Kind::Disc => Shape::Disc,
        Kind::Stamp => return None,
        Kind::Ring => Shape::Ring { radius: entity.radius? },
        Kind::Capsule => Shape::Capsule { length: entity.length? },
        Kind::Box => Shape::Box { half: entity.size?.map(|size| size / 2.0) },
        Kind::Polygon => Shape::Polygon { corners: entity.corners.clone()? },
        Kind::Cone => Shape::Cone { half_angle: (entity.opening? / 2.0).to_radians() },
    })
}
