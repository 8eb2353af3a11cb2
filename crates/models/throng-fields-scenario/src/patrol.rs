//! Entities that move along a path.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The continuation after the last point of a path.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum PathEnd {
    /// Back to the first point, repeatedly.
    #[default]
    Round,
    /// Back along the same path, repeatedly.
    Back,
    /// None: the entity stops.
    Stop,
}

/// A path as stored in the files of a run: points relative to the origin of the grid, including the return path.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StoredPatrol {
    pub points: Vec<[f64; 2]>,
    pub speed: f64,
    pub ends: bool,
}

impl StoredPatrol {
    /// The path of an entity that stands at a point.
    pub fn standing(point: [f64; 2]) -> Self {
        Self { points: vec![point], speed: 0.0, ends: true }
    }

    /// Returns the path, relative to the origin of the grid; `None` if it has fewer than two points.
    pub fn patrol(&self) -> Option<Patrol> {
        let &Self { ref points, speed, ends } = self;
        (points.len() > 1).then(|| Patrol::of_points([0.0; 2], points.clone(), speed, ends, false))
    }
}

/// A path through points at a constant speed.
#[derive(Debug, Clone, PartialEq)]
pub struct Patrol {
    /// The reference of points: the origin of the grid.
    origin: [f64; 2],
    /// All points in order, relative to the origin; including the return path.
    points: Vec<[f64; 2]>,
    /// The distance of each point along the path, world units.
    along: Vec<f64>,
    /// World units per unit of time.
    speed: f64,
    /// Whether the path ends at the last point instead of starting again.
    ends: bool,
    /// Whether the entity faces in the direction of motion.
    turns: bool,
}

impl Patrol {
    /// Creates a path from `start` through the points of `path`, given the origin of the grid.
    pub fn new(
        origin: [f64; 2],
        (start, path): ([f64; 2], &[[f64; 2]]),
        speed: f64,
        then: PathEnd,
        turns: bool,
    ) -> Self {
        let forth = std::iter::once(&start).chain(path);
        let mut points: Vec<[f64; 2]> = forth.map(|[x, y]| [x - origin[0], y - origin[1]]).collect();
        match then {
            PathEnd::Round => points.push(points[0]),
            PathEnd::Back => points.extend_from_within(..points.len() - 1),
            PathEnd::Stop => {}
        }
        if then == PathEnd::Back {
            let outward = path.len() + 1;
            points[outward..].reverse();
        }
        Self::of_points(origin, points, speed, then == PathEnd::Stop, turns)
    }

    /// Creates a path through all these points, at least two, relative to the origin.
    fn of_points(origin: [f64; 2], points: Vec<[f64; 2]>, speed: f64, ends: bool, turns: bool) -> Self {
        let mut along = vec![0.0];
        for pair in points.windows(2) {
            let length = libm::hypot(pair[1][0] - pair[0][0], pair[1][1] - pair[0][1]);
            along.push(along.last().copied().unwrap_or(0.0) + length);
        }
        Self { origin, points, along, speed, ends, turns }
    }

    /// Converts the path to its stored form.
    pub fn stored(&self) -> StoredPatrol {
        StoredPatrol { points: self.points.clone(), speed: self.speed, ends: self.ends }
    }

    /// Returns the position at a time and, if the entity turns, the direction that it faces, in radians.
    ///
    /// The offset from the origin is in single precision, so that the motion does not depend on the origin.
    pub fn at(&self, time: f64) -> ([f64; 2], Option<f32>) {
        let whole = self.along.last().copied().unwrap_or(0.0);
        let gone = self.speed * time;
        let walked = if self.ends {
            gone.min(whole)
        } else if whole > 0.0 {
            gone % whole
        } else {
            0.0
        };
        let next = self.along.partition_point(|&along| along <= walked).clamp(1, self.points.len() - 1);
        let (from, to) = (self.points[next - 1], self.points[next]);
        let length = self.along[next] - self.along[next - 1];
        let share = if length > 0.0 { (walked - self.along[next - 1]) / length } else { 0.0 };
        let from_origin = |axis: usize| (from[axis] + share * (to[axis] - from[axis])) as f32;
        let between = |axis: usize| self.origin[axis] + f64::from(from_origin(axis));
        let heading = libm::atan2(to[1] - from[1], to[0] - from[0]) as f32;
        ([between(0), between(1)], self.turns.then_some(heading))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patrols_repeat_reverse_or_stop() {
        let path = ([0.0, 0.0], &[[4.0, 0.0], [4.0, 3.0]][..]);
        let patrol = |then| Patrol::new([0.0, 0.0], path, 2.0, then, true);
        let at = |then, time| patrol(then).at(time).0;
        for then in [PathEnd::Round, PathEnd::Back, PathEnd::Stop] {
            assert_eq!((at(then, 0.0), at(then, 1.0), at(then, 3.0)), ([0.0, 0.0], [2.0, 0.0], [4.0, 2.0]));
        }
        // 4 + 3 + 5 units round, and 14 back and forth.
        assert_eq!((at(PathEnd::Round, 6.0), at(PathEnd::Round, 7.0)), ([0.0, 0.0], [2.0, 0.0]));
        assert_eq!(
            (at(PathEnd::Back, 4.0), at(PathEnd::Back, 6.0), at(PathEnd::Back, 7.5)),
            ([4.0, 2.0], [2.0, 0.0], [1.0, 0.0])
        );
        assert_eq!(at(PathEnd::Stop, 100.0), [4.0, 3.0]);
        assert_eq!(patrol(PathEnd::Round).at(3.0).1, Some(std::f32::consts::FRAC_PI_2));
    }

    #[test]
    fn patrols_do_not_depend_on_the_origin() {
        let patrol = |origin: [f64; 2]| {
            let point = |x: f64, y: f64| [origin[0] + x, origin[1] + y];
            Patrol::new(origin, (point(0.1, 0.7), &[point(3.3, 0.2), point(1.9, 2.6)]), 0.3, PathEnd::Round, true)
        };
        // At this distance from 0, single precision has a resolution of half a unit.
        let (near, far) = (patrol([0.0, 0.0]), patrol([-690_000.0, 5_334_000.0]));
        for time in 0..100 {
            let (near_at, far_at) = (near.at(f64::from(time)).0, far.at(f64::from(time)).0);
            let far_at = [far_at[0] + 690_000.0, far_at[1] - 5_334_000.0];
            assert!((0..2).all(|axis| (near_at[axis] - far_at[axis]).abs() < 1e-6), "{time}: {near_at:?} {far_at:?}");
        }
    }
}
