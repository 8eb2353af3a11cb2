//! Plays the games of a tournament in parallel.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use throng_core::{NoThread, Progress, StateHash, spawn_scoped, thread_pool};

use crate::kalah::players::{Player, Seat, Turn};
use crate::kalah::{Record, Side};

/// A finished game.
#[derive(Debug, Clone, PartialEq)]
pub struct Played {
    /// Index of its opening.
    pub opening: u32,
    /// Indices of the players of the lower and the upper row.
    pub players: [usize; 2],
    /// The moves, including those of the opening.
    pub record: Record,
    /// The work of these two players.
    pub work: [Work; 2],
}

/// The effort of a player.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Work {
    /// Number of moves chosen.
    pub moves: u64,
    /// Number of boards visited by its searches.
    pub nodes: u64,
    /// Wall-clock time in seconds.
    pub seconds: f64,
}

impl Work {
    /// Adds the work for other moves.
    pub fn add(&mut self, other: Self) {
        self.moves += other.moves;
        self.nodes += other.nodes;
        self.seconds += other.seconds;
    }
}

/// Determines the opening and the players of every game.
pub(super) struct GamePlan<'p> {
    pub players: &'p [Player],
    pub openings: &'p [Record],
    pub seed: i64,
}

impl GamePlan<'_> {
    /// Returns the number of games. They are ordered by opening, then by pair of players; each pair plays twice per
    /// opening.
    pub fn games(&self) -> u64 {
        let players = self.players.len() as u64;
        self.openings.len() as u64 * players * (players - 1)
    }

    /// Returns the index of the opening and the indices of the players of a game.
    fn of_game(&self, number: u64) -> (u32, [usize; 2]) {
        let count = self.players.len();
        let pairs: Vec<[usize; 2]> = (0..count).flat_map(|a| (a + 1..count).map(move |b| [a, b])).collect();
        let in_opening = 2 * pairs.len() as u64;
        let [a, b] = pairs[(number % in_opening / 2) as usize];
        ((number / in_opening) as u32, if number.is_multiple_of(2) { [a, b] } else { [b, a] })
    }

    fn play(&self, number: u64) -> Played {
        let (opening, players) = self.of_game(number);
        let mut record = self.openings[opening as usize].clone();
        let names = players.map(|player| self.players[player].to_string());
        [record.heading.bottom, record.heading.top] = names;
        (record.heading.seed, record.heading.number) = (self.seed, number as u32 + 1);
        let mut seats = players.map(|player| {
            Seat::new(self.players[player], record.game(), self.seed, 1).expect("efforts of players are checked")
        });
        let mut work = [Work::default(); 2];
        while !record.board().is_over() {
            let side = usize::from(record.board().to_move() == Side::Top);
            let turn = Turn { game: record.heading.number, ply: record.cells().len() as u32 };
            let began = Instant::now();
            let choice = seats[side]
                .choose(record.board(), turn)
                .expect("the game continues, and efforts of players are checked");
            let (seconds, nodes) = (began.elapsed().as_secs_f64(), choice.search.map_or(0, |search| search.nodes));
            work[side].add(Work { moves: 1, nodes, seconds });
            record.play(choice.pit).expect("players choose legal moves");
        }
        Played { opening, players, record, work }
    }

    /// Plays the first `games` games on `threads` threads, one thread per game.
    ///
    /// # Errors
    /// If the system cannot start a thread.
    pub fn play_all(&self, games: u64, threads: usize, progress: &dyn Progress) -> Result<Vec<Played>, NoThread> {
        let (next, done) = (AtomicU64::new(0), AtomicU64::new(0));
        let played = Mutex::new(Vec::new());
        let work = || -> Result<(), NoThread> {
            // Searches run parallel loops. In a pool of several threads, a thread waiting for the end of its loop would
            // start another game, whose time would be added to the time of the waiting one.
            thread_pool(1)?.install(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= games {
                        return;
                    }
                    let game = self.play(number);
                    played.lock().unwrap_or_else(PoisonError::into_inner).push((number, game));
                    progress.at(done.fetch_add(1, Ordering::Relaxed) + 1, "");
                }
            });
            Ok(())
        };
        std::thread::scope(|scope| {
            let count = threads.min(games as usize).max(1);
            let started: Vec<_> = (0..count).map(|_| spawn_scoped(scope, "games", work)).collect();
            started.into_iter().try_for_each(|thread| match thread?.join() {
                Ok(result) => result,
                Err(panic) => std::panic::resume_unwind(panic),
            })
        })?;
        let mut played = played.into_inner().unwrap_or_else(PoisonError::into_inner);
        played.sort_by_key(|(number, _)| *number);
        Ok(played.into_iter().map(|(_, game)| game).collect())
    }
}

/// Adds the players, the moves and the result of a game to the hash of the tournament.
pub(super) fn add_to_hash(hash: &mut StateHash, game: &Played) {
    let margin = game.record.margin().unwrap_or_default();
    let players = game.players.map(|player| player as u64);
    let cells = game.record.cells().iter().map(|&cell| u64::from(cell));
    let values: Vec<u64> = players.into_iter().chain(cells).chain([i64::from(margin) as u64]).collect();
    hash.add(game.record.heading.number.into(), &values);
}
