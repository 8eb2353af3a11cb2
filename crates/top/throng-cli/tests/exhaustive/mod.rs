//! Tests that the quick run omits.

mod collision;
mod pedpy;
mod verification;
