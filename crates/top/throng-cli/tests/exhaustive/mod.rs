//! Tests that the quick run omits.

mod collision;
mod pedpy;
mod python_tools;
mod verification;
