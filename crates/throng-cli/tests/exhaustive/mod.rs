//! What the quick tests leave out.

mod pedpy;
mod verification;
