//! The measures of a state.

use throng_model::Quantity;

use super::super::rules::direction::STANDS;
use super::super::scene::{LEFT, Pedestrians, WAITING};
use super::crowd::Crowd;

pub const MEASURES: &[Quantity] = &[
    Quantity::count("inside", "persons inside", "persons in the world"),
    Quantity::count("waiting", "persons waiting", "persons who have come to an entry that has no free space"),
    Quantity::count("left", "persons who have left", "persons who have left through an exit"),
    Quantity::index(
        "lanes",
        "order of lanes",
        "1 if all pedestrians of each row or column go the same way, 0 if half of them go each way",
    ),
];

/// Computes the measures of a state.
pub fn measure(crowd: &Crowd) -> Vec<f64> {
    let Pedestrians { at, due, .. } = &crowd.pedestrians;
    let waiting = at.iter().zip(due).filter(|&(&at, &due)| at == WAITING && due <= crowd.tick).count();
    let left = at.iter().filter(|&&at| at == LEFT).count();
    vec![crowd.pedestrians.inside() as f64, waiting as f64, left as f64, lane_order(crowd)]
}

/// Whether pedestrians walk in opposite directions along an axis, so that they may form lanes.
pub fn has_opposite_streams(crowd: &Crowd) -> bool {
    let Pedestrians { at, heading, .. } = &crowd.pedestrians;
    let inside = at.iter().zip(heading).filter(|&(&at, &heading)| at < LEFT && heading < STANDS);
    let headings = inside.fold(0u32, |headings, (_, &heading)| headings | 1 << heading);
    [0b1_0001, 0b100_0100].iter().any(|opposite| headings & opposite == *opposite)
}

/// Returns the order parameter of lanes: the mean of `((n+ - n-) / (n+ + n-))²` of the row over all pedestrians that
/// walk east or west, and likewise of the column for those that walk north or south. 0 if there are none. The row and
/// the column are those of the middle of a body, rounded down.
pub fn lane_order(crowd: &Crowd) -> f64 {
    let grid = crowd.prepared.world.grid();
    let Pedestrians { at, heading, .. } = &crowd.pedestrians;
    let mut lanes = [vec![[0u32; 2]; grid.height as usize], vec![[0; 2]; grid.width as usize]];
    for (pedestrian, (&at, &heading)) in at.iter().zip(heading).enumerate() {
        if at >= LEFT || heading >= STANDS {
            continue;
        }
        let ([x, y], [columns, rows]) = (grid.place(at), crowd.pedestrians.body(pedestrian).map(i32::from));
        let [x, y] = grid.place(grid.unit_at(x + (columns - 1) / 2, y + (rows - 1) / 2));
        match heading {
            0 | 4 => lanes[0][y as usize][usize::from(heading == 4)] += 1,
            2 | 6 => lanes[1][x as usize][usize::from(heading == 6)] += 1,
            _ => {}
        }
    }
    let (mut persons, mut sum) = (0.0, 0.0);
    for [forward, backward] in lanes.into_iter().flatten().map(|lane| lane.map(f64::from)) {
        let all = forward + backward;
        if all > 0.0 {
            persons += all;
            sum += (forward - backward) * (forward - backward) / all;
        }
    }
    if persons > 0.0 { sum / persons } else { 0.0 }
}
