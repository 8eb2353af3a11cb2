//! Streets on a jittered lattice whose lines are sparser where the city is less dense.

use rayon::prelude::*;
use throng_core::{NONE, Philox};

use super::RoadClass;
use super::plan::StreetPlan;
use crate::draws::{Draws, Purpose};
use crate::shape::{OUTSIDE, Shape};

/// Distance between neighbouring lines where the city is densest, metres.
pub(crate) const SPACING_M: f64 = 300.0;

/// Every 4th line is an arterial road, every 8th a major one.
const ARTERIAL_LEVEL: u32 = 2;

/// The lattice, with lines `-half..=half` in both directions.
#[derive(Debug)]
pub(crate) struct Lattice {
    half: i32,
    /// Node at each crossing, row by row, or [`NONE`].
    node: Vec<u32>,
}

/// Returns the level of a line. Inside the city, the line is a street wherever the street level does not exceed it.
fn line_level(line: i32) -> u32 {
    line.trailing_zeros().min(8)
}

fn class_of(line: i32) -> RoadClass {
    match line_level(line) {
        0 => RoadClass::Residential,
        1 => RoadClass::Collector,
        ARTERIAL_LEVEL => RoadClass::Arterial,
        _ => RoadClass::MajorArterial,
    }
}

/// Whether lattice edges exist, from each crossing to the east and to the north.
struct Edges {
    half: i32,
    east: Vec<bool>,
    north: Vec<bool>,
}

impl Edges {
    fn new(shape: &Shape) -> Self {
        let half = (shape.extent() / SPACING_M).ceil() as i32;
        let rows = -half..=half;
        let edge = |i: i32, j: i32, line: i32, di: f64, dj: f64| {
            let level = shape.street_level((f64::from(i) + di) * SPACING_M, (f64::from(j) + dj) * SPACING_M);
            level < OUTSIDE && line_level(line) >= level
        };
        let row = |j: i32| (-half..=half).map(move |i| (i, j));
        let all: Vec<(bool, bool)> = rows
            .into_par_iter()
            .flat_map_iter(row)
            .map(|(i, j)| (i < half && edge(i, j, j, 0.5, 0.0), j < half && edge(i, j, i, 0.0, 0.5)))
            .collect();
        let (east, north) = all.into_iter().unzip();
        Self { half, east, north }
    }

    fn at(&self, i: i32, j: i32) -> usize {
        position(self.half, i, j)
    }

    fn crossing(&self, i: i32, j: i32) -> bool {
        let h = self.half;
        let along = self.east[self.at(i, j)] || (i > -h && self.east[self.at(i - 1, j)]);
        let across = self.north[self.at(i, j)] || (j > -h && self.north[self.at(i, j - 1)]);
        along && across
    }
}

fn position(half: i32, i: i32, j: i32) -> usize {
    ((j + half) as usize) * (2 * half as usize + 1) + (i + half) as usize
}

/// Adds the streets to `plan` and returns the crossings.
pub(crate) fn lay(plan: &mut StreetPlan, shape: &Shape, philox: Philox) -> Lattice {
    let edges = Edges::new(shape);
    let half = edges.half;
    let mut node = vec![NONE; edges.east.len()];
    for j in -half..=half {
        for i in -half..=half {
            if edges.crossing(i, j) {
                let (x, y) = place(shape, philox, i, j);
                node[edges.at(i, j)] = plan.add_node(x, y);
            }
        }
    }
    let lattice = Lattice { half, node };
    // Streets from crossing to crossing along each line, computed in parallel and concatenated in order.
    let rows = (-half..=half).into_par_iter().map(|line| lattice.stretches(&edges.east, line, |k| (k, line)));
    let columns = (-half..=half).into_par_iter().map(|line| lattice.stretches(&edges.north, line, |k| (line, k)));
    let streets: Vec<Vec<Street>> = rows.chain(columns).collect();
    for street in streets.iter().flatten() {
        street.build(plan, shape, philox);
    }
    lattice
}

/// Returns the position of a crossing, metres: off the lattice by up to a quarter of the spacing, and on lines that are
/// not quite straight.
fn place(shape: &Shape, philox: Philox, i: i32, j: i32) -> (f64, f64) {
    let draws = Draws::new(philox, i as u32, j as u32);
    let (x, y) = (f64::from(i) * SPACING_M, f64::from(j) * SPACING_M);
    let off = |index| draws.between(Purpose::Jitter, index, -0.25, 0.25) * SPACING_M;
    let (x, y) = bend(shape, x, y);
    (x + off(0), y + off(1))
}

