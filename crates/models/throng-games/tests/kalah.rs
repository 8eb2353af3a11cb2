//! Tests the rules on hand-made boards, and compares searches from the start with the counts and values of another
//! program.

use rayon::prelude::*;
use throng_games::kalah::reference::{Illegal, minimax, play};
use throng_games::kalah::rules::make_move::make_move;
use throng_games::kalah::rules::position::{is_legal, is_over};
use throng_games::kalah::rules::{Position, Variant};
use throng_games::kalah::{Board, Game, Side, unpruned};

fn kalah(pits: u32, stones: u32) -> Game {
    Game::new(pits, stones).unwrap()
}

fn standard() -> Game {
    kalah(6, 4)
}

/// Returns the board after a move of the definition.
fn after(game: Game, board: &str, cell: u32) -> String {
    let board = Board::read(game, board).unwrap();
    let pit = cell - board.first_pit(board.to_move()) as u32;
    play(&board, pit).unwrap().to_string()
}

#[test]
fn moves_from_the_start() {
    let start = "4 4 4 4 4 4 0 | 4 4 4 4 4 4 0 top";
    assert_eq!(after(standard(), start, 7), "4 4 4 4 4 4 0 | 0 5 5 5 5 4 0 bottom");
    assert_eq!(after(standard(), start, 9), "4 4 4 4 4 4 0 | 4 4 0 5 5 5 1 top");
    assert_eq!(after(standard(), start, 12), "5 5 5 4 4 4 0 | 4 4 4 4 4 0 1 bottom");
}

#[test]
fn captures_and_laps() {
    let capture = "4 4 4 4 0 4 0 | 0 4 4 4 4 4 8 bottom";
    assert_eq!(after(standard(), capture, 0), "0 5 5 5 0 4 5 | 0 0 4 4 4 4 8 top");
    let none = "4 4 4 4 0 4 0 | 4 0 4 4 4 4 8 bottom";
    assert_eq!(after(standard(), none, 0), "0 5 5 5 1 4 0 | 4 0 4 4 4 4 8 top");
    assert_eq!(after(standard().with_empty_capture(true), none, 0), "0 5 5 5 0 4 1 | 4 0 4 4 4 4 8 top");
    let lap = "0 0 0 0 0 13 0 | 4 4 4 4 4 4 11 bottom";
    assert_eq!(after(standard(), lap, 5), "1 1 1 1 1 0 7 | 0 5 5 5 5 5 11 top");
}

#[test]
fn illegal_moves() {
    let board = Board::read(standard(), "0 4 4 4 4 4 4 | 4 4 4 4 4 4 0 bottom").unwrap();
    assert_eq!((play(&board, 0), play(&board, 6)), (Err(Illegal::Empty), Err(Illegal::NoPit)));
    let over = Board::read(standard(), "0 0 0 0 0 0 24 | 4 4 4 4 4 4 0 top").unwrap();
    assert_eq!(play(&over, 0), Err(Illegal::Over));
}

/// Leaves, finished boards up to that depth and all nodes from the start, for depths from 1: computed for the
/// specification by another program, not published.
const NODES: [(u64, u64, u64); 13] = [
    (6, 0, 7),
    (35, 0, 42),
    (185, 0, 227),
    (942, 0, 1_169),
    (4_690, 0, 5_859),
    (23_233, 0, 29_092),
    (114_430, 0, 143_522),
    (563_055, 0, 706_577),
    (2_763_490, 1, 3_470_067),
    (13_519_607, 32, 16_989_674),
    (65_870_758, 356, 82_860_432),
    (318_739_550, 2_961, 401_599_982),
    (1_531_396_786, 23_301, 1_932_996_768),
];

/// Leaves of the game with empty captures, and of the game with six stones, from the same program.
const LEAVES: [[u64; 10]; 2] = [
    [6, 35, 185, 942, 4_685, 23_169, 113_959, 559_885, 2_743_126, 13_394_138],
    [6, 35, 190, 1_056, 5_882, 32_243, 177_827, 962_153, 5_197_521, 27_673_819],
];

/// Value and cell of the best move for `Top`, from the same program.
const BEST: [(i32, u32); 12] =
    [(4, 9), (4, 9), (0, 9), (2, 10), (2, 9), (2, 12), (8, 12), (8, 9), (16, 12), (14, 12), (18, 9), (22, 9)];

#[test]
fn nodes_and_values_of_the_definition() {
    // The first finished boards occur at depth 9.
    for (depth, (nodes, best)) in (1..=throng_testing::amount(9, 10)).zip(NODES.into_iter().zip(BEST)) {
        for side in [Side::Top, Side::Bottom] {
            let found = minimax(&standard().start(side), depth);
            assert_eq!((found.leaves, found.finished, found.nodes), nodes, "depth {depth}");
            // The start is symmetric, so the values of the two players differ only in their sign.
            assert_eq!((found.value * side.sign(), found.pit.map(|pit| pit + 7)), (best.0, Some(best.1)));
        }
    }
}

