//! Daily plans as chains of activities.

use super::Kind;
use crate::draws::{Draws, Purpose};

/// The kinds of daily plans, all of which begin and end at home.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Chain {
    /// home - work - home
    Work,
    /// home - work - leisure - home
    WorkLeisure,
    /// home - education - home
    Education,
    /// home - shopping - home
    Shopping,
    /// home - leisure - home
    Leisure,
}

impl Chain {
    /// Draws a chain: 45 % work, 20 % work and leisure, 15 % education, 10 % shopping, 10 % leisure.
    pub(crate) fn draw(draws: Draws) -> Self {
        match draws.unit(Purpose::PlanKind, 0) {
            u if u < 0.45 => Self::Work,
            u if u < 0.65 => Self::WorkLeisure,
            u if u < 0.80 => Self::Education,
            u if u < 0.90 => Self::Shopping,
            _ => Self::Leisure,
        }
    }

    /// Returns the probability of a second tour after this chain, relative to the mean: it is lower after work.
    pub(crate) fn second_tour(self) -> f64 {
        match self {
            Self::Work | Self::WorkLeisure => 0.75,
            // 65 % x 0.75 + 35 % x 1.46 is about 1.
            _ => 1.46,
        }
    }

    /// Returns the activities away from home.
    pub(crate) fn away(self) -> &'static [Kind] {
        match self {
            Self::Work => &[Kind::Work],
            Self::WorkLeisure => &[Kind::Work, Kind::Leisure],
            Self::Education => &[Kind::Education],
            Self::Shopping => &[Kind::Shopping],
            Self::Leisure => &[Kind::Leisure],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_core::Philox;

    #[test]
    fn chains_are_drawn_with_the_expected_fractions() {
        let n = 20_000;
        let share = |chain| {
            let count = (0..n).filter(|&i| Chain::draw(Draws::new(Philox::new(1), i, 0)) == chain).count();
            count as f64 / f64::from(n)
        };
        let expected = [
            (Chain::Work, 0.45),
            (Chain::WorkLeisure, 0.20),
            (Chain::Education, 0.15),
            (Chain::Shopping, 0.1),
            (Chain::Leisure, 0.1),
        ];
        for (chain, expected) in expected {
            assert!((share(chain) - expected).abs() < 0.01, "{chain:?} {}", share(chain));
        }
    }
}
