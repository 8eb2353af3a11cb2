//! Steering: how agents choose their direction.

use std::fmt;

use throng_core::checks::not_negative;
use throng_core::{InputError, Philox};
use throng_pictures::Grid;
use throng_pictures::grid::NEIGHBOURS;

use super::flow_field::FlowField;
use super::formation::Formation;
use super::ground::Ground;
use super::purpose;
use crate::creation::FixedPoint;
use crate::entities::Entity;
use crate::field::Field;
use crate::rules::fixed_point::Stepped;

/// The method by which agents choose their direction.
///
/// ```
/// use throng_fields_core::routing::{Crowd, FlowField, Sense, Steering, maps};
///
/// let map = maps::empty(64)?;
/// let (field, flow) = (map.attraction()?, FlowField::new(map.ground.distances()));
/// let sense = Sense::climbing(&field);
/// let mut times = Vec::new();
/// for steering in [Steering::Slope(sense), Steering::Neighbour(sense, None), Steering::Follow(&flow)] {
///     let mut crowd = Crowd::new(&map.ground, &[[2.5, 20.5]], &[1.0])?;
///     crowd.run(&steering, 0.5, 200)?;
///     times.extend(crowd.arrivals().flatten());
/// }
/// // There are no obstacles, so all agents arrive; walking at any angle is shorter than walking from cell to cell.
/// assert!(times.len() == 3 && times[0] < times[1] && times[2] < times[1], "{times:?}");
/// # Ok::<(), throng_fields_core::InputError>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub enum Steering<'a> {
    /// The steepest ascent or descent of a field at the agent's position, at any angle, sliding along walls. Falls back
    /// to the best neighbour if there is no such direction, as next to infinite values.
    Slope(Sense<'a>),
    /// The best of the eight neighbours of the agent's cell, if it is better than the cell; away from the agent's own
    /// trail, if it leaves one.
    Neighbour(Sense<'a>, Option<Trail>),
    /// A flow field, which leads out of every trap if there is a path, at any angle.
    Follow(&'a FlowField),
    /// The slot of the agent in a formation, if a straight way leads to it, else a flow field.
    Keep(&'a FlowField, &'a Formation),
    /// Agents stay where they are.
    Stay,
}

/// A field as an agent perceives it: whether higher or lower values are better, and the noise of the perception.
///
/// ```
/// use throng_fields_core::{Entity, Grid, Profile, creation, routing::{Sense, Steering, Trail}};
///
/// let grid = Grid::new([0.0, 0.0], 1.0, 32, 32)?;
/// let field = creation::by_tiles(&grid, &[Entity::new([20.5, 8.5], Profile::linear(40.0)?)])?;
/// let straight_up = Steering::Slope(Sense::climbing(&field));
/// let uncertain = Steering::Slope(Sense::climbing(&field).with_noise(0.01, 4711)?);
/// let restless = Steering::Neighbour(Sense::climbing(&field), Some(Trail::new(30, 0.02)?));
/// assert!(format!("{uncertain:?}").len() < 300, "a thousand values are left out");
/// # let _ = (straight_up, uncertain, restless);
/// # Ok::<(), throng_fields_core::InputError>(())
/// ```
#[derive(Clone, Copy)]
pub struct Sense<'a> {
    field: &'a Field,
    sign: f32,
    noise: Option<(f32, Philox)>,
    own: Option<Own<'a>>,
}

/// The field that each agent carries and does not sense.
#[derive(Clone, Copy)]
struct Own<'a> {
    carried: &'a Entity,
    /// The weight with which it contributes to the field.
    weight: f32,
    fixed_point: Option<FixedPoint>,
}

/// Omits the values of the field, of which there may be millions.
impl fmt::Debug for Sense<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { field, sign, noise, own: _ } = self;
        let noise = noise.map_or(0.0, |(amplitude, _)| amplitude);
        let mut text = f.debug_struct("Sense");
        text.field("grid", field.grid()).field("sign", sign).field("noise", &noise).finish_non_exhaustive()
    }
}

impl<'a> Sense<'a> {
    /// Prefers higher values, as in potential fields, where positive charges attract.
    pub fn climbing(field: &'a Field) -> Self {
        Self { field, sign: 1.0, noise: None, own: None }
    }

    /// Prefers lower values, as in travel times.
    pub fn descending(field: &'a Field) -> Self {
        Self { sign: -1.0, ..Self::climbing(field) }
    }

