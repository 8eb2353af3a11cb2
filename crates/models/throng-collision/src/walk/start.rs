//! Discs at random positions.

use std::cmp::Reverse;
use std::f64::consts::PI;

use throng_core::{InputError, Philox, check_memory};
use throng_device::neighbours::Boundary;

use super::super::lattice::{Lattice, MIN_RADIUS};
use super::super::rules::decision::NONE;
use super::super::rules::overlap::is_nearer;
use super::super::rules::wall::Displacement;
use super::super::scene::Scene;
use super::super::walls::WallIndex;
use super::super::world::WorldAxis;

/// Purposes of the draws.
const RADIUS: u32 = 10;
const CHOICE: u32 = 11;
const JITTER: u32 = 12;
const PLACE: u32 = 14;
/// Positions tried per disc if not all discs fit in rows.
const TRIES: u32 = 2000;

/// Draws a radius for each disc, up to `largest`.
pub fn drawn_radii(seed: u32, discs: u32, largest: i32) -> Vec<i32> {
    let draws = Philox::new(seed.into());
    let range = (largest - MIN_RADIUS) as u32 + 1;
    (0..discs).map(|disc| MIN_RADIUS + draws.below(range, disc, 0, RADIUS, 0) as i32).collect()
}

/// Returns positions for all discs: in rows with space for the largest disc everywhere, or else, for discs of different
/// sizes, one after the other.
///
/// # Errors
/// When there are more discs than fit.
pub fn random_places(
    seed: u32,
    scene: &Scene,
    index: &WallIndex,
    lattice: Lattice,
) -> Result<[Vec<i32>; 2], InputError> {
    let in_rows = match places_in_rows(seed, scene, index) {
        Ok(places) => return Ok(places),
        Err(in_rows) => in_rows,
    };
    let (discs, radii) = (scene.radii.discs(), &scene.radii);
    let largest_m = lattice.metres(radii.largest());
    if radii.are_equal() {
        let remedy = format!("at most {in_rows} fit in rows; simulate fewer or smaller discs, or a larger world");
        return Err(InputError::one("discs", format!("{discs} discs with radii of {largest_m} m"), remedy));
    }
    let cells = scene.world.cells();
    check_memory(
        4 * cells as u64,
        "world",
        format_args!("{cells} cells"),
        "simulate a smaller world, or larger discs",
    )?;
    places_of_sizes(seed, scene, index).map_err(|placed| {
        let squares: f64 = (0..discs).map(|disc| f64::from(radii.of(disc)) * f64::from(radii.of(disc))).sum();
        let covered = PI * squares / scene.world.size().map(f64::from).iter().product::<f64>();
        let message = format!(
            "{discs} discs with radii of up to {largest_m} m, which cover {:.1} % of the world",
            100.0 * covered
        );
        let remedy =
            format!("{placed} of them fit, the largest first; simulate fewer or smaller discs, or a larger world");
        InputError::one("discs", message, remedy)
    })
}

/// Chooses random points of a square lattice, with the widest spacing that the number of discs allows, and moves each a
/// little if that keeps it clear of walls. On failure returns the number of discs that fit.
fn places_in_rows(seed: u32, scene: &Scene, index: &WallIndex) -> Result<[Vec<i32>; 2], usize> {
    let (discs, largest, world) = (scene.radii.discs(), scene.radii.largest(), scene.world);
    let draws = Philox::new(seed.into());
    let size = world.size();
    let area = size.map(f64::from).iter().product::<f64>();
    let mut spacing = (area / discs as f64).sqrt() as i32 + 1;
    loop {
        spacing = spacing.max(2 * largest);
        let free = free_places(scene, index, spacing);
        if free.len() >= discs {
            let mut order: Vec<u32> = (0..free.len() as u32).collect();
            order.sort_by_key(|&place| draws.block([place, 0, CHOICE, 0]));
            let moved = |disc: usize| jittered(draws, scene, index, free[order[disc] as usize], spacing, disc);
            let places: Vec<[i32; 2]> = (0..discs).map(moved).collect();
            return Ok([0, 1].map(|axis| places.iter().map(|place| place[axis]).collect()));
        }
        if spacing == 2 * largest {
            return Err(free.len());
        }
        spacing -= spacing / 50;
    }
}

