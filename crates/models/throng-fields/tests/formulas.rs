//! The book's formulas, computed by an independent program: `formulas/make.py` has them in double precision, written from
//! the book alone, and `formulas/README.md` says how to repeat it.

mod fields;
mod influence;
mod queries;
mod reading;
mod travel_times;
