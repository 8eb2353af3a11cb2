//! The cells that shapes cover.

use std::ops::ControlFlow;

use rayon::prelude::*;
use throng_core::InputError;
use throng_fields_core::{Entity, Profile, Shape};
use throng_pictures::{Grid, Sample};

/// Side lengths, in cells, of the nested blocks in which shapes are searched, before single cells.
const BLOCKS: [u32; 3] = [512, 64, 8];

/// Shapes with a reach. A cell is covered if the distance from its centre to a shape is below the reach.
pub(crate) struct Shapes {
    middles: Grid,
    exact: Vec<Entity>,
    /// The same with a larger reach: a shape that does not reach the centre of a block covers no cell of it.
    near: [Vec<Entity>; BLOCKS.len()],
}

impl Shapes {
    pub(crate) fn new(grid: &Grid) -> Self {
        Self { middles: grid.sampled_at(Sample::Centre), exact: Vec::new(), near: Default::default() }
    }

    /// Adds a shape.
    ///
    /// # Errors
    /// When the reach is not a finite number above 0. Nothing else is checked.
    pub(crate) fn add(
        &mut self,
        position: [f64; 2],
        heading: f32,
        shape: &Shape,
        reach: f32,
    ) -> Result<(), InputError> {
        let (cell, most) = (self.middles.cell(), self.middles.columns().max(self.middles.rows()));
        let with = |reach: f32| {
            Ok::<_, InputError>(
                Entity::new(position, Profile::linear(reach)?).with_shape(shape.clone()).with_heading(heading),
            )
        };
        // Half of a diagonal, plus a cell for rounding.
        let farther = BLOCKS.map(|side| (0.71 * side.min(most) as f32 + 1.0) * cell);
        let [large, middle, small] = farther.map(|farther| with(reach + farther));
        let (exact, near) = (with(reach)?, [large?, middle?, small?]);
        self.exact.push(exact);
        self.near.iter_mut().zip(near).for_each(|(all, shape)| all.push(shape));
        Ok(())
    }

    /// The number of shapes.
    pub(crate) fn count(&self) -> usize {
        self.exact.len()
    }

    /// Whether a shape, given by its index, covers any cell.
    pub(crate) fn covers_any(&self, shape: usize) -> bool {
        let all = [(0, self.middles.columns()), (0, self.middles.rows())];
        self.cover(0, all, &[shape], &mut |_, _| ControlFlow::Break(())).is_break()
    }

    /// Computes in parallel, row by row, whether each cell is covered by any of the given shapes.
    pub(crate) fn covered(&self, shapes: &[usize]) -> Vec<bool> {
        let columns = self.middles.columns();
        let mut covered = vec![false; self.middles.cells()];
        covered.par_chunks_mut(BLOCKS[0] as usize * columns as usize).enumerate().for_each(|(band, covered)| {
            let top = band as u32 * BLOCKS[0];
            let rows = (top, (top + BLOCKS[0]).min(self.middles.rows()));
            // `found` never breaks off.
            let _ = self.cover(0, [(0, columns), rows], shapes, &mut |column, row| {
                covered[self.middles.index(column, row - top)] = true;
                ControlFlow::Continue(())
            });
        });
        covered
    }

