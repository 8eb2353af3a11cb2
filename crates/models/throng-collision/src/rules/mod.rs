//! The rules, shared by CPU and GPU, in integer arithmetic.

pub mod contest;
pub(crate) mod decision;
pub(crate) mod draws;
pub mod overlap;
pub mod wall;
pub mod wish;
