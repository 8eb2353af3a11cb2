//! Times the tasks on which `benches/peers/compare.py` compares other libraries. That script starts this program.
//!
//! `peer_timings FOLDER REPEATS [NAME]` reads arrays from the folder. For each task whose name contains `NAME`, it
//! writes the result to the folder and prints a line of JSON: task, method, threads, the median of the repeats in
//! milliseconds, and the file. `peer_timings FOLDER` only writes the maze.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::time::Instant;

use throng_fields::influence::{Diffusion, DiffusionMap, InfluenceMap, Propagation};
use throng_fields::routing::{TravelTimes, maps, uniform_costs};
use throng_fields::{Entity, Field, Grid, InputError, Mask, Profile, Shape, creation};
use throng_nav2::Inflation;
use throng_pictures::files::npy::{self, Values};

/// Side length of most maps, and of those for diffusion, in cells.
const SIDE: u32 = 2048;
const DIFFUSION_SIDE: u32 = 1024;
/// Side length of the world of potential fields.
const WORLD: f32 = 256.0;

type Failure = Box<dyn std::error::Error>;

/// The folder of inputs and results, and the selected tasks.
struct Bench {
    folder: PathBuf,
    repeats: usize,
    /// Substring of the names of the tasks to run.
    only: String,
}

impl Bench {
    fn array(&self, name: &str) -> Result<Values, Failure> {
        let file = File::open(self.folder.join(format!("{name}.npy")))?;
        Ok(npy::read(BufReader::new(file))?.values)
    }

    fn numbers(&self, name: &str) -> Result<Vec<f64>, Failure> {
        match self.array(name)? {
            Values::F64(values) => Ok(values),
            _ => Err(format!("{name}.npy has a type other than <f8").into()),
        }
    }

    fn bytes(&self, name: &str) -> Result<Vec<u8>, Failure> {
        match self.array(name)? {
            Values::U8(values) => Ok(values),
            _ => Err(format!("{name}.npy has a type other than |u1").into()),
        }
    }

    /// The open cells of a map of walls.
    fn open(&self, name: &str, grid: &Grid) -> Result<Mask, Failure> {
        let walls = self.bytes(name)?;
        Ok(Mask::new(grid, |column, row| walls[grid.index(column, row)] == 0))
    }

    /// Times a task: after a warm-up run, the median of several runs, each with fresh values from `prepare`.
    fn time<P, R>(
        &self,
        task: &str,
        method: &str,
        prepare: impl Fn() -> P,
        mut run: impl FnMut(P) -> Result<R, InputError>,
        write: impl FnOnce(&R, File) -> Result<(), InputError>,
    ) -> Result<(), Failure> {
        if !task.contains(&self.only) {
            return Ok(());
        }
        let mut result = run(prepare())?;
        let mut times = Vec::new();
        for _ in 0..self.repeats {
            drop(result);
            let prepared = prepare();
            let start = Instant::now();
            result = run(prepared)?;
            times.push(start.elapsed().as_secs_f64() * 1e3);
        }
        times.sort_by(f64::total_cmp);
        let file = format!("{task} {method}.npy");
        write(&result, File::create(self.folder.join(&file))?)?;
        let threads = rayon::current_num_threads();
        let ms = times[times.len() / 2];
        println!(
            "{}",
            serde_json::json!({ "task": task, "method": method, "threads": threads, "ms": ms, "file": file })
        );
        Ok(())
    }

    /// Times a task that returns a field.
    fn field(&self, task: &str, method: &str, run: impl FnMut(()) -> Result<Field, InputError>) -> Result<(), Failure> {
        self.time(task, method, || (), run, |field, file| npy::write_raster(field, file))
    }

    fn creation(&self) -> Result<(), Failure> {
        let grid = Grid::of_thesis(WORLD, SIDE)?;
        let (places, samples) = (self.numbers("places")?, self.numbers("samples")?);
        let discs = |places: &[f64], profile: &Profile| -> Vec<Entity> {
            places.chunks_exact(2).map(|at| Entity::new([at[0], at[1]], profile.clone())).collect()
        };
        let (linear, bell) = (Profile::linear(15.0)?, Profile::gaussian(5.0, 15.0)?);
        let (rings, boxes) = (Shape::Ring { radius: 10.0 }, Shape::Box { half: [8.0, 4.0] });
        let narrow = discs(&places, &Profile::linear(5.0)?);
        let rings: Vec<Entity> = narrow.iter().map(|disc| disc.clone().with_shape(rings.clone())).collect();
        let heading = |i: usize| i as f32 * 0.37;
        let turned = |(i, disc): (usize, &Entity)| disc.clone().with_shape(boxes.clone()).with_heading(heading(i));
        let boxes: Vec<Entity> = narrow.iter().enumerate().map(turned).collect();
        for (task, entities) in [
            ("linear discs", discs(&places, &linear)),
            ("Gaussian discs", discs(&places, &bell)),
            ("rings", rings),
            ("boxes", boxes),
        ] {
            self.field(task, "tiles", |()| creation::by_tiles(&grid, &entities))?;
        }
        let (linear, bells) = (discs(&samples, &linear), discs(&samples, &bell));
        self.field("linear discs on samples", "tiles", |()| creation::by_tiles(&grid, &linear))?;
        self.field("Gaussian discs on samples", "tiles", |()| creation::by_tiles(&grid, &bells))
    }

