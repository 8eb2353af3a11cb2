//! The animation: pedestrians as points coloured by heading or exit, among walls; large crowds as a density map.

use std::time::Duration;

use throng_model::Failure;
use throng_model::step_model::Film;
use throng_output::PendingFile;
use throng_pictures::{Animation, Grid, HeatMap, Mask, Raster, density};

use super::super::scene::{LEFT, Pedestrians, World};
use super::crowd::Crowd;
use super::scenario::Scenario;

/// Maximum number of pedestrians drawn as points.
const MAX_POINTS: usize = 20_000;
/// Maximum number of cells along a side of a frame.
const MAX_CELLS: u32 = 240;
const DELAY: Duration = Duration::from_millis(80);

pub fn film<'f>(
    scenario: &Scenario,
    frames: u32,
    file: &'f mut PendingFile,
) -> Result<Box<dyn Film<Crowd> + 'f>, Failure> {
    let (columns, rows) = (scenario.width_su, scenario.height_su);
    let units = columns.max(rows).div_ceil(MAX_CELLS);
    let cell = f64::from(units) * scenario.space_unit_m;
    let grid = Grid::new([0.0; 2], cell as f32, columns.div_ceil(units), rows.div_ceil(units))?;
    let exits = scenario.exits.iter().map(|exit| exit.name.clone()).collect();
    let animation = Animation::new(file, frames, DELAY)?;
    let names = if scenario.exits.is_empty() { directions() } else { exits };
    Ok(Box::new(CrowdFilm {
        animation,
        grid,
        units,
        unit_m: scenario.space_unit_m,
        tick_s: scenario.tick_s,
        names,
        open: None,
    }))
}

fn directions() -> Vec<String> {
    ["east", "north-east", "north", "north-west", "west", "south-west", "south", "south-east"]
        .map(str::to_owned)
        .to_vec()
}

struct CrowdFilm<'f> {
    animation: Animation<&'f mut PendingFile>,
    grid: Grid,
    /// Space units along the side of a cell.
    units: u32,
    unit_m: f64,
    tick_s: f64,
    /// Meanings of the colours.
    names: Vec<String>,
    /// Cells that contain floor, computed in the first frame.
    open: Option<Mask>,
}

impl CrowdFilm<'_> {
    /// Returns the cell of a space unit.
    fn cell(&self, world: &World, unit: u32) -> usize {
        let [x, y] = world.grid().place(unit).map(|at| at as u32 / self.units);
        (y * self.grid.columns() + x) as usize
    }

    /// Returns the cells that contain floor.
    fn open_cells(&self, world: &World) -> Mask {
        let mut is_open = vec![false; self.grid.cells()];
        for unit in (0..world.grid().units() as u32).filter(|&unit| !world.is_wall(unit)) {
            is_open[self.cell(world, unit)] = true;
        }
        let columns = self.grid.columns();
        Mask::new(&self.grid, |column, row| is_open[(row * columns + column) as usize])
    }

    /// Returns the centre of a space unit, m.
    fn middle(&self, world: &World, unit: u32) -> [f64; 2] {
        world.grid().place(unit).map(|at| (f64::from(at) + 0.5) * self.unit_m)
    }
}

impl Film<Crowd> for CrowdFilm<'_> {
    fn add(&mut self, step: u64, crowd: &Crowd, measures: &[f64]) -> Result<(), Failure> {
        let inside = measures.first().copied().unwrap_or_default();
        let title = format!("Pedestrians\n{:>7.1} s, {inside:>7} inside", step as f64 * self.tick_s);
        // The floor does not change, and copies of a mask share its cells.
        let world = &crowd.prepared.world;
        let open = self.open.clone().unwrap_or_else(|| self.open_cells(world));
        self.open = Some(open.clone());
        let Pedestrians { at, heading, exit, .. } = &crowd.pedestrians;
        if at.len() > MAX_POINTS {
            let inside = at.iter().filter(|&&at| at < LEFT);
            let density = density(self.grid, inside.map(|&at| self.middle(world, at)));
            let title = format!("{title}; persons per square metre");
            return Ok(self.animation.add(
                &HeatMap::new(&density).with_length_unit("m").with_open_cells(&open).with_title(title).draw()?,
            )?);
        }
        let ground = Raster::uniform(self.grid, 0.0);
        let points = |pedestrian: usize| {
            let colour = exit.get(pedestrian).copied().unwrap_or(heading[pedestrian]);
            let units = world.grid().rectangle(at[pedestrian], crowd.pedestrians.body(pedestrian));
            units.map(move |unit| (unit, colour))
        };
        let points = (0..at.len()).filter(|&pedestrian| at[pedestrian] < LEFT).flat_map(points);
        let points = points.map(|(unit, colour)| (self.middle(world, unit), colour));
        let mut frame = HeatMap::new(&ground)
            .as_ground()
            .with_length_unit("m")
            .with_open_cells(&open)
            .with_points(points)
            .with_title(title);
        for (number, name) in self.names.iter().enumerate() {
            let is_used = if exit.is_empty() { heading.contains(&(number as u8)) } else { true };
            if is_used {
                frame = frame.with_legend_entry(format!("to {name}"), number as u8);
            }
        }
        Ok(self.animation.add(&frame.draw()?)?)
    }

    fn finish(self: Box<Self>) -> Result<throng_output::film::Film, Failure> {
        Ok(self.animation.finish()?)
    }
}
