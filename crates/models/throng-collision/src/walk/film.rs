//! The animation: each disc as a point, or, in large crowds, a density map.

use std::time::Duration;

use throng_model::Failure;
use throng_model::step_model::Film;
use throng_output::PendingFile;
use throng_pictures::{Animation, Grid, HeatMap, Raster, density};

use super::scenario::{Behaviour, Scenario};
use super::walkers::Walkers;
use throng_model::scenario_file::Border;

/// Maximum number of discs drawn as points.
const MAX_POINTS: u64 = 20_000;
/// Index of the colour of walls.
const WALL: u8 = 2;
/// Number of cells along the longer side of a frame.
const CELLS: f64 = 240.0;
const DELAY: Duration = Duration::from_millis(80);

pub fn film<'f>(
    scenario: &Scenario,
    frames: u32,
    file: &'f mut PendingFile,
) -> Result<Box<dyn Film<Walkers> + 'f>, Failure> {
    let size = [scenario.width_m, scenario.height_m];
    if scenario.estimated_discs() > MAX_POINTS {
        return Ok(Box::new(DensityFilm::new(size, frames, file)?));
    }
    Ok(Box::new(WalkerFilm { animation: Animation::new(file, frames, DELAY)?, size, names: names(scenario) }))
}

/// Returns the meanings of the colours by index: directions, for discs that have one.
fn names(scenario: &Scenario) -> Vec<&'static str> {
    match scenario.behaviour {
        Behaviour::Gates if scenario.leftward_share > 0.0 || scenario.border == Border::Closed => {
            vec!["disc to the right", "disc to the left"]
        }
        Behaviour::Gates => vec!["disc to the right"],
        Behaviour::Random | Behaviour::Goals => vec!["disc"],
    }
}

fn title(step: u64, measures: &[f64]) -> String {
    let accepted = measures.first().copied().unwrap_or_default();
    format!("Discs\nstep {step:>6}, {:>5.1} % of wishes granted", accepted * 100.0)
}

/// An animation of discs as points, coloured by direction, and of walls.
struct WalkerFilm<'f> {
    animation: Animation<&'f mut PendingFile>,
    size: [f64; 2],
    names: Vec<&'static str>,
}

impl Film<Walkers> for WalkerFilm<'_> {
    fn add(&mut self, step: u64, state: &Walkers, measures: &[f64]) -> Result<(), Failure> {
        let Walkers { columns: [xs, ys, directions, _], prepared } = state;
        let metres = |units: i32| prepared.lattice.metres(units);
        let grid = grid(self.size)?;
        let ground = Raster::uniform(grid, 0.0);
        let colour = |way: i32| (way as u8).min(self.names.len() as u8 - 1);
        let points = xs.iter().zip(ys).zip(directions).map(|((x, y), &way)| ([metres(*x), metres(*y)], colour(way)));
        let mut frame = HeatMap::new(&ground)
            .as_ground()
            .with_length_unit("m")
            .with_points(points)
            .with_title(title(step, measures));
        for (number, name) in self.names.iter().enumerate() {
            frame = frame.with_legend_entry(*name, number as u8);
        }
        if !prepared.scene.walls.is_empty() {
            frame = frame.with_legend_entry("wall", WALL);
        }
        for wall in &prepared.scene.walls {
            frame = frame.with_path(wall.map(|end| end.map(metres)), WALL);
        }
        Ok(self.animation.add(&frame.draw()?)?)
    }

    fn finish(self: Box<Self>) -> Result<throng_output::film::Film, Failure> {
        Ok(self.animation.finish()?)
    }
}

/// Returns a grid over the world.
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
        Ok(self.animation.add(&HeatMap::new(&density).with_length_unit("m").with_title(title).draw()?)?)
    }

    fn finish(self: Box<Self>) -> Result<throng_output::film::Film, Failure> {
        Ok(self.animation.finish()?)
    }
}
