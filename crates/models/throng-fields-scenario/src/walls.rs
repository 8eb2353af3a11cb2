//! Walls from a map, and from shapes that contain the centres of cells.

use rayon::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use throng_core::Problems;
use throng_core::checks::positive;
use throng_fields_core::{Entity, Profile, Shape};
use throng_model::scenario_file::{At, word_of};
use throng_pictures::{Grid, Mask};

use crate::covered_cells::Shapes;
use crate::key_rules::{Presence, check_keys};
use crate::shapes::{check_all, check_count_of_corners};
use crate::value_checks::{MAX_COORDINATE, accept, check_entity, check_lengths, check_not_negative, is_place, longer};

/// An entry of `[[walls]]`.
#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "struct Wall")]
pub struct WallTable {
    /// A name, for messages.
    pub name: Option<String>,
    /// The shape of the wall.
    pub shape: WallShape,
    /// Centre (disc, box), units of length.
    pub at: Option<[f64; 2]>,
    /// Radius of a disc, units of length.
    pub radius: Option<f32>,
    /// Length and width of a box, units of length.
    pub size: Option<[f32; 2]>,
    /// Direction of a box, degrees anticlockwise from the x axis.
    pub heading: Option<f32>,
    /// The points of a line, or the corners of a polygon, units of length.
    pub points: Option<Vec<[f64; 2]>>,
    /// Width of a line, units of length; by default the minimum without gaps, 1.42 cells.
    pub width: Option<f32>,
    /// Intervals [from, until] in which the wall is there, units of time, in ascending order; `until` may be inf. By
    /// default always.
    pub present: Option<Vec<[f64; 2]>>,
}

