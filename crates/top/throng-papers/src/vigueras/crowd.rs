//! The crowds of the experiment: initial positions and wishes of discs.

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]

use rayon::prelude::*;
use throng_collision::{MAX_STEP, MIN_RADIUS, Options, Radii, Scene, World};
use throng_core::{InputError, Philox};
use throng_device::KernelParameter;
use throng_device::angles::{ONE, cosine, sine};
use throng_device::cubecl::{self, prelude::*};
use throng_device::neighbours::Boundary;
use throng_device::{CPU, Error};

use super::overlaps::DIAMETER;

/// Maximum area fraction of a crowd, below that of touching discs on a square lattice, 0.785.
pub(super) const MAX_AREA: f64 = 0.7;
/// Steps by the sequential rule before the first step of an experiment.
const STEPS_BEFORE: u32 = 10;
/// Purposes of random draws.
const PLACE: u32 = 1;
pub(super) const MOVE: u32 = 2;

/// Rule for the wishes of discs: each disc draws a direction in each step, and all steps have the same length.
#[derive(CubeType, CubeLaunch, KernelParameter, Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moves {
    /// Step length, units.
    pub length: i32,
    /// Width and height of the world, units. Wishes beyond the border are clamped to it.
    pub width: i32,
    pub height: i32,
}

/// The target coordinate on one axis.
#[cube]
#[inline]
fn target_coordinate(from: i32, direction: i32, length: i32, size: i32) -> i32 {
    // Rounds towards zero, so that no step is longer than `length`, up to the error of the sine.
    let to = from + direction * length / ONE;
    max(min(to, size - MIN_RADIUS), MIN_RADIUS)
}

#[cube]
impl Moves {
    /// The target x of a disc at `x`; `drawn` is its random word of the step.
    #[inline]
    pub fn wish_x(&self, x: i32, drawn: u32) -> i32 {
        target_coordinate(x, cosine((drawn >> 16u32) as i32), self.length, self.width)
    }

    /// The target y of a disc at `y`.
    #[inline]
    pub fn wish_y(&self, y: i32, drawn: u32) -> i32 {
        target_coordinate(y, sine((drawn >> 16u32) as i32), self.length, self.height)
    }
}

impl Moves {
    /// The target positions of all discs.
    pub fn wishes(&self, draws: Philox, step: u32, at: [&[i32]; 2]) -> [Vec<i32>; 2] {
        let drawn = |disc: usize| draws.block([disc as u32, step, MOVE, 0])[0];
        let wish = |disc: usize| {
            let drawn = drawn(disc);
            (self.wish_x(at[0][disc], drawn), self.wish_y(at[1][disc], drawn))
        };
        let (xs, ys) = (0..at[0].len()).into_par_iter().map(wish).unzip();
        [xs, ys]
    }

    /// Makes steps with wishes drawn on the host, starting at positions `at`. `step` carries out the wishes and returns
    /// its duration in seconds, and for each disc whether it moved. Returns the total time in seconds.
    #[cfg(feature = "gpu")]
    pub(super) fn run_with_host_draws<E>(
        &self,
        mut at: [Vec<i32>; 2],
        seed: u64,
        steps: std::ops::Range<u32>,
        mut step: impl FnMut(&[Vec<i32>; 2]) -> Result<(f64, Vec<bool>), E>,
    ) -> Result<f64, E> {
        let mut seconds = 0.0;
        for number in steps {
            let to = self.wishes(Philox::new(seed), number, [&at[0], &at[1]]);
            let (of_step, moved) = step(&to)?;
            seconds += of_step;
            super::overlaps::apply_moves(&mut at, &to, &moved);
        }
        Ok(seconds)
    }

    /// Upper bound of the step length for the sequential rule: the sine is off by up to 3 / [`ONE`].
    pub fn longest_step(&self) -> i32 {
        self.length + self.length / (ONE / 8) + 2
    }
}

/// Discs in a world, without overlaps.
#[derive(Debug, Clone)]
pub struct Crowd {
    /// The world, a square if the number of discs is a square.
    pub world: World,
    /// x and y of all discs.
    pub at: [Vec<i32>; 2],
}

impl Crowd {
    /// Places `discs` discs that cover the fraction `area` of the world, up to 0.7.
    ///
    /// The paper does not say where its discs were. Inserting discs at random positions one after another ends at an
    /// area fraction of 0.547, and becomes slow long before that. So each disc starts near its own point of a square
    /// lattice, shifted at random but too little to touch its neighbours. Ids are drawn, so that neighbours have
    /// unrelated ids. Then all discs make ten random moves of one cell under the sequential rule of
    /// [`throng_collision::Crowd`].
    ///
    /// # Errors
    /// If the area is out of range, or the world has too many cells or is too small.
    pub fn new(discs: usize, area: f64, seed: u64) -> Result<Self, Error> {
        if !(area > 0.0 && area <= MAX_AREA) {
            let remedy = format!("give a number above 0, up to {MAX_AREA}");
            return Err(InputError::one("area fraction", area, remedy).into());
        }
        let spacing = (f64::from(MIN_RADIUS) * (std::f64::consts::PI / area).sqrt()).round() as i64;
        let columns = (discs as f64).sqrt().ceil().max(1.0) as i64;
        let rows = (discs as i64 + columns - 1) / columns;
        // A few discs alone would need a smaller world than a check accepts.
        let side = |points: i64| i32::try_from((spacing * points).max(i64::from(MIN_SIDE))).unwrap_or(i32::MAX);
        let world = World::new([side(columns), side(rows)], Boundary::Closed)?;
        let draws = Philox::new(seed);
        let free = (spacing as i32 - DIAMETER).max(0);
        let mut at = [vec![0; discs], vec![0; discs]];
        for (point, &disc) in shuffled(discs, draws).iter().enumerate() {
            let corner = [point as i64 % columns, point as i64 / columns].map(|axis| (axis * spacing) as i32);
            for axis in 0..2 {
                let shift = draws.below(free as u32 + 1, disc, axis as u32, PLACE, 0) as i32;
                at[axis][disc as usize] = corner[axis] + MIN_RADIUS + shift;
            }
        }
        let [width, height] = world.size();
        let moves = Moves { length: throng_collision::CELL, width, height };
        let mut check = sequential(world, at, &moves, seed)?;
        for step in 0..STEPS_BEFORE {
            // Draws that differ from the draws of the experiment.
            let at = check.positions()?;
            let [xs, ys] = moves.wishes(draws, u32::MAX - step, [&at[0], &at[1]]);
            check.step([&xs, &ys])?;
        }
        Ok(Self { world, at: check.positions()?.into_owned() })
    }

