//! The kernel that searches a tile per cube.

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]

use throng_device::cubecl::{self, prelude::*};
use throng_games::kalah::rules::make_move::{make_move, value_of_move};
use throng_games::kalah::rules::position::{Position, is_legal, is_over};
use throng_games::kalah::rules::variant::Variant;
use throng_games::kalah::rules::word::Word;

use super::tree_array::{PLIES, branch, first_child, level_start, level_width, parent, tile_nodes};

/// State of a node whose move, or a move above it, is illegal.
const DEAD: u32 = 0;
/// State of a node after a move of the other player.
const TURN: u32 = 1;
/// State of a node after a move of the same player.
const AGAIN: u32 = 2;

/// Computes the values of tiles with these roots, from the perspective of the player to move at the root. Each cube
/// searches the tile with its own index, with one unit per leaf.
#[cube(launch)]
pub fn search_tiles<W: Word>(
    own: &Array<W>,
    other: &Array<W>,
    scores: &Array<i32>,
    values: &mut Array<i32>,
    count: u32,
    #[comptime] variant: Variant,
) {
    let children = comptime!(variant.pits);
    let nodes = comptime!(tile_nodes(children) as usize);
    let mut tile_own = SharedMemory::<W>::new(nodes);
    let mut tile_other = SharedMemory::<W>::new(nodes);
    let mut tile_score = SharedMemory::<i32>::new(nodes);
    let mut tile_state = SharedMemory::<u32>::new(nodes);
    let tile = CUBE_POS;
    let unit = UNIT_POS;
    // The last cubes of a launch may have no tile. The branch is uniform within a cube.
    if (tile as u32) < count {
        if unit == 0u32 {
            tile_own[0] = own[tile];
            tile_other[0] = other[tile];
            tile_score[0] = scores[tile];
            tile_state[0] = AGAIN;
        }
        sync_cube();
        // Generate all boards.
        #[unroll]
        for step in 0..PLIES {
            let level = comptime!(step + 1);
            if unit < comptime!(level_width(children, level)) {
                let node = unit + comptime!(level_start(children, level));
                let above = parent(node, children) as usize;
                let pit = W::cast_from(branch(node, children));
                let mut state = DEAD.runtime();
                if tile_state[above] != DEAD && is_legal::<W>(tile_own[above], pit, variant) {
                    let (own, other, score) = (tile_own[above], tile_other[above], tile_score[above]);
                    let current = position::<W>(own, other, score);
                    let after = make_move::<W>(&current, pit, variant);
                    tile_own[node as usize] = after.position.own;
                    tile_other[node as usize] = after.position.other;
                    tile_score[node as usize] = after.position.score;
                    state = select(after.again, AGAIN, TURN);
                }
                tile_state[node as usize] = state;
            }
            sync_cube();
        }
        // Evaluate: each move has already updated the score. Reduce.
        #[unroll]
        for step in 0..PLIES {
            let level = comptime!(PLIES - 1 - step);
            if unit < comptime!(level_width(children, level)) {
                let node = unit + comptime!(level_start(children, level));
                let at = node as usize;
                if tile_state[at] != DEAD && !is_over::<W>(tile_own[at], tile_other[at]) {
                    let first = first_child(node, children);
                    let mut best = i32::MIN.runtime();
                    for child in first..first + children {
                        let below = tile_score[child as usize];
                        let state = tile_state[child as usize];
                        let value = value_of_move(below, state == AGAIN);
                        best = max(best, select(state == DEAD, i32::MIN, value));
                    }
                    tile_score[at] = best;
                }
            }
            sync_cube();
        }
        if unit == 0u32 {
            values[tile] = tile_score[0];
        }
    }
}

#[cube]
fn position<W: Word>(own: W, other: W, score: i32) -> Position<W> {
    Position::<W> { own, other, score }
}
