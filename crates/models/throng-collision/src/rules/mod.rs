//! The rules: one text for CPU and GPU, in whole numbers.

pub mod contest;
pub mod overlap;
pub mod wall;
pub mod wish;
