//! The behaviour of agents: their direction, their goals, and their pace.

use throng_core::Problems;
use throng_fields_core::routing::{Planner, Trail};
use throng_model::scenario_file::At;

use crate::agents::{AgentsTable, Follow};
use crate::goals;
use crate::goals::Choice;
use crate::names::Known;

/// How agents choose their direction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Guidance {
    /// By the slope of a combination, given by its index.
    Field(usize),
    /// By the best neighbouring cell in a combination, away from the agent's own trail.
    Neighbour(usize, Option<Trail>),
    /// By the flow field of these costs.
    Flow(usize),
}

/// The guidance, speed and goals of agents, as set by their group or by a rule.
#[derive(Debug, Clone)]
pub struct Behaviour {
    pub guidance: Guidance,
    pub goals: Choice,
    /// Factor of the agents' speed; 1 by default.
    pub pace: f32,
    /// The choice of one of the goals, if agents plan actions; `None` if they walk to the nearest goal.
    pub planner: Option<Planner>,
}

/// The keys of a group or a rule about directions; `None` with problems. A rule inherits missing values from its group.
#[derive(Debug, Clone)]
pub(crate) struct Directions {
    combination: Option<usize>,
    flow: Option<usize>,
    goals: Option<Choice>,
}

impl Directions {
    /// Returns the behaviour of agents with this guidance; `None` if there were problems.
    pub(crate) fn behaviour(
        &self,
        follow: Follow,
        pace: f32,
        trail: Option<Trail>,
        planner: Option<Planner>,
    ) -> Option<Behaviour> {
        let guidance = match follow {
            Follow::Field => Guidance::Field(self.combination?),
            Follow::Neighbour => Guidance::Neighbour(self.combination?, trail),
            Follow::Flow => Guidance::Flow(self.flow?),
        };
        Some(Behaviour {
            guidance,
            goals: self.goals.clone()?,
            pace,
            planner: planner.filter(|_| follow == Follow::Flow),
        })
    }
}

/// Returns the directions of a group, with the defaults.
pub(crate) fn directions(written: &mut At<AgentsTable>, known: &Known<'_>, problems: &mut Problems) -> Directions {
    let agents = &mut written.value;
    let goals = if agents.team.is_some() { goals::OTHERS } else { goals::ALL };
    agents.goals.get_or_insert_with(|| vec![goals.to_owned()]);
    let agents = &written.value;
    let of_group = Directions { combination: Some(0), flow: Some(0), goals: None };
    if agents.follow == Follow::Flow {
        check_goals(&written.place, known, problems);
    }
    let names = (agents.combine.as_deref(), agents.flow.as_deref(), agents.goals.as_deref());
    of_group.with(names, &written.place, known, problems)
}

/// Rejects paths to goals if there are no goals.
pub(crate) fn check_goals(place: &str, known: &Known<'_>, problems: &mut Problems) {
    if known.goals.is_empty() {
        let value = "follow is \"flow\", and there are no goals";
        problems.push_missing(&["goals"], place, value, "add [[goals]] with at and radius");
    }
}

impl Directions {
    /// Overrides the combination, costs and goals with the given names. `place` is their location in the file.
    pub(crate) fn with(
        &self,
        (combine, flow, goals): (Option<&str>, Option<&str>, Option<&[String]>),
        place: &str,
        known: &Known<'_>,
        problems: &mut Problems,
    ) -> Self {
        let part = |key: &str| format!("{place}, {key}");
        Self {
            combination: match combine {
                Some(name) => Known::number("combination", name, &part("combine"), known.combinations, problems),
                None => self.combination,
            },
            flow: match flow {
                Some(name) => Known::number("flow", name, &part("flow"), known.flows, problems),
                None => self.flow,
            },
            goals: match goals {
                Some(names) => goals::choice(names, &part("goals"), known.goals, problems),
                None => self.goals.clone(),
            },
        }
    }
}
