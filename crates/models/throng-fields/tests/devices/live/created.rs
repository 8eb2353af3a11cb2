//! Fields of entities that stay where they are: all executors agree, and plans name theirs.

use throng_fields::creation::{FixedPoint, Method, Options};
use throng_fields::{Entity, Grid, Profile};

use super::{all_fields, bits};

#[test]
fn created_fields_have_the_same_bits_everywhere() {
    let grid = Grid::new([-10.0, 5.0], 0.5, 150, 90).unwrap();
    let profile = Profile::gaussian(2.0, 8.0).unwrap();
    let place = |i: u32| [(i * 37 % 80) as f32 - 12.0, (i * 23 % 50) as f32 + 3.0];
    let entities: Vec<Entity> = (0..60).map(|i| Entity::new(place(i), profile.clone())).collect();
    let expected = FixedPoint::default().every_pair(&grid, &entities).unwrap();
    for opened in all_fields() {
        let (field, plan) = opened.create(&grid, &entities, &Options::default()).unwrap();
        assert_eq!(bits(field.values()), bits(expected.values()), "{plan}");
        assert_eq!((plan.method(), plan.is_on_device()), (Method::Tiles, opened.device().is_some()), "{plan}");
        let sentence = plan.to_string();
        // The CPU is not named without a device, and not needed with one.
        assert!(!sentence.contains(" on the CPU"), "{sentence}");
        if let Some(device) = opened.device() {
            assert!(sentence.starts_with(&format!("tiles on {}: ", device.label())), "{sentence}");
        }
        for method in [Method::Convolution, Method::Separable] {
            let options = Options { method: Some(method), ..Options::default() };
            let (field, plan) = opened.create(&grid, &entities, &options).unwrap();
            assert_eq!((plan.method(), plan.is_on_device()), (method, opened.device().is_some()), "{plan}");
            let off = field.values().iter().zip(expected.values()).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
            assert!(off > 0.0 && off <= plan.error_bound() + 60.0 * FixedPoint::default().step(), "{plan}: {off}");
        }
    }
}

#[test]
fn entities_that_cannot_be_added_up_are_refused_everywhere() {
    let grid = Grid::new([0.0, 0.0], 1.0, 20, 20).unwrap();
    let huge = Entity::new([9.0, 9.0], Profile::linear(5.0).unwrap()).with_charge(1e9);
    for opened in all_fields() {
        let error = opened.create(&grid, std::slice::from_ref(&huge), &Options::default()).unwrap_err();
        assert_eq!(error.place, "entities, sum of all charges", "{}", opened.executor());
    }
}
