//! Time of each creation method, estimated in advance.

use throng_device::DeviceClass;

use super::convolution;
use super::fourier::{Transform, check_lines};
use super::impulses::{Impulses, common_profile};
use super::separable;
use crate::entities::{Cells, Entity};
use crate::error::FieldError;
use crate::grid::Grid;
use crate::profile::Form;
use crate::shape::Shape;

// Nanoseconds on one thread, as `examples/creation_costs.rs` and, for covered cells, `examples/creation_shapes.rs`
// measure them: release build for any x86-64, one core of an AMD EPYC server. Other machines differ, but hardly in the
// order of the methods.

/// Tiles: an entity that is placed and listed. Not on all threads.
const LISTED: f64 = 100.0;
/// Tiles: a cell of the field that is written to for the first time, when its memory is allocated.
const WRITTEN: f64 = 1.0;
/// Tiles: a covered cell of a linear or quadratic disc, eight of which are added to at a time.
const COVERED_BY_SIMPLE_DISC: f64 = 0.3;
/// Tiles: a covered cell of a Gaussian disc, several of which are added to at a time, too: three times a simple one,
/// in every measurement.
const COVERED_BY_BELL: f64 = 0.9;
/// Tiles: a covered cell of any other figure, with a linear or quadratic profile, except those below.
const COVERED: f64 = 1.2;
/// Tiles: a covered cell of a polygon with a linear or quadratic profile, and the additional cost for each corner: few
/// sides are measured, but all are looked at for each block of cells.
const COVERED_BY_POLYGON: f64 = 2.3;
const CORNER: f64 = 0.1;
/// Tiles: a cell covered by a stamp.
const STAMPED: f64 = 5.0;
/// Tiles: the additional cost of a cell if the profile is a bell, knots, or a table.
const BELL: f64 = 0.6;
const KNOTS: f64 = 1.7;
const TABLE: f64 = 1.6;
/// Tiles in fixed point: the additional cost of a covered cell of a linear or quadratic disc, and of any other figure.
const SIMPLE_DISC_IN_FIXED_POINT: f64 = 0.5;
const IN_FIXED_POINT: f64 = 0.4;
/// Convolution: a point of the transforms, times the binary logarithm of their number. 2304 x 1280 points, those of a
/// grid of 2048 x 2048 cells and a reach of 120, took 56 to 62 ms.
const TRANSFORMED: f64 = 0.9;
/// Convolution and two passes: an entity that is distributed to points. Not on all threads.
const SHARED: f64 = 100.0;
/// Two passes: a cell of the grid, for each cell within reach along an axis that a charge has reached. 2,048 and 20,000
/// entities of a reach of 120 cells took 11 to 17 and 41 ms on 2048 x 2048 cells.
const SUMMED: f64 = 0.04;
/// Two passes: an entity, for each cell within reach along an axis.
const SPREAD: f64 = 1.0;

// Nanoseconds on a device.

/// A covered cell in fixed point: 26 million took 101 microseconds on an NVIDIA H200.
const COVERED_ON_GPU: f64 = 0.004;
/// A cell that is copied to the host, over a bus of 5 GB/s.
const COPIED_FROM_GPU: f64 = 0.8;
/// Launches, and waiting for the result.
const LAUNCHED: f64 = 200_000.0;
/// Convolution: a point of the transforms. On an NVIDIA H200, 27.7 million points more take 1.0 ms longer.
const TRANSFORMED_ON_GPU: f64 = 0.04;
/// Convolution: a value of the profile that the host computes. Estimated, not measured.
const PROFILE_VALUE: f64 = 5.0;
/// Two passes: a cell of the grid, for each cell within reach along an axis. On an NVIDIA H200, 720 cells more within
/// reach, for 2048 x 2048 cells, take 0.26 ms longer.
const SUMMED_ON_GPU: f64 = 0.000_1;
/// How much longer an integrated GPU takes, and a device in software. Only the order matters.
const SLOWER_INTEGRATED: f64 = 20.0;
const SLOWER_SOFTWARE: f64 = 1000.0;

/// The estimate of a creation method.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Estimate {
    /// The work that takes the time.
    pub amount: String,
    /// On the available threads.
    pub seconds: f64,
    /// The largest possible error of a cell.
    pub error: f32,
}

impl Estimate {
    /// From nanoseconds that are divided among threads, and those that are not.
    fn new(amount: String, shared: f64, serial: f64, error: f32) -> Self {
        let seconds = (shared / rayon::current_num_threads() as f64 + serial) * 1e-9;
        Self { amount, seconds, error }
    }
}

