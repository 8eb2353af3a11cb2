//! The levels of a search, and the launches that compute them.

use throng_device::{Device, DeviceError, Element, Gpu, primitives};

use super::kernels::{best_values, count_moves, last_two_moves, make_moves};
use super::level::LevelBuffers;
use crate::kalah::Board;
use crate::kalah::rules::word::Word;
use crate::kalah::rules::{Position, Variant};
use crate::kalah::unpruned::frontier::Frontier;
use crate::kalah::unpruned::{UnprunedResult, search_on_cpu};

/// Maximum number of positions of a level, which take 1.6 GB in 32-bit words and 2.7 GB in 64-bit words.
const MAX_POSITIONS: u64 = 1 << 27;

/// Maximum number of units of the kernel for the last two moves. Each unit searches one or more positions.
const UNITS: usize = 1 << 18;

/// A range of positions of a level.
#[derive(Clone, Copy)]
struct Part {
    first: u32,
    len: u32,
}

/// State shared by the launches of a search.
struct Search<'d> {
    device: &'d Device,
    variant: Variant,
    most_positions: u64,
    nodes: u64,
}

/// Computes exhaustive minimax to a depth on a device.
///
/// # Errors
/// If the device fails or has too little memory.
pub fn search(device: &Device, board: &Board, depth: u32) -> Result<UnprunedResult, DeviceError> {
    search_in_parts(device, board, depth, MAX_POSITIONS)
}

/// Like [`search`], with a limit on the positions of a level. Larger levels are searched in parts.
///
/// # Errors
/// See [`search`].
pub fn search_in_parts(
    device: &Device,
    board: &Board,
    depth: u32,
    most_positions: u64,
) -> Result<UnprunedResult, DeviceError> {
    if depth < 3 {
        return Ok(search_on_cpu(board, depth));
    }
    let (narrow, wide) = (board.game().narrow(5), board.game().wide(5));
    let found = if board.fits(narrow, depth) {
        levels::<u32>(device, board.packed(narrow), depth, narrow, most_positions)
    } else {
        levels::<u64>(device, board.packed(wide), depth, wide, most_positions)
    }?;
    Ok(UnprunedResult { value: found.value * board.to_move().sign(), ..found })
}

/// Returns the result from the point of view of the player to move.
fn levels<W: Word + Element>(
    device: &Device,
    root: Position<W>,
    depth: u32,
    variant: Variant,
    most_positions: u64,
) -> Result<UnprunedResult, DeviceError> {
    let frontier = Frontier::of(root, depth, variant);
    let positions: Vec<Position<W>> = frontier.positions().collect();
    let mut search = Search { device, variant, most_positions, nodes: 0 };
    let mut values = Vec::new();
    if !positions.is_empty() {
        let level = LevelBuffers::upload(device, &positions)?;
        search.values(&level, Part { first: 0, len: positions.len() as u32 }, frontier.remaining())?;
        values = device.read(&level.score)?;
    }
    Ok(frontier.found(values, search.nodes))
}

impl Search<'_> {
    /// Replaces the scores of a part of a level by the values of its positions; at least two moves must remain.
    fn values<W: Word + Element>(
        &mut self,
        level: &LevelBuffers<W>,
        part: Part,
        remaining: u32,
    ) -> Result<(), DeviceError> {
        let Part { first, len } = part;
        let (device, variant) = (self.device, self.variant);
        if remaining == 2 {
            let units = UNITS.min(len as usize);
            let nodes = device.empty("nodes", units)?;
            device.launch("kalah: last two moves", units, |client, cubes, dim| {
                let level = level.arg();
                last_two_moves::launch::<W, Gpu>(
                    client,
                    cubes,
                    dim,
                    level,
                    first,
                    len,
                    nodes.arg(),
                    units as u32,
                    variant,
                );
            })?;
            let sum = primitives::sum(device, &nodes, units)?;
            self.nodes += device.read(&sum)?[0];
            return Ok(());
        }
        let counts = device.empty("moves", len as usize)?;
        device.launch("kalah: count moves", len as usize, |client, cubes, dim| {
            count_moves::launch::<W, Gpu>(client, cubes, dim, level.arg(), first, len, counts.arg(), variant);
        })?;
        let scanned = primitives::exclusive_scan(device, &counts, len as usize)?;
        let total = device.read(&scanned.total)?[0];
        if u64::from(total) > self.most_positions && len > 1 {
            let half = len / 2;
            self.values(level, Part { first, len: half }, remaining)?;
            return self.values(level, Part { first: first + half, len: len - half }, remaining);
        }
        if total == 0 {
            return Ok(());
        }
        self.nodes += u64::from(total);
        let next = LevelBuffers::<W>::empty(device, total as usize)?;
        device.launch("kalah: make moves", len as usize, |client, cubes, dim| {
            let (level, offsets) = (level.arg(), scanned.sums.arg());
            make_moves::launch::<W, Gpu>(client, cubes, dim, level, first, len, offsets, next.arg(), variant);
        })?;
        self.values(&next, Part { first: 0, len: total }, remaining - 1)?;
        device.launch("kalah: best values", len as usize, |client, cubes, dim| {
            let (level, offsets) = (level.arg(), scanned.sums.arg());
            best_values::launch::<W, Gpu>(client, cubes, dim, level, first, len, offsets, next.arg(), variant);
        })
    }
}
