//! Agents that take up space: they keep their distance while walking, and overlapping bodies are pushed apart.

use rayon::prelude::*;
use throng_core::InputError;
use throng_core::checks::not_negative;

use super::agent::Agent;
use super::course::Course;
use super::crowd::Crowd;
use super::gathered::{CrowdNeighbours, Present};

/// Rounds of pushing after each part of a step.
const ROUNDS: u32 = 4;
/// Maximum number of parts of a step.
const MAX_PARTS: f32 = 16.0;
/// An agent is held up if it has made no progress for the time in which it walks this many times the sum of the side
/// of a cell and the diameter of its body.
const PATIENCE: f32 = 2.0;
/// Agents touch if the distance of their centres is at most this factor times the sum of their radii.
const TOUCHING: f32 = 1.1;

/// The space that the agents of a crowd take up.
///
/// ```
/// use throng_fields_core::routing::{Body, Crowd, Course, FlowField, Steering, maps, walk_together};
///
/// let map = maps::empty(64)?;
/// let flow = FlowField::new(map.ground.distances());
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
/// # Ok::<(), throng_fields_core::InputError>(())
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Body {
    pub(super) radius: f32,
    pub(super) spacing: f32,
}

impl Body {
    /// Creates bodies with a radius in world units; with 0, agents pass through each other.
    ///
    /// # Errors
    /// When the radius is negative or not finite.
    pub fn new(radius: f32) -> Result<Self, InputError> {
        Ok(Self { radius: not_negative("body, radius", radius)?, spacing: 0.0 })
    }

    /// Makes agents turn away from others whose centres are closer than `spacing` (world units), more strongly the
    /// closer they are, but never walk backwards because of that; 0 disables it.
    ///
    /// # Errors
    /// When the distance is negative or not finite.
    pub fn with_spacing(self, spacing: f32) -> Result<Self, InputError> {
        Ok(Self { spacing: not_negative("body, spacing", spacing)?, ..self })
    }

    /// The radius of the body, world units.
    pub fn radius(self) -> f32 {
        self.radius
    }

    /// The distance within which agents turn away from others, world units.
    pub fn spacing(self) -> f32 {
        self.spacing
    }

    /// The distance within which an agent that walks by `distance` searches for others with equal bodies; 0 if it does
    /// not search.
    fn reach(self, distance: f32) -> f32 {
        let ahead = if self.radius > 0.0 { 2.0 * self.radius + distance } else { 0.0 };
        self.spacing.max(ahead)
    }
}

/// Moves several crowds for a time, each on its courses; all must have the same grid and open cells. Agents turn away
/// from others within their spacing, and walk past bodies in front of them or up to them; then overlapping bodies are
/// pushed apart, including those of agents that have arrived. Bodies do not touch through walls. The spacing ignores
/// walls.
///
/// On a ground [for bodies](super::Ground::for_bodies), agents stay on cells in which their bodies fit between the
/// walls: they pass no gap that is too narrow for them, and overlap walls by at most 1.12 cells.
///
/// In a crowd that stays at goals, an agent has also arrived if its body touches that of an agent of the same crowd
/// that has arrived at the same goals, some path leads from it to these goals, and it has made no progress for the time
/// in which it would walk two cells plus two diameters of its body. A crowd thus gathers around a full goal.
///
/// With bodies, a step is divided into up to 16 parts, so that no agent walks farther than the smallest radius in a
/// part; if 16 are not enough, agents walk farther per part. Cost of a part, in addition to walking: building lists of
/// neighbours, and up to six searches in them per straight move and five to push bodies apart.
///
/// # Errors
/// As for [`Crowd::step_on`]; when the number of course lists differs from that of crowds, or the crowds have different
/// grids or open cells; or when the system has too little memory.
pub fn walk_together(crowds: &mut [Crowd<'_>], courses: &[&[Course<'_>]], time: f32) -> Result<(), InputError> {
    if crowds.len() != courses.len() {
        let remedy = format!("expected one for each of {} crowds", crowds.len());
        return Err(InputError::one("courses", format!("{} lists", courses.len()), remedy));
    }
    for (number, (crowd, courses)) in crowds.iter().zip(courses).enumerate() {
        crowd.check_step(courses, time)?;
        // Bodies are moved on the ground of the first crowd.
        let (first, own) = (crowds[0].ground(), crowd.ground());
        if !std::ptr::eq(first, own) {
            first.grid().check_same_cells(&format!("crowd {number}"), own.grid())?;
            if first.open() != own.open() {
                let remedy = "all crowds that walk together must have the same open cells as the first";
                return Err(InputError::one(format!("crowd {number}, ground"), "different open cells", remedy));
            }
        }
    }
    crowds.iter_mut().for_each(Crowd::begin_step);
    let smallest = crowds.iter().map(|crowd| crowd.body().radius).filter(|radius| *radius > 0.0).reduce(f32::min);
    let farthest = crowds.iter().zip(courses).map(|(crowd, courses)| crowd.fastest(courses) * time).fold(0.0, f32::max);
    let parts = smallest.map_or(1.0, |smallest| (farthest / smallest).ceil().clamp(1.0, MAX_PARTS));
    let sensed = crowds.iter().map(|crowd| crowd.body().reach(farthest / parts)).fold(0.0, f32::max);
    for _ in 0..parts as u32 {
        let gathered = if sensed > 0.0 { CrowdNeighbours::new(crowds, sensed)? } else { None };
        for (number, (crowd, courses)) in crowds.iter_mut().zip(courses).enumerate() {
            crowd.walk(courses, time / parts, gathered.as_ref().map(|gathered| gathered.of(number)));
        }
        if smallest.is_some() {
            push_apart(crowds, courses)?;
        }
    }
    crowds.iter_mut().for_each(Crowd::end_step);
    Ok(())
}

