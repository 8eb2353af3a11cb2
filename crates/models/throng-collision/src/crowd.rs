//! A crowd of discs that never overlap, on any executor.

use std::borrow::Cow;

use throng_core::InputError;
use throng_device::neighbours::Boundary;
use throng_device::{Error, Executor, Needs, On};
#[cfg(feature = "gpu")]
use {
    super::gpu::DeviceCrowd,
    std::sync::Arc,
    throng_device::{Buffer, Device, DeviceError},
};

use super::cpu::CpuCrowd;
use super::lattice::{Lattice, ShownLengths};
use super::options::Options;
use super::rules::contest::Rule;
use super::scene::{Radii, Scene};
use super::world::World;

/// Discs that request moves; the crowd grants those moves that cause no overlap.
///
/// The decisions are the same on every executor and on any number of threads, bit for bit.
///
/// ```
/// use throng_collision::{Crowd, Rule};
/// use throng_device::DeviceChoice;
///
/// let (xs, ys) = ([2.0, 2.6, 6.0], [5.0; 3]);
/// let room = Crowd::builder([20.0, 10.0]).wall_m([[10.0, 0.0], [10.0, 8.0]]);
/// let mut crowd = room.discs_m(&xs, &ys, 0.25).rule(Rule::Following).seed(1).on(DeviceChoice::Auto).build()?;
/// // The first disc follows the second one closely, whichever of them has priority; the third one stays.
/// assert_eq!(crowd.step_m(&[2.55, 3.2, 6.0], &ys)?, 3);
/// let [xs, _] = crowd.positions_m()?;
/// assert!((xs[0] - 2.55).abs() < 1e-4);
/// # Ok::<(), throng_device::Error>(())
/// ```
#[derive(Debug)]
pub struct Crowd {
    lattice: Lattice,
    executor: Executor,
    discs: Discs,
}

/// The discs, on the executor that computes their steps.
#[derive(Debug)]
enum Discs {
    Cpu(Box<CpuCrowd>),
    #[cfg(feature = "gpu")]
    Device(Arc<Device>, Box<DeviceCrowd>),
}

impl Crowd {
    /// Starts building a crowd in a closed world of this width and height, m.
    pub fn builder(size_m: [f64; 2]) -> CrowdBuilder {
        CrowdBuilder {
            size_m,
            boundary: Boundary::Closed,
            walls_m: Vec::new(),
            xs_m: Vec::new(),
            ys_m: Vec::new(),
            unpaired: None,
            radii_m: Vec::new(),
            ids: Vec::new(),
            rule: Rule::default(),
            max_step_m: None,
            seed: 0,
            on: On::default(),
        }
    }

    /// Creates a crowd from positions and sizes in units of a lattice, without rounding. Its other methods convert
    /// metres by `options.lattice`; without one, a radius of [`MIN_RADIUS`](crate::MIN_RADIUS) units counts as 1 m.
    ///
    /// # Errors
    /// As for [`CrowdBuilder::build`].
    pub fn in_units(
        scene: Scene,
        at: [Vec<i32>; 2],
        ids: Vec<u32>,
        options: Options,
        on: impl Into<On>,
    ) -> Result<Self, Error> {
        let lattice = options.lattice.map_or_else(|| Lattice::of_smallest_radius(1.0), Ok)?;
        let executor = on.into().executor(&Needs::default())?;
        let discs = Discs::new(&executor, scene, at, ids, options)?;
        Ok(Self { lattice, executor, discs })
    }

    /// The executor, with the reason for an automatic choice.
    pub fn executor(&self) -> &Executor {
        &self.executor
    }

    /// The conversion between metres and units.
    pub fn lattice(&self) -> Lattice {
        self.lattice
    }

    /// Requests a move of every disc to a position, m, and performs the granted moves. Returns the number of granted
    /// requests; a request to stay is always granted. Positions are rounded to units, see [`Lattice`].
    ///
    /// # Errors
    /// As for [`Crowd::step`], and if a position is not a finite number.
    pub fn step_m(&mut self, to_xs: &[f64], to_ys: &[f64]) -> Result<usize, Error> {
        let to = [self.lattice.positions("x", to_xs)?, self.lattice.positions("y", to_ys)?];
        self.step([&to[0], &to[1]])
    }

