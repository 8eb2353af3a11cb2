//! Possible locations of activities: links with houses, grouped into square zones, with a weight for each kind of
//! activity.

use throng_core::Philox;

use super::Kind;
use crate::draws::{Draws, Purpose, pick, running_sums};
use crate::streets::{RoadClass, Streets};

/// Maximum number of zones for cities up to a metropolis. Tables of origins and destinations grow with the square of
/// this number.
const MAX_ZONES: f64 = 3000.0;
/// Number of links up to which this limit applies. In larger networks zones would be wider than the length of trips to
/// shops.
const LINKS_FOR_ZONES: f64 = 400_000.0;

/// A zone: its links and their attractiveness.
#[derive(Debug)]
pub(crate) struct Zone {
    pub(crate) x: f64,
    pub(crate) y: f64,
    links: Vec<u32>,
    /// Prefix sums of the link weights for each kind of activity.
    sums: [Vec<f64>; 5],
}

impl Zone {
    /// Returns the weight of the whole zone for a kind of activity.
    pub(crate) fn weight(&self, kind: Kind) -> f64 {
        self.sums[kind as usize].last().copied().unwrap_or(0.0)
    }

    /// Returns the link selected by `unit` in `[0, 1)`, where links are drawn by weight.
    pub(crate) fn link(&self, kind: Kind, unit: f64) -> u32 {
        self.links[pick(&self.sums[kind as usize], unit)]
    }
}

/// Zones with the weights by which homes and activities are distributed among them.
#[derive(Debug)]
pub(crate) struct Places {
    pub(crate) zones: Vec<Zone>,
    /// Side length of a zone, metres.
    pub(crate) side_m: f64,
    homes: Vec<f64>,
}

impl Places {
    pub(crate) fn new(streets: &Streets, philox: Philox) -> Self {
        let radius = streets.shape.radius;
        // Houses cover about 5.5 times the square of the radius.
        let n = &streets.network;
        let zones = MAX_ZONES * (n.links() as f64 / LINKS_FOR_ZONES).sqrt().max(1.0);
        let side_m = (radius * (5.5 / zones).sqrt()).max(700.0);
        let mut of_cell: std::collections::BTreeMap<(i32, i32), Vec<u32>> = std::collections::BTreeMap::new();
        for link in 0..n.links() as u32 {
            if streets.class[link as usize].has_houses() {
                let (x, y) = middle(streets, link);
                let cell = ((y / side_m).floor() as i32, (x / side_m).floor() as i32);
                of_cell.entry(cell).or_default().push(link);
            }
        }
        let zones: Vec<Zone> = of_cell.into_values().map(|links| zone(streets, philox, links)).collect();
        let homes = running_sums(zones.iter().map(|z| z.weight(Kind::Home)));
        Self { zones, side_m, homes }
    }

    /// Returns the beeline between two zones, metres: at least half a side, which is about the mean within a zone.
    pub(crate) fn distance(&self, from: usize, to: usize) -> f64 {
        let (a, b) = (&self.zones[from], &self.zones[to]);
        libm::hypot(a.x - b.x, a.y - b.y).max(0.5 * self.side_m)
    }

    /// Returns the home zone selected by `unit` in `[0, 1)`.
    pub(crate) fn home_zone(&self, unit: f64) -> u32 {
        pick(&self.homes, unit) as u32
    }
}

fn middle(streets: &Streets, link: u32) -> (f64, f64) {
    let n = &streets.network;
    let (a, b) = (n.from[link as usize] as usize, n.to[link as usize] as usize);
    (f64::midpoint(n.node_x[a], n.node_x[b]), f64::midpoint(n.node_y[a], n.node_y[b]))
}

fn zone(streets: &Streets, philox: Philox, links: Vec<u32>) -> Zone {
    let weights: Vec<[f64; 5]> = links.iter().map(|&l| weights(streets, philox, l)).collect();
    let sums = Kind::ALL.map(|kind| running_sums(weights.iter().map(|w| w[kind as usize])));
    let middles: Vec<(f64, f64)> = links.iter().map(|&l| middle(streets, l)).collect();
    let n = links.len() as f64;
    let x = middles.iter().map(|m| m.0).sum::<f64>() / n;
    let y = middles.iter().map(|m| m.1).sum::<f64>() / n;
    Zone { x, y, links, sums }
}

/// Returns the weight of a link for each kind of activity: density times frontage.
fn weights(streets: &Streets, philox: Philox, link: u32) -> [f64; 5] {
    let (x, y) = middle(streets, link);
    let class = streets.class[link as usize];
    // Driveways need a few metres, and a long country road has no more houses than a short one.
    let frontage = match streets.network.length_m[link as usize] {
        length if length < 25.0 => 0.0,
        length => length.min(300.0),
    };
    let (homes, jobs) = match class {
        RoadClass::Residential => (1.0, 0.5),
        RoadClass::Collector => (0.8, 1.2),
        _ => (0.3, 0.9),
    };
    let density = streets.shape.density(x, y);
    let business = streets.shape.business(x, y);
    // One street in 25 has a school.
    let school = Draws::new(philox, link, 0).chance(Purpose::School, 0, 0.04);
    let education = if school && class != RoadClass::MajorArterial { density } else { 0.0 };
    [
        frontage * homes * density,
        frontage * jobs * business,
        frontage * education,
        frontage * jobs * (business + 0.3 * density),
        frontage * (business + density),
    ]
}
