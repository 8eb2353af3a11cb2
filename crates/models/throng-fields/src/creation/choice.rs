//! The fastest creation method among those that are exact enough.

use std::fmt;

use super::{Plan, by_convolution, by_separable, by_tiles};
use crate::entities::Entity;
use crate::error::FieldError;
use crate::field::Field;
use crate::grid::Grid;

/// A method to create a field from entities.
///
/// ```
/// use throng_fields::{Entity, Grid, Profile, creation::{Method, Options, create}};
///
/// let grid = Grid::new([0.0, 0.0], 1.0, 64, 64)?;
/// let bells = vec![Entity::new([30.2, 32.9], Profile::gaussian(3.0, 12.0)?); 4];
/// let by = |method| create(&grid, &bells, &Options { method: Some(method), ..Options::default() });
/// let (exact, _) = by(Method::Tiles)?;
/// for method in [Method::Convolution, Method::Separable] {
///     let (field, plan) = by(method)?;
///     let off = (field.at(33, 32).unwrap() - exact.at(33, 32).unwrap()).abs();
///     assert!(0.0 < off && off <= plan.error_bound(), "{plan}: off by {off}");
/// }
/// # Ok::<(), throng_fields::FieldError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Method {
    /// [`by_tiles`]: exact, for all entities.
    Tiles,
    /// [`by_convolution`]: for discs of one profile.
    Convolution,
    /// [`by_separable`]: for discs of one Gaussian profile.
    Separable,
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Tiles => "tiles",
            Self::Convolution => "convolution",
            Self::Separable => "two passes",
        })
    }
}

/// Options for creating a field.
///
/// ```
/// use throng_fields::{Entity, Grid, Profile, creation::{Options, Plan}};
///
/// let grid = Grid::new([0.0, 0.0], 1.0, 300, 300)?;
/// let bells = vec![Entity::new([150.0, 150.0], Profile::gaussian(30.0, 120.0)?); 2000];
/// let exact = Plan::new(&grid, &bells, &Options::default())?;
/// // The charges add up to 2000, and a cell may be off by 100.
/// let loose = Plan::new(&grid, &bells, &Options { tolerance: 100.0, ..Options::default() })?;
/// assert_eq!(exact.error_bound(), 0.0);
/// assert!(loose.seconds() < exact.seconds() && loose.error_bound() <= 100.0, "{loose}");
/// # Ok::<(), throng_fields::FieldError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Options {
    /// The method to use, whatever its time and error. `None`: the one with the shortest estimated time among those
    /// within the tolerance.
    pub method: Option<Method>,
    /// The largest allowed error of a cell. With 0, the default, only exact methods are chosen.
    pub tolerance: f32,
}

/// The field of some entities, and how it was created.
///
/// ```
/// use throng_fields::{Entity, Grid, Profile, creation::{Options, by_tiles, create}};
///
/// let grid = Grid::new([0.0, 0.0], 1.0, 64, 64)?;
/// let entities = [Entity::new([20.0, 20.0], Profile::linear(5.0)?)];
/// let (field, plan) = create(&grid, &entities, &Options::default())?;
/// println!("{plan}");
/// assert_eq!(field, by_tiles(&grid, &entities)?);
/// # Ok::<(), throng_fields::FieldError>(())
/// ```
///
/// # Errors
/// As for [`Plan::new`].
pub fn create(grid: &Grid, entities: &[Entity], options: &Options) -> Result<(Field, Plan), FieldError> {
    let plan = Plan::new(grid, entities, options)?;
    let field = match plan.method() {
        Method::Tiles => by_tiles(grid, entities),
        Method::Convolution => by_convolution(grid, entities),
        Method::Separable => by_separable(grid, entities),
    }?;
    Ok((field, plan))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Profile, Shape};

    /// Discs all over a grid.
    fn discs(count: u32, profile: &Profile) -> (Grid, Vec<Entity>) {
        let grid = Grid::new([0.0, 0.0], 1.0, 300, 300).unwrap();
        let at = |i: u32| [(i * 37 % 300) as f32, (i * 101 % 300) as f32];
        (grid, (0..count).map(|i| Entity::new(at(i), profile.clone())).collect())
    }

    #[test]
    fn only_what_is_within_the_tolerance_is_chosen() {
        let (grid, entities) = discs(2000, &Profile::gaussian(30.0, 120.0).unwrap());
        let plan = |tolerance| Plan::new(&grid, &entities, &Options { method: None, tolerance }).unwrap();
        let exact = plan(0.0);
        assert_eq!((exact.method(), exact.error_bound()), (Method::Tiles, 0.0));
        let sentence = exact.to_string();
        assert!(sentence.starts_with("tiles: ") && sentence.matches("and 0 is allowed").count() == 2, "{sentence}");
        let loose = plan(100.0);
        assert!(loose.method() != Method::Tiles && loose.error_bound() <= 100.0, "{loose}");
        assert!(loose.seconds() < exact.seconds(), "{loose}; {exact}");
        assert!(loose.to_string().contains("off by at most"), "{loose}");
        assert_eq!(plan(loose.error_bound()).method(), loose.method());
    }

    #[test]
    fn little_work_is_done_by_tiles_even_if_others_were_allowed() {
        let (grid, entities) = discs(3, &Profile::linear(4.0).unwrap());
        let plan = Plan::new(&grid, &entities, &Options { method: None, tolerance: 1e9 }).unwrap();
        assert_eq!(plan.method(), Method::Tiles);
        assert!(plan.to_string().contains("two passes cannot (entity 0, profile: linear)"), "{plan}");
    }

    #[test]
    fn nothing_takes_no_time() {
        let (grid, none) = discs(0, &Profile::linear(4.0).unwrap());
        let (field, plan) = create(&grid, &none, &Options::default()).unwrap();
        assert!(field.values().iter().all(|&value| value == 0.0));
        assert!(plan.to_string().starts_with("tiles: 0 cells covered, about 0 µs; "), "{plan}");
    }

    #[test]
    fn what_is_asked_for_is_done_or_refused() {
        let (grid, mut entities) = discs(50, &Profile::gaussian(3.0, 10.0).unwrap());
        for (method, field) in [
            (Method::Tiles, by_tiles(&grid, &entities)),
            (Method::Convolution, by_convolution(&grid, &entities)),
            (Method::Separable, by_separable(&grid, &entities)),
        ] {
            let options = Options { method: Some(method), ..Options::default() };
            let (found, plan) = create(&grid, &entities, &options).unwrap();
            assert_eq!((plan.method(), Ok(found)), (method, field));
            assert!(plan.to_string().starts_with(&format!("{method}, as requested: ")), "{plan}");
        }
        entities.push(entities[0].clone().with_shape(Shape::Box { half: [1.0; 2] }));
        let asked = |method| create(&grid, &entities, &Options { method: Some(method), tolerance: 0.0 });
        assert_eq!(asked(Method::Convolution).unwrap_err().place, "entity 50, shape");
        assert_eq!(asked(Method::Separable).unwrap_err().place, "entity 50, shape");
        for tolerance in [-1.0, f32::NAN] {
            let error = create(&grid, &entities, &Options { method: None, tolerance }).unwrap_err();
            assert_eq!(error.place, "tolerance");
        }
        entities[3].charge = f32::NAN;
        assert_eq!(create(&grid, &entities, &Options::default()).unwrap_err().place, "entity 3, charge");
    }
}
