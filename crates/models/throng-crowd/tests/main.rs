//! Properties of crowds, and rules on the host and on devices.

mod domains;
mod invariants;
#[cfg(feature = "gpu")]
mod rules;
#[cfg(feature = "gpu")]
mod social_field_rules;
mod social_field_worlds;
