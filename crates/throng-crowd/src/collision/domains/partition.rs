//! The division of a world into rectangles of cells.

use super::super::lattice::CELL_BITS;
use super::super::world::World;

/// Cells of a domain: columns and rows from the first to the last, exclusive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rectangle {
    /// First column and row.
    pub from: [i32; 2],
    /// The column and row behind the last ones.
    pub to: [i32; 2],
}

impl Rectangle {
    fn contains(&self, cell: [i32; 2]) -> bool {
        (0..2).all(|axis| (self.from[axis]..self.to[axis]).contains(&cell[axis]))
    }

    fn length(&self, axis: usize) -> i32 {
        self.to[axis] - self.from[axis]
    }
}

/// Rectangles that cover the world, each cell once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Partition {
    rectangles: Vec<Rectangle>,
}

impl Partition {
    /// Recursive coordinate bisection: cuts the world across its longer side such that both parts have their share of
    /// the load, and each part again, until there are `domains` rectangles, or no cells to cut. `discs` are positions
    /// with the load of each.
    pub fn bisect(world: &World, domains: usize, discs: &[([i32; 2], f64)]) -> Self {
        let whole = Rectangle { from: [0, 0], to: [world.x.cells, world.y.cells] };
        let cells: Vec<([i32; 2], f64)> =
            discs.iter().map(|(at, load)| (at.map(|axis| axis >> CELL_BITS), *load)).collect();
        let mut rectangles = Vec::with_capacity(domains);
        cut(whole, domains.max(1), cells, &mut rectangles);
        Self { rectangles }
    }

    /// These rectangles, which cover the world, each cell once.
    pub(super) fn of(rectangles: Vec<Rectangle>) -> Self {
        Self { rectangles }
    }

    /// The rectangles, in the order of the domains.
    pub fn rectangles(&self) -> &[Rectangle] {
        &self.rectangles
    }

    /// The domain that contains a position.
    pub fn domain_of(&self, at: [i32; 2]) -> usize {
        let cell = at.map(|axis| axis >> CELL_BITS);
        self.rectangles.iter().position(|rectangle| rectangle.contains(cell)).unwrap_or_default()
    }
}

fn cut(whole: Rectangle, parts: usize, mut discs: Vec<([i32; 2], f64)>, rectangles: &mut Vec<Rectangle>) {
    let axis = usize::from(whole.length(1) > whole.length(0));
    if parts == 1 || whole.length(axis) < 2 {
        rectangles.push(whole);
        return;
    }
    let first_parts = parts / 2;
    let share = first_parts as f64 / parts as f64;
    let mut loads = vec![0.0; whole.length(axis) as usize];
    for (cell, load) in &discs {
        loads[(cell[axis] - whole.from[axis]) as usize] += load;
    }
    let total: f64 = loads.iter().sum();
    // Without load, by area. The cut is behind the line at which the share is reached most nearly; each part keeps a
    // line.
    let mut best = ((loads.len() as f64 * share) as usize).clamp(1, loads.len() - 1);
    if total > 0.0 {
        let mut before = 0.0;
        let mut least = f64::INFINITY;
        for (line, load) in loads.iter().enumerate().take(loads.len() - 1) {
            before += load;
            let off = (before - total * share).abs();
            if off < least {
                least = off;
                best = line + 1;
            }
        }
    }
    let at = whole.from[axis] + best as i32;
    let (mut first, mut second) = (whole, whole);
    first.to[axis] = at;
    second.from[axis] = at;
    let behind = discs.iter().filter(|(cell, _)| cell[axis] >= at).copied().collect();
    discs.retain(|(cell, _)| cell[axis] < at);
    cut(first, first_parts, discs, rectangles);
    cut(second, parts - first_parts, behind, rectangles);
}
