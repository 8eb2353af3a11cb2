//! The tree as tables.

/// A tree in depth-first order. The first node is the root.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Tree {
    /// The boxes of both children of each node: the corner with the lowest coordinates and the opposite corner of the
    /// first child, then those of the second.
    pub boxes: Vec<[f32; 12]>,
    /// Both children of each node: the index of a node, or a packed leaf.
    pub children: Vec<[u32; 2]>,
}

/// The flag of a child that is a leaf.
const LEAF: u32 = 1 << 31;

/// One to four shapes of the same kind in consecutive slots.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Leaf {
    pub kind: u32,
    pub first: u32,
    pub count: u32,
}

impl Leaf {
    /// The leaf as an entry of a node's children.
    pub fn packed(self) -> u32 {
        LEAF | self.kind << 28 | (self.count - 1) << 26 | self.first
    }
}

/// Unpacks a child; `None` if it is not a leaf.
#[inline(always)]
pub(crate) fn leaf_of(child: u32) -> Option<Leaf> {
    (child & LEAF != 0).then_some(Leaf {
        kind: child >> 28 & 7,
        first: child & 0x3FF_FFFF,
        count: (child >> 26 & 3) + 1,
    })
}

impl Tree {
    /// Size of the tables in bytes.
    pub fn bytes(&self) -> usize {
        56 * self.boxes.len()
    }
}