/// By tiles, in floating point.
pub(super) fn tiles(grid: &Grid, entities: &[Entity]) -> Estimate {
    tiles_at(grid, entities, per_covered_cell)
}

/// By tiles, in fixed point.
pub(super) fn tiles_in_fixed_point(grid: &Grid, entities: &[Entity]) -> Estimate {
    let more = |entity: &Entity| if is_simple_disc(entity) { SIMPLE_DISC_IN_FIXED_POINT } else { IN_FIXED_POINT };
    tiles_at(grid, entities, |entity| per_covered_cell(entity) + more(entity))
}

/// By tiles, with the time of a covered cell.
fn tiles_at(grid: &Grid, entities: &[Entity], per_cell: impl Fn(&Entity) -> f64) -> Estimate {
    let (covered, time) = entities.iter().fold((0.0, 0.0), |(covered, time), entity| {
        let cells = covered_cells(grid, entity);
        (covered + cells, time + cells * per_cell(entity))
    });
    let time = time + WRITTEN * covered.min(grid.cells() as f64);
    Estimate::new(covered_amount(covered), time, LISTED * entities.len() as f64, 0.0)
}

/// By tiles in fixed point on a device, copied to the host.
pub(super) fn tiles_on(class: DeviceClass, grid: &Grid, entities: &[Entity]) -> Estimate {
    let covered: f64 = entities.iter().map(|entity| covered_cells(grid, entity)).sum();
    let seconds = seconds_on(class, grid, COVERED_ON_GPU * covered, LISTED * entities.len() as f64);
    Estimate { amount: covered_amount(covered), seconds, error: 0.0 }
}

/// The time of work on a device, and on the host before it, nanoseconds; and of copying the field.
fn seconds_on(class: DeviceClass, grid: &Grid, there: f64, here: f64) -> f64 {
    let slower = match class {
        DeviceClass::Discrete => 1.0,
        DeviceClass::Integrated | DeviceClass::Virtual => SLOWER_INTEGRATED,
        DeviceClass::Software => SLOWER_SOFTWARE,
    };
    (LAUNCHED + here + slower * (there + COPIED_FROM_GPU * grid.cells() as f64)) * 1e-9
}

/// The cells that an entity covers: those of its bounding box, without corners that are out of reach.
fn covered_cells(grid: &Grid, entity: &Entity) -> f64 {
    let cells = entity.cells(grid).map_or(0, Cells::count) as f64;
    if matches!(entity.shape, Shape::Stamp(_)) { cells } else { std::f64::consts::FRAC_PI_4 * cells }
}

fn covered_amount(covered: f64) -> String {
    format!("{} cells covered", Amount(covered))
}

/// Whether eight cells at a time are added to.
fn is_simple_disc(entity: &Entity) -> bool {
    entity.shape == Shape::Disc && matches!(entity.profile.form, Form::Linear | Form::Quadratic)
}

fn per_covered_cell(entity: &Entity) -> f64 {
    let figure = match &entity.shape {
        Shape::Disc if is_simple_disc(entity) => return COVERED_BY_SIMPLE_DISC,
        Shape::Disc if matches!(entity.profile.form, Form::Gaussian { .. }) => return COVERED_BY_BELL,
        Shape::Stamp(_) => return STAMPED,
        Shape::Polygon { corners } => COVERED_BY_POLYGON + CORNER * corners.len() as f64,
        _ => COVERED,
    };
    figure
        + match entity.profile.form {
            Form::Linear | Form::Quadratic => 0.0,
            Form::Gaussian { .. } => BELL,
            Form::Piecewise(..) => KNOTS,
            Form::Table(_) => TABLE,
        }
}

/// By convolution.
///
/// # Errors
/// When it cannot be done.
pub(super) fn convolution(grid: &Grid, entities: &[Entity]) -> Result<Estimate, FieldError> {
    let error = convolution::error_bound(grid, entities)?;
    let Some(profile) = common_profile(entities)? else { return Ok(nothing()) };
    let (_, _, pad) = Impulses::size(grid, profile)?;
    let [columns, rows] = Transform::size(grid, pad);
    let points = columns as f64 * rows as f64;
    let time = TRANSFORMED * points * libm::log2(points);
    Ok(Estimate::new(format!("{columns} x {rows} points"), time, SHARED * entities.len() as f64, error))
}

