//! One file per subcommand; each makes one library call and reports on it.

pub(crate) mod bench;
pub(crate) mod check;
pub(crate) mod compare;
pub(crate) mod completions;
pub(crate) mod config;
pub(crate) mod convert;
pub(crate) mod doctor;
mod explain;
pub(crate) mod generate;
pub(crate) mod list;
pub(crate) mod man;
pub(crate) mod measure;
pub(crate) mod reproduce;
pub(crate) mod run;
pub(crate) mod sweep;
pub(crate) mod tool;
