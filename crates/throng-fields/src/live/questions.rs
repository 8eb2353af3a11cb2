//! Questions to a field, answered where it lives: at once, or later.

use super::later::Later;
use super::moving_fields::MovingFields;
use super::places::Places;
use super::window::Window;
use crate::error::FieldError;
use crate::field::Field;
use crate::query::Best;

/// The most best cells of one answer: what 32 bits count, two numbers for each.
const MOST_BEST: usize = 1 << 31;

impl MovingFields {
    /// The `wanted` best cells of each window, the best one first; of equal ones that in the lower row and column. Fewer where
    /// a window has fewer cells within the grid. Only these cells leave a device.
    ///
    /// # Errors
    /// When 2^31 cells or more are asked for in all, or the device fails.
    pub fn best_in(&self, windows: &[Window], wanted: usize) -> Result<Vec<Vec<Best>>, FieldError> {
        self.best_in_later(windows, wanted)?.wait()
    }

    /// The values at points of the world, each between the four samples around it (bilinear), and that of the border beyond
    /// the last samples: bit for bit those of [`Field::sample`]. Shares of a cell below 2^-30 are 0.
    ///
    /// # Errors
    /// When a coordinate is not a finite number, or the device fails.
    pub fn sample(&self, points: &[[impl Into<f64> + Copy; 2]]) -> Result<Vec<f32>, FieldError> {
        self.sample_later(points)?.wait()
    }

    /// How much the value grows per world unit along x and y, at points of the world: bit for bit [`Field::gradient`].
    ///
    /// # Errors
    /// As for [`MovingFields::sample`].
    pub fn gradients(&self, points: &[[impl Into<f64> + Copy; 2]]) -> Result<Vec<[f32; 2]>, FieldError> {
        self.gradients_later(points)?.wait()
    }

    /// The whole field, copied from the device where it is on one. What a game asks for each step is better asked for by
    /// the other questions, which copy only answers.
    ///
    /// # Errors
    /// When the device fails.
    pub fn read(&self) -> Result<Field, FieldError> {
        self.read_later()?.wait()
    }

    /// As [`MovingFields::best_in`], with the answer left where it is made.
    ///
    /// # Errors
    /// As for [`MovingFields::best_in`], as far as they show now.
    pub fn best_in_later(&self, windows: &[Window], wanted: usize) -> Result<Later<Vec<Vec<Best>>>, FieldError> {
        let of_window = |window: &Window| window.cells_on(self.grid()).map_or(0, |cells| cells.count().min(wanted));
        let cells = windows.iter().map(of_window).fold(0, usize::saturating_add);
        if cells >= MOST_BEST {
            let remedy =
                format!("fewer than {MOST_BEST} fit into one answer: ask for fewer of each, or for fewer windows");
            return Err(FieldError::new("windows, best cells in all", cells, remedy));
        }
        self.executor.best_in(windows, wanted)
    }

    /// As [`MovingFields::sample`], with the answer left where it is made.
    ///
    /// # Errors
    /// As for [`MovingFields::sample`], as far as they show now.
    pub fn sample_later(&self, points: &[[impl Into<f64> + Copy; 2]]) -> Result<Later<Vec<f32>>, FieldError> {
        self.executor.sample(&Places::new(self.grid(), points)?)
    }

    /// As [`MovingFields::gradients`], with the answer left where it is made.
    ///
    /// # Errors
    /// As for [`MovingFields::sample`], as far as they show now.
    pub fn gradients_later(&self, points: &[[impl Into<f64> + Copy; 2]]) -> Result<Later<Vec<[f32; 2]>>, FieldError> {
        self.executor.gradients(&Places::new(self.grid(), points)?)
    }

    /// As [`MovingFields::read`], on its way while the device goes on: the field of now, whatever updates follow.
    ///
    /// # Errors
    /// When the device failed before.
    pub fn read_later(&self) -> Result<Later<Field>, FieldError> {
        self.executor.read()
    }
}
