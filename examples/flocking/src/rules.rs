//! The rules: one text for CPU and GPU, in whole numbers, so that all executors agree to the last bit.
//!
//! A bird looks at its flockmates, which are the birds within `vision`. If the nearest one is closer than the minimum
//! separation, the bird turns away from its heading; otherwise the bird turns towards the mean heading of the flockmates,
//! and then towards the mean bearing to them, each by at most a given angle. Then it moves ahead. (U. Wilensky, `NetLogo`
//! Flocking model, 1998, after C. Reynolds, Flocks, herds and schools, 1987.)
//!
//! Unlike `NetLogo`, where one bird after the other sees the new headings of those before it, all birds decide at once by
//! the state of the tick before. And of several birds equally near, the lowest number is the nearest.

#![allow(missing_docs, reason = "what #[cube] makes of a function has no documentation")]

use throng_device::cubecl::{self, prelude::*};

/// Units of a patch.
pub const PATCH: i32 = 4096;
/// Units of a full circle.
pub const CIRCLE: i32 = 65_536;
/// The length of a direction.
pub const ONE: i32 = 16_384;
pub const QUARTER: i32 = CIRCLE / 4;

/// Distances and angles in units.
#[derive(CubeType, CubeLaunch, Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rules {
    pub size: i32,
    pub vision: i32,
    pub separation: i32,
    pub align: i32,
    pub cohere: i32,
    pub separate: i32,
    pub speed: i32,
}

/// What a bird has seen of its flockmates so far: sums of directions, and the nearest bird.
#[derive(CubeType, Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seen {
    heading_x: i32,
    heading_y: i32,
    bearing_x: i32,
    bearing_y: i32,
    nearest: u32,
    nearest_square: u32,
    nearest_heading: i32,
}

#[cube]
pub fn nothing_seen() -> Seen {
    Seen {
        heading_x: 0i32.runtime(),
        heading_y: 0i32.runtime(),
        bearing_x: 0i32.runtime(),
        bearing_y: 0i32.runtime(),
        nearest: 0u32.runtime(),
        nearest_square: 0xffff_ffffu32.runtime(),
        nearest_heading: 0i32.runtime(),
    }
}

#[cube]
impl Seen {
    /// Looks at a bird that is `dx`, `dy` away.
    pub fn look(&mut self, rules: &Rules, dx: i32, dy: i32, bird: u32, heading: i32) {
        // Each axis first: squares of larger offsets do not fit.
        if max(dx, -dx) <= rules.vision && max(dy, -dy) <= rules.vision {
            let square = (max(dx, -dx) as u32) * (max(dx, -dx) as u32) + (max(dy, -dy) as u32) * (max(dy, -dy) as u32);
            if square <= (rules.vision * rules.vision) as u32 {
                self.heading_x += sine(heading + QUARTER);
                self.heading_y += sine(heading);
                if square > 0u32 {
                    let bearing = angle_of(dx, dy);
                    self.bearing_x += sine(bearing + QUARTER);
                    self.bearing_y += sine(bearing);
                }
                if square < self.nearest_square || (square == self.nearest_square && bird < self.nearest) {
                    self.nearest = bird;
                    self.nearest_square = square;
                    self.nearest_heading = heading;
                }
            }
        }
    }

    /// The new heading of a bird that has seen this.
    pub fn turned(&self, rules: &Rules, heading: i32) -> i32 {
        let mut after = heading;
        if self.nearest_square < (rules.separation * rules.separation) as u32 {
            after = turn(heading, heading - self.nearest_heading, rules.separate);
        } else {
            after = turn_towards(after, self.heading_x, self.heading_y, rules.align);
            after = turn_towards(after, self.bearing_x, self.bearing_y, rules.cohere);
        }
        after
    }
}

#[cube]
fn turn_towards(heading: i32, x: i32, y: i32, most: i32) -> i32 {
    let mut after = heading;
    if x != 0i32 || y != 0i32 {
        after = turn(heading, angle_of(x, y) - heading, most);
    }
    after
}

/// Turns by an angle, the short way round, and at most by `most`.
#[cube]
fn turn(heading: i32, by: i32, most: i32) -> i32 {
    let short = ((by + CIRCLE / 2) & (CIRCLE - 1)) - CIRCLE / 2;
    (heading + max(-most, min(short, most))) & (CIRCLE - 1)
}

/// A coordinate after a step: `direction` is the sine of the heading for y, and the cosine for x.
#[cube]
pub fn moved(rules: &Rules, position: i32, direction: i32) -> i32 {
    let length = (rules.speed * max(direction, -direction) + ONE / 2) / ONE;
    let mut after = position + length;
    if direction < 0i32 {
        after = position - length;
    }
    if after < 0i32 {
        after += rules.size;
    } else if after >= rules.size {
        after -= rules.size;
    }
    after
}

/// The sine of an angle, times [`ONE`]; off by less than 3. A quarter turn changes signs and nothing else.
#[cube]
pub fn sine(angle: i32) -> i32 {
    let quadrant = (angle / QUARTER) & 3i32;
    let mut part = angle & (QUARTER - 1);
    if (quadrant & 1i32) == 1i32 {
        part = QUARTER - part;
    }
    let square = part * part / ONE;
    let mut sine = (part * (25_725i32 - square * (10_507i32 - square * 1_166i32 / ONE) / ONE) + ONE / 2) / ONE;
    if quadrant >= 2i32 {
        sine = -sine;
    }
    sine
}

/// The angle of a vector; off by less than two units. Turning the vector by a quarter adds a quarter exactly.
#[cube]
pub fn angle_of(x: i32, y: i32) -> i32 {
    // Turned back by quarters until x > 0 and y >= 0.
    let mut ahead = x;
    let mut aside = y;
    let mut angle = 0i32;
    if x <= 0i32 && y > 0i32 {
        ahead = y;
        aside = -x;
        angle = QUARTER.runtime();
    } else if x < 0i32 && y <= 0i32 {
        ahead = -x;
        aside = -y;
        angle = 2i32 * QUARTER.runtime();
    } else if x >= 0i32 && y < 0i32 {
        ahead = -y;
        aside = x;
        angle = 3i32 * QUARTER.runtime();
    }
    let mut longer = max(ahead, aside);
    let mut shorter = min(ahead, aside);
    while longer >= 65_536i32 {
        longer /= 2i32;
        shorter /= 2i32;
    }
    // The arc tangent of Abramowitz and Stegun 4.4.49, in quarters of a unit.
    let slope = (((shorter as u32) * 32_768u32) / max(longer, 1i32) as u32) as i32;
    let square = slope * slope / 32_768i32;
    let mut sum = 869i32;
    sum = 3_552i32 - square * sum / 32_768i32;
    sum = 7_516i32 - square * sum / 32_768i32;
    sum = 13_781i32 - square * sum / 32_768i32;
    sum = 41_716i32 - square * sum / 32_768i32;
    let part = (slope * sum + 65_536i32) / 131_072i32;
    if aside > ahead {
        angle += QUARTER - part;
    } else {
        angle += part;
    }
    angle & (CIRCLE - 1)
}
