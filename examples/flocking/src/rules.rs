//! The rules: one text for CPU and GPU, in whole numbers, so that all executors agree to the last bit.
//!
//! The flockmates of a bird are the birds within its vision. If the nearest is closer than the minimum separation, the bird
//! turns away from the heading of that one; otherwise it turns towards the mean heading of the flockmates, and then towards
//! the mean bearing to them, each time by at most a given angle. Then it moves ahead. (U. Wilensky, `NetLogo` Flocking
//! model, 1998, after C. Reynolds, Flocks, herds and schools, 1987.)
//!
//! In `NetLogo` one bird turns after the other; here all turn at once, by the state of the tick before. Of several birds
//! that are equally near, the one with the lowest number is the nearest.

#![allow(missing_docs, reason = "what #[cube] makes of a function has no documentation")]

use throng::device::angles::{ONE, angle_of, cosine, difference, sine, turned, turned_towards};
use throng::device::prelude::*;

/// Units of a patch.
pub const PATCH: i32 = 4096;

/// Directions are added up in this part of their length, so that the sums of [`MOST_BIRDS`] birds have 32 bits.
const PART: i32 = 16;

/// The most birds that may be near each other.
pub const MOST_BIRDS: u32 = 2_000_000;

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

/// What a bird has seen of its flockmates so far: sums of directions, and the nearest of them.
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
pub fn nothing_seen() -> Seen {
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

#[cube]
impl Seen {
    /// Looks at a bird that is `dx`, `dy` away.
    pub fn look(&mut self, rules: &Rules, dx: i32, dy: i32, bird: u32, heading: i32) {
        let (ahead, aside) = (exact::magnitude(dx) as u32, exact::magnitude(dy) as u32);
        let vision = rules.vision as u32;
        // Each axis first: squares of larger offsets do not fit.
        if ahead <= vision && aside <= vision && ahead * ahead + aside * aside <= vision * vision {
            let square = ahead * ahead + aside * aside;
            self.heading_x += cosine(heading) / PART;
            self.heading_y += sine(heading) / PART;
            if square > 0u32 {
                let bearing = angle_of(dx, dy);
                self.bearing_x += cosine(bearing) / PART;
                self.bearing_y += sine(bearing) / PART;
            }
            if square < self.square || (square == self.square && bird < self.nearest) {
                self.nearest = bird;
                self.square = square;
                self.heading = heading;
            }
        }
    }

    /// The new heading of a bird that has seen this.
    pub fn turned(&self, rules: &Rules, heading: i32) -> i32 {
        let mut after = heading;
        if self.square < (rules.separation * rules.separation) as u32 {
            after = turned(heading, difference(self.heading, heading), rules.separate);
        } else {
            after = turned_towards(after, self.heading_x, self.heading_y, rules.align);
            after = turned_towards(after, self.bearing_x, self.bearing_y, rules.cohere);
        }
        after
    }
}

/// A coordinate after a step: `direction` is the cosine of the heading for x, and the sine for y. The step is rounded
/// towards zero, so that opposite steps are equally long.
#[cube]
pub fn moved(rules: &Rules, position: i32, direction: i32) -> i32 {
    (position + rules.size + rules.speed * direction / ONE) % rules.size
}
