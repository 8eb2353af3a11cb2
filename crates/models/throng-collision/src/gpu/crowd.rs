//! The collision check on a device.

use throng_core::InputError;
use throng_device::Error;
use throng_device::neighbours::UniformGrid;
use throng_device::{Buffer, Device, DeviceClass};

use super::super::lattice::{CELL, Lattice, ShownLengths};
use super::super::options::{Options, check_ids, check_longest_step};
use super::super::routes::too_long_remedy;
use super::super::rules::decision::NONE;
use super::super::scene::Scene;
use super::super::start::{check_start, numbered};
use super::super::walls::WallIndex;
use super::moves::{self, MovedBuffers, PreparedBuffers, RepetitionBuffers, WallPiecesBuffers};
use super::passes::Passes;
use super::state::{
    COUNTERS, Config, DecisionsBuffers, FIRST_TOO_LONG, MovesBuffers, PIECE, Parameters, PointsBuffers, TOO_LONG_WISHES,
};

/// Discs are re-sorted by cell every this many steps. In between they hardly leave the part of the grid that their
/// thread reads together with its neighbours.
const STEPS_BETWEEN_SORTS: u64 = if cfg!(test) { 3 } else { 32 };
/// Side of the cells for sorting, in cells of the grid.
const SORTING_CELL: u32 = 8;

/// Moving discs that never overlap, on a device: positions, wishes and decisions stay there.
#[derive(Debug)]
pub struct DeviceCrowd {
    parameters: Parameters,
    longest_step: Option<i32>,
    lattice: Option<Lattice>,
    steps: u64,
    is_software: bool,
    /// Whether to block after each pass in order to know whether another one is needed.
    pub(crate) waits: bool,
    at: [Buffer<i32>; 2],
    accepted: Buffer<u32>,
    passes: Passes,
    walls: WallPiecesBuffers,
    /// With steps of any length: targets of the discs.
    target_at: [Buffer<i32>; 2],
}

impl DeviceCrowd {
    /// Creates a crowd with these start positions, x and y of every disc. Memory: 4.1 bytes per cell and 60 per disc;
    /// with steps of any length 8 bytes per cell and 68 per disc.
    ///
    /// # Errors
    /// As for [`CrowdBuilder::build`](crate::CrowdBuilder::build), and when the device has too little memory.
    pub fn new(device: &Device, scene: &Scene, at: [&[i32]; 2], options: Options) -> Result<Self, Error> {
        Self::with_ids(device, scene, at, &[], options)
    }

