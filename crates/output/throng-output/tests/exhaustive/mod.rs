//! Tests left out of the quick run: trajectories in PedPy.

mod pedpy;
