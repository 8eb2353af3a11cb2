//! Sums on a device.

use super::host::{Convolution, Pass};
use super::kernels::{self, Tiles};
use super::tiling::{LANES, MAX_TILE, Tiling};
use crate::{Buffer, CUBE_UNITS, Device, DeviceError, KernelParameter};

/// Maximum total number of units of the tiles that are transformed at once.
const AT_ONCE: usize = 1 << 24;

/// [`Convolution`] on a device, with identical sums.
#[derive(Debug)]
pub struct DeviceConvolution {
    tiling: Tiling,
    /// Number of tiles transformed at once.
    at_once: usize,
    roots: [Buffer<u32>; 2],
    spectra: Vec<Buffer<u32>>,
    spectrum_of: Vec<usize>,
    /// Spectra of sources; `products` holds their products with the spectra of weights.
    plane: Buffer<u32>,
    products: Buffer<u32>,
}

impl DeviceConvolution {
    /// Like [`Convolution::new`]. Memory on the device: 4 bytes per unit of a tile (at most 2^20 units) for each
    /// distinct set of weights, and 8 bytes per unit of the tiles that are transformed at once (at most 2^24 units).
    ///
    /// # Errors
    /// If the device has too little memory, or its cubes have fewer than 256 units or less than 16 KB of shared memory.
    ///
    /// # Panics
    /// As for [`Convolution::new`].
    pub fn new(device: &Device, world: [u32; 2], radius: u32, weights: &[Vec<u32>]) -> Result<Self, DeviceError> {
        let hardware = &device.client.properties().hardware;
        let strip_bytes = LANES * size_of::<u32>();
        let longest = (hardware.max_shared_memory_size / strip_bytes).min(MAX_TILE as usize) as u32;
        // Tiles of half the maximum side length suffice for all radii.
        if longest < MAX_TILE / 2 || hardware.max_units_per_cube < CUBE_UNITS {
            let (units, bytes) = (hardware.max_units_per_cube, hardware.max_shared_memory_size);
            let needed = MAX_TILE as usize / 2 * strip_bytes;
            let lacks = format!(
                "its cubes have {units} units and {bytes} bytes of shared memory, and transforms need {CUBE_UNITS} and {needed}"
            );
            return Err(DeviceError::Unsuitable { device: device.label(), lacks });
        }
        let longest = 1 << longest.ilog2();
        Self::upload(device, &Convolution::with_tiles_of(longest, world, radius, weights))
    }

    pub(super) fn upload(device: &Device, convolution: &Convolution) -> Result<Self, DeviceError> {
        let Convolution { tiling, roots: [forward, backward], spectra, spectrum_of } = convolution;
        let at_once = (AT_ONCE / tiling.tile_units()).clamp(1, tiling.tiles());
        let work = |what| device.empty(what, at_once * tiling.tile_units());
        let upload = |spectrum: &Vec<[u32; LANES]>| device.upload("spectrum of weights", spectrum.as_flattened());
        Ok(Self {
            tiling: *tiling,
            at_once,
            roots: [device.upload("roots of unity", forward)?, device.upload("roots of unity", backward)?],
            spectra: spectra.iter().map(upload).collect::<Result<_, _>>()?,
            spectrum_of: spectrum_of.clone(),
            plane: work("spectra of sources")?,
            products: work("products of spectra")?,
        })
    }

