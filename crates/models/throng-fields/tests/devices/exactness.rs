//! Large shapes and distant positions, in fixed point: exact on the CPU, and bit-identical on devices.
use throng_device::Error;
use throng_fields::creation::{self, FixedPoint};
use throng_fields::gpu::DeviceEntities;
use throng_fields::{Entity, Grid, Profile, Shape};

use super::creation::on_devices;
use super::{bits, devices};

#[test]
fn rings_of_any_size_agree_in_fixed_point() {
    let grid = Grid::new([400_000.0, -5_800_000.0], 0.5, 90, 70).unwrap();
    let [x, y] = grid.point(40, 30);
    let ring = |from: [f64; 2], radius: f32, band: f32| {
        let profile = Profile::quadratic(band).unwrap();
        Entity::new([x + from[0], y + from[1]], profile).with_shape(Shape::Ring { radius })
    };
    let diagonal = f64::from(0.5f32).sqrt();
    let rings = [
        ring([0.1, 0.2], 11.0, 0.01),
        ring([1000.3, 0.0], 1000.0, 0.5),
        ring([-100_000.0 * diagonal, 100_000.0 * diagonal], 100_000.0, 0.4),
        ring([0.0, -2e6], 2e6, 9.0),
        ring([3.0, 2.0], 5.0, 1e5),
        ring([1e8, 0.0], 1e8, 1e4),
    ];
    let fixed_point = FixedPoint::default();
    for ring in rings {
        let entities = [ring];
        let expected = fixed_point.every_pair(&grid, &entities).unwrap();
        assert!(expected.values().iter().any(|&value| value > 0.4), "{entities:?}");
        for field in on_devices(&grid, &entities, Some(fixed_point)) {
            assert_eq!(bits(&field), bits(&expected), "{entities:?}");
        }
    }
}

#[test]
fn fixed_point_has_double_precision_between_cells() {
    // This far from the corner of the grid, adjacent single-precision numbers are 1/256 of a cell apart.
    let grid = Grid::new([0.0, 0.0], 0.25, 60_000, 24).unwrap();
    let shapes = [
        Shape::Disc,
        Shape::Ring { radius: 1.5 },
        Shape::Capsule { length: 3.0 },
        Shape::Box { half: [1.0, 0.5] },
        Shape::Cone { half_angle: 1.0 },
    ];
    let entities: Vec<Entity> = shapes
        .into_iter()
        .zip([14_000.0, 14_010.0, 14_020.0, 14_030.0, 14_040.0])
        .map(|(shape, x)| Entity::new([x + 0.123_456, 3.1], Profile::linear(2.0).unwrap()).with_shape(shape))
        .collect();
    let fixed_point = FixedPoint::default();
    let expected = fixed_point.by_tiles(&grid, &entities).unwrap();
    // Distances are in units of at most 1/16,384 of the reach, so the error of a value is at most 1/8192.
    for column in 55_990..56_200 {
        for row in 0..24 {
            let at = grid.point(column, row);
            let exact: f32 = entities.iter().map(|entity| entity.charge_at(at)).sum();
            let found = expected.at(column, row).unwrap();
            assert!((found - exact).abs() < 1.0 / 8192.0, "{column} {row}: {found} {exact}");
        }
    }
    for field in on_devices(&grid, &entities, Some(fixed_point)) {
        assert_eq!(bits(&field), bits(&expected));
    }
}

#[test]
fn polygons_agree_up_to_the_size_limit_and_larger_ones_are_refused() {
    let grid = Grid::new([0.0, 0.0], 1.0, 64, 48).unwrap();
    let polygon = |far: f32, reach: f32| {
        let corners = vec![[0.0, 0.0], [far, 0.3 * far], [-0.2 * far, far]];
        Entity::new([31.3, 20.1], Profile::linear(reach).unwrap())
            .with_shape(Shape::Polygon { corners })
            .with_heading(0.3)
    };
    let fixed_point = FixedPoint::default();
    for (far, reach) in [(1000.0, 3.0), (180_000.0, 3.0), (4e7, 3.0), (3e8, 5e3), (1e11, 2e6)] {
        let entities = [polygon(far, reach)];
        let expected = fixed_point.every_pair(&grid, &entities).unwrap();
        assert_eq!(fixed_point.by_tiles(&grid, &entities).unwrap(), expected);
        for field in on_devices(&grid, &entities, Some(fixed_point)) {
            assert_eq!(bits(&field), bits(&expected), "{far}");
        }
    }
    let entities = [polygon(3e8, 3.0)];
    let expected = creation::by_tiles(&grid, &entities).unwrap_err();
    assert_eq!(expected.place(), "entity 0, polygon, farthest point");
    for device in devices() {
        let refused = DeviceEntities::new(device, &grid, &entities, None).map(drop);
        assert_eq!(refused, Err(Error::Input(expected.clone())));
    }
}
