//! Games whose searches give the same result on CPUs and GPUs.
//!
//! [`kalah`] is a game with a row of pits for each player: its rules, with one source for CPU and devices, boards as
//! text, searches, players and tournaments.

#![forbid(unsafe_code)]
#![deny(clippy::print_stderr, clippy::print_stdout)]

pub mod kalah;
