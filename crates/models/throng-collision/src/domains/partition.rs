//! The division of a world into rectangles of cells.

use throng_core::InputError;

use super::super::lattice::{CELL, CELL_BITS};
use super::super::world::{World, WorldAxis};

/// Maximum number of domains of a partition.
pub const MAX_DOMAINS: usize = 1024;

/// The cells of a domain: a half-open range of columns and of rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rectangle {
    /// First column and row.
    pub from: [i32; 2],
    /// Column and row after the last ones.
    pub to: [i32; 2],
}

impl Rectangle {
    fn contains(&self, cell: [i32; 2]) -> bool {
        (0..2).all(|axis| (self.from[axis]..self.to[axis]).contains(&cell[axis]))
    }

    fn length(&self, axis: usize) -> i32 {
        self.to[axis] - self.from[axis]
    }

    /// Whether the rectangle contains a position.
    pub fn owns(&self, at: [i32; 2]) -> bool {
        self.contains(at.map(|axis| axis >> CELL_BITS))
    }

    /// Returns the first and the last position along an axis.
    fn ends(&self, axis: WorldAxis, number: usize) -> [i32; 2] {
        // The last cell of the world may be narrower.
        [self.from[number] * CELL, (self.to[number] * CELL).min(axis.size) - 1]
    }

    /// Whether a position is within a distance of the rectangle along both axes.
    pub(super) fn is_within(&self, world: &World, at: [i32; 2], distance: i32) -> bool {
        [(world.x, 0), (world.y, 1)].into_iter().all(|(axis, number)| {
            let [from, to] = self.ends(axis, number);
            let near = |end: i32| axis.offset(at[number], end).abs() <= distance;
            (from..=to).contains(&at[number]) || near(from) || near(to)
        })
    }

    /// Whether two rectangles are within a distance of each other along both axes.
    fn is_near(&self, world: &World, other: &Self, distance: i32) -> bool {
        [(world.x, 0), (world.y, 1)].into_iter().all(|(axis, number)| {
            let [a, b] = [self.ends(axis, number), other.ends(axis, number)];
            let near = |end: i32| b.iter().any(|&other| axis.offset(end, other).abs() <= distance);
            (a[0] <= b[1] && b[0] <= a[1]) || near(a[0]) || near(a[1])
        })
    }
}

/// Rectangles that cover the world, each cell once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Partition {
    rectangles: Vec<Rectangle>,
}

impl Partition {
    /// Recursive coordinate bisection: cuts the world across its longer side so that both parts get their proportion of
    /// the load, and then each part again, until there are `domains` rectangles, or one per cell. `discs` are positions
    /// with the load of each; a disc outside the world counts in the nearest cell. If loads are integers, the result
    /// does not depend on the order of the discs.
    ///
    /// # Errors
    /// More than [`MAX_DOMAINS`].
    pub fn bisect(world: &World, domains: usize, discs: &[([i32; 2], f64)]) -> Result<Self, InputError> {
        check_count(domains)?;
        let whole = Rectangle { from: [0, 0], to: [world.x.cells, world.y.cells] };
        let cell = |at: &[i32; 2]| [0, 1].map(|axis| (at[axis] >> CELL_BITS).clamp(0, whole.to[axis] - 1));
        let cells: Vec<([i32; 2], f64)> = discs.iter().map(|(at, load)| (cell(at), *load)).collect();
        let mut rectangles = Vec::with_capacity(domains);
        cut(whole, domains.clamp(1, world.cells()) as i64, cells, &mut rectangles);
        Ok(Self { rectangles })
    }

