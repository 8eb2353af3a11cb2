//! A crowd on a device, and the paper's checks for it.

use std::time::Instant;

use throng_collision::{CELL, World};
use throng_core::InputError;
use throng_device::primitives::{Sorted, sort_by_key};
use throng_device::{Buffer, Device, DeviceError, KernelParameter};
use throng_model::Failure;

use super::baseline::SORTED_CELL;
use super::crowd::{Crowd, Moves};
use super::grid::{id_bits, last_stamp};
use super::kernels::crowd::{AllowedBuffers, Draws, MovedBuffers, fill, move_discs, wish};
use super::kernels::four_steps::{
    COLLIDES, CellSlotsBuffers, DiscsBuffers, NotifiedBuffers, RestoredBuffers, SharedCellSlotsBuffers, StepParameters,
    calc_hash, check_collisions, claim, leave, notify, restore,
};
use super::kernels::sorted::{
    CellRangesBuffers, KeysBuffers, OrderBuffers, ReorderedBuffers, SortedDiscsBuffers, SortedGrid, check_sorted,
    check_tiles, find_cells, hash, reorder, reorder_and_find_cells,
};
use super::kernels::{FREE, NONE, TILE, TILE_CELLS};
use super::method::Method;
use super::published::Restore;
use crate::experiment::steps_on;

/// Launches are submitted to the device every this many steps.
pub(super) const FLUSH_EVERY: u32 = 16;

/// A crowd on a device that moves under one of the paper's checks.
#[derive(Debug)]
pub struct DeviceCrowd<'d> {
    device: &'d Device,
    method: Method,
    world: World,
    moves: Moves,
    seed: u64,
    discs: usize,
    steps: u32,
    at: Buffer<i32>,
    to: Buffer<i32>,
    /// The paper's flag; 0 for discs that may move.
    response: Buffer<u32>,
    moved: Buffer<u32>,
    grid: Grid,
}

/// Buffers of a check.
#[derive(Debug)]
#[allow(clippy::large_enum_variant, reason = "there is one of them")]
enum Grid {
    None,
    Slots { slots: CellSlotsBuffers, stamp: u32, last_stamp: u32 },
    Sorted { keys: KeysBuffers, wishes: Buffer<i32>, cells: CellRangesBuffers },
}

impl<'d> DeviceCrowd<'d> {
    /// Copies a crowd to a device.
    ///
    /// # Errors
    /// If the crowd does not fit or has more than 2^30 discs, or the method is not one of the paper's.
    pub fn new(device: &'d Device, crowd: &Crowd, moves: Moves, seed: u64, method: Method) -> Result<Self, Failure> {
        let discs = crowd.at[0].len();
        let last_stamp = last_stamp(discs)?;
        let at: Vec<i32> = crowd.at[0].iter().zip(&crowd.at[1]).flat_map(|(&x, &y)| [x, y]).collect();
        let mut new = Self {
            device,
            method,
            world: crowd.world,
            moves,
            seed,
            discs,
            steps: 0,
            to: device.upload("wishes", &at)?,
            at: device.upload("positions", &at)?,
            response: device.upload("collision flags", &vec![FREE; discs])?,
            moved: device.upload("moves", &vec![0; discs])?,
            grid: Grid::None,
        };
        new.grid = match method {
            Method::NoCheck => Grid::None,
            Method::Baseline | Method::OptimisedBaseline => {
                let cells = new.sorted_cells();
                Grid::Sorted {
                    keys: KeysBuffers {
                        keys: device.empty("cells of discs", discs)?,
                        ids: device.empty("ids", discs)?,
                    },
                    wishes: device.empty("sorted wishes", 2 * discs)?,
                    cells: CellRangesBuffers {
                        begins: device.empty("begins of cells", cells)?,
                        ends: device.empty("ends of cells", cells)?,
                    },
                }
            }
            Method::FourSteps(_) | Method::FourStepsAtomic => {
                let cells = crowd.world.cells();
                let slots = CellSlotsBuffers {
                    source: device.empty("source slots", cells)?,
                    target: device.empty("target slots", cells)?,
                };
                // The first step clears the slots.
                Grid::Slots { slots, stamp: last_stamp, last_stamp }
            }
            Method::SequentialOnDevice | Method::SequentialOnCpu => {
                return Err(InputError::one("method", method.name(), "give one of the paper's").into());
            }
        };
        Ok(new)
    }

