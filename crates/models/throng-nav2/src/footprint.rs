//! The outline of a robot, and the radius of the circle inside it.

use throng_core::InputError;

/// Number of corners of the polygon that approximates a circle.
const CORNERS: u32 = 16;

/// Nav2's default of `footprint_padding`, metres.
pub const FOOTPRINT_PADDING: f64 = 0.01;

/// The outline of a robot around its centre, as Nav2 derives it from `robot_radius` or `footprint`.
///
/// ```
/// use throng_nav2::{FOOTPRINT_PADDING, Footprint};
///
/// let robot = Footprint::of_radius(0.22)?.padded(FOOTPRINT_PADDING)?;
/// assert_eq!((robot.inscribed_radius() * 1e4).round(), 2255.0);
/// # Ok::<(), throng_core::InputError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Footprint(Vec<[f64; 2]>);

impl Footprint {
    /// Creates a polygon with 16 corners on a circle of this radius, in metres, starting straight ahead. As with Nav2,
    /// whose sines and cosines are in double precision, only the first corner has a coordinate of exactly 0.
    ///
    /// # Errors
    /// When the radius is negative or not finite in single precision.
    pub fn of_radius(radius: f64) -> Result<Self, InputError> {
        let radius = length("robot_radius", radius)?;
        let corner = |number: u32| {
            let angle = f64::from(2 * number) * std::f64::consts::PI / f64::from(CORNERS);
            [libm::cos(angle) * radius, libm::sin(angle) * radius]
        };
        Ok(Self((0..CORNERS).map(corner).collect()))
    }

    /// Creates a polygon with these corners, in metres, in order. They are rounded to single precision, as Nav2 reads
    /// them.
    ///
    /// # Errors
    /// When there are fewer than three corners, or a coordinate is not finite in single precision.
    pub fn polygon(corners: &[[f64; 2]]) -> Result<Self, InputError> {
        if corners.len() < 3 {
            let remedy = "a footprint has at least three corners: [[x, y], [x, y], [x, y]]";
            return Err(InputError::one("footprint", format!("{} corners", corners.len()), remedy));
        }
        let rounded: Vec<_> = corners.iter().map(|corner| corner.map(|number| f64::from(number as f32))).collect();
        if let Some(at) = rounded.iter().position(|corner| corner.iter().any(|number| !number.is_finite())) {
            let value = format!("corner {}, {:?}", at + 1, corners[at]);
            return Err(InputError::one("footprint", value, "expected finite coordinates"));
        }
        Ok(Self(rounded))
    }

    /// Moves each coordinate away from 0 by the padding, in metres, rounded to single precision. A coordinate of 0
    /// stays.
    ///
    /// # Errors
    /// When the padding is negative or not finite in single precision.
    pub fn padded(mut self, padding: f64) -> Result<Self, InputError> {
        let padding = f64::from(length("footprint_padding", padding)? as f32);
        for number in self.0.iter_mut().flatten().filter(|number| **number != 0.0) {
            *number += padding.copysign(*number);
        }
        Ok(self)
    }

    /// Whether the centre of the robot lies inside. Nav2's inscribed radius is the minimum distance to a side even if
    /// it does not.
    pub fn contains_centre(&self) -> bool {
        let after = self.0.iter().cycle().skip(1);
        // The sides that the positive x axis crosses.
        let crosses = |&(from, to): &(&[f64; 2], &[f64; 2])| {
            let is_above = [from, to].map(|corner| corner[1] > 0.0);
            let at = || from[0] - from[1] * (to[0] - from[0]) / (to[1] - from[1]);
            is_above[0] != is_above[1] && at() > 0.0
        };
        self.inscribed_radius() > 0.0 && self.0.iter().zip(after).filter(crosses).count() % 2 == 1
    }

    /// The minimum distance between a side and the centre of the robot, in metres: the radius of the largest inscribed
    /// circle around the centre, if the centre lies inside.
    pub fn inscribed_radius(&self) -> f64 {
        let after = self.0.iter().cycle().skip(1);
        self.0.iter().zip(after).map(|(&from, &to)| distance_of_side(from, to)).fold(f64::INFINITY, f64::min)
    }
}

/// The distance of a line segment from the origin.
fn distance_of_side(from: [f64; 2], to: [f64; 2]) -> f64 {
    let along = [to[0] - from[0], to[1] - from[1]];
    let square = along[0] * along[0] + along[1] * along[1];
    // For a side of length zero, both ends are the nearest point.
    let part = if square == 0.0 { 0.0 } else { -(from[0] * along[0] + from[1] * along[1]) / square };
    let part = part.clamp(0.0, 1.0);
    libm::hypot(from[0] + part * along[0], from[1] + part * along[1])
}

