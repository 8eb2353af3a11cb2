//! Lattices of spheres.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use throng_core::{InputError, Problems};
use throng_scene::{Point, Rgb, Scene, Sphere};

/// Maximum number of spheres in a lattice.
const MAX_SPHERES: u64 = 10_000_000;

/// A lattice of spheres along the three axes. Their colours change along each axis from `albedo` at the first sphere to
/// `last_albedo` at the last one: red along x, green along y, blue along z.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Lattice {
    /// Center of the first sphere.
    pub first: Point,
    /// Distance between the centers of neighbours.
    pub spacing: f64,
    /// Number of spheres along each axis, at least 1.
    pub counts: [u32; 3],
    /// Radius, above 0.
    pub radius: f64,
    /// Colour of the first sphere.
    pub albedo: Rgb,
    /// Colour of the last sphere.
    pub last_albedo: Rgb,
    /// Fraction of light that mirrors reflect.
    pub reflectance: f64,
    /// Every n-th sphere is a mirror, starting with the first; 0 for none.
    pub mirror_every: u32,
}

impl Default for Lattice {
    fn default() -> Self {
        Self {
            first: [0.0; 3],
            spacing: 1.0,
            counts: [10; 3],
            radius: 0.3,
            albedo: [0.2; 3],
            last_albedo: [0.85; 3],
            reflectance: 0.5,
            mirror_every: 4,
        }
    }
}

impl Lattice {
    pub(super) fn check(&self, name: &str, problems: &mut Problems) {
        let number = self.number();
        if number == 0 || number > MAX_SPHERES {
            let remedy = format!("give three whole numbers of at least 1, for at most {MAX_SPHERES} spheres");
            problems.push(format!("{name}, counts"), format!("{:?}", self.counts), remedy);
        }
        // All other spheres lie between the first and the last.
        let Self { first, spacing, counts, radius, albedo, last_albedo, reflectance, .. } = *self;
        let reach = f64::from(counts.into_iter().max().unwrap_or(1)) * spacing;
        let sphere = |center, albedo| Sphere { center, radius, albedo, reflectance };
        let ends = vec![sphere(first, albedo), sphere(first.map(|part| part + reach), last_albedo)];
        let found = Scene { spheres: ends, ..Scene::default() }.check();
        for problem in found.as_ref().err().into_iter().flat_map(|InputError(found)| found.shown()) {
            let key = match problem.place.as_str() {
                "sphere 1, center" => "first",
                // The last sphere depends on the first one, which is reported itself.
                "sphere 2, center" if first.iter().all(|part| part.abs() <= 1e15) => {
                    let remedy = "give a finite number with which the coordinates of the last sphere are at most 1e15";
                    problems.push(format!("{name}, spacing"), spacing.to_string(), remedy);
                    continue;
                }
                "sphere 1, radius" => "radius",
                "sphere 1, albedo" => "albedo",
                "sphere 2, albedo" => "last_albedo",
                "sphere 1, reflectance" => "reflectance",
                // Both have the same radius and reflectance.
                _ => continue,
            };
            problems.push(format!("{name}, {key}"), problem.message.clone(), problem.remedy.clone());
        }
    }

    /// Number of spheres.
    pub fn number(&self) -> u64 {
        self.counts.iter().fold(1, |product: u64, &count| product.saturating_mul(count.into()))
    }

    /// The spheres; x varies fastest and z slowest.
    pub fn spheres(&self) -> impl Iterator<Item = Sphere> {
        let Self { first, spacing, counts, radius, albedo, last_albedo, reflectance, mirror_every } = *self;
        let of_row = u64::from(counts[0]);
        let of_layer = of_row * u64::from(counts[1]);
        (0..of_layer * u64::from(counts[2])).map(move |i| {
            let at = [i % of_row, i % of_layer / of_row, i / of_layer];
            let share = |axis: usize| at[axis] as f64 / f64::from(counts[axis].max(2) - 1);
            Sphere {
                center: std::array::from_fn(|axis| first[axis] + spacing * at[axis] as f64),
                radius,
                albedo: std::array::from_fn(|axis| {
                    (1.0 - share(axis)) * albedo[axis] + share(axis) * last_albedo[axis]
                }),
                reflectance: if mirror_every > 0 && i % u64::from(mirror_every) == 0 { reflectance } else { 0.0 },
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spheres_are_at_lattice_positions() {
        let lattice = Lattice { first: [1.0, 2.0, 3.0], spacing: 0.5, counts: [2, 3, 4], ..Lattice::default() };
        let spheres: Vec<Sphere> = lattice.spheres().collect();
        assert_eq!(spheres.len(), 24);
        assert_eq!((spheres[0].center, spheres[0].reflectance), ([1.0, 2.0, 3.0], 0.5));
        assert_eq!((spheres[1].center, spheres[1].reflectance), ([1.5, 2.0, 3.0], 0.0));
        assert_eq!((spheres[23].center, spheres[23].albedo), ([1.5, 3.0, 4.5], [0.85; 3]));
    }

    #[test]
    fn the_spacing_is_reported_as_a_number_and_only_if_it_is_wrong() {
        let of_spacing = "give a finite number with which the coordinates of the last sphere are at most 1e15";
        let fine = Lattice::default();
        for (lattice, expected) in [
            (Lattice { spacing: f64::NAN, ..fine }, format!("lattice 1, spacing: NaN\n    {of_spacing}")),
            (Lattice { spacing: 1e15, ..fine }, format!("lattice 1, spacing: 1000000000000000\n    {of_spacing}")),
            (
                Lattice { first: [f64::NAN, 0.0, 0.0], ..fine },
                "lattice 1, first: [NaN, 0.0, 0.0]\n    give finite numbers up to 1e15".to_owned(),
            ),
            (
                Lattice { first: [0.0, 2e15, 0.0], ..fine },
                "lattice 1, first: [0.0, 2000000000000000.0, 0.0]\n    give finite numbers up to 1e15".to_owned(),
            ),
        ] {
            let mut problems = Problems::new();
            lattice.check("lattice 1", &mut problems);
            assert_eq!(problems.into_result().unwrap_err().to_string(), expected);
        }
    }
}
