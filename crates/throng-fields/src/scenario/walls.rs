//! The walls: cells of a map in a text file, and cells whose centre is in a shape.

use std::path::{Path, PathBuf};

use crate::{Entity, Grid, Mask, Profile, Shape};
use rayon::prelude::*;
use throng_core::Problems;

use crate::scenario::covered::Shapes;
use crate::scenario::figures::{Given, Need, accept, refused};
use crate::scenario::written::{self, WallShape};
use throng_model::At;

/// Shapes without a width have this one, in cells: practically none.
const HARDLY_ANY: f32 = 1e-3;
/// The smallest half width of a line, in cells: no agent slips through, whatever its direction.
pub(crate) const CLOSED: f32 = 0.71;

/// The open cells, and the places of walls that cover no cell.
pub(crate) fn open_cells(
    grid: &Grid,
    walls: &[At<written::Wall>],
    map: Option<&Mask>,
    problems: &mut Problems,
) -> (Mask, Vec<String>) {
    let mut all = Shapes::new(grid);
    let mut ends = vec![0];
    for wall in walls {
        for shape in shapes(grid, wall, problems) {
            let added = all.add(shape.position, shape.heading, &shape.shape, shape.profile.reach());
            accept(&wall.place, added, problems);
        }
        ends.push(all.count());
    }
    let covered = all.covered();
    let open = Mask::new(grid, |column, row| {
        !covered[grid.index(column, row)] && map.is_none_or(|map| map.allows(column, row))
    });
    let idle = walls.par_iter().zip(ends.par_windows(2));
    let idle = idle.filter(|(_, ends)| !(ends[0]..ends[1]).any(|shape| all.covers_any(shape)));
    (open, idle.map(|(wall, _)| wall.place.clone()).collect())
}

/// A wall as entities whose fields mark its cells.
fn shapes(grid: &Grid, wall: &At<written::Wall>, problems: &mut Problems) -> Vec<Entity> {
    let written::Wall { name: _, shape, at, radius, size, heading, points, width } = &wall.value;
    let (line, polygon) = (*shape == WallShape::Line, *shape == WallShape::Polygon);
    let given = Given {
        place: &wall.place,
        choice: format!("shape = \"{}\"", format!("{shape:?}").to_lowercase()),
        keys: vec![
            ("at", at.is_some(), Need::when(!line && !polygon)),
            ("radius", radius.is_some(), Need::when(*shape == WallShape::Disc)),
            ("size", size.is_some(), Need::when(*shape == WallShape::Box)),
            ("heading", heading.is_some(), Need::may_when(*shape == WallShape::Box)),
            ("points", points.is_some(), Need::when(line || polygon)),
            ("width", width.is_some(), Need::may_when(line)),
        ],
    };
    if !given.check(problems) {
        return Vec::new();
    }
    let at = at.unwrap_or_default();
    let points = points.clone().unwrap_or_default();
    let felt = |position: [f64; 2], shape: Shape, reach: f32, problems: &mut Problems| {
        let profile = accept(&wall.place, Profile::linear(reach), problems)?;
        Some(Entity::new(position, profile).with_shape(shape))
    };
    let hardly = HARDLY_ANY * grid.cell();
    let made: Vec<Entity> = match shape {
        WallShape::Disc => felt(at, Shape::Disc, radius.unwrap_or_default(), problems).into_iter().collect(),
        WallShape::Box => {
            let shape = Shape::Box { half: size.unwrap_or_default().map(|size| size / 2.0) };
            let turned = |entity: Entity| entity.facing(heading.unwrap_or(0.0).to_radians());
            felt(at, shape, hardly, problems).map(turned).into_iter().collect()
        }
        WallShape::Polygon => {
            // Relative to the origin, since corners are in single precision.
            let origin = grid.origin();
            let corners = points.iter().map(|[x, y]| [(x - origin[0]) as f32, (y - origin[1]) as f32]).collect();
            felt(origin, Shape::Polygon { corners }, hardly, problems).into_iter().collect()
        }
        WallShape::Line => {
            if points.len() < 2 {
                problems.push(wall.part("points"), points.len().to_string(), "expected at least two");
                return Vec::new();
            }
            let width = width.unwrap_or(0.0);
            if !(width.is_finite() && width >= 0.0) {
                problems.push(wall.part("width"), width.to_string(), "expected a finite number, 0 or more");
                return Vec::new();
            }
            let reach = (width / 2.0).max(CLOSED * grid.cell());
            let pieces = points.windows(2).filter_map(|pair| {
                let [x, y] = [0, 1].map(|axis| (pair[1][axis] - pair[0][axis]) as f32);
                let piece = felt(pair[0], Shape::Capsule { length: libm::hypotf(x, y) }, reach, problems)?;
                Some(piece.facing(libm::atan2f(y, x)))
            });
            pieces.collect()
        }
    };
    // Invalid shapes are refused by the creation of fields, which is called for that.
    if let Err(error) = crate::creation::by_tiles(&tiny(), &made) {
        refused(&wall.place, &error, problems);
        return Vec::new();
    }
    made
}

/// The smallest grid.
pub(crate) fn tiny() -> Grid {
    Grid::new([0.0, 0.0], 1.0, 1, 1).expect("a grid of one cell can be made")
}

/// Reads a map of walls: a line of text per row of blocks, the upper one first; `#` is a wall, `.` and spaces are open.
pub(crate) fn read_map(path: &Path, grid: &Grid, problems: &mut Problems) -> Option<(Mask, (PathBuf, u64))> {
    let name = throng_model::names::one_line(&path.display().to_string());
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) => {
            problems.push(
                &name,
                format!("cannot be read: {error}"),
                "check grid.map; its path is relative to the scenario file",
            );
            return None;
        }
    };
    let lines: Vec<Vec<char>> = text.lines().map(|line| line.trim_end().chars().collect()).collect();
    let columns = lines.iter().map(Vec::len).max().unwrap_or(0) as u32;
    let rows = lines.len() as u32;
    let mut fine = true;
    for (i, line) in lines.iter().enumerate() {
        if let Some(at) = line.iter().position(|letter| !matches!(letter, '#' | '.' | ' ')) {
            let place = format!("{name}:{}, column {}", i + 1, at + 1);
            problems.push(
                place,
                format!("\"{}\"", throng_model::names::one_line(&line[at].to_string())),
                "expected # for a wall, . or a space for open ground",
            );
            fine = false;
        }
    }
    let blocks = |cells: u32, letters: u32| (letters > 0 && cells.is_multiple_of(letters)).then(|| cells / letters);
    let (Some(wide), Some(high)) = (blocks(grid.columns(), columns), blocks(grid.rows(), rows)) else {
        let remedy = format!(
            "the grid has {} x {} cells: each character stands for a block of cells, and the map must cover the whole grid",
            grid.columns(),
            grid.rows()
        );
        problems.push(&name, format!("{columns} x {rows} letters"), remedy);
        return None;
    };
    let wall = |column: u32, row: u32| {
        let line = &lines[(rows - 1 - row / high) as usize];
        line.get((column / wide) as usize) == Some(&'#')
    };
    let mask = Mask::new(grid, |column, row| !wall(column, row));
    fine.then_some((mask, (path.to_owned(), text.len() as u64)))
}
