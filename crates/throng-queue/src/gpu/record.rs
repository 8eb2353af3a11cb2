//! Where things lie in the packed arrays of the device: one record of words, and one of reals, per entity.
//!
//! Records are packed because a thread touches most of one entity at a time: its fields share a memory sector, and a
//! launch takes few arguments.

/// Words of a link.
pub const LINK_WORDS: u32 = 16;
/// First driving vehicle; with passing the root of the heap.
pub const QUEUE: u32 = 0;
/// Start node. (Word 1 is the last driving vehicle.)
pub const FROM: u32 = 2;
/// End node.
pub const TO: u32 = 3;
/// First vehicle that may cross the node. (Word 5 is the last one.)
pub const BUFFER: u32 = 4;
/// Vehicles that may cross the node.
pub const BUFFERED: u32 = 6;
/// Whether the link still takes part in the selection of its end node.
pub const CANDIDATE: u32 = 7;
/// First vehicle that waits to enter traffic. (Word 9 is the last one.)
pub const WAITING: u32 = 8;
/// Driving vehicles, counted only with passing.
pub const DRIVING: u32 = 10;
/// Whether holes and inflow are stepped: one of the three below.
pub const WAVES: u32 = 11;
/// First hole under way. (Word 13 is the last one.)
pub const HOLES: u32 = 12;
/// First unused hole of the link.
pub const SPARE_HOLES: u32 = 14;
/// The last step in which the link was stepped, counted from 1. Not those that are made for [`ONLY_WAVES`].
pub const STEPPED: u32 = 15;

/// Holes and inflow stand still.
pub const INACTIVE: u32 = 0;
/// Holes and inflow are stepped with the link.
pub const STEPPED_TOO: u32 = 1;
/// As above, and the next step of the link is made for nothing else. Nothing that a CPU would take note of happens in
/// it, unless vehicles depart, or one crosses a node.
pub const ONLY_WAVES: u32 = 2;

/// Words of a node. There is one record more than nodes, for the end of the in-links of the last one.
pub const NODE_WORDS: u32 = 4;
/// First in-link.
pub const FIRST_IN_LINK: u32 = 0;
/// Number in the scenario, which random draws are keyed with.
pub const NUMBER: u32 = 1;
/// Vehicles that crossed it.
pub const CROSSED: u32 = 2;
/// The last step in which MATSim looks at it, counted from 1.
pub const ACTIVE_AT: u32 = 3;

/// Reals of a link.
pub const LINK_REALS: u32 = 8;
/// Room taken, passenger car equivalents.
pub const USED: u32 = 0;
/// Storage capacity.
pub const STORAGE: u32 = 1;
/// Flow that may still leave.
pub const ACCUMULATED: u32 = 2;
/// When that was brought up to date, seconds of the day.
pub const UPDATED_AT: u32 = 3;
/// Upper bound of the accumulated flow.
pub const REST: u32 = 4;
/// Flow per step.
pub const PER_STEP: u32 = 5;
/// Since when the first vehicle of the buffer stands there.
pub const LAST_MOVED: u32 = 6;
/// Capacity as in the network file.
pub const CAPACITY: u32 = 7;

/// Reals of a vehicle type.
pub const KIND_REALS: u32 = 3;
/// Passenger car equivalents.
pub const PCU: u32 = 0;
/// The flow that it uses.
pub const CONSUMPTION: u32 = 1;
/// Its column in the table of travel times.
pub const SPEED_CLASS: u32 = 2;

/// Reals of a hole.
pub const HOLE_REALS: u32 = 3;
/// When it arrives at the upstream end, seconds of the day.
pub const ARRIVES_AT: u32 = 0;
/// Its size, passenger car equivalents.
pub const SIZE: u32 = 1;
/// The next hole of its list; numbers of 32 bits are exact as reals.
pub const NEXT_HOLE: u32 = 2;

/// Reals of a link with holes.
pub const WAVE_REALS: u32 = 4;
/// Storage less entered vehicles plus arrived holes.
pub const REMAINING: u32 = 0;
/// Inflow that is left.
pub const INFLOW: u32 = 1;
/// Inflow per step, and the most there is.
pub const MAX_INFLOW: u32 = 2;
/// How long a hole travels, seconds.
pub const HOLE_TIME: u32 = 3;

/// Words of a person, most of them about the vehicle that it drives.
pub const PERSON_WORDS: u32 = 8;
/// The next one in whatever list the person is in.
pub const NEXT: u32 = 0;
/// The next link of the route, [`ARRIVE`] or [`NOWHERE`].
pub const NEXT_LINK: u32 = 1;
/// Position in the list of all route links.
pub const POSITION: u32 = 2;
/// Links still ahead, and the type of the vehicle in the lowest [`KIND_BITS`].
pub const AHEAD_KIND: u32 = 3;
/// Position in the list of all plan elements.
pub const ELEMENT: u32 = 4;
/// Vehicle.
pub const VEHICLE: u32 = 5;
/// One of the `DOES_` numbers.
pub const DOES: u32 = 6;
/// With passing: a slot of a heap that the person brings along.
pub const SLOT: u32 = 7;

