//! The layout of the packed arrays of the device: one record of words and one of reals per entity.
//!
//! Records are packed because a thread accesses most fields of one entity at a time: they share a memory sector, and a
//! launch takes few arguments.

/// Number of words of a link. The first eight are one memory sector: the lists of vehicles, and the selection at nodes.
pub const LINK_WORDS: u32 = 16;
/// First driving vehicle; with passing, the root of the heap.
pub const QUEUE: u32 = 0;
/// First vehicle that waits to enter traffic. (Word 3 is the last one; word 1 is the last driving vehicle.)
pub const WAITING: u32 = 2;
/// First vehicle that may cross the node. (Word 5 is the last one.)
pub const BUFFER: u32 = 4;
/// Number of vehicles that may cross the node.
pub const BUFFERED: u32 = 6;
/// Whether the link still takes part in the selection of its end node.
pub const CANDIDATE: u32 = 7;
/// Start node.
pub const FROM: u32 = 8;
/// End node.
pub const TO: u32 = 9;
/// Number of driving vehicles, maintained only with passing.
pub const DRIVING: u32 = 10;
/// Whether the upstream end (holes and inflow) is stepped: one of the three values below.
pub const UPSTREAM_STATE: u32 = 11;
/// First hole under way. (Word 13 is the last one.)
pub const HOLES: u32 = 12;
/// First unused hole of the link.
pub const SPARE_HOLES: u32 = 14;
/// The last step in which the link was stepped, counted from 1, excluding steps made for [`STEPPED_ALONE`].
pub const STEPPED: u32 = 15;

/// Holes and inflow are not stepped.
pub const NOT_STEPPED: u32 = 0;
/// Holes and inflow are stepped with the link.
pub const STEPPED_WITH_LINK: u32 = 1;
/// As above, but the next step of the link is executed only for holes and inflow. A CPU would not count it as a step of
/// the link, unless vehicles depart or one crosses a node.
pub const STEPPED_ALONE: u32 = 2;

/// Number of words of a node. One extra record holds the end of the last node's in-links.
pub const NODE_WORDS: u32 = 4;
/// First in-link.
pub const FIRST_IN_LINK: u32 = 0;
/// Scenario index, which keys random draws.
pub const NUMBER: u32 = 1;
/// Number of vehicles that crossed the node.
pub const CROSSED: u32 = 2;
/// The last step in which MATSim visits the node, counted from 1.
pub const ACTIVE_AT: u32 = 3;

/// Number of reals of a link.
pub const LINK_REALS: u32 = 8;
/// Storage capacity in use, passenger car equivalents.
pub const USED: u32 = 0;
/// Storage capacity, passenger car equivalents.
pub const STORAGE: u32 = 1;
/// Flow allowance left, vehicles.
pub const ACCUMULATED: u32 = 2;
/// Time at which the flow allowance was last updated, seconds of the day.
pub const UPDATED_AT: u32 = 3;
/// Upper bound of the flow allowance, vehicles.
pub const REST: u32 = 4;
/// Flow allowance per step, vehicles.
pub const PER_STEP: u32 = 5;
/// Time at which the first vehicle of the buffer became the first, seconds of the day.
pub const LAST_MOVED: u32 = 6;
/// Capacity as in the network file.
pub const CAPACITY: u32 = 7;

/// Number of reals of a vehicle type.
pub const KIND_REALS: u32 = 3;
/// Passenger car equivalents.
pub const PCU: u32 = 0;
/// Flow that a vehicle of the type uses, vehicles.
pub const CONSUMPTION: u32 = 1;
/// The column in the table of travel times.
pub const SPEED_CLASS: u32 = 2;

/// Number of reals of a hole.
pub const HOLE_REALS: u32 = 3;
/// Time at which the hole arrives at the upstream end, seconds of the day.
pub const ARRIVES_AT: u32 = 0;
/// Size of the hole, passenger car equivalents.
pub const SIZE: u32 = 1;
/// The next hole in its list; 32-bit integers are exact as reals.
pub const NEXT_HOLE: u32 = 2;

