//! Anti-aliased lines, discs and squares.

use super::colours::Rgb;
use super::picture::{Area, Picture};

/// Safety margin for rounding errors of distances, pixels.
const CERTAIN: f64 = 1e-6;

/// Draws a disc around a point (pixels from the top left corner), clipped to an area.
pub(super) fn disc(picture: &mut Picture, within: Area, centre: [f64; 2], radius: f64, colour: Rgb) {
    // Most pixels are beyond these distances, and so are certainly outside or fully covered.
    let (outer, inner) = (radius + 0.5 + CERTAIN, (radius - 0.5 - CERTAIN).max(0.0));
    for y in span(centre[1], radius, within.top, within.bottom()) {
        for x in span(centre[0], radius, within.left, within.right()) {
            let [along, across] = [x as f64 + 0.5 - centre[0], y as f64 + 0.5 - centre[1]];
            let squared = along * along + across * across;
            if squared < inner * inner {
                picture.cover(x, y, colour, 1.0);
            } else if squared < outer * outer {
                cover(picture, x, y, colour, radius - libm::hypot(along, across));
            }
        }
    }
}

/// Draws an axis-aligned square around a point, clipped to an area.
pub(super) fn square(picture: &mut Picture, within: Area, centre: [f64; 2], half_side: f64, colour: Rgb) {
    // Returns the fraction of a pixel that the square covers along one axis.
    let covered = |pixel: i64, centre: f64| {
        let (low, high) = (centre - half_side, centre + half_side);
        (high.min(pixel as f64 + 1.0) - low.max(pixel as f64)).clamp(0.0, 1.0)
    };
    for y in span(centre[1], half_side, within.top, within.bottom()) {
        for x in span(centre[0], half_side, within.left, within.right()) {
            let coverage = covered(x, centre[0]) * covered(y, centre[1]);
            if coverage > 0.0 {
                picture.cover(x, y, colour, coverage);
            }
        }
    }
}

/// Draws a line of a given width between two points, with round ends, clipped to an area.
pub(super) fn line(picture: &mut Picture, within: Area, ends: [[f64; 2]; 2], width: f64, colour: Rgb) {
    let [from, to] = ends;
    let (radius, vector) = (width / 2.0, [to[0] - from[0], to[1] - from[1]]);
    let length = libm::hypot(vector[0], vector[1]);
    let direction = if length > 0.0 { vector.map(|part| part / length) } else { [0.0, 0.0] };
    let distance = |x: i64, y: i64| {
        let off = [x as f64 + 0.5 - from[0], y as f64 + 0.5 - from[1]];
        let along = (off[0] * direction[0] + off[1] * direction[1]).clamp(0.0, length);
        libm::hypot(off[0] - along * direction[0], off[1] - along * direction[1])
    };
    // Row by row for steep lines and column by column for flat ones; across that direction, the line is at most this
    // wide on either side of its middle.
    let across = (radius + 1.0) * std::f64::consts::SQRT_2;
    let steep = vector[1].abs() > vector[0].abs();
    let (along, other) = if steep { (1, 0) } else { (0, 1) };
    let bounds = [(within.left, within.right()), (within.top, within.bottom())];
    let middle = f64::midpoint(from[along], to[along]);
    for i in span(middle, vector[along].abs() / 2.0 + radius, bounds[along].0, bounds[along].1) {
        let slope = if vector[along] == 0.0 { 0.0 } else { vector[other] / vector[along] };
        let end = (from[along].min(to[along]), from[along].max(to[along]));
        let at = from[other] + ((i as f64 + 0.5).clamp(end.0, end.1) - from[along]) * slope;
        for j in span(at, across, bounds[other].0, bounds[other].1) {
            let (x, y) = if steep { (j, i) } else { (i, j) };
            cover(picture, x, y, colour, radius - distance(x, y));
        }
    }
}

