//! Scenario files for fields, with their checks, defaults and messages.
//!
//! * [`Scenario`] is a scenario as read from a file. It is complete and consistent, and never changes during a run.
//! * [`schema`](fn@schema) returns a list of all keys with their meaning.
//! * [`template`] returns a valid scenario file with a comment for each key.
//!
//! ```
//! use throng_core::Change;
//! use throng_fields_scenario::Scenario;
//!
//! # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../.."))?;
//! let file = "examples/fields/scenario.toml".as_ref();
//! let scenario = Scenario::read(file, &[Change::typed("run.steps=50")])?;
//! println!("{}: {} agents on {} cells", scenario.title(), scenario.agents(), scenario.grid().cells());
//! assert_eq!(scenario.steps(), 50);
//!
//! let Err(error) = Scenario::read(file, &[Change::typed("run.stepz=50")]) else { return Ok(()) };
//! assert!(error.to_string().contains("did you mean \"steps\"?"), "{error}");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Each table of a file has a module: its keys as written in the file (`EntityTable`), their checks and defaults, and
//! the resulting type ([`MapEntity`](entities::MapEntity)). Hidden modules are for throng-fields-model.

#![deny(clippy::print_stderr, clippy::print_stdout)]
#![forbid(unsafe_code)]

#[doc(hidden)]
pub mod agent_rules;
mod agents;
mod areas;
#[doc(hidden)]
pub mod arrays;
#[doc(hidden)]
pub mod behaviour;
mod combine;
mod costmap;
mod covered_cells;
#[doc(hidden)]
pub mod diffusion;
#[doc(hidden)]
pub mod entities;
#[doc(hidden)]
pub mod extracts;
#[doc(hidden)]
pub mod file_names;
#[doc(hidden)]
pub mod flows;
mod formations;
#[doc(hidden)]
pub mod goals;
mod grid;
#[doc(hidden)]
pub mod groups;
#[doc(hidden)]
pub mod influences;
mod inputs;
mod key_rules;
#[doc(hidden)]
pub mod legend;
mod maps;
mod memory;
mod names;
mod nav2;
#[doc(hidden)]
pub mod output;
mod passages;
#[doc(hidden)]
pub mod patrol;
#[doc(hidden)]
pub mod planners;
mod profiles;
#[doc(hidden)]
pub mod queries;
mod read;
mod run;
mod scenario;
mod schedule;
mod schema;
mod shapes;
#[doc(hidden)]
pub mod sight;
mod sources;
mod spawn;
mod stamps;
mod tables;
mod team_colours;
#[doc(hidden)]
pub mod terrain;
#[doc(hidden)]
pub mod value_checks;
mod wall_times;
mod walls;
mod warnings;

pub use scenario::{FieldId, Scenario};
pub use schema::{schema, template};
