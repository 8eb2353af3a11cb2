//! The rules of one bird: the rules of `examples/flocking/src/rules.rs`, in floating point.
//!
//! krABMaga's own example, Flockers, has different rules: a weighted sum of forces and a random term. Here both
//! simulators use the same rules, so that they do the same work.

use std::f32::consts::{PI, TAU};
use std::fmt;
use std::hash::{Hash, Hasher};

use krabmaga::engine::agent::Agent;
use krabmaga::engine::fields::field_2d::{Location2D, toroidal_distance};
use krabmaga::engine::location::Real2D;
use krabmaga::engine::state::State;

use crate::flock::Flock;

/// Vision range of a bird, in patches.
pub const VISION: f32 = 5.0;
/// Distance below which a bird turns away from a neighbour, in patches.
const MINIMUM_SEPARATION: f32 = 1.0;
/// Maximum turns per tick, in radians.
const MAX_ALIGN_TURN: f32 = 5.0 * PI / 180.0;
const MAX_COHERE_TURN: f32 = 3.0 * PI / 180.0;
const MAX_SEPARATE_TURN: f32 = 1.5 * PI / 180.0;
/// Speed, in patches per tick.
const SPEED: f32 = 1.0;

#[derive(Clone, Copy)]
pub struct Bird {
    id: u32,
    location: Real2D,
    /// Radians, counterclockwise from the x axis.
    heading: f32,
    /// Cosine and sine of the heading, which all neighbours need.
    pub direction: Real2D,
}

impl Bird {
    pub fn new(id: u32, location: Real2D, heading: f32) -> Self {
        Self { id, location, heading, direction: direction(heading) }
    }

    /// Returns the heading after applying the rules, based on the state of the previous tick.
    fn turned(&self, flock: &Flock) -> f32 {
        let (mut headings, mut bearings) = (Real2D::default(), Real2D::default());
        let (mut nearest, mut nearest_square) = (None, f32::INFINITY);
        for other in flock.around(self.location) {
            let dx = toroidal_distance(other.location.x, self.location.x, flock.size);
            let dy = toroidal_distance(other.location.y, self.location.y, flock.size);
            let square = dx * dx + dy * dy;
            if square > VISION * VISION || other.id == self.id {
                continue;
            }
            headings.x += other.direction.x;
            headings.y += other.direction.y;
            if square > 0.0 {
                let distance = square.sqrt();
                bearings.x += dx / distance;
                bearings.y += dy / distance;
            }
            // Ties go to the lowest id.
            if square < nearest_square || (square == nearest_square && nearest.is_some_and(|(id, _)| other.id < id)) {
                (nearest, nearest_square) = (Some((other.id, other.heading)), square);
            }
        }
        match nearest {
            Some((_, heading)) if nearest_square < MINIMUM_SEPARATION * MINIMUM_SEPARATION => {
                self.heading + difference(heading, self.heading).clamp(-MAX_SEPARATE_TURN, MAX_SEPARATE_TURN)
            }
            _ => turned_towards(turned_towards(self.heading, headings, MAX_ALIGN_TURN), bearings, MAX_COHERE_TURN),
        }
    }
}

fn direction(heading: f32) -> Real2D {
    Real2D { x: heading.cos(), y: heading.sin() }
}

/// Returns the shorter turn from one angle to another.
fn difference(from: f32, to: f32) -> f32 {
    (to - from + PI).rem_euclid(TAU) - PI
}

/// Returns the angle after a turn towards a vector, limited to `max_turn`. The zero vector changes nothing.
fn turned_towards(angle: f32, vector: Real2D, max_turn: f32) -> f32 {
    if vector.x == 0.0 && vector.y == 0.0 {
        return angle;
    }
    angle + difference(angle, vector.y.atan2(vector.x)).clamp(-max_turn, max_turn)
}

impl Agent for Bird {
    fn step(&mut self, state: &mut dyn State) {
        let flock = state.as_any().downcast_ref::<Flock>().expect("the state of this simulation is a flock");
        self.heading = self.turned(flock).rem_euclid(TAU);
        self.direction = direction(self.heading);
        self.location.x = flock.wrapped(self.location.x + SPEED * self.direction.x);
        self.location.y = flock.wrapped(self.location.y + SPEED * self.direction.y);
        flock.put(*self);
    }
}

// Traits that `Field2D` requires of its objects.

impl Location2D<Real2D> for Bird {
    fn get_location(self) -> Real2D {
        self.location
    }

    fn set_location(&mut self, location: Real2D) {
        self.location = location;
    }
}

impl Hash for Bird {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.id.hash(state);
    }
}

impl PartialEq for Bird {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Eq for Bird {}

impl fmt::Display for Bird {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "bird {} at {}", self.id, self.location)
    }
}
