//! Where agents walk: the cells of the map, the open ones, and the goals.

use throng_core::{Problems, ValueError};
use throng_fields_core::routing::Ground;
use throng_model::At;
use throng_pictures::{Grid, Mask};

use super::written;
use crate::given::{Given, Need};
use crate::goals::Goal;
use crate::lengths;
use crate::lengths::{FARTHEST, TOLERANCE};

/// The cells; keys may be missing without a problem if there is a map that could not be read.
pub fn grid(written: &At<written::Grid>, has_unread_map: bool, problems: &mut Problems) -> Option<Grid> {
    let written::Grid { size, cell, sample, .. } = &written.value;
    for (key, is_given) in [("size", size.is_some()), ("cell", cell.is_some())] {
        // Otherwise the map might have it.
        if !is_given && !has_unread_map {
            problems.push(
                &written.place,
                format!("{key} is missing"),
                "add it, or the YAML file of a robot's map as map",
            );
        }
    }
    let (size, cell) = ((*size)?, (*cell)?);
    if !((cell as f32).is_finite() && (cell as f32) > 0.0) {
        problems.push(written.part("cell"), format!("{cell:?}"), "expected a finite number above 0");
        return None;
    }
    let mut cells = [0u32; 2];
    for (axis, count) in cells.iter_mut().enumerate() {
        let exact = size[axis] / cell;
        if !(exact > 0.0 && exact < 1e9 && (exact - exact.round()).abs() < TOLERANCE) {
            let remedy = format!("expected sizes above 0 of whole cells, whose side is {cell}");
            problems.push(written.part("size"), format!("{} x {}", size[0], size[1]), remedy);
            return None;
        }
        *count = exact.round() as u32;
    }
    let origin = written.value.origin_or_default();
    // Places of its errors begin with the grid.
    let made = Grid::new(origin, cell as f32, cells[0], cells[1]);
    let made = made.map_err(|error| {
        let part = error.place.strip_prefix("grid, ").unwrap_or(&error.place);
        problems.push(written.part(part), error.value, error.remedy);
    });
    Some(made.ok()?.sampled_at(*sample))
}

/// The ground of agents with some of the goals, whose cells are the open ones of their areas, and with the cells on which
/// their bodies can walk, if these are not all open ones.
pub fn ground(grid: &Grid, open: &Mask, walkable: Option<&Mask>, goals: &[&Goal]) -> Result<Ground, ValueError> {
    let is_goal = |column, row| goals.iter().any(|goal| goal.area.allows(column, row));
    let goals = Mask::new(grid, |column, row| open.allows(column, row) && is_goal(column, row));
    Ground::on(grid, open.clone(), walkable.cloned(), goals)
}

/// Refuses an area without an open cell.
pub fn check_has_open_cell(grid: &Grid, open: &Mask, area: &Mask, place: String, problems: &mut Problems) {
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

/// The cells whose centre is in an area.
pub fn area(grid: &Grid, area: &written::Area, place: &str, problems: &mut Problems) -> Option<Mask> {
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
    let bad = numbers.iter().find(|(_, point)| point.is_some_and(|point| !lengths::is_place(&point)));
    if let Some((key, point)) = bad {
        problems.push(
            format!("{place}, {key}"),
            format!("{:?}", point.unwrap_or_default()),
            format!("expected finite numbers, at most {FARTHEST:e}"),
        );
        return None;
    }
    if let Some(radius) = radius.filter(|radius| !(radius.is_finite() && *radius >= 0.0)) {
        problems.push(format!("{place}, radius"), radius.to_string(), "expected a finite number, 0 or more");
        return None;
    }
    if let (Some(from), Some(to)) = (from, to)
        && (from[0] > to[0] || from[1] > to[1])
    {
        let remedy = format!("expected a corner with higher coordinates than those of from, {from:?}");
        problems.push(format!("{place}, to"), format!("{to:?}"), remedy);
        return None;
    }
    // Single precision absorbs the error of decimal fractions; coordinates are relative to the origin, so that all
    // origins are equal.
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
    fn areas_have_the_same_cells_from_any_origin_on() {
        let cells = |[x, y]: [f64; 2], text: &str| -> Vec<(u32, u32)> {
            let grid = Grid::new([x, y], 0.25, 60, 40).unwrap();
            let (at, to) = (format!("[{}, {}]", x + 2.375, y + 1.625), format!("[{}, {}]", x + 4.375, y + 2.125));
            let area: written::Area = toml::from_str(&text.replace("AT", &at).replace("TO", &to)).unwrap();
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
