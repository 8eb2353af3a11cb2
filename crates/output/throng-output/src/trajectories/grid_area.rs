//! The walkable area of a grid of cells.

use super::WalkableArea;
use super::outline::Regions;
use super::walkable_area::Polygon;

/// A grid of square cells, some of which are walls. The corner of cell (0, 0) is at the origin; columns extend along x,
/// rows along y.
///
/// ```
/// use throng_output::GridArea;
///
/// // A wall in the middle.
/// let grid = GridArea { width: 3, height: 3, cell_m: 0.5, is_wall: |x, y| (x, y) == (1, 1) };
/// let area = grid.walkable_area().unwrap();
/// let expected = "POLYGON ((0 0, 1.5 0, 1.5 1.5, 0 1.5, 0 0), (0.5 1, 1 1, 1 0.5, 0.5 0.5, 0.5 1))";
/// assert_eq!(area.to_string(), expected);
/// assert_eq!(area.square_metres(), 8.0 * 0.25);
/// ```
#[derive(Debug, Clone, Copy)]
pub struct GridArea<F> {
    /// Number of columns.
    pub width: usize,
    /// Number of rows.
    pub height: usize,
    /// Side length of a cell in metres, positive and finite.
    pub cell_m: f64,
    /// Whether the cell (column, row) is a wall.
    pub is_wall: F,
}

impl<F: Fn(usize, usize) -> bool> GridArea<F> {
    /// Returns the area of all cells that are not walls; `None` if all are.
    ///
    /// Cells are connected only through their sides. Cells that merely touch at a corner form separate parts, unless
    /// other cells connect them; in that case the walls between them form a hole, which touches another hole or the
    /// exterior. The polygons are valid simple features.
    ///
    /// Time and memory are proportional to the number of cells.
    pub fn walkable_area(&self) -> Option<WalkableArea> {
        WalkableArea::of_polygons(self.polygons(&self.regions()).collect())
    }

    /// Returns one area per connected part, ordered by the first cell of the part in row-major order, and the part of
    /// each cell. PedPy opens only areas of one part.
    pub fn connected_parts(&self) -> ConnectedParts {
        let regions = self.regions();
        let areas = self.polygons(&regions).filter_map(|polygon| WalkableArea::of_polygons(vec![polygon])).collect();
        ConnectedParts { areas, regions }
    }

    fn regions(&self) -> Regions {
        Regions::find(self.width, self.height, &self.is_wall)
    }

    fn polygons(&self, regions: &Regions) -> impl Iterator<Item = Polygon> + use<F> {
        let cell_m = self.cell_m;
        let place = move |(x, y): (usize, usize)| [x as f64 * cell_m, y as f64 * cell_m];
        let polygon = move |rings: Vec<Vec<(usize, usize)>>| Polygon {
            rings: rings.into_iter().map(|ring| ring.into_iter().map(place).collect()).collect(),
        };
        regions.rings().into_iter().map(polygon)
    }
}

/// The connected parts of the area of a grid, as separate areas.
///
/// ```
/// use throng_output::GridArea;
///
/// // Two rooms with a wall between them.
/// let parts = GridArea { width: 5, height: 2, cell_m: 1.0, is_wall: |x, _| x == 2 }.connected_parts();
/// assert_eq!(parts.areas()[1].to_string(), "POLYGON ((3 0, 5 0, 5 2, 3 2, 3 0))");
/// assert_eq!([parts.of_cell(0, 1), parts.of_cell(2, 1), parts.of_cell(4, 0)], [Some(0), None, Some(1)]);
/// ```
#[derive(Debug)]
pub struct ConnectedParts {
    areas: Vec<WalkableArea>,
    regions: Regions,
}

impl ConnectedParts {
    /// Returns the parts; empty if all cells are walls.
    pub fn areas(&self) -> &[WalkableArea] {
        &self.areas
    }