    fn influence(&self) -> Result<(), Failure> {
        let grid = Grid::new([0.0, 0.0], 1.0, SIDE, SIDE)?;
        for (task, open, sources) in [
            ("influence", None, "sources"),
            ("influence with walls", Some(self.open("walls", &grid)?), "sources with walls"),
        ] {
            let mut map = InfluenceMap::new(grid, Propagation { decay: 0.05, momentum: 0.25 }, open)?;
            for source in self.numbers(sources)?.chunks_exact(3) {
                map.set_source(source[0] as u32, source[1] as u32, source[2] as f32)?;
            }
            let sweep = |mut map: InfluenceMap| {
                map.sweep(32);
                Ok(map)
            };
            self.time(task, "32 sweeps", || map.clone(), sweep, |map, file| npy::write_raster(&map.field(), file))?;
        }
        Ok(())
    }

    fn diffusion(&self) -> Result<(), Failure> {
        let grid = Grid::new([0.0, 0.0], 1.0, DIFFUSION_SIDE, DIFFUSION_SIDE)?;
        for (task, walls, amounts, diffusivity) in [
            // A time of 24 explicit steps of 1/6 each, and one of 600.
            ("diffusion", None, "amounts", 4.0),
            ("diffusion with walls", Some("diffusion walls"), "amounts with walls", 4.0),
            ("fast diffusion", None, "amounts", 100.0),
            ("fast diffusion with walls", Some("diffusion walls"), "amounts with walls", 100.0),
        ] {
            let open = walls.map(|walls| self.open(walls, &grid)).transpose()?;
            let mut map = DiffusionMap::new(grid, Diffusion { diffusivity, decay: 0.0 }, open)?;
            for amount in self.numbers(amounts)?.chunks_exact(3) {
                map.add(amount[0] as u32, amount[1] as u32, amount[2] as f32)?;
            }
            let advance = |mut map: DiffusionMap| map.advance(1.0).map(|_| map);
            self.time(task, "advance", || map.clone(), advance, |map, file| npy::write_raster(&map.field(), file))?;
        }
        Ok(())
    }

    fn travel_times(&self) -> Result<(), Failure> {
        let grid = Grid::new([0.0, 0.0], 1.0, SIDE, SIDE)?;
        let weighted: Vec<f32> = self.numbers("costs")?.iter().map(|&cost| cost as f32).collect();
        let middle = (SIDE / 2, SIDE / 2);
        for (task, costs, goal) in [
            ("travel times", vec![1.0; grid.cells()], middle),
            ("weighted travel times", weighted, middle),
            ("travel times in a maze", uniform_costs(&self.open("maze", &grid)?, 1.0)?, (2, 2)),
        ] {
            let times = |()| TravelTimes::to_goals(&grid, &costs, &[goal]);
            self.time(task, "to goals", || (), times, |times, file| npy::write_raster(&times.field(), file))?;
        }
        Ok(())
    }

    fn inflation(&self) -> Result<(), Failure> {
        let layer =
            Inflation { resolution: 0.05, inflation_radius: 0.55, inscribed_radius: 0.2, ..Inflation::default() };
        let (grid, costs) = (Grid::new([0.0, 0.0], 0.05, SIDE, SIDE)?, self.bytes("obstacles")?);
        let inflate = |()| layer.inflate(&costs, SIDE as usize);
        self.time("inflation", "inflate", || (), inflate, |costs, file| npy::write_u8(&grid, costs, file))
    }
}

/// Writes a maze: one byte per cell, 1 for walls.
fn write_maze(folder: &Path) -> Result<(), Failure> {
    let map = maps::maze(SIDE, 1)?;
    let (grid, open) = (map.ground.grid(), map.ground.open());
    let mut walls = vec![1; grid.cells()];
    for (column, row) in open.cells() {
        walls[grid.index(column, row)] = 0;
    }
    Ok(npy::write_u8(grid, &walls, File::create(folder.join("maze.npy"))?)?)
}

fn main() -> Result<(), Failure> {
    let mut arguments = std::env::args().skip(1);
    let folder = PathBuf::from(arguments.next().ok_or("expected a folder")?);
    let Some(repeats) = arguments.next() else { return write_maze(&folder) };
    let only = arguments.next().unwrap_or_default();
    let bench = Bench { folder, repeats: repeats.parse()?, only };
    bench.creation()?;
    bench.influence()?;
    bench.diffusion()?;
    bench.travel_times()?;
    bench.inflation()
}
