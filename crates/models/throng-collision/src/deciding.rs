//! The decisions of a step on a CPU: code shared by the checks of the whole crowd and of a domain.

use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

use throng_device::neighbours::CellLists;

use super::routes::Route;
use super::rules::contest::{Contest, Rule, UNDECIDED};
use super::rules::decision::{CrowdView, OpenWish, Pass, Position, decision, meet_target, open_wish};
use super::scene::Radii;
use super::world::World;

/// Storage of the discs.
pub(super) trait Storage {
    /// Returns the slot of the disc whose centre is in a cell, or [`NONE`](super::rules::decision::NONE).
    fn slot(&self, column: i32, row: i32) -> u32;
    /// Returns the index of the disc in a slot, and its route.
    fn occupant(&self, slot: u32) -> (u32, Route);
}

/// The discs of a step, and the inputs of the decisions about them.
#[derive(Clone, Copy)]
pub(super) struct DecisionContext<'a, S> {
    pub storage: S,
    pub world: &'a World,
    pub rule: Rule,
    pub radii: &'a Radii,
    /// Largest radius of all discs, including discs outside this storage.
    pub largest: i32,
    pub longest_step: Option<i32>,
    /// With steps of any length: the discs by their targets. The slot of each disc is its index.
    pub targets: Option<&'a CellLists>,
    pub priorities: &'a [u32],
    pub states: &'a [AtomicU32],
    /// Ids of the discs, which break ties between equal priorities; empty if the id of each disc is its index.
    pub ids: &'a [u32],
}

impl<S: Storage + Copy> DecisionContext<'_, S> {
    /// Decides about the discs in these slots as far as known decisions allow; returns the discs whose decision stays
    /// open.
    pub fn decide_each(&self, slots: impl Iterator<Item = u32>) -> Vec<u32> {
        // A copy stays in registers; behind a reference, all fields would be reloaded after each atomic access.
        let (crowd, mut open) = (*self, Vec::new());
        for slot in slots {
            let wish = open_wish(&crowd, slot);
            if crowd.decide(&wish, false) == UNDECIDED {
                open.push(wish.disc);
            }
        }
        open
    }

    /// Runs the second pass of the conservative rule for the disc in a slot.
    pub fn compete(&self, slot: u32) {
        self.decide(&open_wish(self, slot), true);
    }

    #[inline(always)]
    fn decide(&self, wish: &OpenWish, competes: bool) -> u32 {
        let pass = Pass { rule: self.rule, is_bounded: self.longest_step.is_some(), competes };
        let verdict = decision(self, self.world, wish, self.largest, self.longest_step.unwrap_or(i32::MAX), pass);
        self.states[wish.disc as usize].store(verdict, Relaxed);
        verdict
    }
}

/// CubeCL's traits require a kernel type; this is the type of the device executor.
#[cfg(feature = "gpu")]
impl<S> throng_device::cubecl::prelude::CubeType for DecisionContext<'_, S> {
    type ExpandType = <super::gpu::CrowdOnDevice<'static> as throng_device::cubecl::prelude::CubeType>::ExpandType;
}

impl<S: Storage> CrowdView for DecisionContext<'_, S> {
    #[inline(always)]
    fn slot(&self, column: i32, row: i32) -> u32 {
        self.storage.slot(column, row)
    }

    #[inline(always)]
    fn disc(&self, slot: u32) -> u32 {
        self.storage.occupant(slot).0
    }

    #[inline(always)]
    fn position(&self, slot: u32) -> Position {
        let (_, [x, y, _, _]) = self.storage.occupant(slot);
        Position { x, y }
    }

    #[inline(always)]
    fn target(&self, slot: u32) -> Position {
        let (_, [_, _, x, y]) = self.storage.occupant(slot);
        Position { x, y }
    }

    #[inline(always)]
    fn radius(&self, disc: u32) -> i32 {
        self.radii.of(disc as usize)
    }

    #[inline(always)]
    fn priority(&self, disc: u32) -> u32 {
        self.priorities[disc as usize]
    }

    #[inline(always)]
    fn id(&self, disc: u32) -> u32 {
        self.ids.get(disc as usize).copied().unwrap_or(disc)
    }

    #[inline(always)]
    fn state(&self, disc: u32) -> u32 {
        self.states[disc as usize].load(Relaxed)
    }

    #[inline(always)]
    fn meet_targets(&self, world: &World, wish: &OpenWish, found: &mut Contest, pass: Pass) {
        let Some(lists) = self.targets else { return };
        for slot in lists.around(wish.target.x, wish.target.y, 0) {
            meet_target(self, world, wish, slot, found, pass);
        }
    }
}
