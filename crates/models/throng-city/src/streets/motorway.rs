//! Ring and radial motorways.

use std::collections::HashMap;
use std::f64::consts::TAU;

use throng_core::Philox;

use super::RoadClass;
use super::alignment::Alignment;
use super::junctions::{connect_motorways, connect_streets};
use super::lattice::{Lattice, bend};
use super::plan::StreetPlan;
use crate::shape::Shape;

/// Half the distance between the two carriageways, metres.
const HALF_MEDIAN_M: f64 = 12.0;
/// Half the distance between off-ramp and on-ramp of an interchange, metres.
const HALF_INTERCHANGE_M: f64 = 150.0;

/// One carriageway at a station: traffic leaves at the first node and joins at the second.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Carriageway {
    pub(crate) leave: u32,
    pub(crate) join: u32,
}

/// A location along a motorway. Carriageway `forward` runs in the order of the stations, `backward` in the opposite
/// direction.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Station {
    pub(crate) forward: Carriageway,
    pub(crate) backward: Carriageway,
    pub(crate) x: f64,
    pub(crate) y: f64,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    /// Ramps to the streets.
    Streets,
    /// Ramps to the motorway that crosses at this point.
    Crossing,
}

/// A point of a motorway before bending.
#[derive(Debug, Clone, Copy)]
struct Point {
    x: f64,
    y: f64,
    kind: Kind,
}

/// Adds all motorways to `plan`.
pub(crate) fn lay(plan: &mut StreetPlan, lattice: &Lattice, shape: &Shape, philox: Philox) {
    let alignment = Alignment::new(shape.radius, philox);
    // The stations at crossings of radials and rings are stored, to connect the two motorways.
    let mut crossings: HashMap<(usize, usize), Station> = HashMap::new();
    for ring in 0..alignment.rings.len() {
        let (points, crossed) = ring_points(&alignment, ring);
        let stations = carriageways(plan, shape, &points, true, RoadClass::RingMotorway);
        connect_streets(plan, lattice, &interchanges(&points, &stations));
        crossings.extend(crossed.into_iter().map(|(radial, k)| ((radial, ring), stations[k])));
    }
    for (radial, &begin) in alignment.begins.iter().enumerate() {
        let points = radial_points(&alignment, radial);
        let stations = carriageways(plan, shape, &points, false, RoadClass::Motorway);
        connect_streets(plan, lattice, &interchanges(&points, &stations));
        let crossed = points.iter().zip(&stations).filter(|(p, _)| p.kind == Kind::Crossing);
        for (k, (_, station)) in crossed.enumerate() {
            connect_motorways(plan, station, &crossings[&(radial, begin.unwrap_or(0) + k)]);
        }
    }
}

/// Returns the distance between interchanges in a city of radius `r`, metres.
fn spacing(r: f64) -> f64 {
    (0.06 * r).clamp(700.0, 1500.0)
}

fn point(radius: f64, angle: f64, kind: Kind) -> Point {
    Point { x: radius * libm::cos(angle), y: radius * libm::sin(angle), kind }
}

/// Returns the points of a ring, and each radial that crosses it or begins on it with the index of their point.
fn ring_points(alignment: &Alignment, ring: usize) -> (Vec<Point>, Vec<(usize, usize)>) {
    let radius = alignment.rings[ring] * alignment.r;
    let radials = alignment.radials_at(ring);
    let (mut points, mut crossed) = (Vec::new(), Vec::new());
    for (k, &radial) in radials.iter().enumerate() {
        let next = radials[(k + 1) % radials.len()];
        let (start, mut end) = (alignment.angle(radial, radius), alignment.angle(next, radius));
        while end < start {
            end += TAU;
        }
        let pieces = ((end - start) * radius / spacing(alignment.r)).round().max(2.0) as u32;
        crossed.push((radial, points.len()));
        for piece in 0..pieces {
            let angle = start + (end - start) * f64::from(piece) / f64::from(pieces);
            points.push(point(radius, angle, if piece == 0 { Kind::Crossing } else { Kind::Streets }));
        }
    }
    (points, crossed)
}

