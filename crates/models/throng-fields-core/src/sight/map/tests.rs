use std::f32::consts::PI;

use throng_core::Philox;

use super::*;

fn grid(columns: u32, rows: u32) -> Grid {
    Grid::new([-3.0, 2.0], 0.5, columns, rows).unwrap()
}

/// A viewer at the centre of a cell.
fn at(grid: &Grid, (column, row): (u32, u32), range: f32) -> Viewer {
    Viewer::new(grid.point(column, row), range)
}

#[test]
fn the_shadow_of_a_wall_has_the_cells_computed_by_hand() {
    // The viewer is in column 0, row 4. The wall in column 2, rows 4 and 5, hides the slopes between -0.5 / 1.5 and
    // 1.5 / 1.5, without these two: 0 to 2 rows up in column 3, 1 down to 3 up in column 4, and so on.
    let expected = [
        ".....--", //
        "....---", "...----", "..#----", "..#----", "....---", ".......", ".......", ".......",
    ];
    let grid = grid(7, 9);
    let open = Mask::new(&grid, |column, row| !(column == 2 && (4..=5).contains(&row)));
    let field = every_pair(&grid, &Sight::default(), Some(&open), &[at(&grid, (0, 4), 100.0)]).unwrap();
    for (row, text) in (0..9).rev().zip(expected) {
        let seen = |column: u32| if field.at(column, row) == Some(1.0) { '.' } else { '-' };
        assert_eq!((0..7).map(seen).collect::<String>(), text.replace('#', "-"), "row {row}");
    }
}

#[test]
fn amounts_are_strengths_times_profiles_within_the_range() {
    let grid = grid(30, 1);
    let viewers = [at(&grid, (10, 0), 4.0).with_strength(2.5), at(&grid, (14, 0), 1.0).with_strength(-0.5)];
    let values = |sight: &Sight| every_pair(&grid, sight, None, &viewers).unwrap().into_values();
    // Eight cells on either side, and two.
    let expected = |column: u32| {
        let of = |from: u32, range: u32, strength: f32| if column.abs_diff(from) <= range { strength } else { 0.0 };
        of(10, 8, 2.5) + of(14, 2, -0.5)
    };
    assert_eq!(values(&Sight::default()), (0..30).map(expected).collect::<Vec<_>>());
    // Falling to 0 over three units, that is six cells, and in steps of a quarter.
    let profile = Some(Profile::linear(3.0).unwrap());
    let falling = values(&Sight { profile, steps: FixedPoint::new(2).unwrap() });
    // 2.5 * (1, 5/6, 4/6, 3/6, 2/6, 1/6, 0) = 2.5, 2.08, 1.67, 1.25, 0.83, 0.42, 0, rounded to quarters.
    assert_eq!(falling[4..=10], [0.0, 0.5, 0.75, 1.25, 1.75, 2.0, 2.5]);
    // -0.5 * (1, 5/6, 4/6) = -0.5, -0.42, -0.33.
    assert_eq!(falling[14..=17], [0.75 - 0.5, 0.5 - 0.5, -0.25, 0.0]);
}

#[test]
fn viewers_in_walls_and_outside_the_grid_see_nothing() {
    let grid = grid(9, 9);
    let open = Mask::new(&grid, |column, row| (column, row) != (4, 4));
    let mut map = SightMap::new(grid, Sight::default(), Some(open)).unwrap();
    let outside = Viewer::new([-3.1, 3.0], 100.0);
    map.follow(&[at(&grid, (4, 4), 100.0), outside]).unwrap();
    assert!(map.field().values().iter().all(|&value| value == 0.0));
    // Until the wall vanishes.
    assert!(map.set_open(&Mask::new(&grid, |_, _| true)).unwrap());
    assert!(map.field().values().iter().all(|&value| value == 1.0));
}

/// Some viewers of all kinds, and two moments in the life of each.
fn viewers(grid: &Grid, number: u32, time: u32) -> Vec<Viewer> {
    let draws = Philox::new(11);
    let viewer = |viewer: u32| {
        // Every third viewer rests.
        let time = if viewer.is_multiple_of(3) { 0 } else { time };
        let unit = |index: u32| draws.unit(viewer, time, 1, index);
        let constant = |index: u32| draws.unit(viewer, 0, 2, index) as f32;
        let along = |axis: usize, count: u32, unit: f64| {
            grid.origin()[axis] + (1.1 * unit - 0.05) * f64::from(count) * f64::from(grid.cell())
        };
        let position = [along(0, grid.columns(), unit(0)), along(1, grid.rows(), unit(1))];
        let viewer = Viewer::new(position, 0.3 + 12.0 * constant(0)).with_strength(4.0 * constant(1) - 2.0);
        if constant(2) < 0.5 { viewer } else { viewer.looking(9.0 * unit(2) as f32, 0.01 + 6.2 * constant(3)) }
    };
    (0..number).map(viewer).collect()
}

