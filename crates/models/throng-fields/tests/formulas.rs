//! The book's formulas, computed by an independent program: `formulas/make.py` implements them in double precision from
//! the book alone, and `formulas/README.md` explains how to repeat this.

mod fields;
mod influence;
mod queries;
mod reading;
mod travel_times;
