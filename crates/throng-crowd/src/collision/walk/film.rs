//! The animation: each disc as a point, or, in large crowds, how many there are.

use std::time::Duration;

use throng_fields::pictures::{Animation, HeatMap};
use throng_fields::{Field, Grid};
use throng_model::{Failure, Film};
use throng_output::PendingFile;

use super::prepared::Prepared;
use super::scenario::Scenario;
use super::walkers::Walkers;

/// The most discs that are drawn as points.
const MOST_POINTS: u64 = 20_000;
/// The number of the colour of walls.
const WALL: u8 = 2;
/// Cells along the longer side of a picture of densities.
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
        let (grid, values) = ground(self.size, CELLS)?;
        let ground = Field::new(grid, values);
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

/// A grid over the world, and a value of 0 for each cell.
fn ground(size: [f64; 2], cells: f64) -> Result<(Grid, Vec<f32>), Failure> {
    let cell = size[0].max(size[1]) / cells;
    let [columns, rows] = size.map(|side| ((side / cell).ceil() as u32).max(1));
    let grid = Grid::new([0.0; 2], cell as f32, columns, rows)?;
    Ok((grid, vec![0.0; grid.cells()]))
}

/// An animation of densities.
struct DensityFilm<'f> {
    animation: Animation<&'f mut PendingFile>,
    grid: Grid,
}

impl<'f> DensityFilm<'f> {
    fn new(size: [f64; 2], frames: u32, file: &'f mut PendingFile) -> Result<Self, Failure> {
        let (grid, _) = ground(size, CELLS)?;
        Ok(Self { animation: Animation::new(file, frames, DELAY)?, grid })
    }
}

impl Film<Walkers> for DensityFilm<'_> {
    fn add(&mut self, step: u64, state: &Walkers, measures: &[f64]) -> Result<(), Failure> {
        let Walkers { columns: [xs, ys, ..], prepared } = state;
        let Prepared { lattice, .. } = &**prepared;
        let [columns, rows] = [self.grid.columns(), self.grid.rows()].map(|count| count as usize);
        let cell = f64::from(self.grid.cell());
        let mut counts = vec![0.0f32; columns * rows];
        for (&x, &y) in xs.iter().zip(ys) {
            let place = |at: i32, most: usize| ((lattice.metres(at) / cell) as usize).min(most - 1);
            counts[place(y, rows) * columns + place(x, columns)] += 1.0;
        }
        let area = (cell * cell) as f32;
        let densities = counts.into_iter().map(|count| count / area).collect();
        let density = Field::new(self.grid, densities);
        let title = format!("{}; discs per square metre", title(step, measures));
        Ok(self.animation.add(&HeatMap::new(&density).with_title(title).draw()?)?)
    }

    fn finish(self: Box<Self>) -> Result<(), Failure> {
        Ok(self.animation.finish()?)
    }
}
