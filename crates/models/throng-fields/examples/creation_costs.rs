//! Measures the cost of the creation methods on this machine: the constants of `src/creation/costs.rs`.
//!
//! `RAYON_NUM_THREADS=1 cargo run --release -p throng-fields --example creation_costs`

use std::hint::black_box;
use std::time::Instant;

use throng_fields::{Entity, FieldError, Grid, Knot, Profile, Shape, Stamp, creation};

/// Side of the world, and of the grid in cells.
const SIDE: f32 = 2048.0;
/// Reach of entities.
const REACH: f32 = 120.0;

/// The best of five, nanoseconds.
fn nanoseconds<T>(run: impl Fn() -> Result<T, FieldError>) -> Result<f64, FieldError> {
    let mut best = f64::INFINITY;
    for _ in 0..5 {
        let start = Instant::now();
        black_box(run()?);
        best = best.min(start.elapsed().as_secs_f64() * 1e9);
    }
    Ok(best)
}

/// Entities that do not reach beyond the border of the world.
fn scattered(count: u32, profile: &Profile, shape: &Shape) -> Vec<Entity> {
    let margin = 2.0 * REACH;
    let at = |i: u32, factor: u32| margin + (i.wrapping_mul(factor) >> 8) as f32 / 16_777_216.0 * (SIDE - 2.0 * margin);
    let place = |i| [at(i, 2_654_435_761), at(i, 1_597_334_677)];
    (1..=count).map(|i| Entity::new(place(i), profile.clone()).with_shape(shape.clone())).collect()
}

fn main() -> Result<(), FieldError> {
    let grid = Grid::new([0.0, 0.0], 1.0, SIDE as u32, SIDE as u32)?;
    let (linear, disc) = (Profile::linear(REACH)?, Shape::Disc);

    let empty = nanoseconds(|| creation::by_tiles(&grid, &[]))?;
    println!("tiles, cell of the grid: {:.2} ns", empty / grid.cells() as f64);
    let tiny = scattered(200_000, &Profile::linear(0.01)?, &disc);
    let per_entity = (nanoseconds(|| creation::by_tiles(&grid, &tiny))? - empty) / tiny.len() as f64;
    println!("tiles, entity: {per_entity:.0} ns");

    let circle = f64::from(std::f32::consts::PI * REACH * REACH);
    let box_of = |[x, y]: [f32; 2]| f64::from((x + 2.0 * REACH) * (y + 2.0 * REACH));
    let knots = [Knot::at(0.0, 3.0), Knot::at(50.0, 1.0), Knot::at(90.0, 2.0), Knot::at(REACH, 0.0)];
    let stamp = Stamp::new(63, 63, 3.0, &[1.0; 63 * 63])?;
    let triangle = vec![[-40.0, -40.0], [40.0, -40.0], [0.0, 40.0]];
    for (name, profile, shape, cells) in [
        ("linear discs", linear.clone(), disc.clone(), circle),
        ("quadratic discs", Profile::quadratic(REACH)?, disc.clone(), circle),
        ("Gaussian discs", Profile::gaussian(40.0, REACH)?, disc.clone(), circle),
        ("piecewise linear discs", Profile::piecewise(&knots)?, disc.clone(), circle),
        ("discs of a table", Profile::table(REACH, &[3.0, 1.0, 4.0, 1.0, 5.0, 0.0])?, disc.clone(), circle),
        ("rings", linear.clone(), Shape::Ring { radius: 40.0 }, box_of([80.0; 2])),
        ("Gaussian rings", Profile::gaussian(40.0, REACH)?, Shape::Ring { radius: 40.0 }, box_of([80.0; 2])),
        ("capsules", linear.clone(), Shape::Capsule { length: 40.0 }, box_of([40.0, 0.0])),
        ("boxes", linear.clone(), Shape::Box { half: [40.0, 20.0] }, box_of([80.0, 40.0])),
        ("cones", linear.clone(), Shape::Cone { half_angle: 0.5 }, box_of([0.0; 2])),
        ("triangles", linear.clone(), Shape::Polygon { corners: triangle }, box_of([80.0; 2])),
        ("stamps", linear.clone(), Shape::Stamp(stamp), 192.0 * 192.0),
    ] {
        let entities = scattered(300, &profile, &shape);
        let time = nanoseconds(|| creation::by_tiles(&grid, &entities))? - empty;
        println!("tiles, covered cell of {name}: {:.2} ns", time / (cells * entities.len() as f64));
        let fixed = nanoseconds(|| creation::FixedPoint::default().by_tiles(&grid, &entities))? - empty;
        println!("    in fixed point: {:.2} ns", fixed / (cells * entities.len() as f64));
    }

    for side in [256u32, 512, 1024, 2048, 4096] {
        let grid = Grid::new([0.0, 0.0], 1.0, side, side)?;
        let time = nanoseconds(|| creation::by_convolution(&grid, &scattered(1, &linear, &disc)))?;
        println!("convolution, {side} x {side}: {:.1} ms", time / 1e6);
    }
    let (few, many) = (scattered(1000, &linear, &disc), scattered(1_000_000, &linear, &disc));
    let time = |entities: &[Entity]| nanoseconds(|| creation::by_convolution(&grid, entities));
    println!("convolution, entity: {:.0} ns", (time(&many)? - time(&few)?) / (many.len() - few.len()) as f64);

    let bell = Profile::gaussian(40.0, REACH)?;
    let taps = f64::from(2.0 * REACH);
    let time = |count: u32| nanoseconds(|| creation::by_separable(&grid, &scattered(count, &bell, &disc)));
    let [few, many, twice] = [time(2_048)?, time(20_000)?, time(40_000)?];
    println!(
        "two passes, 2,048, 20,000 and 40,000 entities: {:.1}, {:.1}, {:.1} ms",
        few / 1e6,
        many / 1e6,
        twice / 1e6
    );
    println!("two passes, entity and cell within reach: {:.2} ns", (twice - many) / (20_000.0 * taps));
    Ok(())
}
