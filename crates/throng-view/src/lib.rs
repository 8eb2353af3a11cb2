//! A page on this computer that shows scenes and stored simulations, drawn while you look at them.

#![forbid(unsafe_code)]
#![deny(clippy::print_stderr, clippy::print_stdout)]

mod show;

pub use show::{Description, Frame, Show, Slider, View, Work};
