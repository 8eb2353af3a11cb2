//! A crowd on a device, and the paper's checks for it.

use std::time::Instant;

use throng_collision::World;
use throng_core::InputError;
use throng_device::{Buffer, Device, DeviceError, KernelParameter};
use throng_model::Failure;

use super::crowd::{Crowd, Moves};
use super::grid::{id_bits, last_stamp};
use super::kernels::crowd::{AllowedBuffers, Draws, MovedBuffers, fill, move_discs, wish};
use super::kernels::four_steps::CellSlotsBuffers;
use super::kernels::sorted::{CellRangesBuffers, KeysBuffers};
use super::kernels::{AnswersBuffers, FREE};
use super::method::Method;
use super::published::Restore;
use crate::experiment::steps_on;

mod bitwise_sort;
mod cell_lists;
mod four_steps;
mod sorted;

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
    /// The paper's flags, 0 for discs that may move, and the numbers of tests.
    answers: AnswersBuffers,
    /// Whether tests are counted.
    counts: bool,
    moved: Buffer<u32>,
    grid: Grid,
}

/// Buffers of a check.
#[derive(Debug)]
#[allow(clippy::large_enum_variant, reason = "there is one of them")]
enum Grid {
    None,
    Lists { heads: Buffer<u32>, next: Buffer<u32> },
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
            answers: AnswersBuffers {
                response: device.upload("collision flags", &vec![FREE; discs])?,
                tests: device.upload("numbers of tests", &vec![0; discs])?,
            },
            counts: false,
            moved: device.upload("moves", &vec![0; discs])?,
            grid: Grid::None,
        };
        new.grid = match method {
            Method::NoCheck => Grid::None,
            Method::AtomicGrid => Grid::Lists {
                heads: device.empty("heads of cells", new.sorted_cells())?,
                next: device.empty("next discs", discs)?,
            },
            Method::Baseline | Method::FastSortBaseline | Method::OptimisedBaseline(_) => {
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
            Method::FourSteps(_) | Method::ClearedFourSteps | Method::FourStepsAtomic => {
                let cells = crowd.world.cells();
                let slots = CellSlotsBuffers {
                    source: device.empty("source slots", cells)?,
                    target: device.empty("target slots", cells)?,
                };
                // A step clears the slots if the one before it had the last stamp, as before the first step.
                let last_stamp = if method == Method::ClearedFourSteps { 1 } else { last_stamp };
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

    /// Makes steps like [`DeviceCrowd::run`], and returns the number of comparisons of a disc with another one.
    ///
    /// # Errors
    /// If the device fails.
    pub fn count_tests(&mut self, steps: u32) -> Result<u64, DeviceError> {
        self.counts = true;
        self.run(steps)?;
        self.counts = false;
        Ok(self.device.read(&self.answers.tests)?.into_iter().take(self.discs).map(u64::from).sum())
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
            let response = self.device.read(&self.answers.response)?;
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
        Ok(self.device.read(&self.answers.response)?.into_iter().take(self.discs).map(|flag| flag == FREE).collect())
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
        let Self { device, at, to, answers, moved, .. } = self;
        let discs = self.discs as u32;
        device.launch("vigueras: move", self.discs, |client, cubes, dim| {
            let (allowed, moves) = (AllowedBuffers { response: &answers.response, to }, MovedBuffers { at, moved });
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
            Method::AtomicGrid => self.atomic_grid(),
            Method::Baseline | Method::FastSortBaseline => self.baseline(),
            Method::OptimisedBaseline(tile) => self.optimised_baseline(tile),
            Method::FourSteps(restore) => self.four_steps(Some(restore)),
            Method::ClearedFourSteps => self.four_steps(Some(Restore::Immediate)),
            Method::FourStepsAtomic => self.four_steps(None),
        }
    }

    fn fill(&self, label: &'static str, values: &Buffer<u32>, value: u32) -> Result<(), DeviceError> {
        self.device.launch(label, values.len(), |client, cubes, dim| {
            fill::launch(client, cubes, dim, values.arg(), value);
        })
    }
}

#[cfg(test)]
mod tests;
