//! Societies: agents that live from what they extract, barter and build.
//!
//! The model is that of Haney, Haarsma and Ditta ("Societies", with the article of 2017, DOI 10.1007/s41247-017-0026-z).
//! Agents are equal at the start. Each has a day of minutes to extract resources, gets better at what it does often, barters
//! what it has much of for what it lacks, and invents, trades and builds tools.
//!
//! * [`Parameters`] are the numbers of the model, with their units.
//! * [`curves`] are utility and effort, as tables: what a further unit is worth, and how long it takes.
//! * [`mod@reference`] defines the model, in the simplest form: extraction, barter, consumption, and tools. Devices of higher
//!   orders, which are made of tools, are to come.
//!
//! ```
//! use throng_economy::Parameters;
//! use throng_economy::reference::Society;
//!
//! let mut society = Society::new(&Parameters { agents: 2, ..Parameters::default() }, 1);
//! society.day();
//! // On the first day an agent extracts 67 units in its 600 minutes.
//! assert_eq!(society.today.units_extracted, 2 * 67);
//! ```

#![forbid(unsafe_code)]
#![deny(clippy::print_stderr, clippy::print_stdout)]

pub mod curves;
mod parameters;
pub mod reference;

pub use parameters::Parameters;
