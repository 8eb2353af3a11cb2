//! Games, searched on CPUs and GPUs with the same result.
//!
//! [`kalah`] is the game of a row of pits for each player: its rules, written once for CPU and devices, boards as
//! text, searches, players and tournaments.

#![forbid(unsafe_code)]
#![deny(clippy::print_stderr, clippy::print_stdout)]

pub mod kalah;
