//! Reads scenarios and expected values from the files of this folder, and compares them, reporting all differences
//! together.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::DeserializeOwned;
use throng_fields::{Entity, Grid, Mask, Stamp};
use throng_pictures::files::npy::{self, Values};

/// A stamp with its position and heading in the world.
#[derive(Deserialize)]
pub struct Stamped {
    position: [f64; 2],
    heading: f32,
    charge: f32,
    layers: u32,
    side: f32,
    columns: u32,
    rows: u32,
    values: Vec<f32>,
}

/// The sources of a field.
#[derive(Deserialize)]
pub struct Sources {
    entities: Vec<Entity>,
    stamps: Vec<Stamped>,
}

impl Sources {
    pub fn all(&self) -> Vec<Entity> {
        let stamped = self.stamps.iter().map(|stamped| {
            let stamp = Stamp::new(stamped.columns, stamped.rows, stamped.side, &stamped.values).unwrap();
            let entity = Entity::stamped(stamped.position, stamp).with_charge(stamped.charge);
            entity.with_heading(stamped.heading).in_layers(stamped.layers)
        });
        self.entities.iter().cloned().chain(stamped).collect()
    }
}

/// The cells that are not in a list of walls.
pub fn open(grid: &Grid, walls: &[usize]) -> Mask {
    Mask::new(grid, |column, row| walls.binary_search(&grid.index(column, row)).is_err())
}

/// Column and row of each cell, row by row.
pub fn places(grid: &Grid) -> impl Iterator<Item = (u32, u32)> {
    let columns = grid.columns();
    (0..grid.rows()).flat_map(move |row| (0..columns).map(move |column| (column, row)))
}

/// The expected values, which comparisons take in order.
pub struct Expected {
    values: Vec<f32>,
    taken: usize,
}

impl Expected {
    pub fn take(&mut self, count: usize) -> Vec<f32> {
        let from = self.taken;
        self.taken += count;
        self.values[from..self.taken].to_vec()
    }

    /// Takes one value per cell.
    pub fn cells(&mut self, grid: &Grid) -> Vec<f32> {
        self.take(grid.cells())
    }
}

impl Drop for Expected {
    fn drop(&mut self) {
        assert!(std::thread::panicking() || self.taken == self.values.len(), "values are left over");
    }
}

/// Reads the scenarios of a part, and the values for all of them.
pub fn read<S: DeserializeOwned>(part: &str) -> (Vec<S>, Expected) {
    let file = |ending: &str| -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/formulas").join(format!("{part}.{ending}"))
    };
    let scenarios = serde_json::from_reader(BufReader::new(File::open(file("json")).unwrap())).unwrap();
    let array = npy::read(BufReader::new(File::open(file("npy")).unwrap())).unwrap();
    let Values::F32(values) = array.values else { panic!("{part}.npy has another type") };
    (scenarios, Expected { values, taken: 0 })
}

/// Differences that exceed their bounds.
#[derive(Default)]
pub struct Findings {
    found: Vec<String>,
    /// The largest difference, as a multiple of its bound, and its location.
    most: (f32, String),
}

impl Findings {
    /// Compares values with the expected values of the same cells.
    pub fn compare(&mut self, name: &str, values: &[f32], expected: &[f32], bound: f32) {
        assert_eq!(values.len(), expected.len(), "{name}");
        let off = |(i, (a, b)): (usize, (&f32, &f32))| ((a - b).abs(), i);
        let differences = values.iter().zip(expected).enumerate().map(off);
        let (most, cell) = differences.fold((0.0, 0), |a, b| if b.0 > a.0 || b.0.is_nan() { b } else { a });
        if most.is_nan() || most > bound {
            let (value, right) = (values[cell], expected[cell]);
            self.add(format!("{name}: {value} instead of {right} in cell {cell}, off by {most}, {bound} is allowed"));
        }
        if most / bound > self.most.0 {
            self.most = (most / bound, name.to_owned());
        }
    }

    /// Adds a finding that is not a numeric difference.
    pub fn add(&mut self, what: String) {
        self.found.push(what);
    }

    /// Fails if there were differences.
    pub fn finish(self) {
        let (most, name) = self.most;
        println!("the largest difference is {most:.2} of its bound: {name}");
        assert!(self.found.is_empty(), "{} findings:\n{}", self.found.len(), self.found.join("\n"));
    }
}
