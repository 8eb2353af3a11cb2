//! Verification cases of single steps whose decisions follow by hand from the definition of the rules.
//!
//! For the crowds of the refused winner and of the queue, the published check lets discs overlap.

use throng_core::{Finding, InputError};
use throng_device::neighbours::Boundary;
use throng_model::Failure;

use super::super::super::lattice::{CELL, MIN_RADIUS};
use super::super::super::options::Options;
use super::super::super::oracle;
use super::super::super::rules::contest::Rule;
use super::super::super::scene::{Radii, Scene};
use super::super::super::world::World;
use super::executor::CaseExecutor;

/// Discs of the smallest radius, and their wishes.
struct Wishes {
    scene: Scene,
    at: [Vec<i32>; 2],
    to: [Vec<i32>; 2],
}

impl Wishes {
    /// Creates wishes in a closed world with room for all positions and a margin of cells.
    fn new(discs: &[[[i32; 2]; 2]]) -> Result<Self, InputError> {
        let column = |end: usize, axis: usize| discs.iter().map(|disc| disc[end][axis]).collect::<Vec<i32>>();
        let (at, to) = ([0, 1].map(|axis| column(0, axis)), [0, 1].map(|axis| column(1, axis)));
        let side = |axis: usize| at[axis].iter().chain(&to[axis]).copied().max().unwrap_or_default() + 8 * CELL;
        let world = World::new([side(0), side(1)], Boundary::Closed)?;
        Ok(Self { scene: Scene { world, walls: vec![], radii: Radii::equal(discs.len()) }, at, to })
    }

    /// Creates discs in a row, from positions and wishes in tenths of a cell.
    fn row(discs: &[[i32; 2]]) -> Result<Self, InputError> {
        let place = |tenths: i32| [(3 * CELL) + tenths * CELL / 10, 4 * CELL];
        Self::new(&discs.iter().map(|disc| disc.map(place)).collect::<Vec<_>>())
    }

    /// Returns the number of discs that move in a step. Discs whose wish was granted must be at the requested position,
    /// all others at their old one, and no two may overlap.
    fn movers(&self, on: &dyn CaseExecutor, rule: Rule, longest_step: Option<i32>) -> Result<String, Failure> {
        let Self { scene, at, to } = self;
        let options = Options { rule, seed: 1, longest_step, lattice: None };
        let (after, accepted) = on.step(scene, at, to, options)?;
        let is_right = |disc: usize| {
            let from = if accepted[disc] { to } else { at };
            (0..2).all(|axis| after[axis][disc] == from[axis][disc])
        };
        let wrong = (0..accepted.len()).filter(|&disc| !is_right(disc)).count();
        let overlaps = oracle::overlaps(scene, [&after[0], &after[1]]).len();
        let has_moved = |disc: &usize| (0..2).any(|axis| after[axis][*disc] != at[axis][*disc]);
        let movers = (0..accepted.len()).filter(has_moved).count().to_string();
        Ok(match (wrong, overlaps) {
            (0, 0) => movers,
            _ => format!("{movers} ({wrong} at wrong positions, {overlaps} overlaps)"),
        })
    }

    /// Returns the movers under sequential, following and conservative, each with steps of bounded and of any length.
    fn of_all_rules(&self, on: &dyn CaseExecutor) -> Result<Vec<String>, Failure> {
        let mut found = Vec::new();
        for rule in Rule::ALL {
            let (bounded, any) = (self.movers(on, rule, Some(4 * CELL))?, self.movers(on, rule, None)?);
            found.push(if bounded == any { bounded } else { format!("{bounded} or {any}") });
        }
        Ok(found)
    }
}

fn finding(expected: &[&str], found: &[String]) -> Finding {
    Finding::same(&expected.join(", "), &found.join(", "))
}

/// The second disc is refused because of the third one, which stays; the first one wants a position close to that of
/// the second, which does not leave. A fourth one moves freely.
pub fn refused_winner(on: &dyn CaseExecutor) -> Result<Finding, Failure> {
    let wishes = Wishes::row(&[[5, 11], [20, 29], [42, 42], [90, 100]])?;
    Ok(finding(&["1", "1", "1"], &wishes.of_all_rules(on)?))
}

/// Each disc of a queue wants the position of the next one, and the first an occupied position. A disc ahead of them
/// moves freely.
pub fn queue(on: &dyn CaseExecutor) -> Result<Finding, Failure> {
    let mut found = Vec::new();
    for length in [3, 4, 10, 1000] {
        let mut discs: Vec<[i32; 2]> = (0..length).map(|i| [15 * i, 15 * (i + 1)]).collect();
        discs.push([15 * length, 15 * length]);
        discs.push([15 * length + 60, 15 * length + 70]);
        found.extend(Wishes::row(&discs)?.of_all_rules(on)?);
    }
    let queues = found.len();
    let movers: Vec<String> = found.into_iter().filter(|movers| movers != "1").collect();
    let text = |wrong: usize| format!("{} of {queues} queues wait", queues - wrong);
    let found = if movers.is_empty() { text(0) } else { format!("{}: {}", text(movers.len()), movers.join(", ")) };
    Ok(Finding::same(&text(0), &found))
}

/// Discs on the border of a square, each of which wants the position of the next one.
pub fn ring(on: &dyn CaseExecutor) -> Result<Finding, Failure> {
    let (side, apart) = (5, 2 * MIN_RADIUS);
    let corner = |i: i32| match i / side % 4 {
        0 => [i % side, 0],
        1 => [side, i % side],
        2 => [side - i % side, side],
        _ => [0, side - i % side],
    };
    let place = |i: i32| corner(i).map(|number| 4 * CELL + number * apart);
    let discs: Vec<[[i32; 2]; 2]> = (0..4 * side).map(|i| [place(i), place(i + 1)]).collect();
    Ok(finding(&["0", "20", "0"], &Wishes::new(&discs)?.of_all_rules(on)?))
}

/// Discs in rows around a free position that all of them want.
pub fn one_place(on: &dyn CaseExecutor) -> Result<Finding, Failure> {
    let (side, apart) = (15, 2 * MIN_RADIUS);
    let place = |number: i32| [number % side, number / side].map(|number| 4 * CELL + number * apart);
    let middle = side * side / 2;
    let others = (0..side * side).filter(|&number| number != middle);
    let discs: Vec<[[i32; 2]; 2]> = others.take(200).map(|number| [place(number), place(middle)]).collect();
    let wishes = Wishes::new(&discs)?;
    // Steps may have any length here.
    let found: Result<Vec<String>, Failure> = Rule::ALL.iter().map(|&rule| wishes.movers(on, rule, None)).collect();
    Ok(finding(&["1", "1", "1"], &found?))
}

pub fn exchange(on: &dyn CaseExecutor) -> Result<Finding, Failure> {
    Ok(finding(&["0", "2", "0"], &Wishes::row(&[[0, 15], [15, 0]])?.of_all_rules(on)?))
}
