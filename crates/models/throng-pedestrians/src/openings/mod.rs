//! Openings: exits through which pedestrians leave, doors with opening times, and entries.
//!
//! Each pedestrian walks to one of its exits. Its heading is the first step of a shortest route there, which depends on
//! the open doors. When doors open or close, and at regular intervals, pedestrians may choose another exit (see
//! [`rules::exit_choice`](super::rules::exit_choice)).
//!
//! `phases` defines the order of events between two ticks: pedestrians that stepped into an exit one step ago leave,
//! doors open and close, and pedestrians enter, choose their exits, and turn to them. A door closes each of its space
//! units once it is empty.
//!
//! The paper (Yu et al.) lets openings change between ticks; how they change and how exits are chosen is Throng's own.

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
