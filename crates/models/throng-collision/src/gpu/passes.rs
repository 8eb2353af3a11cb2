//! The passes of decisions of a step on a device.

use throng_core::InputError;
use throng_device::Error;
use throng_device::neighbours::{DeviceCellLists, UniformGrid};
use throng_device::{Buffer, Device, DeviceError, LaunchSize};

use super::super::rules::contest::Rule;
use super::super::scene::Scene;
use super::decisions;
use super::state::{Config, DiscBuffers, OPEN_COUNTERS, Parameters, UNFINISHED};

/// Units of the cube that makes the decisions left open by the passes.
const LAST_CUBE: u32 = 256;
/// Maximum rounds of decisions per launch. Drivers kill launches that run for seconds.
const MAX_ROUNDS: u32 = if cfg!(test) { 16 } else { 4096 };
/// Maximum number of wishes near one position that a software device can handle: it may silently stop the loops of a
/// thread after 65,535 iterations.
const MAX_WISHES_NEARBY: u32 = 60_000;

/// The discs of a check, and the decisions about them.
#[derive(Debug)]
pub(super) struct Passes {
    pub config: Config,
    pub buffers: DiscBuffers,
    /// The discs sorted by cell: by their targets, in every step, if steps may have any length; else by their positions
    /// some steps ago.
    pub lists: DeviceCellLists,
    discs: usize,
    /// Discs whose decision is open after a pass, alternating between the two buffers.
    open: [Buffer<u32>; 2],
}

impl Passes {
    pub fn new(
        device: &Device,
        scene: &Scene,
        ids: &[u32],
        config: Config,
        grid: UniformGrid,
    ) -> Result<Self, DeviceError> {
        let discs = scene.radii.discs();
        Ok(Self {
            config,
            buffers: DiscBuffers::new(device, scene, ids)?,
            lists: DeviceCellLists::new(device, grid, discs)?,
            discs,
            open: [device.empty("open decisions", discs)?, device.empty("open decisions", discs)?],
        })
    }

    /// Rejects more wishes near one position than a thread of a software device can visit.
    pub fn check_crowding(&self, device: &Device, parameters: Parameters) -> Result<(), Error> {
        let max_wishes = device.upload("wishes near a position", &[0u32])?;
        decisions::launch_count_around(device, self.discs, parameters, self.buffers.crowd(&self.lists), &max_wishes)?;
        let found = device.read(&max_wishes)?[0];
        if found <= MAX_WISHES_NEARBY {
            return Ok(());
        }
        let message = format!("{found} near one position; a software device can handle {MAX_WISHES_NEARBY}");
        Err(InputError::one("wishes", message, "use the CPU or a GPU, or give a longest step").into())
    }

    /// Makes all decisions of a step. `waits`: whether to block after each pass to know whether another one is needed.
    pub fn run(&self, device: &Device, parameters: Parameters, waits: bool) -> Result<(), DeviceError> {
        let (config, discs) = (self.config, self.discs);
        let (crowd, made) = (self.buffers.crowd(&self.lists), &self.buffers.decisions);
        decisions::launch_decide_all(device, discs, parameters, crowd, made, &self.open[0], config)?;
        if config.rule == Rule::Conservative {
            decisions::launch_compete(device, discs, parameters, crowd, made, config)
        } else if waits {
            self.decide_in_launches(device, parameters, 0)
        } else {
            self.decide_at_once(device, parameters)
        }
    }

    /// Runs a further pass over the discs that the previous pass left open. Their number should be at most `expected`.
    fn further_pass(
        &self,
        device: &Device,
        parameters: Parameters,
        pass: u32,
        expected: usize,
    ) -> Result<(), DeviceError> {
        let (crowd, made) = (self.buffers.crowd(&self.lists), &self.buffers.decisions);
        let (open, still_open) = (self.open_after(pass - 1), self.open_after(pass));
        decisions::launch_decide_open(device, expected, parameters, crowd, made, open, still_open, pass, self.config)
    }

    /// Returns the list of the discs whose decision is open after a pass.
    fn open_after(&self, pass: u32) -> &Buffer<u32> {
        &self.open[pass as usize % 2]
    }

    /// Runs further passes, and then one cube for the discs that they leave open.
    fn decide_at_once(&self, device: &Device, parameters: Parameters) -> Result<(), DeviceError> {
        // A pass leaves less than half of the decisions open, but chains and rings of followers take more passes.
        let follows = self.config.rule == Rule::Following;
        let last = if follows { 11 } else { 4 };
        // Without followers a decision waits only for discs of higher priority, and random priorities form no long
        // chains.
        let max_rounds = if follows { MAX_ROUNDS } else { u32::MAX };
        for pass in 1..=last {
            self.further_pass(device, parameters, pass, (self.discs >> pass).max(LAST_CUBE as usize))?;
        }
        let (crowd, made) = (self.buffers.crowd(&self.lists), &self.buffers.decisions);
        let (open, one_cube) = (self.open_after(last), LaunchSize { cubes: 1, units: LAST_CUBE });
        decisions::launch_decide_rest(device, one_cube, parameters, crowd, made, open, last, max_rounds, self.config)?;
        // Each round makes at least one decision, so fewer discs than rounds always finish.
        if follows && self.discs > MAX_ROUNDS as usize {
            let is_open = device.read(&self.buffers.decisions.counters)?[UNFINISHED as usize] > 0;
            if is_open {
                return self.decide_in_launches(device, parameters, last);
            }
        }
        Ok(())
    }

    /// Runs one launch per pass after pass `first`, until no decision is open or none is made. Long queues need more
    /// rounds than one launch may have. Software devices may also silently stop the loops of a thread after 65,535
    /// iterations.
    fn decide_in_launches(&self, device: &Device, parameters: Parameters, first: u32) -> Result<(), DeviceError> {
        let mut before = u32::MAX;
        for pass in first.. {
            let open = device.read(&self.buffers.decisions.counters)?[(pass % OPEN_COUNTERS) as usize];
            if open == 0 {
                break;
            }
            if open == before {
                let (made, list) = (&self.buffers.decisions, self.open_after(pass));
                return decisions::launch_move_rings(device, open as usize, made, list, open);
            }
            before = open;
            self.further_pass(device, parameters, pass + 1, open as usize)?;
        }
        Ok(())
    }
}
