//! Pedestrians with social fields, on any executor.

use throng_core::InputError;
use throng_device::{Error, Executor, Needs, On};

use super::bodies::CpuBodies;
use super::cpu::CpuField;
use super::fields::{FieldParameters, FieldTables};
use super::scene::{Pedestrians, World};
use super::start::{Flow, Start};
use super::summing::Summing;
#[cfg(feature = "gpu")]
use {
    super::gpu::{DeviceBodies, DeviceField},
    std::sync::Arc,
    throng_device::Device,
};

/// Pedestrians in a world, computed tick by tick on the threads of the CPU or on a device.
/// [`Reference`](super::Reference) defines a tick; all executors have the same states, bit for bit.
///
/// ```
/// use throng_device::DeviceChoice;
/// use throng_pedestrians::{Flow, SocialField, World};
///
/// let world = World::from_plan(&[
///     "####################", // The upper wall
///     "#..................E", // and the exit.
///     "#..................E",
///     "#.......##.........#",
///     "#.......##.........#",
///     "#..................#",
///     "####################",
/// ])?;
/// let room = SocialField::builder(world).at_random(0.3, Flow::Uni).seed(1);
/// let mut room = room.on(DeviceChoice::Auto).build()?;
/// while room.pedestrians()?.inside() > 0 {
///     room.step()?;
/// }
/// assert!((20..200).contains(&room.tick()));
/// # Ok::<(), throng_device::Error>(())
/// ```
#[derive(Debug)]
pub struct SocialField {
    executor: Executor,
    program: Program,
    tick: u32,
}

/// The state on its executor. Bodies of several space units have separate executors.
#[derive(Debug)]
enum Program {
    Cpu(Box<CpuField>),
    CpuBodies(Box<CpuBodies>),
    #[cfg(feature = "gpu")]
    Device(Arc<Device>, Box<DeviceField>),
    #[cfg(feature = "gpu")]
    DeviceBodies(Arc<Device>, Box<DeviceBodies>),
}

impl SocialField {
    /// Starts building a simulation in a world.
    pub fn builder(world: World) -> SocialFieldBuilder {
        SocialFieldBuilder {
            world,
            fields: Fields::Parameters(FieldParameters::default()),
            people: People::Given(Box::default()),
            periods: vec![1],
            seed: 0,
            tick: 0,
            summing: None,
            on: On::default(),
        }
    }

    /// The executor, with the reason for an automatic choice.
    pub fn executor(&self) -> &Executor {
        &self.executor
    }

    /// Index of the next tick.
    pub fn tick(&self) -> u32 {
        self.tick
    }

    /// Computes a tick. Returns as soon as the work has been submitted to a device.
    ///
    /// # Errors
    /// If the device fails.
    pub fn step(&mut self) -> Result<(), Error> {
        match &mut self.program {
            Program::Cpu(field) => drop(field.step()),
            Program::CpuBodies(bodies) => drop(bodies.step()),
            #[cfg(feature = "gpu")]
            Program::Device(device, field) => field.step(device)?,
            #[cfg(feature = "gpu")]
            Program::DeviceBodies(device, bodies) => bodies.step(device)?,
        }
        self.tick += 1;
        Ok(())
    }

    /// Returns the pedestrians before the next tick. Copies them from a device.
    ///
    /// # Errors
    /// If the device fails.
    pub fn pedestrians(&self) -> Result<Pedestrians, Error> {
        match &self.program {
            Program::Cpu(field) => Ok(field.pedestrians()),
            Program::CpuBodies(bodies) => Ok(bodies.pedestrians()),
            #[cfg(feature = "gpu")]
            Program::Device(device, field) => Ok(field.pedestrians(device)?),
            #[cfg(feature = "gpu")]
            Program::DeviceBodies(device, bodies) => Ok(bodies.pedestrians(device)?),
        }
    }

    /// Bytes of the state in device memory; `None` on the CPU, and for bodies of several space units.
    pub fn device_bytes(&self) -> Option<usize> {
        match &self.program {
            #[cfg(feature = "gpu")]
            Program::Device(_, field) => Some(field.bytes()),
            _ => None,
        }
    }
}

/// Maximum first tick of a simulation; as many ticks can follow.
pub const MAX_FIRST_TICK: u32 = 1 << 31;

/// Builds a [`SocialField`].
#[derive(Debug, Clone)]
#[must_use = "a builder does nothing until `build` is called"]
pub struct SocialFieldBuilder {
    world: World,
    fields: Fields,
    people: People,
    periods: Vec<u32>,
    seed: u64,
    tick: u32,
    summing: Option<Summing>,
    on: On,
}

#[derive(Debug, Clone)]
enum Fields {
    Parameters(FieldParameters),
    Tables(Box<FieldTables>),
}

#[derive(Debug, Clone)]
enum People {
    Given(Box<Pedestrians>),
    Random { density: f64, flow: Flow },
}

impl SocialFieldBuilder {
    /// Sets the parameters of all fields.
    pub fn parameters(self, parameters: FieldParameters) -> Self {
        Self { fields: Fields::Parameters(parameters), ..self }
    }