/// Blends a pixel whose centre lies `depth` pixels inside an edge.
fn cover(picture: &mut Picture, x: i64, y: i64, colour: Rgb, depth: f64) {
    let coverage = (depth + 0.5).clamp(0.0, 1.0);
    if coverage > 0.0 {
        picture.cover(x, y, colour, coverage);
    }
}

/// Returns the pixels within `radius` + 1 of a point, within bounds. Casts saturate, so any number is allowed.
fn span(centre: f64, radius: f64, low: i64, high: i64) -> std::ops::Range<i64> {
    ((centre - radius - 1.0).floor() as i64).max(low)..((centre + radius + 1.0).ceil() as i64).min(high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::colours::WHITE;

    const BLACK: Rgb = [0; 3];

    /// Returns the black area of an image in pixels.
    fn ink(picture: &Picture) -> f64 {
        picture.bytes().chunks_exact(3).map(|pixel| 1.0 - f64::from(pixel[0]) / 255.0).sum()
    }

    #[test]
    fn discs_have_the_expected_area() {
        let mut picture = Picture::new(40, 40).unwrap();
        let all = picture.area();
        disc(&mut picture, all, [20.3, 19.8], 8.0, BLACK);
        assert!((ink(&picture) - 64.0 * std::f64::consts::PI).abs() < 3.0, "{}", ink(&picture));
        assert_eq!((picture.pixel(20, 20), picture.pixel(20, 30)), (Some(BLACK), Some(WHITE)));
    }

    #[test]
    fn squares_have_the_expected_area() {
        let mut picture = Picture::new(40, 40).unwrap();
        let all = picture.area();
        square(&mut picture, all, [20.3, 19.8], 8.0, BLACK);
        assert!((ink(&picture) - 256.0).abs() < 1.0, "{}", ink(&picture));
        assert_eq!((picture.pixel(27, 26), picture.pixel(20, 30)), (Some(BLACK), Some(WHITE)));
        square(&mut picture, Area { left: 0, top: 0, width: 2, height: 2 }, [0.0, 1e30], 1e30, BLACK);
    }

    #[test]
    fn lines_of_any_direction_have_the_expected_area() {
        for to in [[90.0, 50.0], [50.0, 90.0], [15.0, 80.0], [85.0, 20.0], [80.0, 80.0], [50.0, 10.0], [53.0, 88.0]] {
            for ends in [[[50.0, 50.0], to], [to, [50.0, 50.0]]] {
                let mut picture = Picture::new(100, 100).unwrap();
                let all = picture.area();
                line(&mut picture, all, ends, 4.0, BLACK);
                // The ends are half discs.
                let expected = 4.0 * (to[0] - 50.0f64).hypot(to[1] - 50.0) + 4.0 * std::f64::consts::PI;
                assert!((ink(&picture) - expected).abs() < 0.03 * expected, "{ends:?}: {}", ink(&picture));
            }
        }
        let mut picture = Picture::new(9, 9).unwrap();
        let all = picture.area();
        line(&mut picture, all, [[4.5, 4.5]; 2], 4.0, BLACK);
        assert!((ink(&picture) - 4.0 * std::f64::consts::PI).abs() < 1.5, "{}", ink(&picture));
    }

    #[test]
    fn strokes_are_clipped_to_the_area() {
        let mut picture = Picture::new(20, 20).unwrap();
        let within = Area { left: 5, top: 5, width: 10, height: 10 };
        line(&mut picture, within, [[-1e30, 10.0], [1e30, 10.0]], 2.0, BLACK);
        line(&mut picture, within, [[10.0, -1e38], [11.0, -1e37]], 2.0, BLACK);
        assert_eq!((ink(&picture), picture.pixel(4, 10), picture.pixel(5, 10)), (20.0, Some(WHITE), Some(BLACK)));
        disc(&mut picture, within, [5.0, 5.0], 50.0, BLACK);
        assert_eq!(ink(&picture), 100.0);
    }
}
