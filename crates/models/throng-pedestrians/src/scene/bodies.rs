//! The bodies of pedestrians, and the limits of their sizes.

use throng_core::InputError;

use super::super::rules::body::Shape;
use super::super::rules::body_size::Limits;
use super::Pedestrians;

/// The sizes between which a body changes during a run: columns and rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct BodyLimits {
    /// Its smallest size.
    pub smallest: [u8; 2],
    /// Its largest size.
    pub largest: [u8; 2],
}

impl BodyLimits {
    /// Returns the limits of a body whose size does not change.
    pub fn of_constant(body: [u8; 2]) -> Self {
        Self { smallest: body, largest: body }
    }

    /// Whether the size of the body does not change.
    pub fn are_constant(&self) -> bool {
        self.smallest == self.largest
    }
}

impl From<BodyLimits> for Limits {
    fn from(BodyLimits { smallest, largest }: BodyLimits) -> Self {
        let ([smallest_columns, smallest_rows], [largest_columns, largest_rows]) =
            (smallest.map(i32::from), largest.map(i32::from));
        Self { smallest_columns, smallest_rows, largest_columns, largest_rows }
    }
}

impl Pedestrians {
    /// Returns the columns and rows of a pedestrian's body.
    pub fn body(&self, pedestrian: usize) -> [u8; 2] {
        self.bodies.get(pedestrian).copied().unwrap_or([1; 2])
    }

    /// Returns the heading and the body size of a pedestrian.
    #[inline]
    pub(in super::super) fn shape(&self, pedestrian: u32) -> Shape {
        let [columns, rows] = self.body(pedestrian as usize).map(i32::from);
        Shape { heading: self.heading[pedestrian as usize].into(), columns, rows }
    }

    /// Returns the limits of the size of a pedestrian's body.
    pub fn limits(&self, pedestrian: usize) -> BodyLimits {
        self.limits.get(pedestrian).copied().unwrap_or_else(|| BodyLimits::of_constant(self.body(pedestrian)))
    }

    /// Whether some bodies have several space units, or may grow to several.
    pub fn has_large_bodies(&self) -> bool {
        self.bodies.iter().any(|&body| body != [1; 2]) || self.limits.iter().any(|limits| limits.largest != [1; 2])
    }

    /// Whether some bodies change their size during a run.
    pub fn has_changing_bodies(&self) -> bool {
        self.limits.iter().any(|limits| !limits.are_constant())
    }

    /// Rejects bodies of several space units.
    ///
    /// # Errors
    /// The first such body.
    pub(in super::super) fn check_one_unit_each(&self) -> Result<(), InputError> {
        let is_large = |&pedestrian: &usize| [self.body(pedestrian), self.limits(pedestrian).largest] != [[1; 2]; 2];
        match (0..self.bodies.len().max(self.limits.len())).find(is_large) {
            None => Ok(()),
            Some(pedestrian) => {
                let [columns, rows] = self.limits(pedestrian).largest;
                let found = format!("a body of {columns} x {rows} space units");
                Err(InputError::one(format!("pedestrian {pedestrian}"), found, "use an executor for large bodies"))
            }
        }
    }

    /// Initializes the columns of bodies that change their size; without any, clears them.
    pub(in super::super) fn begin_changes(&mut self) {
        let count = self.len();
        if !self.has_changing_bodies() {
            self.limits.clear();
            self.blocked.clear();
            return;
        }
        self.bodies.resize(count, [1; 2]);
        self.blocked.resize(count, 0);
    }
}
