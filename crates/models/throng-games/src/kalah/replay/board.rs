//! The surface of the board with its bowls, and the positions of stones in them.
//!
//! The unit of length is the distance between neighbouring pits; the origin is the centre of the board. The lower row
//! is at the front and is sown from left to right, with its store at the right end; the upper row is opposite.

use throng_scene::{HeightField, OrientedBox, Point, Rgb, colours};

/// Radius of a bowl, and of the rounded ends of a store.
const BOWL: f64 = 0.44;
/// Depth of a bowl below the wood.
const DEPTH: f64 = 0.3;
/// Distance of the rows, and of the centres of a store's rounded ends, from the centre line.
const ROW: f64 = 0.55;
/// Half the width of the board.
const HALF_WIDTH: f64 = 1.2;
/// Height of the board's top above the table.
const WOOD: f64 = 0.5;
/// Surface samples per unit of length.
const FINENESS: usize = 24;
/// Radius of a stone.
pub(super) const STONE: f64 = 0.09;
/// Distance between stones in a layer: slightly more than they need.
const APART: f64 = 0.2;

/// Colours of the wood, of bowls, and of the bowl that was sown last.
const WOOD_COLOUR: Rgb = [0.42, 0.22, 0.09];
const BOWL_COLOUR: Rgb = [0.12, 0.055, 0.025];
pub(super) const SOWN_COLOUR: Rgb = [0.75, 0.55, 0.05];

/// The locations of the bowls, for a number of pits.
#[derive(Debug, Clone, Copy)]
pub(super) struct Layout {
    pits: usize,
}

impl Layout {
    pub(super) fn new(pits: usize) -> Self {
        Self { pits }
    }

    /// Returns half the length of the board.
    fn half_length(self) -> f64 {
        self.pits as f64 / 2.0 + 1.2
    }

    /// Returns two opposite corners of the bounding box of the board and its stones.
    pub(super) fn extent(self) -> [Point; 2] {
        let (x, z) = (self.half_length(), HALF_WIDTH);
        [[-x, 0.0, -z], [x, WOOD + DEPTH, z]]
    }

    /// Returns the centre (x, z) of a cell, and the distance by which a store extends along z in both directions.
    fn middle(self, cell: usize) -> ([f64; 2], f64) {
        let pits = self.pits;
        let x_of = |column: usize| column as f64 - f64::midpoint(pits as f64, 1.0);
        if cell < pits {
            ([x_of(cell + 1), ROW], 0.0)
        } else if cell == pits {
            ([x_of(pits + 1), 0.0], ROW)
        } else if cell <= 2 * pits {
            ([x_of(2 * pits + 1 - cell), -ROW], 0.0)
        } else {
            ([x_of(0), 0.0], ROW)
        }
    }

    /// Returns the depth of a point within the bowl of a cell: 1 in the centre, 0 at the edge, negative outside.
    fn inside(self, cell: usize, [x, z]: [f64; 2]) -> f64 {
        let (middle, extends) = self.middle(cell);
        let z = z - middle[1];
        let z = z - z.clamp(-extends, extends);
        let x = x - middle[0];
        1.0 - (x * x + z * z) / (BOWL * BOWL)
    }

    /// Returns the height of the surface at a point, and the cell whose bowl is there, if any.
    fn surface(self, point: [f64; 2]) -> (f64, Option<usize>) {
        let cell = (0..2 * self.pits + 2).find(|&cell| self.inside(cell, point) > 0.0);
        let depth = cell.map_or(0.0, |cell| DEPTH * self.inside(cell, point));
        (WOOD - depth, cell)
    }

    /// Returns the top of the board; the bowl of `sown` is marked.
    pub(super) fn top(self, sown: Option<usize>) -> HeightField {
        let (x, z) = (self.half_length(), HALF_WIDTH);
        let columns = (2.0 * x * FINENESS as f64) as usize + 1;
        let rows = (2.0 * z * FINENESS as f64) as usize + 1;
        let spacing = [2.0 * x / (columns - 1) as f64, 2.0 * z / (rows - 1) as f64];
        let (mut heights, mut albedos) = (Vec::new(), Vec::new());
        for i in 0..columns * rows {
            let (height, cell) =
                self.surface([(i % columns) as f64 * spacing[0] - x, (i / columns) as f64 * spacing[1] - z]);
            heights.push(height);
            albedos.push(match cell {
                None => WOOD_COLOUR,
                Some(cell) if Some(cell) == sown => SOWN_COLOUR,
                Some(_) => BOWL_COLOUR,
            });
        }
        HeightField { origin: [-x, 0.0, -z], spacing, columns, heights, albedos, ..HeightField::default() }
    }

