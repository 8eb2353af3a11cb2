//! Tests of the server, the page in a browser, and the shows.

mod access;
mod browser;
#[cfg(feature = "gpu")]
mod devices;
mod exhaustive;
mod limits;
mod shows;
mod support;
mod transport;
