//! Alignment of motorways: rings around the main centre and radials that cross them.

use std::f64::consts::TAU;

use throng_core::Philox;

use crate::draws::{Draws, Purpose};

/// Maximum radius at which motorways scale with the city, metres: two rings and nine radials suffice. In wider cities
/// they would be so far apart that the streets between them jam.
const WIDE_M: f64 = 30_000.0;
/// Distance between the rings of a wide city, and between the centre and the first ring, metres.
const RING_SPACING_M: f64 = 6000.0;
/// Maximum distance between two radials of a wide city, metres. Where it is exceeded, another radial begins on the
/// first such ring.
const RADIAL_SPACING_M: f64 = 8000.0;
/// Maximum number of radials that begin near the centre.
const MAX_RADIALS: f64 = 9.0;
/// Distance from the centre at which these radials begin in a wide city, metres.
const FIRST_INTERCHANGE_M: f64 = 4500.0;

/// Rings and radials of a city. Radii are fractions of the city's radius.
#[derive(Debug)]
pub(super) struct Alignment {
    philox: Philox,
    /// Radius of the city, metres.
    pub(super) r: f64,
    /// Radii of the rings, in ascending order.
    pub(super) rings: Vec<f64>,
    /// The ring on which each radial begins; `None`: near the centre.
    pub(super) begins: Vec<Option<usize>>,
    /// Radius at which the radials near the centre begin.
    pub(super) first: f64,
    turn: f64,
}

impl Alignment {
    /// Creates the alignment for a city with a radius of `r` metres.
    pub(super) fn new(r: f64, philox: Philox) -> Self {
        let mut begins = vec![None; (r / 2000.0 + 1.0).round().clamp(3.0, MAX_RADIALS) as usize];
        let (mut rings, mut first) = (if r > 10_000.0 { vec![0.33, 0.7] } else { vec![0.5] }, 0.2);
        if r > WIDE_M {
            let beyond = (0.75 * r / RING_SPACING_M).ceil() as u32;
            rings = (1..beyond).map(|ring| RING_SPACING_M * f64::from(ring) / r).collect();
            first = FIRST_INTERCHANGE_M / r;
            for (q, &ring) in rings.iter().enumerate() {
                if TAU * ring * r / begins.len() as f64 > RADIAL_SPACING_M {
                    begins = begins.into_iter().flat_map(|begin| [begin, Some(q)]).collect();
                }
            }
        }
        let turn = Draws::new(philox, 0, 1).unit(Purpose::Motorway, 0);
        Self { philox, r, rings, begins, first, turn }
    }

    /// Returns the direction of a radial at a radius in metres: slightly bent, and slightly off its regular position.
    pub(super) fn angle(&self, radial: usize, radius: f64) -> f64 {
        let radials = self.begins.len() as f64;
        let draws = Draws::new(self.philox, radial as u32, 2);
        let share = (radial as f64 + self.turn + draws.between(Purpose::Motorway, 1, -0.15, 0.15)) / radials;
        let phase = TAU * draws.unit(Purpose::Motorway, 2);
        // If there are more radials than usual, they bend less, so that they do not meet.
        let bend = 0.12 * (MAX_RADIALS / radials).min(1.0);
        TAU * share + bend * libm::sin(4.0 * radius / self.r + phase)
    }

    /// Returns the radials that cross or begin on a ring.
    pub(super) fn radials_at(&self, ring: usize) -> Vec<usize> {
        (0..self.begins.len()).filter(|&radial| self.begins[radial].is_none_or(|first| first <= ring)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_density_of_motorways_does_not_depend_on_the_city_size() {
        let narrow = Alignment::new(20_000.0, Philox::new(1));
        assert_eq!((narrow.rings.len(), narrow.begins.len()), (2, 9));
        assert_eq!(narrow.first * narrow.r, 4000.0);
        assert!(narrow.begins.iter().all(Option::is_none));
        for r in [31_000.0, 60_000.0, 180_000.0] {
            let wide = Alignment::new(r, Philox::new(1));
            assert!((wide.first * r - FIRST_INTERCHANGE_M).abs() < 1e-6);
            for (q, &ring) in wide.rings.iter().enumerate() {
                let before = if q == 0 { 0.0 } else { wide.rings[q - 1] };
                assert!(((ring - before) * r - RING_SPACING_M).abs() < 1e-6, "ring {q} of {r}");
                let apart = TAU * ring * r / wide.radials_at(q).len() as f64;
                assert!(
                    (RADIAL_SPACING_M / 2.0..=RADIAL_SPACING_M).contains(&apart),
                    "{apart} m apart at ring {q} of {r}"
                );
            }
            assert!((0.75 - wide.rings[wide.rings.len() - 1]) * r <= RING_SPACING_M);
        }
    }

    #[test]
    fn radials_do_not_meet() {
        for (r, seed) in [(5000.0, 1), (20_000.0, 2), (60_000.0, 3), (180_000.0, 4)] {
            let alignment = Alignment::new(r, Philox::new(seed));
            let radials = alignment.begins.len();
            for k in 1..=100 {
                let angle = |radial| alignment.angle(radial, r * f64::from(k) / 100.0);
                let gaps = (0..radials).map(|radial| {
                    let turn = if radial + 1 == radials { TAU } else { 0.0 };
                    angle((radial + 1) % radials) + turn - angle(radial)
                });
                assert!(gaps.min_by(f64::total_cmp).is_some_and(|least| least > 0.0), "{radials} radials at {k} %");
            }
        }
    }
}