    /// Returns the sides of the board, which a height field does not have.
    pub(super) fn sides(self) -> [OrientedBox; 4] {
        let (x, z, thick, high) = (self.half_length(), HALF_WIDTH, 0.08, WOOD + 0.03);
        let side =
            |[x0, z0]: [f64; 2], [x1, z1]: [f64; 2]| OrientedBox::between([x0, 0.0, z0], [x1, high, z1], WOOD_COLOUR);
        [
            side([-x - thick, z], [x + thick, z + thick]),
            side([-x - thick, -z - thick], [x + thick, -z]),
            side([-x - thick, -z], [-x, z]),
            side([x, -z], [x + thick, z]),
        ]
    }

    /// Returns the centre of stone `number` in a cell. A layer consists of a stone in the centre and six around it, and
    /// of three such groups in stores; each further layer lies on the one below.
    pub(super) fn stone_centre(self, cell: usize, number: usize) -> Point {
        let (middle, extends) = self.middle(cell);
        let groups = if extends > 0.0 { 3 } else { 1 };
        let (layer, in_layer) = (number / (7 * groups), number % (7 * groups));
        let (group, in_group) = (in_layer % groups, in_layer / groups);
        // The middle group of a store is filled first.
        let along = [0.0, -extends, extends][group];
        let (sin, cos) = HEXAGON[in_group];
        let (x, z) = (middle[0] + APART * cos, middle[1] + along + APART * sin);
        let floor = self.surface([x, z]).0;
        [x, floor + STONE * (1.1 + 2.0 * layer as f64), z]
    }
}

/// Sines and cosines of the positions in a layer: the centre, then the corners of a hexagon in opposite pairs.
const HEXAGON: [(f64, f64); 7] =
    [(0.0, 0.0), (0.0, 1.0), (0.0, -1.0), (HIGH, 0.5), (-HIGH, -0.5), (HIGH, -0.5), (-HIGH, 0.5)];
/// The sine of 60 degrees.
const HIGH: f64 = 0.866_025_403_784_438_6;

/// Returns the colour of the stones of the lower or the upper row.
pub(super) fn of_player(is_top: bool) -> Rgb {
    colours::category(usize::from(is_top))
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_scene::{difference, length};

    #[test]
    fn cells_are_arranged_counter_clockwise() {
        let layout = Layout::new(2);
        let middles = [0, 1, 2, 3, 4, 5].map(|cell| layout.middle(cell).0);
        assert_eq!(middles, [[-0.5, ROW], [0.5, ROW], [1.5, 0.0], [0.5, -ROW], [-0.5, -ROW], [-1.5, 0.0]]);
    }

    #[test]
    fn bowls_are_deepest_in_the_middle_and_do_not_touch() {
        let layout = Layout::new(2);
        assert_eq!(layout.surface([-0.5, ROW]), (WOOD - DEPTH, Some(0)));
        assert_eq!(layout.surface([1.5, 0.3]), (WOOD - DEPTH, Some(2)));
        assert_eq!(layout.surface([0.0, ROW]), (WOOD, None));
        // At half the radius from its centre, a bowl has three quarters of its depth.
        let (height, _) = layout.surface([-0.5 + BOWL / 2.0, ROW]);
        assert!((height - (WOOD - 0.75 * DEPTH)).abs() < 1e-12);
    }

    #[test]
    fn stones_do_not_overlap() {
        let layout = Layout::new(6);
        for cell in [0, 6, 7, 13] {
            let centres: Vec<Point> = (0..72).map(|number| layout.stone_centre(cell, number)).collect();
            for (i, &a) in centres.iter().enumerate() {
                assert!(a[1] > WOOD - DEPTH + STONE, "{a:?} is below the bowl");
                for &b in &centres[..i] {
                    assert!(length(difference(a, b)) > 2.0 * STONE - 1e-9, "{a:?} {b:?}");
                }
            }
            assert!(centres.windows(2).all(|pair| pair[1][1] > pair[0][1] - DEPTH), "lower layers come first");
        }
    }
}
