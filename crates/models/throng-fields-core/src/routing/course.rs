//! Courses: goals and steering of agents.

use throng_core::InputError;
use throng_core::checks::not_negative;

use super::ground::Ground;
use super::steering::Steering;

/// The goals of some agents of a [`Crowd`](super::Crowd), their steering, and their pace. The agents of a crowd may be
/// on different courses, and may change them.
///
/// ```
/// use throng_fields_core::{Grid, Mask, routing::{Course, Crowd, FlowField, Ground, Steering}};
///
/// let grid = Grid::new([0.0, 0.0], 1.0, 21, 5)?;
/// let open = Mask::new(&grid, |_, _| true);
/// let ground = |goal: u32| Ground::new(&grid, open.clone(), Mask::new(&grid, |column, _| column == goal));
/// let (west, east) = (ground(0)?, ground(20)?);
/// let flows = [FlowField::new(west.distances()), FlowField::new(east.distances())];
/// let courses = [
///     Course::new(&west, Steering::Follow(&flows[0])),
///     Course::new(&east, Steering::Follow(&flows[1])).at_pace(2.0)?,
/// ];
/// let mut crowd = Crowd::new(&west, &[[10.5, 2.5]; 2], &[1.0; 2])?;
/// crowd.set_course(1, 1, &east)?;
/// crowd.step_on(&courses, 4.0)?;
/// let columns: Vec<f32> = crowd.positions().map(|[x, _]| x).collect();
/// assert!((columns[0] - 6.5).abs() < 0.01 && (columns[1] - 18.5).abs() < 0.01, "{columns:?}");
/// # Ok::<(), throng_fields_core::InputError>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Course<'a> {
    /// The open cells, which must equal the open cells of the crowd, and the goals.
    pub ground: &'a Ground,
    /// How directions are chosen.
    pub steering: Steering<'a>,
    pace: f32,
}

impl<'a> Course<'a> {
    /// Creates a course on which agents walk at their own speed.
    pub fn new(ground: &'a Ground, steering: Steering<'a>) -> Self {
        Self { ground, steering, pace: 1.0 }
    }

    /// Sets the factor by which the agents' speed is multiplied.
    ///
    /// # Errors
    /// When the factor is negative or not finite.
    pub fn at_pace(self, pace: f32) -> Result<Self, InputError> {
        not_negative("pace", pace)?;
        Ok(Self { pace, ..self })
    }

    pub(super) fn pace(&self) -> f32 {
        self.pace
    }

    /// Rejects grids that differ from the grid of the agents.
    pub(super) fn check(&self, ground: &Ground) -> Result<(), InputError> {
        ground.grid().check_same_cells("course", self.ground.grid())?;
        self.steering.check(ground)
    }
}
