//! The plans that persons remember, with their scores.
//!
//! [`PlanMemory`] has arrays with room for the same number of plans per person. A plan is a score, a type and the id of
//! its content: a sequence of [elements](Element) that refer to places and routes. Contents, places and routes count
//! their uses. A copy of a plan therefore shares its content until [`PlanMemory::replace`] gives it another one, and
//! that shares the places and routes it still refers to.
//!
//! # Size
//!
//! | What | Bytes |
//! |---|---|
//! | person | 8 |
//! | room for a plan | 14 |
//! | content | 16, and 24 per element |
//! | place | 44 |
//! | route | 40, and 4 per link |
//!
//! A person with three activities and six plans takes about 1.0 kB besides the routes. A route of 50 links takes 240
//! bytes. Up to a third of the space of contents, places and routes is unused: that of forgotten plans, until it is
//! reclaimed.

mod arena;
mod elements;
mod person;
mod plan_memory;

pub use elements::{Element, Place, PlaceId, Route, RouteId};
pub use person::PlanType;
pub(crate) use person::{PersonPlans, PersonsMut};
pub use plan_memory::PlanMemory;