    /// Returns the index of the part that contains a cell; `None` for walls.
    pub fn of_cell(&self, column: usize, row: usize) -> Option<usize> {
        self.regions.of_cell(column, row)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::super::walkable_area::signed_area;
    use super::*;

    /// Returns the area of a drawing with 1 m cells, in which `#` is a wall; the last line is row 0.
    fn area_of(drawing: &[&str]) -> Option<WalkableArea> {
        let rows: Vec<&[u8]> = drawing.iter().rev().map(|row| row.as_bytes()).collect();
        let is_wall = |x: usize, y: usize| rows[y][x] == b'#';
        GridArea { width: rows.first().map_or(0, |row| row.len()), height: rows.len(), cell_m: 1.0, is_wall }
            .walkable_area()
    }

    fn text_of(drawing: &[&str]) -> String {
        area_of(drawing).unwrap().to_string()
    }

    #[test]
    fn corridors_around_corners_are_single_polygons() {
        assert_eq!(text_of(&["."]), "POLYGON ((0 0, 1 0, 1 1, 0 1, 0 0))");
        assert_eq!(text_of(&["..", "#."]), "POLYGON ((1 0, 2 0, 2 2, 0 2, 0 1, 1 1, 1 0))");
        assert_eq!(text_of(&["#####", "#...#", "#####"]), "POLYGON ((1 1, 4 1, 4 2, 1 2, 1 1))");
        assert_eq!((area_of(&["##", "##"]), area_of(&[]), area_of(&[""])), (None, None, None));
    }

    #[test]
    fn an_island_in_a_hole_is_a_part() {
        let area = area_of(&[".....", ".###.", ".#.#.", ".###.", "....."]).unwrap();
        assert_eq!(
            area.to_string(),
            "MULTIPOLYGON (((0 0, 5 0, 5 5, 0 5, 0 0), (1 4, 4 4, 4 1, 1 1, 1 4)), ((2 2, 3 2, 3 3, 2 3, 2 2)))"
        );
        assert_eq!((area.parts(), area.square_metres()), (2, 17.0));
    }

    #[test]
    fn a_corner_connects_no_cells() {
        assert_eq!(text_of(&["#.", ".#"]), "MULTIPOLYGON (((0 0, 1 0, 1 1, 0 1, 0 0)), ((1 1, 2 1, 2 2, 1 2, 1 1)))");
    }

    #[test]
    fn holes_may_touch_at_corners() {
        // The hole touches the exterior at (2, 1).
        assert_eq!(
            text_of(&["...", ".#.", "..#"]),
            "POLYGON ((0 0, 2 0, 2 1, 3 1, 3 3, 0 3, 0 0), (1 2, 2 2, 2 1, 1 1, 1 2))"
        );
        // Two holes touch at (2, 2).
        assert_eq!(
            text_of(&["....", ".#..", "..#.", "...."]),
            "POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0), (2 2, 3 2, 3 1, 2 1, 2 2), (1 3, 2 3, 2 2, 1 2, 1 3))"
        );
    }

    /// Whether a point is inside a ring, by the number of sides to its right.
    fn is_within([x, y]: [f64; 2], ring: &[[f64; 2]]) -> bool {
        let next = ring.iter().cycle().skip(1);
        let is_crossed = |(a, b): &(&[f64; 2], &[f64; 2])| a[0] > x && (a[1] > y) != (b[1] > y);
        ring.iter().zip(next).filter(is_crossed).count() % 2 == 1
    }

    proptest! {
        #[test]
        fn polygons_cover_the_free_cells(
            width in 1..12_usize, height in 1..12_usize, walls in proptest::collection::vec(any::<bool>(), 144),
        ) {
            let is_wall = |x: usize, y: usize| walls[y * 12 + x];
            let free = (0..height).flat_map(|y| (0..width).map(move |x| (x, y))).filter(|&(x, y)| !is_wall(x, y)).count();
            let area = GridArea { width, height, cell_m: 0.5, is_wall }.walkable_area();
            prop_assert_eq!(area.is_some(), free > 0);
            let Some(area) = area else { return Ok(()) };
            prop_assert_eq!(area.square_metres(), free as f64 * 0.25);
            for polygon in area.polygons() {
                for (number, ring) in polygon.rings.iter().enumerate() {
                    prop_assert_eq!(signed_area(ring) > 0.0, number == 0, "{}", area);
                    let corners: BTreeSet<[u64; 2]> = ring.iter().map(|corner| corner.map(f64::to_bits)).collect();
                    prop_assert_eq!(corners.len(), ring.len(), "a ring passes a corner twice: {}", area);
                    for corner in 0..ring.len() {
                        let [a, b, c] = [0, 1, 2].map(|step| ring[(corner + step) % ring.len()]);
                        prop_assert!((a[0] == b[0]) != (a[1] == b[1]) && (a[0] == b[0]) == (b[1] == c[1]), "{}", area);
                    }
                }
            }
            // Each free cell is in one part, in which it is connected to its neighbours; walls are in none.
            let part = |x: usize, y: usize| {
                let middle = [x as f64 * 0.5 + 0.25, y as f64 * 0.5 + 0.25];
                let holds = |polygon: &Polygon| {
                    let (exterior, holes) = polygon.rings.split_first().unwrap();
                    is_within(middle, exterior) && !holes.iter().any(|hole| is_within(middle, hole))
                };
                let parts: Vec<usize> = (0..area.parts()).filter(|part| holds(&area.polygons()[*part])).collect();
                assert!(parts.len() <= 1, "{x} {y}: {area}");
                parts.first().copied()
            };
            for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
                prop_assert_eq!(part(x, y).is_none(), is_wall(x, y));
                if x > 0 && !is_wall(x, y) && !is_wall(x - 1, y) {
                    prop_assert_eq!(part(x, y), part(x - 1, y));
                }
                if y > 0 && !is_wall(x, y) && !is_wall(x, y - 1) {
                    prop_assert_eq!(part(x, y), part(x, y - 1));
                }
            }
        }
    }
}
