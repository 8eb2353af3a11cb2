//! Sums on CPU threads.

use rayon::prelude::*;

use super::modular::{PRIME, in_product_form, inverse as inverse_of, product, roots};
use super::strips::{Lanes, forward, inverse, transpose};
use super::tiling::{LANES, MAX_RADIUS, MAX_TILE, Tiling};

/// The sources and targets of sums. Every unit of a plane has a word of marks; each bit of the word stands for one
/// property.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pass {
    /// Units with one of these bits are summed.
    pub sources: u32,
    /// Units with one of these bits receive sums; the sums of other units do not change.
    pub targets: u32,
    /// Pairs of indices: the weights, and the plane in which the sums are stored.
    pub sums: Vec<[usize; 2]>,
}

/// Weighted sums over the neighbourhoods of all units of a world: see the [module](super).
#[derive(Debug)]
pub struct Convolution {
    pub(super) tiling: Tiling,
    pub(super) roots: [Vec<u32>; 2],
    /// Spectra of the distinct weights, each in strips of columns like a tile.
    pub(super) spectra: Vec<Vec<Lanes>>,
    /// Index in `spectra` for each set of weights.
    pub(super) spectrum_of: Vec<usize>,
}

impl Convolution {
    /// Prepares sums in a world of `world` columns and rows. Each entry of `weights` holds the weights of the offsets
    /// of at most `radius` along both axes, row by row.
    ///
    /// Memory: 4 bytes per unit of a tile (at most 2^20 units) for each distinct set of weights, and 12 bytes per unit
    /// of a tile while sums are computed.
    ///
    /// # Panics
    /// If the radius exceeds [`MAX_RADIUS`], the world has no units, the number of weights is wrong, or weights add up
    /// to [`PRIME`] or more.
    pub fn new(world: [u32; 2], radius: u32, weights: &[Vec<u32>]) -> Self {
        Self::with_tiles_of(MAX_TILE, world, radius, weights)
    }

    /// Like [`Convolution::new`], with tiles whose sides are at most `longest`.
    pub(super) fn with_tiles_of(longest: u32, world: [u32; 2], radius: u32, weights: &[Vec<u32>]) -> Self {
        assert!(radius <= MAX_RADIUS, "the radius {radius} exceeds {MAX_RADIUS}");
        let tiling = Tiling::best(world, radius, longest);
        let mut convolution = Self {
            tiling,
            roots: roots(longest as usize),
            spectra: Vec::new(),
            spectrum_of: Vec::with_capacity(weights.len()),
        };
        let mut different: Vec<&[u32]> = Vec::new();
        for weights in weights {
            let known = different.iter().position(|&other| other == weights);
            convolution.spectrum_of.push(known.unwrap_or(different.len()));
            if known.is_none() {
                different.push(weights);
                convolution.spectra.push(convolution.spectrum(weights));
            }
        }
        convolution
    }

    /// Returns the spectrum of weights, in product form and divided by the scale factor of the transforms.
    fn spectrum(&self, weights: &[u32]) -> Vec<Lanes> {
        let ([columns, rows], radius) = (self.tiling.sides, self.tiling.radius);
        let side = 2 * radius as usize + 1;
        assert_eq!(weights.len(), side * side, "number of weights for a radius of {radius}");
        let total: u64 = weights.iter().copied().map(u64::from).sum();
        assert!(total < PRIME.into(), "weights add up to {total}, more than {}", PRIME - 1);
        // The sum multiplies the unit at `x` by the weight at offset `x` (a correlation): hence the spectrum of the
        // reversed weights.
        let place = |at: usize, side: u32| (side as usize - at) % side as usize;
        let mut backwards = vec![0; self.tiling.tile_units()];
        for (i, &weight) in weights.iter().enumerate() {
            backwards[place(i / side, rows) * columns as usize + place(i % side, columns)] = weight;
        }
        let mut spectrum = self.work();
        self.forward(|x, y| backwards[y * columns as usize + x], &mut self.work(), &mut spectrum);
        let scale = inverse_of(in_product_form(columns * rows));
        // Converted to product form twice, because each product removes one factor of 2^32.
        let scale = in_product_form(scale);
        spectrum.as_flattened_mut().par_iter_mut().for_each(|number| *number = product(*number, scale));
        spectrum
    }

    fn work(&self) -> Vec<Lanes> {
        vec![[0; LANES]; self.tiling.tile_units() / LANES]
    }

