//! The rules against hand-made boards, the definition against published counts, and the fast searches against the
//! definition.

use throng_core::Philox;
use throng_games::kalah::reference::{Illegal, evaluation, minimax, play};
use throng_games::kalah::rules::Position;
use throng_games::kalah::rules::sowing::{captured, moves_again, sowing, sown};
use throng_games::kalah::{Board, Game, Side, unpruned};

fn kalah(pits: u32, stones: u32) -> Game {
    Game::new(pits, stones).unwrap()
}

fn standard() -> Game {
    kalah(6, 4)
}

/// The board after a move of the definition.
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

/// Leaves, finished boards and all nodes from the start, for depths from 1 on: computed for the specification by another
/// program.
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

/// Leaves of the game with empty captures, and of that with six stones, likewise.
const LEAVES: [[u64; 10]; 2] = [
    [6, 35, 185, 942, 4_685, 23_169, 113_959, 559_885, 2_743_126, 13_394_138],
    [6, 35, 190, 1_056, 5_882, 32_243, 177_827, 962_153, 5_197_521, 27_673_819],
];

/// Value and cell of the best move for `Top`, likewise.
const BEST: [(i32, u32); 12] =
    [(4, 9), (4, 9), (0, 9), (2, 10), (2, 9), (2, 12), (8, 12), (8, 9), (16, 12), (14, 12), (18, 9), (22, 9)];

#[test]
fn nodes_and_values_of_the_definition() {
    // The first finished boards are met at depth 9.
    for (depth, (nodes, best)) in (1..=10).zip(NODES.into_iter().zip(BEST)) {
        for side in [Side::Top, Side::Bottom] {
            let found = minimax(&standard().start(side), depth);
            assert_eq!((found.leaves, found.finished, found.nodes), nodes, "depth {depth}");
            // The board is the same for both, but for the sign.
            assert_eq!((found.value * side.sign(), found.pit.map(|pit| pit + 7)), (best.0, Some(best.1)));
        }
    }
}

/// The boards of the last move are those by which a search has more nodes than the one before it.
#[test]
fn leaves_of_other_games() {
    for (game, leaves) in [standard().with_empty_capture(true), kalah(6, 6)].into_iter().zip(LEAVES) {
        let mut nodes = 1;
        for (depth, leaves) in (1..).zip(leaves) {
            let before = std::mem::replace(&mut nodes, unpruned::search(&game.start(Side::Top), depth).nodes);
            assert_eq!(nodes - before, leaves, "{game:?}, depth {depth}");
            if depth <= 6 {
                assert_eq!(minimax(&game.start(Side::Top), depth).leaves, leaves);
            }
        }
    }
}

#[test]
fn the_unpruned_search_has_nodes_and_values_of_the_table() {
    for (depth, (_, _, nodes)) in (1..).zip(NODES) {
        let found = unpruned::search(&standard().start(Side::Top), depth);
        assert_eq!(found.nodes, nodes, "depth {depth}");
        if let Some(&(value, cell)) = BEST.get(depth as usize - 1) {
            assert_eq!((found.value, found.pit), (value, Some(cell - 7)), "depth {depth}");
        }
    }
}

/// Boards that occur in random play, and others with the same stones.
fn boards(game: Game, count: u64) -> impl Iterator<Item = Board> {
    let cells = 2 * game.pits() + 2;
    (0..count).map(move |seed| {
        let draws = Philox::new(seed);
        let side = if draws.below(2, 0, 0, 0, 0) == 0 { Side::Bottom } else { Side::Top };
        let mut board = game.start(side);
        if seed % 4 == 0 {
            let mut stones = vec![0; cells as usize];
            // A few cells get most of the stones, so that some go round.
            let spread = 1 + draws.below(cells, 1, 0, 0, 0);
            for stone in 0..game.all_stones() {
                stones[(draws.below(spread, 2, stone, 0, 0) * 5 % cells) as usize] += 1;
            }
            board = Board::new(game, &stones, side).unwrap();
        } else {
            for ply in 0..draws.below(40, 3, 0, 0, 0) {
                let legal: Vec<Board> = (0..game.pits()).filter_map(|pit| play(&board, pit).ok()).collect();
                let Some(last) = legal.len().checked_sub(1) else { break };
                board = legal[draws.below(last as u32 + 1, 4, ply, 0, 0) as usize];
            }
        }
        board
    })
}

/// Games of all sizes and both rules.
fn games() -> impl Iterator<Item = Game> {
    let of_pits = |pits| (1..=6).map(move |stones| kalah(pits, stones));
    (1..=6).flat_map(of_pits).flat_map(|game| [game, game.with_empty_capture(true)])
}

#[test]
fn the_packed_rules_are_those_of_the_definition() {
    let mut moves = 0;
    for game in games() {
        let variant = game.wide(5);
        for board in boards(game, 200) {
            let position = board.packed::<u64>(variant);
            assert_eq!(position.score * board.to_move().sign(), evaluation(&board), "{board}");
            if board.is_over() {
                continue;
            }
            for pit in 0..game.pits() {
                let Ok(expected) = play(&board, pit) else { continue };
                let sowing = sowing(position.own, u64::from(pit), variant);
                let captured = captured(position.own, position.other, &sowing, variant);
                let mut found = sown(&position, &sowing, captured, variant);
                let again = moves_again(&sowing, variant);
                assert_eq!(again, expected.to_move() == board.to_move(), "{board}, {pit}");
                if !again {
                    found = Position { own: found.other, other: found.own, score: -found.score };
                }
                assert_eq!(found, expected.packed(variant), "{board}, {pit}");
                moves += 1;
            }
        }
    }
    assert!(moves > 20_000, "{moves}");
}

#[test]
fn the_unpruned_search_is_that_of_the_definition() {
    for game in [standard(), kalah(6, 6).with_empty_capture(true), kalah(3, 2), kalah(1, 6), kalah(4, 5)] {
        for board in boards(game, 40) {
            for depth in 0..=5 {
                let expected = minimax(&board, depth);
                let found = unpruned::search(&board, depth);
                assert_eq!((found.value, found.pit), (expected.value, expected.pit), "{board}, depth {depth}");
                assert_eq!(found.nodes, expected.nodes, "{board}, depth {depth}");
            }
        }
    }
}

#[cfg(feature = "gpu")]
#[test]
fn devices_find_the_same() {
    use throng_device::with_device;
    use throng_games::kalah::unpruned::{search_in_parts, search_on};

    for device in throng_testing::devices() {
        for game in [standard(), kalah(3, 6).with_empty_capture(true)] {
            for board in boards(game, 6).chain([game.start(Side::Top)]) {
                for depth in [0, 2, 3, 4, 7] {
                    let expected = unpruned::search(&board, depth);
                    let found = with_device!(device, |device| search_on(device, &board, depth)).unwrap();
                    assert_eq!(found, expected, "{board}, depth {depth}");
                }
            }
        }
        let start = standard().start(Side::Bottom);
        // A limit of one position divides levels down to single positions.
        for (depth, most) in [(6, 1), (9, 3000), (9, 1 << 27)] {
            let expected = unpruned::search(&start, depth);
            let found = with_device!(device, |device| search_in_parts(device, &start, depth, most)).unwrap();
            assert_eq!(found, expected, "levels of at most {most}");
        }
    }
}
