//! The paper's eight programs.

use std::fmt;

/// The memory layout of the bookkeeping data of queues and buffers. All layouts keep the vehicles themselves in one
/// block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Layout {
    /// An array of records `start, pos, end`; removing the first vehicle shifts the others.
    Aos,
    /// Three arrays `start`, `pos`, `end`; removing also shifts the others.
    Soa,
    /// Four arrays `start`, `len`, `ep`, `count` for ring buffers; nothing is shifted.
    Ring,
}

impl Layout {
    /// Number of words per queue.
    pub fn fields(self) -> u32 {
        if self == Self::Ring { 4 } else { 3 }
    }
}

/// A program: the layout, and the kernels that move vehicles over nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Variant {
    /// Layout of the bookkeeping data.
    pub layout: Layout,
    /// If set, one thread per node processes the in-links in fixed order (`moveNode`). If not, each link has a thread,
    /// and the first one gets the slot (`moveBuffer`).
    pub nodes: bool,
    /// Moves only record the source of a vehicle, and a second kernel fetches it.
    pub indices_first: bool,
}

impl Variant {
    /// All variants, in the order of the paper.
    pub const ALL: [Self; 8] = [
        Self::new(Layout::Aos, false, false),
        Self::new(Layout::Aos, true, false),
        Self::new(Layout::Soa, false, false),
        Self::new(Layout::Soa, true, false),
        Self::new(Layout::Ring, false, false),
        Self::new(Layout::Ring, true, false),
        Self::new(Layout::Ring, false, true),
        Self::new(Layout::Ring, true, true),
    ];

    /// The variant that the paper recommends.
    pub const RING_NODES: Self = Self::new(Layout::Ring, true, false);

    const fn new(layout: Layout, nodes: bool, indices_first: bool) -> Self {
        Self { layout, nodes, indices_first }
    }

    /// Number of kernels launched per step: activities, links, nodes or buffers, and, if separate, fetching vehicles.
    pub fn launches_per_step(self) -> u32 {
        if self.indices_first { 4 } else { 3 }
    }
}

impl fmt::Display for Variant {
    /// Writes the paper's name, for example `RINGNODES2`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let layout = match self.layout {
            Layout::Aos => "AOS",
            Layout::Soa => "SOA",
            Layout::Ring => "RING",
        };
        let (nodes, two) = (if self.nodes { "NODES" } else { "" }, if self.indices_first { "2" } else { "" });
        write!(f, "{layout}{nodes}{two}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_match_the_paper() {
        let names: Vec<String> = Variant::ALL.iter().map(Variant::to_string).collect();
        let paper = ["AOS", "AOSNODES", "SOA", "SOANODES", "RING", "RINGNODES", "RING2", "RINGNODES2"];
        assert_eq!(names, paper);
    }
}
