//! Creation by convolution and in two passes: as on the CPU, up to roundings.

use proptest::prelude::*;
use throng_device::Device;
use throng_fields::creation::{self, convolution, separable};
use throng_fields::gpu::{DeviceConvolution, DeviceField, DeviceTwoPasses, GpuError};
use throng_fields::{Entity, Field, FieldError, Grid, Knot, Profile, Sample, Shape};

use super::devices;

/// A field of entities of a profile on a device.
type Creator = fn(&Device, &Grid, &Profile, &[Entity]) -> Result<Field, GpuError>;

fn by_convolution(device: &Device, grid: &Grid, profile: &Profile, entities: &[Entity]) -> Result<Field, GpuError> {
    {
        let convolution = DeviceConvolution::new(device, grid, profile)?;
        let field = DeviceField::new(device, grid)?;
        convolution.create(device, entities, &field)?;
        field.read(device)
    }
}

fn in_two_passes(device: &Device, grid: &Grid, profile: &Profile, entities: &[Entity]) -> Result<Field, GpuError> {
    {
        let passes = DeviceTwoPasses::new(device, grid, profile)?;
        let field = DeviceField::new(device, grid)?;
        passes.create(device, entities, &field)?;
        field.read(device)
    }
}

/// How far apart roundings may leave two executors: an eighth of what bounds allow for each, of all charges.
fn roundings(profile: &Profile, entities: &[Entity]) -> f32 {
    8.0 * f32::EPSILON * profile.largest() * entities.iter().map(|entity| entity.charge.abs()).sum::<f32>()
}

/// Compares fields of each device with those of the CPU, and with the exact ones.
fn check(grid: &Grid, profile: &Profile, entities: &[Entity]) {
    let exact = creation::by_tiles(grid, entities).unwrap();
    let [bell, any]: [(Creator, _, _); 2] = [
        (in_two_passes, creation::by_separable(grid, entities), separable::error_bound(grid, entities)),
        (by_convolution, creation::by_convolution(grid, entities), convolution::error_bound(grid, entities)),
    ];
    let is_bell = creation::by_separable(grid, &[Entity::new([0.0; 2], profile.clone())]).is_ok();
    for (create, on_cpu, bound) in [Some(any), is_bell.then_some(bell)].into_iter().flatten() {
        let (on_cpu, bound) = (on_cpu.unwrap(), bound.unwrap());
        for device in devices() {
            let found = create(device, grid, profile, entities).unwrap();
            let off = found.largest_difference(&exact).unwrap();
            assert!(off <= bound, "{}: off by {off}, at most {bound}: {grid:?} {profile:?}", device.info().label());
            let apart = found.largest_difference(&on_cpu).unwrap();
            let allowed = roundings(profile, entities);
            assert!(apart <= allowed, "{apart} from the CPU, {allowed} is allowed: {grid:?} {profile:?}");
        }
    }
}

/// Discs all over a grid and beyond, of any charges.
fn scattered(grid: &Grid, profile: &Profile, count: u32) -> Vec<Entity> {
    let [x, y] = grid.origin();
    let side = [grid.columns(), grid.rows()].map(|count| count as f32 * grid.cell());
    let reach = profile.reach();
    let at = |i: u32, factor: u32, side: f32| (i * factor % 997) as f32 / 997.0 * (side + 2.4 * reach) - 1.2 * reach;
    let place = |i| [x + f64::from(at(i, 367, side[0])), y + f64::from(at(i, 593, side[1]))];
    (0..count).map(|i| Entity::new(place(i), profile.clone()).with_charge((i % 9) as f32 - 2.5)).collect()
}

fn profiles(reach: f32) -> [Profile; 5] {
    let jump = Knot { distance: reach / 2.0, before: 1.5, after: -0.5 };
    let knots = [Knot::at(0.0, 2.0), jump, Knot::at(reach, 0.5)];
    [
        Profile::linear(reach).unwrap(),
        Profile::quadratic(reach).unwrap(),
        Profile::gaussian(reach / 2.5, reach).unwrap(),
        Profile::piecewise(&knots).unwrap(),
        Profile::table(reach, &[3.0, 1.0, 2.0, 0.5]).unwrap(),
    ]
}

