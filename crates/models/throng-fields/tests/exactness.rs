//! Fields compared with formulas in double precision, far from the origin, with narrow bands and large shapes; and
//! symmetries.

use proptest::prelude::*;
use throng_fields::creation::{self, FixedPoint};
use throng_fields::{Entity, Field, Grid, Profile, Shape, Stamp};

use crate::random::{entities, grids};

/// A profile, with a formula for the test.
#[derive(Debug, Clone, Copy)]
enum Falls {
    Linear,
    Quadratic,
    /// The number of standard deviations in the reach.
    Gaussian(f32),
}

impl Falls {
    fn profile(self, reach: f32) -> Profile {
        match self {
            Self::Linear => Profile::linear(reach),
            Self::Quadratic => Profile::quadratic(reach),
            Self::Gaussian(sigmas) => Profile::gaussian(reach / sigmas, reach),
        }
        .unwrap()
    }

    /// The value at a fraction of the reach.
    fn value(self, fraction: f64) -> f64 {
        if fraction >= 1.0 {
            return 0.0;
        }
        match self {
            Self::Linear => 1.0 - fraction,
            Self::Quadratic => 1.0 - fraction * fraction,
            Self::Gaussian(sigmas) => {
                let x = fraction * f64::from(sigmas);
                libm::exp(-0.5 * x * x)
            }
        }
    }

    /// The steepest slope, per reach.
    fn steepest(self) -> f64 {
        match self {
            Self::Linear => 1.0,
            Self::Quadratic => 2.0,
            Self::Gaussian(sigmas) => 0.607 * f64::from(sigmas),
        }
    }
}

/// The distance from a shape in double precision; infinite where the value is zero.
fn distance(shape: &Shape, [x, y]: [f64; 2]) -> f64 {
    match shape {
        Shape::Disc => libm::hypot(x, y),
        Shape::Ring { radius } => (libm::hypot(x, y) - f64::from(*radius)).abs(),
        Shape::Capsule { length } => libm::hypot(x - x.clamp(0.0, f64::from(*length)), y),
        Shape::Box { half } => {
            let [a, b] = half.map(f64::from);
            libm::hypot((x.abs() - a).max(0.0), (y.abs() - b).max(0.0))
        }
        Shape::Cone { half_angle } => {
            let inside = libm::atan2(y.abs(), x) <= f64::from(*half_angle);
            if inside { libm::hypot(x, y) } else { f64::INFINITY }
        }
        other => panic!("no formula for {other:?}"),
    }
}

/// An entity that reaches at least one cell of a grid of 40 x 30 cells.
#[derive(Debug, Clone)]
struct Case {
    entity: Entity,
    falls: Falls,
    grid: Grid,
    /// Size of the shape, in reaches.
    size: f64,
    sin_cos: [f64; 2],
}

fn cases() -> impl Strategy<Value = Case> {
    let origins = prop_oneof![Just([0.0, 0.0]), Just([10_000.0, -10_000.0]), Just([500_000.0, 5_800_000.0])];
    let falls = prop_oneof![
        Just(Falls::Linear),
        Just(Falls::Quadratic),
        Just(Falls::Gaussian(3.0)),
        Just(Falls::Gaussian(900.0))
    ];
    let cells = prop_oneof![Just(0.25f32), Just(1.0), Just(0.3)];
    // A point on the shape, in cells; the reach in cells and the size in reaches, both as exponents of 2; and a
    // position along the shape.
    let place = ([2.0f64..38.0, 2.0f64..28.0], -3.0f64..4.5, -2.0f64..14.0, 0.0f64..1.0);
    // A quarter turn, or any angle.
    let heading =
        prop_oneof![(0u32..4).prop_map(|quarter| (Some(quarter), 0.0)), (-4.0f32..4.0).prop_map(|at| (None, at))];
    let kind = 0u32..5;
    (origins, falls, cells, place, heading, kind).prop_map(
        |(origin, falls, cell, (at, reach, size, along), (quarter, heading), kind)| {
            let grid = Grid::new(origin, cell, 40, 30).unwrap();
            // Large rings with narrow bells are refused, because the bell's effect is too short-ranged for them.
            let falls = if kind == 1 && matches!(falls, Falls::Gaussian(_)) { Falls::Gaussian(3.0) } else { falls };
            let reach = libm::exp2(reach) as f32 * cell;
            let size = libm::exp2(size) as f32 * reach;
            let (heading, [sin, cos]) = match quarter {
                Some(quarter) => {
                    let sin_cos = [[0.0, 1.0], [1.0, 0.0], [0.0, -1.0], [-1.0, 0.0]][quarter as usize];
                    ((90.0 * quarter as f32).to_radians(), sin_cos)
                }
                None => (heading, [libm::sin(heading.into()), libm::cos(heading.into())]),
            };
            // A point on the shape, in the shape's coordinates.
            let far = f64::from(size);
            let (shape, [x, y]) = match kind {
                0 => (Shape::Disc, [0.0, 0.0]),
                1 => (Shape::Ring { radius: 8.0 * size }, [8.0 * far * libm::cos(along), 8.0 * far * libm::sin(along)]),
                2 => (Shape::Capsule { length: size }, [far * along, 0.0]),
                3 => (Shape::Box { half: [size, size / 2.0] }, [far, far * along / 2.0]),
                _ => (Shape::Cone { half_angle: 0.2 + 2.5 * along as f32 }, [0.0, 0.0]),
            };
            let on_grid = [0, 1].map(|axis| origin[axis] + at[axis] * f64::from(cell));
            let position = [on_grid[0] - (cos * x - sin * y), on_grid[1] - (sin * x + cos * y)];
            let entity = Entity::new(position, falls.profile(reach)).with_shape(shape).with_heading(heading);
            let size =
                if matches!(kind, 0 | 4) { 1.0 } else { far * if kind == 1 { 8.0 } else { 1.2 } / f64::from(reach) };
            Case { entity, falls, grid, size, sin_cos: [sin, cos] }
        },
    )
}

