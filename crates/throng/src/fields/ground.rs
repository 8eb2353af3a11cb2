//! Where agents walk: the cells of the map, which of them are open, and which are goals.

use throng_core::Problems;
use throng_fields::routing::Ground;
use throng_fields::{Grid, Mask, Sample};

use super::figures::{Given, Need, accept};
use super::source::At;
use super::written;

/// The cells.
pub(super) fn grid(written: &At<written::Grid>, problems: &mut Problems) -> Option<Grid> {
    let written::Grid { origin, size, cell, sample, .. } = &written.value;
    let mut cells = [0u32; 2];
    for (axis, count) in cells.iter_mut().enumerate() {
        let exact = f64::from(size[axis]) / f64::from(*cell);
        // Off by a thousandth of a cell: decimal fractions are not exact.
        if !(exact > 0.0 && exact < 1e9 && (exact - exact.round()).abs() < 1e-3) {
            let remedy = format!("expected are sizes above 0 of whole cells, whose side is {cell}");
            problems.push(written.part("size"), format!("{} x {}", size[0], size[1]), remedy);
            return None;
        }
        *count = exact.round() as u32;
    }
    // All positions of a scenario are in single precision.
    let grid =
        Grid::new(*origin, *cell, cells[0], cells[1]).and_then(|grid| grid.check_single_precision().map(|()| grid));
    let grid = accept(&written.place, grid, problems)?;
    Some(grid.sampled_at(match sample {
        written::Sample::Centre => Sample::Centre,
        written::Sample::Corner => Sample::Corner,
    }))
}

/// Open cells and goals.
pub(super) fn ground(
    grid: &Grid,
    open: Mask,
    goals: &[At<written::Area>],
    written: &At<written::Grid>,
    problems: &mut Problems,
) -> Option<Ground> {
    let mut areas = Vec::new();
    for goal in goals {
        let Some(area) = area(grid, &goal.value, &goal.place, problems) else { continue };
        if !area.cells().any(|(column, row)| open.allows(column, row)) {
            problems.push(&goal.place, "no open cell", "let the goal cover the centre of an open cell");
        }
        areas.push(area);
    }
    let goals =
        Mask::new(grid, |column, row| open.allows(column, row) && areas.iter().any(|area| area.allows(column, row)));
    accept(&written.place, Ground::new(grid, open, goals), problems)
}

/// The cells whose middle lies in an area.
pub(super) fn area(grid: &Grid, area: &written::Area, place: &str, problems: &mut Problems) -> Option<Mask> {
    let written::Area { at, radius, from, to } = area;
    let disc = at.is_some() || radius.is_some();
    let given = Given {
        place,
        choice: if disc { "a disc".to_owned() } else { "a rectangle".to_owned() },
        keys: vec![
            ("at", at.is_some(), Need::when(disc)),
            ("radius", radius.is_some(), Need::when(disc)),
            ("from", from.is_some(), Need::when(!disc)),
            ("to", to.is_some(), Need::when(!disc)),
        ],
    };
    if !given.check(problems) {
        return None;
    }
    let numbers = [("at", *at), ("from", *from), ("to", *to)];
    let bad =
        numbers.iter().find(|(_, point)| point.is_some_and(|point| point.iter().any(|number| !number.is_finite())));
    if let Some((key, point)) = bad {
        problems.push(
            format!("{place}, {key}"),
            format!("{:?}", point.unwrap_or_default()),
            "expected are finite numbers",
        );
        return None;
    }
    if let Some(radius) = radius.filter(|radius| !(radius.is_finite() && *radius >= 0.0)) {
        problems.push(format!("{place}, radius"), radius.to_string(), "expected is a finite number, 0 or more");
        return None;
    }
    if let (Some(from), Some(to)) = (from, to)
        && (from[0] > to[0] || from[1] > to[1])
    {
        let remedy = format!("expected is a corner with higher coordinates than those of from, {from:?}");
        problems.push(format!("{place}, to"), format!("{to:?}"), remedy);
        return None;
    }
    let middles = grid.sampled_at(Sample::Centre);
    Some(Mask::new(grid, |column, row| {
        let [x, y] = middles.point(column, row).map(|at| at as f32);
        if let (Some(at), Some(radius)) = (at, radius) {
            let [x, y] = [x - at[0], y - at[1]];
            return x * x + y * y <= radius * radius;
        }
        let (Some(from), Some(to)) = (from, to) else { return false };
        (from[0]..=to[0]).contains(&x) && (from[1]..=to[1]).contains(&y)
    }))
}
