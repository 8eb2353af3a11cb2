//! The courses of agents: the destination of each, the paths that agents need, and formations.

use std::collections::BTreeSet;

use throng_core::InputError;
use throng_device::Error;
use throng_fields_core::routing::{Course, Formation, Sense, Steering};
use throng_fields_scenario::FieldId;
use throng_fields_scenario::behaviour::Guidance;
use throng_fields_scenario::goals::GoalSet;
use throng_fields_scenario::groups::Group;
use throng_fields_scenario::planners::GroupCourse;

use super::{Agents, Turn};
use crate::simulation::layers::Layers;
use crate::simulation::paths::{Destination, Paths};

impl<'s> Agents<'s> {
    /// The destinations and the guidance of the behaviours that agents on the map have after these turns. Agents that
    /// plan actions need the paths to all of them.
    pub(super) fn needed(&self, turns: &[Turn]) -> Vec<(Destination, Guidance)> {
        let (mut needed, mut flows) = (Vec::new(), BTreeSet::new());
        for (number, (crowd, group)) in self.crowds.iter().zip(&self.scenario.groups).enumerate() {
            let mut used = vec![false; group.rules.len() + 1];
            let of_agents = crowd.present().filter_map(|(agent, _)| crowd.course(agent));
            let of_turns = turns.iter().filter(|turn| turn.group == number && crowd.is_present(turn.agent));
            for course in of_agents.chain(of_turns.map(|turn| turn.course)) {
                used[usize::from(group.courses[usize::from(course)].behaviour)] = true;
            }
            for (course, destination) in group.courses.iter().zip(&self.destinations[number]) {
                let is_closed = course.action.is_some() && !destination.goals.contains(&true);
                let guided = (destination.clone(), group.behaviour(course.behaviour).guidance);
                if !used[usize::from(course.behaviour)] || is_closed {
                    continue;
                }
                let is_new = match guided.1 {
                    Guidance::Flow(flow) => flows.insert((destination, flow)),
                    Guidance::Field(_) | Guidance::Neighbour(..) => !needed.contains(&guided),
                };
                if is_new {
                    needed.push(guided);
                }
            }
        }
        needed
    }

    /// For each course of a group, whether any agent on the map is on it.
    fn used(&self, group: usize) -> Vec<bool> {
        let mut used = vec![false; self.scenario.groups[group].courses.len()];
        let crowd = &self.crowds[group];
        for (agent, _) in crowd.present() {
            used[usize::from(crowd.course(agent).unwrap_or(0))] = true;
        }
        used
    }

    /// Moves the formations for a duration. Agents under a rule with other goals or another direction have no slots.
    pub(super) fn lead(&mut self, paths: &Paths<'s>, time: f32) -> Result<(), InputError> {
        let groups = self.crowds.iter().zip(&self.scenario.groups).zip(&self.destinations).zip(&mut self.formations);
        for (((crowd, group), destinations), formation) in groups {
            let (Some(formation), Guidance::Flow(flow)) = (formation, group.behaviour.guidance) else { continue };
            let destination = &destinations[0];
            // Without agents that need it, there is no path.
            let Some(flow) = paths.flow(destination, flow) else {
                formation.disband();
                continue;
            };
            let course = Course::new(paths.ground(destination), Steering::Follow(flow));
            let pace = |agent: usize| {
                let course = usize::from(crowd.course(agent)?);
                let pace = group.behaviour(group.courses[course].behaviour).pace;
                is_in_formation(group, destinations, course).then_some(pace)
            };
            formation.lead(crowd, &course, pace, time)?;
        }
        Ok(())
    }

    /// The courses of a group, in its order. Unused courses let agents stay.
    pub(super) fn courses<'w>(
        &self,
        number: usize,
        formation: Option<&'w Formation>,
        paths: &'w Paths<'s>,
        layers: &'w Layers<'_>,
    ) -> Result<Vec<Course<'w>>, Error>
    where
        's: 'w,
    {
        let group = &self.scenario.groups[number];
        let sense = |combination: usize| -> Result<Sense<'w>, Error> {
            // Each group has its own noise.
            let seed = (self.scenario.seed as u64).wrapping_add((number as u64) << 32);
            let sense =
                Sense::climbing(layers.field_of(FieldId::Combination(combination))?).with_noise(group.noise, seed)?;
            let own = group.carried.as_ref().and_then(|carried| {
                let weight = self.scenario.combinations[combination].weight_of(carried.layers)?;
                (weight != 0.0).then_some((carried, weight))
            });
            Ok(match own {
                Some((carried, weight)) => {
                    sense.excluding_carried_field(carried, weight, self.scenario.arithmetic.fixed_point())
                }
                None => sense,
            })
        };
        let used = self.used(number);
        let mut courses = Vec::new();
        for (course, destination) in self.destinations[number].iter().enumerate() {
            let behaviour = group.behaviour(group.courses[course].behaviour);
            let ground = paths.ground(destination);
            let steering = match behaviour.guidance {
                // Fields are not computed for courses without agents.
                _ if !used[course] => Steering::Stay,
                Guidance::Field(combination) => Steering::Slope(sense(combination)?),
                Guidance::Neighbour(combination, trail) => Steering::Neighbour(sense(combination)?, trail),
                Guidance::Flow(flow) => match (paths.flow(destination, flow), formation) {
                    (Some(flow), Some(_)) if !is_in_formation(group, &self.destinations[number], course) => {
                        Steering::Follow(flow)
                    }
                    (Some(flow), Some(formation)) => Steering::Keep(flow, formation),
                    (Some(flow), None) => Steering::Follow(flow),
                    (None, _) => Steering::Stay,
                },
            };
            courses.push(Course::new(ground, steering).at_pace(behaviour.pace)?);
        }
        Ok(courses)
    }
}

/// Whether the agents of a course walk in the formation of their group: to its goals, in its direction.
fn is_in_formation(group: &Group, destinations: &[Destination], course: usize) -> bool {
    let guidance = group.behaviour(group.courses[course].behaviour).guidance;
    guidance == group.behaviour.guidance && destinations[course] == destinations[0]
}

/// The destinations of the courses of a group, given the owners of all goals.
pub(super) fn destinations(group: &Group, owners: &[Option<usize>]) -> Vec<Destination> {
    let sets: Vec<GoalSet> = (0..=group.rules.len() as u8)
        .map(|behaviour| group.behaviour(behaviour).goals.set(owners, group.team))
        .collect();
    let destination = |&GroupCourse { behaviour, action }: &GroupCourse| {
        let set = &sets[usize::from(behaviour)];
        let goals = match action {
            Some(chosen) => (0..set.len()).map(|goal| goal == chosen && set[goal]).collect(),
            None => set.clone(),
        };
        let is_idle = action.is_none() && group.behaviour(behaviour).planner.is_some();
        Destination { goals, passage: group.passage, is_idle }
    };
    group.courses.iter().map(destination).collect()
}
