//! The agents of a run: when they enter and leave, which rules they follow, and how they walk.

mod courses;

use std::collections::BTreeMap;

use throng_core::InputError;
use throng_device::Error;
use throng_fields_core::Entity;
use throng_fields_core::routing::{AgentState, Course, Crowd, Formation, Ground, walk_together};
use throng_fields_core::sight::Viewer;
use throng_fields_scenario::Scenario;
use throng_fields_scenario::groups::Group;

use courses::destinations;

use super::goals::Captures;
use super::layers::Layers;
use super::paths::{Destination, Paths};
use super::planning::plan;
use super::rules::{Decision, decisions};

/// The agents of all groups.
#[derive(Debug)]
pub(super) struct Agents<'s> {
    scenario: &'s Scenario,
    pub crowds: Vec<Crowd<'s>>,
    /// The time at which the condition of a rule last held: per group, with one entry per agent and rule that stays in
    /// force for a while.
    last_held: Vec<Vec<f64>>,
    captures: Captures<'s>,
    /// The destination of each course of each group, as of the last step.
    destinations: Vec<Vec<Destination>>,
    /// Number of agents of each group that have entered.
    entered: Vec<usize>,
    formations: Vec<Option<Formation>>,
}

/// Numbers of agents of a group by state.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct GroupCounts {
    /// All agents, including those that enter later.
    pub agents: usize,
    /// Agents that have not entered yet.
    pub waiting: usize,
    /// Agents on the map that have not arrived and are not stuck.
    pub walking: usize,
    /// Agents that are at a goal, and agents that left the map there.
    pub arrived: usize,
    /// Agents that make no progress.
    pub stuck: usize,
    /// Agents that a rule removed from the map, even if they were at a goal.
    pub removed: usize,
}

