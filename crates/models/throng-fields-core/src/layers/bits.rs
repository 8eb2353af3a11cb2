//! Packed layers: a bit per layer and cell.

use throng_core::InputError;
use throng_pictures::{Grid, Mask};

use super::stack::{LayerStack, MAX_LAYERS};
use crate::field::Field;

/// Up to 32 Boolean layers over one grid, stored as 32 bits per cell; layer `k` is bit `k`, counted from the lowest.
///
/// ```
/// use throng_fields_core::{Entity, Grid, Profile, layers::{BitLayers, LayerStack}};
///
/// let grid = Grid::new([0.0, 0.0], 1.0, 32, 1)?;
/// let at = |x, layers| Profile::linear(4.0).map(|profile| Entity::new([x, 0.5], profile).in_layers(layers));
/// let stack = LayerStack::by_tiles(&grid, &[at(8.5, 0b01)?, at(10.5, 0b10)?], 2)?;
/// // Where either has half its strength or more.
/// let felt = BitLayers::of(&stack, &[0.5, 0.5])?;
/// assert_eq!((felt.count(0), felt.get(10, 0, 0), felt.get(10, 0, 1)), (5, true, true));
/// let both = felt.intersection(0b11);
/// assert_eq!((0..32).filter(|&column| both.allows(column, 0)).collect::<Vec<_>>(), [8, 9, 10]);
/// # Ok::<(), throng_fields_core::InputError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct BitLayers {
    grid: Grid,
    bits: Vec<u32>,
}

impl BitLayers {
    /// Creates layers that are false in all cells.
    pub fn new(grid: Grid) -> Self {
        Self { grid, bits: vec![0; grid.cells()] }
    }

    /// Wraps layers that were packed elsewhere, 32 bits per cell.
    pub fn from_bits(grid: Grid, bits: Vec<u32>) -> Self {
        Self { grid, bits }
    }

    /// True where a layer's value is at least its threshold, with one threshold per layer. Finite values never
    /// reach a threshold of infinity.
    ///
    /// # Errors
    /// When the numbers of thresholds and layers differ, or a threshold is not a number.
    pub fn of(layers: &LayerStack, thresholds: &[f32]) -> Result<Self, InputError> {
        if thresholds.len() != layers.count() as usize {
            let remedy = format!("expected one for each of the {} layers", layers.count());
            return Err(InputError::one("bit layers, number of thresholds", thresholds.len(), remedy));
        }
        let mut all = Self::new(*layers.grid());
        for (layer, &threshold) in (0..).zip(thresholds) {
            layers.layer(layer).map_or(Ok(()), |field| all.add_where(layer, field, threshold))?;
        }
        Ok(all)
    }

    /// Adds to a layer the cells in which a field is at least a threshold.
    ///
    /// # Errors
    /// When the layer is beyond the last, the field has another grid, or the threshold is not a number.
    pub fn add_where(&mut self, layer: u32, field: &Field, threshold: f32) -> Result<(), InputError> {
        check_layer("layer", layer)?;
        check_threshold(layer, threshold)?;
        self.grid.check_same_cells("bit layers", field.grid())?;
        for (bits, &value) in self.bits.iter_mut().zip(field.values()) {
            *bits |= u32::from(value >= threshold) << layer;
        }
        Ok(())
    }

    /// The grid.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The bits of all cells, row by row.
    pub fn bits(&self) -> &[u32] {
        &self.bits
    }

    /// Whether a layer contains a cell; false for cells outside the grid and layers beyond the last.
    pub fn get(&self, column: u32, row: u32, layer: u32) -> bool {
        let bits = self.grid.find(column, row).map_or(0, |cell| self.bits[cell]);
        layer < MAX_LAYERS && bits >> layer & 1 == 1
    }

    /// Adds a cell to a layer, or removes it.
    ///
    /// # Errors
    /// When the cell is outside the grid, or the layer beyond the last.
    pub fn set(&mut self, column: u32, row: u32, layer: u32, value: bool) -> Result<(), InputError> {
        let cell = self.grid.expect("cell", (column, row))?;
        check_layer("layer", layer)?;
        let bit = 1 << layer;
        self.bits[cell] = if value { self.bits[cell] | bit } else { self.bits[cell] & !bit };
        Ok(())
    }

    /// The number of cells of a layer.
    pub fn count(&self, layer: u32) -> usize {
        let bit = 1u32.checked_shl(layer).unwrap_or(0);
        self.bits.iter().filter(|&&bits| bits & bit != 0).count()
    }

