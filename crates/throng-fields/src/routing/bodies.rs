//! Agents that take up room: they keep their distance while they walk, and bodies that overlap are pushed apart.
//!
//! Everything is computed from the positions before, and the neighbours of an agent are visited in a fixed order: by
//! cells of a grid and, within a cell, by number. So the result does not depend on the number of threads.

use rayon::prelude::*;
use throng_core::Philox;

use super::agent::Agent;
use super::course::Course;
use super::crowd::Crowd;
use super::nearby::Nearby;
use super::purpose;
use crate::error::{FieldError, not_negative};

/// Rounds of pushing after each part of a step.
const ROUNDS: u32 = 4;
/// The most parts of a step.
const MOST_PARTS: f32 = 16.0;
/// The length of the repulsion, compared with a direction of length 1, up to which agents go on along their path.
const MOST_REPULSION: f32 = 0.9;
/// Cells and bodies that an agent could have walked by before it counts as held up.
const PATIENCE: f32 = 2.0;
/// Agents touch if the distance of their centres is at most this times the sum of their radii.
const TOUCHING: f32 = 1.1;

/// The room that the agents of a crowd take up.
///
/// ```
/// use throng_fields::routing::{Body, Crowd, Course, FlowField, Steering, maps, walk_together};
///
/// let map = maps::empty(64)?;
/// let flow = FlowField::new(map.ground.ways());
/// // Two agents at the same point, and one ahead of them.
/// let body = Body::new(0.5)?.with_spacing(2.0)?;
/// let starts = [[10.5, 32.5], [10.5, 32.5], [11.0, 32.5]];
/// let mut crowds = [Crowd::new(&map.ground, &starts, &[1.0; 3])?.with_body(body)];
/// for _ in 0..30 {
///     walk_together(&mut crowds, &[&[Course::new(&map.ground, Steering::Follow(&flow))]], 0.5)?;
/// }
/// let at: Vec<[f32; 2]> = crowds[0].positions().collect();
/// for (a, b) in [(0, 1), (0, 2), (1, 2)] {
///     assert!((at[a][0] - at[b][0]).hypot(at[a][1] - at[b][1]) > 0.9, "{at:?}");
/// }
/// # Ok::<(), throng_fields::FieldError>(())
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Body {
    radius: f32,
    spacing: f32,
}

impl Body {
    /// Bodies of a radius in world units; with 0, agents pass through each other.
    ///
    /// # Errors
    /// When the radius is negative or not finite.
    pub fn new(radius: f32) -> Result<Self, FieldError> {
        Ok(Self { radius: not_negative("body, radius", radius)?, spacing: 0.0 })
    }

    /// Agents turn away from others whose centres are closer than `spacing`, the more the closer they are, but never
    /// walk back for that; with 0 they do not.
    ///
    /// # Errors
    /// When the distance is negative or not finite.
    pub fn with_spacing(self, spacing: f32) -> Result<Self, FieldError> {
        Ok(Self { spacing: not_negative("body, spacing", spacing)?, ..self })
    }
}

