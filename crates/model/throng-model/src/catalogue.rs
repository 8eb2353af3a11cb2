//! What a program offers on its command line.

use crate::{Generator, Model, Paper, Tool};

/// Models, generators, papers and tools. Add your own to those of Throng.
#[derive(Clone, Default)]
pub struct Catalogue {
    /// The models of `throng run`. The first one is that of `throng config` if none is named.
    pub models: Vec<&'static dyn Model>,
    /// The generators of `throng generate`.
    pub generators: Vec<&'static dyn Generator>,
    /// The papers of `throng reproduce`.
    pub papers: Vec<&'static dyn Paper>,
    /// Further commands.
    pub tools: Vec<&'static dyn Tool>,
    /// Commands that this build lacks, because they are optional features.
    pub left_out: Vec<LeftOut>,
}

/// A command that is an optional feature of the program, and was not built into it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LeftOut {
    /// The command.
    pub command: &'static str,
    /// Its purpose, for help texts.
    pub about: &'static str,
    /// The feature that adds it.
    pub feature: &'static str,
}
