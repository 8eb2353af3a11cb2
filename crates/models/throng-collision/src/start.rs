//! Validation of a start: discs are within the world, clear of walls and of each other.

use throng_core::{InputError, Problem, Problems, SHOWN_PROBLEMS};
use throng_device::neighbours::{Boundary, CellLists, UniformGrid};

use super::lattice::{Lattice, ShownLengths};
use super::rules::overlap::is_nearer;
use super::rules::wall::Displacement;
use super::scene::Scene;
use super::walls::WallIndex;

/// Returns the default name of a disc.
pub(super) fn numbered(disc: usize) -> String {
    format!("disc {disc}")
}

/// Maximum number of overlapping pairs that are counted. If all discs are at one position, there are too many to count.
const MAX_PAIRS: usize = 100_000;

/// Rejects discs that are outside the world, overlap with a wall, or overlap with each other: pairs are listed with the
/// shortest move that separates them, the first ones in full. In messages, `lattice` converts lengths to metres, and
/// `name` names a disc.
pub(super) fn check_start(
    scene: &Scene,
    index: &WallIndex,
    at: [&[i32]; 2],
    lattice: Option<&Lattice>,
    name: &dyn Fn(usize) -> String,
) -> Result<(), InputError> {
    let Scene { world, radii, .. } = scene;
    let mut problems = Problems::new();
    let discs = radii.discs();
    if at.iter().any(|axis| axis.len() != discs) {
        let found = at.map(<[i32]>::len);
        return Err(InputError::one("positions", format!("{found:?} for {discs} discs"), "give x and y of every disc"));
    }
    let shown = ShownLengths(lattice);
    let length = |units: f64| shown.length(units);
    let place = |disc: usize| {
        let [x, y] = at.map(|axis| f64::from(axis[disc]));
        format!("{} at {}, {}", name(disc), length(x), length(y))
    };
    let size = world.size();
    for (disc, (&x, &y)) in at[0].iter().zip(at[1]).enumerate() {
        let radius = radii.of(disc);
        let is_inside = (0..size[0]).contains(&x) && (0..size[1]).contains(&y) && world.contains(x, y, radius);
        if !is_inside {
            let [x, y] = size.map(|side| match world.boundary() {
                Boundary::Closed => format!("from {} to {}", length(radius.into()), length((side - radius).into())),
                Boundary::Periodic => format!("from {} to below {}", length(0.0), length(side.into())),
            });
            problems.push(place(disc), "is not within the world", format!("place it with x {x}, and y {y}"));
        } else if index.refuses([x, y], Displacement { x: 0, y: 0 }, radius) {
            problems.push(
                place(disc),
                "overlaps with a wall",
                format!("move it until its centre is at least {} from every wall", shown.at_least(radius.into())),
            );
        }
    }
    // The search for pairs requires positions inside the world.
    problems.into_result()?;
    let mut problems = Problems::new();
    let reach = (2 * radii.largest()) as u32;
    let grid = UniformGrid::covering([0, 0], size.map(|side| side as u32), reach, world.boundary())?;
    let mut lists = CellLists::new(grid, discs)?;
    lists.build(&at);
    for (disc, (&x, &y)) in at[0].iter().zip(at[1]).enumerate() {
        for other in lists.around(x, y, 0).map(|other| other as usize).filter(|&other| other > disc) {
            let (dx, dy) = (world.x.offset(x, at[0][other]), world.y.offset(y, at[1][other]));
            let distance = radii.of(disc) + radii.of(other);
            if is_nearer(dx, dy, distance) {
                if problems.total() == MAX_PAIRS {
                    return Err(too_many_pairs(&problems));
                }
                if problems.total() >= SHOWN_PROBLEMS {
                    // Further pairs are only counted.
                    problems.push("", "", "");
                    continue;
                }
                let apart = (f64::from(dx) * f64::from(dx) + f64::from(dy) * f64::from(dy)).sqrt();
                // One unit more, because the new position is rounded.
                let shortest = shown.at_least((f64::from(distance) - apart).ceil() + 1.0);
                let remedy = format!("move one of them {shortest} away from the other");
                problems.push(place(disc), format!("overlaps with {}", place(other)), remedy);
            }
        }
    }
    problems.into_result()
}

/// Returns an error with the first pairs, and the remark that there are more than were counted.
fn too_many_pairs(counted: &Problems) -> InputError {
    let mut problems = Problems::new();
    let message = "more than 100,000 pairs of discs overlap";
    problems.push("positions", message, "move the discs apart; the first pairs follow");
    for Problem { place, message, remedy } in counted.shown().iter().take(SHOWN_PROBLEMS - 1) {
        problems.push(place, message, remedy);
    }
    InputError(problems)
}
