//! What the quick tests leave out: trajectories in PedPy.

mod pedpy;