    /// [`Crowd::step_m`], in units: x and y of every disc. In a periodic world a target may be beyond the border by up
    /// to the size of the world; in a closed world it is refused. On a device, use `step_on_device` if the targets are
    /// computed there.
    ///
    /// # Errors
    /// If the numbers of targets and discs differ, or a step is too long; also if the device fails. On the CPU, no disc
    /// has moved then. On a device, only the steps that are too long were refused.
    pub fn step(&mut self, to: [&[i32]; 2]) -> Result<usize, Error> {
        match &mut self.discs {
            Discs::Cpu(crowd) => Ok(crowd.step(to)?),
            #[cfg(feature = "gpu")]
            Discs::Device(device, crowd) => device_step(device, crowd, to, DeviceCrowd::step),
        }
    }

    /// [`Crowd::step`], repeated for the refused discs until none of them moves. Under [`Rule::Sequential`] each disc
    /// that is still refused would overlap with another one or with a wall at its target. Under the other rules a disc
    /// that lost its target to a disc that was refused itself may stay although it could move. Each repetition draws
    /// new priorities. Returns the number of granted requests.
    ///
    /// # Errors
    /// As for [`Crowd::step`].
    pub fn step_until_none_moves(&mut self, to: [&[i32]; 2]) -> Result<usize, Error> {
        match &mut self.discs {
            Discs::Cpu(crowd) => Ok(crowd.step_until_none_moves(to)?),
            #[cfg(feature = "gpu")]
            Discs::Device(device, crowd) => device_step(device, crowd, to, DeviceCrowd::step_until_none_moves),
        }
    }

    /// Returns x and y of every disc, m. Copies them from a device.
    ///
    /// # Errors
    /// If the device fails.
    pub fn positions_m(&self) -> Result<[Vec<f64>; 2], Error> {
        let metres = |axis: &Vec<i32>| axis.iter().map(|&units| self.lattice.metres(units)).collect();
        Ok(self.positions()?.each_ref().map(metres))
    }

    /// Returns x and y of every disc, units: borrowed on the CPU, copied from a device.
    ///
    /// # Errors
    /// If the device fails.
    pub fn positions(&self) -> Result<Cow<'_, [Vec<i32>; 2]>, Error> {
        match &self.discs {
            Discs::Cpu(crowd) => Ok(Cow::Borrowed(crowd.at())),
            #[cfg(feature = "gpu")]
            Discs::Device(device, crowd) => {
                let read = |axis| {
                    let mut values = device.read(axis)?;
                    // Devices have no empty buffers.
                    values.truncate(crowd.discs());
                    Ok::<_, DeviceError>(values)
                };
                let [xs, ys] = crowd.at();
                Ok(Cow::Owned([read(xs)?, read(ys)?]))
            }
        }
    }

    /// Returns for each disc whether the last step moved it to its target: borrowed on the CPU, copied from a device.
    ///
    /// # Errors
    /// If the device fails.
    pub fn granted(&self) -> Result<Cow<'_, [bool]>, Error> {
        match &self.discs {
            Discs::Cpu(crowd) => Ok(Cow::Borrowed(crowd.accepted())),
            #[cfg(feature = "gpu")]
            Discs::Device(device, crowd) => Ok(Cow::Owned(flags(device, crowd)?)),
        }
    }

    /// Like [`Crowd::step`], with targets in device memory. Copies nothing, and does not wait for the device, except
    /// under [`Rule::Following`] with more than 4096 discs and on software devices. Too long steps are refused;
    /// [`Crowd::check_targets`] reports them.
    ///
    /// # Errors
    /// If the crowd is on the CPU, there are fewer targets than discs, a buffer belongs to another device, or the
    /// device fails.
    #[cfg(feature = "gpu")]
    pub fn step_on_device(&mut self, to: [&Buffer<i32>; 2]) -> Result<(), Error> {
        match &mut self.discs {
            Discs::Device(device, crowd) => crowd.step(device, to),
            Discs::Cpu(_) => {
                Err(InputError::one("executor", "the CPU", "build the crowd on a device, or use `step`").into())
            }
        }
    }

    /// The state in device memory, for kernels: positions, units, and a flag per disc, 1 if the last step moved the
    /// disc to its target. `None` on the CPU.
    #[cfg(feature = "gpu")]
    pub fn on_device(&self) -> Option<([&Buffer<i32>; 2], &Buffer<u32>)> {
        match &self.discs {
            Discs::Cpu(_) => None,
            Discs::Device(_, crowd) => Some((crowd.at(), crowd.accepted())),
        }
    }

    /// Reports targets of [`Crowd::step_on_device`] that were too far away, in any step since the last report. Waits
    /// for the device.
    ///
    /// # Errors
    /// If there were any: their number, and the lowest index of their discs; also if the device fails.
    #[cfg(feature = "gpu")]
    pub fn check_targets(&mut self) -> Result<(), Error> {
        match &mut self.discs {
            Discs::Device(device, crowd) => crowd.report_wishes(device),
            Discs::Cpu(_) => Ok(()),
        }
    }
}