/// Moves several crowds for a time, each on its courses. Agents turn away from those within their spacing, and then
/// bodies that overlap are pushed apart, those of agents that have arrived too. An agent has also arrived if its body
/// touches that of one of its crowd that has arrived at the same goals, and it has not come nearer for the time in which it
/// would walk twice the length of a cell and its body: a goal that is full has a crowd around it.
///
/// With bodies, a step has up to 16 parts, so that no agent walks farther than the smallest radius at once. Cost of a
/// part, besides that of [`Crowd::step_on`]: six searches for neighbours.
///
/// # Errors
/// As for [`Crowd::step_on`]; when there is no list of courses for each crowd; or when the system has too little memory.
pub fn walk_together(crowds: &mut [Crowd<'_>], courses: &[&[Course<'_>]], time: f32) -> Result<(), FieldError> {
    if crowds.len() != courses.len() {
        let remedy = format!("expected one for each of {} crowds", crowds.len());
        return Err(FieldError::new("courses", format!("{} lists", courses.len()), remedy));
    }
    for (crowd, courses) in crowds.iter().zip(courses) {
        crowd.check_step(courses, time)?;
    }
    let smallest = crowds.iter().map(|crowd| crowd.body().radius).filter(|radius| *radius > 0.0).reduce(f32::min);
    let farthest = crowds.iter().zip(courses).map(|(crowd, courses)| crowd.fastest(courses) * time).fold(0.0, f32::max);
    let parts = smallest.map_or(1.0, |smallest| (farthest / smallest).ceil().clamp(1.0, MOST_PARTS));
    for _ in 0..parts as u32 {
        let repulsions = repulsions(crowds)?;
        for ((crowd, courses), repulsions) in crowds.iter_mut().zip(courses).zip(&repulsions) {
            crowd.walk(courses, time / parts, repulsions);
        }
        if smallest.is_some() {
            for _ in 0..ROUNDS {
                push_apart(crowds, courses)?;
            }
            arrive_by_touch(crowds)?;
        }
    }
    Ok(())
}

/// An agent among those of all crowds.
#[derive(Clone, Copy)]
struct Present {
    crowd: usize,
    agent: usize,
    at: [f32; 2],
    body: Body,
}

