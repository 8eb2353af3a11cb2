//! What every executor needs before its first step: the numbering of nodes and links, the clock, the settings in the
//! form of inner loops, where agents are, and when it all ends.

pub(crate) mod attributes;
pub(crate) mod check;
pub(crate) mod checked;
pub(crate) mod clock;
pub(crate) mod end;
pub(crate) mod first_activities;
pub(crate) mod hash_schedule;
pub(crate) mod hashed;
pub(crate) mod layout;
pub(crate) mod rules;