impl WallTable {
    /// The lengths of the wall, which [`check_lengths`](crate::value_checks::check_lengths) limits.
    pub(crate) fn lengths(&self) -> [(&'static str, Option<f32>); 3] {
        [("radius", self.radius), ("size", self.size.map(longer)), ("width", self.width)]
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum WallShape {
    Disc,
    Box,
    Line,
    Polygon,
}

/// The reach of shapes without a width, in cells: practically none.
const HARDLY_ANY: f32 = 1e-3;
/// Minimum half-width of a line, in cells: closes lines in any direction to agents.
const CLOSED: f32 = 0.71;

/// Returns the open cells for each set of walls, given by whether each wall is present, and the locations of walls that
/// cover no cell. Fills in the defaults of headings and widths of walls.
pub(crate) fn open_cells(
    grid: &Grid,
    walls: &mut [At<WallTable>],
    sets: &[Vec<bool>],
    map: Option<&Mask>,
    problems: &mut Problems,
) -> (Vec<Mask>, Vec<String>) {
    let mut all = Shapes::new(grid);
    let mut ends = vec![0];
    let mut wall_of = Vec::new();
    for (number, wall) in walls.iter_mut().enumerate() {
        for shape in shapes(grid, wall, problems) {
            wall_of.push(number);
            let added = all.add(shape.position, shape.heading, &shape.shape, shape.profile.reach());
            accept(&wall.place, added, problems);
        }
        ends.push(all.count());
    }
    let open = |set: &Vec<bool>| {
        let present: Vec<usize> = (0..all.count()).filter(|&shape| set[wall_of[shape]]).collect();
        let covered = all.covered(&present);
        Mask::new(grid, |column, row| {
            !covered[grid.index(column, row)] && map.is_none_or(|map| map.allows(column, row))
        })
    };
    let open = sets.iter().map(open).collect();
    let idle = walls.par_iter().zip(ends.par_windows(2));
    let idle = idle.filter(|(_, ends)| !(ends[0]..ends[1]).any(|shape| all.covers_any(shape)));
    (open, idle.map(|(wall, _)| wall.place.clone()).collect())
}

/// Converts a wall to entities whose fields mark its cells.
fn shapes(grid: &Grid, wall: &mut At<WallTable>, problems: &mut Problems) -> Vec<Entity> {
    let lengths = wall.value.lengths();
    let At { value: WallTable { name: _, shape, at, radius, size, heading, points, width, present: _ }, place } = wall;
    let place = &*place;
    let fits = check_lengths(Some(grid), place, lengths, problems);
    let (line, polygon) = (*shape == WallShape::Line, *shape == WallShape::Polygon);
    let keys = [
        ("at", at.is_some(), Presence::when(!line && !polygon)),
        ("radius", radius.is_some(), Presence::when(*shape == WallShape::Disc)),
        ("size", size.is_some(), Presence::when(*shape == WallShape::Box)),
        ("heading", heading.is_some(), Presence::may_when(*shape == WallShape::Box)),
        ("points", points.is_some(), Presence::when(line || polygon)),
        ("width", width.is_some(), Presence::may_when(line)),
    ];
    if !check_keys(place, &format!("shape = \"{}\"", word_of(shape)), &keys, problems) || !fits {
        return Vec::new();
    }
    let at = at.unwrap_or_default();
    let points = points.clone().unwrap_or_default();
    if let Some(point) = points.iter().chain([&at]).find(|point| !is_place(point)) {
        let remedy = format!("expected finite numbers, at most {MAX_COORDINATE:e}");
        let key = if line || polygon { "points" } else { "at" };
        problems.push(format!("{place}, {key}"), format!("{point:?}"), remedy);
        return Vec::new();
    }
    let felt = |position: [f64; 2], shape: Shape, reach: f32, problems: &mut Problems| {
        let profile = accept(place, Profile::linear(reach), problems)?;
        Some(Entity::new(position, profile).with_shape(shape))
    };
    let hardly = HARDLY_ANY * grid.cell();
    let made: Vec<Entity> = match shape {
        WallShape::Disc => {
            let radius = accept(place, positive("radius", radius.unwrap_or_default()), problems);
            radius.and_then(|radius| felt(at, Shape::Disc, radius, problems)).into_iter().collect()
        }
        WallShape::Box => {
            if !check_all(&format!("{place}, size"), size.iter().flatten().copied(), problems) {
                return Vec::new();
            }
            let shape = Shape::Box { half: size.unwrap_or_default().map(|size| size / 2.0) };
            let heading = heading.get_or_insert(0.0).to_radians();
            let turned = |entity: Entity| entity.with_heading(heading);
            felt(at, shape, hardly, problems).map(turned).into_iter().collect()
        }
        WallShape::Polygon => {
            if !check_count_of_corners(&format!("{place}, points"), points.len(), problems) {
                return Vec::new();
            }
            // Relative to the origin, since corners are in single precision.
            let origin = grid.origin();
            let corners = points.iter().map(|[x, y]| [(x - origin[0]) as f32, (y - origin[1]) as f32]).collect();
            felt(origin, Shape::Polygon { corners }, hardly, problems).into_iter().collect()
        }
        WallShape::Line => {
            if points.len() < 2 {
                problems.push(format!("{place}, points"), points.len().to_string(), "expected at least two");
                return Vec::new();
            }
            let width = width.get_or_insert(0.0);
            if !check_not_negative(format!("{place}, width"), *width, problems) {
                return Vec::new();
            }
            *width = width.max(2.0 * CLOSED * grid.cell());
            let reach = *width / 2.0;
            let pieces = points.windows(2).filter_map(|pair| {
                let [x, y] = [0, 1].map(|axis| (pair[1][axis] - pair[0][axis]) as f32);
                let piece = felt(pair[0], Shape::Capsule { length: libm::hypotf(x, y) }, reach, problems)?;
                Some(piece.with_heading(libm::atan2f(y, x)))
            });
            pieces.collect()
        }
    };
    let place = if line || polygon { format!("{place}, points") } else { place.to_owned() };
    let mut is_valid = |entity: &Entity| check_entity(Some(grid), &place, entity, problems).is_some();
    if made.iter().all(&mut is_valid) { made } else { Vec::new() }
}

/// The smallest grid: a single cell.
pub fn tiny() -> Grid {
    Grid::new([0.0, 0.0], 1.0, 1, 1).expect("a grid of one cell can be made")
}
