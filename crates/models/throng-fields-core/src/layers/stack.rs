//! Dense layers: one field per layer.

use throng_core::InputError;
use throng_core::allocation::check_allocation;
use throng_pictures::Grid;

use crate::creation::sum;
use crate::entities::{Entity, check_all};
use crate::field::Field;

/// Maximum number of layers: the bits of [`Entity::layers`].
pub const MAX_LAYERS: u32 = 32;

/// Fields over one grid, indexed from 0, optionally with names.
///
/// ```
/// use throng_fields_core::{Entity, Grid, Profile, layers::LayerStack};
///
/// let grid = Grid::new([0.0, 0.0], 1.0, 32, 32)?;
/// let tower = Entity::new([8.5, 8.5], Profile::linear(4.0)?).in_layers(0b01);
/// let scout = Entity::new([20.5, 8.5], Profile::linear(4.0)?).in_layers(0b11);
/// let layers = LayerStack::by_tiles(&grid, &[tower, scout], 2)?.named(&["strength", "sight"])?;
/// let sight = layers.find("sight").and_then(|layer| layers.layer(layer));
/// assert_eq!(sight.map(|field| (field.at(8, 8), field.at(20, 8))), Some((Some(0.0), Some(1.0))));
/// # Ok::<(), throng_fields_core::InputError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct LayerStack {
    grid: Grid,
    layers: Vec<Field>,
    names: Vec<Option<String>>,
}

impl LayerStack {
    /// Computes the first `count` layers of some entities. Each equals, bit for bit, the field that
    /// [`creation::by_tiles`](crate::creation::by_tiles()) computes for the entities in it.
    ///
    /// # Errors
    /// When there are no or too many layers, an entity contains an invalid number, or there is too little memory.
    pub fn by_tiles(grid: &Grid, entities: &[Entity], count: u32) -> Result<Self, InputError> {
        check_count(count as usize)?;
        check_all(grid, entities)?;
        check_allocation::<f32>("cells of all layers", grid.cells().saturating_mul(count as usize))?;
        let layer = |layer: u32| {
            let members: Vec<&Entity> = entities.iter().filter(|entity| entity.layers & (1 << layer) != 0).collect();
            sum(grid, &members)
        };
        Self::of((0..count).map(layer).collect())
    }

    /// Uses existing fields as layers.
    ///
    /// # Errors
    /// When there are too many fields or none, or their grids differ.
    pub fn of(layers: Vec<Field>) -> Result<Self, InputError> {
        check_count(layers.len())?;
        let grid = *layers[0].grid();
        let stack = Self { grid, names: vec![None; layers.len()], layers };
        (0..).zip(&stack.layers).try_for_each(|(layer, field)| stack.check_grid(layer, field))?;
        Ok(stack)
    }

    /// Names the layers, in order.
    ///
    /// # Errors
    /// When the number of names differs from that of the layers, or two names are the same.
    pub fn named(mut self, names: &[&str]) -> Result<Self, InputError> {
        if names.len() != self.layers.len() {
            let remedy = format!("there are {} layers", self.layers.len());
            return Err(InputError::one("layers, number of names", names.len(), remedy));
        }
        for (i, name) in names.iter().enumerate() {
            if let Some(first) = names[..i].iter().position(|other| other == name) {
                let remedy = format!("layer {first} has the same name");
                return Err(InputError::one(format!("layer {i}, name"), name, remedy));
            }
        }
        self.names = names.iter().map(|&name| Some(name.to_owned())).collect();
        Ok(self)
    }

    /// Replaces a layer.
    ///
    /// # Errors
    /// When there is no such layer, or the field has a different grid; the stack is then unchanged.
    pub fn set(&mut self, layer: u32, field: Field) -> Result<(), InputError> {
        self.check_grid(layer, &field)?;
        let count = self.count();
        let Some(old) = self.layers.get_mut(layer as usize) else {
            return Err(InputError::one(format!("layer {layer}"), "no such layer", format!("the stack has {count}")));
        };
        *old = field;
        Ok(())
    }

