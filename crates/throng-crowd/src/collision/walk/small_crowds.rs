//! Verification cases of single steps, whose decisions follow by hand from the definition of the rules.
//!
//! The refused winner and the queue are crowds in which the published check lets discs overlap.

use throng_core::{Finding, InputError};
use throng_device::neighbours::Boundary;
use throng_device::{AnyDevice, with_kernels};
use throng_model::Failure;

use super::super::cpu::{CollisionCheck, Options};
use super::super::lattice::{CELL, SMALLEST_RADIUS};
use super::super::oracle;
use super::super::rules::contest::Rule;
use super::super::scene::{Radii, Scene};
use super::super::world::World;

/// Discs of the smallest radius, and where they wish to be.
struct Wishes {
    scene: Scene,
    at: [Vec<i32>; 2],
    to: [Vec<i32>; 2],
}

impl Wishes {
    /// Wishes in a closed world with room for all places and a cell around them.
    fn new(discs: &[[[i32; 2]; 2]]) -> Result<Self, InputError> {
        let column = |end: usize, axis: usize| discs.iter().map(|disc| disc[end][axis]).collect::<Vec<i32>>();
        let (at, to) = ([0, 1].map(|axis| column(0, axis)), [0, 1].map(|axis| column(1, axis)));
        let side = |axis: usize| at[axis].iter().chain(&to[axis]).copied().max().unwrap_or_default() + 8 * CELL;
        let world = World::new([side(0), side(1)], Boundary::Closed)?;
        Ok(Self { scene: Scene { world, walls: vec![], radii: Radii::equal(discs.len()) }, at, to })
    }

    /// Discs in a row: where they are and wish to be, in tenths of a cell.
    fn row(discs: &[[i32; 2]]) -> Result<Self, InputError> {
        let place = |tenths: i32| [(3 * CELL) + tenths * CELL / 10, 4 * CELL];
        Self::new(&discs.iter().map(|disc| disc.map(place)).collect::<Vec<_>>())
    }

    /// How many discs move in a step. Those whose wish was granted have to be where they wished to be, all others where
    /// they were, and no two may overlap.
    fn movers(&self, device: Option<&AnyDevice>, rule: Rule, longest_step: Option<i32>) -> Result<String, Failure> {
        let Self { scene, at, to } = self;
        let options = Options { rule, seed: 1, longest_step, lattice: None };
        let (after, accepted) = step(device, scene, at, to, options)?;
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
            _ => format!("{movers} ({wrong} in wrong places, {overlaps} overlaps)"),
        })
    }

    /// The movers under sequential, following and conservative, each with steps of bounded and of any length.
    fn of_all_rules(&self, device: Option<&AnyDevice>) -> Result<Vec<String>, Failure> {
        let mut found = Vec::new();
        for rule in Rule::ALL {
            let (bounded, any) = (self.movers(device, rule, Some(4 * CELL))?, self.movers(device, rule, None)?);
            found.push(if bounded == any { bounded } else { format!("{bounded} or {any}") });
        }
        Ok(found)
    }
}

/// Where all discs are after a step, and whose wish was granted.
fn step(
    device: Option<&AnyDevice>,
    scene: &Scene,
    at: &[Vec<i32>; 2],
    to: &[Vec<i32>; 2],
    options: Options,
) -> Result<([Vec<i32>; 2], Vec<bool>), Failure> {
    match device {
        None => {
            let mut check = CollisionCheck::new(scene.clone(), at.clone(), options)?;
            check.step([&to[0], &to[1]])?;
            Ok((check.at().clone(), check.accepted().to_vec()))
        }
        Some(device) => with_kernels!("collision", device, |device| {
            let mut check = super::super::gpu::DeviceCollisionCheck::new(device, scene, [&at[0], &at[1]], options)?;
            let to = [device.upload("wishes", &to[0])?, device.upload("wishes", &to[1])?];
            check.step(device, to.each_ref())?;
            check.check_wishes(device)?;
            let [xs, ys] = check.at();
            let accepted = device.read(check.accepted())?.into_iter().map(|accepted| accepted == 1).collect();
            Ok(([device.read(xs)?, device.read(ys)?], accepted))
        }),
    }
}

fn finding(expected: &[&str], found: &[String]) -> Finding {
    Finding::same(&expected.join(", "), &found.join(", "))
}

/// The second disc is refused because of the third one, which stays; the first one wants to be near the place that the
/// second one does not leave.
pub fn refused_winner(device: Option<&AnyDevice>) -> Result<Finding, Failure> {
    let wishes = Wishes::row(&[[5, 11], [20, 29], [42, 42]])?;
    Ok(finding(&["0", "0", "0"], &wishes.of_all_rules(device)?))
}

/// Each disc of a queue wants the place of the next one, and the first a place that is taken.
pub fn queue(device: Option<&AnyDevice>) -> Result<Finding, Failure> {
    let mut found = Vec::new();
    for length in [3, 4, 10, 1000] {
        let mut discs: Vec<[i32; 2]> = (0..length).map(|i| [15 * i, 15 * (i + 1)]).collect();
        discs.push([15 * length, 15 * length]);
        found.extend(Wishes::row(&discs)?.of_all_rules(device)?);
    }
    let queues = found.len();
    let movers: Vec<String> = found.into_iter().filter(|movers| movers != "0").collect();
    let text = |moving: usize| format!("{moving} of {queues} queues move");
    let found = if movers.is_empty() { text(0) } else { format!("{}: {}", text(movers.len()), movers.join(", ")) };
    Ok(Finding::same(&text(0), &found))
}

/// Discs on the border of a square, each of which wants the place of the next one.
pub fn ring(device: Option<&AnyDevice>) -> Result<Finding, Failure> {
    let (side, apart) = (5, 2 * SMALLEST_RADIUS);
    let corner = |i: i32| match i / side % 4 {
        0 => [i % side, 0],
        1 => [side, i % side],
        2 => [side - i % side, side],
        _ => [0, side - i % side],
    };
    let place = |i: i32| corner(i).map(|number| 4 * CELL + number * apart);
    let discs: Vec<[[i32; 2]; 2]> = (0..4 * side).map(|i| [place(i), place(i + 1)]).collect();
    Ok(finding(&["0", "20", "0"], &Wishes::new(&discs)?.of_all_rules(device)?))
}

/// Discs in rows around a free place that all want it.
pub fn one_place(device: Option<&AnyDevice>) -> Result<Finding, Failure> {
    let (side, apart) = (15, 2 * SMALLEST_RADIUS);
    let place = |number: i32| [number % side, number / side].map(|number| 4 * CELL + number * apart);
    let middle = side * side / 2;
    let others = (0..side * side).filter(|&number| number != middle);
    let discs: Vec<[[i32; 2]; 2]> = others.take(200).map(|number| [place(number), place(middle)]).collect();
    let wishes = Wishes::new(&discs)?;
    // Steps may have any length here.
    let found: Result<Vec<String>, Failure> = Rule::ALL.iter().map(|&rule| wishes.movers(device, rule, None)).collect();
    Ok(finding(&["1", "1", "1"], &found?))
}

pub fn exchange(device: Option<&AnyDevice>) -> Result<Finding, Failure> {
    Ok(finding(&["0", "2", "0"], &Wishes::row(&[[0, 15], [15, 0]])?.of_all_rules(device)?))
}