/// Number of reals of the upstream end of a link, with holes.
pub const UPSTREAM_REALS: u32 = 4;
/// Storage minus entered vehicles plus arrived holes.
pub const REMAINING: u32 = 0;
/// Inflow allowance left.
pub const INFLOW: u32 = 1;
/// Inflow allowance per step, which is also its maximum.
pub const MAX_INFLOW: u32 = 2;
/// Travel time of a hole, seconds.
pub const HOLE_TIME: u32 = 3;

/// Number of words of a person, most of which describe the vehicle that the person drives.
pub const PERSON_WORDS: u32 = 8;
/// The next person in the list that contains this one.
pub const NEXT: u32 = 0;
/// Drivers: the next link of the route, [`ARRIVE`] or [`NO_SUCH_LINK`].
pub const NEXT_LINK: u32 = 1;
/// Persons at an activity: its link, in the same word.
pub const ACTIVITY_LINK: u32 = NEXT_LINK;
/// Persons who wait for a vehicle: the link on which they wait, in the same word.
pub const WAITING_LINK: u32 = NEXT_LINK;
/// Persons who wait at a stop: the call of a route of their line at which they would alight from a vehicle, of the
/// route that was examined last, or [`NONE`] if it does not take them, in the same word. First that of the plan.
pub const ALIGHTING_CALL: u32 = NEXT_LINK;
/// Position in the list of all route links.
pub const POSITION: u32 = 2;
/// Persons who have reached a stop: the step and phase in which they did, in the same word.
pub const STOP_ORDER: u32 = POSITION;
/// Passengers: the number of persons who boarded the vehicle before, in the same word.
pub const BOARDING_ORDER: u32 = POSITION;
/// Number of links ahead, with the vehicle type in the lowest [`KIND_BITS`].
pub const AHEAD_KIND: u32 = 3;
/// Persons who wait at a stop: the line of their ride, in the same word.
pub const LINE: u32 = AHEAD_KIND;
/// Position in the list of all plan elements.
pub const ELEMENT: u32 = 4;
/// Index of the vehicle that the person drives or rides in.
pub const VEHICLE: u32 = 5;
/// Persons who wait at a stop: the driver of the last vehicle that was full, or [`NONE`], in the same word.
pub const DENIED_BY: u32 = VEHICLE;
/// One of the `STATUS_` values.
pub const STATUS: u32 = 6;
/// With passing: the heap slot that the person contributes.
pub const HEAP_SLOT: u32 = 7;

pub use super::suitability::KIND_BITS;
pub use crate::rules::crossing::{ARRIVE, NO_SUCH_LINK};

/// Removed from the simulation, or at the last activity.
pub const STATUS_FINISHED: u32 = 0;
/// At an activity that ends.
pub const STATUS_AT_ACTIVITY: u32 = 1;
/// On a teleported leg.
pub const STATUS_TELEPORTED: u32 = 2;
/// In traffic or waiting to enter it.
pub const STATUS_DRIVING: u32 = 3;
/// Waits for its vehicle on the link in [`WAITING_LINK`].
pub const STATUS_WAITING_FOR_VEHICLE: u32 = 4;
/// Waits at the stop of its ride, in a list of the stop.
pub const STATUS_AT_STOP: u32 = 5;
/// As above, but not in a list before the next step.
pub const STATUS_REACHES_STOP: u32 = 6;
/// In a vehicle of public transport.
pub const STATUS_RIDES: u32 = 7;

/// Number of words of a heap slot.
pub const HEAP_SLOT_WORDS: u32 = 3;
pub const LEFT: u32 = 0;
pub const RIGHT: u32 = 1;
pub const OCCUPANT: u32 = 2;

