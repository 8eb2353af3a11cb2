//! Builds the tree from the root downwards. Shapes are split where the expected cost of a ray is lowest (Wald, "On fast
//! construction of SAH-based bounding volume hierarchies", 2007).

use super::MAX_LEVELS;
use super::bounds::Bounds;
use super::tree::{Leaf, Tree};
use crate::packed::kind_of;

/// A shape: its box and its id.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Item {
    pub bounds: Bounds,
    pub id: u32,
}

/// Number of equal bins per axis in which shapes are counted. A split lies between two bins.
const BINS: usize = 16;
/// Maximum number of shapes in a leaf.
const LEAF_SHAPES: usize = 4;
/// The cost of testing a ray against the boxes of a node, relative to a test against a shape.
const NODE_COST: f32 = 1.0;
/// Subtrees with more shapes than this are built in parallel.
const PARALLEL: usize = 4096;

/// Builds the tree over all shapes. Also returns the order of shapes: the index of the shape in each slot.
pub(crate) fn build(items: &[Item]) -> (Tree, Vec<u32>) {
    let mut order: Vec<u32> = (0..items.len() as u32).collect();
    let mut tree = Tree::default();
    if items.is_empty() {
        return (tree, order);
    }
    let root = subtree(items, &mut order, 0, 0);
    match root.parts {
        Parts::Leaf(leaf) => {
            // A node has two children; the second is the same leaf in a box that no ray of a scene reaches.
            let nowhere = Bounds { low: [1e30; 3], high: [1e30; 3] };
            tree.boxes.push(both(root.bounds, nowhere));
            tree.children.push([leaf.packed(); 2]);
        }
        Parts::Node(..) => {
            flatten(&root, &mut tree);
        }
    }
    (tree, order)
}

struct Subtree {
    bounds: Bounds,
    parts: Parts,
}

enum Parts {
    Leaf(Leaf),
    Node(Box<[Subtree; 2]>),
}

/// The tree over the shapes of a part of the order, which starts at slot `first`.
fn subtree(items: &[Item], order: &mut [u32], first: u32, level: u32) -> Subtree {
    let of = |i: &u32| items[*i as usize];
    let bounds = order.iter().fold(Bounds::EMPTY, |all, i| all.with(of(i).bounds));
    let kind = kind_of(of(&order[0]).id);
    let is_uniform = order.len() <= LEAF_SHAPES && order.iter().all(|i| kind_of(of(i).id) == kind);
    let split = if order.len() > 1 { best_split(items, order, bounds, level) } else { None };
    // The cost of a leaf is the number of its shapes; the cost of a split includes the tests of the boxes of a node.
    let is_leaf = is_uniform && split.is_none_or(|split| split.cost >= order.len() as f32);
    if is_leaf {
        let leaf = Leaf { kind, first, count: order.len() as u32 };
        return Subtree { bounds, parts: Parts::Leaf(leaf) };
    }
    let middle = match split {
        Some(split) => partition(items, order, split),
        None if order.len() <= LEAF_SHAPES => {
            // There is no split by position, and there are several kinds: separate the kinds.
            order.sort_by_key(|i| (kind_of(of(i).id) != kind, *i));
            order.iter().filter(|i| kind_of(of(i).id) == kind).count()
        }
        None => order.len() / 2,
    };
    // Neither part may be empty.
    let middle = middle.clamp(1, order.len() - 1);
    let is_large = order.len() > PARALLEL;
    let (left, right) = order.split_at_mut(middle);
    let mut one = || subtree(items, left, first, level + 1);
    let mut other = || subtree(items, right, first + middle as u32, level + 1);
    let children = if is_large { rayon::join(one, other) } else { (one(), other()) };
    Subtree { bounds, parts: Parts::Node(Box::new([children.0, children.1])) }
}