/// Places one disc after the other, the largest first, each at the first of some random positions that is clear of
/// walls and of other discs (random sequential addition). On failure returns the number of discs placed.
fn places_of_sizes(seed: u32, scene: &Scene, index: &WallIndex) -> Result<[Vec<i32>; 2], usize> {
    let Scene { world, radii, .. } = scene;
    let draws = Philox::new(seed.into());
    let mut order: Vec<usize> = (0..radii.discs()).collect();
    order.sort_by_key(|&disc| Reverse(radii.of(disc)));
    // The disc whose centre is in each cell: at most one.
    let mut slots = vec![NONE; world.cells()];
    let [mut xs, mut ys] = [vec![0; radii.discs()], vec![0; radii.discs()]];
    for (placed, disc) in order.into_iter().enumerate() {
        let radius = radii.of(disc);
        let drawn = |axis: &WorldAxis, number: u32, attempt: u32| {
            let margin = if axis.boundary == Boundary::Closed { radius } else { 0 };
            // Up to the last position clear of a closed border, or below the side of a periodic world.
            let places = axis.size - 2 * margin + i32::from(margin > 0);
            margin + draws.below(places as u32, disc as u32, attempt, PLACE, number) as i32
        };
        let is_free = |&[x, y]: &[i32; 2]| {
            let reach = radius + radii.largest();
            let (columns, rows) = (world.x.cells_within(x, reach), world.y.cells_within(y, reach));
            let cells = (0..rows.count).flat_map(|row| (0..columns.count).map(move |column| [column, row]));
            let mut others = cells
                .map(|[column, row]| {
                    slots[world.cell(world.x.cell_at(columns, column), world.y.cell_at(rows, row)) as usize]
                })
                .filter(|&other| other != NONE);
            let overlaps = others.any(|other| {
                let (dx, dy) = (world.x.offset(x, xs[other as usize]), world.y.offset(y, ys[other as usize]));
                is_nearer(dx, dy, radius + radii.of(other as usize))
            });
            !overlaps && !index.refuses([x, y], Displacement { x: 0, y: 0 }, radius)
        };
        let mut attempts = (0..TRIES).map(|attempt| [drawn(&world.x, 0, attempt), drawn(&world.y, 1, attempt)]);
        let Some([x, y]) = attempts.find(is_free) else { return Err(placed) };
        (xs[disc], ys[disc]) = (x, y);
        slots[world.cell_of(x, y) as usize] = disc as u32;
    }
    Ok([xs, ys])
}

/// Returns the points of a lattice at which a disc of the largest radius is clear of walls.
fn free_places(scene: &Scene, index: &WallIndex, spacing: i32) -> Vec<[i32; 2]> {
    let (world, largest) = (scene.world, scene.radii.largest());
    let [columns, rows] = world.size().map(|side| (side - 2 * largest) / spacing + 1);
    let at = |number: i32| largest + number * spacing;
    let places = (0..rows).flat_map(|row| (0..columns).map(move |column| [at(column), at(row)]));
    let stay = Displacement { x: 0, y: 0 };
    places.filter(|&place| !index.refuses(place, stay, largest)).collect()
}

fn jittered(draws: Philox, scene: &Scene, index: &WallIndex, place: [i32; 2], spacing: i32, disc: usize) -> [i32; 2] {
    let (world, radius, largest) = (scene.world, scene.radii.of(disc), scene.radii.largest());
    // Two neighbours that move towards each other do not overlap, as neither moves by more than half the gap. In a
    // periodic world, the last column may be as close to the first one as `2 * largest`.
    let gap = (spacing - 2 * largest) / 2;
    let displacement = |axis: u32| draws.below(2 * gap as u32 + 1, disc as u32, 0, JITTER, axis) as i32 - gap;
    let moved = [place[0] + displacement(0), place[1] + displacement(1)];
    let last = world.size().map(|side| side - largest);
    let is_inside = (0..2).all(|axis| (largest..=last[axis]).contains(&moved[axis]));
    let stay = Displacement { x: 0, y: 0 };
    if is_inside && !index.refuses(moved, stay, radius) { moved } else { place }
}
