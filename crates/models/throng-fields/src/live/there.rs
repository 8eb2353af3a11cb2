//! A result on a device, and copying it from there.

use std::sync::Arc;

use throng_core::ValueError;
use throng_device::{Buffer, Device, Pending};

use super::neutral::neutral;

/// Words on a device, and how to decode them.
pub(super) struct There<T> {
    device: Arc<Device>,
    words: Buffer<u32>,
    /// The copy, once it has begun.
    begun: Option<Pending<u32>>,
    decode: Decode<T>,
}

type Decode<T> = Box<dyn FnOnce(&[u32]) -> T + Send>;

impl<T> There<T> {
    pub fn new(device: &Arc<Device>, words: Buffer<u32>, decode: impl FnOnce(&[u32]) -> T + Send + 'static) -> Self {
        Self { device: Arc::clone(device), words, begun: None, decode: Box::new(decode) }
    }

    pub fn words(&self) -> &Buffer<u32> {
        &self.words
    }

    pub fn has_begun(&self) -> bool {
        self.begun.is_some()
    }

    /// Begins to copy the words.
    pub fn begin(&mut self) -> Result<(), ValueError> {
        if self.begun.is_none() {
            self.begun = Some(self.copy()?);
        }
        Ok(())
    }

    fn copy(&self) -> Result<Pending<u32>, ValueError> {
        {
            let device = &*self.device;
            device.read_later(&self.words)
        }
        .map_err(|error| neutral(&error))
    }

    /// Waits for the words and decodes them.
    pub fn wait(mut self) -> Result<T, ValueError> {
        let begun = match self.begun.take() {
            Some(begun) => begun,
            None => self.copy()?,
        };
        begun.wait_with(self.decode).map_err(|error| neutral(&error))
    }
}
