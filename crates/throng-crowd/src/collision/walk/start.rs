//! Discs at random places.

use throng_core::{InputError, Philox};

use super::super::lattice::{Lattice, SMALLEST_RADIUS};
use super::super::rules::wall::Displacement;
use super::super::scene::Scene;
use super::super::walls::WallIndex;

/// Purpose numbers of draws.
const RADIUS: u32 = 10;
const CHOICE: u32 = 11;
const JITTER: u32 = 12;

/// A radius for each disc, up to the largest.
pub fn drawn_radii(seed: u32, discs: u32, largest: i32) -> Vec<i32> {
    let draws = Philox::new(seed.into());
    let range = (largest - SMALLEST_RADIUS) as u32 + 1;
    (0..discs).map(|disc| SMALLEST_RADIUS + draws.below(range, disc, 0, RADIUS, 0) as i32).collect()
}

/// Places for all discs: points of a square lattice that is as wide as the number of discs allows, chosen at random,
/// each moved a little if that keeps it clear of walls.
///
/// # Errors
/// When there are more discs than fit next to each other in rows.
pub fn random_places(
    seed: u32,
    scene: &Scene,
    index: &WallIndex,
    lattice: Lattice,
) -> Result<[Vec<i32>; 2], InputError> {
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
            let message = format!("{discs} discs with radii of up to {} m", lattice.metres(largest));
            let remedy =
                format!("at most {} fit in rows; simulate fewer or smaller discs, or a larger world", free.len());
            return Err(InputError::one("discs", message, remedy));
        }
        spacing -= spacing / 50;
    }
}

/// The points of a lattice at which a disc of the largest radius is clear of walls.
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
    // Two neighbours that move towards each other still do not overlap, as none moves by more than half the gap. In a
    // periodic world the last column may be as near to the first one as `2 * largest`.
    let gap = (spacing - 2 * largest) / 2;
    let way = |axis: u32| draws.below(2 * gap as u32 + 1, disc as u32, 0, JITTER, axis) as i32 - gap;
    let moved = [place[0] + way(0), place[1] + way(1)];
    let last = world.size().map(|side| side - largest);
    let is_inside = (0..2).all(|axis| (largest..=last[axis]).contains(&moved[axis]));
    let stay = Displacement { x: 0, y: 0 };
    if is_inside && !index.refuses(moved, stay, radius) { moved } else { place }
}