/// By two passes.
///
/// # Errors
/// When it cannot be done.
pub(super) fn separable(grid: &Grid, entities: &[Entity]) -> Result<Estimate, FieldError> {
    let error = separable::error_bound(grid, entities)?;
    let Some(profile) = common_profile(entities)? else { return Ok(nothing()) };
    let (_, rows, pad) = Impulses::size(grid, profile)?;
    let (cells, taps) = (grid.cells() as f64, (2 * pad + 1) as f64);
    let count = entities.len() as f64;
    // Each entity is in two rows, anywhere. What no charge reaches takes no time.
    let per_part = 2.0 * count / rows as f64 * (taps + separable::LANES as f64) / f64::from(grid.columns());
    let reached = -libm::expm1(-per_part) * cells;
    let time = (SUMMED * reached + SPREAD * count) * taps + WRITTEN * reached;
    let amount = format!("{} cells from {taps} rows each", Amount(cells));
    Ok(Estimate::new(amount, time, SHARED * count, error))
}

/// By convolution on a device whose cubes transform lines of up to `longest` points, copied to the host. `on_cpu` is the
/// estimate for the CPU.
///
/// # Errors
/// When it cannot be done.
pub(super) fn convolution_on(
    (class, longest): (DeviceClass, usize),
    grid: &Grid,
    entities: &[Entity],
    on_cpu: &Estimate,
) -> Result<Estimate, FieldError> {
    let (mut there, mut here) = (0.0, SHARED * entities.len() as f64);
    if let Some(profile) = common_profile(entities)? {
        let (_, _, pad) = Impulses::size(grid, profile)?;
        let size = Transform::size(grid, pad);
        check_lines(size, longest)?;
        there = TRANSFORMED_ON_GPU * size[0] as f64 * size[1] as f64;
        let values = (pad + 1) as f64 * (pad + 1) as f64;
        here += PROFILE_VALUE * values / rayon::current_num_threads() as f64;
    }
    Ok(Estimate { seconds: seconds_on(class, grid, there, here), ..on_cpu.clone() })
}

/// By two passes on a device, copied to the host. `on_cpu` is the estimate for the CPU.
///
/// # Errors
/// When it cannot be done.
pub(super) fn separable_on(
    class: DeviceClass,
    grid: &Grid,
    entities: &[Entity],
    on_cpu: &Estimate,
) -> Result<Estimate, FieldError> {
    let mut there = 0.0;
    if let Some(profile) = common_profile(entities)? {
        let (_, _, pad) = Impulses::size(grid, profile)?;
        there = SUMMED_ON_GPU * grid.cells() as f64 * (2 * pad + 1) as f64;
    }
    let here = SHARED * entities.len() as f64;
    Ok(Estimate { seconds: seconds_on(class, grid, there, here), ..on_cpu.clone() })
}

/// Without entities.
fn nothing() -> Estimate {
    Estimate::new("no entities".to_owned(), 0.0, 0.0, 0.0)
}

/// A number of things, such as `92.7 M`.
struct Amount(f64);

impl std::fmt::Display for Amount {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            many if many >= 1e6 => write!(f, "{:.1} M", many / 1e6),
            many if many >= 1e4 => write!(f, "{:.1} k", many / 1e3),
            few => write!(f, "{few:.0}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Profile;

    #[test]
    fn amounts_are_those_of_the_benchmark_of_the_thesis() {
        // 2048 circles of 120 cells cover 92.7 million cells.
        let grid = Grid::new([0.0, 0.0], 0.125, 2048, 2048).unwrap();
        let circle = Entity::new([128.0, 128.0], Profile::linear(15.0).unwrap());
        let circles = vec![circle; 2048];
        let covered = tiles(&grid, &circles).amount;
        let millions: f32 = covered.strip_suffix(" M cells covered").unwrap().parse().unwrap();
        assert!((millions / 92.7 - 1.0).abs() < 0.02, "{covered}");
        assert_eq!(convolution(&grid, &circles).unwrap().amount, "2304 x 1280 points");
        assert_eq!([92_650_000.0, 12_340.0, 812.0].map(|n| Amount(n).to_string()), ["92.7 M", "12.3 k", "812"]);
    }

    #[test]
    fn more_of_anything_takes_longer() {
        let grid = Grid::new([0.0, 0.0], 1.0, 500, 500).unwrap();
        let seconds = |count: usize, sigma: f32, reach: f32| {
            let entity = Entity::new([250.0, 250.0], Profile::gaussian(sigma, reach).unwrap());
            let entities = vec![entity; count];
            let others = [convolution(&grid, &entities).unwrap(), separable(&grid, &entities).unwrap()];
            [tiles(&grid, &entities).seconds, others[0].seconds, others[1].seconds]
        };
        let [few, many, wide] = [seconds(10, 5.0, 20.0), seconds(1000, 5.0, 20.0), seconds(10, 5.0, 90.0)];
        for method in 0..3 {
            assert!(few[method] < many[method] && few[method] < wide[method], "{few:?} {many:?} {wide:?}");
        }
    }
}
