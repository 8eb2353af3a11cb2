//! The layers of a simulation, and the fields that agents sense. They are computed, hashed and combined on the CPU or
//! on a device. Only fields that the CPU needs are copied from a device.

use std::sync::OnceLock;

use throng_device::{CPU, Error, Executor};
use throng_fields::gpu::{self, CombinedOnDevice};
use throng_fields::{DynamicField, EntityId, FieldOnDevice};
use throng_fields_core::layers::Combination;
use throng_fields_core::{Entity, Field};
use throng_fields_scenario::{FieldId, Scenario};

use super::hash::{first_of_layer, hash_of_layer};

/// All layers in their current state.
#[derive(Debug)]
pub(crate) struct Layers<'s> {
    scenario: &'s Scenario,
    all: Vec<Layer>,
    combined: Vec<Combined<'s>>,
}

/// A combination of layers that agents sense, computed when it is first needed.
#[derive(Debug)]
struct Combined<'s> {
    combination: &'s Combination,
    /// The field, computed on first use.
    field: OnceLock<Field>,
    /// Computes the field if all its layers are on a device.
    combiner: Option<CombinedOnDevice<'s>>,
}

/// A layer of fields of entities, which in fixed point is bit-identical on the CPU and on every device; or the amounts
/// of a diffusing layer, or lines of sight.
#[derive(Debug)]
struct Layer {
    /// Entities that may change: their id in the layer, and their index among all entities.
    moving: Vec<(EntityId, usize)>,
    field: LayerField,
    /// The sum of the hashes of all cells.
    hash: u64,
}

#[derive(Debug)]
enum LayerField {
    /// A field that is replaced from outside, or never changes.
    Given(Field),
    /// A field that tracks entities.
    Dynamic(Box<DynamicField>),
}

impl<'s> Layers<'s> {
    /// The initial layers, on the device if there is one. `entities` has all entities, and whether each may change.
    /// Diffusing layers and lines of sight are set later.
    pub(crate) fn new(
        scenario: &'s Scenario,
        entities: &[(Entity, bool)],
        executor: &'s Executor,
    ) -> Result<Self, Error> {
        let layer = |number| Layer::new(scenario, number, entities, executor);
        let layers = (0..scenario.layers.len()).map(layer).collect::<Result<Vec<_>, _>>()?;
        let is_on_device = |layer: u32| layers.get(layer as usize).is_some_and(|layer| layer.on_device().is_some());
        let combined = |combination: &'s Combination| {
            let all_on_device = (0..u32::BITS).filter(|layer| combination.layers() >> layer & 1 == 1).all(is_on_device);
            let device = executor.device().filter(|_| all_on_device && combination.layers() != 0);
            let combiner =
                device.map(|device| CombinedOnDevice::new(device, scenario.grid(), combination)).transpose()?;
            Ok(Combined { combination, field: OnceLock::new(), combiner })
        };
        let combined = scenario.combinations.iter().map(combined).collect::<Result<_, Error>>()?;
        Ok(Self { scenario, all: layers, combined })
    }

    /// Updates the layers to the entities, which are in their initial order. Returns the set of layers that have
    /// changed, one bit each.
    pub(crate) fn follow(&mut self, entities: &[Entity]) -> Result<u32, Error> {
        let mut changed = 0;
        for (number, layer) in self.all.iter_mut().enumerate() {
            changed |= u32::from(layer.follow(number, entities)?) << number;
        }
        self.forget_combined(changed);
        Ok(changed)
    }

    /// Replaces the values of a diffusing layer or of lines of sight, and the hash of the layer.
    pub(crate) fn set_layer(&mut self, number: usize, field: Field) {
        if let Some(layer) = self.all.get_mut(number) {
            layer.hash = hash_of_layer(number, &field);
            layer.field = LayerField::Given(field);
            self.forget_combined(1 << number);
        }
    }

    fn forget_combined(&mut self, changed: u32) {
        for combined in self.combined.iter_mut().filter(|combined| combined.combination.layers() & changed != 0) {
            combined.field = OnceLock::new();
        }
    }

    /// The sum of the hashes of all cells of all layers.
    pub(crate) fn hash(&self) -> u64 {
        self.all.iter().map(|layer| layer.hash).fold(0, u64::wrapping_add)
    }

    /// A layer, or a field that agents sense.
    pub(crate) fn field_of(&self, id: FieldId) -> Result<&Field, Error> {
        match id {
            FieldId::Layer(layer) => self.all[layer].field(),
            FieldId::Combination(number) => {
                let combined = &self.combined[number];
                if let Some(field) = combined.field.get() {
                    return Ok(field);
                }
                let field = self.combine(combined)?;
                Ok(combined.field.get_or_init(|| field))
            }
        }
    }

    fn combine(&self, combined: &Combined<'_>) -> Result<Field, Error> {
        let combination = combined.combination;
        if let Some(combiner) = &combined.combiner {
            return combiner.read(|layer| self.all.get(layer as usize)?.on_device());
        }
        let is_used = |number: usize| combination.layers() >> number & 1 == 1;
        let field = |number| if is_used(number) { self.all[number].field().map(Some) } else { Ok(None) };
        let fields = (0..self.all.len()).map(field).collect::<Result<Vec<_>, _>>()?;
        Ok(combination.of_fields(self.scenario.grid(), |number| fields[number as usize])?)
    }
}

