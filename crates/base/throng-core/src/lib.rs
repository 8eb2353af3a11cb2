//! The basics that all Throng crates share, without file formats, devices or models.
//!
//! * [`IdTable`] turns the text ids of a scenario into dense `u32` indices and back.
//! * [`clock`] reads and writes times of day such as `07:30:00`; [`java_double`] writes numbers as Java does.
//! * [`Philox`] is the counter-based random generator for every random draw.
//! * [`Change`] is a change to one parameter of a scenario, as a user writes it.
//! * [`nearest`] finds the known name closest to a misspelt one, and [`did_you_mean`] turns it into a question.
//! * [`hint_for_missing`] is the remedy for a path that does not exist.
//! * [`open_input`] opens a file that a user names, and refuses pipes and devices.
//! * [`shell_word`] quotes a path in a command that is printed, [`shell_argument`] any argument.
//! * [`csv_fields`] divides a line of a table, and [`text_table`] aligns one for a terminal.
//! * [`Problems`] and [`Warnings`] collect what is wrong with an input: place, value, remedy.
//! * [`printable`] makes text of unknown origin fit for a terminal.
//! * [`StateHash`] is the order-free 64-bit hash that two executors must agree on.
//! * [`available_memory`] returns how much memory is left, and [`filled`] makes a vector unless there is too little.
//! * [`spawn`] and [`thread_pool`] start threads; [`NoThread`] is the error when the system refuses one.
//! * [`Progress`] is how a long computation reports its progress.
//! * [`VerificationCase`] is what a model must produce, and [`Verified`] the same with what was [found](Finding).
//!
//! ```
//! use throng_core::IdTable;
//!
//! let mut links = IdTable::new();
//! let a = links.insert("17_b").unwrap();
//! assert_eq!(links.get("17_b"), Some(a));
//! assert_eq!(links.name(a), "17_b");
//! ```

#![forbid(unsafe_code)]
#![deny(clippy::print_stderr, clippy::print_stdout)]

mod change;
pub mod checks;
pub mod checksum;
pub mod clock;
mod csv_fields;
mod figures;
mod id_table;
mod input_file;
pub mod java_double;
mod long_numbers;
mod memory;
mod missing_path;
mod names;
mod panic_text;
mod philox;
mod printable;
mod problems;
mod progress;
pub mod room;
mod shell_word;
mod state_hash;
mod text_table;
mod threads;
mod verification;

pub use change::Change;
pub use csv_fields::{CsvSplitter, csv_fields};
pub use figures::three_figures;
pub use id_table::{BadParts, IdError, IdTable, MAX_ID_BYTES};
pub use input_file::{STORE_IT, open_input, read_input, read_input_text, special_file, unreadable_input};
pub use memory::{available_memory, check_memory, check_memory_within, filled};
pub use missing_path::{hint_for_missing, nearest_to_missing};
pub use names::{did_you_mean, nearest};
pub use panic_text::panic_text;
pub use philox::Philox;
pub use printable::printable;
pub use problems::{InputError, InputErrorKind, Problem, Problems, SHOWN_PROBLEMS, Warning, Warnings};
pub use progress::{NoProgress, Progress};
pub use shell_word::{shell_argument, shell_word};
pub use state_hash::StateHash;
pub use text_table::{Alignment, text_table};
pub use threads::{NoThread, available_threads, spawn, spawn_scoped, start_all_threads, thread_pool};
pub use verification::{Finding, VerificationCase, Verified};

/// The index that stands for "none" wherever an optional `u32` index is stored in an array.
pub const NONE: u32 = u32::MAX;