impl Discs {
    fn new(
        executor: &Executor,
        scene: Scene,
        at: [Vec<i32>; 2],
        ids: Vec<u32>,
        options: Options,
    ) -> Result<Self, Error> {
        let Some(device) = executor.shared_device() else {
            return Ok(Self::Cpu(Box::new(CpuCrowd::with_ids(scene, at, ids, options)?)));
        };
        throng_device::with_kernels!("collision", device, |device| {
            let crowd = DeviceCrowd::with_ids(device, &scene, at.each_ref().map(Vec::as_slice), &ids, options)?;
            Ok(Self::Device(Arc::clone(device), Box::new(crowd)))
        })
    }
}

/// A kind of step of a crowd on a device, with targets in device memory.
#[cfg(feature = "gpu")]
type DeviceStep = fn(&mut DeviceCrowd, &Device, [&Buffer<i32>; 2]) -> Result<(), Error>;

/// A step with targets in host memory.
#[cfg(feature = "gpu")]
fn device_step(device: &Device, crowd: &mut DeviceCrowd, to: [&[i32]; 2], step: DeviceStep) -> Result<usize, Error> {
    if to.iter().any(|axis| axis.len() != crowd.discs()) {
        let found = format!("{:?} for {} discs", to.map(<[i32]>::len), crowd.discs());
        return Err(InputError::one("wishes", found, "give x and y for every disc").into());
    }
    let to = [device.upload("wishes", to[0])?, device.upload("wishes", to[1])?];
    step(crowd, device, to.each_ref())?;
    crowd.report_wishes(device)?;
    Ok(flags(device, crowd)?.into_iter().filter(|granted| *granted).count())
}

#[cfg(feature = "gpu")]
fn flags(device: &Device, crowd: &DeviceCrowd) -> Result<Vec<bool>, DeviceError> {
    let mut flags = device.read(crowd.accepted())?;
    flags.truncate(crowd.discs());
    Ok(flags.into_iter().map(|flag| flag != 0).collect())
}

/// Builds a [`Crowd`]. Lengths are in metres.
#[derive(Debug, Clone)]
#[must_use = "a builder does nothing until `build` is called"]
pub struct CrowdBuilder {
    size_m: [f64; 2],
    boundary: Boundary,
    walls_m: Vec<[[f64; 2]; 2]>,
    xs_m: Vec<f64>,
    ys_m: Vec<f64>,
    /// The first call with unequal numbers of x and y.
    unpaired: Option<[usize; 2]>,
    radii_m: Vec<f64>,
    ids: Vec<u32>,
    rule: Rule,
    max_step_m: Option<f64>,
    seed: u64,
    on: On,
}

impl CrowdBuilder {
    /// Lets discs that leave the world on one side enter it on the opposite side.
    pub fn periodic(self) -> Self {
        Self { boundary: Boundary::Periodic, ..self }
    }

    /// Adds a straight wall from one end to the other, x and y of both. A closed chain of walls is an obstacle.
    pub fn wall_m(mut self, wall: [[f64; 2]; 2]) -> Self {
        self.walls_m.push(wall);
        self
    }

