//! Random openings.

use std::collections::BTreeSet;

use throng_core::Philox;

use crate::kalah::players::legal_pits;
use crate::kalah::{Game, Record, Side};

/// Distinguishes the draws of openings from those of random players.
const MOVE_OF_OPENING: u32 = 2;

/// Maximum number of attempts to draw a new opening that does not end the game.
const ATTEMPTS: u32 = 20;
/// Maximum number of attempts for the first opening, which every tournament needs.
const ATTEMPTS_FOR_FIRST: u32 = 10_000;

/// The openings of a tournament.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Openings {
    /// The openings, as games without further moves.
    pub records: Vec<Record>,
    /// Number of openings that lead to the same board as an earlier one.
    pub repeated: u32,
}

/// Draws `count` openings of `moves` random moves each. If no new opening is found, an earlier one is repeated. Returns
/// `None` if the game ended early in all attempts for the first opening.
pub(super) fn openings(game: Game, seed: i64, count: u32, moves: u32) -> Option<Openings> {
    let draws = Philox::new(seed as u64);
    let mut seen = BTreeSet::new();
    let mut openings = Openings { records: Vec::new(), repeated: 0 };
    for number in 0..count {
        let mut found = None;
        let attempts = if number == 0 { ATTEMPTS_FOR_FIRST } else { ATTEMPTS };
        for attempt in 0..attempts {
            let Some(record) = opening(game, draws, moves, [number, attempt]) else { continue };
            let is_new = seen.insert(record.board().to_string());
            found = Some((record, is_new));
            if is_new {
                break;
            }
        }
        let earlier = || Some((openings.records.get(number as usize / 2)?.clone(), false));
        let (record, is_new) = found.or_else(earlier)?;
        openings.repeated += u32::from(!is_new);
        openings.records.push(record);
    }
    Some(openings)
}

fn opening(game: Game, draws: Philox, moves: u32, [number, attempt]: [u32; 2]) -> Option<Record> {
    let mut record = Record::new(game, Side::Bottom);
    for ply in 0..moves {
        let legal = legal_pits(record.board());
        let last = (legal.len() as u32).checked_sub(1)?;
        let drawn = draws.below(last + 1, number, ply, MOVE_OF_OPENING, attempt);
        record.play(legal[drawn as usize]).ok()?;
    }
    record.end_opening();
    (!record.board().is_over()).then_some(record)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openings_differ_if_enough_exist() {
        let game = Game::new(6, 4).unwrap();
        let all = openings(game, 7, 100, 4).unwrap();
        assert_eq!((all.records.len(), all.repeated), (100, 0));
        assert!(all.records.iter().all(|record| record.opening_moves() == 4 && record.cells().len() == 4));
        assert_eq!(openings(game, 7, 10, 4).unwrap().records, all.records[..10]);
        assert_ne!(openings(game, 8, 100, 4), Some(all));
        // There are six first moves, and a single board after no move.
        assert_eq!(openings(game, 7, 8, 1).unwrap().repeated, 2);
        assert_eq!(openings(game, 7, 3, 0).unwrap().repeated, 2);
    }

    #[test]
    fn openings_that_end_the_game_are_not_drawn() {
        assert_eq!(openings(Game::new(1, 1).unwrap(), 7, 1, 5), None);
    }

    /// With few stones, most games are over after eight moves.
    #[test]
    fn rare_openings_are_found_with_any_seed() {
        for seed in 0..20 {
            let found = openings(Game::new(2, 3).unwrap(), seed, 25, 8).unwrap();
            assert_eq!(found.records.len(), 25);
            assert!(found.records.iter().all(|record| record.opening_moves() == 8 && !record.board().is_over()));
        }
    }
}
