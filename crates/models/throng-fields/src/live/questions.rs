//! Queries of a field, executed where it is stored: at once, or later.

use throng_core::ValueError;
use throng_fields_core::field::Field;
use throng_fields_core::query::Best;

use super::later::Later;
use super::moving_fields::MovingFields;
use super::places::Places;
use super::window::Window;

/// The largest number of best cells of a result: 32 bits number two values for each.
const MOST_BEST: usize = 1 << 31;

impl MovingFields {
    /// The `wanted` best cells of each window, the best one first; among equal cells, the one in the lower row and
    /// column. Fewer if a window has fewer cells within the grid. Only these cells are copied from a device.
    ///
    /// # Errors
    /// When 2^31 cells or more are requested in total, or the device fails.
    pub fn best_in(&self, windows: &[Window], wanted: usize) -> Result<Vec<Vec<Best>>, ValueError> {
        self.best_in_later(windows, wanted)?.wait()
    }

    /// The values at points of the world, interpolated between the four samples around each (bilinear); beyond the last
    /// samples, the value at the border. Bit for bit those of [`Field::sample`]. Fractions of a cell below 2^-30 count
    /// as 0.
    ///
    /// # Errors
    /// When a coordinate is not a finite number, or the device fails.
    pub fn sample(&self, points: &[[impl Into<f64> + Copy; 2]]) -> Result<Vec<f32>, ValueError> {
        self.sample_later(points)?.wait()
    }

    /// The increase of the value per world unit along x and y, at points of the world: bit for bit [`Field::gradient`].
    ///
    /// # Errors
    /// As for [`MovingFields::sample`].
    pub fn gradients(&self, points: &[[impl Into<f64> + Copy; 2]]) -> Result<Vec<[f32; 2]>, ValueError> {
        self.gradients_later(points)?.wait()
    }

    /// The whole field, copied from the device if it is on one. For queries in each step of a game, prefer the other
    /// functions, which copy only their results.
    ///
    /// # Errors
    /// When the device fails.
    pub fn read(&self) -> Result<Field, ValueError> {
        self.read_later()?.wait()
    }

    /// Like [`MovingFields::best_in`], but the result stays where it is computed.
    ///
    /// # Errors
    /// As for [`MovingFields::best_in`], as far as they are known now.
    pub fn best_in_later(&self, windows: &[Window], wanted: usize) -> Result<Later<Vec<Vec<Best>>>, ValueError> {
        let of_window = |window: &Window| window.cells_on(self.grid()).map_or(0, |cells| cells.count().min(wanted));
        let cells = windows.iter().map(of_window).fold(0, usize::saturating_add);
        if cells >= MOST_BEST {
            let remedy =
                format!("fewer than {MOST_BEST} fit into one answer: ask for fewer of each, or for fewer windows");
            return Err(ValueError::new("windows, best cells in all", cells, remedy));
        }
        self.executor.best_in(windows, wanted)
    }

    /// Like [`MovingFields::sample`], but the result stays where it is computed.
    ///
    /// # Errors
    /// As for [`MovingFields::sample`], as far as they are known now.
    pub fn sample_later(&self, points: &[[impl Into<f64> + Copy; 2]]) -> Result<Later<Vec<f32>>, ValueError> {
        self.executor.sample(&Places::new(self.grid(), points)?)
    }

    /// Like [`MovingFields::gradients`], but the result stays where it is computed.
    ///
    /// # Errors
    /// As for [`MovingFields::sample`], as far as they are known now.
    pub fn gradients_later(&self, points: &[[impl Into<f64> + Copy; 2]]) -> Result<Later<Vec<[f32; 2]>>, ValueError> {
        self.executor.gradients(&Places::new(self.grid(), points)?)
    }

    /// Like [`MovingFields::read`], but copied while the device continues: the current field, independent of later
    /// updates.
    ///
    /// # Errors
    /// When the device has failed.
    pub fn read_later(&self) -> Result<Later<Field>, ValueError> {
        self.executor.read()
    }
}
