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
}

impl EventColumn {
    const ALL: [Self; 9] = [
        Self::Time,
        Self::Type,
        Self::Person,
        Self::Link,
        Self::Vehicle,
        Self::LegMode,
        Self::ActivityType,
        Self::Facility,
        Self::Distance,
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
        }
    }
}

/// Returns the columns of `output_events.parquet`: one row per event, null where an event has no such attribute.
pub fn schema() -> Schema {
    EventColumn::ALL.into_iter().fold(Schema::new(), |schema, column| column.add_to(schema))
}

/// Builds the columns of several blocks.
#[derive(Debug)]
pub struct EventColumns(Arc<Scenario>);

impl EventColumns {
    /// Creates a builder for events of `scenario`.
    pub fn new(scenario: Arc<Scenario>) -> Self {
        Self(scenario)
    }

    fn column<'a>(&'a self, column: EventColumn, blocks: &'a [Arc<EventBlock>]) -> Column<'a> {
        let steps = || blocks.iter().flat_map(|block| block.steps());
        let events = || steps().flat_map(|(_, events)| events);
        let Scenario { population, network, vehicles, modes, facilities, .. } = &*self.0;
        match column {
            EventColumn::Time => Column::required(steps().flat_map(|(t, events)| std::iter::repeat_n(t, events.len()))),
            EventColumn::Type => Column::required(events().map(|e| e.kind.matsim_type())),
            EventColumn::Person => Column::optional(events().map(|e| name(&population.person_ids, e.person))),
            EventColumn::Link => Column::optional(events().map(|e| name(&network.link_ids, e.link))),
            EventColumn::Vehicle => Column::optional(events().map(|e| name(&vehicles.ids, vehicle_of(e)))),
            EventColumn::LegMode => {
                Column::optional(events().map(|e| (e.mode != ModeId::NONE).then(|| modes.name(e.mode))))
            }
            EventColumn::ActivityType => Column::optional(
                events().map(|e| name(&population.activity_types, of_activity(e, &population.activities.kind))),
            ),
            EventColumn::Facility => Column::optional(
                events().map(|e| name(&facilities.ids, of_activity(e, &population.activities.facility))),
            ),
            EventColumn::Distance => Column::optional(events().map(|e| {
                let leg = Some(e.detail as usize).filter(|_| e.kind == EventKind::Travelled)?;
                population.legs.distance.get(leg).copied().filter(|d| !d.is_nan())
            })),
        }
    }
}

impl BuildColumns<Vec<Arc<EventBlock>>> for EventColumns {
    fn columns<'a>(&'a self, blocks: &'a Vec<Arc<EventBlock>>) -> impl Iterator<Item = Column<'a>> {
        EventColumn::ALL.into_iter().map(|column| self.column(column, blocks))
    }
}

fn name(ids: &IdTable, index: u32) -> Option<&str> {
    (index != NONE).then(|| ids.name(index))
}

fn of_activity(e: &Event, values: &[u32]) -> u32 {
    match e.kind {
        EventKind::ActivityStart | EventKind::ActivityEnd => values.get(e.detail as usize).copied().unwrap_or(NONE),
        _ => NONE,
    }
}

fn vehicle_of(e: &Event) -> u32 {
    match e.kind {
        EventKind::PersonEntersVehicle
        | EventKind::VehicleEntersTraffic
        | EventKind::LeftLink
        | EventKind::EnteredLink
        | EventKind::VehicleLeavesTraffic
        | EventKind::PersonLeavesVehicle
        | EventKind::VehicleAborts => e.detail,
        EventKind::ActivityEnd
        | EventKind::Departure
        | EventKind::Travelled
        | EventKind::Arrival
        | EventKind::ActivityStart
        | EventKind::StuckAndAbort => NONE,
    }
}
