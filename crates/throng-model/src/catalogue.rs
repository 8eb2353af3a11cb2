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
}