/// Number of words of a plan element.
pub const PLAN_WORDS: u32 = 8;
/// Mode in the lowest byte, vehicle type above it, and the flags below.
pub const CODE: u32 = 0;
/// Link of the activity, or end link of the leg.
pub const PLAN_LINK: u32 = 1;
/// Index of the activity or leg.
pub const DETAIL: u32 = 2;
/// First entry of the route in the list of all route links.
pub const ROUTE: u32 = 3;
/// Number of links of the route, minus one.
pub const ROUTE_AHEAD: u32 = 4;
/// Vehicle of the leg.
pub const PLAN_VEHICLE: u32 = 5;
/// Legs of drivers of public transport: the first call and the end of the calls.
pub const FIRST_CALL: u32 = 6;
pub const END_OF_CALLS: u32 = 7;
/// Rides: the line, the stops, the link of the first stop, and the call of the planned route at which the ride ends, or
/// [`NONE`] if the plan names none. They have neither route nor vehicle.
pub const RIDE_LINE: u32 = 3;
pub const ACCESS_STOP: u32 = 4;
pub const EGRESS_STOP: u32 = 5;
pub const ACCESS_LINK: u32 = 6;
pub const PLANNED_CALL: u32 = 7;

pub const KIND_SHIFT: u32 = 8;
pub const IS_LEG: u32 = 1 << 31;
/// The last element of its plan.
pub const IS_LAST: u32 = 1 << 30;
/// The leg is driven on the network.
pub const IS_MAIN: u32 = 1 << 29;
/// The leg has no route.
pub const IS_MISSING: u32 = 1 << 28;
/// The activity has an end time, or the leg a travel time, in the first real of the element.
pub const HAS_TIME: u32 = 1 << 27;
/// The activity has a duration, in the second real.
pub const HAS_DURATION: u32 = 1 << 26;
/// The leg is a ride in public transport.
pub const IS_RIDE: u32 = 1 << 25;

/// Number of reals of a plan element.
pub const PLAN_REALS: u32 = 2;

// Public transport shares one array of words, which begins with the stops, and one of reals, which begins with the
// calls.

/// Number of words of a stop.
pub const STOP_WORDS: u32 = 5;
/// The link at whose end it is, or [`NONE`].
pub const STOP_LINK: u32 = 0;
/// Whether a vehicle at the stop blocks the vehicles behind it.
pub const IS_BLOCKING: u32 = 1;
/// First person in the list of those who wait. (Word 3 is the last one.)
pub const WAITING_PERSONS: u32 = 2;
/// First unused entry for persons who found no place.
pub const SPARE_DENIED: u32 = 4;

/// Number of words of a call of a route at a stop.
pub const CALL_WORDS: u32 = 4;
pub const CALL_STOP: u32 = 0;
pub const CALL_LINE: u32 = 1;
/// The flags below.
pub const CALL_FLAGS: u32 = 2;
/// The link of the stop, as a copy.
pub const CALL_LINK: u32 = 3;
/// An early vehicle waits for the planned departure, whose offset is the real of the call.
pub const AWAITS_DEPARTURE: u32 = 1 << 0;
/// The route calls at a stop more than once.
pub const REPEATS_STOPS: u32 = 1 << 1;

/// Number of words of a driver.
pub const DRIVER_WORDS: u32 = 9;
/// The next call of the current leg, and the end of its calls.
pub const CALL: u32 = 0;
pub const CALL_END: u32 = 1;
/// Whether the vehicle has arrived for the next call.
pub const HAS_ARRIVED: u32 = 2;
pub const DOORS_OPEN: u32 = 3;
/// Number of passengers.
pub const ABOARD: u32 = 4;
/// Number of persons who have ever boarded.
pub const BOARDED: u32 = 5;
/// First entry of the list of persons who found no place, in the order of persons.
pub const DENIED: u32 = 6;
/// First call of the current leg.
pub const FIRST_OF_CALLS: u32 = 7;
/// Where the lists of passengers begin, one for each call of the current leg.
pub const PASSENGER_LISTS: u32 = 8;

