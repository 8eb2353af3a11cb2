//! The influence maps of teams during a run, with sources at the positions of their entities and agents.

use throng_core::InputError;
use throng_fields_core::Field;
use throng_fields_core::influence::{InfluenceMap, Teams};
use throng_fields_core::routing::Ground;
use throng_fields_scenario::influences::Influences;

use super::source_cells::SourceCells;

/// Influence maps whose sources follow entities and agents.
#[derive(Debug)]
pub(super) struct Spreading {
    teams: Teams,
    sweeps: u32,
    count: usize,
    sources: SourceCells,
}

/// Sizes of the parts of the map that teams hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Held {
    /// Number of cells in which each team is strongest.
    pub cells: Vec<u64>,
    /// Number of cells of the front.
    pub front: u64,
}

impl Spreading {
    pub(super) fn new(influences: &Influences, ground: &Ground) -> Result<Self, InputError> {
        let map = InfluenceMap::new(*ground.grid(), influences.propagation, Some(ground.open().clone()))?;
        let count = influences.teams.len();
        Ok(Self {
            teams: Teams::new(vec![map; count])?,
            sweeps: influences.sweeps,
            count,
            sources: SourceCells::default(),
        })
    }

    /// Replaces the open cells, because walls have appeared or vanished. The influence in new walls is lost.
    pub(super) fn set_ground(&mut self, ground: &Ground) -> Result<(), InputError> {
        self.sources.leave_walls(ground);
        self.teams.set_open(ground.open())
    }

    /// Moves sources to the current positions of their owners, given as team, position and strength, and lets influence
    /// spread.
    pub(super) fn sweep(
        &mut self,
        ground: &Ground,
        strengths: impl Iterator<Item = (usize, [f64; 2], f32)>,
    ) -> Result<(), InputError> {
        let teams = &mut self.teams;
        self.sources
            .follow(ground, strengths, |team, (column, row), strength| teams.set_source(team, column, row, strength))?;
        self.teams.sweep(self.sweeps);
        Ok(())
    }

    pub(super) fn held(&self) -> Held {
        let mut cells = vec![0; self.count];
        for team in self.teams.strongest().into_iter().flatten() {
            cells[usize::from(team)] += 1;
        }
        Held { cells, front: self.teams.front_line().cells().count() as u64 }
    }

    /// The influence of each team, row by row.
    pub(super) fn influences(&self) -> impl Iterator<Item = &[f32]> {
        (0..self.count).filter_map(|team| self.teams.map(team)).map(InfluenceMap::values)
    }

    /// The teams with their influences.
    pub(super) fn teams(&self) -> &Teams {
        &self.teams
    }

    /// Influence of the first team minus the influence of all others.
    pub(super) fn balance(&self) -> Result<Field, InputError> {
        self.teams.influence(0)
    }
}
