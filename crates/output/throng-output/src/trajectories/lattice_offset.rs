//! Offsets of agents on a lattice.

use throng_core::Philox;

/// Maximum offset along an axis, m.
const MAX_OFFSET_M: f64 = 0.0005;
/// Maximum offset along an axis, cells.
const MAX_OFFSET_CELLS: f64 = 0.01;
/// Purpose of the random draws.
const OFFSET: u32 = 1;

/// Returns the offset (x, y) of an agent from the centre of its cell in metres, for trajectory files of lattice models:
/// up to half a millimetre along each axis, or a hundredth of a cell of `cell_m` if that is less.
///
/// The Voronoi cells of agents exactly on a line or a square meet in points whose rounded coordinates make invalid
/// polygons, so that PedPy's analysis fails in GEOS with a `TopologyException`. The offset depends only on the agent's
/// id, so walked distances and speeds remain those of the lattice.
///
/// ```
/// use throng_output::lattice_offset;
///
/// let [x, y] = lattice_offset(17, 0.4);
/// assert!(x.abs() <= 0.0005 && y.abs() <= 0.0005);
/// assert_ne!(lattice_offset(18, 0.4), [x, y]);
/// ```
pub fn lattice_offset(id: u64, cell_m: f64) -> [f64; 2] {
    let largest_m = MAX_OFFSET_M.min(MAX_OFFSET_CELLS * cell_m);
    let [x, y, ..] = Philox::new(0).block([id as u32, (id >> 32) as u32, OFFSET, 0]);
    // Maps each word to [-1, 1).
    [x, y].map(|word| largest_m * (f64::from(word) / f64::from(1u32 << 31) - 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_are_small_and_spread_over_both_signs() {
        for (cell_m, largest_m) in [(0.4, 0.0005), (0.01, 0.0001), (0.001, 0.000_01)] {
            let offsets: Vec<[f64; 2]> = (0..1000).map(|id| lattice_offset(id, cell_m)).collect();
            for axis in 0..2 {
                let values = || offsets.iter().map(|offset| offset[axis]);
                assert!(values().all(|offset| offset.abs() <= largest_m), "{cell_m}");
                let (least, greatest) = (values().fold(0.0, f64::min), values().fold(0.0, f64::max));
                assert!(least < -0.9 * largest_m && greatest > 0.9 * largest_m, "{cell_m} {least} {greatest}");
            }
        }
    }
}