impl<'s> Agents<'s> {
    pub(super) fn new(scenario: &'s Scenario) -> Result<Self, InputError> {
        let crowd = |group: &'s Group| -> Result<_, InputError> {
            let mut crowd =
                Crowd::new(scenario.ground_after(0), &group.positions, &group.speeds)?.with_body(group.body);
            if group.leaves_at_goal {
                crowd = crowd.leaving_at_goals();
            }
            (group.at_first..group.positions.len()).try_for_each(|agent| crowd.wait(agent))?;
            Ok(crowd)
        };
        let crowds: Vec<Crowd<'s>> = scenario.groups.iter().map(crowd).collect::<Result<_, _>>()?;
        let last_held = |group: &Group| vec![f64::NEG_INFINITY; group.kept_rules() * group.positions.len()];
        Ok(Self {
            scenario,
            crowds,
            last_held: scenario.groups.iter().map(last_held).collect(),
            captures: Captures::new(scenario),
            destinations: Vec::new(),
            entered: scenario.groups.iter().map(|group| group.at_first).collect(),
            formations: scenario.groups.iter().map(|group| group.formation.clone()).collect(),
        })
    }

    /// Replaces the ground, because walls have appeared or vanished.
    pub(super) fn set_ground(&mut self, ground: &'s Ground) -> Result<(), InputError> {
        self.crowds.iter_mut().try_for_each(|crowd| crowd.set_ground(ground))
    }

    /// Starts a step: agents enter, rules are applied, and the paths that agents need are updated.
    pub(super) fn prepare(
        &mut self,
        paths: &mut Paths<'s>,
        layers: &Layers<'_>,
        entities: &[Entity],
        (now, step): (f64, u32),
    ) -> Result<(), Error> {
        let mut turns = self.enter(step)?;
        turns.extend(self.decide(entities, now)?);
        let owners = self.captures.owners();
        let of_group = |group| destinations(group, owners);
        let destinations: Vec<Vec<Destination>> = self.scenario.groups.iter().map(of_group).collect();
        // Agents restart if their goals have changed because a goal has a new owner.
        let (mut restarts, mut changed) = (Vec::new(), Vec::new());
        for (number, crowd) in self.crowds.iter().enumerate() {
            let before = self.destinations.get(number);
            let has_changed = |(course, destination): (usize, &Destination)| {
                before.is_none_or(|before: &Vec<_>| before[course] != *destination)
            };
            let of_courses: Vec<bool> = destinations[number].iter().enumerate().map(has_changed).collect();
            if let Some(formation) = self.formations[number].as_mut().filter(|_| of_courses[0]) {
                formation.form_again();
            }
            if of_courses.contains(&true) {
                let courses = (0..).map_while(|agent| Some((agent, crowd.course(agent)?)));
                let on_changed = courses.filter(|(_, course)| of_courses[usize::from(*course)]);
                let turn = |(agent, course)| Turn { group: number, agent, course, begins_again: true };
                restarts.extend(on_changed.map(turn));
            }
            changed.push(of_courses);
        }
        // Turns to other courses come last, so they take precedence.
        restarts.append(&mut turns);
        let mut turns = restarts;
        self.destinations = destinations;
        let needed = self.needed(&turns);
        paths.update(&needed, layers, step)?;
        for (number, crowd) in self.crowds.iter().enumerate() {
            let destinations = (self.destinations[number].as_slice(), changed[number].as_slice());
            plan((self.scenario, number, crowd), destinations, (paths, layers), &mut turns)?;
        }
        for Turn { group, agent, course, begins_again } in turns {
            let crowd = &mut self.crowds[group];
            let destination = |course: u16| &self.destinations[group][usize::from(course)];
            if !begins_again && crowd.course(agent).is_some_and(|now| destination(now) == destination(course)) {
                crowd.switch(agent, course)?;
            } else {
                crowd.set_course(agent, course, paths.ground(destination(course)))?;
            }
        }
        Ok(())
    }

    /// Adds the agents that enter before a step; they start without a rule.
    fn enter(&mut self, step: u32) -> Result<Vec<Turn>, InputError> {
        let mut turns = Vec::new();
        let groups = self.crowds.iter_mut().zip(&self.scenario.groups).zip(&mut self.entered);
        for (number, ((crowd, group), entered)) in groups.enumerate() {
            let entry = group.entries.binary_search_by_key(&step, |entry| entry.step);
            let agents = entry.map_or(0, |entry| group.entries[entry].agents as usize);
            for agent in *entered..*entered + agents {
                crowd.enter(agent)?;
                turns.push(Turn { group: number, agent, course: 0, begins_again: true });
            }
            *entered += agents;
        }
        Ok(turns)
    }

    /// Applies the rules of all groups, by which agents leave the map or turn to another course.
    fn decide(&mut self, entities: &[Entity], now: f64) -> Result<Vec<Turn>, InputError> {
        let mut turns = Vec::new();
        let decisions = decisions(self.scenario, &self.crowds, entities, &mut self.last_held, now)?;
        for Decision { group, agent, behaviour } in decisions {
            let crowd = &mut self.crowds[group];
            let courses = &self.scenario.groups[group].courses;
            let now = crowd.course(agent).map(|course| courses[usize::from(course)].behaviour);
            match behaviour {
                None => crowd.leave(agent)?,
                Some(behaviour) if now != Some(behaviour) => {
                    turns.push(Turn { group, agent, course: behaviour.into(), begins_again: false });
                }
                Some(_) => {}
            }
        }
        Ok(turns)
    }

    /// Moves all agents for a duration, and lets teams capture goals.
    pub(super) fn walk(&mut self, paths: &Paths<'s>, layers: &Layers<'_>, time: f64) -> Result<(), Error> {
        let scenario = self.scenario;
        self.lead(paths, time as f32)?;
        // Courses refer to formations while agents change.
        let formations = std::mem::take(&mut self.formations);
        let walked = self.walk_in(&formations, paths, layers, time as f32);
        self.formations = formations;
        walked?;
        if scenario.capturable_goals().next().is_some() {
            let in_teams =
                self.crowds.iter().zip(&scenario.groups).filter_map(|(crowd, group)| Some((crowd, group.team?)));
            let of_crowd = |(crowd, team): (&Crowd<'s>, usize)| -> Vec<(usize, (u32, u32))> {
                let on_map = crowd.cells().zip(crowd.presences()).filter(|(_, is_on_map)| *is_on_map);
                on_map.map(|(cell, _)| (team, cell)).collect()
            };
            let agents: Vec<_> = in_teams.flat_map(of_crowd).collect();
            self.captures.advance(&agents, time);
        }
        Ok(())
    }

    /// Moves all agents for a duration, those in formation to their slots.
    fn walk_in(
        &mut self,
        formations: &[Option<Formation>],
        paths: &Paths<'s>,
        layers: &Layers<'_>,
        time: f32,
    ) -> Result<(), Error> {
        let courses = (0..).zip(formations).map(|(number, of)| self.courses(number, of.as_ref(), paths, layers));
        let courses = courses.collect::<Result<Vec<_>, _>>()?;
        let courses: Vec<&[Course<'_>]> = courses.iter().map(Vec::as_slice).collect();
        Ok(walk_together(&mut self.crowds, &courses, time)?)
    }

    /// The fields that agents carry, in the order of groups and agents. Each is at the position of its agent; agents
    /// that are not on the map contribute nothing.
    pub(super) fn carried(&self) -> impl Iterator<Item = Entity> {
        let of_crowd = |(crowd, group): (&Crowd<'s>, &'s Group)| -> Vec<Entity> {
            let Some(carried) = &group.carried else { return Vec::new() };
            let agents = crowd.positions().zip(crowd.presences());
            let entity = |([x, y], is_on_map): ([f32; 2], bool)| Entity {
                position: [x.into(), y.into()],
                charge: if is_on_map { carried.charge } else { 0.0 },
                ..carried.clone()
            };
            agents.map(entity).collect()
        };
        self.crowds.iter().zip(&self.scenario.groups).flat_map(of_crowd)
    }

    /// Team, position and influence of each agent on the map that has influence.
    pub(super) fn strengths(&self) -> impl Iterator<Item = (usize, [f64; 2], f32)> {
        let groups = self.crowds.iter().zip(&self.scenario.groups).filter(|(_, group)| group.strength > 0.0);
        groups.flat_map(|(crowd, group)| {
            let team = group.team.into_iter();
            team.flat_map(move |team| present(crowd).map(move |at| (team, at, group.strength)))
        })
    }

    /// Layer, position and rate of each agent on the map that emits something.
    pub(super) fn emitted(&self) -> impl Iterator<Item = (usize, [f64; 2], f32)> {
        let groups = self.crowds.iter().zip(&self.scenario.groups);
        groups.flat_map(|(crowd, group)| {
            group.emits.iter().flat_map(move |&(layer, rate)| present(crowd).map(move |at| (layer, at, rate)))
        })
    }

    /// The viewers that are agents on the map, each with its layer.
    pub(super) fn viewers(&self) -> impl Iterator<Item = (usize, Viewer)> {
        let groups = self.crowds.iter().zip(&self.scenario.groups);
        groups.flat_map(|(crowd, group)| {
            group.view.iter().flat_map(move |view| present(crowd).flat_map(move |at| view.viewers(at, 0.0)))
        })
    }

    /// The numbers of agents of each group, by state.
    pub(super) fn counts(&self) -> Result<Vec<GroupCounts>, InputError> {
        let of_crowd = |crowd: &Crowd<'s>| -> Result<_, InputError> {
            let mut counts = GroupCounts::default();
            for state in crowd.states(self.scenario.stuck_after)? {
                counts.agents += 1;
                *match state {
                    AgentState::Waiting => &mut counts.waiting,
                    AgentState::Walking => &mut counts.walking,
                    AgentState::Arrived => &mut counts.arrived,
                    AgentState::Stuck => &mut counts.stuck,
                    AgentState::Removed => &mut counts.removed,
                } += 1;
            }
            Ok(counts)
        };
        self.crowds.iter().map(of_crowd).collect()
    }

    /// For each group, the number of agents on the map that have chosen each of its planned goals.
    pub(super) fn pursuing(&self) -> Vec<Vec<usize>> {
        let of_crowd = |(crowd, group): (&Crowd<'s>, &Group)| {
            let mut counts: BTreeMap<usize, usize> = group.planned_goals().into_iter().map(|goal| (goal, 0)).collect();
            let courses = crowd.present().filter_map(|(agent, _)| crowd.course(agent));
            for goal in courses.filter_map(|course| group.courses[usize::from(course)].action) {
                *counts.entry(goal).or_default() += 1;
            }
            counts.into_values().collect()
        };
        self.crowds.iter().zip(&self.scenario.groups).map(of_crowd).collect()
    }

    /// The formation of each group that has one.
    pub(super) fn formations(&self) -> &[Option<Formation>] {
        &self.formations
    }

    /// The team that owns each goal.
    pub(super) fn owners(&self) -> &[Option<usize>] {
        self.captures.owners()
    }
}

/// A change of an agent's course.
pub(super) struct Turn {
    pub group: usize,
    pub agent: usize,
    pub course: u16,
    /// Whether the agent restarts even if its goals stay the same.
    pub begins_again: bool,
}

/// The positions of the agents on the map.
fn present<'c>(crowd: &'c Crowd<'_>) -> impl Iterator<Item = [f64; 2]> + 'c {
    crowd.present().map(|(_, at)| at.map(f64::from))
}
