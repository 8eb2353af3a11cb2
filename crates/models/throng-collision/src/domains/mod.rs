//! The collision check in domains: parts of the world, each of which decides about its own discs and sends the
//! decisions to its neighbours.
//!
//! A [`Partition`] divides the cells of the world into rectangles, one per domain, by recursive coordinate bisection. A
//! disc belongs to the domain that contains its centre. [`DomainCheck`] makes the steps of
//! [`Crowd`](super::Crowd), with the same decisions for any number of domains: priorities are global,
//! so a decision does not depend on the domain that makes it. Steps must have a maximum length.
//!
//! ```
//! use throng_collision::{DomainCheck, Options, Radii, Scene, World};
//! use throng_device::neighbours::Boundary;
//!
//! let world = World::new([200_000, 100_000], Boundary::Periodic)?;
//! let scene = Scene { world, walls: vec![], radii: Radii::equal(2) };
//! let options = Options { longest_step: Some(4000), ..Options::default() };
//! let mut check = DomainCheck::new(scene, [vec![5_000, 198_000], vec![5_000, 5_000]], options, 4)?;
//! assert_eq!(check.step([&[2_000, 198_000], &[5_000, 5_000]])?, 1, "too near, across the border");
//! # Ok::<(), throng_core::InputError>(())
//! ```
//!
//! # A step
//!
//! 1. **Ghosts.** Every domain sends the routes of its discs to the domains that they may affect. A decision about disc
//!    `i` depends on discs `j` whose centre `p_j` is within `r_i + r_j + d` of `q_i`, where `d` is the longest step
//!    (see [the guarantee](super#why-every-conflict-is-found)); and `q_i` is within `d` of `p_i`. So the domain that
//!    owns `i` needs only discs `j` whose centre is within `r_max + r_j + 2 d` of its rectangle. That is the ghost
//!    width. A ghost is 24 bytes; its priority is computed by the receiver.
//! 2. **Rounds.** Every domain decides about its own discs as far as known decisions allow, and sends its decisions
//!    about discs that are ghosts elsewhere, 8 bytes each. The rounds end when no domain has an open decision, or when
//!    no domain has made one: then the open discs follow each other in rings.
//! 3. **Migration.** Discs move, and those that leave the rectangle of their domain are sent to the domain that they
//!    enter.
//!
//! # Other exchanges
//!
//! A [`Domain`] accesses only its own memory, the [`Agreement`], and the data that an [`Exchange`] delivers: one
//! message list to and from each neighbour, and a sum over all domains. [`InProcess`] is the exchange for threads of a
//! process. A program with another exchange calls [`Domain::step`] in each of its processes. Over MPI an exchange is a
//! neighbourhood all-to-all and an all-reduce; between GPUs, grouped sends and receives of device buffers. Both
//! preserve the order of messages from one sender, and decisions do not depend on the order of senders.

mod agreement;
mod balance;
mod check;
mod domain;
mod domain_discs;
mod exchange;
mod partition;
mod rounds;
mod snapshot;
#[cfg(test)]
mod tests;

pub use agreement::Agreement;
pub use balance::{Balance, Load, Prediction};
pub use check::DomainCheck;
pub use domain::{Domain, Stopped};
pub use exchange::{Exchange, Failed, InProcess, Message};
pub use partition::{MAX_DOMAINS, Partition, Rectangle};
pub use snapshot::{Snapshot, SnapshotDisc};