/// Moves overlapping bodies apart, in several rounds, and marks agents as arrived that others hold up at their goals.
fn push_apart(crowds: &mut [Crowd<'_>], courses: &[&[Course<'_>]]) -> Result<(), InputError> {
    let widest = crowds.iter().map(|crowd| crowd.body().radius).fold(0.0, f32::max);
    // Lists remain valid until an agent has moved by half of the margin.
    let (reach, margin) = (2.0 * TOUCHING * widest, widest);
    let Some(mut gathered) = CrowdNeighbours::new(crowds, reach + margin)? else { return Ok(()) };
    for _ in 0..ROUNDS {
        let pushes: Vec<[f32; 2]> =
            (0..gathered.agents.len()).into_par_iter().map(|number| push(&gathered, number)).collect();
        let mut moved = false;
        for (own, push) in gathered.agents.iter_mut().zip(pushes).filter(|(_, push)| *push != [0.0; 2]) {
            let crowd = &mut crowds[own.crowd];
            crowd.shift(own.agent, push, courses[own.crowd]);
            own.at = crowd.agents()[own.agent].position;
            moved = true;
        }
        if !moved {
            break;
        }
        let has_left = |(own, listed): (&Present, &[f32; 2])| {
            let [x, y] = [own.at[0] - listed[0], own.at[1] - listed[1]];
            x * x + y * y > 0.25 * margin * margin
        };
        if gathered.agents.iter().zip(&gathered.listed).any(has_left)
            && let Some(again) = CrowdNeighbours::new(crowds, reach + margin)?
        {
            gathered = again;
        }
    }
    arrive_by_touch(crowds, courses, &gathered);
    Ok(())
}

/// The vector by which an agent is pushed away from the bodies that overlap its own.
fn push(gathered: &CrowdNeighbours<'_>, number: usize) -> [f32; 2] {
    let own = gathered.agents[number].body.radius;
    let (mut sum, mut touching) = ([0.0f32; 2], 0.0f32);
    if own == 0.0 {
        return sum;
    }
    for other in gathered.around(number) {
        let radius = gathered.agents[other].body.radius;
        let Some((away, distance)) = gathered.separation(number, other, own + radius).filter(|_| radius > 0.0) else {
            continue;
        };
        if !gathered.is_free(gathered.agents[number].at, other) {
            continue;
        }
        let overlap = own + radius - distance;
        sum = [sum[0] + overlap * away[0], sum[1] + overlap * away[1]];
        touching += 1.0;
    }
    // Half of each overlap if one or two bodies touch, and less if many push from all sides.
    let share = if touching > 2.0 { 1.0 / touching } else { 0.5 };
    sum.map(|part| share * part)
}

/// Marks agents as arrived if an agent of their crowd that has arrived at the same goals holds them up.
fn arrive_by_touch(crowds: &mut [Crowd<'_>], courses: &[&[Course<'_>]], gathered: &CrowdNeighbours<'_>) {
    let agent = |number: usize| -> &Agent {
        let Present { crowd, agent, .. } = gathered.agents[number];
        &crowds[crowd].agents()[agent]
    };
    let arrives = |(number, own): (usize, &Present)| {
        let (crowd, radius) = (&crowds[own.crowd], own.body.radius);
        let course = |number: usize| courses[own.crowd].get(usize::from(agent(number).course()));
        let Some(Course { ground, .. }) = course(number).filter(|_| radius > 0.0 && !crowd.leaves()) else {
            return false;
        };
        // Without a path to the goals there is no free line to an arrived agent, and no need to search.
        let (column, row) = agent(number).cell;
        if !ground.distances().at(column, row).is_some_and(f32::is_finite) {
            return false;
        }
        let pace = course(number).map_or(0.0, Course::pace);
        let length = crowd.ground().grid().cell() + 2.0 * radius;
        let is_host = |other: usize| {
            gathered.agents[other].crowd == own.crowd
                && agent(other).has_arrived()
                && course(other).is_some_and(|of_other| std::ptr::eq(of_other.ground, *ground))
                && gathered.separation(number, other, 2.0 * TOUCHING * radius).is_some()
                && gathered.is_free(gathered.agents[number].at, other)
        };
        agent(number).is_held_up(crowd.time(), PATIENCE * length, pace) && gathered.around(number).any(is_host)
    };
    let arriving: Vec<bool> = gathered.agents.par_iter().enumerate().map(arrives).collect();
    for (own, _) in gathered.agents.iter().zip(arriving).filter(|(_, arriving)| *arriving) {
        crowds[own.crowd].arrive(own.agent);
    }
}