    /// Transforms a tile; the spectrum is stored in strips of columns, and `rows` is a scratch buffer.
    fn forward(&self, number: impl Fn(usize, usize) -> u32 + Sync, rows: &mut [Lanes], spectrum: &mut [Lanes]) {
        let [width, height] = self.tiling.sides.map(|side| side as usize);
        let roots = &self.roots[0];
        rows.par_chunks_exact_mut(width).enumerate().for_each(|(strip, lines)| {
            for (x, numbers) in lines.iter_mut().enumerate() {
                *numbers = std::array::from_fn(|lane| number(x, strip * LANES + lane));
            }
            forward(lines, roots);
        });
        spectrum.par_chunks_exact_mut(height).enumerate().for_each(|(strip, lines)| {
            for (above, lines) in lines.chunks_exact_mut(LANES).enumerate() {
                let first = above * width + strip * LANES;
                transpose(rows[first..first + LANES].iter(), lines);
            }
            forward(lines, roots);
        });
    }

    /// Computes the sums of all passes. `marks` has one word per unit of the plane, which is the world plus a margin of
    /// `radius` units on all sides, row by row. `sums` has consecutive planes with one sum per unit of the world.
    ///
    /// Cost: two transforms of the world for the sources of each pass, and two for each of its sums.
    ///
    /// # Panics
    /// If `marks` is not as long as the plane, or a pass has an invalid index of weights or planes.
    pub fn compute_sums(&self, marks: &[u32], passes: &[Pass], sums: &mut [u32]) {
        let [columns, rows] = self.tiling.plane();
        assert_eq!(marks.len(), columns * rows, "number of marks for a plane of {columns} x {rows}");
        let (mut lines, mut plane, mut products) = (self.work(), self.work(), self.work());
        for tile in 0..self.tiling.tiles() {
            let [left, bottom] = self.tiling.origin(tile);
            for Pass { sources, targets, sums: wanted } in passes {
                let is_source = |x: usize, y: usize| {
                    let (x, y) = (left + x, bottom + y);
                    u32::from(x < columns && y < rows && marks[y * columns + x] & sources != 0)
                };
                self.forward(is_source, &mut lines, &mut plane);
                for &[weights, to] in wanted {
                    self.multiply(&plane, weights, &mut products);
                    let sums = &mut sums[to * self.tiling.units()..(to + 1) * self.tiling.units()];
                    self.inverse_rows(&products, &mut lines, [left, bottom], marks, *targets, sums);
                }
            }
        }
    }

    /// Multiplies a spectrum by the spectrum of weights, and transforms the columns back.
    fn multiply(&self, plane: &[Lanes], weights: usize, products: &mut [Lanes]) {
        let height = self.tiling.sides[1] as usize;
        let spectrum = &self.spectra[self.spectrum_of[weights]];
        let of_strips = plane.par_chunks_exact(height).zip(spectrum.par_chunks_exact(height));
        products.par_chunks_exact_mut(height).zip(of_strips).for_each(|(lines, (plane, spectrum))| {
            for ((numbers, plane), spectrum) in lines.iter_mut().zip(plane).zip(spectrum) {
                *numbers = std::array::from_fn(|lane| product(plane[lane], spectrum[lane]));
            }
            inverse(lines, &self.roots[1]);
        });
    }

    /// Transforms the rows of the sums back, and stores the sums of targets.
    fn inverse_rows(
        &self,
        products: &[Lanes],
        lines: &mut [Lanes],
        [left, bottom]: [usize; 2],
        marks: &[u32],
        targets: u32,
        sums: &mut [u32],
    ) {
        let ([width, height], [inner, _]) = (self.tiling.sides, self.tiling.inner());
        let ([width, height], radius) = ([width, height].map(|side| side as usize), self.tiling.radius as usize);
        let (columns, [plane_columns, _]) = (self.tiling.world[0] as usize, self.tiling.plane());
        let right = columns.min(left + inner as usize);
        let top = sums.len().min((bottom + self.tiling.inner()[1] as usize) * columns);
        let sums = sums[bottom * columns..top].par_chunks_mut(LANES * columns);
        lines.par_chunks_exact_mut(width).zip(sums).enumerate().for_each(|(strip, (lines, sums))| {
            for (across, lines) in lines.chunks_exact_mut(LANES).enumerate() {
                let first = across * height + strip * LANES;
                transpose(products[first..first + LANES].iter(), lines);
            }
            inverse(lines, &self.roots[1]);
            for (lane, sums) in sums.chunks_exact_mut(columns).enumerate() {
                let row = (bottom + strip * LANES + lane + radius) * plane_columns + left + radius;
                for ((sum, numbers), mark) in sums[left..right].iter_mut().zip(lines.iter()).zip(&marks[row..]) {
                    if mark & targets != 0 {
                        *sum = numbers[lane];
                    }
                }
            }
        });
    }
}
