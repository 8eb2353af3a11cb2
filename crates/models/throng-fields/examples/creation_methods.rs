//! Time of the creation methods for discs of growing reach, on all threads of the CPU and on a device.
//!
//! ```text
//! cargo run --release -p throng-fields --no-default-features --example creation_methods
//! cargo run --release -p throng-fields --example creation_methods -- cuda:0
//! cargo run --release -p throng-fields --example creation_methods -- vulkan:0 256
//! ```
//!
//! The second argument is the number of cells along a side of the world of 256 x 256 units, 2,048 by default, with as
//! many discs. Each time is the median of five, after a first run that is not counted: from the entities on the host to
//! the field where it was computed, with the transform of the profile and the kernels already there. The greatest
//! difference of a cell from tiles on the CPU is printed beside the bound.

use std::hint::black_box;
use std::time::Instant;

use throng_fields::creation::{self, Method, convolution, separable};
use throng_fields::{Entity, Field, FieldError, Grid, Profile};

type Failure = Box<dyn std::error::Error + Send + Sync>;

/// Side of the world.
const SIDE: f32 = 256.0;

/// The median of five times, milliseconds, after a run that is not counted.
fn milliseconds(mut run: impl FnMut() -> Result<(), Failure>) -> Result<f64, Failure> {
    run()?;
    let mut times = [0.0; 5];
    for time in &mut times {
        let start = Instant::now();
        run()?;
        *time = start.elapsed().as_secs_f64() * 1e3;
    }
    times.sort_by(f64::total_cmp);
    Ok(times[2])
}

/// Discs all over the world, with charges of both signs.
fn scattered(count: u32, profile: &Profile) -> Vec<Entity> {
    let at = |i: u32, factor: u32| (i.wrapping_mul(factor) >> 8) as f32 / 16_777_216.0 * SIDE;
    let place = |i| [at(i, 2_654_435_761), at(i, 1_597_334_677)];
    (1..=count).map(|i| Entity::new(place(i), profile.clone()).with_charge((i % 5) as f32 - 1.5)).collect()
}

/// The largest error of a cell; `None` if the profile does not suit the method.
fn bound(method: Method, grid: &Grid, entities: &[Entity]) -> Option<f32> {
    match method {
        Method::Convolution => convolution::error_bound(grid, entities).ok(),
        Method::Separable => separable::error_bound(grid, entities).ok(),
        _ => Some(0.0),
    }
}

/// Creates fields.
trait Creator {
    /// The time of a field in milliseconds, and the field.
    fn create(&self, method: Method, grid: &Grid, entities: &[Entity]) -> Result<(f64, Field), Failure>;
}

struct Cpu;

impl Creator for Cpu {
    fn create(&self, method: Method, grid: &Grid, entities: &[Entity]) -> Result<(f64, Field), Failure> {
        let create = || -> Result<Field, FieldError> {
            match method {
                Method::Convolution => creation::by_convolution(grid, entities),
                Method::Separable => creation::by_separable(grid, entities),
                _ => creation::by_tiles(grid, entities),
            }
        };
        let time = milliseconds(|| {
            black_box(create()?);
            Ok(())
        })?;
        Ok((time, create()?))
    }
}

#[cfg(feature = "gpu")]
struct OnDevice(throng_device::Device);

#[cfg(feature = "gpu")]
impl Creator for OnDevice {
    fn create(&self, method: Method, grid: &Grid, entities: &[Entity]) -> Result<(f64, Field), Failure> {
        use throng_fields::gpu::{DeviceConvolution, DeviceEntities, DeviceField, DeviceTwoPasses};
        let profile = &entities[0].profile;
        {
            let device = &self.0;
            let field = DeviceField::new(device, grid)?;
            let time = match method {
                Method::Convolution => {
                    let convolution = DeviceConvolution::new(device, grid, profile)?;
                    milliseconds(|| {
                        convolution.create(device, entities, &field)?;
                        Ok(device.synchronize("convolution")?)
                    })?
                }
                Method::Separable => {
                    let passes = DeviceTwoPasses::new(device, grid, profile)?;
                    milliseconds(|| {
                        passes.create(device, entities, &field)?;
                        Ok(device.synchronize("two passes")?)
                    })?
                }
                _ => milliseconds(|| {
                    field.create(device, &DeviceEntities::new(device, grid, entities, None)?)?;
                    Ok(device.synchronize("tiles")?)
                })?,
            };
            Ok((time, field.read(device)?))
        }
    }
}

/// An executor and its name.
struct Named {
    name: String,
    creator: Box<dyn Creator>,
}

#[cfg(feature = "gpu")]
fn on_device(id: &str) -> Result<Named, Failure> {
    let parsed = throng_device::DeviceId::parse(id);
    let known = parsed.ok_or_else(|| format!("{id} is no device: expected cuda:0, vulkan:0 or another number"))?;
    Ok(Named { name: id.to_owned(), creator: Box::new(OnDevice(throng_device::open(known)?)) })
}

#[cfg(not(feature = "gpu"))]
fn on_device(id: &str) -> Result<Named, Failure> {
    Err(format!("{id}: this build has no devices; build with the feature `gpu`").into())
}

fn main() -> Result<(), Failure> {
    let device = std::env::args().nth(1).filter(|device| device != "cpu");
    let cells: u32 = std::env::args().nth(2).map_or(Ok(2048), |cells| cells.parse())?;
    let grid = Grid::new([0.0, 0.0], SIDE / cells as f32, cells, cells)?;
    let cpu = Named { name: "cpu".to_owned(), creator: Box::new(Cpu) };
    let all: Vec<Named> = std::iter::once(Ok(cpu)).chain(device.as_deref().map(on_device)).collect::<Result<_, _>>()?;
    println!("{cells} x {cells} cells, {cells} discs");
    println!(
        "{:9} {:>6} {:12} {:10} {:>10} {:>12} {:>12}",
        "profile", "radius", "method", "on", "ms", "difference", "bound"
    );
    for radius in [15.0, 60.0, 250.0] {
        for (name, profile) in
            [("linear", Profile::linear(radius)?), ("gaussian", Profile::gaussian(radius / 3.0, radius)?)]
        {
            let entities = scattered(cells, &profile);
            let exact = creation::by_tiles(&grid, &entities)?;
            for method in [Method::Tiles, Method::Convolution, Method::Separable] {
                let Some(bound) = bound(method, &grid, &entities) else { continue };
                for Named { name: on, creator } in &all {
                    match creator.create(method, &grid, &entities) {
                        Ok((time, field)) => {
                            let off = field.largest_difference(&exact)?;
                            println!(
                                "{name:9} {radius:6} {:12} {on:10} {time:10.3} {off:12.3e} {bound:12.3e}",
                                method.to_string()
                            );
                        }
                        Err(error) => println!("{name:9} {radius:6} {:12} {on:10} {error}", method.to_string()),
                    }
                }
            }
        }
    }
    Ok(())
}