    fn check_grid(&self, layer: u32, field: &Field) -> Result<(), InputError> {
        if *field.grid() == self.grid {
            return Ok(());
        }
        let remedy = format!("expected the grid of the stack, {:?}", self.grid);
        Err(InputError::one(format!("layer {layer}, grid"), format!("{:?}", field.grid()), remedy))
    }

    /// The grid of all layers.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The number of layers.
    pub fn count(&self) -> u32 {
        self.layers.len() as u32
    }

    /// Returns the layer with this index.
    pub fn layer(&self, layer: u32) -> Option<&Field> {
        self.layers.get(layer as usize)
    }

    /// The name of a layer, if it has one.
    pub fn name(&self, layer: u32) -> Option<&str> {
        self.names.get(layer as usize)?.as_deref()
    }

    /// Returns the index of the layer with this name.
    pub fn find(&self, name: &str) -> Option<u32> {
        (0..self.count()).find(|&layer| self.name(layer) == Some(name))
    }
}

fn check_count(count: usize) -> Result<(), InputError> {
    if (1..=MAX_LAYERS as usize).contains(&count) {
        return Ok(());
    }
    Err(InputError::one("number of layers", count, format!("expected a number from 1 to {MAX_LAYERS}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Profile, creation};

    fn grid() -> Grid {
        Grid::new([0.0, 0.0], 1.0, 20, 10).unwrap()
    }

    #[test]
    fn layers_equal_the_fields_of_their_entities() {
        let at = |x: f32, layers: u32| Entity::new([x, 5.0], Profile::linear(3.0).unwrap()).in_layers(layers);
        let entities = [at(3.0, 0b001), at(6.0, 0b101), at(9.0, 0b100), at(12.0, 1 << 31)];
        let stack = LayerStack::by_tiles(&grid(), &entities, 3).unwrap();
        for (layer, members) in [(0, vec![0, 1]), (1, vec![]), (2, vec![1, 2])] {
            let members: Vec<Entity> = members.into_iter().map(|i: usize| entities[i].clone()).collect();
            assert_eq!(stack.layer(layer), Some(&creation::by_tiles(&grid(), &members).unwrap()));
        }
        assert_eq!((stack.count(), stack.layer(3)), (3, None));
        let all = LayerStack::by_tiles(&grid(), &entities, 32).unwrap();
        assert_eq!(all.layer(31).and_then(|field| field.at(11, 4)).map(|value| value > 0.5), Some(true));
    }

    #[test]
    fn layers_are_found_by_name_and_replaced() {
        let field = creation::by_tiles(&grid(), &[Entity::new([5.0, 5.0], Profile::linear(3.0).unwrap())]).unwrap();
        let mut stack = LayerStack::by_tiles(&grid(), &[], 2).unwrap();
        assert_eq!((stack.name(0), stack.find("a")), (None, None));
        stack = stack.named(&["a", "b"]).unwrap();
        assert_eq!((stack.name(1), stack.find("b"), stack.find("c")), (Some("b"), Some(1), None));
        stack.set(1, field.clone()).unwrap();
        assert_eq!(stack.layer(1), Some(&field));
        assert_eq!(stack.set(2, field).unwrap_err().message(), "no such layer");
    }

    #[test]
    fn invalid_stacks_are_refused() {
        let place = |result: Result<LayerStack, InputError>| result.unwrap_err().place().to_owned();
        assert_eq!(place(LayerStack::of(Vec::new())), "number of layers");
        assert_eq!(place(LayerStack::by_tiles(&grid(), &[], 33)), "number of layers");
        let other = Grid::new([0.0, 0.0], 1.0, 10, 20).unwrap();
        let fields = [grid(), other].map(|grid| creation::by_tiles(&grid, &[]).unwrap());
        assert_eq!(place(LayerStack::of(fields.to_vec())), "layer 1, grid");
        let stack = LayerStack::by_tiles(&grid(), &[], 2).unwrap();
        assert_eq!(place(stack.clone().named(&["a"])), "layers, number of names");
        assert_eq!(place(stack.clone().named(&["a", "a"])), "layer 1, name");
        assert_eq!(stack.clone().set(0, fields[1].clone()).unwrap_err().place(), "layer 0, grid");
    }
}
