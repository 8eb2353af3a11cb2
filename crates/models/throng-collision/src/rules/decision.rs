//! The decision about a disc: the discs in conflict with its wish, and the consequences of the decisions about them.

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]
#![allow(clippy::collapsible_if, reason = "in a kernel the right side of `&&` always runs")]

use throng_device::cubecl::{self, prelude::*};

use super::super::world::World;
use super::contest::{Contest, Rule, contest, is_first};
use super::overlap::is_nearer;

/// Sentinel for no disc.
pub const NONE: u32 = u32::MAX;

/// View of the discs of a step. A disc is stored in a slot, which may differ from its index.
#[cube]
pub trait CrowdView {
    /// The slot of the disc whose centre is in a cell of the grid, or [`NONE`].
    fn slot(&self, column: i32, row: i32) -> u32;
    /// Index of the disc in a slot.
    fn disc(&self, slot: u32) -> u32;
    /// Position of the disc in a slot.
    fn position(&self, slot: u32) -> Position;
    /// New position of the disc in a slot if it moves.
    fn target(&self, slot: u32) -> Position;
    /// The radius of a disc.
    fn radius(&self, disc: u32) -> i32;
    /// Priority of a disc, and the id that breaks ties.
    fn priority(&self, disc: u32) -> u32;
    fn id(&self, disc: u32) -> u32;
    /// Decision about a disc so far.
    fn state(&self, disc: u32) -> u32;
    /// With steps of any length: calls [`meet_target()`] with the slot of each disc whose target may be near that of
    /// `wish`. This is part of the view because on a CPU the discs of several cells are one slice.
    fn meet_targets(&self, world: &World, wish: &OpenWish, found: &mut Contest, #[comptime] pass: Pass);
}

/// A position, units.
#[derive(CubeType, Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    pub x: i32,
    pub y: i32,
}

/// A wish that awaits a decision.
#[derive(CubeType, Debug, Clone, Copy, PartialEq, Eq)]
pub struct OpenWish {
    pub disc: u32,
    pub radius: i32,
    pub target: Position,
}

/// Parameters of a pass; compiled into kernels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Pass {
    pub rule: Rule,
    /// Whether steps have a maximum length, so that only discs near a position have targets near it.
    pub is_bounded: bool,
    /// Whether this is the second pass of the conservative rule.
    pub competes: bool,
}

/// Returns the wish of the disc in a slot.
#[cube]
#[inline(always)]
pub fn open_wish<C: CrowdView>(crowd: &C, slot: u32) -> OpenWish {
    let disc = crowd.disc(slot);
    OpenWish { disc, radius: crowd.radius(disc), target: crowd.target(slot) }
}

/// Returns the decision about a wish, or [`UNDECIDED`](super::contest::UNDECIDED) if it depends on open decisions.
/// `largest` is the largest radius of all discs, `longest` the longest step.
#[cube]
#[inline(always)]
pub fn decision<C: CrowdView>(
    crowd: &C,
    world: &World,
    wish: &OpenWish,
    largest: i32,
    longest: i32,
    #[comptime] pass: Pass,
) -> u32 {
    let mut found = contest();
    let reach = reach(wish.radius, largest, longest, pass.is_bounded);
    let columns = world.x.cells_within(wish.target.x, reach);
    let rows = world.y.cells_within(wish.target.y, reach);
    for r in 0..rows.count {
        let row = world.y.cell_at(rows, r);
        for c in 0..columns.count {
            let slot = crowd.slot(world.x.cell_at(columns, c), row);
            if slot != NONE {
                let other = crowd.disc(slot);
                if other != wish.disc {
                    let distance = wish.radius + crowd.radius(other);
                    let stayer = is_near(world, wish, crowd.position(slot), distance);
                    let mut target = false;
                    if comptime!(pass.is_bounded) {
                        target = is_near(world, wish, crowd.target(slot), distance);
                    }
                    if stayer || target {
                        meet::<C>(crowd, wish, other, stayer, target, &mut found, pass);
                    }
                }
            }
        }
    }
    if comptime!(!pass.is_bounded) {
        crowd.meet_targets(world, wish, &mut found, pass);
    }
    found.verdict()
}

/// Search radius around the target of a disc within which every conflicting disc's centre lies. With steps of any
/// length, only stayer conflicts count.
#[cube]
#[inline]
pub fn reach(radius: i32, largest: i32, longest: i32, #[comptime] is_bounded: bool) -> i32 {
    let mut reach = radius + largest;
    if comptime!(is_bounded) {
        reach += longest;
    }
    reach
}

/// Considers the disc in a slot if it has a target conflict with a wish.
#[cube]
#[inline(always)]
pub fn meet_target<C: CrowdView>(
    crowd: &C,
    world: &World,
    wish: &OpenWish,
    slot: u32,
    found: &mut Contest,
    #[comptime] pass: Pass,
) {
    let other = crowd.disc(slot);
    if other != wish.disc {
        let distance = wish.radius + crowd.radius(other);
        if is_near(world, wish, crowd.target(slot), distance) {
            meet::<C>(crowd, wish, other, false.runtime(), true.runtime(), found, pass);
        }
    }
}

#[cube]
#[inline(always)]
fn is_near(world: &World, wish: &OpenWish, other: Position, distance: i32) -> bool {
    is_nearer(world.x.offset(wish.target.x, other.x), world.y.offset(wish.target.y, other.y), distance)
}

#[cube]
#[inline(always)]
fn meet<C: CrowdView>(
    crowd: &C,
    wish: &OpenWish,
    other: u32,
    stayer: bool,
    target: bool,
    found: &mut Contest,
    #[comptime] pass: Pass,
) {
    let own = crowd.priority(wish.disc);
    let (other_id, own_id) = (crowd.id(other), crowd.id(wish.disc));
    let it_is_first = is_first(crowd.priority(other), other_id, own, own_id);
    let state = crowd.state(other);
    if comptime!(pass.competes) {
        found.meet_competitor(target, it_is_first, state);
    } else {
        found.consider(stayer, target, it_is_first, state, pass.rule);
    }
}
