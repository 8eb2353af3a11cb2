//! Fields: from a scenario file to a run folder. Agents walk on a map by potential fields and flow fields, while what
//! makes the fields moves.
//!
//! * [`Scenario::read`] reads a TOML file with `model = "fields"`, changes to it included.
//! * [`Simulation`] makes the steps, and tells after each what there is: positions, fields, a hash of the state.
//! * [`run`] makes them all and writes animation, tables and report.
//!
//! The crate `throng-fields` is re-exported for everything finer.
//!
//! ```no_run
//! use throng::core::NoProgress;
//! use throng::fields::{Run, Scenario, run};
//!
//! let scenario = Scenario::read("examples/fields/scenario.toml".as_ref(), &[])?;
//! let done = run(&Run::new(scenario), &NoProgress)?;
//! println!("{} of {} agents arrived", done.summary.arrived, done.summary.agents);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod agents;
mod combine;
mod covered;
mod diffusion;
mod doubts;
mod effective;
mod entities;
mod figures;
mod ground;
mod history;
mod influences;
mod layer_field;
mod legend;
mod lengths;
mod manifest;
mod memory;
mod names;
mod output;
mod patrol;
mod read;
mod report;
mod results;
mod run;
mod scenario;
mod schema;
mod simulation;
mod source;
mod sources;
mod stamps;
mod template;
mod walls;
mod workload;
mod written;

pub use throng_fields::*;

pub use run::{Done, Failed, Run, Summary, run};
pub use scenario::Scenario;
pub use schema::schema;
pub use simulation::{Now, Simulation};
pub use source::Change;
pub use template::template;