fn length(place: &str, length: f64) -> Result<f64, InputError> {
    if (length as f32).is_finite() && length >= 0.0 {
        Ok(length)
    } else {
        Err(InputError::one(place, format!("{length:?}"), "expected a finite number, 0 or more"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn circles_are_polygons_with_the_apothem_as_inscribed_radius() {
        let radius = |radius: f64| Footprint::of_radius(radius).unwrap();
        // The apothem of a regular polygon: r cos(pi / 16).
        let apothem = 0.5 * libm::cos(std::f64::consts::PI / 16.0);
        assert!((radius(0.5).inscribed_radius() - apothem).abs() < 1e-15);
        // In double precision, the cosine of a quarter turn is slightly above 0, so the padding also moves that corner
        // along x, away from the next corner. The distance of the line through both is the cross product over their
        // distance.
        let at = 112.5_f64.to_radians();
        let [a, b] = [[0.01, 0.22 + 0.01], [0.22 * libm::cos(at) - 0.01, 0.22 * libm::sin(at) + 0.01]];
        let side = (a[0] * b[1] - a[1] * b[0]) / libm::hypot(b[0] - a[0], b[1] - a[1]);
        let padded = radius(0.22).padded(0.01).unwrap().inscribed_radius();
        assert!((padded - side).abs() < 1e-9 && (padded - 0.2255).abs() < 1e-5, "{padded} {side}");
        assert_eq!(radius(0.0).padded(0.01).unwrap().inscribed_radius(), 0.0);
    }

    #[test]
    fn padding_moves_coordinates_away_from_the_axes() {
        let square = Footprint::polygon(&[[0.3, 0.2], [-0.3, 0.2], [-0.3, -0.2], [0.3, -0.2]]).unwrap();
        assert_eq!(square.inscribed_radius(), f64::from(0.2_f32));
        let padded = square.padded(0.01).unwrap().inscribed_radius();
        assert_eq!(padded, f64::from(0.2_f32) + f64::from(0.01_f32));
        // Coordinates of 0 stay: the corners move along the axes.
        let kite =
            Footprint::polygon(&[[0.5, 0.0], [0.0, 0.5], [-0.5, 0.0], [0.0, -0.5]]).unwrap().padded(0.25).unwrap();
        assert!((kite.inscribed_radius() - 0.75 / 2.0_f64.sqrt()).abs() < 1e-15);
        // A corner can be the nearest point.
        let outside = Footprint::polygon(&[[3.0, 4.0], [9.0, 4.0], [9.0, 9.0]]).unwrap();
        assert_eq!(outside.inscribed_radius(), 5.0);
        let flat = Footprint::polygon(&[[1.0, 1.0]; 3]).unwrap();
        assert_eq!(flat.inscribed_radius(), 2.0_f64.sqrt());
    }

    #[test]
    fn centres_inside_the_outline_are_detected() {
        let contains = |corners: &[[f64; 2]]| Footprint::polygon(corners).unwrap().contains_centre();
        assert!(contains(&[[0.3, 0.2], [-0.3, 0.2], [-0.3, -0.2], [0.3, -0.2]]));
        // A corner on the axis, ahead or behind.
        assert!(contains(&[[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]]));
        assert!(
            contains(&[[1.0, 0.0], [-1.0, 1.0], [-1.0, -1.0]]) && contains(&[[-1.0, 0.0], [1.0, -1.0], [1.0, 1.0]])
        );
        // Outside: behind it, ahead of it, in a notch, and on the border.
        assert!(!contains(&[[1.0, 0.2], [0.4, 0.2], [0.4, -0.2], [1.0, -0.2]]));
        assert!(!contains(&[[-1.0, 0.2], [-0.4, 0.2], [-0.4, -0.2], [-1.0, -0.2]]));
        assert!(!contains(&[[1.0, 1.0], [-1.0, 0.0], [1.0, -1.0], [-2.0, -1.0], [-2.0, 1.0]]));
        assert!(!contains(&[[0.0, 0.2], [0.0, -0.2], [1.0, -0.2], [1.0, 0.2]]) && !contains(&[[1.0, 1.0]; 3]));
    }

    #[test]
    fn invalid_outlines_are_refused() {
        let refused = |made: Result<Footprint, InputError>| {
            let error = made.unwrap_err();
            (error.place().to_owned(), error.message().to_owned())
        };
        let of = |place: &str, value: &str| (place.to_owned(), value.to_owned());
        assert_eq!(refused(Footprint::of_radius(-0.1)), of("robot_radius", "-0.1"));
        assert_eq!(refused(Footprint::of_radius(f64::NAN)), of("robot_radius", "NaN"));
        assert_eq!(refused(Footprint::of_radius(1e300)), of("robot_radius", "1e300"));
        assert_eq!(refused(Footprint::of_radius(1.0).unwrap().padded(-1.0)), of("footprint_padding", "-1.0"));
        assert_eq!(refused(Footprint::polygon(&[[1.0, 1.0]; 2])), of("footprint", "2 corners"));
        let far = [[1.0, 1.0], [1e60, 0.0], [0.0, 1.0]];
        assert_eq!(refused(Footprint::polygon(&far)), of("footprint", "corner 2, [1e60, 0.0]"));
    }
}