    /// Finds the cells in half-open ranges of columns and rows that any of the given shapes covers: block by block,
    /// with the shapes near it, until `found` breaks off.
    fn cover(
        &self,
        level: usize,
        [columns, rows]: [(u32, u32); 2],
        shapes: &[usize],
        found: &mut impl FnMut(u32, u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let Some(&side) = BLOCKS.get(level) else {
            for row in rows.0..rows.1 {
                for column in columns.0..columns.1 {
                    let middle = self.middles.point(column, row);
                    if shapes.iter().any(|&shape| self.exact[shape].charge_at(middle) > 0.0) {
                        found(column, row)?;
                    }
                }
            }
            return ControlFlow::Continue(());
        };
        for top in (rows.0..rows.1).step_by(side as usize) {
            for left in (columns.0..columns.1).step_by(side as usize) {
                let block = [(left, (left + side).min(columns.1)), (top, (top + side).min(rows.1))];
                let ends = [0, 1].map(|end: usize| {
                    let at = |(from, to): (u32, u32)| if end == 0 { from } else { to - 1 };
                    self.middles.point(at(block[0]), at(block[1]))
                });
                let middle = [0, 1].map(|axis| ends[0][axis] + (ends[1][axis] - ends[0][axis]) / 2.0);
                let is_near = |&shape: &usize| self.near[level][shape].charge_at(middle) > 0.0;
                let near: Vec<usize> = shapes.iter().copied().filter(is_near).collect();
                if !near.is_empty() {
                    self.cover(level + 1, block, &near, found)?;
                }
            }
        }
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use throng_core::Philox;

    use super::*;

    /// Whether any shape covers the centre of a cell, by testing every shape.
    fn every_pair(shapes: &Shapes) -> Vec<bool> {
        let (columns, rows) = (shapes.middles.columns(), shapes.middles.rows());
        let cells = (0..rows).flat_map(|row| (0..columns).map(move |column| (column, row)));
        let is_covered = |(column, row)| {
            let middle = shapes.middles.point(column, row);
            shapes.exact.iter().any(|shape| shape.charge_at(middle) > 0.0)
        };
        cells.map(is_covered).collect()
    }

    #[test]
    fn covered_cells_match_every_pair() {
        for seed in 0..6 {
            let draws = Philox::new(seed);
            let draw = |shape: u32, number: u32| draws.unit(shape, number, 0, 0) as f32;
            // In half of all cases, coordinates are as coarse as a grid permits.
            let origin = if seed % 2 == 0 { [0.0, 0.0] } else { [200_000.0, -80_000.0] };
            let grid = Grid::new(origin, 0.3, 700, 90).unwrap();
            let mut shapes = Shapes::new(&grid);
            assert!(!shapes.covered(&[]).contains(&true));
            for shape in 0..40 {
                let position = [origin[0] + 230.0 * draw(shape, 0) - 10.0, origin[1] + 40.0 * draw(shape, 1) - 5.0];
                let figure = match shape % 4 {
                    0 => Shape::Disc,
                    1 => Shape::Capsule { length: 60.0 * draw(shape, 2) * draw(shape, 2) * draw(shape, 2) },
                    2 => Shape::Box { half: [8.0 * draw(shape, 2) * draw(shape, 2), 3.0 * draw(shape, 3)] },
                    _ => Shape::Polygon {
                        corners: vec![[0.0, 0.0], [9.0 * draw(shape, 2), 1.0], [2.0, 7.0 * draw(shape, 3)]],
                    },
                };
                let reach = if shape % 4 < 2 { 0.2 + draw(shape, 4) } else { 3e-4 };
                shapes.add(position.map(f64::from), 7.0 * draw(shape, 5), &figure, reach).unwrap();
            }
            let expected = every_pair(&shapes);
            let count = expected.iter().filter(|&&covered| covered).count();
            let all: Vec<usize> = (0..40).collect();
            assert!(shapes.covered(&all) == expected && count > 1000, "{seed}: {count}");
            let single = |shape: usize| Shapes {
                middles: shapes.middles,
                exact: vec![shapes.exact[shape].clone()],
                near: shapes.near.clone().map(|near| vec![near[shape].clone()]),
            };
            let covering = (0..40).filter(|&shape| shapes.covers_any(shape)).collect::<Vec<_>>();
            let expected: Vec<usize> = (0..40).filter(|&shape| every_pair(&single(shape)).contains(&true)).collect();
            assert!(covering == expected && (1..40).contains(&covering.len()), "{seed}: {covering:?}");
        }
    }

    #[test]
    fn lines_of_many_pieces_are_covered_quickly() {
        // Testing each piece in each cell would take minutes.
        let grid = Grid::new([0.0, 0.0], 1.0, 4096, 4096).unwrap();
        let mut shapes = Shapes::new(&grid);
        for piece in 0..1000u16 {
            let x = 4.0 * f32::from(piece);
            let (from, to) = if piece % 2 == 0 { (100.0, 4000.0) } else { (4000.0f32, 100.0f32) };
            let (length, heading) = (libm::hypotf(to - from, 4.0), libm::atan2f(to - from, 4.0));
            shapes.add([x, from].map(f64::from), heading, &Shape::Capsule { length }, 0.71).unwrap();
        }
        let covered = shapes.covered(&(0..1000).collect::<Vec<_>>());
        // Any row between the ends crosses all pieces, each one or two cells wide.
        let row = &covered[2000 * 4096..][..4096];
        assert!((1000..=2000).contains(&row.iter().filter(|&&covered| covered).count()));
    }
}