#[test]
fn grids_of_all_forms_have_the_fields_of_the_cpu() {
    // Single cells, rows and columns; odd numbers; a reach below a cell, and far beyond the grid.
    for (columns, rows, cell, reach) in [
        (1, 1, 1.0, 0.4),
        (1, 1, 1.0, 7.0),
        (57, 1, 0.5, 6.0),
        (1, 57, 0.5, 6.0),
        (2, 3, 1.0, 1.5),
        (33, 70, 1.0, 9.0),
        (150, 77, 0.25, 4.5),
        (20, 13, 0.5, 40.0),
    ] {
        for sample in [Sample::Centre, Sample::Corner] {
            let grid = Grid::new([-8.0, 4.0], cell, columns, rows).unwrap().sampled_at(sample);
            for profile in profiles(reach) {
                check(&grid, &profile, &scattered(&grid, &profile, 40));
            }
        }
    }
}

#[test]
fn every_radix_is_used() {
    // Without surroundings, lines are as long as the grid: 2, 3, 4, 5, 8 and products, up to the longest ones.
    for (columns, rows) in
        [(2, 4), (3, 6), (4, 8), (5, 10), (8, 16), (9, 50), (16, 18), (25, 54), (135, 128), (4000, 6)]
    {
        let grid = Grid::new([0.0, 0.0], 1.0, columns, rows).unwrap().sampled_at(Sample::Corner);
        let profile = Profile::linear(0.9).unwrap();
        check(&grid, &profile, &scattered(&grid, &profile, 200));
    }
    // Columns that are too long for several to be transformed by a cube.
    let grid = Grid::new([0.0, 0.0], 1.0, 6, 7700).unwrap();
    let profile = Profile::gaussian(20.0, 90.0).unwrap();
    check(&grid, &profile, &scattered(&grid, &profile, 30));
}

#[test]
fn many_charges_on_the_same_points_are_added_up_in_order() {
    let grid = Grid::new([0.0, 0.0], 1.0, 40, 30).unwrap();
    let profile = Profile::gaussian(2.0, 7.0).unwrap();
    let place = |i: u32| [(i * 7 % 45) as f32 * 0.5 + 10.0, (i * 5 % 33) as f32 * 0.5 + 10.0];
    let mut entities: Vec<Entity> =
        (0..5000).map(|i| Entity::new(place(i), profile.clone()).with_charge(0.01 * (i % 13) as f32)).collect();
    check(&grid, &profile, &entities);
    // Repeated, everything is the same to the last bit.
    for device in devices() {
        for create in [by_convolution as Creator, in_two_passes] {
            let first = create(device, &grid, &profile, &entities).unwrap();
            assert_eq!(super::bits(&create(device, &grid, &profile, &entities).unwrap()), super::bits(&first));
        }
    }
    // Next to each other in every cell of some rows.
    entities = (0..800).map(|i| Entity::new([(i % 40) as f32 + 0.5, (i / 40) as f32 + 5.5], profile.clone())).collect();
    check(&grid, &profile, &entities);
}

#[test]
fn one_convolution_makes_many_fields() {
    let grid = Grid::new([0.0, 0.0], 1.0, 60, 45).unwrap();
    let profile = Profile::gaussian(4.0, 10.0).unwrap();
    for device in devices() {
        let convolution = DeviceConvolution::new(device, &grid, &profile).unwrap();
        let passes = DeviceTwoPasses::new(device, &grid, &profile).unwrap();
        let field = DeviceField::new(device, &grid).unwrap();
        for count in [30, 0, 200, 1] {
            // The next field has nothing of the last one.
            let entities = scattered(&grid, &profile, count);
            convolution.create(device, &entities, &field).unwrap();
            let found = field.read(device).unwrap();
            let expected = creation::by_convolution(&grid, &entities).unwrap();
            assert!(found.largest_difference(&expected).unwrap() <= roundings(&profile, &entities));
            passes.create(device, &entities, &field).unwrap();
            let found = field.read(device).unwrap();
            let expected = creation::by_separable(&grid, &entities).unwrap();
            assert!(found.largest_difference(&expected).unwrap() <= roundings(&profile, &entities));
        }
        // Out of reach.
        let far = [Entity::new([500.0, 20.0], profile.clone())];
        passes.create(device, &far, &field).unwrap();
        assert!(field.read(device).unwrap().values().iter().all(|&value| value == 0.0));
        convolution.create(device, &far, &field).unwrap();
        assert!(field.read(device).unwrap().values().iter().all(|&value| value == 0.0));
    }
}

