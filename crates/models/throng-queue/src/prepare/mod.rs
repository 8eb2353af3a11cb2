//! The preparations of every executor before its first step: indices of nodes and links, the clock, the settings in the
//! form that inner loops need, the first activities of agents, and the end of the run.

pub(crate) mod attributes;
pub(crate) mod check;
pub(crate) mod checked;
pub(crate) mod clock;
pub(crate) mod end;
pub(crate) mod first_activities;
pub(crate) mod hash_schedule;
pub(crate) mod hash_words;
pub(crate) mod layout;
pub(crate) mod rules;
pub(crate) mod step_clock;