    /// Makes steps of random moves, all on the device, and waits for the last one. Returns the time in seconds.
    ///
    /// # Errors
    /// If the device fails.
    pub fn run(&mut self, steps: u32) -> Result<f64, DeviceError> {
        steps_on(self.device, steps, FLUSH_EVERY, |_| {
            self.draw_wishes()?;
            self.check()?;
            self.move_discs()
        })
    }

    /// Makes steps of random moves drawn on the host: copies all wishes to the device and all flags back. Returns the
    /// time in seconds, without the host's part.
    ///
    /// # Errors
    /// If the device fails.
    pub fn run_with_copies(&mut self, steps: u32) -> Result<f64, DeviceError> {
        let (at, moves, seed, first) = (self.positions()?, self.moves, self.seed, self.steps);
        moves.run_with_host_draws(at, seed, first..first + steps, |[xs, ys]| {
            let to: Vec<i32> = xs.iter().zip(ys).flat_map(|(&x, &y)| [x, y]).collect();
            let since = Instant::now();
            self.to = self.device.upload("wishes", &to)?;
            self.check()?;
            self.move_discs()?;
            let response = self.device.read(&self.response)?;
            Ok((since.elapsed().as_secs_f64(), response.into_iter().map(|flag| flag == FREE).collect()))
        })
    }

    /// Returns the seconds that it takes to sort the wishes of the last step by cell; `None` if the method does not
    /// sort.
    ///
    /// # Errors
    /// If the device fails.
    pub fn sort_seconds(&self, repeat: u32) -> Result<Option<f64>, DeviceError> {
        if !matches!(self.grid, Grid::Sorted { .. }) {
            return Ok(None);
        }
        self.hash()?;
        self.sort()?;
        let repeat = repeat.max(1);
        let seconds = steps_on(self.device, repeat, u32::MAX, |_| self.sort().map(drop))?;
        Ok(Some(seconds / f64::from(repeat)))
    }

    /// Returns x and y of all discs.
    ///
    /// # Errors
    /// If the device fails.
    pub fn positions(&self) -> Result<[Vec<i32>; 2], DeviceError> {
        let pairs = self.device.read(&self.at)?;
        Ok([0, 1].map(|axis| pairs.iter().skip(axis).step_by(2).copied().take(self.discs).collect()))
    }

    /// Returns the total number of moves of all discs.
    ///
    /// # Errors
    /// If the device fails.
    pub fn moved(&self) -> Result<u64, DeviceError> {
        Ok(self.device.read(&self.moved)?.into_iter().take(self.discs).map(u64::from).sum())
    }

    /// Returns for each disc whether it moved in the last step.
    ///
    /// # Errors
    /// If the device fails.
    pub fn accepted(&self) -> Result<Vec<bool>, DeviceError> {
        Ok(self.device.read(&self.response)?.into_iter().take(self.discs).map(|flag| flag == FREE).collect())
    }

    /// Returns all ids, with those in a target slot since the last step at the end: an order of writers that gives the
    /// same result.
    ///
    /// # Errors
    /// If the device fails.
    pub(super) fn order_of_writers(&self) -> Result<Vec<u32>, DeviceError> {
        let mut order: Vec<u32> = (0..self.discs as u32).collect();
        if let Grid::Slots { slots, stamp, .. } = &self.grid {
            let (bits, mut has_won) = (id_bits(self.discs), vec![false; self.discs]);
            for word in self.device.read(&slots.target)?.into_iter().filter(|word| word >> bits == *stamp) {
                has_won[(word & ((1 << bits) - 1)) as usize] = true;
            }
            order.sort_by_key(|&disc| has_won[disc as usize]);
        }
        Ok(order)
    }

    fn draw_wishes(&self) -> Result<(), DeviceError> {
        let Self { device, moves, seed, steps, at, to, .. } = self;
        let (seed_low, seed_high) = (*seed as u32, (seed >> 32) as u32);
        let draws = Draws { discs: self.discs as u32, seed_low, seed_high, step: *steps };
        device.launch("vigueras: wish", self.discs, |client, cubes, dim| {
            wish::launch(client, cubes, dim, at.arg(), to.arg(), moves.arg(), draws.arg());
        })
    }