/// The standard game in bytes, as a constant, so that shifts and divisions by it are fast.
const VARIANT: Variant = Variant { pits: 6, bits: 8, empty_capture: false, store_weight: 1 };

type Pits = (u64, u64);

/// Returns the positions after each legal move; none if the game is over.
fn after_moves((own, other): Pits) -> impl Iterator<Item = Pits> {
    let position = Position { own, other, score: 0 };
    let pits = if is_over(own, other) { 0 } else { u64::from(VARIANT.pits) };
    (0..pits).filter(move |&pit| is_legal(own, pit, VARIANT)).map(move |pit| {
        let next = make_move(&position, pit, VARIANT).position;
        (next.own, next.other)
    })
}

/// Returns the number of nonempty pits of a row.
fn filled(row: u64) -> u32 {
    // Adding 0x7f sets the highest bit of every byte that is not 0.
    ((row + 0x7f7f_7f7f_7f7f) & 0x8080_8080_8080).count_ones()
}

/// Number of boards and of finished boards at one depth.
type Counts = (u64, u64);

/// Counts the boards up to `counts.len() - 1` moves below a position, by depth.
fn count(pits: Pits, counts: &mut [Counts]) {
    let [here, below @ ..] = counts else { return };
    here.0 += 1;
    here.1 += u64::from(is_over(pits.0, pits.1));
    // A move empties one of the mover's pits and captures from at most one of the opponent's. With two nonempty pits on
    // both sides it cannot end the game, so the boards of the last move need not be computed.
    if let [leaves] = below
        && filled(pits.0) >= 2
        && filled(pits.1) >= 2
    {
        leaves.0 += u64::from(filled(pits.0));
        return;
    }
    if !below.is_empty() {
        after_moves(pits).for_each(|next| count(next, below));
    }
}

/// The definition is too slow for depths above 10.
#[test]
fn leaves_and_finished_boards_of_deep_searches() {
    leaves_and_finished_boards_of(&NODES[..11]);
}

fn leaves_and_finished_boards_of(all: &[(u64, u64, u64)]) {
    /// Number of moves after which boards are distributed to threads.
    const SHARED: usize = 5;
    let start = standard().start(Side::Top).packed::<u64>(VARIANT);
    let mut counts = vec![(0, 0); all.len() + 1];
    count((start.own, start.other), &mut counts[..SHARED]);
    let mut level = vec![(start.own, start.other)];
    for _ in 0..SHARED {
        level = level.into_iter().flat_map(after_moves).collect();
    }
    let add = |mut sums: Vec<Counts>, counts: &[Counts]| {
        sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum = (sum.0 + count.0, sum.1 + count.1));
        sums
    };
    let none = || vec![(0, 0); all.len() + 1 - SHARED];
    let deep = level.par_iter().fold(none, |mut counts, &pits| {
        count(pits, &mut counts);
        counts
    });
    counts[SHARED..].copy_from_slice(&deep.reduce(none, |sums, counts| add(sums, &counts)));
    let (mut finished, mut nodes) = (0, 1);
    for (depth, expected) in (1..).zip(all) {
        let (leaves, over) = counts[depth];
        finished += over;
        nodes += leaves;
        assert_eq!((leaves, finished, nodes), *expected, "depth {depth}");
    }
}

/// The number of leaves is the number of nodes minus that of the search one move shallower.
#[test]
fn leaves_of_other_games() {
    for (game, leaves) in [standard().with_empty_capture(true), kalah(6, 6)].into_iter().zip(LEAVES) {
        let mut nodes = 1;
        for (depth, leaves) in (1..).zip(leaves) {
            let before = std::mem::replace(&mut nodes, unpruned::search_on_cpu(&game.start(Side::Top), depth).nodes);
            assert_eq!(nodes - before, leaves, "{game:?}, depth {depth}");
            if depth <= 6 {
                assert_eq!(minimax(&game.start(Side::Top), depth).leaves, leaves);
            }
        }
    }
}

fn the_unpruned_search_has_nodes_and_values(depths: usize) {
    for (depth, (_, _, nodes)) in (1..).zip(&NODES[..depths]) {
        let found = unpruned::search_on_cpu(&standard().start(Side::Top), depth);
        assert_eq!(found.nodes, *nodes, "depth {depth}");
        if let Some(&(value, cell)) = BEST.get(depth as usize - 1) {
            assert_eq!((found.value, found.pit), (value, Some(cell - 7)), "depth {depth}");
        }
    }
}

#[test]
fn the_unpruned_search_matches_the_first_rows_of_the_table() {
    the_unpruned_search_has_nodes_and_values(10);
}

/// Tests with billions of nodes.
mod exhaustive {
    use super::*;

    #[test]
    fn the_unpruned_search_matches_the_whole_table() {
        the_unpruned_search_has_nodes_and_values(NODES.len());
    }

    #[test]
    fn leaves_and_finished_boards_of_the_whole_table() {
        leaves_and_finished_boards_of(&NODES);
    }
}
