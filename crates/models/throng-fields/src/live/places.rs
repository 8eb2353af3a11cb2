//! Points of the world in the coordinates of a grid, for the CPU and for devices.

use throng_core::ValueError;
use throng_core::value_error::finite;
use throng_fields_core::between::Corners;
use throng_pictures::Grid;

/// Points between the samples of a grid.
pub(crate) struct Places {
    cells: Vec<u32>,
    shares: Vec<f32>,
    /// Steps to the next column and row.
    right: usize,
    down: usize,
}

/// The largest number of points of a query: 32 bits number two values for each.
const MOST_POINTS: usize = 1 << 31;

impl Places {
    /// # Errors
    /// When a coordinate is not a finite number, or there are too many points.
    pub fn new(grid: &Grid, points: &[[impl Into<f64> + Copy; 2]]) -> Result<Self, ValueError> {
        if points.len() >= MOST_POINTS {
            let remedy = format!("at most {} fit into one question", MOST_POINTS - 1);
            return Err(ValueError::new("points, number", points.len(), remedy));
        }
        let mut places = Self {
            cells: Vec::with_capacity(points.len()),
            shares: Vec::with_capacity(2 * points.len()),
            right: usize::from(grid.columns() > 1),
            down: if grid.rows() > 1 { grid.columns() as usize } else { 0 },
        };
        for (i, point) in points.iter().enumerate() {
            let point = point.map(Into::into);
            let found = grid.between(point).filter(|_| point.iter().all(|at| at.is_finite()));
            let Some(([column, row], shares)) = found else {
                finite(&format!("point {i}, x"), point[0])?;
                finite(&format!("point {i}, y"), point[1])?;
                unreachable!("finite points are between samples");
            };
            places.cells.push(grid.index(column, row) as u32);
            places.shares.extend(shares);
        }
        Ok(places)
    }

    /// The sample before each point.
    pub fn cells(&self) -> &[u32] {
        &self.cells
    }

    /// For each point, its fractions of the way to the next column and the next row.
    pub fn shares(&self) -> &[f32] {
        &self.shares
    }

    /// The samples around each point, and the fractions.
    pub fn corners<'p>(&'p self, values: &'p [f32]) -> impl Iterator<Item = (Corners, [f32; 2])> + 'p {
        let (right, down) = (self.right, self.down);
        self.cells.iter().zip(self.shares.as_chunks().0).map(move |(&cell, &shares)| {
            let (a, c) = (cell as usize, cell as usize + down);
            let corners = Corners { a: values[a], b: values[a + right], c: values[c], d: values[c + right] };
            (corners, shares)
        })
    }
}
