//! Points and colours, and arithmetic with them.

/// A point or a vector: x, y (up) and z.
pub type Point = [f64; 3];

/// A colour, linear red, green and blue, each from 0 to 1.
pub type Rgb = [f64; 3];

/// Converts a point of a planar model to a point at a height: the model's y axis becomes minus z.
///
/// ```
/// assert_eq!(throng_scene::ground(3.0, 5.0, 1.5), [3.0, 1.5, -5.0]);
/// ```
pub fn ground(x: f64, y: f64, height: f64) -> Point {
    [x, height, -y]
}

/// `a + b`.
pub fn sum(a: Point, b: Point) -> Point {
    std::array::from_fn(|i| a[i] + b[i])
}

/// `a - b`.
pub fn difference(a: Point, b: Point) -> Point {
    std::array::from_fn(|i| a[i] - b[i])
}

/// `a` multiplied by a number.
pub fn scaled(a: Point, factor: f64) -> Point {
    a.map(|part| part * factor)
}

/// Returns the dot product of `a` and `b`.
pub fn dot(a: Point, b: Point) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Returns the cross product of `a` and `b`.
pub fn cross(a: Point, b: Point) -> Point {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// Returns the Euclidean length of `a`.
pub fn length(a: Point) -> f64 {
    dot(a, a).sqrt()
}

/// Returns the unit vector in the direction of `a`, which must not be 0.
pub fn normalized(a: Point) -> Point {
    scaled(a, 1.0 / length(a))
}
