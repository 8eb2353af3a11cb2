//! The decisions of a step on a CPU: one text for the whole crowd and for a domain of it.

use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

use throng_device::neighbours::CellLists;

use super::cpu::NONE;
use super::rules::contest::{Contest, Rule, UNDECIDED, contest, is_first};
use super::rules::overlap::is_nearer;
use super::scene::Radii;
use super::world::World;

/// Where the discs are found that are near a place.
pub(super) trait Occupancy {
    /// What is in a cell: [`NONE`], or what [`Occupancy::occupant`] takes.
    fn slot(&self, column: i32, row: i32) -> u32;
    /// A disc, and its way: where it is, and where it will be if it moves.
    fn occupant(&self, slot: u32) -> (u32, [i32; 4]);
}

/// Discs sorted by the place where they wish to be, and their ways.
#[derive(Clone, Copy)]
pub(super) struct Targets<'a> {
    pub lists: &'a CellLists,
    pub ways: &'a [[i32; 4]],
}

/// What decisions about discs depend on. Discs are numbered from 0.
#[derive(Clone, Copy)]
pub(super) struct Deciding<'a> {
    pub world: &'a World,
    pub rule: Rule,
    pub radii: &'a Radii,
    /// The largest radius of all discs, whether or not they are among these.
    pub largest: i32,
    /// With steps of any length there are targets.
    pub longest_step: Option<i32>,
    pub targets: Option<Targets<'a>>,
    pub priorities: &'a [u32],
    pub states: &'a [AtomicU32],
    /// The ids of the discs, which decide between equal priorities; empty if each disc is its index.
    pub ids: &'a [u32],
}

impl Deciding<'_> {
    /// Decides about these discs as far as that depends on what is decided; returns those whose decision is open.
    pub fn decide_each(&self, near: &impl Occupancy, discs: impl Iterator<Item = (u32, [i32; 4])>) -> Vec<u32> {
        let mut open = Vec::new();
        for (disc, way) in discs {
            let mut found = contest();
            self.meet_all(near, disc, way, |other, stayer, target| {
                let state = self.states[other as usize].load(Relaxed);
                found.meet(stayer, target, self.is_first(other, disc), state, self.rule);
            });
            if self.note(disc, found) == UNDECIDED {
                open.push(disc);
            }
        }
        open
    }

    /// The second pass of the conservative rule.
    pub fn compete(&self, near: &impl Occupancy, disc: u32, way: [i32; 4]) {
        let mut found = contest();
        self.meet_all(near, disc, way, |other, _, target| {
            let state = self.states[other as usize].load(Relaxed);
            found.meet_competitor(target, self.is_first(other, disc), state);
        });
        self.note(disc, found);
    }

    fn note(&self, disc: u32, found: Contest) -> u32 {
        let verdict = found.verdict();
        self.states[disc as usize].store(verdict, Relaxed);
        verdict
    }

    fn is_first(&self, other: u32, disc: u32) -> bool {
        let id = |disc: u32| self.ids.get(disc as usize).copied().unwrap_or(disc);
        is_first(self.priorities[other as usize], id(other), self.priorities[disc as usize], id(disc))
    }

    /// How far from its wish the centres of all discs are that a disc of this radius has a conflict with, and that are
    /// found by their centre.
    pub fn reach(&self, radius: i32) -> i32 {
        radius + self.largest + self.longest_step.unwrap_or(0)
    }

    /// Calls `meet` with each disc that is in conflict with the wish of this one, and whether it is a stayer and a
    /// target conflict.
    #[inline]
    fn meet_all(&self, near: &impl Occupancy, disc: u32, way: [i32; 4], mut meet: impl FnMut(u32, bool, bool)) {
        let [_, _, x, y] = way;
        let radius = self.radii.of(disc as usize);
        let is_bounded = self.longest_step.is_some();
        let reach = self.reach(radius);
        let (axis_x, axis_y) = (self.world.x, self.world.y);
        let is_near = |other_x: i32, other_y: i32, distance: i32| {
            is_nearer(axis_x.offset(x, other_x), axis_y.offset(y, other_y), distance)
        };
        let (columns, rows) = (axis_x.cells_within(x, reach), axis_y.cells_within(y, reach));
        for row in 0..rows.count {
            let row = axis_y.cell_at(rows, row);
            for column in 0..columns.count {
                let slot = near.slot(axis_x.cell_at(columns, column), row);
                if slot == NONE {
                    continue;
                }
                let (other, [from_x, from_y, to_x, to_y]) = near.occupant(slot);
                if other == disc {
                    continue;
                }
                let distance = radius + self.radii.of(other as usize);
                let (stayer, target) = (is_near(from_x, from_y, distance), is_bounded && is_near(to_x, to_y, distance));
                if stayer || target {
                    meet(other, stayer, target);
                }
            }
        }
        if let Some(Targets { lists, ways }) = self.targets {
            for other in lists.around(x, y, 0).filter(|&other| other != disc) {
                let [_, _, to_x, to_y] = ways[other as usize];
                if is_near(to_x, to_y, radius + self.radii.of(other as usize)) {
                    meet(other, false, true);
                }
            }
        }
    }
}
