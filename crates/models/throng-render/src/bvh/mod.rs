//! The tree over the shapes of a scene: a hierarchy of boxes, built by the surface area heuristic.
//!
//! What a ray hits does not depend on the tree: of several hits the nearest counts, and of equally near ones that of the
//! lowest id. The tree itself is a function of the scene alone; the number of threads does not change it.

mod bounds;
mod build;
#[cfg(test)]
mod tests;
mod tree;

pub(crate) use bounds::Bounds;
pub(crate) use build::{Item, build};
pub(crate) use tree::{Leaf, Tree, leaf_of};

/// The most levels of a tree, which is how many nodes a walk has to remember. A tree that a device builds has one for each
/// bit of a Morton code, and for those of the number of a shape.
pub const MAX_LEVELS: u32 = 64;
