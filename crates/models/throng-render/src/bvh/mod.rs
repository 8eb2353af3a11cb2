//! The tree over the shapes of a scene: a hierarchy of boxes, built by the surface area heuristic.
//!
//! The hit of a ray does not depend on the tree: the nearest hit counts, and ties go to the lowest id. The tree is a
//! function of the scene alone; the number of threads does not change it.

mod bounds;
mod build;
#[cfg(test)]
mod tests;
mod tree;

pub(crate) use bounds::Bounds;
pub(crate) use build::{Item, build};
pub(crate) use tree::{Leaf, Tree, leaf_of};

/// Maximum number of levels of a tree, and so of nodes on the stack of a traversal. A tree built on a device has at
/// most one level per bit of a Morton code and per bit of a shape's index.
pub const MAX_LEVELS: u32 = 64;
