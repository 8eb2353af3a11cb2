//! The passes of decisions of a step on a device.

use throng_core::InputError;
use throng_device::neighbours::{DeviceCellLists, UniformGrid};
use throng_device::{Buffer, Device, DeviceError, KernelParameter};
use throng_model::Failure;

use super::super::rules::contest::Rule;
use super::super::scene::Scene;
use super::decisions;
use super::state::{Config, DiscBuffers, OPEN_COUNTERS, Parameters, UNFINISHED};

/// Units of the cube that decides what the passes left open.
const LAST_CUBE: u32 = 256;
/// Rounds of decisions in one launch. Drivers end launches that take seconds.
const MAX_ROUNDS: u32 = if cfg!(test) { 16 } else { 4096 };
/// The most wishes around one place on software devices, which may stop the loops of a thread silently after 65,535
/// iterations.
const MAX_WISHES_NEARBY: u32 = 60_000;

/// The discs of a check, and the decisions about them.
#[derive(Debug)]
pub(super) struct Passes {
    pub config: Config,
    pub buffers: DiscBuffers,
    /// The discs sorted by place: by that of the wish, in every step, if steps may have any length; otherwise by where
    /// they were some steps ago.
    pub lists: DeviceCellLists,
    discs: usize,
    /// The discs whose decision is open after a pass, in turns.
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

    /// Refuses more wishes around one place than a thread of a software device can visit.
    pub fn check_crowding(&self, device: &Device, parameters: Parameters) -> Result<(), Failure> {
        let most = device.upload("wishes around a place", &[0u32])?;
        device.launch("collision: crowding", self.discs, |client, cubes, dim| {
            let crowd = self.buffers.crowd(&self.lists);
            decisions::count_around::launch(client, cubes, dim, parameters.arg(), crowd, most.arg());
        })?;
        let found = device.read(&most)?[0];
        if found <= MAX_WISHES_NEARBY {
            return Ok(());
        }
        let message = format!("{found} around one place, of at most {MAX_WISHES_NEARBY} on a software device");
        Err(InputError::one("wishes", message, "use the CPU or a GPU, or give a longest step").into())
    }

    /// Makes all decisions of a step. `waits`: each pass is waited for, to know whether another one is needed.
    pub fn run(&self, device: &Device, parameters: Parameters, waits: bool) -> Result<(), DeviceError> {
        let config = self.config;
        device.launch("collision: first pass", self.discs, |client, cubes, dim| {
            let (crowd, decisions) = (self.buffers.crowd(&self.lists), self.buffers.decisions());
            let open = self.open[0].arg();
            decisions::decide_all::launch(client, cubes, dim, parameters.arg(), crowd, decisions, open, config);
        })?;
        if config.rule == Rule::Conservative {
            device.launch("collision: compete", self.discs, |client, cubes, dim| {
                let (crowd, decisions) = (self.buffers.crowd(&self.lists), self.buffers.decisions());
                decisions::compete::launch(client, cubes, dim, parameters.arg(), crowd, decisions, config);
            })
        } else if waits {
            self.decide_in_launches(device, parameters, 0)
        } else {
            self.decide_at_once(device, parameters)
        }
    }

    /// A further pass over the discs that the pass before it left open. There should be at most `expected`.
    fn further_pass(
        &self,
        device: &Device,
        parameters: Parameters,
        pass: u32,
        expected: usize,
    ) -> Result<(), DeviceError> {
        device.launch("collision: further passes", expected, |client, cubes, dim| {
            let (crowd, decisions) = (self.buffers.crowd(&self.lists), self.buffers.decisions());
            let (open, still_open) = (self.open_after(pass - 1).arg(), self.open_after(pass).arg());
            decisions::decide_open::launch(
                client,
                cubes,
                dim,
                parameters.arg(),
                crowd,
                decisions,
                open,
                still_open,
                pass,
                self.config,
            );
        })
    }

    /// The list of the discs whose decision is open after a pass.
    fn open_after(&self, pass: u32) -> &Buffer<u32> {
        &self.open[pass as usize % 2]
    }

    /// Further passes, and then one cube for what they leave open.
    fn decide_at_once(&self, device: &Device, parameters: Parameters) -> Result<(), DeviceError> {
        // A pass leaves less than half of the decisions open; chains and rings of followers are longer.
        let follows = self.config.rule == Rule::Following;
        let last = if follows { 11 } else { 4 };
        // Without followers a round decides about what depends on falling priorities, and random ones never fall often.
        let most_rounds = if follows { MAX_ROUNDS } else { u32::MAX };
        for pass in 1..=last {
            self.further_pass(device, parameters, pass, (self.discs >> pass).max(LAST_CUBE as usize))?;
        }
        device.launch_cubes("collision: finish", 1, LAST_CUBE, |client, cubes, dim| {
            let (crowd, decisions) = (self.buffers.crowd(&self.lists), self.buffers.decisions());
            let (open, config) = (self.open_after(last).arg(), self.config);
            decisions::decide_rest::launch(
                client,
                cubes,
                dim,
                parameters.arg(),
                crowd,
                decisions,
                open,
                last,
                most_rounds,
                config,
            );
        })?;
        // Each round decides about a disc, so fewer discs need fewer rounds.
        if follows && self.discs > MAX_ROUNDS as usize {
            let is_open = device.read(&self.buffers.counters)?[UNFINISHED as usize] > 0;
            if is_open {
                return self.decide_in_launches(device, parameters, last);
            }
        }
        Ok(())
    }

    /// A launch for each pass behind pass `first`, until no decision is open or none is made. The decisions about a
    /// long queue need more rounds than one launch may have. Software devices may also stop the loops of a thread
    /// silently after 65,535 iterations.
    fn decide_in_launches(&self, device: &Device, parameters: Parameters, first: u32) -> Result<(), DeviceError> {
        let mut before = u32::MAX;
        for pass in first.. {
            let open = device.read(&self.buffers.counters)?[(pass % OPEN_COUNTERS) as usize];
            if open == 0 {
                break;
            }
            if open == before {
                return device.launch("collision: rings", open as usize, |client, cubes, dim| {
                    let (decisions, list) = (self.buffers.decisions(), self.open_after(pass).arg());
                    decisions::move_rings::launch(client, cubes, dim, decisions, list, open);
                });
            }
            before = open;
            self.further_pass(device, parameters, pass + 1, open as usize)?;
        }
        Ok(())
    }
}