/// Number of words of a list of passengers: the first, the last, and their number.
pub const PASSENGER_LIST_WORDS: u32 = 3;
pub const ALIGHTING_PERSONS: u32 = 2;

/// Number of reals of a driver.
pub const DRIVER_REALS: u32 = 4;
/// Time that persons who have boarded and alighted still need at the doors, seconds.
pub const BOARDING: u32 = 0;
pub const ALIGHTING: u32 = 1;
/// The time from which planned departures count, seconds of the day.
pub const DEPARTED: u32 = 2;
/// End of the previous leg, seconds of the day.
pub const ENDED: u32 = 3;

/// Number of reals of the doors of a vehicle type: seconds per person, whether persons board while others alight, and
/// the number of passengers.
pub const DOOR_REALS: u32 = 4;
pub const ACCESS: u32 = 0;
pub const EGRESS: u32 = 1;
pub const PARALLEL: u32 = 2;
pub const PASSENGER_CAPACITY: u32 = 3;

/// Number of words of an entry in a list of persons who found no place.
pub const DENIED_WORDS: u32 = 2;
pub const DENIED_PERSON: u32 = 0;
pub const NEXT_DENIED: u32 = 1;

/// No person, no position, no time.
pub const NONE: u32 = u32::MAX;

/// Counters of a batch of steps, all of which start at zero.
pub const EVENTS: u32 = 0;
pub const ARRIVALS: u32 = 1;
pub const PUSHED: u32 = 2;
pub const REMOVED: u32 = 3;
pub const ABORTED: u32 = 4;
pub const TELEPORTED_VEHICLES: u32 = 5;
pub const ERRORS: u32 = 6;
/// [`NONE`] minus the number of steps from the last one of the batch to the next one in which anything is due, so that
/// a maximum yields the earliest step.
pub const HORIZON: u32 = 7;
/// Number of agents that have finished.
pub const AGENTS_DONE: u32 = 8;
/// Last step of the batch in which an agent finished, counted from 1 at the first step.
pub const LAST_DONE_STEP: u32 = 9;
/// Last step of the batch in which an agent was due, counted from 1 at the first step.
pub const LAST_AGENT_STEP: u32 = 10;
/// Number of executed steps, written after the last one.
pub const STEPS_MADE: u32 = 11;
/// Number of arrivals of cubes at grid barriers since the batch began. Not adjacent to the other counters, to which
/// many threads write.
pub const BARRIER_ARRIVALS: u32 = 64;
/// Nonzero if a grid barrier timed out.
pub const BARRIER_TIMED_OUT: u32 = BARRIER_ARRIVALS + 1;
pub const COUNTER_WORDS: u32 = BARRIER_TIMED_OUT + 1;

/// Number of words of an event: header, person, link, detail, owner. The header holds kind, mode, phase and step,
/// starting at the lowest bits.
pub const EVENT_WORDS: u32 = 5;
pub const MODE_SHIFT: u32 = 5;
pub const PHASE_SHIFT: u32 = 13;
pub const STEP_SHIFT: u32 = 15;

/// Number of words of an error: code, person, plan element, link, step in the batch.
pub const ERROR_WORDS: u32 = 5;
/// Maximum number of stored errors; only those of the first step matter.
pub const MAX_ERRORS: u32 = 1024;
pub const ERROR_VEHICLE: u32 = 1;
pub const ERROR_IN_USE: u32 = 2;
pub const ERROR_NO_TIME: u32 = 3;
pub const ERROR_HOLES: u32 = 4;
pub const ERROR_DENIED: u32 = 5;
/// Has the stop instead of the plan element, like the next one.
pub const ERROR_STOP_NOT_REACHED: u32 = 6;
pub const ERROR_NOT_AT_STOP: u32 = 7;
