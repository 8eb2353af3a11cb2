//! Refused calls: errors contain the argument, its value and a remedy, and nothing is changed.

use throng_fields::{
    DeviceChoice, Discs, DynamicField, Entity, EntityId, Error, Executor, Grid, InputErrorKind, Profile, Window,
};

use super::{check_answers, executors, input_error};

fn three(on: &Executor) -> (DynamicField, Vec<EntityId>) {
    let grid = Grid::new([0.0, 0.0], 1.0, 64, 64).unwrap();
    let discs = Discs::new(&[[8.5, 8.5], [30.5, 8.5], [8.5, 40.5]], Profile::quadratic(6.0).unwrap()).unwrap();
    let fields = DynamicField::builder(grid).entities(discs).on(on).build().unwrap();
    let ids = fields.ids();
    (fields, ids)
}

fn parts<T: std::fmt::Debug, E: Into<Error> + std::fmt::Debug>(result: Result<T, E>) -> (String, String, String) {
    let error = input_error(result.unwrap_err().into());
    assert_eq!(error.kind(), InputErrorKind::Invalid);
    (error.place().to_owned(), error.message().to_owned(), error.remedy().to_owned())
}

#[test]
fn ids_of_despawned_entities_are_refused() {
    for on in executors() {
        let (mut fields, ids) = three(&on);
        fields.despawn(ids[1]).unwrap();
        let error = parts(fields.move_to(ids[1], [0.0, 0.0]));
        assert_eq!((error.0.as_str(), error.1.as_str()), ("move_to, entity", "1"));
        assert!(error.2.contains("it was despawned") && error.2.contains("`ids`"), "{error:?}");
        assert_eq!(parts(fields.despawn(ids[1])).0, "despawn, entity");
        assert_eq!(parts(fields.despawn_many(&ids)).0, "despawn_many, entity 1 of the list");
        let to = [[1.0, 1.0]; 3];
        assert_eq!(parts(fields.move_many(&ids, &to)).0, "move_many, entity 1 of the list");
        assert_eq!(parts(fields.replace(ids[1], fields.entity(ids[0]).unwrap().clone())).0, "entity");
        assert_eq!(fields.entity(ids[1]), None);
        // Another entity in the same slot gets another id.
        let new = fields.spawn(Entity::new([9.0, 9.0], Profile::linear(2.0).unwrap())).unwrap();
        assert!(new != ids[1] && fields.move_to(ids[1], [0.0, 0.0]).is_err());
        fields.update().unwrap();
        assert_eq!((fields.len(), fields.ids().len()), (3, 3));
        check_answers(&fields, &on.label());
    }
}

#[test]
fn invalid_values_are_refused_with_their_index() {
    for on in executors() {
        let (mut fields, ids) = three(&on);
        let nan = f64::NAN;
        let error = parts(fields.move_many(&ids, &[[1.0, 1.0], [2.0, nan], [3.0, 3.0]]));
        assert_eq!((error.0.as_str(), error.1.as_str()), ("move_many, position 1 of the list, y", "NaN"));
        assert_eq!(parts(fields.move_many(&ids, &[[1.0, 1.0]])).0, "move_many, number of positions");
        assert_eq!(parts(fields.move_to(ids[0], [f32::INFINITY, 0.0])).0, "move_to, position x");
        assert_eq!(parts(fields.sample(&[[1.0, 1.0], [nan, 1.0]])).0, "point 1, x");
        assert_eq!(parts(fields.gradients(&[[1.0, f64::INFINITY]])).0, "point 0, y");
        let disc = |charge| Entity::new([1.0, 1.0], Profile::linear(2.0).unwrap()).with_charge(charge);
        assert_eq!(parts(fields.spawn(disc(f32::NAN))).0, "spawned entity, charge");
        assert_eq!(parts(fields.spawn_many([disc(1.0), disc(f32::NAN)])).0, "spawned entity 1, charge");
        let error = parts(fields.spawn_many([disc(1.0), disc(40_000.0)]));
        assert_eq!(error.0, "spawned entity 1, entities, sum of all charges");
        assert!(error.2.contains("use at most"), "{error:?}");
        assert_eq!(fields.len(), 3);
        fields.update().unwrap();
        check_answers(&fields, &on.label());
    }
}

#[test]
fn invalid_discs_are_refused_and_empty_queries_have_empty_answers() {
    let profile = Profile::linear(2.0).unwrap();
    assert_eq!(parts(Discs::new(&[[1.0, 2.0], [1.0, f32::NAN]], profile.clone())).0, "disc 1, position y");
    let discs = Discs::new(&[[1.0, 2.0]], profile.clone()).unwrap();
    assert_eq!(parts(discs.clone().with_charges(&[1.0, 2.0])).0, "discs, number of charges");
    let grid = Grid::new([0.0, 0.0], 1.0, 8, 8).unwrap();
    for on in executors() {
        let error =
            parts(DynamicField::builder(grid).entities(discs.clone().with_charge(f32::INFINITY)).on(&on).build());
        assert_eq!(error.0, "entity 0, charge");
        let fields = DynamicField::builder(grid).entities(discs.clone()).on(&on).build().unwrap();
        assert!(fields.best_in(&[], 3).unwrap().is_empty());
        assert_eq!(fields.best_in(&[Window::new(9..20, 0..8)], usize::MAX).unwrap(), [vec![]]);
        assert_eq!(fields.best_in(&[Window::new(0..3, 0..2)], usize::MAX).unwrap()[0].len(), 6);
        assert!(fields.sample(&[] as &[[f32; 2]]).unwrap().is_empty());
        assert!(fields.gradients(&[] as &[[f32; 2]]).unwrap().is_empty());
    }
}

#[test]
fn too_large_answers_are_refused() {
    let grid = Grid::new([0.0, 0.0], 1.0, 128, 128).unwrap();
    let windows = vec![Window::new(0..128, 0..128); 1 << 17];
    for on in executors() {
        let fields = DynamicField::builder(grid).entities([]).on(&on).build().unwrap();
        let (place, value, remedy) = parts(fields.best_in(&windows, usize::MAX));
        assert_eq!((place.as_str(), value.as_str()), ("windows, best cells in all", "2147483648"));
        assert!(remedy.contains("fewer windows"), "{remedy}");
    }
}

#[test]
fn a_missing_device_is_a_device_error() {
    let grid = Grid::new([0.0, 0.0], 1.0, 8, 8).unwrap();
    let choice: DeviceChoice = "vulkan:99".parse().unwrap();
    let error = DynamicField::builder(grid).on(choice).build().unwrap_err();
    assert!(matches!(error, Error::Device(_)), "{error:?}");
    let text = error.to_string();
    assert!(text.contains("vulkan:99") && text.contains("cpu"), "{text}");
}