    /// Moves of this length in the crowd's world.
    pub fn moves(&self, length: i32) -> Moves {
        let [width, height] = self.world.size();
        Moves { length, width, height }
    }

    /// The scene and the options of a check by the sequential rule.
    #[cfg(feature = "gpu")]
    pub(super) fn sequential_setup(&self, moves: &Moves, seed: u64) -> (Scene, Options) {
        sequential_setup(self.world, self.at[0].len(), moves, seed)
    }

    /// Creates a check by the sequential rule for the crowd, which leaves no overlaps.
    ///
    /// # Errors
    /// If discs overlap.
    pub fn sequential(&self, moves: &Moves, seed: u64) -> Result<throng_collision::Crowd, Error> {
        sequential(self.world, self.at.clone(), moves, seed)
    }
}

/// Minimum side length of a checked world: twice the maximum radius of `throng_collision`, which is four times that of
/// a disc.
const MIN_SIDE: i32 = 8 * MIN_RADIUS;

fn sequential(world: World, at: [Vec<i32>; 2], moves: &Moves, seed: u64) -> Result<throng_collision::Crowd, Error> {
    let (scene, options) = sequential_setup(world, at[0].len(), moves, seed);
    throng_collision::Crowd::in_units(scene, at, Vec::new(), options, &CPU)
}

fn sequential_setup(world: World, discs: usize, moves: &Moves, seed: u64) -> (Scene, Options) {
    let scene = Scene { world, walls: vec![], radii: Radii::equal(discs) };
    let longest_step = Some(moves.longest_step()).filter(|&longest| longest <= MAX_STEP);
    (scene, Options { seed, longest_step, ..Options::default() })
}

/// All ids in random order.
fn shuffled(discs: usize, draws: Philox) -> Vec<u32> {
    let mut ids: Vec<u32> = (0..discs as u32).collect();
    for last in (1..discs).rev() {
        let other = draws.below(last as u32 + 1, last as u32, 2, PLACE, 0);
        ids.swap(last, other as usize);
    }
    ids
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vigueras::overlapping_pairs;

    #[test]
    fn crowds_cover_the_requested_area_without_overlaps() {
        for area in [0.05, 0.2, 0.45, 0.7] {
            for discs in [1, 2, 90, 2_000] {
                let crowd = Crowd::new(discs, area, 3).unwrap();
                assert_eq!(overlapping_pairs(&crowd.world, [&crowd.at[0], &crowd.at[1]]), Ok(0), "{area} {discs}");
                let [width, height] = crowd.world.size().map(f64::from);
                let radius = f64::from(MIN_RADIUS);
                let covered = discs as f64 * std::f64::consts::PI * radius * radius / (width * height);
                assert!(discs < 2_000 || (covered / area - 1.0).abs() < 0.02, "{area} {discs}: {covered}");
            }
        }
        assert!(Crowd::new(0, 0.2, 1).unwrap().at.iter().all(Vec::is_empty));
        for area in [0.0, 0.8, f64::NAN] {
            let error = Crowd::new(9, area, 3).unwrap_err().to_string();
            assert!(error.starts_with("area fraction: "), "{error}");
        }
    }

    #[test]
    fn moves_have_the_requested_length_and_stay_in_the_world() {
        let crowd = Crowd::new(3_000, 0.2, 1).unwrap();
        for length in [0, 1_024, 4_096, 12_288] {
            let moves = crowd.moves(length);
            let at = [&crowd.at[0][..], &crowd.at[1]];
            let [xs, ys] = moves.wishes(Philox::new(1), 7, at);
            let [width, height] = crowd.world.size();
            let (mut right, mut sum) = (0, 0.0);
            for disc in 0..xs.len() {
                let distance = libm::hypot((xs[disc] - at[0][disc]).into(), (ys[disc] - at[1][disc]).into());
                assert!(distance <= f64::from(moves.longest_step()));
                assert!(crowd.world.contains(xs[disc], ys[disc], MIN_RADIUS) && xs[disc] < width && ys[disc] < height);
                right += usize::from(xs[disc] > at[0][disc]);
                sum += distance;
            }
            let mean = sum / xs.len() as f64;
            assert!(length == 0 || (1_350..1_650).contains(&right), "{right} of 3000");
            assert!(mean <= f64::from(length) + 4.0 && mean > 0.97 * f64::from(length) - 2.0, "{length}: {mean}");
        }
    }
}
