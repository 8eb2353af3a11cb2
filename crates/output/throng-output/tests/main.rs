//! Output files are read by other programs.

mod exhaustive;
