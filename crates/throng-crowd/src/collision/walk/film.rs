//! The animation: each disc as a point, or, in large crowds, how many there are.

use std::time::Duration;

use throng_fields::pictures::{Animation, HeatMap, density};
use throng_fields::{Field, Grid};
use throng_model::{Failure, Film};
use throng_output::PendingFile;

use super::scenario::Scenario;
use super::walkers::Walkers;

/// The most discs that are drawn as points.
const MOST_POINTS: u64 = 20_000;
/// The number of the colour of walls.
const WALL: u8 = 2;
/// Cells along the longer side of a picture.
const CELLS: f64 = 240.0;
const DELAY: Duration = Duration::from_millis(80);

pub fn film<'f>(
    scenario: &Scenario,
    frames: u32,
    file: &'f mut PendingFile,
) -> Result<Box<dyn Film<Walkers> + 'f>, Failure> {
    let size = [scenario.width_m, scenario.height_m];
    if scenario.estimated_discs() > MOST_POINTS {
        return Ok(Box::new(DensityFilm::new(size, frames, file)?));
    }
    Ok(Box::new(WalkerFilm { animation: Animation::new(file, frames, DELAY)?, size }))
}

fn title(step: u64, measures: &[f64]) -> String {
    let accepted = measures.first().copied().unwrap_or_default();
    format!("Discs\nstep {step:>6}, {:>5.1} % of wishes granted", accepted * 100.0)
}

/// An animation of discs as points, in a colour for each direction, and of walls.
struct WalkerFilm<'f> {
    animation: Animation<&'f mut PendingFile>,
    size: [f64; 2],
}

impl Film<Walkers> for WalkerFilm<'_> {
    fn add(&mut self, step: u64, state: &Walkers, measures: &[f64]) -> Result<(), Failure> {
        let Walkers { columns: [xs, ys, directions, _], prepared } = state;
        let metres = |units: i32| prepared.lattice.metres(units);
        let grid = grid(self.size)?;
        let ground = Field::new(grid, vec![0.0; grid.cells()]);
        let points = xs.iter().zip(ys).zip(directions).map(|((x, y), &way)| ([metres(*x), metres(*y)], way as u8));
        let mut frame = HeatMap::new(&ground).as_ground().with_points(points).with_title(title(step, measures));
        for wall in &prepared.scene.walls {
            frame = frame.with_path(wall.map(|end| end.map(metres)), WALL);
        }
        Ok(self.animation.add(&frame.draw()?)?)
    }

    fn finish(self: Box<Self>) -> Result<(), Failure> {
        Ok(self.animation.finish()?)
    }
}

/// A grid over the world.
fn grid(size: [f64; 2]) -> Result<Grid, Failure> {
    let cell = size[0].max(size[1]) / CELLS;
    let [columns, rows] = size.map(|side| ((side / cell).ceil() as u32).max(1));
    Ok(Grid::new([0.0; 2], cell as f32, columns, rows)?)
}

/// An animation of densities.
struct DensityFilm<'f> {
    animation: Animation<&'f mut PendingFile>,
    grid: Grid,
}

impl<'f> DensityFilm<'f> {
    fn new(size: [f64; 2], frames: u32, file: &'f mut PendingFile) -> Result<Self, Failure> {
        Ok(Self { animation: Animation::new(file, frames, DELAY)?, grid: grid(size)? })
    }
}

impl Film<Walkers> for DensityFilm<'_> {
    fn add(&mut self, step: u64, state: &Walkers, measures: &[f64]) -> Result<(), Failure> {
        let Walkers { columns: [xs, ys, ..], prepared } = state;
        let places = xs.iter().zip(ys).map(|(&x, &y)| [x, y].map(|at| prepared.lattice.metres(at)));
        let density = density(self.grid, places);
        let title = format!("{}; discs per square metre", title(step, measures));
        Ok(self.animation.add(&HeatMap::new(&density).with_title(title).draw()?)?)
    }

    fn finish(self: Box<Self>) -> Result<(), Failure> {
        Ok(self.animation.finish()?)
    }
}