    fn move_discs(&mut self) -> Result<(), DeviceError> {
        let Self { device, at, to, response, moved, .. } = self;
        let discs = self.discs as u32;
        device.launch("vigueras: move", self.discs, |client, cubes, dim| {
            let (allowed, moves) = (AllowedBuffers { response, to }, MovedBuffers { at, moved });
            move_discs::launch(client, cubes, dim, allowed.arg(), moves.arg(), discs);
        })?;
        self.steps += 1;
        Ok(())
    }

    /// Sets the flags of all discs from their positions and wishes.
    fn check(&mut self) -> Result<(), DeviceError> {
        match self.method {
            Method::NoCheck => Ok(()),
            Method::SequentialOnDevice | Method::SequentialOnCpu => unreachable!("`new` refuses these methods"),
            Method::Baseline => self.baseline(),
            Method::OptimisedBaseline => self.optimised_baseline(),
            Method::FourSteps(restore) => self.four_steps(Some(restore)),
            Method::FourStepsAtomic => self.four_steps(None),
        }
    }

    fn fill(&self, label: &'static str, values: &Buffer<u32>, value: u32) -> Result<(), DeviceError> {
        self.device.launch(label, values.len(), |client, cubes, dim| {
            fill::launch(client, cubes, dim, values.arg(), value);
        })
    }

    /// Runs the four steps; if `how` is `None`, the variant with atomic operations.
    fn four_steps(&mut self, how: Option<Restore>) -> Result<(), DeviceError> {
        let Grid::Slots { stamp, last_stamp, .. } = &mut self.grid else { return Ok(()) };
        let is_last = stamp == last_stamp;
        *stamp = if is_last { 1 } else { *stamp + 1 };
        let Grid::Slots { slots, stamp, .. } = &self.grid else { return Ok(()) };
        if is_last {
            self.fill("vigueras: clear", &slots.source, 0)?;
            self.fill("vigueras: clear", &slots.target, 0)?;
        }
        let Self { device, at, to, response, .. } = self;
        let of_discs = DiscsBuffers { at, to };
        let CellSlotsBuffers { source, target } = slots;
        let [columns, rows] = self.world.size().map(|size| ((size - 1) / CELL + 1) as u32);
        let by =
            StepParameters { discs: self.discs as u32, columns, rows, stamp: *stamp, id_bits: id_bits(self.discs) };
        let (discs, tiles) = (self.discs, columns.div_ceil(TILE) * rows.div_ceil(TILE));
        device.launch("vigueras: 1 init", discs, |client, cubes, dim| {
            fill::launch(client, cubes, dim, response.arg(), COLLIDES);
        })?;
        if how.is_none() {
            device.launch("vigueras: 2 and 3 claim", discs, |client, cubes, dim| {
                let slots = SharedCellSlotsBuffers { source, target };
                claim::launch(client, cubes, dim, of_discs.arg(), slots.arg(), response.arg(), by.arg());
            })?;
        } else {
            device.launch("vigueras: 2 calcHash", discs, |client, cubes, dim| {
                calc_hash::launch(client, cubes, dim, of_discs.arg(), slots.arg(), by.arg());
            })?;
        }
        if how == Some(Restore::Immediate) {
            device.launch("vigueras: 3 restore", discs, |client, cubes, dim| {
                let restored = RestoredBuffers { source, response };
                restore::launch(client, cubes, dim, of_discs.arg(), target.arg(), restored.arg(), by.arg());
            })?;
        } else if let Some(how) = how {
            device.launch("vigueras: 3 notify", discs, |client, cubes, dim| {
                let (of_discs, full_walk) = (of_discs.arg(), how == Restore::FullWalk);
                notify::launch(client, cubes, dim, of_discs, slots.arg(), response.arg(), by.arg(), full_walk);
            })?;
            device.launch("vigueras: 3 leave", discs, |client, cubes, dim| {
                let notified = NotifiedBuffers { target, response };
                leave::launch(client, cubes, dim, of_discs.arg(), notified.arg(), source.arg(), by.arg());
            })?;
        }
        device.launch_cubes("vigueras: 4 check", tiles, TILE_CELLS, |client, cubes, dim| {
            let (of_discs, atomic) = (of_discs.arg(), how.is_none());
            check_collisions::launch(client, cubes, dim, of_discs, slots.arg(), response.arg(), by.arg(), atomic);
        })
    }

