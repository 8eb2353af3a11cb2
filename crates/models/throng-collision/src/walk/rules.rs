//! The wishes of walking discs, shared by CPU and GPU, in integer arithmetic.

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]

use throng_device::KernelParameter;
use throng_device::angles::{CIRCLE, ONE, QUARTER, angle_of, cosine, sine};
use throng_device::cubecl::{self, prelude::*};
use throng_device::exact::{abs, copied, high_product, low_product, wrapping_sum};
use throng_device::neighbours::Boundary;

use super::super::rules::decision::Position;
use super::super::rules::wall::Displacement;
use super::super::world::World;
use super::scenario::Behaviour;
use throng_device::philox::Counter;

/// Direction of discs that walk to the right.
pub const RIGHT: i32 = 0;
/// Direction of discs that walk to the left.
pub const LEFT: i32 = 1;

/// The parameters of a walk, units.
#[derive(CubeType, CubeLaunch, KernelParameter, Debug, Clone, Copy, PartialEq, Eq)]
pub struct Walk {
    pub world: World,
    /// Length of a step at an angle.
    pub step: i32,
    /// A goal within this distance is reached in one step.
    pub reach: i32,
    /// Distance between walls with gates; 0 for none.
    pub walls_every: i32,
    /// Distance between gates in a wall.
    pub gates_every: i32,
    /// Number of gates per wall.
    pub gates: i32,
    /// A disc within this distance of the middle of a gate walks straight on.
    pub half_gate: i32,
    /// At a closed border, discs within this distance turn around.
    pub turn_at: i32,
}

#[cube]
impl Walk {
    /// Returns the direction, [`RIGHT`] or [`LEFT`], of a disc at `x`.
    pub fn direction(&self, x: i32, direction: i32) -> i32 {
        let mut after = copied(direction);
        match comptime!(self.world.x.boundary) {
            Boundary::Closed => {
                if x < self.turn_at {
                    after = RIGHT.runtime();
                } else if x > self.world.x.size - self.turn_at {
                    after = LEFT.runtime();
                }
            }
            Boundary::Periodic => {}
        }
        after
    }

    /// Returns the angle towards the nearest gate of the next wall; straight on without walls, or in line with it.
    pub fn towards_gate(&self, x: i32, y: i32, direction: i32) -> i32 {
        let mut angle = 0i32;
        if direction == LEFT {
            angle = (2 * QUARTER).runtime();
        }
        if self.walls_every > 0 {
            let gate = min(y / max(self.gates_every, 1), self.gates - 1);
            let across = gate * self.gates_every + self.gates_every / 2 - y;
            if abs(across) > self.half_gate {
                // The next wall: beyond x to the right, before x to the left.
                let mut along = self.walls_every - x % self.walls_every;
                if direction == LEFT {
                    along = -((x - 1 + self.walls_every) % self.walls_every) - 1;
                }
                angle = angle_of(along, across);
            }
        }
        angle
    }

    /// Returns the displacement of a step at an angle.
    pub fn step_at(&self, angle: i32) -> Displacement {
        Displacement { x: part_of(self.step, cosine(angle)), y: part_of(self.step, sine(angle)) }
    }
}

/// Returns a length times a cosine or sine, rounded towards zero. It is computed in two parts, so that no product
/// exceeds 32 bits.
#[cube]
fn part_of(length: i32, share: i32) -> i32 {
    length / ONE * share + length % ONE * share / ONE
}

/// Whether a displacement has at most this length. Squares have 64 bits.
#[cube]
pub fn is_reached(dx: i32, dy: i32, length: i32) -> bool {
    let (along, across, length) = (abs(dx) as u32, abs(dy) as u32, length as u32);
    let first = low_product(along, along);
    let low = wrapping_sum(first, low_product(across, across));
    let mut high = high_product(along, along) + high_product(across, across);
    if low < first {
        high += 1u32;
    }
    let (limit_high, limit_low) = (high_product(length, length), low_product(length, length));
    high < limit_high || (high == limit_high && low <= limit_low)
}

/// Returns a random angle from a random word.
#[cube]
pub fn random_angle(word: u32) -> i32 {
    (word % (CIRCLE as u32)) as i32
}

/// Purpose of the draws of angles.
const ANGLE: u32 = 20;

/// Returns the counter of the draw of a disc's angle in a step.
#[cube]
#[inline]
pub fn angle_draw(disc: u32, step: u32) -> Counter {
    Counter { entity: disc, step, purpose: ANGLE.runtime(), index: 0u32.runtime() }
}

/// The state of a walking disc that its wishes depend on.
#[derive(CubeType, Debug, Clone, Copy)]
pub struct Walker {
    pub x: i32,
    pub y: i32,
    /// [`RIGHT`] or [`LEFT`], in the last step.
    pub direction: i32,
    /// 1 if its wish was refused in the last step.
    pub refused: i32,
}

/// Requested position and new direction of a disc.
#[derive(CubeType, Debug, Clone, Copy)]
pub struct WalkerWish {
    pub x: i32,
    pub y: i32,
    pub direction: i32,
}

/// Returns the wish of a disc. `word` is the random word of [`angle_draw()`], `goal` the goal of the disc if it has
/// one.
#[cube]
pub fn wish_of(
    walk: &Walk,
    walker: &Walker,
    word: u32,
    goal: Position,
    #[comptime] behaviour: Behaviour,
) -> WalkerWish {
    let direction = walk.direction(walker.x, walker.direction);
    let (dx, dy) = (walk.world.x.offset(walker.x, goal.x), walk.world.y.offset(walker.y, goal.y));
    let mut angle = random_angle(word);
    // Whether the wish is the goal itself. A disc at its goal stays.
    let mut arrives = false;
    match behaviour {
        Behaviour::Random => {}
        Behaviour::Gates => {
            if walker.refused == 0 {
                angle = walk.towards_gate(walker.x, walker.y, direction);
            }
        }
        Behaviour::Goals => {
            if walker.refused == 0 || (dx == 0 && dy == 0) {
                angle = angle_of(dx, dy);
                arrives = is_reached(dx, dy, walk.reach);
            }
        }
    }
    let mut step = walk.step_at(angle);
    if arrives {
        step.x = dx;
        step.y = dy;
    }
    WalkerWish { x: walker.x + step.x, y: walker.y + step.y, direction }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_steps_match_64_bit_arithmetic() {
        for length in [0, 1, 16_383, 16_384, 131_072, 231_680, i32::MAX] {
            for share in [-ONE, -12_345, -1, 0, 1, 11_585, ONE] {
                let expected = i64::from(length) * i64::from(share) / i64::from(ONE);
                assert_eq!(i64::from(part_of(length, share)), expected, "{length} {share}");
            }
        }
    }

    #[test]
    fn goals_are_reached_up_to_the_length_of_a_step() {
        for (dx, dy, length) in [(3, 4, 5), (-30_000, 40_000, 50_000), (600_000_000, -800_000_000, 1_000_000_000)] {
            assert!(is_reached(dx, dy, length) && !is_reached(dx, dy, length - 1));
        }
        assert!(
            is_reached(1 << 30, -(1 << 30), i32::MAX) && is_reached(0, 0, 0) && !is_reached(65_536, 65_536, 65_537)
        );
    }
}
