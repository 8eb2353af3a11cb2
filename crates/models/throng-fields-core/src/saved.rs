//! Serde for values that are checked on construction: each is serialized as its constructor arguments and checked again
//! on deserialization.

use serde::{Deserialize, Serialize};
use throng_core::InputError;

use crate::profile::{Form, Knot, Profile};
use crate::stamp::Stamp;

/// Serialized form of a [`Profile`].
#[derive(Serialize, Deserialize)]
#[serde(tag = "form", rename_all = "lowercase", deny_unknown_fields)]
pub enum SavedProfile {
    Linear {
        radius: f32,
    },
    Quadratic {
        radius: f32,
    },
    Gaussian {
        sigma: f32,
        radius: f32,
    },
    Piecewise {
        knots: Vec<Knot>,
    },
    Table {
        radius: f32,
        values: Vec<f32>,
    },
    /// The profile of an entity with a stamp.
    Nothing {},
}

impl From<Profile> for SavedProfile {
    fn from(profile: Profile) -> Self {
        let radius = profile.reach();
        match profile.form {
            Form::Linear if radius == 0.0 => Self::Nothing {},
            Form::Linear => Self::Linear { radius },
            Form::Quadratic => Self::Quadratic { radius },
            Form::Gaussian { sigma } => Self::Gaussian { sigma, radius },
            Form::Piecewise(knots, _) => Self::Piecewise { knots },
            Form::Table(values) => Self::Table { radius, values: values.to_vec() },
        }
    }
}

impl TryFrom<SavedProfile> for Profile {
    type Error = InputError;

    fn try_from(saved: SavedProfile) -> Result<Self, InputError> {
        match saved {
            SavedProfile::Linear { radius } => Self::linear(radius),
            SavedProfile::Quadratic { radius } => Self::quadratic(radius),
            SavedProfile::Gaussian { sigma, radius } => Self::gaussian(sigma, radius),
            SavedProfile::Piecewise { knots } => Self::piecewise(&knots),
            SavedProfile::Table { radius, values } => Self::table(radius, &values),
            SavedProfile::Nothing {} => Ok(Self::nothing()),
        }
    }
}

/// Serialized form of a [`Stamp`].
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedStamp {
    columns: u32,
    rows: u32,
    /// Points per world unit: the reciprocal of the spacing, which would not survive rounding twice.
    per_unit: f32,
    values: Vec<f32>,
}

impl From<Stamp> for SavedStamp {
    fn from(stamp: Stamp) -> Self {
        let [columns, rows] = stamp.size();
        Self { columns, rows, per_unit: stamp.per_unit(), values: stamp.values().collect() }
    }
}

impl TryFrom<SavedStamp> for Stamp {
    type Error = InputError;

    fn try_from(SavedStamp { columns, rows, per_unit, values }: SavedStamp) -> Result<Self, InputError> {
        Self::per_unit_of(columns, rows, per_unit, &values)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Entity, Grid, Metric, Sample, Shape};

    fn again<T: Serialize + for<'t> Deserialize<'t>>(value: &T) -> T {
        serde_json::from_str(&serde_json::to_string(value).unwrap()).unwrap()
    }

    #[test]
    fn saved_values_are_read_back_unchanged() {
        let third = 1.0f32 / 3.0;
        let knots = [Knot { distance: 0.0, before: third, after: -third }, Knot::at(9.1, 0.0)];
        let profiles = [
            Profile::linear(0.1),
            Profile::quadratic(7.7),
            Profile::gaussian(third, 12.3),
            Profile::piecewise(&knots),
            Profile::table(5.0, &[1.0, third, 0.0]),
        ];
        let shapes = [
            Shape::Disc,
            Shape::Ring { radius: third },
            Shape::Capsule { length: 2.5 },
            Shape::Box { half: [third, 4.0] },
            Shape::Polygon { corners: vec![[0.0, third], [3.0, 0.0], [0.0, -2.0]] },
            Shape::Cone { half_angle: 0.7 },
        ];
        for (i, profile) in profiles.into_iter().enumerate() {
            for shape in shapes.clone() {
                let entity = Entity::new([0.1, 1e9 / 3.0], profile.clone().unwrap()).with_shape(shape);
                let entity = entity.with_charge(-third).with_heading(0.3).in_layers(1 << i);
                assert_eq!(again(&entity), entity);
            }
        }
        // A spacing that is not the reciprocal of its reciprocal.
        let side = (1..1000u16).map(|i| f32::from(i) / 7.0).find(|&side| 1.0 / (1.0 / side) != side).unwrap();
        let stamp = Stamp::new(2, 1, side, &[1.0, third]).unwrap();
        let stamped = Entity::stamped([1.0, 2.0], stamp);
        assert_eq!(again(&stamped), stamped);
        let diamond = Entity::new([1.0, 2.0], Profile::linear(4.0).unwrap()).with_metric(Metric::Manhattan);
        assert_eq!(again(&diamond), diamond);
        let grid = Grid::new([0.1, -1e6 / 3.0], 0.3, 70, 9).unwrap().sampled_at(Sample::Corner);
        assert_eq!(again(&grid), grid);
    }

    #[test]
    fn entities_require_only_position_and_profile() {
        let short = r#"{"position": [1.0, 2.0], "profile": {"form": "linear", "radius": 4.0}}"#;
        let entity: Entity = serde_json::from_str(short).unwrap();
        assert_eq!(entity, Entity::new([1.0, 2.0], Profile::linear(4.0).unwrap()));
    }

    #[test]
    fn invalid_values_are_refused_when_read() {
        let refused = |text: &str| serde_json::from_str::<Profile>(text).unwrap_err().to_string();
        assert!(refused(r#"{"form": "linear", "radius": -1.0}"#).contains("profile, radius: -1"));
        assert!(refused(r#"{"form": "piecewise", "knots": []}"#).contains("profile, knots: 0"));
        assert!(refused(r#"{"form": "linear", "radius": 1.0, "sigma": 2.0}"#).contains("sigma"));
        assert!(refused(r#"{"form": "cubic", "radius": 1.0}"#).contains("cubic"));
        let grid = r#"{"origin": [0.0, 0.0], "cell": 1.0, "columns": 0, "rows": 5}"#;
        assert!(serde_json::from_str::<Grid>(grid).unwrap_err().to_string().contains("grid, size: 0 x 5"));
        for per_unit in ["0.0", "-2.0", "1e-45"] {
            let stamp = format!(r#"{{"columns": 1, "rows": 1, "per_unit": {per_unit}, "values": [1.0]}}"#);
            let error = serde_json::from_str::<Stamp>(&stamp).unwrap_err().to_string();
            assert!(error.contains("stamp, "), "{error}");
        }
    }
}
