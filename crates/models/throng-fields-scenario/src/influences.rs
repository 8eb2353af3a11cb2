//! The influence maps of teams, with sources at the positions of their entities.

use throng_core::{Problems, ValueError, nearest};
use throng_fields_core::Field;
use throng_fields_core::influence::{InfluenceMap, Propagation, Teams};
use throng_fields_core::routing::Ground;
use throng_model::At;

use super::written;
use crate::given::accept;
use crate::source_cells::SourceCells;
use crate::{names, walls};

/// The largest sum of the strengths of all teams: sums and differences up to this are finite.
const MOST_STRENGTH: f64 = 1e30;

/// The largest number of sweeps in a step: in each, influence spreads by one cell.
const MOST_SWEEPS: u32 = 10_000;

/// The parameters of influence, and the teams.
#[derive(Debug, Clone)]
pub struct Influences {
    pub teams: Vec<String>,
    pub propagation: Propagation,
    pub sweeps: u32,
}

/// Refuses a strength where there is no influence.
pub fn refuse_strength(place: String, problems: &mut Problems) {
    let remedy = "add [influence], with decay = 0.1";
    problems.push_missing(&["influence"], place, "there is no influence", remedy);
}

/// The names of all teams, in the order in which they appear: those of entities, of groups of agents, and of owners of
/// goals. An owner whose name is nearly that of a team of entities or agents is a mistake, and no team.
pub fn teams(
    influence: Option<&At<written::Influence>>,
    entities: &[At<written::Entity>],
    agents: &[At<written::Agents>],
    goals: &[At<written::Goal>],
    problems: &mut Problems,
) -> Vec<String> {
    let mut teams: Vec<String> = Vec::new();
    let of_entities = entities.iter().filter_map(|entity| entity.value.team.as_ref());
    let of_agents = agents.iter().filter_map(|group| group.value.team.as_ref());
    for team in of_entities.chain(of_agents) {
        if !teams.contains(team) {
            teams.push(team.clone());
        }
    }
    if let Some(influence) = influence.filter(|_| teams.is_empty()) {
        problems.push_missing(
            &names::OF_TEAMS,
            &influence.place,
            "no entity or group has a team",
            "write team = \"red\" for those that have influence",
        );
    }
    let known = teams.clone();
    for owner in goals.iter().filter_map(|goal| goal.value.owner.as_ref()) {
        if !teams.contains(owner) && nearest(owner, known.iter().map(String::as_str)).is_none() {
            teams.push(owner.clone());
        }
    }
    teams
}

/// The parameters of influence; refuses strengths whose sum, `strengths`, is too large.
pub fn read(
    written: &At<written::Influence>,
    teams: Vec<String>,
    strengths: f64,
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
    if strengths > MOST_STRENGTH {
        let remedy = format!("expected at most {MOST_STRENGTH:e}: reduce the strengths of entities and agents");
        problems.push(&written.place, format!("a strength of {strengths:.1e} in all"), remedy);
        return None;
    }
    Some(Influences { teams, propagation, sweeps })
}

/// Influence maps that follow entities.
#[derive(Debug)]
pub struct Spreading {
    teams: Teams,
    sweeps: u32,
    count: usize,
    sources: SourceCells,
}

/// The parts of the map that teams hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Held {
    /// Cells in which each team is strongest.
    pub cells: Vec<u64>,
    /// Cells of the front.
    pub front: u64,
}

impl Spreading {
    pub fn new(influences: &Influences, ground: &Ground) -> Result<Self, ValueError> {
        let map = InfluenceMap::new(*ground.grid(), influences.propagation, Some(ground.open().clone()))?;
        let count = influences.teams.len();
        Ok(Self {
            teams: Teams::new(vec![map; count])?,
            sweeps: influences.sweeps,
            count,
            sources: SourceCells::default(),
        })
    }

    /// Moves strengths to the current positions of their owners, and lets influence spread: team, position and strength
    /// of each.
    pub fn sweep(
        &mut self,
        ground: &Ground,
        strengths: impl Iterator<Item = (usize, [f64; 2], f32)>,
    ) -> Result<(), ValueError> {
        let teams = &mut self.teams;
        self.sources
            .follow(ground, strengths, |team, (column, row), strength| teams.set_source(team, column, row, strength))?;
        self.teams.sweep(self.sweeps);
        Ok(())
    }

    pub fn held(&self) -> Held {
        let mut cells = vec![0; self.count];
        for team in self.teams.strongest().into_iter().flatten() {
            cells[usize::from(team)] += 1;
        }
        Held { cells, front: self.teams.front_line().cells().count() as u64 }
    }

    /// The influence of each team, row by row.
    pub fn influences(&self) -> impl Iterator<Item = &[f32]> {
        (0..self.count).filter_map(|team| self.teams.map(team)).map(InfluenceMap::values)
    }

    /// The teams with their influences.
    pub fn teams(&self) -> &Teams {
        &self.teams
    }

    /// Influence of the first team minus that of all others.
    pub fn balance(&self) -> Result<Field, ValueError> {
        self.teams.influence(0)
    }
}