    /// Creates a crowd of discs with ids, as [`CrowdBuilder::ids`](crate::CrowdBuilder::ids) does.
    /// Memory: four more bytes per disc.
    ///
    /// # Errors
    /// As for [`DeviceCrowd::new`], and when the numbers of ids and discs differ, or an id occurs twice.
    pub fn with_ids(
        device: &Device,
        scene: &Scene,
        at: [&[i32]; 2],
        ids: &[u32],
        options: Options,
    ) -> Result<Self, Error> {
        check_ids(scene.radii.discs(), ids)?;
        let Scene { world, walls, radii } = scene;
        let reach = check_longest_step(&options, true)?.max(radii.largest());
        let index = WallIndex::new(world, walls, reach, options.lattice.as_ref())?;
        check_start(scene, &index, at, options.lattice.as_ref(), &numbered)?;
        let discs = radii.discs();
        let bounded = options.longest_step.is_some();
        let config = Config {
            rule: options.rule,
            equal_radii: radii.are_equal(),
            bounded,
            has_walls: !index.is_empty(),
            has_ids: !ids.is_empty(),
        };
        let parameters = Parameters {
            world: *world,
            discs: discs as u32,
            largest: radii.largest(),
            longest: options.longest_step.unwrap_or(i32::MAX),
            wall_columns: index.columns() as u32,
            seed_low: options.seed as u32,
            seed_high: (options.seed >> 32) as u32,
            step_low: 0,
            step_high: 0,
        };
        // A bounded check has no targets, but its kernels take the argument.
        let (side, targets) =
            if bounded { (SORTING_CELL * CELL as u32, 1) } else { ((2 * radii.largest()) as u32, discs) };
        let grid = UniformGrid::covering([0, 0], world.size().map(|side| side as u32), side, world.boundary())?;
        let pieces: Vec<i32> =
            index.pieces.iter().flat_map(|piece| [piece.end[0], piece.end[1], piece.to.x, piece.to.y]).collect();
        debug_assert_eq!(pieces.len(), index.pieces.len() * PIECE as usize);
        let check = Self {
            parameters,
            longest_step: options.longest_step,
            lattice: options.lattice,
            steps: 0,
            is_software: device.info().class == DeviceClass::Software,
            waits: device.info().class == DeviceClass::Software,
            at: [device.upload("positions", at[0])?, device.upload("positions", at[1])?],
            accepted: device.upload("accepted", &vec![0; discs])?,
            passes: Passes::new(device, scene, ids, config, grid)?,
            walls: WallPiecesBuffers {
                starts: device.upload("starts of walls", &index.starts)?,
                pieces: device.upload("pieces of walls", &pieces)?,
            },
            target_at: [device.empty("targets", targets)?, device.empty("targets", targets)?],
        };
        let slots = &check.passes.buffers.decisions.slots;
        moves::launch_clear_cells(device, world.cells(), slots)?;
        moves::launch_occupy_cells(device, discs, parameters, PointsBuffers::of(check.at()), slots)?;
        Ok(check)
    }

    /// Returns the positions: x and y of every disc, units.
    pub fn at(&self) -> [&Buffer<i32>; 2] {
        self.at.each_ref()
    }

    /// Returns 1 for each disc whose wish was granted in the last step, else 0.
    pub fn accepted(&self) -> &Buffer<u32> {
        &self.accepted
    }

    /// Returns the number of discs.
    pub fn discs(&self) -> usize {
        self.parameters.discs as usize
    }

    /// Requests a move of every disc to `to`, x and y, and performs the granted ones. A wish beyond a closed border is
    /// refused, regardless of the length of its step. Any other wish for a step that is too long is refused as well,
    /// and [`DeviceCrowd::check_wishes`] reports it.
    ///
    /// Never blocks on the device, except under [`Rule::Following`] with more than 4096 discs, and on
    /// software devices.
    ///
    /// Cost: eight launches, with [`Rule::Following`] 15 and with [`Rule::Conservative`] four. Sorting takes six to ten
    /// more, in each step if steps may have any length, else in one of 32 steps. Under [`Rule::Following`], columns of
    /// more than several thousand discs take further launches.
    ///
    /// # Errors
    /// When there are fewer wishes than discs, the device is lost, or a buffer belongs to another device; also when
    /// steps may have any length, and a software device finds more than 60,000 wishes near one position. In all cases
    /// no disc has moved.
    ///
    /// [`Rule::Following`]: crate::Rule::Following
    /// [`Rule::Conservative`]: crate::Rule::Conservative
    pub fn step(&mut self, device: &Device, to: [&Buffer<i32>; 2]) -> Result<(), Error> {
        let discs = self.discs();
        if to.iter().any(|axis| axis.len() < discs) {
            let found = to.map(Buffer::len);
            let message = format!("{found:?} for {discs} discs");
            return Err(InputError::one("wishes", message, "give x and y for every disc").into());
        }
        let steps = self.steps;
        let parameters = Parameters { step_low: steps as u32, step_high: (steps >> 32) as u32, ..self.parameters };
        let config = self.passes.config;
        let requested = MovesBuffers { at: PointsBuffers::of(self.at()), to: PointsBuffers::of(to) };
        let DecisionsBuffers { states, counters, .. } = &self.passes.buffers.decisions;
        let prepared = PreparedBuffers { states, counters, targets: PointsBuffers::of(self.target_at.each_ref()) };
        let state = &self.passes.buffers.discs;
        moves::launch_prepare(device, discs, parameters, requested, &self.walls, state, prepared, config)?;
        if !config.bounded {
            self.passes.lists.build(device, &[&self.target_at[0], &self.target_at[1]], discs)?;
            if self.is_software {
                self.passes.check_crowding(device, parameters)?;
            }
        } else if steps.is_multiple_of(STEPS_BETWEEN_SORTS) {
            self.passes.lists.build(device, &[&self.at[0], &self.at[1]], discs)?;
        }
        self.passes.run(device, parameters, self.waits)?;
        let DecisionsBuffers { states, slots, .. } = &self.passes.buffers.decisions;
        let moved = MovedBuffers { slots, at: PointsBuffers::of(self.at()), accepted: &self.accepted };
        let state = &self.passes.buffers.discs;
        moves::launch_move_discs(device, discs, parameters, state, states, PointsBuffers::of(to), moved)?;
        self.steps += 1;
        Ok(())
    }

