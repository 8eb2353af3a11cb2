//! The fields of exits and walls, which do not change: their contribution to the scores of directions.

use rayon::prelude::*;
#[cfg(feature = "gpu")]
use throng_core::InputError;

use super::fields::{FieldParameters, FieldTables};
use super::rules::decision::pressure;
use super::rules::direction::DIRECTIONS;
use super::rules::fixed::{ONE, scaled};
use super::rules::sums::ByDirection;
use super::scene::World;

/// Returns the contribution of exits (OA) and walls (OR) to the score of each direction at each space unit:
/// `[unit][direction]`. Exits attract towards the direction in which they are; walls push as pedestrians do. Empty if
/// both weights are 0.
///
/// The cost per space unit is proportional to the size of a field.
pub fn static_scores(world: &World, tables: &FieldTables) -> Vec<i32> {
    let [(openings, opening_weight), (obstacles, obstacle_weight)] = &tables.fixed;
    if !tables.has_static_scores() {
        return Vec::new();
    }
    let mut is_exit = vec![false; world.grid.units()];
    world.openings.exits.iter().flatten().for_each(|&unit| is_exit[unit as usize] = true);
    let of_unit = |unit: u32| {
        let [x, y] = world.grid.place(unit);
        let mut opening = ByDirection::default();
        let mut obstacle = ByDirection::default();
        for (dx, dy, ring, sector) in tables.offsets() {
            let other = world.grid.unit_at(x + dx, y + dy);
            if world.is_wall(other) {
                obstacle[sector] += obstacles[ring];
            } else if is_exit[other as usize] {
                opening[sector] += openings[ring];
            }
        }
        let score = move |direction: u32| {
            scaled(opening[direction as usize], *opening_weight)
                - scaled(pressure(&obstacle, direction), *obstacle_weight)
        };
        (0..DIRECTIONS).map(score)
    };
    (0..world.grid.units() as u32).into_par_iter().flat_map_iter(of_unit).collect()
}

/// Returns the supremum of the weights of walls (OR) with which pedestrians walk through every opening: with the
/// desired heading alone, the score of a step into the narrowest opening is above the threshold. That opening is a
/// space unit in a wall as thick as the reach of fields. The walls push a pedestrian in front of it back with
/// `P = Σ_w OR(w) cos(east, sector of w)`, so the condition is `heading_weight - obstacle_weight P > threshold`.
/// Infinite if walls do not push back.
pub fn greatest_obstacle_weight(parameters: &FieldParameters, tables: &FieldTables) -> f64 {
    let mut sums = ByDirection::default();
    for (dx, dy, ring, sector) in tables.offsets() {
        let is_wall = dx > 0 && (dx, dy) != (1, 0);
        sums[sector] += if is_wall { tables.fixed[1].0[ring] } else { 0 };
    }
    let against = f64::from(pressure(&sums, 0)) / f64::from(ONE);
    if against > 0.0 { (parameters.heading_weight - parameters.threshold) / against } else { f64::INFINITY }
}

/// Returns the static scores for devices.
///
/// # Errors
/// When the world is so large that kernels could not index the scores.
#[cfg(feature = "gpu")]
pub fn indexed_scores(world: &World, tables: &FieldTables) -> Result<Vec<i32>, InputError> {
    if tables.has_static_scores() {
        let key = if tables.fixed[0].1 == 0 { "obstacle_weight" } else { "opening_weight" };
        world.check_indices(key, "fields of exits and walls", DIRECTIONS as usize)?;
    }
    Ok(static_scores(world, tables))
}

#[cfg(test)]
mod tests {
    use throng_device::neighbours::Boundary;

    use super::super::openings::Openings;
    use super::super::rules::grid::Grid;
    use super::*;

    #[test]
    fn the_greatest_weight_of_walls_lets_people_into_the_narrowest_opening() {
        let greatest =
            |parameters: &FieldParameters| greatest_obstacle_weight(parameters, &FieldTables::new(parameters).unwrap());
        // By hand: two walls beside the opening at 45°; on the second ring one straight ahead and six at 45°; on the
        // third three ahead, six at 45°, and two at right angles, which do not count.
        let cos = std::f64::consts::FRAC_1_SQRT_2;
        let against = 2.0 * cos + (1.0 + 6.0 * cos) / libm::sqrt(2.0) + (3.0 + 6.0 * cos) / libm::sqrt(3.0);
        let defaults = FieldParameters::default();
        assert!((greatest(&defaults) - 1.0 / against).abs() < 1e-4, "{}", 1.0 / against);
        assert!(
            (greatest(&FieldParameters { heading_weight: 2.0, threshold: 0.5, ..defaults }) - 1.5 / against).abs()
                < 2e-4
        );
        assert_eq!(greatest(&FieldParameters { size: 1, ..defaults }), f64::INFINITY);
        // A pedestrian in front of such an exit enters it below this weight, and stays above.
        let grid = Grid { width: 12, height: 11, boundary: Boundary::Closed };
        let is_wall = (0..12 * 11).map(|unit| unit % 12 >= 8 && unit / 12 != 5 || unit % 12 > 8).collect();
        let openings = Openings { exits: vec![vec![5 * 12 + 8]], ..Openings::default() };
        let world = World::new(grid, is_wall).unwrap().with_openings(openings).unwrap();
        for (factor, moves) in [(0.98, true), (1.02, false)] {
            let obstacle_weight = factor * greatest(&defaults);
            let tables = FieldTables::new(&FieldParameters { obstacle_weight, ..defaults }).unwrap();
            let scores = static_scores(&world, &tables);
            assert_eq!(scores[(5 * 12 + 7) * 8] + ONE > 0, moves, "{factor}");
        }
    }

    #[test]
    fn exits_attract_and_walls_push() {
        let grid = Grid { width: 9, height: 9, boundary: Boundary::Periodic };
        let mut is_wall = vec![false; 81];
        is_wall[4 * 9 + 2] = true;
        let openings = Openings { exits: vec![vec![4 * 9 + 7]], ..Openings::default() };
        let world = World::new(grid, is_wall).unwrap().with_openings(openings).unwrap();
        let of = |opening_weight, obstacle_weight| {
            let parameters = FieldParameters { opening_weight, obstacle_weight, ..FieldParameters::default() };
            let scores = static_scores(&world, &FieldTables::new(&parameters).unwrap());
            scores.chunks(8).nth(4 * 9 + 4).map(<[i32]>::to_vec)
        };
        assert_eq!(of(0.0, 0.0), None);
        // The exit is three space units to the east: 1/√3.
        assert_eq!(of(1.0, 0.0), Some(vec![37_837, 0, 0, 0, 0, 0, 0, 0]));
        // The wall is two space units to the west: a push of 1/√2 away from it, and its projections; products are
        // rounded down.
        let push = 46_341;
        let part = |value: i32| scaled(value, 46_341);
        let expected = [push, -part(-push), 0, -part(push), -push, -part(push), 0, -part(-push)];
        assert_eq!(of(0.0, 1.0), Some(expected.to_vec()));
        assert!((expected[1] - ONE / 2).abs() <= 1);
    }
}
