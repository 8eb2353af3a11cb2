//! The interface of executors: the CPU or a device.

use std::fmt;

use throng_core::ValueError;
use throng_fields_core::field::Field;
use throng_fields_core::query::Best;

use super::entity_table::EntityTable;
use super::later::Later;
use super::on_device::FieldOnDevice;
use super::places::Places;
use super::window::Window;

/// A field that is updated, and answers queries for the state of its last update.
pub(super) trait Executor: fmt::Debug + Send + Sync {
    /// Applies the changes in the table. Called again if it failed.
    fn update(&mut self, table: &EntityTable) -> Result<(), ValueError>;

    fn best_in(&self, windows: &[Window], wanted: usize) -> Result<Later<Vec<Vec<Best>>>, ValueError>;

    fn sample(&self, places: &Places) -> Result<Later<Vec<f32>>, ValueError>;

    fn gradients(&self, places: &Places) -> Result<Later<Vec<[f32; 2]>>, ValueError>;

    fn read(&self) -> Result<Later<Field>, ValueError>;

    /// The field on the device, if there is one.
    fn on_device(&self) -> Option<FieldOnDevice<'_>>;
}