    /// Repeats [`DeviceCrowd::step`] for the refused discs until none of them moves, as
    /// [`Crowd::step_until_none_moves`](crate::Crowd::step_until_none_moves) does. Blocks on the
    /// device after each repetition.
    ///
    /// # Errors
    /// As for [`DeviceCrowd::step`], and when the device has too little memory.
    pub fn step_until_none_moves(&mut self, device: &Device, to: [&Buffer<i32>; 2]) -> Result<(), Error> {
        let discs = self.discs();
        let wishes = [device.empty::<i32>("wishes", discs)?, device.empty::<i32>("wishes", discs)?];
        let accepted = device.empty::<u32>("accepted", discs)?;
        self.step(device, to)?;
        let mut is_first = 1u32;
        loop {
            let newly = device.upload("newly accepted", &[0u32])?;
            let moves = MovesBuffers { at: PointsBuffers::of(self.at()), to: PointsBuffers::of(to) };
            let repetition =
                RepetitionBuffers { all: &accepted, wishes: PointsBuffers::of(wishes.each_ref()), newly: &newly };
            moves::launch_wish_again(device, discs, discs as u32, moves, &self.accepted, is_first, repetition)?;
            if device.read(&newly)?[0] == 0 {
                self.accepted = accepted;
                return Ok(());
            }
            is_first = 0;
            self.step(device, wishes.each_ref())?;
        }
    }

    /// Reports wishes for steps that were too long since [`DeviceCrowd::report_wishes`] last reported some.
    /// Blocks on the device.
    ///
    /// # Errors
    /// If there were any: their number, and the lowest index of their discs. Also when the device fails.
    pub fn check_wishes(&self, device: &Device) -> Result<(), Error> {
        let counters = device.read(&self.passes.buffers.decisions.counters)?;
        let (found, first) = (counters[TOO_LONG_WISHES as usize], counters[FIRST_TOO_LONG as usize]);
        if first == 0 {
            return Ok(());
        }
        let disc = NONE - first;
        let shown = ShownLengths(self.lattice.as_ref());
        let limit = match self.longest_step {
            Some(longest) => format!("a step of more than {}", shown.length(longest.into())),
            None => "a position too far beyond the border".to_owned(),
        };
        let message = format!("wished for {limit} ({found} such wishes, all refused)");
        let remedy = too_long_remedy(&self.parameters.world, self.longest_step, &shown, true);
        Err(InputError::one(format!("disc {disc}"), message, remedy).into())
    }

    /// Like [`DeviceCrowd::check_wishes`], but reports each wish only once, so that the crowd is usable after the
    /// error.
    ///
    /// # Errors
    /// As for [`DeviceCrowd::check_wishes`].
    pub fn report_wishes(&mut self, device: &Device) -> Result<(), Error> {
        let report = self.check_wishes(device);
        if report.is_err() {
            self.passes.buffers.decisions.counters = device.upload("counters", &[0; COUNTERS])?;
        }
        report
    }
}
