//! A complete tree in an array, stored level by level, so that the children of a node are contiguous.

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]

use throng_device::cubecl::{self, prelude::*};

/// Number of moves in a tile.
pub const PLIES: u32 = 3;

/// Index of the first node of a level; the root is level 0.
pub const fn level_start(children: u32, level: u32) -> u32 {
    let (mut start, mut width, mut at) = (0, 1, 0);
    while at < level {
        start += width;
        width *= children;
        at += 1;
    }
    start
}

/// Number of nodes in a level.
pub const fn level_width(children: u32, level: u32) -> u32 {
    children.pow(level)
}

/// Number of nodes in a tile: 259 for six children.
pub const fn tile_nodes(children: u32) -> u32 {
    level_start(children, PLIES + 1)
}

/// Index of the parent of a node other than the root.
#[cube]
#[inline]
pub fn parent(node: u32, #[comptime] children: u32) -> u32 {
    (node - 1u32) / children
}

/// Index of a node among the children of its parent.
#[cube]
#[inline]
pub fn branch(node: u32, #[comptime] children: u32) -> u32 {
    (node - 1u32) % children
}

/// Index of the first child of a node.
#[cube]
#[inline]
pub fn first_child(node: u32, #[comptime] children: u32) -> u32 {
    node * children + 1u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tile_of_the_paper_has_259_nodes() {
        assert_eq!((tile_nodes(6), level_start(6, 3), level_width(6, 3)), (259, 43, 216));
        // In a binary tree, the children of node n are 2n + 1 and 2n + 2.
        assert_eq!((first_child(3, 2), parent(7, 2), parent(8, 2), branch(8, 2)), (7, 3, 3, 1));
        for node in 1..259 {
            assert_eq!(first_child(parent(node, 6), 6) + branch(node, 6), node);
        }
        for level in 1..=PLIES {
            assert_eq!(parent(level_start(6, level), 6), level_start(6, level - 1));
        }
    }
}
