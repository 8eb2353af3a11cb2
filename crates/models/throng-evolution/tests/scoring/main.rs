//! Compares scores with those of MATSim.

mod equil;
mod matsim_files;
mod matsim_scores;
