//! The rules: shared source for CPU and GPU, in integers, so that all executors agree to the last bit.
//!
//! The flockmates of a bird are the birds within its vision. If the nearest flockmate is closer than the minimum
//! separation, the bird turns away from that bird's heading. Otherwise it turns towards the mean heading of the
//! flockmates, and then towards the mean bearing to them. Each turn is limited to a given angle. Then the bird moves
//! ahead. (U. Wilensky, `NetLogo` Flocking model, 1998, after C. Reynolds, Flocks, herds and schools, 1987.)
//!
//! In `NetLogo` the birds turn one after the other; here all turn simultaneously, based on the state of the previous
//! tick. If several birds are equally near, the one with the lowest id counts as the nearest.

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]

use throng::device::angles::{ONE, angle_of, cosine, difference, sine, turned, turned_towards};
use throng::device::prelude::*;

/// Units per patch.
pub const PATCH: i32 = 4096;

/// Directions are divided by this factor before summation, so that the sums over [`MAX_BIRDS`] birds fit into 32 bits.
const PART: i32 = 16;

/// Maximum number of birds, all of which may be near each other.
pub const MAX_BIRDS: u32 = 2_000_000;

/// A bird: its position in units, and its heading in 65,536ths of a circle.
#[derive(CubeType, AgentColumns, Debug, Clone, Copy)]
pub struct Bird {
    pub x: i32,
    pub y: i32,
    pub heading: i32,
}

/// Lengths in units, and angles in 65,536ths of a circle.
#[derive(CubeType, CubeLaunch, KernelParameter, Debug, Clone, Copy)]
pub struct Rules {
    pub size: i32,
    pub vision: i32,
    pub separation: i32,
    pub align: i32,
    pub cohere: i32,
    pub separate: i32,
    pub speed: i32,
}

/// A bird's observations of its flockmates: sums of directions, and the nearest flockmate.
#[derive(CubeType, Debug, Clone, Copy)]
pub struct Seen {
    heading_x: i32,
    heading_y: i32,
    bearing_x: i32,
    bearing_y: i32,
    nearest: u32,
    square: u32,
    heading: i32,
}

#[cube]
impl NeighbourRules for Rules {
    type Agent = Bird;
    type Seen = Seen;

    fn nothing_seen(&self) -> Seen {
        Seen {
            heading_x: 0i32.runtime(),
            heading_y: 0i32.runtime(),
            bearing_x: 0i32.runtime(),
            bearing_y: 0i32.runtime(),
            nearest: 0u32.runtime(),
            square: 0xffff_ffffu32.runtime(),
            heading: 0i32.runtime(),
        }
    }

    fn meet(&self, seen: &mut Seen, _bird: &Bird, other: &Bird, meeting: &Meeting) {
        let (ahead, aside) = (exact::abs(meeting.dx) as u32, exact::abs(meeting.dy) as u32);
        let vision = self.vision as u32;
        // Each axis first: squares of larger offsets do not fit.
        if ahead <= vision && aside <= vision && ahead * ahead + aside * aside <= vision * vision {
            let square = ahead * ahead + aside * aside;
            seen.heading_x += cosine(other.heading) / PART;
            seen.heading_y += sine(other.heading) / PART;
            if square > 0u32 {
                let bearing = angle_of(meeting.dx, meeting.dy);
                seen.bearing_x += cosine(bearing) / PART;
                seen.bearing_y += sine(bearing) / PART;
            }
            if square < seen.square || (square == seen.square && meeting.neighbour < seen.nearest) {
                seen.nearest = meeting.neighbour;
                seen.square = square;
                seen.heading = other.heading;
            }
        }
    }

    fn act(&self, bird: &Bird, seen: &Seen, _number: u32, _tick: u32) -> Bird {
        let mut heading = bird.heading;
        if seen.square < (self.separation * self.separation) as u32 {
            heading = turned(bird.heading, difference(seen.heading, bird.heading), self.separate);
        } else {
            heading = turned_towards(heading, seen.heading_x, seen.heading_y, self.align);
            heading = turned_towards(heading, seen.bearing_x, seen.bearing_y, self.cohere);
        }
        Bird { x: moved(self, bird.x, cosine(heading)), y: moved(self, bird.y, sine(heading)), heading }
    }
}

/// Returns a coordinate after a step: `direction` is the cosine of the heading for x, and the sine for y. The step is
/// rounded towards zero, so that opposite steps are equally long.
#[cube]
fn moved(rules: &Rules, position: i32, direction: i32) -> i32 {
    (position + rules.size + rules.speed * direction / ONE) % rules.size
}
