//! The state of a domain between two steps.

use throng_core::StateHash;

use super::partition::Rectangle;

/// A disc of a domain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SnapshotDisc {
    /// Index of the disc in the whole crowd.
    pub id: u32,
    /// Position of its centre, units.
    pub at: [i32; 2],
    /// Radius, units.
    pub radius: i32,
}

/// The state that a domain needs to continue: plain values, which can be stored and sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    /// Cells of the domain.
    pub rectangle: Rectangle,
    /// Discs of the domain, in any order.
    pub discs: Vec<SnapshotDisc>,
    /// Number of completed steps.
    pub steps: u64,
}

impl Snapshot {
    /// Returns the hash of the discs of the domain. The merged hashes of all domains are the hash of the crowd: it
    /// depends neither on the partition nor on the order of the discs.
    pub fn hash(&self) -> StateHash {
        let mut hash = StateHash::new();
        for disc in &self.discs {
            hash.add(u64::from(disc.id), &disc.at.map(|at| at as u64));
        }
        hash
    }
}
