//! How densely agents stand.

use crate::field::Field;
use crate::grid::Grid;

/// Agents per unit of area in each cell of a grid. Agents outside count in the nearest cell.
///
/// ```
/// use throng_fields::Grid;
/// use throng_fields::pictures::density;
///
/// let grid = Grid::new([0.0, 10.0], 2.0, 3, 2)?;
/// // Two in the first cell, of 4 units of area, one in the last, and one beyond its upper right corner.
/// let field = density(grid, [[0.5, 10.0], [1.5, 11.9], [4.0, 12.0], [6.0, 14.0]]);
/// assert_eq!(field.values(), [0.5, 0.0, 0.0, 0.0, 0.0, 0.5]);
/// # Ok::<(), throng_fields::FieldError>(())
/// ```
pub fn density(grid: Grid, agents: impl IntoIterator<Item = [f64; 2]>) -> Field {
    let mut counts = vec![0u32; grid.cells()];
    for agent in agents {
        let [x, y] = grid.in_cells(agent);
        // Conversions of negative numbers give 0.
        let [column, row] = [(x as u32).min(grid.columns() - 1), (y as u32).min(grid.rows() - 1)];
        counts[grid.index(column, row)] += 1;
    }
    let area = f64::from(grid.cell()) * f64::from(grid.cell());
    Field::new(grid, counts.into_iter().map(|count| (f64::from(count) / area) as f32).collect())
}