#[test]
fn what_the_cpu_refuses_devices_refuse() {
    let grid = Grid::new([0.0, 0.0], 1.0, 8, 8).unwrap();
    let bell = Profile::gaussian(1.0, 3.0).unwrap();
    let disc = || Entity::new([1.0, 2.0], bell.clone());
    let error = |create: Creator, device, profile: &Profile, entities: &[Entity]| -> FieldError {
        match create(device, &grid, profile, entities) {
            Err(GpuError::Field(error)) => error,
            other => panic!("{other:?}"),
        }
    };
    for device in devices() {
        for bad in [
            disc().with_charge(f32::NAN),
            disc().with_shape(Shape::Capsule { length: 2.0 }),
            Entity { profile: Profile::quadratic(3.0).unwrap(), ..disc() },
        ] {
            let entities = [disc(), bad];
            let expected = creation::by_convolution(&grid, &entities).unwrap_err();
            assert_eq!(error(by_convolution, device, &bell, &entities), expected);
            let expected = creation::by_separable(&grid, &entities).unwrap_err();
            assert_eq!(error(in_two_passes, device, &bell, &entities), expected);
        }
        let linear = Profile::linear(3.0).unwrap();
        let entities = [Entity::new([1.0, 2.0], linear.clone())];
        let expected = creation::by_separable(&grid, &entities).unwrap_err();
        assert_eq!(error(in_two_passes, device, &linear, &entities), expected);
        for create in [by_convolution as Creator, in_two_passes] {
            let other = error(create, device, &bell, &[Entity::new([1.0, 2.0], Profile::gaussian(2.0, 3.0).unwrap())]);
            assert_eq!(other.place, "entity 0, profile");
            let wide = Profile::gaussian(1e6, 1e7).unwrap();
            let entities = [Entity::new([1.0, 2.0], wide.clone())];
            let expected = creation::by_convolution(&grid, &entities).unwrap_err();
            assert_eq!(error(create, device, &wide, &entities), expected);
        }
        let elsewhere = Grid::new([0.0, 0.0], 1.0, 8, 9).unwrap();
        let field = DeviceField::new(device, &elsewhere).unwrap();
        let convolution = DeviceConvolution::new(device, &grid, &bell).unwrap();
        let Err(GpuError::Field(error)) = convolution.create(device, &[disc()], &field) else { panic!() };
        assert_eq!(error.place, "field");
        // Just as many points as fit into shared memory, and a column more.
        let longest = (device.shared_bytes() / 8) as u32;
        let grid = Grid::new([0.0, 0.0], 1.0, longest + 1, 2).unwrap();
        let Err(GpuError::Field(error)) = DeviceConvolution::new(device, &grid, &Profile::linear(0.5).unwrap()) else {
            panic!()
        };
        assert_eq!(error.place, "convolution, points of a row");
        assert!(error.remedy.contains("creation::by_convolution"), "{error}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: throng_testing::cases(5), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn errors_are_within_their_bounds(
        (columns, rows) in (1u32..70, 1u32..70),
        kind in 0usize..5,
        reach in 0.3f32..25.0,
        charges in prop::collection::vec(([-40.0f32..110.0, -40.0f32..110.0], -4.0f32..4.0), 0..60),
        rounded in any::<bool>(),
    ) {
        let grid = Grid::new([-8.0, 4.0], 1.0, columns, rows).unwrap().sampled_at(Sample::Corner);
        let profile = profiles(reach)[kind].clone();
        // On sampled points, there are but roundings.
        let place = |[x, y]: [f32; 2]| if rounded { [x.round(), y.round()] } else { [x, y] };
        let disc = |&(at, charge): &([f32; 2], f32)| Entity::new(place(at), profile.clone()).with_charge(charge);
        let entities: Vec<Entity> = charges.iter().map(disc).collect();
        check(&grid, &profile, &entities);
    }
}
