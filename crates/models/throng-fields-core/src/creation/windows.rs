//! Many small fields at once, of which only the best cells are kept.

use rayon::prelude::*;
use throng_core::InputError;
use throng_pictures::Grid;

use super::fixed_point::FixedPoint;
use super::sums::Steps;
use super::tiles::{sum, sum_of_steps};
use crate::best_cells::best_of;
use crate::entities::{Cells, Entity, check_all};
use crate::query::Best;

/// Windows on the CPU: small grids with arbitrary cells anywhere in the world, such as one around each agent, each with
/// the field of all entities, or of the entities in some layers. `gpu::Windows` of throng-fields does the same on a
/// device, in floating point.
///
/// If the field of the whole map exists anyway, reading parts of it is cheaper: see `DynamicField` of throng-fields.
///
/// ```
/// use throng_fields_core::{Entity, Grid, Profile, creation::{FixedPoint, Windows}};
///
/// let fruit = |at: [f32; 2]| Profile::linear(6.0).map(|profile| Entity::new(at, profile));
/// let fruit = [fruit([12.5, 3.5])?.in_layers(0b01), fruit([90.5, 40.5])?.in_layers(0b10)];
/// // The surroundings of two agents, 10 x 10 cells each.
/// let around = [Grid::new([8.0, 0.0], 1.0, 10, 10)?, Grid::new([80.0, 35.0], 1.0, 10, 10)?];
/// let cells = |best: Vec<Vec<throng_fields_core::Best>>| [&best[0][0], &best[1][0]].map(|best| (best.column, best.row));
/// let windows = Windows::new(&around).in_fixed_point(FixedPoint::default());
/// // The first agent is next to its fruit; that of the second is just outside its window.
/// assert_eq!(cells(windows.best(&fruit, 1)?), [(4, 3), (9, 5)]);
/// // This layer contains nothing near the second agent: all of its cells are equal.
/// assert_eq!(cells(windows.in_layers(0b01).best(&fruit, 1)?), [(4, 3), (0, 0)]);
/// # Ok::<(), throng_fields_core::InputError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Windows<'g> {
    grids: &'g [Grid],
    layers: Option<u32>,
    fixed_point: Option<FixedPoint>,
}

impl<'g> Windows<'g> {
    /// Creates windows with these cells, for all entities, in floating point.
    pub fn new(grids: &'g [Grid]) -> Self {
        Self { grids, layers: None, fixed_point: None }
    }

    /// Restricts the windows to entities in at least one of these layers, one bit each.
    pub fn in_layers(self, layers: u32) -> Self {
        Self { layers: Some(layers), ..self }
    }

    /// Computes the fields in fixed point instead of floating point.
    pub fn in_fixed_point(self, fixed_point: FixedPoint) -> Self {
        Self { fixed_point: Some(fixed_point), ..self }
    }

    /// Returns the `wanted` best cells of each window, best first; ties go to the lower row, then the lower column.
    /// Windows with fewer cells return fewer. Runs in parallel; cost per window: all entities, plus the cells that they
    /// cover in it.
    ///
    /// # Errors
    /// When an entity has a number that is not finite, or, in fixed point, [`FixedPoint::check`] rejects the entities.
    pub fn best(&self, entities: &[Entity], wanted: usize) -> Result<Vec<Vec<Best>>, InputError> {
        let counts = |entity: &&Entity| self.layers.is_none_or(|layers| entity.layers & layers != 0);
        let counted: Vec<&Entity> = entities.iter().filter(counts).collect();
        // Entities in other layers add nothing to sums, but must be finite.
        let numbers = entities.iter().map(|entity| (entity, usize::from(counts(&entity))));
        let of_window = |(i, grid): (usize, &Grid)| {
            let field = match self.fixed_point {
                Some(fixed_point) => {
                    let steps = Steps(fixed_point.step());
                    fixed_point.check_many(grid, numbers.clone()).map(|()| sum_of_steps(grid, &counted, steps))
                }
                None => check_all(grid, entities).map(|()| sum(grid, &counted)),
            };
            let field = field.map_err(|error| error.within(&format!("window {i}")))?;
            let all = Cells { columns: (0, grid.columns()), rows: (0, grid.rows()) };
            Ok(best_of(all, field.into_values().into_iter(), wanted))
        };
        // Collects all results first: the error of the first window is returned, whichever thread finishes first.
        let fields: Vec<_> = self.grids.par_iter().enumerate().map(of_window).collect();
        fields.into_iter().collect()
    }
}
