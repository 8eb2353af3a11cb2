//! The influence maps of teams, with sources at the positions of their entities.

use crate::influence::{InfluenceMap, Propagation, Teams};
use crate::routing::Ground;
use crate::{Entity, Field, FieldError};
use throng_core::Problems;

use super::written;
use crate::scenario::Figure;
use crate::scenario::figures::accept;
use crate::scenario::names;
use crate::scenario::sources::Sources;
use crate::scenario::walls;
use throng_model::At;

/// The largest sum of the strengths of all teams: sums and differences up to this are finite.
const MOST_STRENGTH: f64 = 1e30;

/// The largest number of sweeps in a step: in each, influence spreads by one cell.
const MOST_SWEEPS: u32 = 10_000;

/// The parameters of influence, and the teams.
#[derive(Debug, Clone)]
pub(crate) struct Influences {
    pub teams: Vec<String>,
    pub propagation: Propagation,
    pub sweeps: u32,
}

/// The names of all teams, in the order in which they appear.
pub(crate) fn teams(
    influence: Option<&At<written::Influence>>,
    entities: &[At<written::Entity>],
    problems: &mut Problems,
) -> Vec<String> {
    let mut teams: Vec<String> = Vec::new();
    for entity in entities {
        let Some(team) = &entity.value.team else { continue };
        if influence.is_none() {
            let team = names::shown(team);
            problems.push(entity.part("team"), format!("\"{team}\""), "teams need [influence], with decay = 0.1");
            return teams;
        }
        if !teams.contains(team) {
            teams.push(team.clone());
        }
    }
    if let Some(influence) = influence.filter(|_| teams.is_empty()) {
        problems.push(&influence.place, "no entity has a team", "write team = \"red\" for those that have influence");
    }
    teams
}

/// The parameters of influence; refuses strengths whose sum is too large.
pub(crate) fn read(
    written: &At<written::Influence>,
    teams: Vec<String>,
    figures: &[Figure],
    problems: &mut Problems,
) -> Option<Influences> {
    let written::Influence { decay, momentum, sweeps } = written.value;
    let propagation = Propagation { decay, momentum };
    if sweeps > MOST_SWEEPS {
        problems.push(
            written.part("sweeps"),
            sweeps.to_string(),
            format!("give a whole number from 0 to {MOST_SWEEPS}"),
        );
    }
    accept(&written.place, InfluenceMap::new(walls::tiny(), propagation, None), problems)?;
    if teams.len() > Teams::MOST {
        let remedy = format!("expected at most {}", Teams::MOST);
        problems.push(&written.place, format!("{} teams", teams.len()), remedy);
        return None;
    }
    let strength: f64 = figures.iter().filter_map(|figure| figure.team).map(|(_, strength)| f64::from(strength)).sum();
    if strength > MOST_STRENGTH {
        let remedy = format!("expected at most {MOST_STRENGTH:e}: reduce the strengths of entities");
        problems.push(&written.place, format!("a strength of {strength:.1e} in all"), remedy);
        return None;
    }
    Some(Influences { teams, propagation, sweeps })
}

/// Influence maps that follow entities.
#[derive(Debug)]
pub(crate) struct Spreading {
    teams: Teams,
    sweeps: u32,
    count: usize,
    sources: Sources,
}

/// The parts of the map that teams hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Held {
    /// Cells in which each team is strongest.
    pub cells: Vec<u64>,
    /// Cells of the front.
    pub front: u64,
}

impl Spreading {
    pub(crate) fn new(influences: &Influences, ground: &Ground) -> Result<Self, FieldError> {
        let map = InfluenceMap::new(*ground.grid(), influences.propagation, Some(ground.open().clone()))?;
        let count = influences.teams.len();
        Ok(Self { teams: Teams::new(vec![map; count])?, sweeps: influences.sweeps, count, sources: Sources::default() })
    }

    /// Moves strengths to the current positions of entities, and lets influence spread.
    pub(crate) fn tick(&mut self, ground: &Ground, figures: &[Figure], entities: &[Entity]) -> Result<(), FieldError> {
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

    pub(crate) fn held(&self) -> Held {
        let mut cells = vec![0; self.count];
        for team in self.teams.strongest().into_iter().flatten() {
            cells[usize::from(team)] += 1;
        }
        Held { cells, front: self.teams.front_line().cells().count() as u64 }
    }

    /// The influence of each team, row by row.
    pub(crate) fn influences(&self) -> impl Iterator<Item = &[f32]> {
        (0..self.count).filter_map(|team| self.teams.map(team)).map(InfluenceMap::values)
    }

    /// The teams with their influences.
    pub(crate) fn teams(&self) -> &Teams {
        &self.teams
    }

    /// Influence of the first team less that of all others.
    pub(crate) fn balance(&self) -> Result<Field, FieldError> {
        self.teams.influence(0)
    }
}
