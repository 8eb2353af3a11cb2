//! The field of a layer, which follows its entities, in fixed point: bit for bit the same on the CPU and on every device.

use crate::creation::{FixedPoint, MovingField};
use crate::gpu::{GpuError, LayerOnDevice};
use crate::{Entity, Field, Grid};
use throng_device::AnyDevice;

use crate::scenario::Figure;

/// Makes the field of a layer, again and again where something in it moves.
#[derive(Debug)]
pub(crate) struct LayerField<'d> {
    /// Those that move: their place in the maker, and their place among all entities.
    moving: Vec<(usize, usize)>,
    maker: Maker<'d>,
}

#[derive(Debug)]
enum Maker<'d> {
    /// Nothing moves: the field that was made first is the last one.
    Done,
    Cpu(Box<MovingField>),
    Device(Box<LayerOnDevice<'d>>),
}

impl<'d> LayerField<'d> {
    /// What makes layer `number`, and the field as it is at the start.
    pub(crate) fn new(
        grid: &Grid,
        number: usize,
        figures: &[Figure],
        fixed_point: FixedPoint,
        device: Option<&'d AnyDevice>,
    ) -> Result<(Self, Field), GpuError> {
        let members: Vec<usize> = (0..figures.len()).filter(|&i| figures[i].entity.layers >> number & 1 == 1).collect();
        let moves = |&(_, i): &(usize, usize)| figures[i].patrol.is_some();
        let moving: Vec<(usize, usize)> = members.iter().copied().enumerate().filter(moves).collect();
        let entities: Vec<Entity> = members.iter().map(|&i| figures[i].entity.clone()).collect();
        let (maker, field) = if let Some(device) = device.filter(|_| !entities.is_empty()) {
            let (made, field) = LayerOnDevice::new(device, grid, entities, fixed_point)?;
            (Maker::Device(Box::new(made)), field)
        } else if moving.is_empty() {
            (Maker::Done, fixed_point.by_tiles(grid, &entities)?)
        } else {
            let made = MovingField::in_fixed_point(grid, entities, fixed_point)?;
            let field = made.field().clone();
            (Maker::Cpu(Box::new(made)), field)
        };
        // Without what moves, a device has no more to do.
        let maker = if moving.is_empty() { Maker::Done } else { maker };
        Ok((Self { moving, maker }, field))
    }

    /// Follows the entities, all of which are given. Returns the field if it was made anew.
    pub(crate) fn follow(&mut self, entities: &[Entity]) -> Result<Option<Field>, GpuError> {
        match &mut self.maker {
            Maker::Done => Ok(None),
            Maker::Cpu(made) => {
                for &(place, i) in &self.moving {
                    made.set(place, entities[i].clone())?;
                }
                Ok((made.update() > 0).then(|| made.field().clone()))
            }
            Maker::Device(made) => {
                for &(place, i) in &self.moving {
                    made.set(place, entities[i].clone())?;
                }
                made.update()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::Profile;

    use super::*;
    use crate::scenario::patrol::Patrol;
    use crate::scenario::written::Then;

    #[test]
    fn a_field_is_made_anew_only_while_something_in_it_moves() {
        let grid = Grid::new([0.0, 0.0], 1.0, 80, 40).unwrap();
        let figure = |x: f32, patrol: Option<Patrol>| Figure {
            entity: Entity::new([x, 20.0], Profile::linear(4.0).unwrap()),
            patrol,
            team: None,
            emits: Vec::new(),
            colour: None,
        };
        let walk = Patrol::new([0.0, 0.0], ([10.0, 20.0], &[[14.0, 20.0]]), 1.0, Then::Stop, false);
        let figures = [figure(50.0, None), figure(10.0, Some(walk))];
        let fixed_point = FixedPoint::default();
        let (mut layer, first) = LayerField::new(&grid, 0, &figures, fixed_point, None).unwrap();
        let at = |time: f64| -> Vec<Entity> { figures.iter().map(|figure| figure.at(time)).collect() };
        assert_eq!(first, fixed_point.by_tiles(&grid, &at(0.0)).unwrap());
        for time in 1..=4 {
            let entities = at(f64::from(time));
            let expected = fixed_point.by_tiles(&grid, &entities).unwrap();
            assert_eq!(layer.follow(&entities).unwrap(), Some(expected), "{time}");
        }
        for time in 5..8 {
            assert_eq!(layer.follow(&at(f64::from(time))).unwrap(), None, "{time}");
        }
    }
}
