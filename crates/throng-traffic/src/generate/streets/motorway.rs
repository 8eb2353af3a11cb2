//! Ring and radial motorways.

use throng_core::Philox;

use super::RoadClass;
use super::junctions::{connect_motorways, connect_streets};
use super::lattice::{Lattice, bend};
use super::plan::Plan;
use crate::generate::draws::{Draws, Purpose};
use crate::generate::shape::Shape;

/// Half the distance between the two carriageways, metres.
const HALF_MEDIAN_M: f64 = 12.0;
/// Half the distance between off-ramp and on-ramp of an interchange, metres.
const HALF_INTERCHANGE_M: f64 = 150.0;

/// One carriageway at a station: traffic leaves at the first node and joins at the second (the same one where there
/// is no interchange).
#[derive(Debug, Clone, Copy)]
pub(crate) struct Carriageway {
    pub(crate) leave: u32,
    pub(crate) join: u32,
}

/// A place along a motorway. `there` drives in the order of the stations, `back` against it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Station {
    pub(crate) there: Carriageway,
    pub(crate) back: Carriageway,
    pub(crate) x: f64,
    pub(crate) y: f64,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    /// Nothing but a bend.
    Plain,
    /// Ramps to the streets.
    Streets,
    /// Ramps to the motorway that crosses here.
    Crossing,
}

/// A point of a motorway on the drawing board.
#[derive(Debug, Clone, Copy)]
struct Point {
    x: f64,
    y: f64,
    kind: Kind,
}

/// Lays all motorways into `plan`.
pub(crate) fn lay(plan: &mut Plan, lattice: &Lattice, shape: &Shape, philox: Philox) {
    let r = shape.radius;
    let rings: &[f64] = if r > 10_000.0 { &[0.33, 0.7] } else { &[0.5] };
    let radials = (r / 2000.0 + 1.0).round().clamp(3.0, 9.0) as u32;
    let spacing = (0.06 * r).clamp(700.0, 1500.0);
    let turn = Draws::new(philox, 0, 1).unit(Purpose::Motorway, 0);

    let angle = |radial: u32, radius: f64| {
        let draws = Draws::new(philox, radial, 2);
        let share = (f64::from(radial) + turn + draws.between(Purpose::Motorway, 1, -0.15, 0.15)) / f64::from(radials);
        let phase = std::f64::consts::TAU * draws.unit(Purpose::Motorway, 2);
        std::f64::consts::TAU * share + 0.12 * (4.0 * radius / r + phase).sin()
    };
    let point = |radius: f64, angle: f64, kind| Point { x: radius * angle.cos(), y: radius * angle.sin(), kind };

    // Station k of ring q where radial m crosses it is remembered to connect both.
    let mut crossings: Vec<Vec<Station>> = vec![Vec::new(); rings.len()];
    for (q, &ring) in rings.iter().enumerate() {
        let radius = ring * r;
        let mut points = Vec::new();
        let mut at = Vec::new();
        for m in 0..radials {
            let (start, mut end) = (angle(m, radius), angle((m + 1) % radials, radius));
            while end < start {
                end += std::f64::consts::TAU;
            }
            let pieces = ((end - start) * radius / spacing).round().max(2.0) as u32;
            at.push(points.len());
            for piece in 0..pieces {
                let a = start + (end - start) * f64::from(piece) / f64::from(pieces);
                let kind = match piece {
                    0 => Kind::Crossing,
                    _ => Kind::Streets,
                };
                points.push(point(radius, a, kind));
            }
        }
        let stations = carriageways(plan, shape, &points, true, RoadClass::RingMotorway);
        connect_streets(plan, lattice, &interchanges(&points, &stations));
        crossings[q] = at.iter().map(|&k| stations[k]).collect();
    }

    for m in 0..radials {
        let mut stops: Vec<(f64, bool)> = vec![(0.2, false)];
        stops.extend(rings.iter().map(|&ring| (ring, true)));
        stops.push((1.0, false));
        let mut points = Vec::new();
        for pair in stops.windows(2) {
            let ((from, crossing), (to, _)) = (pair[0], pair[1]);
            // Out of town the interchanges are farther apart.
            let step = if from >= 0.5 { 2.0 * spacing } else { spacing };
            let pieces = ((to - from) * r / step).round().max(1.0) as u32;
            for piece in 0..pieces {
                let radius = r * (from + (to - from) * f64::from(piece) / f64::from(pieces));
                let kind = match piece {
                    0 if crossing => Kind::Crossing,
                    _ => Kind::Streets,
                };
                points.push(point(radius, angle(m, radius), kind));
            }
        }
        points.push(point(r, angle(m, r), Kind::Streets));
        let stations = carriageways(plan, shape, &points, false, RoadClass::Motorway);
        connect_streets(plan, lattice, &interchanges(&points, &stations));
        let crossed = points.iter().zip(&stations).filter(|(p, _)| p.kind == Kind::Crossing);
        for (q, (_, station)) in crossed.enumerate() {
            connect_motorways(plan, station, &crossings[q][m as usize]);
        }
    }
}

fn interchanges(points: &[Point], stations: &[Station]) -> Vec<Station> {
    points.iter().zip(stations).filter(|(p, _)| p.kind == Kind::Streets).map(|(_, s)| *s).collect()
}

/// Both carriageways along `points`; where the motorway is not closed to a ring, its ends are joined by a turn.
fn carriageways(plan: &mut Plan, shape: &Shape, points: &[Point], ring: bool, class: RoadClass) -> Vec<Station> {
    let n = points.len();
    let bent: Vec<(f64, f64)> = points.iter().map(|p| bend(shape, p.x, p.y)).collect();
    let mut stations = Vec::with_capacity(n);
    for (k, p) in points.iter().enumerate() {
        let before = if k > 0 {
            k - 1
        } else if ring {
            n - 1
        } else {
            0
        };
        let after = if k + 1 < n {
            k + 1
        } else if ring {
            0
        } else {
            n - 1
        };
        let (dx, dy) = (bent[after].0 - bent[before].0, bent[after].1 - bent[before].1);
        let norm = dx.hypot(dy).max(1.0);
        let (dx, dy) = (dx / norm, dy / norm);
        let along = if p.kind == Kind::Plain { 0.0 } else { HALF_INTERCHANGE_M };
        let mut carriageway = |direction: f64| {
            let mut node = |at: f64| {
                // Traffic keeps to the right.
                let x = bent[k].0 + direction * (dx * at + dy * HALF_MEDIAN_M);
                let y = bent[k].1 + direction * (dy * at - dx * HALF_MEDIAN_M);
                plan.add_node(x, y)
            };
            let leave = node(-along);
            let join = if along > 0.0 { node(along) } else { leave };
            Carriageway { leave, join }
        };
        let (there, back) = (carriageway(1.0), carriageway(-1.0));
        for c in [there, back] {
            if c.leave != c.join {
                plan.add_link(c.leave, c.join, 1.0, class, true);
            }
        }
        stations.push(Station { there, back, x: p.x, y: p.y });
    }
    for k in 0..n {
        if k + 1 == n && !ring {
            break;
        }
        let (this, next) = (stations[k], stations[(k + 1) % n]);
        plan.add_link(this.there.join, next.there.leave, 1.02, class, true);
        plan.add_link(next.back.join, this.back.leave, 1.02, class, true);
    }
    if let (false, Some(first), Some(last)) = (ring, stations.first(), stations.last()) {
        plan.add_link(first.back.join, first.there.leave, 1.5, class, true);
        plan.add_link(last.there.join, last.back.leave, 1.5, class, true);
    }
    stations
}
