//! Areas of the map: goals, and the start areas of agents.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use throng_core::Problems;
use throng_pictures::{Grid, Mask};

use crate::key_rules::{Presence, check_keys};
use crate::value_checks::{MAX_COORDINATE, check_not_negative, is_place};

/// An area of the map: a disc, or a rectangle along the axes.
#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "struct Area")]
pub struct AreaTable {
    /// The centre of a disc, units of length.
    pub at: Option<[f64; 2]>,
    /// The radius of a disc, units of length.
    pub radius: Option<f32>,
    /// The corner of a rectangle with the lowest coordinates, units of length.
    pub from: Option<[f64; 2]>,
    /// The corner with the highest coordinates.
    pub to: Option<[f64; 2]>,
}

/// Rejects an area without an open cell.
pub(crate) fn check_has_open_cell(grid: &Grid, open: &Mask, area: &Mask, place: String, problems: &mut Problems) {
    if area.cells().any(|(column, row)| open.allows(column, row)) {
        return;
    }
    let cells = open.cells().count();
    let (value, remedy) = if cells == 0 {
        (
            format!("0 of {} cells are open", grid.cells()),
            "check the walls and the map, such as its mode and negate".into(),
        )
    } else if area.cells().next().is_none() {
        let [x, y] = grid.origin();
        let [right, top] = [(x, grid.columns()), (y, grid.rows())]
            .map(|(from, cells)| from + f64::from(cells) * f64::from(grid.cell()));
        let remedy = format!(
            "let it cover the centre of a cell; the map has x from {x} to {right}, y from {y} to {top}, and cells of {}",
            grid.cell()
        );
        ("no cell".to_owned(), remedy)
    } else {
        ("no open cell".to_owned(), "let it cover the centre of an open cell: all of its cells are walls".to_owned())
    };
    problems.push(place, value, remedy);
}

/// Returns the cells whose centres are in an area.
pub(crate) fn area(grid: &Grid, area: &AreaTable, place: &str, problems: &mut Problems) -> Option<Mask> {
    let AreaTable { at, radius, from, to } = area;
    let disc = at.is_some() || radius.is_some();
    let keys = [
        ("at", at.is_some(), Presence::when(disc)),
        ("radius", radius.is_some(), Presence::when(disc)),
        ("from", from.is_some(), Presence::when(!disc)),
        ("to", to.is_some(), Presence::when(!disc)),
    ];
    if !check_keys(place, if disc { "a disc" } else { "a rectangle" }, &keys, problems) {
        return None;
    }
    let numbers = [("at", *at), ("from", *from), ("to", *to)];
    let bad = numbers.iter().find(|(_, point)| point.is_some_and(|point| !is_place(&point)));
    if let Some((key, point)) = bad {
        problems.push(
            format!("{place}, {key}"),
            format!("{:?}", point.unwrap_or_default()),
            format!("expected finite numbers, at most {MAX_COORDINATE:e}"),
        );
        return None;
    }
    if radius.is_some_and(|radius| !check_not_negative(format!("{place}, radius"), radius, problems)) {
        return None;
    }
    if let (Some(from), Some(to)) = (from, to)
        && (from[0] > to[0] || from[1] > to[1])
    {
        let remedy = format!("expected a corner with higher coordinates than those of from, {from:?}");
        problems.push(format!("{place}, to"), format!("{to:?}"), remedy);
        return None;
    }
    // Single precision absorbs the error of decimal fractions. Coordinates are relative to the origin, so that the
    // result does not depend on it.
    let from_origin = |point: [f64; 2]| [0, 1].map(|axis| (point[axis] - grid.origin()[axis]) as f32);
    let [at, from, to] = [at, from, to].map(|point| point.map(from_origin));
    let middle = |cell: u32| ((f64::from(cell) + 0.5) * f64::from(grid.cell())) as f32;
    Some(Mask::new(grid, |column, row| {
        let [x, y] = [middle(column), middle(row)];
        if let (Some(at), Some(radius)) = (at, radius) {
            let [x, y] = [x - at[0], y - at[1]];
            return x * x + y * y <= radius * radius;
        }
        let (Some(from), Some(to)) = (from, to) else { return false };
        (from[0]..=to[0]).contains(&x) && (from[1]..=to[1]).contains(&y)
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn areas_do_not_depend_on_the_origin() {
        let cells = |[x, y]: [f64; 2], text: &str| -> Vec<(u32, u32)> {
            let grid = Grid::new([x, y], 0.25, 60, 40).unwrap();
            let (at, to) = (format!("[{}, {}]", x + 2.375, y + 1.625), format!("[{}, {}]", x + 4.375, y + 2.125));
            let area: AreaTable = toml::from_str(&text.replace("AT", &at).replace("TO", &to)).unwrap();
            let mut problems = Problems::new();
            let mask = super::area(&grid, &area, "goal", &mut problems).unwrap();
            assert!(problems.is_empty());
            mask.cells().collect()
        };
        // From the centre of a cell to that of another: 9 x 3 cells.
        let rectangle = "from = AT\nto = TO";
        assert_eq!(cells([0.0, 0.0], rectangle).len(), 27);
        for text in [rectangle, "at = AT\nradius = 1.1"] {
            let expected = cells([0.0, 0.0], text);
            for origin in [[10_000.0, -10_000.0], [690_000.0, 5_334_000.0]] {
                assert_eq!(cells(origin, text), expected, "{origin:?} {text}");
            }
        }
    }
}
