//! The basics that all Throng crates share: ids, random draws, messages about invalid input, and threads. This crate
//! has no file formats, devices or models.
//!
//! * [`IdTable`] converts the text ids of a scenario to dense `u32` indices and back.
//! * [`Philox`] is the counter-based generator of all random draws; [`JavaRandom`] is that of MATSim.
//! * [`Problems`] collects the problems of an input: place, value, remedy. They become an [`InputError`].
//!
//! ```
//! use throng_core::{IdTable, Philox, Problems, did_you_mean};
//!
//! let mut links = IdTable::new();
//! for id in ["17_a", "17_b", "harbour"] {
//!     links.insert(id)?;
//! }
//! // A draw is a function of the seed and four counters: here link 2 in step 0.
//! let drawn = Philox::new(1).below(links.len() as u32, 2, 0, 0, 0);
//! assert_eq!(links.get(links.name(drawn)), Some(drawn));
//!
//! let mut problems = Problems::new();
//! if links.get("harbor").is_none() {
//!     problems.push("plans.csv:1", "link \"harbor\"", did_you_mean("harbor", links.iter()).unwrap_or_default());
//! }
//! assert_eq!(problems.shown()[0].remedy, "did you mean \"harbour\"?");
//! # Ok::<(), throng_core::IdError>(())
//! ```
//!
//! # Further items
//!
//! * [`clock`] reads and writes times of day such as `07:30:00`; [`java_double`] writes numbers as Java does.
//! * [`Change`] is a change to one parameter of a scenario, as written by the user.
//! * [`nearest`] finds the known name closest to a misspelt one, and [`did_you_mean`] phrases it as a question.
//! * [`hint_for_missing`] returns the remedy for a path that does not exist.
//! * [`open_input`] opens a file named by the user, and rejects pipes and devices.
//! * [`shell_word`] quotes a path in a printed command, [`shell_argument`] any argument.
//! * [`csv_fields`] splits a line of a table, and [`text_table`] formats an aligned table for a terminal.
//! * [`Warnings`] counts the warnings about an input by kind.
//! * [`printable`] makes text of unknown origin safe to print on a terminal.
//! * [`StateHash`] is the order-independent 64-bit hash on which executors must agree.
//! * [`available_memory`] returns the memory that is left; [`filled`] allocates a vector, or returns an error if memory
//!   is short.
//! * [`spawn`] and [`thread_pool`] start threads; [`NoThread`] is the error if the system refuses one.
//! * [`Progress`] receives the progress of long computations.
//! * [`VerificationCase`] states a required result of a model, and [`Verified`] adds the [finding](Finding).

#![forbid(unsafe_code)]
#![deny(clippy::print_stderr, clippy::print_stdout)]

pub mod allocation;
mod change;
pub mod checks;
pub mod checksum;
pub mod clock;
mod csv_fields;
mod debug_is_message;
mod figures;
mod id_table;
mod input_file;
pub mod java_double;
mod java_random;
mod long_numbers;
mod memory;
mod missing_path;
mod names;
mod panic_text;
mod philox;
mod printable;
mod problems;
mod program_id;
mod progress;
mod shell_word;
mod state_hash;
mod text_table;
mod threads;
mod verification;

pub use change::Change;
pub use csv_fields::{CsvSplitter, csv_fields};
pub use figures::{in_millions, three_figures};
pub use id_table::{BadParts, IdError, IdTable, MAX_ID_BYTES};
pub use input_file::{STORE_IT, open_input, read_input, read_input_text, special_file, unreadable_input};
pub use java_random::JavaRandom;
pub use memory::{available_memory, check_memory, check_memory_within, filled};
pub use missing_path::{hint_for_missing, nearest_to_missing};
pub use names::{counted, did_you_mean, nearest};
pub use panic_text::panic_text;
pub use philox::Philox;
pub use printable::printable;
pub use problems::{InputError, InputErrorKind, Problem, Problems, SHOWN_PROBLEMS, Warning, Warnings};
pub use program_id::program_id;
pub use progress::{NoProgress, Progress};
pub use shell_word::{shell_argument, shell_word};
pub use state_hash::StateHash;
pub use text_table::{Alignment, text_table};
pub use threads::{NoThread, available_threads, spawn, spawn_scoped, start_all_threads, thread_pool};
pub use verification::{Finding, VerificationCase, Verified};

/// Sentinel for "none" in arrays of optional `u32` indices.
pub const NONE: u32 = u32::MAX;
