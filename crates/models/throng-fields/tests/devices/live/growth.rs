//! Many entities are spawned after the field was created, and all are despawned in the end.

use throng_fields::{Discs, DynamicField, Entity, Grid, Profile, Shape, Stamp};

use super::{check_answers, executors};

fn positions(count: u16, shift: f32) -> Vec<[f32; 2]> {
    let along = |i: u16, of: u32| (u32::from(i) * of % 1009) as f32 * 0.15 + shift;
    (0..count).map(|i| [along(i, 367), along(i, 593)]).collect()
}

#[test]
fn buffers_grow_with_the_number_of_entities() {
    let grid = Grid::new([0.0, 0.0], 1.0, 150, 90).unwrap();
    let profile = Profile::quadratic(7.0).unwrap();
    for on in executors() {
        let name = on.label();
        let mut fields = DynamicField::builder(grid).entities([]).on(&on).build().unwrap();
        check_answers(&fields, &name);
        // Discs of another kind than the placeholders in free slots.
        let ids = fields.spawn_many(Discs::new(&positions(50, 0.0), profile.clone()).unwrap()).unwrap();
        fields.update().unwrap();
        check_answers(&fields, &name);
        fields.spawn_many(Discs::new(&positions(300, 0.3), profile.clone()).unwrap().in_layers(2)).unwrap();
        fields.update().unwrap();
        check_answers(&fields, &name);
        // Few changes, which are applied in place.
        fields.move_many(&ids[..5], &positions(5, 40.0)).unwrap();
        fields.despawn_many(&ids[5..9]).unwrap();
        fields.update().unwrap();
        check_answers(&fields, &name);
        // Entities of other kinds, with tables.
        let stamp = Stamp::new(2, 2, 3.0, &[1.0, -2.0, 0.5, 3.0]).unwrap();
        let ring = Entity::new([40.0, 40.0], Profile::table(4.0, &[1.0, 0.5, 0.0]).unwrap());
        fields.spawn(Entity::stamped([70.2, 30.1], stamp)).unwrap();
        let ring = fields.spawn(ring.with_shape(Shape::Ring { radius: 9.0 })).unwrap();
        fields.update().unwrap();
        check_answers(&fields, &name);
        fields.despawn(ring).unwrap();
        fields.update().unwrap();
        check_answers(&fields, &name);
        let all = fields.ids();
        fields.despawn_many(&all).unwrap();
        fields.update().unwrap();
        assert!(fields.is_empty() && fields.read().unwrap().values().iter().all(|&value| value == 0.0));
    }
}

#[test]
fn the_precision_of_fixed_point_is_configurable() {
    use throng_fields::creation::{Arithmetic, FixedPoint};
    let grid = Grid::new([0.0, 0.0], 1.0, 40, 30).unwrap();
    let discs = Discs::new(&positions(9, 3.3), Profile::linear(8.0).unwrap()).unwrap();
    let fixed_point = FixedPoint::new(6).unwrap();
    let entities: Vec<Entity> = discs.clone().into_iter().collect();
    let expected = fixed_point.by_tiles(&grid, &entities).unwrap();
    for on in executors() {
        let fields = DynamicField::builder(grid)
            .entities(discs.clone())
            .arithmetic(Arithmetic::FixedPoint(fixed_point))
            .on(&on)
            .build()
            .unwrap();
        assert_eq!(fields.read().unwrap(), expected);
    }
}
