//! The events of a run: MATSim's events as 16-byte records.

use thiserror::Error;
use throng_core::NONE;

use crate::HashAt;
use crate::ModeId;

/// Defines [`EventKind`] from the table of all kinds and their names in MATSim's files.
macro_rules! event_kinds {
    ($($(#[$doc:meta])* $kind:ident = $matsim_type:literal,)*) => {
        /// The type of an event. The comment names the MATSim type and the meaning of [`Event::detail`].
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum EventKind {
            $(
                #[doc = concat!("`", $matsim_type, "`.")]
                $(#[$doc])*
                $kind,
            )*
        }

        impl EventKind {
            /// All kinds, in the order of their discriminants.
            pub const ALL: [Self; [$($matsim_type),*].len()] = [$(Self::$kind),*];

            /// Returns the value of the attribute `type` in MATSim's files.
            pub fn matsim_type(self) -> &'static str {
                match self {
                    $(Self::$kind => $matsim_type,)*
                }
            }

            /// Returns the kind of events with this value of the attribute `type`, if there is one.
            pub fn of_matsim_type(name: &str) -> Option<Self> {
                match name {
                    $($matsim_type => Some(Self::$kind),)*
                    _ => None,
                }
            }
        }
    };
}

event_kinds! {
    /// Detail: activity.
    ActivityEnd = "actend",
    /// Detail: leg.
    Departure = "departure",
    /// Detail: vehicle.
    PersonEntersVehicle = "PersonEntersVehicle",
    /// Detail: vehicle.
    VehicleEntersTraffic = "vehicle enters traffic",
    /// Detail: vehicle.
    LeftLink = "left link",
    /// Detail: vehicle.
    EnteredLink = "entered link",
    /// Detail: vehicle.
    VehicleLeavesTraffic = "vehicle leaves traffic",
    /// Detail: vehicle.
    PersonLeavesVehicle = "PersonLeavesVehicle",
    /// Detail: leg.
    Travelled = "travelled",
    /// Detail: leg.
    Arrival = "arrival",
    /// Detail: activity.
    ActivityStart = "actstart",
    /// Detail: vehicle.
    VehicleAborts = "vehicle aborts",
    /// Link and mode may be absent.
    StuckAndAbort = "stuckAndAbort",
    /// A driver of public transport begins a departure. Detail: leg.
    TransitDriverStarts = "TransitDriverStarts",
    /// A person arrives at a stop. Detail: leg.
    WaitingForPt = "waitingForPt",
    /// A vehicle arrives at a stop. Person: driver; link: index of the leg; detail: index of the call in
    /// [`Routes`](crate::Routes).
    VehicleArrivesAtFacility = "VehicleArrivesAtFacility",
    /// A vehicle departs from a stop, with the columns of [`EventKind::VehicleArrivesAtFacility`].
    VehicleDepartsAtFacility = "VehicleDepartsAtFacility",
    /// A person finds no place. Detail: vehicle.
    BoardingDenied = "BoardingDeniedEvent",
}

/// One event. It occurs at the time of the step to which it belongs.
///
/// `person`, `link` and `detail` are [`NONE`] and `mode` is [`ModeId::NONE`] where the type has no such attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Event {
    /// Type of the event.
    pub kind: EventKind,
    /// Mode of the leg.
    pub mode: ModeId,
    /// Person index.
    pub person: u32,
    /// Link index.
    pub link: u32,
    /// Index of the vehicle, activity or leg, depending on the type.
    pub detail: u32,
}

impl Event {
    /// The leg of the driver, if a vehicle arrives at or departs from a stop.
    pub fn leg_of_stop(&self) -> Option<u32> {
        matches!(self.kind, EventKind::VehicleArrivesAtFacility | EventKind::VehicleDepartsAtFacility)
            .then_some(self.link)
    }

    /// Creates an event of a vehicle on a link.
    pub fn of_vehicle(kind: EventKind, vehicle: u32, link: u32) -> Self {
        Self { kind, mode: ModeId::NONE, person: NONE, link, detail: vehicle }
    }
}

/// The event sink failed, for example because the disk is full.
#[derive(Error)]
#[error("{0}")]
pub struct SinkError(pub String);

throng_core::debug_is_message!(SinkError);

/// Receives the events of a run, step by step, in order of time.
pub trait EventSink {
    /// Takes the events of the step at `time` (seconds of the day). Never called with an empty slice.
    ///
    /// Their order does not depend on the executor or the number of threads: first agents whose activities end, then
    /// nodes, links, and teleported agents. Agents are in descending order of ids; nodes and links are in their order
    /// along a curve through the network, or with Java's generator in the order of their activation.
    ///
    /// # Errors
    /// If the events cannot be taken; the run stops.
    fn step(&mut self, time: f64, events: &[Event]) -> Result<(), SinkError>;

    /// Takes state hashes, if requested, as soon as it is certain that their steps belong to the run. Hashes arrive in
    /// order of steps, but may precede or follow the events of their steps. Never called with an empty slice.
    ///
    /// # Errors
    /// If the hashes cannot be taken; the run stops.
    fn hashes(&mut self, _hashes: &[HashAt]) -> Result<(), SinkError> {
        Ok(())
    }

    /// Whether the sink wants events; runs without events are faster.
    fn wants_events(&self) -> bool {
        true
    }
}

impl<S: EventSink + ?Sized> EventSink for &mut S {
    fn step(&mut self, time: f64, events: &[Event]) -> Result<(), SinkError> {
        (**self).step(time, events)
    }

    fn hashes(&mut self, hashes: &[HashAt]) -> Result<(), SinkError> {
        (**self).hashes(hashes)
    }

    fn wants_events(&self) -> bool {
        (**self).wants_events()
    }
}

/// Keeps all events and state hashes in memory, for tests and small runs.
#[derive(Debug, Default)]
pub struct EventLog {
    /// Time and event, in order.
    pub events: Vec<(f64, Event)>,
    /// State hashes, in order of steps.
    pub hashes: Vec<HashAt>,
}

impl EventSink for EventLog {
    fn step(&mut self, time: f64, events: &[Event]) -> Result<(), SinkError> {
        self.events.extend(events.iter().map(|&e| (time, e)));
        Ok(())
    }

    fn hashes(&mut self, hashes: &[HashAt]) -> Result<(), SinkError> {
        self.hashes.extend_from_slice(hashes);
        Ok(())
    }
}

/// Keeps all events in memory as columns, 14 bytes per event, for programs that evaluate them without files.
#[derive(Debug, Default)]
pub struct EventColumns {
    /// Time of each step with events, seconds of the day, and the index after its last event.
    pub steps: Vec<(f64, usize)>,
    /// Type of each event.
    pub kind: Vec<EventKind>,
    /// Mode of the leg, or [`ModeId::NONE`].
    pub mode: Vec<ModeId>,
    /// Person index, or [`NONE`].
    pub person: Vec<u32>,
    /// Link index, or [`NONE`].
    pub link: Vec<u32>,
    /// Index of the vehicle, activity or leg, depending on the type.
    pub detail: Vec<u32>,
}

impl EventSink for EventColumns {
    fn step(&mut self, time: f64, events: &[Event]) -> Result<(), SinkError> {
        self.kind.extend(events.iter().map(|event| event.kind));
        self.mode.extend(events.iter().map(|event| event.mode));
        self.person.extend(events.iter().map(|event| event.person));
        self.link.extend(events.iter().map(|event| event.link));
        self.detail.extend(events.iter().map(|event| event.detail));
        self.steps.push((time, self.kind.len()));
        Ok(())
    }
}

/// Discards all events.
#[derive(Debug, Default, Clone, Copy)]
pub struct NoEvents;

impl EventSink for NoEvents {
    fn step(&mut self, _time: f64, _events: &[Event]) -> Result<(), SinkError> {
        Ok(())
    }

    fn wants_events(&self) -> bool {
        false
    }
}
