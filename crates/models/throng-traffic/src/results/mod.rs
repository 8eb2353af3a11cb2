//! The results of a run: events, tables, a report, a manifest.
//!
//! [`Recorder`] is the event sink for the simulation. It collects events in blocks and passes each block to separate
//! threads: [`EventsWriter`] formats and compresses, [`analysis`] counts. Queues are bounded, so a slow disk slows down
//! the simulation instead of filling the memory, and a full disk stops it with an error.

pub mod analysis;
mod block;
mod counts_comparison;
mod dashboard;
mod endless_stays;
mod events_parquet;
mod events_writer;
mod events_xml;
mod experienced;
mod experienced_plans;
mod fragments;
mod geojson;
#[cfg(test)]
mod golden;
mod iteration_files;
mod link_volumes;
mod log;
mod persons;
mod plan_in_effect;
mod plans;
mod quantities;
mod recorder;
mod report;
mod ride_text;
mod scenario_files;
mod speed_map;
mod statistics;
mod summary;
#[cfg(test)]
mod tests;
mod trip_tables;
mod trips;

pub use block::{BLOCK_EVENTS, EventBlock};
pub use counts_comparison::{Compared, CountsComparison, CountsSummary};
pub use endless_stays::EndlessStays;
pub use events_writer::EventsWriter;
pub use events_xml::XmlFormatter;
pub use fragments::EventAttributes;
pub use iteration_files::iteration_file_names;
pub use link_volumes::write_link_volumes;
pub use log::{LoggedProgress, RunLog};
pub(crate) use persons::attribute_names;
pub use plans::{PlansFile, PlansOutputs};
pub use recorder::{ClosedRecorder, FILE_NAMES, Recorder, RecorderOptions, codec_of};
pub use scenario_files::ScenarioFiles;
pub use summary::{DURATION_CLASS_S, ModeTrips, RunSummary};
pub use trips::{ExperiencedTrips, FinishedLeg, Trip, coordinate_of, distance_of};
