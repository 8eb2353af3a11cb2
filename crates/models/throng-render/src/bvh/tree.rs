//! The tree as tables.

/// A tree in depth-first order. The first node is the root.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Tree {
    /// The boxes of both children of each node: the corner with the least coordinates, then the opposite one, of the first
    /// child and then of the second.
    pub boxes: Vec<[f32; 12]>,
    /// Both children of each node: the number of a node, or a leaf.
    pub children: Vec<[u32; 2]>,
}

/// The bit of a child that is a leaf.
const LEAF: u32 = 1 << 31;

/// One to four consecutive slots with shapes of one kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Leaf {
    pub kind: u32,
    pub first: u32,
    pub count: u32,
}

impl Leaf {
    /// The leaf as a child of a node.
    pub fn packed(self) -> u32 {
        LEAF | self.kind << 28 | (self.count - 1) << 26 | self.first
    }
}

/// The leaf of a child, if it is one.
#[inline(always)]
pub(crate) fn leaf_of(child: u32) -> Option<Leaf> {
    (child & LEAF != 0).then_some(Leaf {
        kind: child >> 28 & 7,
        first: child & 0x3FF_FFFF,
        count: (child >> 26 & 3) + 1,
    })
}

impl Tree {
    /// Bytes of the tables.
    pub fn bytes(&self) -> usize {
        56 * self.boxes.len()
    }
}