    /// Like [`Convolution::compute_sums`]. Does not wait for the device.
    ///
    /// Cost, for each group of tiles transformed at once: two launches for each pass, and two for each of its sums.
    ///
    /// # Errors
    /// If the device is lost, or a buffer belongs to another device.
    ///
    /// # Panics
    /// If a buffer is too short, or a pass has an invalid index of weights.
    pub fn compute_sums(
        &self,
        device: &Device,
        marks: &Buffer<u32>,
        passes: &[Pass],
        sums: &Buffer<u32>,
    ) -> Result<(), DeviceError> {
        let [columns, rows] = self.tiling.plane();
        assert!(marks.len() >= columns * rows, "{} marks for a plane of {columns} x {rows}", marks.len());
        for first in (0..self.tiling.tiles()).step_by(self.at_once) {
            let count = self.at_once.min(self.tiling.tiles() - first);
            for pass in passes {
                self.transform(device, self.tiles(first, count), marks, pass.sources)?;
                for &[weights, to] in &pass.sums {
                    assert!(sums.len() >= (to + 1) * self.tiling.units(), "too few sums: {}", sums.len());
                    let targets = Targets { marks, bits: pass.targets, sums, to: to as u32 };
                    self.transform_back(device, self.tiles(first, count), weights, targets)?;
                }
            }
        }
        Ok(())
    }

    fn tiles(&self, first: usize, count: usize) -> Tiles {
        let Tiling { world: [width, height], radius, sides: [columns, rows] } = self.tiling;
        let [across, _] = self.tiling.tiles_across();
        Tiles { first: first as u32, count: count as u32, across, width, height, radius, columns, rows }
    }

    fn transform(&self, device: &Device, tiles: Tiles, marks: &Buffer<u32>, sources: u32) -> Result<(), DeviceError> {
        let (roots, plane) = (&self.roots[0], &self.plane);
        device.launch_cubes(
            "convolution: rows",
            strips(tiles.count, tiles.rows),
            CUBE_UNITS,
            |client, cubes, dim| {
                let (from, plane) = (kernels::MarksBuffers { marks, roots }.arg(), plane.arg());
                kernels::forward_rows::launch(client, cubes, dim, tiles.arg(), from, plane, sources);
            },
        )?;
        let cubes = strips(tiles.count, tiles.columns);
        device.launch_cubes("convolution: columns", cubes, CUBE_UNITS, |client, cubes, dim| {
            kernels::forward_columns::launch(client, cubes, dim, tiles.arg(), roots.arg(), plane.arg());
        })
    }

    fn transform_back(
        &self,
        device: &Device,
        tiles: Tiles,
        weights: usize,
        targets: Targets<'_>,
    ) -> Result<(), DeviceError> {
        let (roots, products) = (&self.roots[1], &self.products);
        let spectrum = &self.spectra[self.spectrum_of[weights]];
        let cubes = strips(tiles.count, tiles.columns);
        device.launch_cubes("convolution: columns back", cubes, CUBE_UNITS, |client, cubes, dim| {
            let spectra = kernels::SpectraBuffers { roots, plane: &self.plane, spectrum };
            kernels::inverse_columns::launch(client, cubes, dim, tiles.arg(), spectra.arg(), products.arg());
        })?;
        let cubes = strips(tiles.count, tiles.rows);
        device.launch_cubes("convolution: rows back", cubes, CUBE_UNITS, |client, cubes, dim| {
            let Targets { marks, bits, sums, to } = targets;
            let from = kernels::ProductsBuffers { roots, work: products, marks };
            kernels::inverse_rows::launch(client, cubes, dim, tiles.arg(), from.arg(), sums.arg(), bits, to);
        })
    }

    /// Device memory in use, in bytes.
    pub fn bytes(&self) -> usize {
        let Self { roots, spectra, plane, products, .. } = self;
        let buffers = roots.iter().chain(spectra).chain([plane, products]);
        buffers.map(|buffer| size_of::<u32>() * buffer.len()).sum()
    }
}

/// Destination of sums.
#[derive(Clone, Copy)]
struct Targets<'b> {
    marks: &'b Buffer<u32>,
    /// Units with one of these bits receive sums.
    bits: u32,
    sums: &'b Buffer<u32>,
    /// Index of the plane of sums.
    to: u32,
}

/// Number of strips of `lines` lines in `tiles` tiles.
fn strips(tiles: u32, lines: u32) -> u32 {
    tiles * lines / LANES as u32
}
