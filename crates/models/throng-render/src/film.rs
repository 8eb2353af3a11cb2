//! Sums of samples.

use rayon::prelude::*;
use throng_core::{InputError, filled};
use throng_scene::Camera;

use crate::cpu::{self, Block, EDGE, Fault};
use crate::lens::lens;
use crate::picture::Bytes;
use crate::settings::{SIZE, SMALLER};
use crate::{PackedScene, Picture, Settings, Tone};

/// An image that accumulates samples on the CPU. It is divided into blocks of 8 x 8 pixels, which threads render in any
/// order.
#[derive(Debug, Clone, PartialEq)]
pub struct Film {
    width: u32,
    height: u32,
    samples: u32,
    blocks: Vec<Block>,
    /// Only tests set it.
    fault: Option<Fault>,
}

impl Film {
    /// Creates a film without samples.
    ///
    /// # Errors
    /// When [`Settings::check`] fails, or memory cannot be allocated.
    pub fn new(settings: &Settings) -> Result<Self, InputError> {
        settings.check()?;
        let Settings { width, height, .. } = *settings;
        let blocks = width.div_ceil(EDGE) as usize * height.div_ceil(EDGE) as usize;
        let blocks = filled(SIZE, Block::default(), blocks, SMALLER)?;
        Ok(Self { width, height, samples: 0, blocks, fault: None })
    }

    /// The same film, drawn by an executor with a fault.
    #[cfg(test)]
    pub(crate) fn with_fault(self, fault: Option<Fault>) -> Self {
        Self { fault, ..self }
    }

    /// Removes all samples.
    pub fn clear(&mut self) {
        self.samples = 0;
        self.blocks.fill(Block::default());
    }

    /// Number of samples per pixel so far.
    pub fn samples(&self) -> u32 {
        self.samples
    }

    /// Adds `more` samples to each pixel, on all threads of the current pool. Once all samples of the settings have
    /// been added, the film does not depend on how they were divided into calls.
    pub fn add_samples(&mut self, scene: &PackedScene, camera: &Camera, settings: &Settings, more: u32) {
        self.add_samples_unless(scene, camera, settings, more, &|| false);
    }

    /// Like [`Film::add_samples`], but cancels when `is_obsolete`, which is called before each block, returns true.
    /// Returns false after cancelling; the content of the film is then unusable.
    pub fn add_samples_unless(
        &mut self,
        scene: &PackedScene,
        camera: &Camera,
        settings: &Settings,
        more: u32,
        is_obsolete: &(dyn Fn() -> bool + Sync),
    ) -> bool {
        let lens = lens(camera, self.width, self.height);
        let (first, fault) = (self.samples, self.fault);
        let view = cpu::View { scene, lens: &lens, settings, first, end: first + more, fault };
        let columns = self.width.div_ceil(EDGE) as usize;
        let draw = |(i, block): (usize, &mut Block)| {
            if is_obsolete() {
                return Err(());
            }
            let (row, column) = (i / columns, i % columns);
            cpu::add_to_block(&view, column as u32 * EDGE, row as u32 * EDGE, block);
            Ok(())
        };
        let drawn = self.blocks.par_iter_mut().enumerate().try_for_each(draw);
        self.samples += more;
        drawn.is_ok()
    }

    /// The sum of the samples of a pixel: linear red, green and blue.
    ///
    /// # Panics
    /// When the pixel is not in the image.
    pub fn sum(&self, column: u32, row: u32) -> [f32; 3] {
        assert!(column < self.width && row < self.height, "pixel {column}, {row} is not in the image");
        let block = (row / EDGE) as usize * self.width.div_ceil(EDGE) as usize + (column / EDGE) as usize;
        self.blocks[block].sum(column % EDGE, row % EDGE)
    }

    /// All sums, row after row.
    pub fn sums(&self) -> impl Iterator<Item = [f32; 3]> {
        (0..self.height).flat_map(move |row| (0..self.width).map(move |column| self.sum(column, row)))
    }

    /// The image of the samples so far, of which there must be at least one.
    ///
    /// # Errors
    /// When memory cannot be allocated.
    pub fn picture(&self, tone: Tone) -> Result<Picture, InputError> {
        let columns = self.width.div_ceil(EDGE) as usize;
        let mut rgba = filled(SIZE, 0, 4 * self.width as usize * self.height as usize, SMALLER)?;
        let row_bytes = 4 * self.width as usize;
        let bytes_of = Bytes::new();
        rgba.par_chunks_mut(row_bytes * EDGE as usize).zip(self.blocks.par_chunks(columns)).for_each(
            |(rows, blocks)| {
                for (block, column) in blocks.iter().zip((0..self.width as usize).step_by(EDGE as usize)) {
                    let pixels = cpu::pixels_of_block(block, self.samples, tone, bytes_of);
                    let wide = (self.width as usize - column).min(EDGE as usize);
                    for (row, pixels) in rows.chunks_exact_mut(row_bytes).zip(pixels.chunks_exact(EDGE as usize)) {
                        row[4 * column..][..4 * wide].copy_from_slice(pixels[..wide].as_flattened());
                    }
                }
            },
        );
        Ok(Picture::new(self.width, self.height, rgba))
    }
}
