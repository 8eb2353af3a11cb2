//! The book's formulas, computed by an independent program: `formulas/make.py` has them in double precision, written from
//! the book alone, and `formulas/README.md` says how to repeat it.

#[path = "formulas/fields.rs"]
mod fields;
#[path = "formulas/influence.rs"]
mod influence;
#[path = "formulas/queries.rs"]
mod queries;
#[path = "formulas/reading.rs"]
mod reading;
#[path = "formulas/travel_times.rs"]
mod travel_times;
