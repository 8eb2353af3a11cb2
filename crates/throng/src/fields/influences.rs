//! The influence maps of teams, whose strengths are where their entities are.

use throng_fields::influence::{InfluenceMap, Propagation, Teams};
use throng_fields::routing::Ground;
use throng_fields::{Entity, Field, FieldError};

use super::scenario::Figure;
use super::sources::Sources;

/// How influence spreads, and whose.
#[derive(Debug, Clone)]
pub(super) struct Influences {
    pub teams: Vec<String>,
    pub propagation: Propagation,
    pub sweeps: u32,
}

/// Influence maps that follow entities.
#[derive(Debug)]
pub(super) struct Spreading {
    teams: Teams,
    sweeps: u32,
    count: usize,
    sources: Sources,
}

/// Who has how much of the map.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Held {
    /// Cells in which each team is strongest.
    pub cells: Vec<u64>,
    /// Cells of the front.
    pub front: u64,
}

impl Spreading {
    pub(super) fn new(influences: &Influences, ground: &Ground) -> Result<Self, FieldError> {
        let map = InfluenceMap::new(*ground.grid(), influences.propagation, Some(ground.open().clone()))?;
        let count = influences.teams.len();
        Ok(Self { teams: Teams::new(vec![map; count])?, sweeps: influences.sweeps, count, sources: Sources::default() })
    }

    /// Puts strengths to where entities are now, and lets influence spread.
    pub(super) fn tick(&mut self, ground: &Ground, figures: &[Figure], entities: &[Entity]) -> Result<(), FieldError> {
        let strengths = figures.iter().zip(entities).filter_map(|(figure, entity)| {
            let (team, strength) = figure.team?;
            Some((team, entity.position, strength))
        });
        let teams = &mut self.teams;
        self.sources
            .follow(ground, strengths, |team, (column, row), strength| teams.set_source(team, column, row, strength))?;
        self.teams.tick(self.sweeps);
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

    /// Influence of the first team less that of all others.
    pub(super) fn balance(&self) -> Result<Field, FieldError> {
        self.teams.influence(0)
    }
}
