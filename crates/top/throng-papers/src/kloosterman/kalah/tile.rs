//! A tile on the CPU: the three steps of the kernel, on a single thread.

use std::convert::Infallible;

use rayon::prelude::*;
use throng_games::kalah::rules::make_move::{MoveResult, make_move, value_of_move};
use throng_games::kalah::rules::position::{is_legal, is_over};
use throng_games::kalah::rules::word::Word;
use throng_games::kalah::rules::{Position, Variant};

use super::layers::Tiles;
use super::tree_array::{PLIES, branch, first_child, level_start, level_width, parent, tile_nodes};

/// Searches tiles on the threads of the current pool, each tile on one thread.
#[derive(Debug, Clone, Copy)]
pub struct CpuTiles {
    /// Rules of the game.
    pub variant: Variant,
}

impl<W: Word> Tiles<W> for CpuTiles {
    type Error = Infallible;

    fn values(&mut self, boards: &[Position<W>]) -> Result<Vec<i32>, Infallible> {
        let variant = self.variant;
        let room = || Vec::with_capacity(tile_nodes(variant.pits) as usize);
        Ok(boards.par_iter().map_init(room, |nodes, board| value(*board, nodes, variant)).collect())
    }
}

/// A node of a tile.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node<W: Word> {
    pub position: Position<W>,
    /// Whether the same player moves again after the move to this node.
    pub again: bool,
    /// Whether the move to this node and all moves above it are legal.
    pub lives: bool,
}

/// Returns the value of a tile with this root, from the perspective of the player to move at the root.
fn value<W: Word>(root: Position<W>, nodes: &mut Vec<Node<W>>, variant: Variant) -> i32 {
    generate(root, nodes, variant);
    // Evaluate: each move has already updated the score.
    reduce(nodes, variant);
    nodes[0].position.score
}

/// Generates the nodes. A board on which the game is over may still have moves; their nodes are ignored later.
pub(super) fn generate<W: Word>(root: Position<W>, nodes: &mut Vec<Node<W>>, variant: Variant) {
    let children = variant.pits;
    nodes.clear();
    nodes.push(Node { position: root, again: true, lives: true });
    for node in 1..tile_nodes(children) {
        let above = nodes[parent(node, children) as usize];
        let pit = branch(node, children);
        let lives = above.lives && is_legal(above.position.own, W::new(i64::from(pit)), variant);
        let pit = W::new(i64::from(pit));
        let dead = MoveResult { position: above.position, again: false };
        let MoveResult { position, again } = if lives { make_move(&above.position, pit, variant) } else { dead };
        nodes.push(Node { position, again, lives });
    }
}

/// Replaces the score of each node that has moves by the value of the best one, from the leaves to the root.
pub(super) fn reduce<W: Word>(nodes: &mut [Node<W>], variant: Variant) {
    let children = variant.pits;
    for level in (0..PLIES).rev() {
        let start = level_start(children, level);
        for node in start..start + level_width(children, level) {
            let Node { position, lives, .. } = nodes[node as usize];
            if lives && !is_over(position.own, position.other) {
                let first = first_child(node, children) as usize;
                let below = nodes[first..first + children as usize].iter().filter(|below| below.lives);
                let value = |below: &Node<W>| value_of_move(below.position.score, below.again);
                let best = below.map(value).max().expect("a game that is not over has a move");
                nodes[node as usize].position.score = best;
            }
        }
    }
}
