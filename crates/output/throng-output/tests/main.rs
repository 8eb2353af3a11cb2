//! Tests in which other programs read output files.

mod exhaustive;
