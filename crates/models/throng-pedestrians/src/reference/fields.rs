//! The sums of fields as defined: source by source, over all sources.
//!
//! No executor uses this code: executors scan the surroundings of a reader, with tables and lists of offsets.

use throng_device::neighbours::Boundary;

use super::super::fields::FieldTables;
use super::super::rules::decision::pressure;
use super::super::rules::direction::{DIRECTIONS, STANDS, angle, turned};
use super::super::rules::directional::Reading;
use super::super::rules::fixed::scaled;
use super::super::rules::grid::Grid;
use super::super::rules::sums::{ByDirection, Sums};
use super::super::scene::{LEFT, Pedestrians, World};

/// The position of a source relative to a reader.
struct Seen {
    /// The ring of the source's field that contains the reader.
    ring: usize,
    /// The sector in which the source lies.
    sector: usize,
}

/// Returns the position of a body relative to a reader; `None` beyond the field of the body, and inside the body.
fn seen(tables: &FieldTables, grid: &Grid, reader: [i32; 2], place: [i32; 2], body: [i32; 2]) -> Option<Seen> {
    let thickness = body[0].max(body[1]);
    let sides = [grid.width as i32, grid.height as i32];
    let (mut farthest, mut to_centre) = (0, [0; 2]);
    for axis in 0..2 {
        let offset = place[axis] - reader[axis];
        // Number of space units from the reader to the body, of which a periodic world contains many images.
        let gap = |offset: i32| if offset > 0 { offset } else { (1 - body[axis] - offset).max(0) };
        let offset = match grid.boundary {
            Boundary::Closed => offset,
            Boundary::Periodic => {
                let images = [offset, offset - sides[axis], offset + sides[axis]];
                images.into_iter().min_by_key(|&offset| gap(offset)).unwrap_or(offset)
            }
        };
        if gap(offset) > tables.radius * thickness {
            return None;
        }
        farthest = farthest.max(gap(offset));
        // Twice the offset to the centre.
        to_centre[axis] = 2 * offset + body[axis] - 1;
    }
    let ring = (farthest + thickness - 1) / thickness;
    if ring == 0 || ring > tables.radius {
        return None;
    }
    let sector = tables.map.sector_of_doubled(to_centre[0], to_centre[1])?;
    Some(Seen { ring: ring as usize, sector: sector as usize })
}

/// Adds the contribution of a source with a heading to the directional fields of a reader with heading `own`.
fn add_directional(sums: &mut Sums, reading: Reading, own: u32, heading: u32, sector: u32, [same, oncoming]: [i32; 2]) {
    let comes_from = |direction: u32| angle(heading, turned(direction, 4)) <= 1;
    match reading {
        // Sources with the reader's heading, and sources that come towards it.
        Reading::Heading => {
            sums.same[sector as usize] += if heading == own { same } else { 0 };
            sums.oncoming[sector as usize] += if comes_from(own) { oncoming } else { 0 };
        }
        // Sources whose heading is the direction in which they lie, and sources that come from that direction.
        Reading::Cone => {
            sums.same[heading as usize] += if angle(heading, sector) <= 1 { same } else { 0 };
            sums.oncoming[sector as usize] += if comes_from(sector) { oncoming } else { 0 };
        }
    }
}

/// Returns the sums at a space unit for a reader with heading `own`. The pedestrian there, if any, does not count.
///
/// The cost is proportional to the number of pedestrians; with traces also to that of space units.
pub fn sums(
    world: &World,
    tables: &FieldTables,
    pedestrians: &Pedestrians,
    occupants: &[u32],
    unit: u32,
    own: u32,
) -> Sums {
    let grid = &world.grid;
    let reader = grid.place(unit);
    let mut sums = Sums::default();
    for (number, &at) in pedestrians.at.iter().enumerate() {
        if at >= LEFT || occupants[unit as usize] == number as u32 {
            continue;
        }
        let body = pedestrians.body(number).map(i32::from);
        let Some(Seen { ring, sector }) = seen(tables, grid, reader, grid.place(at), body) else { continue };
        let [crowd, same, oncoming] = tables.strengths.each_ref().map(|strengths| strengths[ring]);
        sums.crowd[sector] += crowd;
        let heading = pedestrians.heading[number];
        if heading != STANDS && !tables.has_traces() {
            add_directional(&mut sums, tables.reading, own, heading.into(), sector as u32, [same, oncoming]);
        }
    }
    for (place, &trace) in pedestrians.traces.iter().enumerate().filter(|&(_, &trace)| trace > 0) {
        let (at, heading) = (place / DIRECTIONS as usize, place as u32 % DIRECTIONS);
        let Some(Seen { ring, sector }) = seen(tables, grid, reader, grid.place(at as u32), [1; 2]) else { continue };
        let [_, same, oncoming] = tables.strengths.each_ref().map(|strengths| strengths[ring]);
        let parts = [same, oncoming].map(|strength| scaled(strength, trace as i32));
        add_directional(&mut sums, tables.reading, own, heading, sector as u32, parts);
    }
    sums
}

/// Returns the contribution of exits and walls to the score of each direction at each space unit: `[unit][direction]`;
/// empty if their weights are 0.
pub fn static_scores(world: &World, tables: &FieldTables) -> Vec<i32> {
    let grid = &world.grid;
    let [(openings, opening_weight), (obstacles, obstacle_weight)] = &tables.fixed;
    if [opening_weight, obstacle_weight] == [&0; 2] {
        return Vec::new();
    }
    // Beyond a closed border everything is wall, as far as fields reach.
    let beyond = if grid.boundary == Boundary::Closed { tables.radius } else { 0 };
    let [width, height] = [grid.width as i32, grid.height as i32];
    let places = (-beyond..height + beyond).flat_map(|y| (-beyond..width + beyond).map(move |x| [x, y]));
    let mut sources = Vec::new();
    for [x, y] in places {
        let is_inside = (0..width).contains(&x) && (0..height).contains(&y);
        let unit = (y * width + x) as u32;
        if !is_inside || world.is_wall[unit as usize] {
            sources.push(([x, y], false));
        } else if world.openings.exits.iter().flatten().any(|&exit| exit == unit) {
            sources.push(([x, y], true));
        }
    }
    let mut scores = Vec::new();
    for unit in 0..grid.units() as u32 {
        let mut exits = ByDirection::default();
        let mut walls = ByDirection::default();
        for &(place, is_exit) in &sources {
            let Some(Seen { ring, sector }) = seen(tables, grid, grid.place(unit), place, [1; 2]) else { continue };
            if is_exit {
                exits[sector] += openings[ring];
            } else {
                walls[sector] += obstacles[ring];
            }
        }
        for direction in 0..DIRECTIONS {
            let attracted = scaled(exits[direction as usize], *opening_weight);
            scores.push(attracted - scaled(pressure(&walls, direction), *obstacle_weight));
        }
    }
    scores
}