fn walls(grid: &Grid, time: u32) -> Mask {
    let draws = Philox::new(12);
    // A tenth of the cells; some of them change.
    Mask::new(grid, |column, row| {
        let time = if (column / 8 + row / 8).is_multiple_of(3) { time } else { 0 };
        draws.below(100, column, row, time, 0) >= 10
    })
}

#[test]
fn maps_that_follow_viewers_and_walls_equal_every_pair() {
    let grid = grid(50, 41);
    for profile in [None, Some(Profile::gaussian(2.0, 5.0).unwrap())] {
        let sight = Sight { profile, ..Sight::default() };
        for threads in [1, 2, 3] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let (mut map, mut open) =
                (SightMap::new(grid, sight.clone(), Some(walls(&grid, 0))).unwrap(), walls(&grid, 0));
            for (time, number) in [(0, 12), (1, 12), (2, 12), (2, 20), (3, 5), (3, 0)] {
                let now = viewers(&grid, number, time);
                let mut shuffled = now.clone();
                shuffled.rotate_left(number as usize / 2);
                pool.install(|| map.follow(&shuffled)).unwrap();
                let expected = every_pair(&grid, &sight, Some(&open), &now).unwrap();
                assert_eq!(map.field(), expected, "{time} {number} {threads}");
                assert!(number == 0 || expected.values().iter().any(|&value| value != 0.0));
                assert!(!map.follow(&now).unwrap(), "nothing has moved");
                open = walls(&grid, time + 1);
                pool.install(|| map.set_open(&open)).unwrap();
                assert_eq!(map.field(), every_pair(&grid, &sight, Some(&open), &now).unwrap());
                assert!(!map.set_open(&open).unwrap(), "no wall has changed");
            }
        }
    }
}

#[test]
fn a_wall_beside_the_field_of_view_can_hide_cells_within_it() {
    // The centre of the wall is outside, but the edge of the field of view passes through it.
    let grid = grid(20, 20);
    let viewer = at(&grid, (0, 0), 100.0).looking(0.0, 2.0 * libm::atanf(0.26));
    let mut map = SightMap::new(grid, Sight::default(), None).unwrap();
    map.follow(&[viewer]).unwrap();
    assert_eq!(map.field().at(8, 2), Some(1.0));
    let open = Mask::new(&grid, |column, row| (column, row) != (2, 1));
    assert!(map.set_open(&open).unwrap());
    assert_eq!(map.field().at(8, 2), Some(0.0));
    assert_eq!(map.field(), every_pair(&grid, &Sight::default(), Some(&open), &[viewer]).unwrap());
}

#[test]
fn invalid_maps_and_viewers_are_refused_and_leave_the_map_unchanged() {
    let grid = grid(4, 4);
    let small = Mask::new(&super::tests::grid(3, 4), |_, _| true);
    assert_eq!(SightMap::new(grid, Sight::default(), Some(small.clone())).unwrap_err().place(), "mask, size");
    let mut map = SightMap::new(grid, Sight::default(), None).unwrap();
    let good = at(&grid, (1, 1), 9.0).looking(0.0, 2.0 * PI);
    map.follow(&[good]).unwrap();
    assert_eq!(map.set_open(&small).unwrap_err().place(), "mask, size");
    let place = |viewers: &[Viewer], map: &mut SightMap| map.follow(viewers).unwrap_err().place().to_owned();
    assert_eq!(place(&[good, Viewer { range: -1.0, ..good }], &mut map), "viewer 1, range");
    // With steps of 2^-16, sums may be up to 32,767.
    let large = good.with_strength(20_000.0);
    assert_eq!(place(&[large, large.with_strength(-20_000.0)], &mut map), "viewers, sum of all strengths");
    assert!(map.field().values().iter().all(|&value| value == 1.0));
    map.follow(&[large]).unwrap();
    assert!(map.field().values().iter().all(|&value| value == 20_000.0));
}
