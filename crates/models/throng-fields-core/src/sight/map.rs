//! The field of viewers: its definition, and a map that follows them.

use rayon::prelude::*;
use throng_core::InputError;
use throng_core::allocation::check_allocation;
use throng_pictures::mask::allows;
use throng_pictures::{Grid, Mask};

use super::is_visible;
use super::viewer::{Placed, Viewer};
use super::window::{Window, cells_in_range};
use crate::creation::FixedPoint;
use crate::field::{Field, check_memory_for_field};
use crate::profile::Profile;
use crate::rules::fixed_point::value;

mod changed;

use changed::ChangedCells;

/// How much viewers add to the cells that they see.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Sight {
    /// The factor of the strength, by the distance between the centres of the viewer's cell and the other cell; `None`
    /// for 1 at every distance.
    pub profile: Option<Profile>,
    /// The steps to which the amounts of each viewer are rounded, and in which they are added up.
    pub steps: FixedPoint,
}

impl Sight {
    /// Rejects viewers with invalid numbers, and sums that might not fit into 32 bits. Viewers have their number of
    /// copies.
    ///
    /// # Errors
    /// The first invalid number, or the sum of all strengths.
    pub fn check<'v>(&self, viewers: impl IntoIterator<Item = (&'v Viewer, usize)>) -> Result<(), InputError> {
        let largest = self.profile.as_ref().map_or(1.0, Profile::largest);
        let (mut sum, mut count) = (0.0, 0);
        for (i, (viewer, copies)) in viewers.into_iter().enumerate() {
            viewer.check().map_err(|error| error.within(&format!("viewer {i}")))?;
            sum += f64::from(viewer.strength.abs()) * f64::from(largest) * copies as f64;
            count += copies;
        }
        self.steps.check_sum("viewers, sum of all strengths", sum, count)
    }

    /// The numbers of steps that a viewer adds to the cells that it sees.
    fn amounts<'a>(&'a self, viewer: &'a Placed, grid: &'a Grid) -> impl Fn((u32, u32)) -> i32 + 'a {
        let steps = f64::from(viewer.strength()) / f64::from(self.steps.step());
        let constant = steps.round() as i32;
        move |cell| match &self.profile {
            None => constant,
            Some(profile) => {
                let distance = (viewer.square(cell) as f64).sqrt() * f64::from(grid.cell());
                (steps * f64::from(profile.value(distance as f32))).round() as i32
            }
        }
    }
}

/// Computes the field of viewers from every pair of cell and viewer: the definition. The cells of `open` are open;
/// without it, all cells are.
///
/// # Errors
/// When [`Sight::check`] rejects a viewer, the mask has a different size, or there is too little memory.
pub fn every_pair(grid: &Grid, sight: &Sight, open: Option<&Mask>, viewers: &[Viewer]) -> Result<Field, InputError> {
    sight.check(viewers.iter().map(|viewer| (viewer, 1)))?;
    open.map_or(Ok(()), |open| open.check(grid))?;
    check_memory_for_field(grid)?;
    let viewers: Vec<Placed> = viewers.iter().filter_map(|viewer| viewer.placed(grid)).collect();
    let is_open = |column, row| allows(open, column, row);
    let amount = |cell: (u32, u32)| -> i32 {
        let sees = |viewer: &&Placed| {
            viewer.square(cell) <= viewer.reach && viewer.looks_at(cell) && is_visible(viewer.cell, cell, is_open)
        };
        viewers.iter().filter(sees).map(|viewer| sight.amounts(viewer, grid)(cell)).sum()
    };
    let values = (0..grid.cells()).map(|cell| value(amount(grid.place(cell)), sight.steps.step())).collect();
    Ok(Field::new(*grid, values))
}

/// A field of viewers that move, among walls that may appear and vanish.
///
/// The field equals that of [`every_pair`], bit for bit. Only viewers that change, and viewers with a changed wall
/// within their range, are computed again, in parallel; all viewers are if that is less work. The cost of a viewer is
/// proportional to the number of cells within its range, with and without walls; when walls change, the rows within the
/// range of each viewer are searched for changes first.
///
/// ```
/// use throng_fields_core::{Grid, Mask, sight::{Sight, SightMap, Viewer}};
///
/// let grid = Grid::new([0.0, 0.0], 1.0, 16, 9)?;
/// // A wall of three cells, four cells in front of a gun.
/// let cover = Mask::new(&grid, |column, row| column != 6 || !(3..=5).contains(&row));
/// let mut fire = SightMap::new(grid, Sight::default(), Some(cover))?;
/// fire.follow(&[Viewer::new([2.5, 4.5], 12.0).with_strength(3.0)])?;
/// let field = fire.field();
/// let at = |column, row| field.at(column, row).unwrap_or(f32::NAN);
/// assert_eq!([at(5, 4), at(6, 4), at(7, 4), at(11, 1), at(11, 0)], [3.0, 0.0, 0.0, 0.0, 3.0]);
/// fire.set_open(&Mask::new(&grid, |_, _| true))?;
/// assert_eq!(fire.field().at(7, 4), Some(3.0), "the cover has been blown away");
/// # Ok::<(), throng_fields_core::InputError>(())
/// ```
#[derive(Debug, Clone)]
pub struct SightMap {
    grid: Grid,
    sight: Sight,
    /// A flag for each cell.
    open: Mask,
    /// The viewers on the grid, sorted.
    viewers: Vec<Placed>,
    sums: Vec<i32>,
}

