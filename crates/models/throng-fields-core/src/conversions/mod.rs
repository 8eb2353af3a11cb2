//! Conversions to and from types of other crates, each behind the feature named after the crate.
//!
//! Points need no conversion: they are arrays of two numbers. The types of `mint`, and of mathematical libraries that
//! convert to `mint`, convert to such arrays.

#[cfg(feature = "image")]
mod image;
#[cfg(feature = "ndarray")]
mod ndarray;

#[cfg(test)]
mod tests {
    use crate::{Entity, Profile, creation};
    use throng_pictures::Grid;

    /// Two rows of three cells; each value is its cell's index.
    #[cfg(any(feature = "image", feature = "ndarray"))]
    pub(super) fn field() -> crate::Field {
        let grid = Grid::new([5.0, 6.0], 0.5, 3, 2).unwrap();
        crate::Field::from_values(grid, vec![0.0, 1.0, 2.0, 3.0, 4.0, 5.0]).unwrap()
    }

    #[test]
    fn mint_points_are_converted() {
        let origin: [f64; 2] = mint::Point2 { x: 10.0, y: 20.0 }.into();
        let at: [f32; 2] = mint::Point2 { x: 12.5, y: 22.5 }.into();
        let grid = Grid::new(origin, 1.0, 8, 4).unwrap();
        let field = creation::by_tiles(&grid, &[Entity::new(at, Profile::linear(2.0).unwrap())]).unwrap();
        assert_eq!((field.at(2, 2), field.sample(at)), (Some(1.0), Some(1.0)));
        let middle: mint::Point2<f64> = grid.point(2, 2).into();
        assert_eq!((middle.x, middle.y), (12.5, 22.5));
        let slope: mint::Vector2<f32> = field.gradient([11.75, 22.5]).unwrap().into();
        assert_eq!(slope.x, 0.5);
    }
}
