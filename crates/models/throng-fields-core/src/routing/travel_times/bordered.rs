//! The cells of a grid with a border of walls, so that every cell has four neighbours.

use throng_core::InputError;
use throng_core::allocation::check_allocation;
use throng_pictures::Grid;

use super::NEVER;
use super::source::{GOAL, NO_SOURCE};
use super::task::Task;

/// The state of a cell during the computation of times.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cell {
    /// Ticks to the nearest goal in the first-order scheme; [`NEVER`] if unknown.
    pub(super) time: u32,
    /// The same in the second-order scheme.
    pub(super) second: u32,
    /// Ticks that it takes to cross the cell; 0 for walls.
    pub(super) step: u16,
    /// The goal from which the path comes; see [`source`](super::source).
    pub(super) source: u16,
}

const WALL: Cell = Cell { time: NEVER, second: NEVER, step: 0, source: NO_SOURCE as u16 };

/// The cells of a grid, row by row, with a border of walls.
#[derive(Debug, Clone)]
pub(super) struct Bordered {
    grid: Grid,
    pub(super) cells: Vec<Cell>,
    /// The goals, by index in `cells`.
    pub(super) goals: Vec<u32>,
}

impl Bordered {
    /// Creates the cells of a task; only goals have a time.
    ///
    /// # Errors
    /// When there is too little memory, or there are 2^32 cells or more, including the border.
    pub(super) fn new(task: &Task) -> Result<Self, InputError> {
        let grid = task.grid;
        let (columns, rows) = (u64::from(grid.columns()), u64::from(grid.rows()));
        let count = (columns + 2) * (rows + 2);
        if count > u64::from(u32::MAX) {
            let remedy = format!("the maximum is {} cells, including a border of one cell: use larger cells", u32::MAX);
            return Err(InputError::one("travel times, grid", format!("{columns} x {rows} cells"), remedy));
        }
        check_allocation::<Cell>("cells of travel times", count as usize)?;
        let mut cells = Vec::with_capacity(count as usize);
        let width = grid.columns() as usize + 2;
        cells.resize(width, WALL);
        for row in task.steps.chunks_exact(grid.columns() as usize) {
            cells.push(WALL);
            cells.extend(row.iter().map(|&step| Cell { step, ..WALL }));
            cells.push(WALL);
        }
        cells.resize(count as usize, WALL);
        let mut new = Self { grid, cells, goals: Vec::with_capacity(task.goals.len()) };
        for &goal in &task.goals {
            let (column, row) = grid.place(goal as usize);
            let goal = (row as usize + 1) * width + column as usize + 1;
            let cell = &mut new.cells[goal];
            (cell.time, cell.second, cell.source) = (0, 0, GOAL as u16);
            new.goals.push(goal as u32);
        }
        Ok(new)
    }

    /// The index offset between neighbours along y in `cells`; along x it is 1.
    pub(super) fn width(&self) -> usize {
        self.grid.columns() as usize + 2
    }

    /// A value per cell, without the border.
    pub(super) fn inside(&self, value: impl Fn(&Cell) -> u32) -> Vec<u32> {
        let (width, columns) = (self.width(), self.grid.columns() as usize);
        let mut values = Vec::with_capacity(self.grid.cells());
        for row in 1..=self.grid.rows() as usize {
            values.extend(self.cells[row * width + 1..row * width + 1 + columns].iter().map(&value));
        }
        values
    }
}