    /// Creates a partition from these rectangles.
    ///
    /// # Errors
    /// When they do not cover every cell of the world exactly once, or are more than [`MAX_DOMAINS`].
    pub fn of(world: &World, rectangles: Vec<Rectangle>) -> Result<Self, InputError> {
        check_count(rectangles.len())?;
        let cells = [world.x.cells, world.y.cells];
        let is_inside = |rectangle: &Rectangle| {
            (0..2).all(|axis| {
                0 <= rectangle.from[axis]
                    && rectangle.from[axis] < rectangle.to[axis]
                    && rectangle.to[axis] <= cells[axis]
            })
        };
        let overlaps =
            |a: &Rectangle, b: &Rectangle| (0..2).all(|axis| a.from[axis] < b.to[axis] && b.from[axis] < a.to[axis]);
        for (number, rectangle) in rectangles.iter().enumerate() {
            let problem = if !is_inside(rectangle) {
                format!("{rectangle:?} is not within {cells:?} cells")
            } else if let Some(other) = rectangles[..number].iter().position(|other| overlaps(rectangle, other)) {
                format!("{rectangle:?} overlaps with the rectangle of domain {other}")
            } else {
                continue;
            };
            return Err(InputError::one(
                format!("domain {number}, rectangle"),
                problem,
                "give rectangles that cover the world, each cell once",
            ));
        }
        let covered: usize = rectangles.iter().map(|area| area.length(0) as usize * area.length(1) as usize).sum();
        if covered < world.cells() {
            let message = format!("they cover {covered} of {} cells", world.cells());
            return Err(InputError::one("domains, rectangles", message, "give the rectangles of all domains"));
        }
        Ok(Self { rectangles })
    }

    /// Returns the rectangles in the order of the domains.
    pub fn rectangles(&self) -> &[Rectangle] {
        &self.rectangles
    }

    /// Returns the domain that contains a position of the world.
    pub fn domain_of(&self, at: [i32; 2]) -> usize {
        self.rectangles.iter().position(|rectangle| rectangle.owns(at)).unwrap_or_default()
    }

    /// Returns the other domains within a distance of a domain.
    pub(super) fn neighbours(&self, world: &World, domain: usize, distance: i32) -> Vec<usize> {
        let own = &self.rectangles[domain];
        let is_near = |other: &usize| *other != domain && own.is_near(world, &self.rectangles[*other], distance);
        (0..self.rectangles.len()).filter(is_near).collect()
    }
}

fn check_count(domains: usize) -> Result<(), InputError> {
    if domains <= MAX_DOMAINS {
        return Ok(());
    }
    Err(InputError::one("domains", domains.to_string(), format!("divide the world into at most {MAX_DOMAINS} domains")))
}

/// Cuts a rectangle into `parts` of about equal load; it must have at least as many cells.
fn cut(whole: Rectangle, parts: i64, mut discs: Vec<([i32; 2], f64)>, rectangles: &mut Vec<Rectangle>) {
    if parts == 1 {
        rectangles.push(whole);
        return;
    }
    let axis = usize::from(whole.length(1) > whole.length(0));
    let (lines, across) = (whole.length(axis) as usize, i64::from(whole.length(1 - axis)));
    let share = (parts / 2) as f64 / parts as f64;
    let mut loads = vec![0.0; lines];
    for (cell, load) in &discs {
        loads[(cell[axis] - whole.from[axis]) as usize] += load;
    }
    let total: f64 = loads.iter().sum();
    // The cut follows the line at which the load comes closest to its proportion; without load, the area is divided.
    // Each part keeps a line, and the first part has at least as many cells as it will have parts.
    let min_lines = ((parts / 2 + across - 1) / across) as usize;
    let mut best = ((lines as f64 * share) as usize).clamp(min_lines, lines - 1);
    if total > 0.0 {
        let mut before: f64 = loads[..min_lines - 1].iter().sum();
        let mut best_error = f64::INFINITY;
        for (line, load) in loads.iter().enumerate().take(lines - 1).skip(min_lines - 1) {
            before += load;
            let off = (before - total * share).abs();
            if off < best_error {
                best_error = off;
                best = line + 1;
            }
        }
    }
    // Parts that do not fit into the second rectangle are moved to the first one, which is then small enough to be cut
    // into single cells.
    let second_parts = (parts - parts / 2).min((lines - best) as i64 * across);
    let at = whole.from[axis] + best as i32;
    let (mut first, mut second) = (whole, whole);
    first.to[axis] = at;
    second.from[axis] = at;
    let behind = discs.iter().filter(|(cell, _)| cell[axis] >= at).copied().collect();
    discs.retain(|(cell, _)| cell[axis] < at);
    cut(first, parts - second_parts, discs, rectangles);
    cut(second, second_parts, behind, rectangles);
}
