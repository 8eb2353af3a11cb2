//! Time per covered cell of every shape with every profile: in floating point and in fixed point, on one thread of the
//! CPU or on a device.
//!
//! ```text
//! cargo run --release -p throng-fields --no-default-features --example creation_shapes
//! cargo run --release -p throng-fields --example creation_shapes -- cuda:0
//! cargo run --release -p throng-fields --example creation_shapes -- cpu ring 128
//! ```
//!
//! The second argument selects the lines that contain it. The third is the number of entities, at least 64 and 2,048 by
//! default, each with a reach of 120 cells on 2,048 x 2,048 cells. A covered cell is one to which an entity adds a
//! value other than 0. Each time is the best of several runs, minus the time of an empty field. Each run also compares
//! every field in fixed point with its definition, on a smaller grid.

use std::hint::black_box;
use std::time::Instant;

use throng_fields::creation::{self, FixedPoint};
use throng_fields::{Entity, Field, Grid, InputError, Knot, Profile, Shape, Stamp};

type Failure = Box<dyn std::error::Error + Send + Sync>;

/// Side length of the world, and number of cells along it.
const SIDE: f32 = 256.0;
const CELLS: u32 = 2048;
const REACH: f32 = 15.0;
const COUNT: u32 = 2048;

fn profiles() -> Result<Vec<(&'static str, Profile)>, InputError> {
    let knots = [Knot::at(0.0, 3.0), Knot::at(6.0, 1.0), Knot::at(11.0, 2.0), Knot::at(REACH, 0.5)];
    let many = |i: u8| Knot::at(f32::from(i) * REACH / 40.0, 1.0 + f32::from(i % 5 * 7 % 5));
    Ok(vec![
        ("linear", Profile::linear(REACH)?),
        ("quadratic", Profile::quadratic(REACH)?),
        ("gaussian", Profile::gaussian(5.0, REACH)?),
        ("3 pieces", Profile::piecewise(&knots)?),
        ("40 pieces", Profile::piecewise(&(0..=40).map(many).collect::<Vec<_>>())?),
        ("table", Profile::table(REACH, &[3.0, 1.0, 4.0, 1.0, 5.0, 0.5])?),
    ])
}

fn shapes() -> Result<Vec<(&'static str, Shape)>, InputError> {
    let pentagon = vec![[-6.0, -5.0], [5.0, -6.0], [8.0, 2.0], [0.0, 7.0], [-7.0, 3.0]];
    let corner = |i: u8| {
        let angle = f32::from(i) * std::f32::consts::TAU / 24.0;
        let radius = if i.is_multiple_of(2) { 8.0 } else { 5.0 };
        [radius * libm::cosf(angle), radius * libm::sinf(angle)]
    };
    let star = (0..24).map(corner).collect();
    Ok(vec![
        ("disc", Shape::Disc),
        ("ring", Shape::Ring { radius: 20.0 }),
        ("capsule", Shape::Capsule { length: 15.0 }),
        ("box", Shape::Box { half: [7.5, 4.0] }),
        ("polygon, 5 corners", Shape::Polygon { corners: pentagon }),
        ("polygon, 24 corners", Shape::Polygon { corners: star }),
        ("cone", Shape::Cone { half_angle: 0.6 }),
        ("stamp", Shape::Stamp(Stamp::new(63, 63, 0.46, &[1.0; 63 * 63])?)),
    ])
}

/// Entities of one kind that reach no cell beyond the border.
fn scattered(count: u32, profile: &Profile, shape: &Shape) -> Vec<Entity> {
    let margin = 2.5 * REACH;
    let at = |i: u32, factor: u32| margin + (i.wrapping_mul(factor) >> 8) as f32 / 16_777_216.0 * (SIDE - 2.0 * margin);
    let entity = |i: u32| {
        let place = [at(i, 2_654_435_761), at(i, 1_597_334_677)];
        let heading = i as f32 * 0.7 % 6.0;
        Entity::new(place, profile.clone())
            .with_shape(shape.clone())
            .with_heading(heading)
            .with_charge(0.5 + (i % 7) as f32 / 8.0)
    };
    (1..=count).map(entity).collect()
}

/// Estimated number of cells that all entities cover, counted once per entity, from a sample of about 16 entities.
fn covered(grid: &Grid, entities: &[Entity]) -> Result<f64, InputError> {
    let sample = entities.iter().step_by(entities.len() / 16);
    let cells = sample.clone().map(|entity| {
        let field = creation::by_tiles(grid, std::slice::from_ref(entity))?;
        Ok(field.values().iter().filter(|&&value| value != 0.0).count() as f64)
    });
    Ok(cells.sum::<Result<f64, InputError>>()? / sample.count() as f64 * entities.len() as f64)
}

/// The time of the best of several runs, in nanoseconds.
fn nanoseconds(mut run: impl FnMut() -> Result<(), Failure>) -> Result<f64, Failure> {
    let (mut best, since) = (f64::INFINITY, Instant::now());
    for round in 0..50 {
        let start = Instant::now();
        run()?;
        best = best.min(start.elapsed().as_secs_f64() * 1e9);
        if round >= 2 && since.elapsed().as_secs_f64() > 2.0 {
            break;
        }
    }
    Ok(best)
}

/// An executor that creates fields.
trait Creator {
    /// Time to create a field, in nanoseconds.
    fn time(&self, grid: &Grid, entities: &[Entity], fixed: Option<FixedPoint>) -> Result<f64, Failure>;

