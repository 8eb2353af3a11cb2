//! The animation: a picture of the whole world, in which each bird is a point.

use std::time::Duration;

use throng::fields::pictures::{Animation, HeatMap};
use throng::fields::{Field, Grid};
use throng::model::{Failure, Film};
use throng::output::PendingFile;

use crate::rules::PATCH;
use crate::scenario::{Birds, Scenario};

struct Pictures<'f> {
    animation: Animation<&'f mut PendingFile>,
    ground: Field,
}

pub fn film<'f>(
    Scenario { size, .. }: &Scenario,
    frames: u32,
    file: &'f mut PendingFile,
) -> Result<Box<dyn Film<Birds> + 'f>, Failure> {
    // In cells of a patch or more.
    let patches = size.div_ceil(100);
    let grid = Grid::new([0.0; 2], patches as f32, size.div_ceil(patches), size.div_ceil(patches))?;
    let animation = Animation::new(file, frames, Duration::from_millis(80))?;
    Ok(Box::new(Pictures { animation, ground: Field::new(grid, vec![0.0; grid.cells()]) }))
}

impl Film<Birds> for Pictures<'_> {
    fn add(&mut self, tick: u64, [xs, ys, _]: &Birds, order: &[f64]) -> Result<(), Failure> {
        let patches = |at: &i32| f64::from(*at) / f64::from(PATCH);
        let points = xs.iter().zip(ys).map(|(x, y)| ([patches(x), patches(y)], 0));
        let title = format!("Flocking\ntick {tick:>5}, order {:.3}", order[0]);
        Ok(self.animation.add(&HeatMap::new(&self.ground).with_points(points).with_title(title).draw()?)?)
    }

    fn finish(self: Box<Self>) -> Result<(), Failure> {
        Ok(self.animation.finish()?)
    }
}
