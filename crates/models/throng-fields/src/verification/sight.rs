//! Cases about lines of sight.

use throng_core::{Finding, Philox};
use throng_device::Error;
use throng_fields_core::field::Field;
use throng_fields_core::sight::{Sight, SightMap, Viewer, is_visible};
use throng_pictures::{Grid, Mask};

use super::executor::CaseExecutor;

/// A grid, and a viewer at the centre of a cell that sees all of it.
fn scene(columns: u32, rows: u32, (column, row): (u32, u32)) -> Result<(Grid, Viewer), Error> {
    let grid = Grid::new([0.0, 0.0], 1.0, columns, rows)?;
    Ok((grid, Viewer::new(grid.point(column, row), 1000.0)))
}

/// The number of cells whose value is not 1 where `is_seen`, given the offset from the viewer's cell, and 0 elsewhere.
fn wrong(field: &Field, (column, row): (u32, u32), is_seen: impl Fn(i64, i64) -> bool) -> usize {
    let is_wrong = |&cell: &usize| {
        let (to_column, to_row) = field.grid().place(cell);
        let [x, y] = [(to_column, column), (to_row, row)].map(|(to, from)| i64::from(to) - i64::from(from));
        field.values()[cell] != f32::from(u8::from(is_seen(x, y)))
    };
    (0..field.grid().cells()).filter(is_wrong).count()
}

pub(super) fn a_wall_casts_its_shadow(on: &dyn CaseExecutor) -> Result<Finding, Error> {
    let from = (20, 30);
    let (grid, viewer) = scene(120, 90, from)?;
    // A block of cells from x = 9.5 to 14.5 and from y = -2.5 to 4.5, relative to the viewer.
    let is_wall = |x: i64, y: i64| (10..15).contains(&x) && (-2..5).contains(&y);
    let open = Mask::new(&grid, |column, row| !is_wall(i64::from(column) - 20, i64::from(row) - 30));
    let mut map = SightMap::new(grid, Sight::default(), Some(open))?;
    map.follow(&[viewer])?;
    // Behind its front, it hides what is strictly between the rays through (9.5, -2.5) and (9.5, 4.5).
    let is_hidden = |x: i64, y: i64| x >= 10 && -5 * x < 19 * y && 19 * y < 9 * x;
    Ok(Finding::no_difference("cells", wrong(&on.seen(map)?, from, |x, y| !is_hidden(x, y))))
}

pub(super) fn a_gap_lets_a_wedge_through(on: &dyn CaseExecutor) -> Result<Finding, Error> {
    let from = (10, 40);
    let (grid, viewer) = scene(100, 80, from)?;
    // A wall of one column at x = 7, whose only gap, at y = 0, opens, closes and opens again.
    let wall = |has_gap: bool| Mask::new(&grid, move |column, row| column != 17 || has_gap && row == 40);
    let mut map = SightMap::new(grid, Sight::default(), Some(wall(false)))?;
    map.follow(&[viewer])?;
    let mut differences = 0;
    for has_gap in [true, false, true] {
        map.set_open(&wall(has_gap))?;
        // Between the corners of the gap at (7.5, -0.5) and (7.5, 0.5), which are visible themselves.
        let is_seen = |x: i64, y: i64| x < 7 || has_gap && 15 * y.abs() <= x;
        differences += wrong(&on.seen(map.clone())?, from, is_seen);
    }
    Ok(Finding::no_difference("cells", differences))
}

pub(super) fn sight_is_mutual(on: &dyn CaseExecutor) -> Result<Finding, Error> {
    let (grid, viewer) = scene(24, 18, (0, 0))?;
    let draws = Philox::new(3);
    let open = Mask::new(&grid, |column, row| draws.below(100, column, row, 0, 0) >= 20);
    let cells: Vec<(u32, u32)> = open.cells().step_by(3).collect();
    let mut fields = Vec::new();
    for &(column, row) in &cells {
        let mut map = SightMap::new(grid, Sight::default(), Some(open.clone()))?;
        map.follow(&[Viewer { position: grid.point(column, row), ..viewer }])?;
        fields.push(on.seen(map)?);
    }
    let mut differences = 0;
    for (&from, field) in cells.iter().zip(&fields) {
        for (&to, back) in cells.iter().zip(&fields) {
            let expected = u8::from(is_visible(from, to, |column, row| open.allows(column, row)));
            let values = [field.at(to.0, to.1), back.at(from.0, from.1)];
            differences += usize::from(values != [Some(f32::from(expected)); 2]);
        }
    }
    Ok(Finding::no_difference("pairs", differences))
}
