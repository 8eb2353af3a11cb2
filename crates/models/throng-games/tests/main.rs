//! Kalah: rules, search, solving, tournaments and games in a terminal.

mod kalah;
mod kalah_alpha_beta;
mod kalah_play;
mod kalah_replay;
mod kalah_solver;
mod kalah_solver_files;
mod kalah_tournament;