/// A split of shapes by the middles of their boxes, with the expected cost of a ray that enters them.
#[derive(Debug, Clone, Copy)]
struct Split {
    cost: f32,
    axis: usize,
    bin: usize,
    low: f32,
    scale: f32,
}

impl Split {
    fn bin_of(&self, bounds: Bounds) -> usize {
        // The cast is safe: the value cannot be negative or NaN.
        (((bounds.middle(self.axis) - self.low) * self.scale) as usize).min(BINS - 1)
    }
}

/// The best split; `None` if all middles are equal, or if the tree would get too deep for uneven splits.
fn best_split(items: &[Item], order: &[u32], bounds: Bounds, level: u32) -> Option<Split> {
    // Splitting in halves needs up to one level more than the number of shapes has bits; the kinds need two more.
    let needed = usize::BITS - order.len().leading_zeros() + 3;
    if level + needed >= MAX_LEVELS {
        return None;
    }
    let mut best: Option<Split> = None;
    for axis in 0..3 {
        let middles = order.iter().map(|&i| items[i as usize].bounds.middle(axis));
        let (low, high) =
            middles.fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), at| (low.min(at), high.max(at)));
        let scale = BINS as f32 / (high - low);
        if high <= low || !scale.is_finite() {
            continue;
        }
        let mut split = Split { cost: 0.0, axis, bin: 0, low, scale };
        let mut bins = [(Bounds::EMPTY, 0_u32); BINS];
        for &i in order {
            let item = items[i as usize].bounds;
            let bin = &mut bins[split.bin_of(item)];
            *bin = (bin.0.with(item), bin.1 + 1);
        }
        let mut above = [(0.0, 0); BINS];
        let (mut all, mut count) = (Bounds::EMPTY, 0);
        for bin in (1..BINS).rev() {
            all = all.with(bins[bin].0);
            count += bins[bin].1;
            above[bin] = (all.half_area(), count);
        }
        let (mut all, mut count) = (Bounds::EMPTY, 0);
        for bin in 1..BINS {
            all = all.with(bins[bin - 1].0);
            count += bins[bin - 1].1;
            let (area, above) = above[bin];
            if count == 0 || above == 0 {
                continue;
            }
            let inside = all.half_area() * count as f32 + area * above as f32;
            split.cost = NODE_COST + inside / bounds.half_area().max(f32::MIN_POSITIVE);
            split.bin = bin;
            // Ties go to the first axis and the lowest bin.
            if best.is_none_or(|best| split.cost < best.cost) {
                best = Some(split);
            }
        }
    }
    best
}

/// Moves the shapes below a split to the front, otherwise keeping their order, and returns their number.
fn partition(items: &[Item], order: &mut [u32], split: Split) -> usize {
    let is_below = |i: &u32| split.bin_of(items[*i as usize].bounds) < split.bin;
    let above: Vec<u32> = order.iter().copied().filter(|i| !is_below(i)).collect();
    let mut below = 0;
    for at in 0..order.len() {
        if is_below(&order[at]) {
            order[below] = order[at];
            below += 1;
        }
    }
    order[below..].copy_from_slice(&above);
    below
}

/// Appends the nodes of a subtree, and returns its entry in a node's children: an index or a packed leaf.
fn flatten(subtree: &Subtree, tree: &mut Tree) -> u32 {
    match &subtree.parts {
        Parts::Leaf(leaf) => leaf.packed(),
        Parts::Node(children) => {
            let at = tree.boxes.len();
            tree.boxes.push(both(children[0].bounds, children[1].bounds));
            tree.children.push([0; 2]);
            for (i, child) in children.iter().enumerate() {
                tree.children[at][i] = flatten(child, tree);
            }
            at as u32
        }
    }
}

fn both(one: Bounds, other: Bounds) -> [f32; 12] {
    let mut both = [0.0; 12];
    for (to, from) in both.iter_mut().zip([one.low, one.high, other.low, other.high].as_flattened()) {
        *to = *from;
    }
    both
}