    /// The cells that belong to at least one of the layers given as bits.
    pub fn union(&self, layers: u32) -> Mask {
        Mask::new(&self.grid, |column, row| self.bits[self.grid.index(column, row)] & layers != 0)
    }

    /// The cells that belong to all of the layers given as bits; all cells if no bit is set.
    pub fn intersection(&self, layers: u32) -> Mask {
        Mask::new(&self.grid, |column, row| self.bits[self.grid.index(column, row)] & layers == layers)
    }
}

/// Rejects a NaN threshold.
pub fn check_threshold(layer: u32, threshold: f32) -> Result<(), InputError> {
    if threshold.is_nan() {
        let place = format!("bit layers, threshold of layer {layer}");
        return Err(InputError::one(place, threshold, "expected a number"));
    }
    Ok(())
}

/// Rejects a layer index without a bit.
pub(super) fn check_layer(place: &str, layer: u32) -> Result<(), InputError> {
    if layer < MAX_LAYERS {
        return Ok(());
    }
    Err(InputError::one(place, layer, format!("layers are numbered from 0 to {}", MAX_LAYERS - 1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_set_cleared_and_counted() {
        let mut bits = BitLayers::new(Grid::new([0.0, 0.0], 1.0, 3, 2).unwrap());
        for (column, row, layer) in [(0, 0, 0), (2, 1, 0), (2, 1, 31), (1, 0, 31)] {
            bits.set(column, row, layer, true).unwrap();
            assert!(bits.get(column, row, layer));
        }
        assert_eq!(bits.bits(), [1, 1 << 31, 0, 0, 0, 1 | 1 << 31]);
        assert_eq!([0, 1, 31, 32].map(|layer| bits.count(layer)), [2, 0, 2, 0]);
        bits.set(2, 1, 0, false).unwrap();
        assert_eq!((bits.get(2, 1, 0), bits.get(2, 1, 31), bits.count(0)), (false, true, 1));
        assert!(!bits.get(3, 0, 0) && !bits.get(0, 0, 32));
        assert_eq!(bits.set(3, 0, 0, true).unwrap_err().place(), "cell at (3, 0)");
        assert_eq!(bits.set(0, 0, 32, true).unwrap_err().place(), "layer");
    }

    #[test]
    fn layers_are_thresholded_united_and_intersected() {
        let grid = Grid::new([0.0, 0.0], 1.0, 4, 1).unwrap();
        let field = |values: [f32; 4]| Field::new(grid, values.to_vec());
        let stack = [[0.0, 1.0, 2.0, 3.0], [3.0, 2.0, 1.0, 0.0], [9.0, 9.0, 9.0, f32::NAN]].map(field);
        let stack = LayerStack::of(stack.to_vec()).unwrap();
        let bits = BitLayers::of(&stack, &[1.0, 2.0, f32::NEG_INFINITY]).unwrap();
        assert_eq!(bits.bits(), [0b110, 0b111, 0b101, 0b001]);
        let columns = |mask: Mask| (0..4).filter(|&column| mask.allows(column, 0)).collect::<Vec<_>>();
        assert_eq!(columns(bits.union(0b011)), [0, 1, 2, 3]);
        assert_eq!(columns(bits.union(0b010)), [0, 1]);
        assert_eq!(columns(bits.intersection(0b101)), [1, 2]);
        assert_eq!((columns(bits.union(0)).len(), columns(bits.intersection(0)).len()), (0, 4));
        assert_eq!(BitLayers::of(&stack, &[1.0]).unwrap_err().place(), "bit layers, number of thresholds");
        let mut bits = BitLayers::new(grid);
        bits.add_where(31, stack.layer(0).unwrap(), 2.5).unwrap();
        bits.add_where(31, stack.layer(1).unwrap(), 3.0).unwrap();
        assert_eq!(bits.bits(), [1 << 31, 0, 0, 1 << 31]);
        let wide = Field::new(Grid::new([0.0, 0.0], 1.0, 5, 1).unwrap(), vec![0.0; 5]);
        assert_eq!(bits.add_where(0, &wide, 1.0).unwrap_err().place(), "bit layers, grid");
        assert_eq!(bits.add_where(32, &wide, 1.0).unwrap_err().place(), "layer");
        let error = BitLayers::of(&stack, &[1.0, f32::NAN, 1.0]).unwrap_err();
        assert_eq!(error.place(), "bit layers, threshold of layer 1");
    }
}
