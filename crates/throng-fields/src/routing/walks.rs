//! Agents that go from cell to cell: up a potential field, whose positive charges attract, or along a flow field.

use super::flow_field::FlowField;
use crate::field::Field;
use crate::grid::NEIGHBOURS;
use crate::query::Mask;

/// What became of an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Journey {
    /// The cell where it is.
    pub cell: (u32, u32),
    /// Steps that it made.
    pub steps: u32,
    /// It stopped of its own: at a goal, or stuck where no neighbour is better.
    pub stopped: bool,
}

/// Lets an agent climb a field for at most `most` steps: always to the best of the eight neighbours, as long as that is better
/// than where it is. With potential fields alone agents get stuck in local optima, behind walls above all.
pub fn climb(field: &Field, open: &Mask, from: (u32, u32), most: u32) -> Journey {
    let step = |(column, row): (u32, u32)| {
        let here = field.at(column, row)?;
        let mut best: Option<((u32, u32), f32)> = None;
        for (dx, dy) in NEIGHBOURS {
            let (Some(x), Some(y)) = (column.checked_add_signed(dx), row.checked_add_signed(dy)) else { continue };
            // Corners of walls are not cut.
            let free = open.allows(x, y) && open.allows(x, row) && open.allows(column, y);
            let Some(value) = field.at(x, y).filter(|_| free) else { continue };
            if value > best.map_or(here, |best| best.1) {
                best = Some(((x, y), value));
            }
        }
        best.map(|best| best.0)
    };
    go(from, most, step)
}

/// Lets an agent follow a flow field for at most `most` steps.
pub fn follow(flow: &FlowField, from: (u32, u32), most: u32) -> Journey {
    go(from, most, |(column, row)| {
        let (dx, dy) = flow.step(column, row)?;
        Some((column.checked_add_signed(dx)?, row.checked_add_signed(dy)?))
    })
}

fn go(from: (u32, u32), most: u32, step: impl Fn((u32, u32)) -> Option<(u32, u32)>) -> Journey {
    let mut cell = from;
    for steps in 0..most {
        match step(cell) {
            Some(next) => cell = next,
            None => return Journey { cell, steps, stopped: true },
        }
    }
    Journey { cell, steps: most, stopped: step(cell).is_none() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routing::TravelTimes;
    use crate::{Entity, Grid, Profile, creation};

    const GOAL: (u32, u32) = (50, 20);

    /// A U that opens away from the goal, 40 cells deep.
    fn trap() -> (Grid, Mask) {
        let grid = Grid::new([0.0, 0.0], 1.0, 64, 41).unwrap();
        let wall = |column: u32, row: u32| {
            (column == 40 && (8..=32).contains(&row)) || ((row == 8 || row == 32) && (10..=40).contains(&column))
        };
        let open = Mask::new(&grid, |column, row| !wall(column, row));
        (grid, open)
    }

    #[test]
    fn climbing_stays_in_a_trap_and_a_flow_field_leads_out_of_it() {
        let (grid, open) = trap();
        let goal = grid.point(GOAL.0, GOAL.1);
        let field = creation::by_tiles(&grid, &[Entity::new(goal, Profile::linear(200.0).unwrap())]).unwrap();
        let cost = |i: usize| {
            let (column, row) = ((i % 64) as u32, (i / 64) as u32);
            if open.allows(column, row) { 1.0 } else { f32::INFINITY }
        };
        let costs: Vec<f32> = (0..grid.cells()).map(cost).collect();
        let times = TravelTimes::to_goals(&grid, &costs, &[GOAL]).unwrap();
        let flow = FlowField::new(&times);
        let (mut stuck, mut inside) = (0, 0);
        for row in 0..41 {
            for column in 0..64 {
                if !open.allows(column, row) {
                    continue;
                }
                let journey = follow(&flow, (column, row), 300);
                assert_eq!((journey.cell, journey.stopped), (GOAL, true), "from {column} {row}");
                if (11..40).contains(&column) && (9..32).contains(&row) {
                    inside += 1;
                    let journey = climb(&field, &open, (column, row), 300);
                    assert!(journey.stopped);
                    stuck += u32::from(journey.cell != GOAL);
                }
            }
        }
        assert_eq!(stuck, inside);
        assert_eq!(climb(&field, &open, (60, 3), 300).cell, GOAL);
    }
}
