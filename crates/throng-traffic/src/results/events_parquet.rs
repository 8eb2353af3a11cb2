//! Events as Parquet columns.

use std::sync::Arc;

use arrow_array::types::Int32Type;
use arrow_array::{ArrayRef, DictionaryArray, Float64Array, Int32Array, RecordBatch, StringArray};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use throng_core::NONE;
use throng_output::BuildBatch;

use super::block::EventBlock;
use throng_traffic_scenario::events::{Event, EventKind};
use throng_traffic_scenario::{ModeId, Scenario};

/// The columns of `events.parquet`: one row per event, texts as dictionaries, null where an event has no such
/// attribute. `legMode` holds the mode of any event that has one.
pub fn schema() -> SchemaRef {
    let text = || DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8));
    Arc::new(Schema::new(vec![
        Field::new("time", DataType::Float64, false),
        Field::new("type", text(), false),
        Field::new("person", text(), true),
        Field::new("link", text(), true),
        Field::new("vehicle", text(), true),
        Field::new("legMode", text(), true),
        Field::new("actType", text(), true),
        Field::new("facility", text(), true),
        Field::new("distance", DataType::Float64, true),
    ]))
}

/// The texts of a scenario as Arrow arrays, shared by all batches.
#[derive(Debug)]
pub struct EventTexts {
    types: ArrayRef,
    persons: ArrayRef,
    links: ArrayRef,
    vehicles: ArrayRef,
    modes: ArrayRef,
    activity_types: ArrayRef,
    facilities: ArrayRef,
}

impl EventTexts {
    /// The texts of `scenario`.
    pub fn new(scenario: &Scenario) -> Self {
        fn array<'a>(texts: impl Iterator<Item = &'a str>) -> ArrayRef {
            Arc::new(StringArray::from_iter_values(texts))
        }
        Self {
            types: array(EventKind::ALL.into_iter().map(EventKind::matsim_type)),
            persons: array(scenario.population.person_ids.iter()),
            links: array(scenario.network.link_ids.iter()),
            vehicles: array(scenario.vehicles.ids.iter()),
            modes: array((0..scenario.modes.len()).map(|i| scenario.modes.name(ModeId(i as u8)))),
            activity_types: array(scenario.population.activity_types.iter()),
            facilities: array(scenario.facilities.ids.iter()),
        }
    }
}

/// Builds the columns of several blocks; each worker thread owns one.
#[derive(Debug)]
pub struct EventColumns {
    scenario: Arc<Scenario>,
    texts: Arc<EventTexts>,
    schema: SchemaRef,
}

impl EventColumns {
    /// A builder for events of `scenario`.
    pub fn new(scenario: Arc<Scenario>, texts: Arc<EventTexts>) -> Self {
        Self { scenario, texts, schema: schema() }
    }
}

impl BuildBatch<Vec<Arc<EventBlock>>> for EventColumns {
    fn build(&mut self, blocks: &Vec<Arc<EventBlock>>) -> Result<RecordBatch, ArrowError> {
        let events = || blocks.iter().flat_map(|block| block.steps().flat_map(|(_, events)| events));
        let times = blocks.iter().flat_map(|b| b.steps()).flat_map(|(t, events)| std::iter::repeat_n(t, events.len()));
        let texts = &*self.texts;
        let column = |values: &ArrayRef, key: &dyn Fn(&Event) -> u32| -> Result<ArrayRef, ArrowError> {
            let keys: Int32Array = events().map(|e| Some(key(e)).filter(|&k| k != NONE).map(|k| k as i32)).collect();
            Ok(Arc::new(DictionaryArray::<Int32Type>::try_new(keys, Arc::clone(values))?))
        };
        let population = &self.scenario.population;
        let of_activity = |e: &Event, values: &[u32]| match e.kind {
            EventKind::ActivityStart | EventKind::ActivityEnd => values.get(e.detail as usize).copied().unwrap_or(NONE),
            _ => NONE,
        };
        let distances: Float64Array = events()
            .map(|e| {
                let leg = Some(e.detail as usize).filter(|_| e.kind == EventKind::Travelled)?;
                population.legs.distance.get(leg).copied().filter(|d| !d.is_nan())
            })
            .collect();
        let columns: Vec<ArrayRef> = vec![
            Arc::new(Float64Array::from_iter_values(times)),
            column(&texts.types, &|e| e.kind as u32)?,
            column(&texts.persons, &|e| e.person)?,
            column(&texts.links, &|e| e.link)?,
            column(&texts.vehicles, &vehicle_of)?,
            column(&texts.modes, &|e| if e.mode == ModeId::NONE { NONE } else { u32::from(e.mode.0) })?,
            column(&texts.activity_types, &|e| of_activity(e, &population.activities.kind))?,
            column(&texts.facilities, &|e| of_activity(e, &population.activities.facility))?,
            Arc::new(distances),
        ];
        RecordBatch::try_new(Arc::clone(&self.schema), columns)
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
