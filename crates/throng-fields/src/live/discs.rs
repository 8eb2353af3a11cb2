//! Many discs of one profile at once.

use crate::entities::Entity;
use crate::error::{FieldError, finite};
use crate::profile::Profile;

/// Discs of one profile at some positions, each of charge 1 and in all layers unless told otherwise: what most games have
/// most of. Wherever entities are asked for, discs will do.
///
/// ```
/// use throng_fields::{Discs, Fields, Grid, Profile};
///
/// let at = [[10.5, 20.5], [30.5, 20.5]];
/// let towers = Discs::new(&at, Profile::linear(8.0)?)?.with_charges(&[-1.0, -2.0])?;
/// let fields = Fields::on_cpu().moving(Grid::new([0.0, 0.0], 1.0, 40, 40)?, towers)?;
/// assert_eq!(fields.sample(&at)?, [-1.0, -2.0]);
/// # Ok::<(), throng_fields::FieldError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Discs {
    entities: Vec<Entity>,
}

impl Discs {
    /// A disc at each position, world units.
    ///
    /// # Errors
    /// When a coordinate is not a finite number.
    pub fn new(positions: &[[impl Into<f64> + Copy; 2]], profile: Profile) -> Result<Self, FieldError> {
        let disc = |(i, at): (usize, &[_; 2])| {
            let [x, y] = at.map(Into::into);
            finite(&format!("disc {i}, position x"), x)?;
            finite(&format!("disc {i}, position y"), y)?;
            Ok(Entity::new([x, y], profile.clone()))
        };
        Ok(Self { entities: positions.iter().enumerate().map(disc).collect::<Result<_, FieldError>>()? })
    }

    /// With the same charge for all.
    pub fn with_charge(mut self, charge: f32) -> Self {
        self.entities.iter_mut().for_each(|disc| disc.charge = charge);
        self
    }

    /// With a charge for each, in the order of the positions.
    ///
    /// # Errors
    /// When there are not as many charges as discs.
    pub fn with_charges(mut self, charges: &[f32]) -> Result<Self, FieldError> {
        if charges.len() != self.entities.len() {
            let remedy = format!("expected one for each of the {} discs", self.entities.len());
            return Err(FieldError::new("discs, number of charges", charges.len(), remedy));
        }
        self.entities.iter_mut().zip(charges).for_each(|(disc, &charge)| disc.charge = charge);
        Ok(self)
    }

    /// All in certain layers only, one bit each.
    pub fn in_layers(mut self, layers: u32) -> Self {
        self.entities.iter_mut().for_each(|disc| disc.layers = layers);
        self
    }
}

impl IntoIterator for Discs {
    type Item = Entity;
    type IntoIter = std::vec::IntoIter<Entity>;

    fn into_iter(self) -> Self::IntoIter {
        self.entities.into_iter()
    }
}