/// The largest error of a field, as a multiple of the allowed one. `rounding` is the rounding error of distances, in
/// reaches.
fn worst(case: &Case, field: &Field, rounding: f64) -> f64 {
    let Case { entity, falls, grid, sin_cos: [sin, cos], .. } = case;
    let allowed = falls.steepest() * rounding + 2.0 / 65_536.0;
    let reach = f64::from(entity.profile.reach());
    let mut worst = 0.0f64;
    for (column, row) in (0..30).flat_map(|row| (0..40).map(move |column| (column, row))) {
        let at = grid.point(column, row);
        let [x, y] = [0, 1].map(|axis| at[axis] - entity.position[axis]);
        let own = [cos * x + sin * y, cos * y - sin * x];
        if let Shape::Cone { half_angle } = entity.shape
            && (libm::atan2(own[1].abs(), own[0]) - f64::from(half_angle)).abs() < 1e-5
        {
            continue;
        }
        let fraction = distance(&entity.shape, own) / reach;
        // A Gaussian profile is discontinuous at its reach.
        if (fraction - 1.0).abs() > rounding {
            let found = f64::from(field.at(column, row).unwrap());
            worst = worst.max((found - falls.value(fraction)).abs() / allowed);
        }
    }
    worst
}

proptest! {
    #![proptest_config(ProptestConfig { cases: throng_testing::cases(75), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn fields_match_the_formulas(case in cases()) {
        let entities = std::slice::from_ref(&case.entity);
        // Single precision has 24 bits; several operations are rounded, and a ring in fixed point is exact.
        let shape_error = case.size / f64::from(1 << 21);
        let in_floats = creation::by_tiles(&case.grid, entities).unwrap();
        // The rounding error of a position on such a grid, 2^-18 cells, in reaches.
        let position_error = f64::from(case.grid.cell()) / f64::from(case.entity.profile.reach()) / f64::from(1 << 18);
        let off = worst(&case, &in_floats, shape_error + position_error + 1e-6);
        prop_assert!(off <= 1.0, "in floating point {off}");
        let in_steps = FixedPoint::default().by_tiles(&case.grid, entities).unwrap();
        let unit = match (&case.entity.shape, case.falls) {
            (Shape::Ring { .. }, _) => 2.5 / 4096.0,
            (_, Falls::Gaussian(sigmas)) => shape_error + 14.0 / f64::from(sigmas).max(14.0) / 16_384.0,
            _ => shape_error + 1.0 / 16_384.0,
        };
        let off = worst(&case, &in_steps, unit);
        prop_assert!(off <= 1.0, "in fixed point {off}");
        prop_assert_eq!(in_steps, FixedPoint::default().every_pair(&case.grid, entities).unwrap());
    }

    #[test]
    fn fields_do_not_depend_on_the_origin_of_the_grid(
        grid in grids(), entities in entities(), shift in prop::sample::select(vec![[10_000.0, 7.0], [500_000.0, 5_800_000.0]]),
    ) {
        // Values that stay exact under the shift.
        let round = |at: f64| (at * 1024.0).round() / 1024.0;
        let field = |[x, y]: [f64; 2]| {
            let [left, top] = grid.origin().map(round);
            let grid_there = Grid::new([left + x, top + y], grid.cell(), grid.columns(), grid.rows()).unwrap();
            let moved = |entity: &Entity| {
                let [ex, ey] = entity.position.map(round);
                Entity { position: [ex + x, ey + y], ..entity.clone() }
            };
            let moved: Vec<Entity> = entities.iter().map(moved).collect();
            let grid_there = grid_there.sampled_at(grid.sample());
            let both = [creation::by_tiles(&grid_there, &moved), FixedPoint::default().by_tiles(&grid_there, &moved)];
            both.map(|field| field.unwrap().into_values())
        };
        prop_assert_eq!(field([0.0, 0.0]), field(shift));
    }
}