pub use super::suitable::KIND_BITS;

/// Out of the simulation, or at its last activity.
pub const DOES_NOTHING: u32 = 0;
/// At an activity that ends.
pub const DOES_ACTIVITY: u32 = 1;
/// On a teleported leg.
pub const DOES_TELEPORT: u32 = 2;
/// In traffic or waiting to enter it.
pub const DOES_DRIVE: u32 = 3;
/// Waits for its vehicle on the link in `NEXT_LINK`.
pub const DOES_WAIT: u32 = 4;

/// Words of a slot of a heap.
pub const SLOT_WORDS: u32 = 3;
pub const LEFT: u32 = 0;
pub const RIGHT: u32 = 1;
pub const OCCUPANT: u32 = 2;

/// Words of a plan element.
pub const PLAN_WORDS: u32 = 8;
/// Mode in the lowest byte, type of the vehicle above it, and the flags below.
pub const CODE: u32 = 0;
/// Link of the activity, or end link of the leg.
pub const PLACE: u32 = 1;
/// Number of the activity or leg.
pub const DETAIL: u32 = 2;
/// First entry of the route in the list of all route links.
pub const ROUTE: u32 = 3;
/// Links of the route less one.
pub const ROUTE_AHEAD: u32 = 4;
/// Vehicle of the leg.
pub const PLAN_VEHICLE: u32 = 5;

pub const KIND_SHIFT: u32 = 8;
pub const IS_LEG: u32 = 1 << 31;
/// The last element of its plan.
pub const IS_LAST: u32 = 1 << 30;
/// The leg is driven on the network.
pub const IS_MAIN: u32 = 1 << 29;
/// The leg has no route.
pub const IS_MISSING: u32 = 1 << 28;
/// The activity has an end time, or the leg a travel time: the first real of the element.
pub const HAS_TIME: u32 = 1 << 27;
/// The activity has a duration: the second real.
pub const HAS_DURATION: u32 = 1 << 26;

/// Reals of a plan element.
pub const PLAN_REALS: u32 = 2;

/// Numbers of `plans.activityDurationInterpretation`: the end time, else the duration; the end time; the earlier one.
pub const END_TIME_THEN_DURATION: u32 = 0;
pub const END_TIME_ONLY: u32 = 1;
pub const MIN_OF_BOTH: u32 = 2;
/// Numbers of `qsim.vehicleBehavior`.
pub const MISSING_VEHICLE_IS_ERROR: u32 = 0;
pub const TELEPORT_VEHICLE: u32 = 1;
pub const WAIT_FOR_VEHICLE: u32 = 2;

/// No person, no place, no time.
pub const NONE: u32 = u32::MAX;
/// The value of `NEXT_LINK` of a vehicle that wants to arrive on the link where it is.
pub const ARRIVE: u32 = NONE;
/// The value of `NEXT_LINK` of a vehicle whose route goes on over a link that does not exist; the place of a vehicle
/// that somebody drives.
pub const NOWHERE: u32 = NONE - 1;

/// Words of the mailbox of a batch of steps, which counts from zero.
pub const EVENTS: u32 = 0;
pub const ARRIVALS: u32 = 1;
pub const PUSHED: u32 = 2;
pub const REMOVED: u32 = 3;
pub const ABORTED: u32 = 4;
pub const TELEPORTED_VEHICLES: u32 = 5;
pub const ERRORS: u32 = 6;
/// Steps from the end of the batch to the next in which anything is due, subtracted from [`NONE`] so that the
/// earliest is the largest number.
pub const HORIZON: u32 = 7;
/// Agents who are done.
pub const DONE: u32 = 8;
/// Last step of the batch in which anybody was done, counted from 1 at its first.
pub const LAST_DONE: u32 = 9;
/// Last step of the batch in which an agent was looked at, counted likewise.
pub const LAST_AGENT: u32 = 10;
/// Steps that were made, written when all are.
pub const MADE: u32 = 11;
/// Cubes that came to meet, since the batch began; away from the others, which many threads write to.
pub const MEETING: u32 = 64;
/// Not 0 when cubes did not meet.
pub const PARTED: u32 = MEETING + 1;
pub const MAILBOX_WORDS: u32 = PARTED + 1;

/// Words of an event: what, person, link, detail, owner.
pub const EVENT_WORDS: u32 = 5;
pub const MODE_SHIFT: u32 = 4;
pub const PHASE_SHIFT: u32 = 12;
pub const STEP_SHIFT: u32 = 14;

/// Words of an error: code, person, plan element, link, step in the batch.
pub const ERROR_WORDS: u32 = 5;
/// Errors that are kept; only those of the first step matter.
pub const MAX_ERRORS: u32 = 1024;
pub const ERROR_VEHICLE: u32 = 1;
pub const ERROR_IN_USE: u32 = 2;
pub const ERROR_NO_TIME: u32 = 3;
pub const ERROR_HOLES: u32 = 4;
