//! The collision check: every disc requests a move, and the check grants moves so that no discs overlap.
//!
//! * A [`Crowd`] holds the discs, on the threads of the CPU or on a device; [`Crowd::builder`] builds one from metres.
//! * A [`Rule`] decides which of the discs that compete for a position move.
//! * A [`DomainCheck`] divides a crowd into [domains] that exchange messages.
//!
//! ```
//! use throng_collision::Crowd;
//! use throng_device::DeviceChoice;
//!
//! // 100 agents on a lattice; each cycle of the program's own loop requests a step to the right for all of them.
//! let xs: Vec<f64> = (0..100).map(|i| 1.0 + f64::from(i % 10)).collect();
//! let ys: Vec<f64> = (0..100).map(|i| 1.0 + f64::from(i / 10)).collect();
//! let mut crowd = Crowd::builder([20.0, 11.0]).discs_m(&xs, &ys, 0.25).seed(1).on(DeviceChoice::Auto).build()?;
//! for _ in 0..20 {
//!     let [xs, ys] = crowd.positions_m()?;
//!     let to: Vec<f64> = xs.iter().map(|x| x + 0.5).collect();
//!     let granted = crowd.step_m(&to, &ys)?;
//!     assert_eq!(crowd.granted()?.iter().filter(|granted| **granted).count(), granted);
//! }
//! # Ok::<(), throng_device::Error>(())
//! ```
//!
//! The problem is that of Vigueras, Orduña, Lozano, Cecilia and García, *Improving the GPU-based Collision Check
//! Procedure for Distributed Crowd Simulations*: a server of a distributed crowd receives one wish per agent in each
//! cycle, and answers with one flag per agent. [`walk`] is the model of `throng run`: discs that walk, with scenario
//! files.
//!
//! # The guarantee
//!
//! Two discs `i` and `j` with radii `r_i` and `r_j` overlap if the distance of their centres is less than `r_i + r_j`;
//! touching discs do not overlap. In a step, disc `i` is at `p_i` and wants to move to `q_i`, and the check decides on
//! `x_i`: 1 if it moves, 0 if it stays.
//!
//! **If no two discs overlap before a step, no two discs overlap after it**, under each [`Rule`], with any number of
//! threads, on every device, and in any partition into domains. The decisions are the same everywhere, to the last bit.
//!
//! ## Premises
//!
//! 1. Before the first step no two discs overlap. [`CrowdBuilder::build`] verifies this, and rejects a start with a
//!    list of the overlapping pairs.
//! 2. Nothing but the check moves the discs.
//! 3. Positions are integer numbers of units (see [`Lattice`]). Distances are compared as squares in 32 bits without
//!    overflow, so "less than" is exact, and the same on all devices. Positions in metres are rounded once, on input.
//!
//! The priorities of a disc depend on its id, which defaults to its index. An agent model that reorders, adds or
//! removes agents should therefore pass ids ([`CrowdBuilder::ids`]) when it creates the next crowd; decisions
//! then do not depend on the order of the discs. Within a crowd, the discs and their order are fixed.
//!
//! The guarantee is about positions, not paths: two discs may exchange their positions by one long step past each
//! other. Walls are different: a disc stays if the straight route of its centre leads through a wall, unless the step
//! exceeds [`MAX_STEP`], four cells, along an axis. The edge of a disc may graze a wall along its route.
//!
//! ## Proof
//!
//! Write `TS(i, j)` if disc `i` at `q_i` overlaps with disc `j` at `p_j` (a *stayer* conflict), and `TT(i, j)` if it
//! overlaps with `j` at `q_j` (a *target* conflict). A wish that walls or the border refuse is replaced by `q_i = p_i`,
//! which changes nothing below. After the step, discs `i` and `j` can be in three situations:
//!
//! * Both stay: they are at their old positions, and do not overlap by assumption.
//! * Both move: they overlap if and only if `TT(i, j)`.
//! * One moves, say `i`, and the other stays: they overlap if and only if `TS(i, j)`.
//!
//! So decisions are *consistent* if there is no `TT(i, j)` with `x_i = x_j = 1`, and no `TS(i, j)` with `x_i = 1` and
//! `x_j = 0`. Each disc has a priority, a random number that depends on the seed, the step and the disc. The disc with
//! the lowest one comes first; ties go to the lower id, so priorities are a strict order.
//!
//! * [`Rule::Sequential`]: imagine a server that handles the discs by priority, and grants a wish if the disc at `q_i`
//!   overlaps with no other disc at its position at that moment. No grant creates an overlap, so by induction there is
//!   none after the last one. The parallel rounds compute the same: when disc `i` is handled, a disc `j` that comes
//!   later is at `p_j`, and one that comes earlier is at `q_j` if its wish was granted and at `p_j` if not. So the
//!   decision about `i` depends only on the decisions about earlier discs in conflict with it, and a round decides
//!   about all discs for which these decisions are known. The first open disc in the order of priorities is always one
//!   of them, so each round makes at least one decision, and the rounds end.
//! * [`Rule::Following`]: initially `x_i = 1` if `i` comes before every `j` with `TT(i, j)`; then no two of these discs
//!   are in a target conflict. After that, while some `TS(i, j)` has `x_i = 1` and `x_j = 0`, set `x_i = 0`. Values
//!   only change from 1 to 0, so target conflicts do not return, and the process ends; at the end no stayer conflict is
//!   left. The order does not matter: if one order sets `x_i` to 0 because of `j`, then every order that ends with
//!   `x_i = 1` ends with `x_j = 1`, and by induction over the first order that is impossible. Discs that are still open
//!   when no round changes anything follow each other in rings, and move.
//! * [`Rule::Conservative`]: a disc is *free* if it has no stayer conflict at all. Only free discs move, so there is no
//!   `TS(i, j)` with `x_i = 1`. Of two free discs with `TT(i, j)`, only the one that comes first can move.
//!
//! ## Why every conflict is found
//!
//! A cell of the grid is [`CELL`] units wide, and two centres in one cell are closer to each other than twice
//! [`MIN_RADIUS`]. By the guarantee a cell holds at most one centre, so one index per cell is enough, without sorting
//! and without races. Disc `j` with `TS(i, j)` has its centre within `r_i + r_j` of `q_i`. With `TT(i, j)` its centre
//! is within `r_i + r_j + d` of `q_i`, where `d` is the longest step, because `p_j` and `q_j` are at most `d` apart.
//! The check visits all cells with a position within `r_i + r_max + d` of `q_i` along each axis. If steps have no
//! maximum length, it finds target conflicts by sorting the discs by the cell of `q_j` instead (see
//! [`throng_device::neighbours`]).
//!
//! # Choice of the rule
//!
//! `Sequential` gives the answers of a server that handles one request after the other. `Following` lets columns and
//! rings of discs advance in one step, but a disc that loses a target conflict stays even if the winner is blocked
//! later. `Conservative` needs two passes and no rounds. Under `Sequential` the first disc without a stayer conflict
//! moves; under `Conservative` at least one disc of each group of competing free discs moves.
//!
//! # Cost
//!
//! Memory: 4 bytes per cell and 45 per disc. Time of a step: linear in the number of discs if steps are bounded, with
//! about 5 rounds over a decreasing number of discs. Under `Following` a column of discs needs more rounds, at worst as
//! many as it has discs. The longer the bound on steps and the larger the largest discs, the more cells are visited per
//! disc: with steps of a quarter of a cell at most 25 cells (19 on average) if all discs are equal, and at most 169 for
//! the largest ratio of radii.

#![forbid(unsafe_code)]
#![deny(clippy::print_stderr, clippy::print_stdout)]

mod band;
mod cpu;
mod crowd;
mod deciding;
pub mod domains;
#[cfg(feature = "gpu")]
mod gpu;
mod lattice;
mod options;
pub mod oracle;
mod routes;
pub mod rules;
mod scene;
mod start;
pub mod walk;
mod walls;
mod world;

pub use crowd::{Crowd, CrowdBuilder};
pub use domains::DomainCheck;
pub use lattice::{CELL, CELL_BITS, Lattice, MAX_RADIUS, MAX_STEP, MIN_RADIUS};
pub use options::Options;
pub use rules::contest::Rule;
pub use scene::{Radii, Scene};
pub use walls::Wall;
pub use world::{MAX_CELLS, MAX_SIDE, World, WorldAxis};

#[cfg(test)]
mod tests;