    /// Adds noise: in each step, an agent perceives each cell with a separate error, uniformly distributed from
    /// `-amplitude` to `amplitude`. Seed, agent, step and cell determine the error.
    ///
    /// # Errors
    /// When the amplitude is negative or not a number.
    pub fn with_noise(self, amplitude: f32, seed: u64) -> Result<Self, InputError> {
        not_negative("noise, amplitude", amplitude)?;
        Ok(Self { noise: (amplitude > 0.0).then(|| (amplitude, Philox::new(seed))), ..self })
    }

    /// Hides from each agent the field that it carries itself, which contributes to this field with a `weight`: the
    /// field of `carried` at the agent's position at the beginning of a step, in the arithmetic of this field. Without
    /// this, an agent with a positive charge climbs its own peak.
    pub fn excluding_carried_field(self, carried: &'a Entity, weight: f32, fixed_point: Option<FixedPoint>) -> Self {
        Self { own: Some(Own { carried, weight, fixed_point }), ..self }
    }

    /// The part of the field that is carried by an agent at a position.
    fn own(&self, [x, y]: [f32; 2]) -> Option<OwnField> {
        let Own { carried, weight, fixed_point } = self.own?;
        let carried = Entity { position: [x.into(), y.into()], ..carried.clone() };
        let grid = self.field.grid();
        Some(match fixed_point {
            Some(fixed_point) => {
                let step = fixed_point.step();
                OwnField::Steps { steps: Stepped::new(grid, &carried, step), factor: weight, step }
            }
            None => OwnField::Floats { carried, factor: weight, grid: *grid },
        })
    }

    /// The value of a cell as perceived by an agent.
    fn value(&self, walker: &Walker<'_>, cell: usize) -> f32 {
        let mut value = self.field.values()[cell];
        if let Some(own) = walker.own {
            value -= own.at(self.field.grid().place(cell));
        }
        value *= self.sign;
        if let Some((amplitude, draws)) = self.noise {
            let draw = draws.unit(walker.number, walker.step, purpose::NOISE, cell as u32);
            value += amplitude * (2.0 * draw - 1.0) as f32;
        }
        value
    }

    /// The direction of the slope, of length 1; `None` where the field is flat or the slope is not finite.
    fn slope(&self, walker: &Walker<'_>) -> Option<[f32; 2]> {
        let [x, y] = self.field.gradient_of(walker.position.map(f64::from), |cell| self.value(walker, cell))?;
        let length = libm::hypotf(x, y);
        (length > 0.0 && length.is_finite()).then(|| [x / length, y / length])
    }

    /// The best neighbour that is better than the agent's cell.
    fn neighbour(&self, ground: &Ground, walker: &Walker<'_>, trail: Option<Trail>) -> Option<(u32, u32)> {
        let (column, row) = walker.cell;
        let value = |(column, row)| {
            let cell = ground.grid().index(column, row);
            let visits = walker.trail.iter().filter(|&&visited| visited as usize == cell).count();
            self.value(walker, cell) - trail.map_or(0.0, |trail| trail.charge * visits as f32)
        };
        let mut best = (None, value(walker.cell));
        for (dx, dy) in NEIGHBOURS {
            let to = (column.wrapping_add_signed(dx), row.wrapping_add_signed(dy));
            if ground.may_step(walker.cell, to) {
                let value = value(to);
                if value > best.1 {
                    best = (Some(to), value);
                }
            }
        }
        best.0
    }
}

/// The trail that an agent leaves for itself to escape local optima, after Hagelbäck's bots: a charge that repels it
/// from its most recently entered cells.
///
/// ```
/// use throng_fields_core::routing::{Crowd, Sense, Steering, Trail, maps};
///
/// let map = maps::city(48)?;
/// let field = map.attraction()?;
/// let arrived = |trail| {
///     let mut crowd = Crowd::new(&map.ground, &map.scatter(50, 1), &[1.5; 50])?;
///     crowd.run(&Steering::Neighbour(Sense::climbing(&field), trail), 0.5, 1200)?;
///     Ok::<_, throng_fields_core::InputError>(crowd.measures(20.0)?.arrived)
/// };
/// // Courtyards are traps; a trail with more cells than a courtyard fills it.
/// assert!(arrived(None)? < 0.9);
/// assert_eq!(arrived(Some(Trail::new(800, 2.0)?))?, 1.0);
/// # Ok::<(), throng_fields_core::InputError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Trail {
    cells: u32,
    charge: f32,
}

/// Maximum number of cells of a trail.
const MAX_TRAIL: u32 = 4096;

