//! The executors that the cases verify.

use throng_device::Executor;
use throng_model::Failure;

use crate::{Drawer, PackedScene, Settings, drawer, has_bits_of_the_cpu};

/// Renders the images of the cases; tests substitute faulty executors.
pub trait CaseExecutor {
    /// Starts an image of a scene.
    fn drawer<'a>(&'a self, scene: &'a PackedScene, settings: &'a Settings) -> Result<Box<dyn Drawer + 'a>, Failure>;

    /// Whether images have the same bits as images of the CPU.
    fn has_bits_of_the_cpu(&self) -> Result<bool, Failure> {
        Ok(true)
    }
}

/// The CPU, or a device.
pub struct OnExecutor<'d>(pub &'d Executor);

impl CaseExecutor for OnExecutor<'_> {
    fn drawer<'a>(&'a self, scene: &'a PackedScene, settings: &'a Settings) -> Result<Box<dyn Drawer + 'a>, Failure> {
        drawer(self.0, scene, settings)
    }

    fn has_bits_of_the_cpu(&self) -> Result<bool, Failure> {
        self.0.device().map_or(Ok(true), has_bits_of_the_cpu)
    }
}
