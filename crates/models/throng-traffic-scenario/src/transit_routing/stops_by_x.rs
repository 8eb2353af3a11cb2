//! Stops near a point.

use super::arrays::{Arrays, beeline_m};

/// The stops of routes, sorted by x. A search looks at those in a strip, some hundreds in a large city.
#[derive(Debug)]
pub(super) struct StopsByX {
    x: Vec<f64>,
    stop: Vec<u32>,
    coordinates: Vec<[f64; 2]>,
}

impl StopsByX {
    /// Sorts the stops of all routes.
    pub(super) fn new(arrays: &Arrays) -> Self {
        let mut stop: Vec<u32> = (0..arrays.stops() as u32).filter(|&stop| !arrays.calls_at(stop).is_empty()).collect();
        let at = |stop: u32| arrays.coordinates[stop as usize];
        stop.sort_by(|&a, &b| at(a)[0].total_cmp(&at(b)[0]));
        let coordinates: Vec<[f64; 2]> = stop.iter().map(|&stop| at(stop)).collect();
        Self { x: coordinates.iter().map(|at| at[0]).collect(), stop, coordinates }
    }

    /// Replaces `found` by the stops within `radius_m` of a point, radius included, in the order of their indices, each
    /// with its beeline in metres.
    pub(super) fn within(&self, at: [f64; 2], radius_m: f64, found: &mut Vec<(u32, f64)>) {
        found.clear();
        let first = self.x.partition_point(|&x| x < at[0] - radius_m);
        let end = self.x.partition_point(|&x| x <= at[0] + radius_m);
        for index in first..end {
            let beeline = beeline_m(at, self.coordinates[index]);
            if beeline <= radius_m {
                found.push((self.stop[index], beeline));
            }
        }
        found.sort_unstable_by_key(|&(stop, _)| stop);
    }

    /// Returns the beeline to the nearest stop, metres; infinity if there is none.
    pub(super) fn nearest_m(&self, at: [f64; 2]) -> f64 {
        let middle = self.x.partition_point(|&x| x < at[0]);
        let mut nearest = f64::INFINITY;
        for [x, y] in &self.coordinates[middle..] {
            if x - at[0] > nearest {
                break;
            }
            nearest = nearest.min(beeline_m(at, [*x, *y]));
        }
        for [x, y] in self.coordinates[..middle].iter().rev() {
            if at[0] - x > nearest {
                break;
            }
            nearest = nearest.min(beeline_m(at, [*x, *y]));
        }
        nearest
    }
}
