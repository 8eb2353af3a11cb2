//! Openings: exits through which pedestrians leave, doors that are open at times, and entries.
//!
//! Each pedestrian goes to one of its exits. Its heading is the first step of a shortest route there, which depends on the
//! doors that are open. Whenever doors open or close, and every so many ticks, pedestrians may choose another exit (see
//! [`rules::exit_choice`](super::rules::exit_choice)).
//!
//! What happens between two ticks, and in which order, is in `phases`: pedestrians that stepped into an exit a step ago leave,
//! doors open and close, pedestrians enter, choose their exits, and turn to them. A door closes a space unit as soon as it is
//! empty.
//!
//! That openings change between ticks is the paper's (Yu et al.); how, and which exits are chosen, is Throng's own.

mod check;
mod on_host;
pub(super) mod phases;
mod routes;
pub(super) mod views;

pub use super::scene::{Door, Entry, ExitChoice, MAX_EXITS, Openings};
#[cfg(feature = "gpu")]
pub(super) use on_host::next;
pub(super) use on_host::{HostOpenings, passable, routes};
pub(super) use routes::Routes;
pub(super) use views::RoutesOnHost;
