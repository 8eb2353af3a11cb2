//! Draws the speed map of the report.

use throng_output::svg::{LineClass, LineMap};

use super::analysis::LinkDay;
use throng_traffic_scenario::Network;

/// Maximum number of links that are drawn; with more the page would be slow to open.
pub const MAX_LINKS: usize = 60_000;

/// Upper bounds of the fraction of the free speed, from slow to free, with the text of the legend.
const CLASSES: [(f32, &str, &str, f64); 4] = [
    (0.25, "below a quarter of the free speed", "#b3262e", 2.6),
    (0.5, "a quarter to a half", "#e07b2a", 2.0),
    (0.75, "a half to three quarters", "#d9b13b", 1.5),
    (f32::INFINITY, "faster", "#2f8f6b", 1.0),
];

/// Draws all links, or the [`MAX_LINKS`] busiest ones, by their lowest mean speed in any time bin.
pub fn speed_map(network: &Network, day: &LinkDay) -> LineMap {
    let mut links: Vec<u32> = (0..network.links() as u32).collect();
    links.sort_by_key(|&link| (std::cmp::Reverse((day.volume(link), day.is_used(link))), link));
    links.truncate(MAX_LINKS);
    // The links are sorted, so that equal results give equal images.
    links.sort_unstable();
    let end = |node: u32| (network.node_x[node as usize], network.node_y[node as usize]);
    // A travel time is known for a vehicle that entered at one end and left at the other, not for one that departs or
    // arrives on the link.
    let mut classes = vec![
        class("no vehicle", "var(--grid, #c9d0d7)", 0.6),
        class("no vehicle drove its whole length", "var(--muted, #59636e)", 0.8),
    ];
    classes.extend(CLASSES.iter().rev().map(|&(_, name, colour, width)| class(name, colour, width)));
    for link in links {
        let slot = match day.slowest(link) {
            None => usize::from(day.is_used(link)),
            Some(fraction) => {
                let from_slow = CLASSES.iter().position(|&(bound, ..)| fraction < bound).unwrap_or(CLASSES.len() - 1);
                1 + CLASSES.len() - from_slow
            }
        };
        let l = link as usize;
        classes[slot].lines.push([end(network.from[l]), end(network.to[l])]);
    }
    for class in &mut classes {
        class.name = format!("{} ({} links)", class.name, class.lines.len());
    }
    LineMap { label: "Map of the lowest mean speeds of the day".into(), classes }
}

fn class(name: &str, colour: &'static str, width: f64) -> LineClass {
    LineClass { name: name.to_owned(), colour, width, lines: Vec::new() }
}