/// Maximum number of viewers whose windows are in memory at a time.
const VIEWERS_AT_ONCE: usize = 1024;

impl SightMap {
    /// Creates a map without viewers. The cells of `open` are open; without it, all cells are.
    ///
    /// # Errors
    /// When the mask has a different size, or there is too little memory.
    pub fn new(grid: Grid, sight: Sight, open: Option<Mask>) -> Result<Self, InputError> {
        open.as_ref().map_or(Ok(()), |open| open.check(&grid))?;
        check_allocation::<[i32; 2]>("cells of a map of sight", grid.cells())?;
        let open = open.unwrap_or_else(|| Mask::new(&grid, |_, _| true));
        Ok(Self { grid, sight, open, viewers: Vec::new(), sums: vec![0; grid.cells()] })
    }

    /// Replaces all viewers. Returns whether the field may have changed.
    ///
    /// # Errors
    /// When [`Sight::check`] rejects a viewer; the map is then unchanged.
    pub fn follow(&mut self, viewers: &[Viewer]) -> Result<bool, InputError> {
        self.sight.check(viewers.iter().map(|viewer| (viewer, 1)))?;
        let mut viewers: Vec<Placed> = viewers.iter().filter_map(|viewer| viewer.placed(&self.grid)).collect();
        viewers.sort_unstable();
        let (gone, new) = differences(&self.viewers, &viewers);
        if gone.is_empty() && new.is_empty() {
            return Ok(false);
        }
        let work = |viewers: &[Placed]| viewers.iter().map(|viewer| self.cells_of(viewer)).sum::<usize>();
        if work(&gone) + work(&new) < work(&viewers) {
            self.add(&gone, -1);
            self.add(&new, 1);
        } else {
            self.sums.fill(0);
            self.add(&viewers, 1);
        }
        self.viewers = viewers;
        Ok(true)
    }

    /// Replaces the open cells, because walls have appeared or vanished. Returns whether the field may have changed.
    ///
    /// # Errors
    /// When the mask has a different size.
    pub fn set_open(&mut self, open: &Mask) -> Result<bool, InputError> {
        open.check(&self.grid)?;
        let changed = ChangedCells::between(&self.grid, self.open.flags(), open.flags());
        if changed.is_empty() {
            return Ok(false);
        }
        // A segment within a field of view may meet cells whose centres are outside, but all of them are within range.
        let sees_change = |viewer: &&Placed| changed.is_one_in_range(&self.grid, viewer);
        let affected: Vec<Placed> = self.viewers.par_iter().filter(sees_change).copied().collect();
        self.add(&affected, -1);
        self.open = open.clone();
        self.add(&affected, 1);
        Ok(!affected.is_empty())
    }

    /// The field of the viewers.
    pub fn field(&self) -> Field {
        Field::new(self.grid, self.sums.iter().map(|&steps| value(steps, self.sight.steps.step())).collect())
    }

    fn cells_of(&self, viewer: &Placed) -> usize {
        cells_in_range(&self.grid, viewer).count()
    }

    /// Adds viewers to the sums, or subtracts them.
    fn add(&mut self, viewers: &[Placed], sign: i32) {
        let (grid, sight, open) = (&self.grid, &self.sight, self.open.flags());
        let largest = viewers.iter().map(|viewer| self.cells_of(viewer)).max().unwrap_or(1);
        // The windows take at most a byte per cell, or one window per thread.
        let at_once = (8 * grid.cells() / largest).min(VIEWERS_AT_ONCE).max(rayon::current_num_threads());
        for viewers in viewers.chunks(at_once) {
            let windows: Vec<Window> = viewers.par_iter().map(|viewer| Window::new(grid, open, *viewer)).collect();
            let rows = self.sums.par_chunks_mut(grid.columns() as usize).enumerate();
            rows.for_each(|(row, sums)| {
                for window in &windows {
                    let amount = sight.amounts(&window.viewer, grid);
                    let add = |column: u32| sums[column as usize] += sign * amount((column, row as u32));
                    window.seen_in_row(row as u32).for_each(add);
                }
            });
        }
    }
}

/// The viewers of the first list that are not in the second one, and the other way round; both lists are sorted.
fn differences(old: &[Placed], new: &[Placed]) -> (Vec<Placed>, Vec<Placed>) {
    let (mut gone, mut added) = (Vec::new(), Vec::new());
    let (mut old, mut new) = (old.iter().peekable(), new.iter().peekable());
    loop {
        match (old.peek(), new.peek()) {
            (Some(a), Some(b)) if a == b => {
                old.next();
                new.next();
            }
            (Some(a), Some(b)) if a < b => gone.extend(old.next()),
            (Some(_), None) => gone.extend(old.next()),
            (_, Some(_)) => added.extend(new.next()),
            (None, None) => return (gone, added),
        }
    }
}

#[cfg(test)]
mod tests;
