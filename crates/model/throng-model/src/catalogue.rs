//! The commands that a program offers.

use crate::Model;
use crate::generator::Generator;
use crate::paper::Paper;
use crate::tool::Tool;

/// Models, generators, papers and tools. Programs can add their own to those of Throng.
#[derive(Clone, Default)]
pub struct Catalogue {
    /// The models of `throng run`. The first one is the default of `throng config`.
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

/// A command that is an optional feature, and was not built into the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LeftOut {
    /// Command name.
    pub command: &'static str,
    /// Purpose of the command, for help texts.
    pub about: &'static str,
    /// Feature that adds the command.
    pub feature: &'static str,
}
