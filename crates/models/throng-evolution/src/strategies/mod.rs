//! The choice of a plan for the next iteration, and the changes to it.
