//! Memory use of a tournament. All games stay in memory until the tables and the report are written.

use throng_core::{InputError, check_memory_within};

use super::games::{GamePlan, Played};
use crate::kalah::Board;
use crate::kalah::players::table_bytes;

/// Bytes for the names of a game in its record, and for its row in `games.csv`.
const TEXT: u64 = 300;

/// Checks that the first `games` games of a plan fit into the available memory.
///
/// # Errors
/// The estimated and the available memory.
pub(super) fn check(plan: &GamePlan<'_>, games: u64, threads: usize, available: Option<u64>) -> Result<(), InputError> {
    // Each thread plays one game at a time, between two players.
    let of_searches = 2 * threads as u64 * plan.players.iter().map(|&player| table_bytes(player)).max().unwrap_or(0);
    let needed = games.saturating_mul(bytes_of_game(plan)).saturating_add(of_searches);
    let remedy = "give fewer openings or players, or play the first games with --steps";
    check_memory_within(available, needed, "openings", format_args!("{games} games"), remedy)
}

/// Returns an upper estimate of the bytes per game: a game has fewer moves than stones, about 40 with 48 stones and 50
/// with 72.
fn bytes_of_game(plan: &GamePlan<'_>) -> u64 {
    let stones = plan.openings.first().map_or(0, |opening| u64::from(opening.game().all_stones()));
    let of_move = size_of::<Board>() + size_of::<u8>();
    size_of::<(u64, Played)>() as u64 + stones * of_move as u64 + TEXT
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::kalah::players::{Effort, Player};
    use crate::kalah::{Game, Record, Side};

    #[test]
    fn tournaments_larger_than_the_memory_are_refused() {
        let openings = vec![Record::new(Game::new(6, 4).unwrap(), Side::Bottom); 10];
        let of = |players| GamePlan { players, openings: &openings, seed: 1 };
        let plan = of(&[Player::Random, Player::Greedy]);
        let needed = 1000 * bytes_of_game(&plan);
        assert!((1_000_000..3_000_000).contains(&needed), "{needed}");
        assert_eq!(check(&plan, 1000, 64, Some(needed)), Ok(()));
        assert_eq!(check(&plan, u64::MAX, 64, None), Ok(()));
        let error = check(&plan, 1001, 64, Some(needed)).unwrap_err();
        assert_eq!(error.kind(), throng_core::InputErrorKind::OutOfMemory);
        assert!(error.to_string().starts_with("openings: 1001 games take "), "{error}");
        assert!(error.to_string().contains(&format!("\n    {needed} bytes (")), "{error}");
        assert!(check(&plan, u64::MAX, 64, Some(needed)).is_err());
        // 64 MiB for each of two searches per thread.
        let players = [Player::Random, Player::AlphaBeta(Effort::Time(Duration::from_secs(1)))];
        let timed = of(&players);
        assert_eq!(check(&timed, 1, 4, Some(513 << 20)), Ok(()));
        assert!(check(&timed, 1, 4, Some(512 << 20)).is_err());
    }
}
