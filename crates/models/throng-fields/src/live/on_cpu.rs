//! Fields on the CPU.

use rayon::prelude::*;
use throng_core::ValueError;
use throng_fields_core::NEGATIVE_ZERO;
use throng_fields_core::best_cells::best_of;
use throng_fields_core::between::{slope_across, slope_down, value_between};
use throng_fields_core::creation::{FixedPoint, Item, Kept, Steps, Sum, items};
use throng_fields_core::entities::Entity;
use throng_fields_core::field::{Field, room_for_field};
use throng_fields_core::query::Best;
use throng_pictures::Grid;

use super::entity_table::EntityTable;
use super::executor::Executor;
use super::later::Later;
use super::on_device::FieldOnDevice;
use super::places::Places;
use super::window::Window;

/// A field in memory, computed on all threads.
#[derive(Debug)]
pub(super) struct OnCpu {
    kept: Kept<Steps>,
    /// The layers of each entity.
    layers: Vec<u32>,
}

impl OnCpu {
    /// The field of some entities, which have been checked.
    pub fn new(grid: &Grid, entities: &[&Entity], fixed_point: FixedPoint) -> Result<Self, ValueError> {
        room_for_field(grid)?;
        let steps = Steps(fixed_point.step());
        let layers = entities.iter().map(|entity| entity.layers).collect();
        Ok(Self { kept: Kept::new(steps, grid, items(steps, grid, entities)), layers })
    }

    /// The best cells of a window; among equal cells, the first one comes first.
    fn best(&self, window: &Window, wanted: usize) -> Vec<Best> {
        let field = self.kept.field();
        let Some(cells) = window.cells_on(field.grid()) else { return Vec::new() };
        if let Some(layers) = window.layers() {
            let values = self.kept.values_of(cells, |i| self.layers[i as usize] & layers != 0);
            return best_of(cells, values.into_iter(), wanted);
        }
        let row = |row: u32| {
            let start = field.grid().index(0, row);
            field.values()[start..][cells.columns.0 as usize..cells.columns.1 as usize].iter().copied()
        };
        best_of(cells, (cells.rows.0..cells.rows.1).flat_map(row), wanted)
    }
}

impl Executor for OnCpu {
    fn update(&mut self, table: &EntityTable) -> Result<(), ValueError> {
        let (sum, grid) = (self.kept.sum(), *self.kept.field().grid());
        for change in table.changes() {
            let slot = change.slot as usize;
            let item = change.now.map_or(Item::Nowhere, |entity| sum.item(&grid, entity));
            self.kept.put(slot, item);
            if slot >= self.layers.len() {
                self.layers.resize(slot + 1, 0);
            }
            self.layers[slot] = change.now.map_or(0, |entity| entity.layers);
        }
        self.kept.update();
        Ok(())
    }

    fn best_in(&self, windows: &[Window], wanted: usize) -> Result<Later<Vec<Vec<Best>>>, ValueError> {
        Ok(Later::here(windows.par_iter().map(|window| self.best(window, wanted)).collect()))
    }

    fn sample(&self, places: &Places) -> Result<Later<Vec<f32>>, ValueError> {
        let corners = places.corners(self.kept.field().values());
        let value = |(corners, [across, down]): (_, [f32; 2])| value_between(&corners, across, down, NEGATIVE_ZERO);
        Ok(Later::here(corners.map(value).collect()))
    }

    fn gradients(&self, places: &Places) -> Result<Later<Vec<[f32; 2]>>, ValueError> {
        let field = self.kept.field();
        let cell = field.grid().cell();
        let slopes = |(corners, [across, down]): (_, [f32; 2])| {
            [slope_across(&corners, down, NEGATIVE_ZERO) / cell, slope_down(&corners, across, NEGATIVE_ZERO) / cell]
        };
        Ok(Later::here(places.corners(field.values()).map(slopes).collect()))
    }

    fn read(&self) -> Result<Later<Field>, ValueError> {
        Ok(Later::here(self.kept.field().clone()))
    }

    fn on_device(&self) -> Option<FieldOnDevice<'_>> {
        None
    }
}