    /// Creates a field.
    fn field(&self, grid: &Grid, entities: &[Entity], fixed: FixedPoint) -> Result<Field, Failure>;
}

struct Cpu;

impl Creator for Cpu {
    fn time(&self, grid: &Grid, entities: &[Entity], fixed: Option<FixedPoint>) -> Result<f64, Failure> {
        nanoseconds(|| {
            black_box(match fixed {
                Some(fixed) => fixed.by_tiles(grid, entities)?,
                None => creation::by_tiles(grid, entities)?,
            });
            Ok(())
        })
    }

    fn field(&self, grid: &Grid, entities: &[Entity], fixed: FixedPoint) -> Result<Field, Failure> {
        Ok(fixed.by_tiles(grid, entities)?)
    }
}

#[cfg(feature = "gpu")]
struct OnDevice(throng_device::Device);

#[cfg(feature = "gpu")]
impl Creator for OnDevice {
    fn time(&self, grid: &Grid, entities: &[Entity], fixed: Option<FixedPoint>) -> Result<f64, Failure> {
        use throng_fields::gpu::{DeviceEntities, DeviceField};
        let device = &self.0;
        let entities = DeviceEntities::new(device, grid, entities, fixed)?;
        let field = DeviceField::new(device, grid)?;
        field.create(device, &entities)?;
        device.synchronize("warming up")?;
        // Several in a row, because waiting for a device takes as long as creating a field.
        let all = nanoseconds(|| {
            for _ in 0..IN_A_ROW {
                field.create(device, &entities)?;
            }
            Ok(device.synchronize("creating fields")?)
        })?;
        Ok(all / f64::from(IN_A_ROW))
    }

    fn field(&self, grid: &Grid, entities: &[Entity], fixed: FixedPoint) -> Result<Field, Failure> {
        use throng_fields::gpu::{DeviceEntities, DeviceField};
        let device = &self.0;
        let entities = DeviceEntities::new(device, grid, entities, Some(fixed))?;
        let field = DeviceField::new(device, grid)?;
        field.create(device, &entities)?;
        Ok(field.read(device)?)
    }
}

/// Number of fields that a device creates before the host waits.
#[cfg(feature = "gpu")]
const IN_A_ROW: u32 = 8;

fn creator(device: Option<&str>) -> Result<(Box<dyn Creator>, f64, &'static str), Failure> {
    match device {
        None => Ok((Box::new(Cpu), 1.0, "ns")),
        #[cfg(feature = "gpu")]
        Some(id) => {
            let parsed = throng_device::DeviceId::parse(id);
            let known =
                parsed.ok_or_else(|| format!("{id} is not a device: expected cuda:0, vulkan:0 or another index"))?;
            Ok((Box::new(OnDevice(throng_device::open(known)?)), 1000.0, "ps"))
        }
        #[cfg(not(feature = "gpu"))]
        Some(id) => Err(format!("{id}: this build has no devices; build with the feature `gpu`").into()),
    }
}

/// Checks that the field of the first entities in fixed point, on a small grid, equals its definition.
fn check(creator: &dyn Creator, entities: &[Entity]) -> Result<(), Failure> {
    let grid = Grid::new([0.0, 0.0], 1.0, SIDE as u32, SIDE as u32)?;
    let (few, fixed) = (&entities[..64], FixedPoint::default());
    let (expected, found) = (fixed.every_pair(&grid, few)?, creator.field(&grid, few, fixed)?);
    if expected == found { Ok(()) } else { Err("a field in fixed point differs from its definition".into()) }
}

fn run() -> Result<(), Failure> {
    let grid = Grid::new([0.0, 0.0], SIDE / CELLS as f32, CELLS, CELLS)?;
    let device = std::env::args().nth(1);
    let only = std::env::args().nth(2).unwrap_or_default();
    let count = std::env::args().nth(3).map_or(Ok(COUNT), |count| count.parse())?;
    let (creator, factor, unit) = creator(device.as_deref().filter(|&device| device != "cpu"))?;
    let empty = [None, Some(FixedPoint::default())].map(|fixed| creator.time(&grid, &[], fixed));
    let [empty_floats, empty_steps] = empty;
    let (empty_floats, empty_steps) = (empty_floats?, empty_steps?);
    println!("{:20} {:10} {:>12} {:>12} {:>12}", "shape", "profile", "covered, M", "floats", "fixed point");
    println!("{:20} {:10} {:>12} {:>12} {:>12}", "", "", "", format!("{unit}/cell"), format!("{unit}/cell"));
    for (shape_name, shape) in shapes()? {
        for (name, profile) in profiles()? {
            let is_stamp = matches!(shape, Shape::Stamp(_));
            if (is_stamp && name != "linear") || !format!("{shape_name} {name}").contains(&only) {
                continue;
            }
            let entities = scattered(count, &profile, &shape);
            let cells = covered(&grid, &entities)?;
            let floats = (creator.time(&grid, &entities, None)? - empty_floats) / cells * factor;
            let fixed = (creator.time(&grid, &entities, Some(FixedPoint::default()))? - empty_steps) / cells * factor;
            check(&*creator, &entities)?;
            let name = if is_stamp { "" } else { name };
            println!("{shape_name:20} {name:10} {:12.1} {floats:12.2} {fixed:12.2}", cells / 1e6);
        }
    }
    Ok(())
}

fn main() -> Result<(), Failure> {
    throng_core::thread_pool(1)?.install(run)
}
