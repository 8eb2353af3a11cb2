//! The state of the simulation: the field in which birds find their neighbours.

use std::any::Any;
use std::f32::consts::TAU;

use krabmaga::engine::fields::field::Field;
use krabmaga::engine::fields::field_2d::{Field2D, Location2D};
use krabmaga::engine::location::Real2D;
use krabmaga::engine::schedule::Schedule;
use krabmaga::engine::state::State;
use krabmaga::rand::rngs::StdRng;
use krabmaga::rand::{Rng, SeedableRng};

use crate::bird::{Bird, VISION};

pub struct Flock {
    field: Field2D<Bird>,
    birds: u32,
    seed: u64,
    /// Width and height of the world in patches; the world wraps around.
    pub size: f32,
    /// Cells per side.
    cells: u32,
}

impl Flock {
    pub fn new(birds: u32, size: f32, seed: u64) -> Result<Self, String> {
        if !(3.0 * VISION..=20_000.0).contains(&size) {
            return Err(format!("--size {size}: give a whole number from {} to 20000", 3.0 * VISION));
        }
        // Cells are as small as the vision, so that 9 cells are searched. With cells of half or a third of that size,
        // 25 or 49 cells are searched and ticks take longer.
        let cells = (size / VISION) as u32;
        let cell = size / cells as f32;
        // In krABMaga 0.6.2, queries of a toroidal field stop at the edges of the world, but queries of other fields
        // wrap around.
        let toroidal = false;
        // The field rounds up to whole cells. Subtracting half a cell makes the number of cells unambiguous.
        let length = (cells as f32 - 0.5) * cell;
        #[cfg_attr(feature = "parallel", expect(unused_mut))]
        let mut field = Field2D::new(length, length, cell, toroidal);
        // The initial capacity of the list of neighbours is twice this value. The field's own estimate is the number of
        // birds in one cell, which makes ticks slower.
        #[cfg(not(feature = "parallel"))]
        {
            field.density_estimation = (9.0 * birds as f32 / (cells * cells) as f32) as usize;
            field.density_estimation_check = true;
        }
        Ok(Self { field, birds, seed, size, cells })
    }

    /// Returns the birds of 9 cells, including all within the vision. The query by exact distance misses birds in cells
    /// that are near enough only at an edge, but not at a corner.
    pub fn around(&self, location: Real2D) -> Vec<Bird> {
        // The query rounds down to whole cells: one cell in each direction.
        self.field.get_neighbors_within_relax_distance(location, 1.1 * self.field.discretization)
    }

    /// Stores a bird's state for the next tick.
    pub fn put(&self, bird: Bird) {
        self.field.set_object_location(bird, bird.get_location());
    }

    /// Wraps a coordinate into the world and into its cells: rounding may give exactly the upper edge.
    pub fn wrapped(&self, coordinate: f32) -> f32 {
        let within = coordinate.rem_euclid(self.size);
        if ((within / self.field.discretization) as u32) < self.cells { within } else { 0.0 }
    }
}

impl State for Flock {
    fn init(&mut self, schedule: &mut Schedule) {
        let mut draws = StdRng::seed_from_u64(self.seed);
        for id in 0..self.birds {
            let [x, y] = [(); 2].map(|()| self.wrapped(draws.random::<f32>() * self.size));
            let bird = Bird::new(id, Real2D { x, y }, draws.random::<f32>() * TAU);
            self.put(bird);
            schedule.schedule_repeating(Box::new(bird), 0.0, 0);
        }
    }

    /// Called before the first tick and after each tick: makes the written state readable.
    fn update(&mut self, _: u64) {
        self.field.lazy_update();
    }

    fn reset(&mut self) {}

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }

    fn as_state(&self) -> &dyn State {
        self
    }

    fn as_state_mut(&mut self) -> &mut dyn State {
        self
    }
}