    fn sorted_grid(&self) -> SortedGrid {
        let [columns, rows] = self.world.size().map(|size| ((size - 1) / SORTED_CELL + 1) as u32);
        SortedGrid { discs: self.discs as u32, columns, rows, tile_columns: columns.div_ceil(TILE) }
    }

    /// Number of cells of the sorted grid; the optimised baseline pads it to complete tiles.
    fn sorted_cells(&self) -> usize {
        let grid = self.sorted_grid();
        match self.method {
            Method::OptimisedBaseline => self.tiles() as usize * TILE_CELLS as usize,
            _ => grid.columns as usize * grid.rows as usize,
        }
    }

    fn tiles(&self) -> u32 {
        let grid = self.sorted_grid();
        grid.tile_columns * grid.rows.div_ceil(TILE)
    }

    fn hash(&self) -> Result<(), DeviceError> {
        let Grid::Sorted { keys, .. } = &self.grid else { return Ok(()) };
        let (grid, tiled) = (self.sorted_grid(), self.method == Method::OptimisedBaseline);
        self.device.launch("vigueras: hash", self.discs, |client, cubes, dim| {
            hash::launch(client, cubes, dim, self.to.arg(), keys.arg(), grid.arg(), tiled);
        })
    }

    fn sort(&self) -> Result<Option<Sorted<u32>>, DeviceError> {
        let Grid::Sorted { keys, .. } = &self.grid else { return Ok(None) };
        let bits = usize::BITS - (self.sorted_cells() - 1).leading_zeros();
        sort_by_key(self.device, &keys.keys, &keys.ids, self.discs, bits).map(Some)
    }

    fn baseline(&self) -> Result<(), DeviceError> {
        self.hash()?;
        let (Some(sorted), Grid::Sorted { wishes, cells, .. }) = (self.sort()?, &self.grid) else {
            return Ok(());
        };
        let (device, grid) = (self.device, self.sorted_grid());
        device.launch("vigueras: reorder", self.discs, |client, cubes, dim| {
            let order = OrderBuffers { to: &self.to, ids: &sorted.payload };
            reorder::launch(client, cubes, dim, order.arg(), wishes.arg(), grid.arg());
        })?;
        self.fill("vigueras: clear cells", &cells.begins, NONE)?;
        device.launch("vigueras: find cells", self.discs, |client, cubes, dim| {
            find_cells::launch(client, cubes, dim, sorted.keys.arg(), cells.arg(), grid.arg());
        })?;
        device.launch("vigueras: check sorted", self.discs, |client, cubes, dim| {
            let discs = SortedDiscsBuffers { wishes, ids: &sorted.payload, cells };
            check_sorted::launch(client, cubes, dim, discs.arg(), self.response.arg(), grid.arg());
        })
    }

    fn optimised_baseline(&self) -> Result<(), DeviceError> {
        self.hash()?;
        let (Some(sorted), Grid::Sorted { wishes, cells, .. }) = (self.sort()?, &self.grid) else {
            return Ok(());
        };
        let (device, grid) = (self.device, self.sorted_grid());
        self.fill("vigueras: clear cells", &cells.begins, NONE)?;
        device.launch("vigueras: reorder and find cells", self.discs, |client, cubes, dim| {
            let order = OrderBuffers { to: &self.to, ids: &sorted.payload };
            let (keys, reordered) = (sorted.keys.arg(), ReorderedBuffers { wishes, cells }.arg());
            reorder_and_find_cells::launch(client, cubes, dim, order.arg(), keys, reordered, grid.arg());
        })?;
        device.launch_cubes("vigueras: check tiles", self.tiles(), TILE_CELLS, |client, cubes, dim| {
            let discs = SortedDiscsBuffers { wishes, ids: &sorted.payload, cells };
            check_tiles::launch(client, cubes, dim, discs.arg(), self.response.arg(), grid.arg());
        })
    }
}

#[cfg(test)]
mod tests;