impl Trail {
    /// Creates a trail of the last `cells` cells that an agent entered, including the current one. For the agent, each
    /// of them is worse by `charge`, and by twice as much if it entered the cell twice. A trail fills a trap that has
    /// fewer cells. It takes 4 bytes per cell and agent, and is searched up to nine times for each step to a neighbour.
    ///
    /// # Errors
    /// When the charge is negative or not a number, or there are more than 4096 cells.
    pub fn new(cells: u32, charge: f32) -> Result<Self, InputError> {
        not_negative("trail, charge", charge)?;
        if cells > MAX_TRAIL {
            return Err(InputError::one("trail, cells", cells, format!("expected at most {MAX_TRAIL}")));
        }
        Ok(Self { cells, charge })
    }
}

/// The data from which an agent chooses its direction.
#[derive(Debug, Clone, Copy)]
pub(super) struct Walker<'a> {
    pub(super) number: u32,
    pub(super) step: u32,
    pub(super) position: [f32; 2],
    pub(super) cell: (u32, u32),
    /// Indices of the most recently entered cells.
    pub(super) trail: &'a [u32],
    /// The field that the agent carries.
    pub(super) own: Option<&'a OwnField>,
}

/// The field that an agent carries, as of the beginning of a step.
#[derive(Debug)]
pub(super) enum OwnField {
    /// In fixed point, times a factor.
    Steps {
        steps: Stepped,
        factor: f32,
        step: f32,
    },
    Floats {
        carried: Entity,
        factor: f32,
        grid: Grid,
    },
}

impl OwnField {
    /// The value in a cell.
    fn at(&self, (column, row): (u32, u32)) -> f32 {
        match self {
            Self::Steps { steps, factor, step } => factor * (steps.steps(column, row) as f32 * step),
            Self::Floats { carried, factor, grid } => factor * carried.charge_at(grid.point(column, row)),
        }
    }
}

impl Steering<'_> {
    /// The field that is carried, and not sensed, by an agent at a position.
    pub(super) fn own(&self, position: [f32; 2]) -> Option<OwnField> {
        match self {
            Self::Slope(sense) | Self::Neighbour(sense, _) => sense.own(position),
            Self::Follow(_) | Self::Keep(..) | Self::Stay => None,
        }
    }

    /// The point to walk straight to, in the same cell or a neighbour; `None` if staying is best.
    pub(super) fn aim(&self, ground: &Ground, walker: &Walker<'_>) -> Option<[f32; 2]> {
        let cell = match self {
            Self::Slope(sense) => {
                if let Some([x, y]) = sense.slope(walker) {
                    // Half a cell, so that no wall is skipped and the slope is computed again soon.
                    let far = 0.5 * ground.grid().cell();
                    return Some([walker.position[0] + far * x, walker.position[1] + far * y]);
                }
                sense.neighbour(ground, walker, None)
            }
            Self::Neighbour(sense, trail) => sense.neighbour(ground, walker, *trail),
            Self::Follow(flow) => return along(flow, walker),
            Self::Keep(flow, formation) => {
                return match formation.aim(flow, ground, walker) {
                    Ok(aim) => aim,
                    Err(waits) => along(flow, walker).filter(|_| !waits),
                };
            }
            Self::Stay => None,
        };
        cell.map(|cell| ground.middle(cell))
    }

    /// Whether a cell is better than another for this steering, without noise and trails: a better value, or a shorter
    /// time to a goal. Cells are given by index; the agent does not sense its `own` part of the field.
    pub(super) fn is_better(&self, cell: usize, than: usize, own: Option<&OwnField>) -> bool {
        match self {
            Self::Slope(sense) | Self::Neighbour(sense, _) => {
                let own = |cell: usize| own.map_or(0.0, |own| own.at(sense.field.grid().place(cell)));
                let value = |cell: usize| sense.sign * (sense.field.values()[cell] - own(cell));
                value(cell) > value(than)
            }
            Self::Follow(flow) | Self::Keep(flow, _) => flow.is_nearer(cell, than),
            Self::Stay => false,
        }
    }

    /// The number of cells of the trails.
    pub(super) fn trail(&self) -> usize {
        if let Self::Neighbour(_, Some(trail)) = self { trail.cells as usize } else { 0 }
    }

    /// Rejects fields whose grid differs from the grid of the ground.
    pub(super) fn check(&self, ground: &Ground) -> Result<(), InputError> {
        match self {
            Self::Slope(sense) | Self::Neighbour(sense, _) => {
                ground.grid().check_same_cells("steering", sense.field.grid())
            }
            Self::Follow(flow) | Self::Keep(flow, _) => ground.grid().check_same_cells("steering", flow.grid()),
            Self::Stay => Ok(()),
        }
    }
}

/// The point to walk straight to along a flow field.
fn along(flow: &FlowField, walker: &Walker<'_>) -> Option<[f32; 2]> {
    let next = flow.next_from(walker.position.map(f64::from), walker.cell)?;
    Some(next.map(|at| at as f32))
}
