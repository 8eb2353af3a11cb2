//! Tests of properties of crowds of discs, and of rules on the host and on devices.

mod domains;
mod invariants;
#[cfg(feature = "gpu")]
mod rules;