    /// Adds discs of one radius. The largest radius of a crowd is at most four times the smallest.
    pub fn discs_m(mut self, xs: &[f64], ys: &[f64], radius: f64) -> Self {
        if xs.len() != ys.len() {
            self.unpaired.get_or_insert([xs.len(), ys.len()]);
        }
        self.radii_m.resize(self.radii_m.len() + xs.len(), radius);
        self.xs_m.extend_from_slice(xs);
        self.ys_m.extend_from_slice(ys);
        self
    }

    /// Sets an id per disc, on which its priorities depend. The default is its index. A program that adds, removes or
    /// reorders discs gives each the same id whenever it builds the crowd again; decisions then do not change.
    pub fn ids(self, ids: &[u32]) -> Self {
        Self { ids: ids.to_vec(), ..self }
    }

    /// Sets the rule that decides which discs move. The default is [`Rule::Sequential`].
    pub fn rule(self, rule: Rule) -> Self {
        Self { rule, ..self }
    }

    /// Sets the maximum length of a step, up to 5.6 times the smallest radius. By default steps may have
    /// any length. The lower the maximum, the faster a step is computed. Walls on the path then always stop a disc.
    pub fn max_step_m(self, length: f64) -> Self {
        Self { max_step_m: Some(length), ..self }
    }

    /// Sets the seed of the priorities, which discs draw in each step. The default is 0.
    pub fn seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// Sets the executor: a [`DeviceChoice`](throng_device::DeviceChoice), or an [`Executor`] that is shared with other
    /// simulations. The default is the fastest GPU, or the CPU if there is none.
    pub fn on(self, on: impl Into<On>) -> Self {
        Self { on: on.into(), ..self }
    }

    /// Builds the crowd. Memory: 4 bytes per cell (1.41 times the smallest radius wide), 45 per disc; on a device 4.1
    /// and 60 bytes. Without a maximum length of steps, about 20 bytes more per disc, on a device 4 more per cell and 8
    /// per disc.
    ///
    /// # Errors
    /// If there are no discs, the numbers of x and y differ, lengths are not finite or out of range (the sides of the
    /// world are at least eight of the smallest radii), discs overlap with
    /// each other, with walls or with the border, ids are missing or not unique, there is too little memory, or the
    /// device cannot be opened.
    pub fn build(self) -> Result<Crowd, Error> {
        let Self { size_m, boundary, walls_m, xs_m, ys_m, unpaired, radii_m, ids, rule, max_step_m, seed, on } = self;
        if let Some([xs, ys]) = unpaired {
            let found = format!("{xs} x and {ys} y in one call");
            return Err(InputError::one("discs", found, "give x and y for each disc").into());
        }
        // The minimum of floats ignores NaN, so each radius is checked.
        for radius_m in &radii_m {
            Lattice::of_smallest_radius(*radius_m)?;
        }
        let smallest_m = radii_m.iter().copied().fold(f64::INFINITY, f64::min);
        if radii_m.is_empty() {
            return Err(InputError::one("discs", "none", "give x and y for at least one").into());
        }
        let lattice = Lattice::of_smallest_radius(smallest_m)?;
        let length = |place: &str, value: f64| lattice.length(&place, value);
        let size = [length("width", size_m[0])?, length("height", size_m[1])?];
        let end = |[x, y]: [f64; 2]| Ok::<_, InputError>([length("wall, x", x)?, length("wall, y", y)?]);
        let walls = walls_m.into_iter().map(|[from, to]| Ok([end(from)?, end(to)?]));
        let scene = Scene {
            world: World::shown_in(size, boundary, &ShownLengths(Some(&lattice)))?,
            walls: walls.collect::<Result<_, InputError>>()?,
            radii: Radii::shown_in(lattice.positions("radius", &radii_m)?, &ShownLengths(Some(&lattice)))?,
        };
        let longest_step = max_step_m.map(|step| length("maximum step", step)).transpose()?;
        let at = [lattice.positions("x", &xs_m)?, lattice.positions("y", &ys_m)?];
        Crowd::in_units(scene, at, ids, Options { rule, seed, longest_step, lattice: Some(lattice) }, on)
    }
}