/// All agents on the map.
fn present(crowds: &[Crowd<'_>]) -> Vec<Present> {
    let of = |(crowd, agents): (usize, &Crowd<'_>)| {
        let body = agents.body();
        let there = agents.agents().iter().enumerate().filter(|(_, agent)| agent.is_present());
        there.map(|(number, agent)| Present { crowd, agent: number, at: agent.position, body }).collect::<Vec<_>>()
    };
    crowds.iter().enumerate().flat_map(of).collect()
}

fn nearby(crowds: &[Crowd<'_>], present: &[Present], reach: f32) -> Result<Option<Nearby>, FieldError> {
    let points: Vec<[f32; 2]> = present.iter().map(|present| present.at).collect();
    crowds.first().map(|crowd| Nearby::new(crowd.ground().grid(), &points, reach)).transpose()
}

/// By how much each agent of each crowd turns away from those within its spacing; empty for crowds without spacing.
fn repulsions(crowds: &[Crowd<'_>]) -> Result<Vec<Vec<[f32; 2]>>, FieldError> {
    let mut all: Vec<Vec<[f32; 2]>> = vec![Vec::new(); crowds.len()];
    let reach = crowds.iter().map(|crowd| crowd.body().spacing).fold(0.0, f32::max);
    if reach == 0.0 {
        return Ok(all);
    }
    let present = present(crowds);
    let Some(nearby) = nearby(crowds, &present, reach)? else { return Ok(all) };
    let repulsion = |(number, own): (usize, &Present)| {
        let mut sum = [0.0f32; 2];
        let others = nearby.around(own.at).filter(|&other| own.body.spacing > 0.0 && other != number);
        for other in others {
            let [away, distance] = apart(own, &present[other], number, other);
            let weight = 1.0 - distance[0] / own.body.spacing;
            if weight > 0.0 {
                sum = [sum[0] + weight * away[0], sum[1] + weight * away[1]];
            }
        }
        let length = libm::hypotf(sum[0], sum[1]);
        if length > MOST_REPULSION { sum.map(|part| part * (MOST_REPULSION / length)) } else { sum }
    };
    let found: Vec<[f32; 2]> = present.par_iter().enumerate().map(repulsion).collect();
    for (crowd, list) in crowds.iter().zip(&mut all).filter(|(crowd, _)| crowd.body().spacing > 0.0) {
        list.resize(crowd.agents().len(), [0.0; 2]);
    }
    for (own, repulsion) in present.iter().zip(found) {
        if let Some(place) = all[own.crowd].get_mut(own.agent) {
            *place = repulsion;
        }
    }
    Ok(all)
}

/// The direction away from another agent, of length 1, and the distance. Agents at one point have a direction that is
/// drawn for the pair.
fn apart(own: &Present, other: &Present, number: usize, of_other: usize) -> [[f32; 2]; 2] {
    let [x, y] = [own.at[0] - other.at[0], own.at[1] - other.at[1]];
    let distance = libm::hypotf(x, y);
    if distance > 0.0 {
        return [[x / distance, y / distance], [distance; 2]];
    }
    let (first, second) = (number.min(of_other), number.max(of_other));
    let turn = Philox::new(0).unit(first as u32, second as u32, purpose::APART, 0) as f32;
    let (sin, cos) = libm::sincosf(std::f32::consts::TAU * turn);
    [if number == first { [cos, sin] } else { [-cos, -sin] }, [0.0; 2]]
}

/// Moves each body away from those that it overlaps, by half of the mean overlap for each.
fn push_apart(crowds: &mut [Crowd<'_>], courses: &[&[Course<'_>]]) -> Result<(), FieldError> {
    let present = present(crowds);
    let widest = crowds.iter().map(|crowd| crowd.body().radius).fold(0.0, f32::max);
    let Some(nearby) = nearby(crowds, &present, 2.0 * widest)? else { return Ok(()) };
    let push = |(number, own): (usize, &Present)| {
        let (mut sum, mut touching) = ([0.0f32; 2], 0.0f32);
        for other in nearby.around(own.at).filter(|&other| own.body.radius > 0.0 && other != number) {
            let radius = present[other].body.radius;
            let [away, distance] = apart(own, &present[other], number, other);
            let overlap = own.body.radius + radius - distance[0];
            if radius > 0.0 && overlap > 0.0 {
                sum = [sum[0] + overlap * away[0], sum[1] + overlap * away[1]];
                touching += 1.0;
            }
        }
        // Half of each overlap where there are one or two, and less where many push from all sides.
        let share = if touching > 2.0 { 1.0 / touching } else { 0.5 };
        sum.map(|part| share * part)
    };
    let pushes: Vec<[f32; 2]> = present.par_iter().enumerate().map(push).collect();
    for (own, push) in present.iter().zip(pushes).filter(|(_, push)| *push != [0.0; 2]) {
        crowds[own.crowd].shift(own.agent, push, courses[own.crowd]);
    }
    Ok(())
}

/// Agents that are held up by one of their crowd that has arrived at the same goals have arrived.
fn arrive_by_touch(crowds: &mut [Crowd<'_>]) -> Result<(), FieldError> {
    let present = present(crowds);
    let widest = crowds.iter().map(|crowd| crowd.body().radius).fold(0.0, f32::max);
    let Some(nearby) = nearby(crowds, &present, 2.0 * widest * TOUCHING)? else { return Ok(()) };
    let agent = |present: &Present| -> &Agent { &crowds[present.crowd].agents()[present.agent] };
    let arrives = |(number, own): (usize, &Present)| {
        let way = crowds[own.crowd].ground().grid().cell() + 2.0 * own.body.radius;
        let is_held_up = own.body.radius > 0.0 && agent(own).is_held_up(crowds[own.crowd].time(), PATIENCE * way);
        is_held_up
            && nearby.around(own.at).any(|other| {
                let there = &present[other];
                let [_, distance] = apart(own, there, number, other);
                other != number
                    && there.crowd == own.crowd
                    && agent(there).has_arrived()
                    && agent(there).course() == agent(own).course()
                    && distance[0] <= TOUCHING * (own.body.radius + there.body.radius)
            })
    };
    let arriving: Vec<bool> = present.par_iter().enumerate().map(arrives).collect();
    for (own, _) in present.iter().zip(arriving).filter(|(_, arriving)| *arriving) {
        crowds[own.crowd].arrive(own.agent);
    }
    Ok(())
}
