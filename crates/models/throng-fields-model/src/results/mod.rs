//! The results of a run: tables, arrays, pictures, a report.

pub(crate) mod arrays;
pub(crate) mod costmap;
pub(crate) mod drawing;
mod frames;
mod history;
pub(crate) mod quantities;
pub(crate) mod queries;
pub(crate) mod recorder;
pub(crate) mod report;
mod written;
