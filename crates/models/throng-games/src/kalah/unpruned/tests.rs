//! Compares the CPU search with the definition, and devices with the CPU.

use super::search_on_cpu;
use crate::kalah::Game;
use crate::kalah::random_boards::boards;
use crate::kalah::reference::minimax;

fn kalah(pits: u32, stones: u32) -> Game {
    Game::new(pits, stones).unwrap()
}

#[test]
fn the_search_is_that_of_the_definition() {
    for game in [kalah(6, 4), kalah(6, 6).with_empty_capture(true), kalah(3, 2), kalah(1, 6), kalah(4, 5)] {
        for board in boards(game, 40) {
            for depth in 0..=5 {
                let expected = minimax(&board, depth);
                let found = search_on_cpu(&board, depth);
                assert_eq!((found.value, found.pit), (expected.value, expected.pit), "{board}, depth {depth}");
                assert_eq!(found.nodes, expected.nodes, "{board}, depth {depth}");
            }
        }
    }
}

#[cfg(feature = "gpu")]
#[test]
fn devices_find_the_same() {
    use super::{search_in_parts, search_on_device};
    use crate::kalah::Side;

    for device in throng_testing_devices::all_devices() {
        for game in [kalah(6, 4), kalah(3, 6).with_empty_capture(true)] {
            for board in boards(game, 6).chain([game.start(Side::Top)]) {
                for depth in [0, 2, 3, 4, 7] {
                    let expected = search_on_cpu(&board, depth);
                    let found = search_on_device(device, &board, depth).unwrap();
                    assert_eq!(found, expected, "{board}, depth {depth}");
                }
            }
        }
        let start = kalah(6, 4).start(Side::Bottom);
        // A limit of one position splits levels into single positions.
        for (depth, most) in [(6, 1), (9, 3000), (9, 1 << 27)] {
            let expected = search_on_cpu(&start, depth);
            let found = search_in_parts(device, &start, depth, most).unwrap();
            assert_eq!(found, expected, "levels of at most {most}");
        }
    }
}
