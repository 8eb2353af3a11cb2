//! The computational techniques of the paper's second GPU program, each of which can be left out.

use super::caching::Caching;
use crate::experiment::listed;

listed! {
    /// A technique of section 2.3, of section 3.2 or of table III.
    Technique {
        /// The data of a work-group are copied to its local memory. Here: the changes around a tile of space units in
        /// k-4, and the keys of pedestrians in k-2.
        DataBandwidth = "data bandwidth: local memory";
        /// Changes of the fields are cached, where the alternative adds them by atomic operations.
        Competition = "competition: a cache, no atomics";
        /// Values are selected without branches, where the alternative branches.
        Divergence = "divergence: selections, no branches";
        /// Records in local memory have a prime size (appendix C). Here: the keys of pedestrians in k-2.
        BankConflicts = "bank conflicts: records of prime size";
        /// The host submits the next tick while the device computes the last one.
        Concurrency = "concurrency: CPU and GPU overlap";
        /// Adjacent work-items access adjacent words, where the alternative has a record for each space unit.
        Locality = "locality of access: adjacent words";
        /// The eight keys are sorted by 21 exchanges (appendix D), where the alternative is a quicksort.
        Sorting = "sorting in 21 exchanges, no quicksort";
        /// Partial sums are added four at a time, by dot products.
        DotProducts = "dot products of partial sums";
    }
}

impl Technique {
    /// The rank of its significance in table III; `None` for those that the table does not have.
    pub fn published_rank(self) -> Option<u32> {
        match self {
            Self::DataBandwidth => Some(1),
            Self::Competition => Some(2),
            Self::Divergence => Some(3),
            Self::BankConflicts => Some(4),
            Self::Concurrency => Some(5),
            Self::Locality => Some(6),
            Self::Sorting | Self::DotProducts => None,
        }
    }
}

/// A set of techniques. Competition is no member of it: see [`Variant::without`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Techniques(u32);

impl Techniques {
    /// The paper's first GPU program. It has [`Technique::Locality`], because the paper does not say which data its
    /// programs store next to each other.
    pub const FIRST: Self = Self(1 << Technique::Locality as u32);
    /// The programs that differ in their caches only: the host does not wait for each tick, so that its waits do not
    /// hide the caches.
    pub const PLAIN: Self = Self(Self::FIRST.0 | 1 << Technique::Concurrency as u32 | 1 << Technique::Sorting as u32);
    /// The paper's second GPU program.
    pub const ALL: Self = Self((1 << Technique::ALL.len()) - 1);

    /// Whether a program has a technique.
    pub fn has(self, technique: Technique) -> bool {
        self.0 & 1 << technique as u32 != 0
    }

    fn without(self, technique: Technique) -> Self {
        Self(self.0 & !(1 << technique as u32))
    }

    /// Words per record of keys in local memory.
    #[cfg(any(feature = "gpu", test))]
    pub(super) fn record_words(self) -> u32 {
        if self.has(Technique::BankConflicts) { 11 } else { 8 }
    }
}

#[cfg(feature = "gpu")]
impl Techniques {
    /// Those that are compiled into the kernel of decisions; others would compile it again.
    pub(super) fn of_decisions(self) -> Self {
        use Technique::{BankConflicts, DataBandwidth, Divergence, Sorting};
        self.only(&[DataBandwidth, BankConflicts, Divergence, Sorting])
    }

    /// Those that are compiled into the kernel of partial sums.
    pub(super) fn of_sums(self) -> Self {
        self.only(&[Technique::DataBandwidth, Technique::Divergence])
    }

    fn only(self, techniques: &[Technique]) -> Self {
        Self(techniques.iter().fold(0, |all, &technique| all | self.0 & 1 << technique as u32))
    }
}

/// A version of the program with stored fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Variant {
    /// How changes reach the stored fields; on devices, [`Caching::None`] adds them by atomic operations.
    pub caching: Caching,
    /// Its techniques.
    pub techniques: Techniques,
}

impl Variant {
    /// The version without a technique.
    pub fn without(self, technique: Technique) -> Self {
        match technique {
            Technique::Competition => Self { caching: Caching::None, ..self },
            _ => Self { techniques: self.techniques.without(technique), ..self },
        }
    }
}

impl From<Caching> for Variant {
    /// The version whose cache is compared with other caches.
    fn from(caching: Caching) -> Self {
        Self { caching, techniques: Techniques::PLAIN }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_lacks_the_technique_it_is_without() {
        let second = Variant { caching: Caching::MultiStep(4), techniques: Techniques::ALL };
        for technique in Technique::ALL {
            let without = second.without(technique);
            assert_ne!(without, second, "{technique:?}");
            let lacks = Technique::ALL.into_iter().filter(|&other| !without.techniques.has(other)).collect::<Vec<_>>();
            let of_set = if technique == Technique::Competition { vec![] } else { vec![technique] };
            assert_eq!(lacks, of_set);
        }
        assert_eq!(second.without(Technique::Competition).caching, Caching::None);
    }

    #[test]
    fn records_of_prime_size_have_no_common_divisor_with_the_number_of_banks() {
        let padded = Techniques::ALL.record_words();
        assert!(padded >= 8 && (2..padded).all(|divisor| !padded.is_multiple_of(divisor)), "{padded}");
        assert_eq!(Techniques::PLAIN.record_words(), 8);
    }
}
