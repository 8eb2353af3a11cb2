//! The rules: one text for CPU and GPU, in whole numbers.

pub mod contest;
pub(crate) mod decision;
pub(crate) mod draws;
pub mod overlap;
pub mod wall;
pub mod wish;
