//! Sizes for benchmarks.

use super::CityOptions;

/// A size that benchmarks refer to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tier {
    /// About the size of Zurich: 850,000 persons, 37,000 links.
    City,
    /// Ten times that: 8.5 million persons, 370,000 links.
    Metropolis,
    /// A country of 28 million persons and 3.7 million links.
    Country,
}

impl Tier {
    /// All tiers, from small to large.
    pub const ALL: [Self; 3] = [Self::City, Self::Metropolis, Self::Country];

    /// Returns the name of the tier.
    pub fn name(self) -> &'static str {
        match self {
            Self::City => "city",
            Self::Metropolis => "metropolis",
            Self::Country => "country",
        }
    }

    /// Returns the options of this size.
    pub fn options(self) -> CityOptions {
        let default = CityOptions::default();
        match self {
            Self::City => default,
            Self::Metropolis => CityOptions { links: 370_000, persons: 8_500_000, centres: 12, ..default },
            // With a third of the persons per link there is no congestion to resolve.
            Self::Country => CityOptions {
                links: 3_700_000,
                persons: 28_000_000,
                centres: 30,
                rounds: 0,
                batches: 2,
                days: 0,
                ..default
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiers_are_possible_and_grow() {
        let sizes = Tier::ALL.map(|tier| {
            let options = tier.options();
            assert_eq!(options.check(), Ok(()), "{}", tier.name());
            (options.links, options.persons)
        });
        assert_eq!(sizes, [(37_000, 850_000), (370_000, 8_500_000), (3_700_000, 28_000_000)]);
    }
}
