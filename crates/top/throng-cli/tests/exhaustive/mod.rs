//! What the quick tests leave out.

mod collision;
mod pedpy;
mod verification;
