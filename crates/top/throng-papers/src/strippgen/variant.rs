//! The eight programs that the paper compares.

use std::fmt;

/// How the administration of queues and buffers lies in memory. The vehicles themselves lie in one block in each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Layout {
    /// An array of records `start, pos, end`; removing the first vehicle shifts the others.
    Aos,
    /// Three arrays `start`, `pos`, `end`; removing shifts as well.
    Soa,
    /// Four arrays `start`, `len`, `ep`, `count` of a ring; nothing is shifted.
    Ring,
}

impl Layout {
    /// Words per queue.
    pub fn fields(self) -> u32 {
        if self == Self::Ring { 4 } else { 3 }
    }
}

/// One program: a layout, who moves vehicles over nodes, and when.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Variant {
    /// Layout of the administration.
    pub layout: Layout,
    /// A thread per node that goes through the in-links in fixed order (`moveNode`); without, a thread per link, and
    /// the first thread gets the place (`moveBuffer`).
    pub nodes: bool,
    /// Moves note where a vehicle comes from, and a second kernel fetches it.
    pub indices_first: bool,
}

impl Variant {
    /// All, in the order of the paper.
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

    /// The one that the paper recommends.
    pub const RING_NODES: Self = Self::new(Layout::Ring, true, false);

    const fn new(layout: Layout, nodes: bool, indices_first: bool) -> Self {
        Self { layout, nodes, indices_first }
    }

    /// Kernels launched per step: activities, links, nodes or buffers, and the fetching of vehicles.
    pub fn launches_per_step(self) -> u32 {
        if self.indices_first { 4 } else { 3 }
    }
}

impl fmt::Display for Variant {
    /// As the paper names it, for example `RINGNODES2`.
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
    fn names_are_those_of_the_paper() {
        let names: Vec<String> = Variant::ALL.iter().map(Variant::to_string).collect();
        let paper = ["AOS", "AOSNODES", "SOA", "SOANODES", "RING", "RINGNODES", "RING2", "RINGNODES2"];
        assert_eq!(names, paper);
    }
}
