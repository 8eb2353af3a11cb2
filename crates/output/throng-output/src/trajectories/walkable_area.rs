//! The area in which agents walk, as polygons with holes.

use std::fmt;

/// The area in which agents walk: polygons with holes, in metres.
///
/// [`fmt::Display`] writes it as well-known text (WKT): a `POLYGON`, or a `MULTIPOLYGON` if it has several parts, with
/// numbers that can be read back exactly. Exteriors are counter-clockwise and holes clockwise, as required by the
/// Simple Features standard.
///
/// ```
/// let area = throng_output::WalkableArea::rectangle([0.0, -1.5], [20.0, 1.5]);
/// assert_eq!(area.to_string(), "POLYGON ((0 -1.5, 20 -1.5, 20 1.5, 0 1.5, 0 -1.5))");
/// assert_eq!(area.square_metres(), 60.0);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct WalkableArea {
    /// At least one polygon.
    polygons: Vec<Polygon>,
}

/// One connected part of an area.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Polygon {
    /// The exterior, then the holes. A ring is closed implicitly, from its last corner to its first.
    pub(super) rings: Vec<Vec<[f64; 2]>>,
}

impl WalkableArea {
    /// Creates a rectangle from its lower left and its upper right corner.
    pub fn rectangle([left, bottom]: [f64; 2], [right, top]: [f64; 2]) -> Self {
        let exterior = vec![[left, bottom], [right, bottom], [right, top], [left, top]];
        Self { polygons: vec![Polygon { rings: vec![exterior] }] }
    }

    /// Creates an area from polygons; `None` if there are none.
    pub(super) fn of_polygons(polygons: Vec<Polygon>) -> Option<Self> {
        (!polygons.is_empty()).then_some(Self { polygons })
    }

    #[cfg(test)]
    pub(super) fn polygons(&self) -> &[Polygon] {
        &self.polygons
    }

    /// Returns the number of disconnected parts. Parts that merely touch at corners are not connected.
    pub fn parts(&self) -> usize {
        self.polygons.len()
    }

    /// Returns the size of the area, excluding its holes.
    pub fn square_metres(&self) -> f64 {
        self.polygons.iter().flat_map(|polygon| &polygon.rings).map(|ring| signed_area(ring)).sum()
    }

    /// Returns the lower left and the upper right corner of the bounding box.
    pub fn bounds(&self) -> [[f64; 2]; 2] {
        let mut bounds = [[f64::INFINITY; 2], [f64::NEG_INFINITY; 2]];
        for corner in self.polygons.iter().flat_map(|polygon| &polygon.rings[0]) {
            for axis in 0..2 {
                bounds[0][axis] = bounds[0][axis].min(corner[axis]);
                bounds[1][axis] = bounds[1][axis].max(corner[axis]);
            }
        }
        bounds
    }
}

/// Returns the area of a ring by the shoelace formula, negative for clockwise rings.
pub(super) fn signed_area(ring: &[[f64; 2]]) -> f64 {
    let next = ring.iter().cycle().skip(1);
    ring.iter().zip(next).map(|(a, b)| a[0] * b[1] - b[0] * a[1]).sum::<f64>() / 2.0
}

impl fmt::Display for WalkableArea {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.polygons.as_slice() {
            [polygon] => {
                f.write_str("POLYGON ")?;
                write_polygon(f, polygon)
            }
            polygons => {
                f.write_str("MULTIPOLYGON ")?;
                write_list(f, polygons, write_polygon)
            }
        }
    }
}

fn write_polygon(f: &mut fmt::Formatter<'_>, polygon: &Polygon) -> fmt::Result {
    write_list(f, &polygon.rings, |f, ring| {
        // Well-known text repeats the first corner.
        let closed: Vec<[f64; 2]> = ring.iter().chain(ring.first()).copied().collect();
        write_list(f, &closed, |f, [x, y]| write!(f, "{x} {y}"))
    })
}

fn write_list<T>(
    f: &mut fmt::Formatter<'_>,
    items: &[T],
    write: impl Fn(&mut fmt::Formatter<'_>, &T) -> fmt::Result,
) -> fmt::Result {
    for (number, item) in items.iter().enumerate() {
        f.write_str(if number == 0 { "(" } else { ", " })?;
        write(f, item)?;
    }
    f.write_str(")")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_and_holes_are_formatted_as_wkt() {
        let square = |at: f64, size: f64| vec![[at, at], [at + size, at], [at + size, at + size], [at, at + size]];
        let mut hole = square(1.0, 0.5);
        hole.reverse();
        let polygons =
            vec![Polygon { rings: vec![square(0.0, 3.0), hole] }, Polygon { rings: vec![square(-2.0, 1.0)] }];
        let area = WalkableArea::of_polygons(polygons).unwrap();
        assert_eq!(
            area.to_string(),
            "MULTIPOLYGON (((0 0, 3 0, 3 3, 0 3, 0 0), (1 1.5, 1.5 1.5, 1.5 1, 1 1, 1 1.5)), \
             ((-2 -2, -1 -2, -1 -1, -2 -1, -2 -2)))"
        );
        assert_eq!((area.parts(), area.square_metres()), (2, 9.0 - 0.25 + 1.0));
        assert_eq!(area.bounds(), [[-2.0, -2.0], [3.0, 3.0]]);
        assert_eq!(WalkableArea::of_polygons(Vec::new()), None);
    }
}