/// Returns the points of a radial, from its beginning to the boundary of the city.
fn radial_points(alignment: &Alignment, radial: usize) -> Vec<Point> {
    let r = alignment.r;
    let begin = alignment.begins[radial];
    let mut stops: Vec<(f64, bool)> = Vec::new();
    stops.extend(begin.is_none().then_some((alignment.first, false)));
    stops.extend(alignment.rings[begin.unwrap_or(0)..].iter().map(|&ring| (ring, true)));
    stops.push((1.0, false));
    let mut points = Vec::new();
    for pair in stops.windows(2) {
        let ((from, crossing), (to, _)) = (pair[0], pair[1]);
        // Outside the town, interchanges are farther apart.
        let step = spacing(r) * if from >= 0.5 { 2.0 } else { 1.0 };
        let pieces = ((to - from) * r / step).round().max(1.0) as u32;
        for piece in 0..pieces {
            let radius = r * (from + (to - from) * f64::from(piece) / f64::from(pieces));
            let kind = if piece == 0 && crossing { Kind::Crossing } else { Kind::Streets };
            points.push(point(radius, alignment.angle(radial, radius), kind));
        }
    }
    points.push(point(r, alignment.angle(radial, r), Kind::Streets));
    points
}

fn interchanges(points: &[Point], stations: &[Station]) -> Vec<Station> {
    points.iter().zip(stations).filter(|(p, _)| p.kind == Kind::Streets).map(|(_, s)| *s).collect()
}

/// Adds both carriageways along `points`. Unless the motorway is a ring, U-turns join them at both ends.
fn carriageways(plan: &mut StreetPlan, shape: &Shape, points: &[Point], ring: bool, class: RoadClass) -> Vec<Station> {
    let n = points.len();
    let bent: Vec<(f64, f64)> = points.iter().map(|p| bend(shape, p.x, p.y)).collect();
    let mut stations = Vec::with_capacity(n);
    for (k, p) in points.iter().enumerate() {
        let (before, after) = if ring { ((k + n - 1) % n, (k + 1) % n) } else { (k.max(1) - 1, (k + 1).min(n - 1)) };
        let (dx, dy) = (bent[after].0 - bent[before].0, bent[after].1 - bent[before].1);
        let norm = libm::hypot(dx, dy).max(1.0);
        let (dx, dy) = (dx / norm, dy / norm);
        let mut carriageway = |direction: f64| {
            let mut node = |at: f64| {
                // Traffic keeps to the right.
                let x = bent[k].0 + direction * (dx * at + dy * HALF_MEDIAN_M);
                let y = bent[k].1 + direction * (dy * at - dx * HALF_MEDIAN_M);
                plan.add_node(x, y)
            };
            Carriageway { leave: node(-HALF_INTERCHANGE_M), join: node(HALF_INTERCHANGE_M) }
        };
        let (forward, backward) = (carriageway(1.0), carriageway(-1.0));
        for c in [forward, backward] {
            plan.add_link(c.leave, c.join, 1.0, class, true);
        }
        stations.push(Station { forward, backward, x: p.x, y: p.y });
    }
    for k in 0..n {
        if k + 1 == n && !ring {
            break;
        }
        let (this, next) = (stations[k], stations[(k + 1) % n]);
        plan.add_link(this.forward.join, next.forward.leave, 1.02, class, true);
        plan.add_link(next.backward.join, this.backward.leave, 1.02, class, true);
    }
    if let (false, Some(first), Some(last)) = (ring, stations.first(), stations.last()) {
        plan.add_link(first.backward.join, first.forward.leave, 1.5, class, true);
        plan.add_link(last.forward.join, last.backward.leave, 1.5, class, true);
    }
    stations
}
