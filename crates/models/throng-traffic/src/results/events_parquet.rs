//! Events as Parquet columns.

use std::sync::Arc;

use throng_core::{IdTable, NONE};
use throng_output::BuildColumns;
use throng_output::table::{Column, ColumnKind, Schema};

use super::block::EventBlock;
use throng_traffic_scenario::events::{Event, EventKind};
use throng_traffic_scenario::{ModeId, Scenario};

/// A column of `output_events.parquet`. `LegMode` contains the mode of any event that has one.
#[derive(Debug, Clone, Copy)]
enum EventColumn {
    Time,
    Type,
    Person,
    Link,
    Vehicle,
    LegMode,
    ActivityType,
    Facility,
    Distance,
    Stop,
    Delay,
}

impl EventColumn {
    const ALL: [Self; 11] = [
        Self::Time,
        Self::Type,
        Self::Person,
        Self::Link,
        Self::Vehicle,
        Self::LegMode,
        Self::ActivityType,
        Self::Facility,
        Self::Distance,
        Self::Stop,
        Self::Delay,
    ];

    fn add_to(self, schema: Schema) -> Schema {
        match self {
            Self::Time => schema.required("time", ColumnKind::Float64),
            Self::Type => schema.required("type", ColumnKind::Text),
            Self::Person => schema.optional("person", ColumnKind::Text),
            Self::Link => schema.optional("link", ColumnKind::Text),
            Self::Vehicle => schema.optional("vehicle", ColumnKind::Text),
            Self::LegMode => schema.optional("legMode", ColumnKind::Text),
            Self::ActivityType => schema.optional("actType", ColumnKind::Text),
            Self::Facility => schema.optional("facility", ColumnKind::Text),
            Self::Distance => schema.optional("distance", ColumnKind::Float64),
            Self::Stop => schema.optional("stop", ColumnKind::Text),
            Self::Delay => schema.optional("delay", ColumnKind::Float64),
        }
    }
}

/// Returns the columns of `output_events.parquet`: one row per event, null where an event has no such attribute.
pub fn schema() -> Schema {
    EventColumn::ALL.into_iter().fold(Schema::new(), |schema, column| column.add_to(schema))
}

/// Builds the columns of several blocks.
#[derive(Debug)]
pub struct EventColumns {
    scenario: Arc<Scenario>,
    /// The types of events, in the order of [`EventKind::ALL`].
    types: IdTable,
}

impl EventColumns {
    /// Creates a builder for events of `scenario`.
    pub fn new(scenario: Arc<Scenario>) -> Self {
        let mut types = IdTable::new();
        for kind in EventKind::ALL {
            types.intern(kind.matsim_type()).expect("types have short and different names");
        }
        Self { scenario, types }
    }

    fn column<'a>(&'a self, column: EventColumn, blocks: &'a [Arc<EventBlock>]) -> Column<'a> {
        let steps = || blocks.iter().flat_map(|block| block.steps());
        let events = || steps().flat_map(|(_, events)| events);
        let scenario = &*self.scenario;
        let Scenario { population, network, vehicles, modes, facilities, transit, .. } = scenario;
        match column {
            EventColumn::Time => Column::required(steps().flat_map(|(t, events)| std::iter::repeat_n(t, events.len()))),
            EventColumn::Type => Column::names(events().map(|e| e.kind as u32), &self.types),
            EventColumn::Person => Column::optional_names(events().map(|e| e.person), &population.person_ids),
            EventColumn::Link => Column::optional_names(events().map(link_of), &network.link_ids),
            EventColumn::Vehicle => Column::optional_names(events().map(|e| vehicle_of(scenario, e)), &vehicles.ids),
            EventColumn::LegMode => Column::optional_names(events().map(mode_of), modes.table()),
            EventColumn::ActivityType => Column::optional_names(
                events().map(|e| of_activity(e, &population.activities.kind)),
                &population.activity_types,
            ),
            EventColumn::Facility => Column::optional_names(
                events().map(|e| of_activity(e, &population.activities.facility)),
                &facilities.ids,
            ),
            EventColumn::Distance => Column::optional(events().map(|e| {
                let leg = Some(e.detail as usize).filter(|_| e.kind == EventKind::Travelled)?;
                population.legs.distance.get(leg).copied().filter(|d| !d.is_nan())
            })),
            EventColumn::Stop => Column::optional_names(events().map(|e| stop_of(scenario, e)), &transit.stops.ids),
            EventColumn::Delay => Column::optional(
                steps()
                    .flat_map(|(t, events)| events.iter().map(move |e| (t, e)))
                    .map(|(t, e)| scenario.at_stop(e, t).map(|at_stop| at_stop.delay_s)),
            ),
        }
    }
}

impl BuildColumns<Vec<Arc<EventBlock>>> for EventColumns {
    fn columns<'a>(&'a self, blocks: &'a Vec<Arc<EventBlock>>) -> impl Iterator<Item = Column<'a>> {
        EventColumn::ALL.into_iter().map(|column| self.column(column, blocks))
    }
}

fn mode_of(e: &Event) -> u32 {
    if e.mode == ModeId::NONE { NONE } else { u32::from(e.mode.0) }
}

fn of_activity(e: &Event, values: &[u32]) -> u32 {
    match e.kind {
        EventKind::ActivityStart | EventKind::ActivityEnd => values.get(e.detail as usize).copied().unwrap_or(NONE),
        _ => NONE,
    }
}

fn link_of(e: &Event) -> u32 {
    if e.leg_of_stop().is_some() { NONE } else { e.link }
}

/// The stop of a vehicle, or the one where a person waits.
fn stop_of(scenario: &Scenario, e: &Event) -> u32 {
    match e.kind {
        EventKind::WaitingForPt => scenario.ride(e.detail).map_or(NONE, |ride| ride.access_stop),
        _ => scenario.at_stop(e, 0.0).map_or(NONE, |at_stop| at_stop.stop),
    }
}

fn vehicle_of(scenario: &Scenario, e: &Event) -> u32 {
    match e.kind {
        EventKind::PersonEntersVehicle
        | EventKind::VehicleEntersTraffic
        | EventKind::LeftLink
        | EventKind::EnteredLink
        | EventKind::VehicleLeavesTraffic
        | EventKind::PersonLeavesVehicle
        | EventKind::BoardingDenied
        | EventKind::VehicleAborts => e.detail,
        EventKind::ActivityEnd
        | EventKind::Departure
        | EventKind::Travelled
        | EventKind::Arrival
        | EventKind::ActivityStart
        | EventKind::WaitingForPt
        | EventKind::StuckAndAbort => NONE,
        EventKind::TransitDriverStarts => scenario.driver_start(e).map_or(NONE, |start| start.vehicle),
        EventKind::VehicleArrivesAtFacility | EventKind::VehicleDepartsAtFacility => {
            scenario.at_stop(e, 0.0).map_or(NONE, |at_stop| at_stop.vehicle)
        }
    }
}
