//! Ways to accumulate changes of stored fields, and their memory.

use std::fmt;

use super::numbers::{CROWD, Numbers};

/// The path of a tick's changes to the stored fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Caching {
    /// Each pedestrian adds to the fields as it moves: on one thread, which is the paper's CPU model, or by atomic
    /// operations on a device, which the paper rejects.
    None,
    /// Each change has a slot, and all slots are summed in one step (algorithm 2).
    OneStep,
    /// The changes of a stored number are accumulated in this many partial sums with equal numbers of terms (algorithm
    /// 3).
    MultiStep(u32),
}

/// The numbers of partial sums in the paper.
pub const PARTIAL_SUMS: [u32; 4] = [2, 4, 8, 16];

impl Caching {
    /// All variants.
    pub const ALL: [Self; 6] =
        [Self::None, Self::OneStep, Self::MultiStep(2), Self::MultiStep(4), Self::MultiStep(8), Self::MultiStep(16)];

    /// The number of slots per sector is padded to a multiple of this.
    pub(super) fn multiple(self) -> u32 {
        match self {
            Self::None | Self::OneStep => 1,
            Self::MultiStep(sums) => sums.max(1),
        }
    }

    /// Words of the cache per space unit, for fields with this fan-out. For one step, this is the paper's
    /// `(DA + DR + 2 RR) * 8` with equal fan-outs, `32 * fan_out`.
    pub fn words(self, fan_out: u32, numbers: Numbers) -> u64 {
        match self {
            Self::None => 0,
            Self::OneStep => 32 * u64::from(fan_out),
            // RR has two blocks, one for appearing and one for disappearing strengths. The last word records the move.
            Self::MultiStep(sums) => u64::from(sums) * u64::from(numbers.count() + CROWD) + 1,
        }
    }
}

impl fmt::Display for Caching {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.write_str("no cache"),
            Self::OneStep => f.write_str("one-step cache"),
            Self::MultiStep(sums) => write!(f, "multi-step cache, K = {sums}"),
        }
    }
}

/// Bytes of the paper's one-step cache (equation 2, equal fan-outs): 128 per space unit and slot.
pub fn published_bytes(fan_out: u32, units: u64) -> u64 {
    128 * u64::from(fan_out) * units
}

/// Total bytes of the cache and the stored fields.
pub fn bytes(caching: Caching, fan_out: u32, numbers: Numbers, units: u64) -> u64 {
    4 * units * (caching.words(fan_out, numbers) + u64::from(numbers.count()))
}

#[cfg(test)]
mod tests {
    use throng_pedestrians::Flow;

    use super::*;

    /// Table II: memory with the paper's fan-outs, in GiB.
    #[test]
    fn memory_matches_table_ii_of_the_paper() {
        let found = [6, 61, 164, 328, 535, 808]
            .map(|fan_out| (published_bytes(fan_out, 4_000_000) as f64 / f64::from(1 << 30) * 10.0).round() / 10.0);
        assert_eq!(found, [2.9, 29.1, 78.2, 156.4, 255.1, 385.3]);
    }

    #[test]
    fn cache_sizes_match_hand_computed_values() {
        let [uni, bi, _, eight] = Flow::ALL.map(|flow| Numbers::of(flow.headings()));
        assert_eq!(Caching::OneStep.words(7, eight), 224);
        // 8 numbers of RR twice, and 8 per heading.
        let sums = [uni, bi, eight].map(|numbers| Caching::MultiStep(4).words(808, numbers));
        assert_eq!(sums, [4 * 24 + 1, 4 * 32 + 1, 4 * 80 + 1]);
        assert_eq!(bytes(Caching::OneStep, 7, bi, 10), 40 * (224 + 24));
        assert_eq!(bytes(Caching::None, 7, bi, 10), 40 * 24);
    }
}
