//! Properties of crowds of discs, and rules on the host and on devices.

mod domains;
mod invariants;
#[cfg(feature = "gpu")]
mod rules;