#[test]
fn discs_far_from_the_origin_have_exact_values() {
    let grid = Grid::new([10_000.0, 10_000.0], 0.25, 40, 40).unwrap();
    let position = [10_005.012_3, 10_004.987_6];
    let disc = Entity::new(position, Profile::linear(2.0).unwrap());
    let field = FixedPoint::default().by_tiles(&grid, &[disc]).unwrap();
    for (column, row) in (0..40).flat_map(|row| (0..40).map(move |column| (column, row))) {
        let [x, y] = [(column, 0), (row, 1)].map(|(i, axis)| 10_000.125 + f64::from(i) * 0.25 - position[axis]);
        let exact = (1.0 - libm::hypot(x, y) / 2.0).max(0.0);
        let off = (f64::from(field.at(column, row).unwrap()) - exact).abs() * 65_536.0;
        // A unit of distance is 4 steps here.
        assert!(off <= 5.0, "{column} {row}: {off} steps");
    }
}

/// A grid of 41 x 41 cells around 0, and the shapes that have a heading.
fn around() -> (Grid, Vec<Shape>) {
    let cone = |degrees: f32| Shape::Cone { half_angle: degrees.to_radians() };
    let mut shapes: Vec<Shape> = [15.0, 30.0, 45.0, 60.0, 90.0, 135.0, 150.0].map(cone).into();
    shapes.extend([
        Shape::Capsule { length: 7.0 },
        Shape::Box { half: [5.0, 2.0] },
        Shape::Polygon { corners: vec![[0.0, 0.0], [8.0, 1.0], [2.0, 5.5]] },
        Shape::Stamp(Stamp::new(3, 2, 1.5, &[1.0, -2.0, 0.5, 3.0, 0.25, 1.0]).unwrap()),
    ]);
    (Grid::new([-20.5, -20.5], 1.0, 41, 41).unwrap(), shapes)
}

#[test]
fn cones_cover_equally_many_cells_in_every_direction() {
    let (grid, _) = around();
    // Counts the points with whole coordinates in a right angle that opens along x, including its sides.
    let points = (-20i32..=20).flat_map(|y| (-20i32..=20).map(move |x| (x, y)));
    let expected = points.filter(|(x, y)| *x >= y.abs() && x * x + y * y < 400).count();
    for degrees in (0..16u16).map(|i| f32::from(i) * 90.0 - 720.0) {
        let cone = Shape::Cone { half_angle: 45.0f32.to_radians() };
        let cone =
            Entity::new([0.0, 0.0], Profile::linear(20.0).unwrap()).with_shape(cone).with_heading(degrees.to_radians());
        for field in [
            creation::by_tiles(&grid, std::slice::from_ref(&cone)).unwrap(),
            FixedPoint::default().by_tiles(&grid, std::slice::from_ref(&cone)).unwrap(),
        ] {
            assert_eq!(field.values().iter().filter(|&&value| value > 0.0).count(), expected, "{degrees}");
        }
    }
}

#[test]
fn quarter_turns_of_an_entity_rotate_its_field() {
    let (grid, shapes) = around();
    for shape in shapes {
        let field = |[x, y]: [f64; 2], degrees: f32| {
            let entity = Entity::new([x, y], Profile::linear(9.0).unwrap());
            let entity = entity.with_shape(shape.clone()).with_heading(degrees.to_radians());
            FixedPoint::default().by_tiles(&grid, &[entity]).unwrap()
        };
        for [x, y] in [[0.0, 0.0], [1.25, -3.5], [-2.0, 6.125]] {
            let quarters = [([x, y], 0.0), ([-y, x], 90.0), ([-x, -y], 180.0), ([y, -x], 270.0)];
            let fields = quarters.map(|(at, degrees)| field(at, degrees));
            for (column, row) in (0..41).flat_map(|row| (0..41).map(move |column| (column, row))) {
                let turned = [(column, row), (40 - row, column), (40 - column, 40 - row), (row, 40 - column)];
                for (i, (column, row)) in turned.into_iter().enumerate() {
                    assert_eq!(fields[i].at(column, row), fields[0].at(turned[0].0, turned[0].1), "{shape:?} {i}");
                }
            }
        }
    }
}