/// Bends the straight lines of the lattice.
pub(crate) fn bend(shape: &Shape, x: f64, y: f64) -> (f64, f64) {
    let (wave, amplitude) = (0.25 * shape.radius, 0.035 * shape.radius);
    (x + amplitude * libm::sin(y / wave), y + amplitude * libm::sin(x / wave + 1.0))
}

/// A street between two neighbouring crossings of one line.
struct Street {
    line: i32,
    /// Lattice coordinate of its start along the line.
    at: i32,
    north: bool,
    from: u32,
    to: u32,
    /// The ends in lattice coordinates, to decide whether it crosses the river.
    ends: [(i32, i32); 2],
}

impl Lattice {
    fn stretches(&self, open: &[bool], line: i32, at: impl Fn(i32) -> (i32, i32)) -> Vec<Street> {
        let mut streets = Vec::new();
        let mut last: Option<i32> = None;
        for k in -self.half..=self.half {
            let (i, j) = at(k);
            let here = position(self.half, i, j);
            if self.node[here] != NONE {
                if let Some(start) = last {
                    let (a, b) = at(start);
                    let from = self.node[position(self.half, a, b)];
                    let north = a == i;
                    streets.push(Street { line, at: start, north, from, to: self.node[here], ends: [(a, b), (i, j)] });
                }
                last = Some(k);
            }
            if !open[here] {
                last = None;
            }
        }
        streets
    }

    /// Returns the crossing of arterial roads nearest to node `to`, searched within three spacings of such roads around
    /// the unbent point `x`, `y`; `None` if there is none.
    pub(crate) fn nearest_arterial(&self, plan: &StreetPlan, to: u32, x: f64, y: f64) -> Option<u32> {
        let step = 1 << ARTERIAL_LEVEL;
        let around = |v: f64| (v / (SPACING_M * f64::from(step))).round() as i32;
        let (ci, cj) = (around(x), around(y));
        let mut best: Option<(f64, u32)> = None;
        for j in cj - 3..=cj + 3 {
            for i in ci - 3..=ci + 3 {
                let (i, j) = (i * step, j * step);
                if i.abs() > self.half || j.abs() > self.half {
                    continue;
                }
                let node = self.node[position(self.half, i, j)];
                if node == NONE {
                    continue;
                }
                let distance = plan.distance(node, to);
                if best.is_none_or(|(least, _)| distance < least) {
                    best = Some((distance, node));
                }
            }
        }
        best.map(|(_, node)| node)
    }
}

impl Street {
    fn build(&self, plan: &mut StreetPlan, shape: &Shape, philox: Philox) {
        let class = class_of(self.line);
        let draws = Draws::new(philox, self.line as u32, (self.at as u32) << 1 | u32::from(self.north));
        let (demolished, one_way) = match class {
            RoadClass::Residential => (0.17, 0.66),
            RoadClass::Collector => (0.1, 0.45),
            _ => (0.03, 0.0),
        };
        if draws.chance(Purpose::Demolition, 0, demolished) {
            return;
        }
        let [a, b] = self.ends.map(|(i, j)| shape.north_of_river(f64::from(i) * SPACING_M, f64::from(j) * SPACING_M));
        // Major arterial roads and most other arterial roads have bridges.
        let bridge = match class {
            RoadClass::MajorArterial => true,
            RoadClass::Arterial => draws.chance(Purpose::Bridge, 0, 0.7),
            _ => false,
        };
        if a != b && !bridge {
            return;
        }
        // A street stays one-way over several blocks; neighbouring one-way streets alternate in direction.
        let block = Draws::new(philox, self.line as u32, (self.at.div_euclid(12) as u32) << 1 | u32::from(self.north));
        let one_way = block.chance(Purpose::OneWay, 0, one_way);
        let drawn = draws.unit(Purpose::Detour, 0);
        let detour = 1.0 + 0.2 * (drawn * drawn * drawn);
        let odd = (self.line >> line_level(self.line).min(4)) & 2 == 0;
        let (from, to) = if odd { (self.from, self.to) } else { (self.to, self.from) };
        plan.add_link(from, to, detour, class, one_way);
        if !one_way {
            plan.add_link(to, from, detour, class, false);
        }
    }
}
