//! The animation: an image of the whole world with one point per bird.

use throng::model::prelude::*;
use throng::model::step_model::PointFilm;

use crate::rules::PATCH;
use crate::scenario::{Birds, Scenario};

pub fn film<'f>(
    Scenario { size, .. }: &Scenario,
    frames: u32,
    file: &'f mut PendingFile,
) -> Result<Box<dyn Film<Birds> + 'f>, Failure> {
    let patches = |at: i32| f64::from(at) / f64::from(PATCH);
    let points = move |[xs, ys, _]: &Birds| xs.iter().zip(ys).map(|(&x, &y)| [patches(x), patches(y)]).collect();
    let title = |tick, order: &[f64]| format!("Flocking\ntick {tick:>5}, order {:.3}", order[0]);
    Ok(Box::new(PointFilm::new([f64::from(*size); 2], frames, file, points, title)?))
}