    /// Sets the tables of all fields instead of their parameters, for programs that reuse them.
    pub fn tables(self, tables: FieldTables) -> Self {
        Self { fields: Fields::Tables(Box::new(tables)), ..self }
    }

    /// Places the given pedestrians.
    pub fn pedestrians(self, pedestrians: Pedestrians) -> Self {
        Self { people: People::Given(Box::new(pedestrians)), ..self }
    }

    /// Places pedestrians in random space units: a fraction of those that are not walls, 0 to 1. In a world without
    /// exits, `flow` gives their headings; in one with exits all of them walk to the nearest.
    pub fn at_random(self, density: f64, flow: Flow) -> Self {
        Self { people: People::Random { density, flow }, ..self }
    }

    /// Sets the walk periods, ticks per step, of which pedestrians at random positions draw one. The default is 1.
    pub fn walk_periods(self, periods: &[u32]) -> Self {
        Self { periods: periods.to_vec(), ..self }
    }

    /// Sets the seed of all draws. The default is 0.
    pub fn seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// Sets the first tick, at most [`MAX_FIRST_TICK`], to continue from a state. The default is 0.
    pub fn first_tick(self, tick: u32) -> Self {
        Self { tick, ..self }
    }

    /// Sets the method that computes field sums, which does not change results. The default is the fastest one.
    /// Pedestrians of several space units have a separate method, and allow no other.
    pub fn summing(self, summing: Summing) -> Self {
        Self { summing: Some(summing), ..self }
    }

    /// Sets the executor: a [`DeviceChoice`](throng_device::DeviceChoice), or an [`Executor`] that is shared with other
    /// simulations. The default is the fastest GPU, or the CPU if there is none.
    pub fn on(self, on: impl Into<On>) -> Self {
        Self { on: on.into(), ..self }
    }

    /// Builds the simulation. Memory per space unit on the CPU: 10 to 30 bytes, with [`Summing::Transforms`] 110; on a
    /// device 8 to 17, or 130. With traces 32 more, and 32 with fields of exits or walls.
    ///
    /// # Errors
    /// If a parameter, a pedestrian, the density or the first tick is out of range, fields do not fit into the world,
    /// two pedestrians share a space unit, a method of summing does not suit the fields or the bodies, there is
    /// too little memory, or the device cannot be opened.
    pub fn build(self) -> Result<SocialField, Error> {
        let Self { world, fields, people, periods, seed, tick, summing, on } = self;
        if tick > MAX_FIRST_TICK {
            return Err(
                InputError::one("first tick", tick.to_string(), format!("give at most {MAX_FIRST_TICK}")).into()
            );
        }
        let tables = match fields {
            Fields::Parameters(parameters) => FieldTables::new(&parameters)?,
            Fields::Tables(tables) => *tables,
        };
        let pedestrians = match people {
            People::Given(pedestrians) => *pedestrians,
            People::Random { density, flow } => {
                let start = Start { density, flow, periods: &periods, seed };
                let mut pedestrians = start.pedestrians(&world)?.towards_exits(&world);
                pedestrians.due.iter_mut().for_each(|due| *due += tick);
                pedestrians
            }
        };
        if let (Some(method), true) = (summing, pedestrians.has_large_bodies()) {
            let remedy = "leave it out: pedestrians of several space units have a separate method";
            return Err(InputError::one("summing", format!("{method:?}"), remedy).into());
        }
        let executor = on.executor(&Needs::default())?;
        let summing = summing.unwrap_or_else(|| Summing::fastest(&tables));
        let program: Result<Program, Error> = match executor.shared_device() {
            None => Ok(on_cpu(world, tables, pedestrians, seed, tick, summing)?),
            Some(device) => throng_device::with_kernels!("social-field", device, |device| {
                on_device(device, &world, &tables, &pedestrians, seed, tick, summing)
            }),
        };
        Ok(SocialField { program: program?, executor, tick })
    }
}

fn on_cpu(
    world: World,
    tables: FieldTables,
    pedestrians: Pedestrians,
    seed: u64,
    tick: u32,
    summing: Summing,
) -> Result<Program, InputError> {
    Ok(if pedestrians.has_large_bodies() {
        Program::CpuBodies(Box::new(CpuBodies::new(world, tables, pedestrians, seed, tick)?))
    } else {
        Program::Cpu(Box::new(CpuField::new(world, tables, pedestrians, seed, tick, summing)?))
    })
}

#[cfg(feature = "gpu")]
fn on_device(
    device: &Arc<Device>,
    world: &World,
    tables: &FieldTables,
    pedestrians: &Pedestrians,
    seed: u64,
    tick: u32,
    summing: Summing,
) -> Result<Program, Error> {
    Ok(if pedestrians.has_large_bodies() {
        let bodies = DeviceBodies::new(device, world, tables, pedestrians, seed, tick)?;
        Program::DeviceBodies(Arc::clone(device), Box::new(bodies))
    } else {
        let field = DeviceField::new(device, world, tables, pedestrians, seed, tick, summing)?;
        Program::Device(Arc::clone(device), Box::new(field))
    })
}
