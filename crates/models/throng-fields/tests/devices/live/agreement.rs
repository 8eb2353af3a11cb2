//! After any sequence of events, the field of entities equals the one computed from scratch from the remaining
//! entities.

use proptest::prelude::*;
use throng_fields::{DynamicField, Entity, EntityId, Grid};

use super::{bits, check_answers, entities, executors};
use crate::random;

/// An operation on entities; indices wrap around the number of existing entities.
#[derive(Debug, Clone)]
enum Event {
    Spawn(Entity),
    Despawn(usize),
    Move(usize, [f32; 2]),
    Replace(usize, Entity),
    Update,
}

fn entity() -> impl Strategy<Value = Entity> {
    let position = [-80.0f32..140.0, -80.0f32..140.0];
    let entity = (position, random::profiles(), random::shapes(), -4.0f32..4.0, -7.0f32..7.0, 0u32..8);
    entity.prop_map(|(position, profile, shape, charge, heading, layers)| {
        Entity::new(position, profile).with_shape(shape).with_charge(charge).with_heading(heading).in_layers(layers)
    })
}

fn events() -> impl Strategy<Value = Vec<Event>> {
    let event = prop_oneof![
        4 => entity().prop_map(Event::Spawn),
        2 => any::<usize>().prop_map(Event::Despawn),
        4 => (any::<usize>(), [-80.0f32..140.0, -80.0f32..140.0]).prop_map(|(i, to)| Event::Move(i, to)),
        1 => (any::<usize>(), entity()).prop_map(|(i, entity)| Event::Replace(i, entity)),
        2 => Just(Event::Update),
    ];
    prop::collection::vec(event, 0..25)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: throng_testing::cases(4), ..ProptestConfig::default() })]

    #[test]
    fn updated_fields_match_the_final_entities(grid in random::grids(), first in random::entities(), events in events()) {
        // Some shapes are too small or too large for fixed point on some grids; all executors refuse the same ones.
        let fits = |entity: &Entity| throng_fields::creation::FixedPoint::default()
            .by_tiles(&grid, std::slice::from_ref(entity)).is_ok();
        let first: Vec<Entity> = first.into_iter().filter(fits).collect();
        for on in executors() {
            let name = on.label();
            let mut fields = DynamicField::builder(grid).entities(first.clone()).on(&on).build().unwrap();
            let mut ids = fields.ids();
            for event in events.clone() {
                let of = |i: usize, ids: &[EntityId]| (!ids.is_empty()).then(|| i % ids.len());
                match event {
                    Event::Spawn(entity) => ids.extend(fields.spawn(entity)),
                    Event::Despawn(i) => {
                        if let Some(i) = of(i, &ids) {
                            fields.despawn(ids.swap_remove(i)).unwrap();
                        }
                    }
                    Event::Move(i, to) => {
                        if let Some(i) = of(i, &ids) {
                            fields.move_to(ids[i], to).unwrap();
                        }
                    }
                    Event::Replace(i, entity) => {
                        if let Some(i) = of(i, &ids) {
                            // Returns an error if the entity does not fit.
                            let _ = fields.replace(ids[i], entity);
                        }
                    }
                    Event::Update => {
                        fields.update().unwrap();
                    },
                }
            }
            fields.update().unwrap();
            prop_assert_eq!(fields.len(), ids.len());
            check_answers(&fields, &name);
        }
    }

    #[test]
    fn fields_do_not_depend_on_the_order_of_spawns_and_despawns(grid in random::grids(), all in random::entities()) {
        let fits = |entity: &Entity| throng_fields::creation::FixedPoint::default()
            .by_tiles(&grid, std::slice::from_ref(entity)).is_ok();
        let all: Vec<Entity> = all.into_iter().filter(fits).collect();
        let stay = |i: usize| i % 3 != 1;
        for on in executors() {
            // Either all entities are spawned and some despawned, or only the remaining ones are spawned, in reverse
            // order with one update each.
            let mut with_despawns = DynamicField::builder(grid).entities([]).on(&on).build().unwrap();
            let ids = with_despawns.spawn_many(all.clone()).unwrap();
            with_despawns.update().unwrap();
            let despawned: Vec<EntityId> = (0..ids.len()).filter(|&i| !stay(i)).map(|i| ids[i]).collect();
            with_despawns.despawn_many(&despawned).unwrap();
            with_despawns.update().unwrap();
            let mut without_despawns = DynamicField::builder(grid).entities([]).on(&on).build().unwrap();
            for (i, entity) in all.iter().enumerate().rev() {
                if stay(i) {
                    without_despawns.spawn(entity.clone()).unwrap();
                    without_despawns.update().unwrap();
                }
            }
            prop_assert_eq!(entities(&with_despawns).len(), entities(&without_despawns).len());
            let [one, other] = [with_despawns, without_despawns].map(|fields| bits(fields.read().unwrap().values()));
            prop_assert_eq!(one, other, "{}", on.label());
        }
    }
}

#[test]
fn grids_of_one_column_row_or_cell_have_answers() {
    for (columns, rows) in [(1, 1), (1, 30), (30, 1)] {
        let grid = Grid::new([3.0, -2.0], 0.75, columns, rows).unwrap();
        let entity = Entity::new([5.1, -1.4], throng_fields::Profile::linear(9.0).unwrap()).in_layers(2);
        for on in executors() {
            check_answers(
                &DynamicField::builder(grid).entities([entity.clone()]).on(&on).build().unwrap(),
                &on.label(),
            );
        }
    }
}
