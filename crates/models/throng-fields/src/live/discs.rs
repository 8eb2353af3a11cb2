//! Many discs with the same profile at once.

use throng_core::InputError;
use throng_core::checks::finite;
use throng_fields_core::entities::Entity;
use throng_fields_core::profile::Profile;

/// Discs with the same profile at several positions, by default with a charge of 1 and in all layers: the most common
/// entities in games. Functions that take an iterator of entities also take discs.
///
/// ```
/// use throng_fields::{Discs, DynamicField, Grid, Profile};
///
/// let at = [[10.5, 20.5], [30.5, 20.5]];
/// let towers = Discs::new(&at, Profile::linear(8.0)?)?.with_charges(&[-1.0, -2.0])?;
/// let grid = Grid::new([0.0, 0.0], 1.0, 40, 40)?;
/// let field = DynamicField::builder(grid).entities(towers).build()?;
/// assert_eq!(field.sample(&at)?, [-1.0, -2.0]);
/// # Ok::<(), throng_fields::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Discs {
    /// The template of all discs, which differ only in position and charge.
    like: Entity,
    positions: Vec<[f64; 2]>,
    /// One charge per disc; empty if all have the charge of `like`.
    charges: Vec<f32>,
}

impl Discs {
    /// Creates a disc at each position, in world units.
    ///
    /// # Errors
    /// When a coordinate is not a finite number.
    pub fn new(positions: &[[impl Into<f64> + Copy; 2]], profile: Profile) -> Result<Self, InputError> {
        let positions: Vec<[f64; 2]> = positions.iter().map(|at| at.map(Into::into)).collect();
        for (i, [x, y]) in positions.iter().enumerate().filter(|(_, at)| !at.iter().all(|along| along.is_finite())) {
            finite(&format!("disc {i}, position x"), *x)?;
            finite(&format!("disc {i}, position y"), *y)?;
        }
        Ok(Self { like: Entity::new([0.0, 0.0], profile), positions, charges: Vec::new() })
    }

    /// Sets one charge for all discs.
    pub fn with_charge(self, charge: f32) -> Self {
        Self { like: self.like.with_charge(charge), charges: Vec::new(), ..self }
    }

    /// Sets the charge of each disc, in the order of the positions.
    ///
    /// # Errors
    /// When the numbers of charges and discs differ.
    pub fn with_charges(self, charges: &[f32]) -> Result<Self, InputError> {
        if charges.len() != self.positions.len() {
            let remedy = format!("expected one for each of the {} discs", self.positions.len());
            return Err(InputError::one("discs, number of charges", charges.len(), remedy));
        }
        Ok(Self { charges: charges.to_vec(), ..self })
    }

    /// Puts all discs into the given layers only, one bit each.
    pub fn in_layers(self, layers: u32) -> Self {
        Self { like: self.like.in_layers(layers), ..self }
    }
}

impl IntoIterator for Discs {
    type Item = Entity;
    type IntoIter = std::vec::IntoIter<Entity>;

    fn into_iter(self) -> Self::IntoIter {
        let disc = |(i, position): (usize, [f64; 2])| {
            let charge = self.charges.get(i).copied().unwrap_or(self.like.charge);
            Entity { position, charge, ..self.like.clone() }
        };
        self.positions.into_iter().enumerate().map(disc).collect::<Vec<_>>().into_iter()
    }
}
