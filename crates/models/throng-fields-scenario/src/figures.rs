//! Profiles and shapes of a scenario file: their numbers, and how they are built.

use throng_core::Problems;
use throng_fields_core::{Knot, Profile, Shape};
use throng_model::{At, word_of};

use crate::given::{Given, Need, accept};
use crate::written;
use crate::written::Form;

/// A profile.
pub fn profile(written: &At<written::Profile>, problems: &mut Problems) -> Option<Profile> {
    let written::Profile { form, radius, sigma, knots, values } = &written.value;
    let given = Given {
        place: &written.place,
        choice: format!("form = \"{}\"", word_of(form)),
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
pub fn choice(shape: written::Shape) -> String {
    format!("shape = \"{}\"", word_of(&shape))
}

/// The shape of an entity, except a stamp.
pub fn shape(written: &At<written::Entity>, problems: &mut Problems) -> Option<Shape> {
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