impl Layer {
    fn new(scenario: &Scenario, number: usize, all: &[(Entity, bool)], executor: &Executor) -> Result<Self, Error> {
        let (grid, arithmetic) = (scenario.grid(), scenario.arithmetic);
        let members: Vec<usize> = (0..all.len()).filter(|&i| all[i].0.layers >> number & 1 == 1).collect();
        let entities: Vec<Entity> = members.iter().map(|&i| all[i].0.clone()).collect();
        let executor = if entities.is_empty() { &CPU } else { executor };
        if executor.device().is_none() && !members.iter().any(|&i| all[i].1) {
            let field = arithmetic.at_rest(grid, &entities)?;
            let hash = hash_of_layer(number, &field);
            return Ok(Self { moving: Vec::new(), field: LayerField::Given(field), hash });
        }
        let dynamic = DynamicField::builder(*grid).entities(entities).arithmetic(arithmetic).on(executor).build()?;
        let moving = dynamic.ids().into_iter().zip(members).filter(|&(_, i)| all[i].1).collect();
        let hash = hash_of(number, &dynamic)?;
        Ok(Self { moving, field: LayerField::Dynamic(Box::new(dynamic)), hash })
    }

    /// Updates the layer to the entities. Returns whether the field has changed.
    fn follow(&mut self, number: usize, entities: &[Entity]) -> Result<bool, Error> {
        let LayerField::Dynamic(dynamic) = &mut self.field else { return Ok(false) };
        for &(id, i) in &self.moving {
            dynamic.replace(id, entities[i].clone())?;
        }
        if dynamic.update()? == 0 {
            return Ok(false);
        }
        self.hash = hash_of(number, dynamic)?;
        Ok(true)
    }

    fn field(&self) -> Result<&Field, Error> {
        match &self.field {
            LayerField::Given(field) => Ok(field),
            LayerField::Dynamic(dynamic) => dynamic.field(),
        }
    }

    fn on_device(&self) -> Option<FieldOnDevice<'_>> {
        match &self.field {
            LayerField::Given(_) => None,
            LayerField::Dynamic(dynamic) => dynamic.on_device(),
        }
    }
}

/// The hash of a layer, computed where the layer is stored.
fn hash_of(number: usize, dynamic: &DynamicField) -> Result<u64, Error> {
    match dynamic.on_device() {
        Some(field) => gpu::hash(field, first_of_layer(number)),
        None => Ok(hash_of_layer(number, dynamic.field()?)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_fields_core::creation;

    const TOWERS: &str = r#"
        model = "fields"
        grid = { size = [40, 30], cell = 1 }
        run = { steps = 2, time_step = 1 }
        profiles.bell = { form = "gaussian", sigma = 4, radius = 12 }
        [[entities]]
        at = [10.3, 12.6]
        profile = "bell"
        [[entities]]
        at = [22.1, 17.4]
        profile = "bell"
        charge = -1.5
    "#;

    /// Returns the first layer at the start and the entities, or the error message.
    fn read(run: &str, more: &str) -> Result<(Field, Vec<Entity>), String> {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("scenario.toml");
        let text = TOWERS.replace("time_step = 1", &format!("time_step = 1, {run}"));
        std::fs::write(&path, text + more).unwrap();
        let scenario = Scenario::read(&path, &[]).map_err(|error| error.to_string())?;
        let entities = scenario.entities.iter().map(|mapped| (mapped.entity.clone(), mapped.patrol.is_some()));
        let entities: Vec<(Entity, bool)> = entities.collect();
        let layers = Layers::new(&scenario, &entities, &CPU).unwrap();
        let field = layers.field_of(FieldId::Layer(0)).unwrap().clone();
        Ok((field, entities.into_iter().map(|(entity, _)| entity).collect()))
    }

    #[test]
    fn layers_use_the_arithmetic_of_the_scenario() {
        for moves in ["", "path = [[30, 20]]\nspeed = 1\n"] {
            let (floats, entities) = read("arithmetic = \"float\"", moves).unwrap();
            assert_eq!(floats, creation::by_tiles(floats.grid(), &entities).unwrap());
            let (steps, _) = read("bits = 12", moves).unwrap();
            let fixed = creation::FixedPoint::new(12).unwrap();
            assert_eq!(steps, fixed.by_tiles(floats.grid(), &entities).unwrap());
            assert_ne!(floats, steps);
        }
        let refused = read("bits = 99", "").unwrap_err();
        assert!(refused.contains("bits"), "{refused}");
    }
}
