//! Ways to goals: travel times over a map of costs, and the directions that follow from them for any number of agents.

mod flow_field;
mod travel_times;
mod walks;

pub use flow_field::FlowField;
pub use travel_times::TravelTimes;
pub use walks::{Journey, climb, follow};
