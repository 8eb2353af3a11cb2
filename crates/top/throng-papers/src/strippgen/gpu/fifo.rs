//! Queues on a device: the three layouts of the CPU, all addressed by one function.

use throng_device::cubecl::prelude::*;
use throng_device::{KernelArrays, cubecl};

use crate::strippgen::rules::ring_slot;
use crate::strippgen::variant::Layout;

/// Indices of the fields of a queue with `start, pos, end`.
pub(super) const START: u32 = 0;
pub(super) const POS: u32 = 1;
pub(super) const END: u32 = 2;
/// Indices of the fields of a ring after `start`.
pub(super) const LEN: u32 = 1;
pub(super) const EP: u32 = 2;
pub(super) const COUNT: u32 = 3;

/// The lists of all links: bookkeeping data, and two words per vehicle (agent, depart).
#[derive(CubeLaunch, CubeType, KernelArrays)]
#[buffers(owned)]
pub(super) struct Fifo {
    pub admin: Array<u32>,
    pub vehicles: Array<u32>,
}

/// Like [`Fifo`], for threads that compete for slots.
#[derive(CubeLaunch, CubeType, KernelArrays)]
pub(super) struct SharedFifo {
    pub admin: Array<Atomic<u32>>,
    pub vehicles: Array<u32>,
}

impl FifoBuffers {
    /// The same buffers as a [`SharedFifo`].
    pub(super) fn shared(&self) -> SharedFifoBuffers<'_> {
        SharedFifoBuffers { admin: &self.admin, vehicles: &self.vehicles }
    }
}

/// Index of a field of a link: in the link's record, or in the field's array.
#[cube]
pub(super) fn word(link: u32, links: u32, #[comptime] field: u32, #[comptime] layout: Layout) -> usize {
    if comptime!(layout == Layout::Aos) { (link * 3u32 + field) as usize } else { (field * links + link) as usize }
}

/// Index of an agent's position, as in [`word`]. The array layouts omit begin and end, which nothing reads.
#[cube]
pub(super) fn position_word(agent: u32, #[comptime] layout: Layout) -> usize {
    if comptime!(layout == Layout::Aos) { (agent * 3u32 + 1u32) as usize } else { agent as usize }
}

/// Number of vehicles in a list.
#[cube]
pub(super) fn count(fifo: &Fifo, link: u32, links: u32, #[comptime] layout: Layout) -> u32 {
    if comptime!(layout == Layout::Ring) {
        fifo.admin[word(link, links, COUNT, layout)]
    } else {
        fifo.admin[word(link, links, POS, layout)] - fifo.admin[word(link, links, START, layout)]
    }
}

/// Whether there is room for another vehicle.
#[cube]
pub(super) fn has_space(fifo: &Fifo, link: u32, links: u32, #[comptime] layout: Layout) -> bool {
    if comptime!(layout == Layout::Ring) {
        fifo.admin[word(link, links, COUNT, layout)] < fifo.admin[word(link, links, LEN, layout)]
    } else {
        fifo.admin[word(link, links, POS, layout)] < fifo.admin[word(link, links, END, layout)]
    }
}

/// Slot of the vehicle with index `k`.
#[cube]
pub(super) fn slot_of(fifo: &Fifo, link: u32, k: u32, links: u32, #[comptime] layout: Layout) -> u32 {
    if comptime!(layout == Layout::Ring) {
        ring_slot(
            fifo.admin[word(link, links, START, layout)],
            fifo.admin[word(link, links, EP, layout)],
            k,
            fifo.admin[word(link, links, LEN, layout)],
        )
    } else {
        fifo.admin[word(link, links, START, layout)] + k
    }
}

/// Removes the first vehicle; in layouts other than the ring, all others move up.
#[cube]
pub(super) fn pop(fifo: &mut Fifo, link: u32, links: u32, #[comptime] layout: Layout) {
    if comptime!(layout == Layout::Ring) {
        let ep = word(link, links, EP, layout);
        let len = fifo.admin[word(link, links, LEN, layout)];
        fifo.admin[ep] = (fifo.admin[ep] + 1u32) % len;
        fifo.admin[word(link, links, COUNT, layout)] -= 1u32;
    } else {
        let start = fifo.admin[word(link, links, START, layout)];
        let pos = fifo.admin[word(link, links, POS, layout)];
        for slot in start + 1u32..pos {
            let from = (2u32 * slot) as usize;
            fifo.vehicles[from - 2usize] = fifo.vehicles[from];
            fifo.vehicles[from - 1usize] = fifo.vehicles[from + 1usize];
        }
        fifo.admin[word(link, links, POS, layout)] = pos - 1u32;
    }
}

/// Takes the slot after the last vehicle; the caller ensures that there is one.
#[cube]
pub(super) fn take_place(fifo: &mut Fifo, link: u32, links: u32, #[comptime] layout: Layout) -> u32 {
    let slot = slot_of(fifo, link, count(fifo, link, links, layout), links, layout);
    if comptime!(layout == Layout::Ring) {
        fifo.admin[word(link, links, COUNT, layout)] += 1u32;
    } else {
        fifo.admin[word(link, links, POS, layout)] += 1u32;
    }
    slot
}

/// Adds a vehicle at the back.
#[cube]
pub(super) fn push(fifo: &mut Fifo, link: u32, agent: u32, depart: u32, links: u32, #[comptime] layout: Layout) {
    let slot = take_place(fifo, link, links, layout);
    fifo.vehicles[(2u32 * slot) as usize] = agent;
    fifo.vehicles[(2u32 * slot + 1u32) as usize] = depart;
}

/// Competes with other threads for a slot. Returns its index plus 1, or 0 if the link is full.
///
/// One atomic operation claims a slot. A thread that finds all slots taken returns its claim, so that the count is
/// correct again when all threads are done. This loses no slot: no vehicle leaves the link in the meantime, so once a
/// claim fails, no slot is left for any other thread.
#[cube]
pub(super) fn compete(fifo: &mut SharedFifo, link: u32, links: u32, #[comptime] layout: Layout) -> u32 {
    let mut place = 0u32;
    if comptime!(layout == Layout::Ring) {
        let count = word(link, links, COUNT, layout);
        let len = fifo.admin[word(link, links, LEN, layout)].load();
        let taken = fifo.admin[count].fetch_add(1u32);
        if taken < len {
            let start = fifo.admin[word(link, links, START, layout)].load();
            let ep = fifo.admin[word(link, links, EP, layout)].load();
            place = ring_slot(start, ep, taken, len) + 1u32;
        } else {
            fifo.admin[count].fetch_sub(1u32);
        }
    } else {
        let pos = word(link, links, POS, layout);
        let end = fifo.admin[word(link, links, END, layout)].load();
        let slot = fifo.admin[pos].fetch_add(1u32);
        if slot < end {
            place = slot + 1u32;
        } else {
            fifo.admin[pos].fetch_sub(1u32);
        }
    }
    place
}
