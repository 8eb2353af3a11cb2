//! Measures the speed of the exact solver, by default on one core.
//!
//! ```text
//! cargo run --release -p throng-games --no-default-features --example kalah_speed -- [PITSxSTONES[e] ...] \
//!     [stones=N] [memory=MIB] [threads=N] [table=FILE]
//! ```
//! Games are 6x3, 5x4, 6x3e and 5x4e by default; `e` selects the rule with empty captures. `stones` is the size of the
//! endgame base, whose time is reported separately.

use std::io::Write as _;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use throng_core::{Progress, three_figures};
use throng_games::kalah::{Endgames, Game, Side, SolveRequest, solve};

/// Prints notes and, at most every ten seconds, the progress on standard error.
struct Lines(Mutex<Instant>);

impl Progress for Lines {
    fn note(&self, text: &str) {
        let _ = writeln!(std::io::stderr(), "{text}");
    }

    fn at(&self, done: u64, note: &str) {
        let mut last = self.0.lock().unwrap();
        if last.elapsed() >= Duration::from_secs(10) {
            *last = Instant::now();
            let _ = writeln!(std::io::stderr(), "{done}: {note}");
        }
    }
}

fn main() {
    let (mut games, mut stones, mut memory, mut threads, mut table) = (Vec::new(), 14, 256u64, 1, None);
    for argument in std::env::args().skip(1) {
        match argument.split_once('=') {
            Some(("stones", number)) => stones = number.parse().expect("a number of stones"),
            Some(("memory", number)) => memory = number.parse().expect("a number of MiB"),
            Some(("threads", number)) => threads = number.parse().expect("a number of threads"),
            Some(("table", file)) => table = Some(file.into()),
            _ => games.push(argument),
        }
    }
    if games.is_empty() {
        games = ["6x3", "5x4", "6x3e", "5x4e"].map(str::to_owned).to_vec();
    }
    let progress = Lines(Mutex::new(Instant::now()));
    let pool = throng_core::thread_pool(threads).expect("threads");
    for name in games {
        let (size, empty_capture) = name.strip_suffix('e').map_or((name.as_str(), false), |size| (size, true));
        let (pits, in_pit) = size.split_once('x').expect("PITSxSTONES");
        let game = Game::new(pits.parse().expect("pits"), in_pit.parse().expect("stones")).unwrap();
        let game = game.with_empty_capture(empty_capture);
        let began = Instant::now();
        let endgames = pool.install(|| Endgames::build(game, stones, &progress)).unwrap();
        let built = began.elapsed().as_secs_f64();
        let _ = writeln!(
            std::io::stdout(),
            "{name}: endgames of {} stones, {} positions, {} MiB, {built:.2} s, {} Mpositions/s",
            endgames.most_stones(),
            endgames.positions(),
            endgames.bytes() >> 20,
            three_figures(endgames.positions() as f64 / built / 1e6),
        );
        let request = SolveRequest {
            table_bytes: memory << 20,
            threads,
            endgames: Some(endgames),
            table_file: table.clone(),
            ..SolveRequest::new(game.start(Side::Top))
        };
        let solution = solve(&request, &progress).unwrap();
        let _ = writeln!(std::io::stdout(), "{}\n", solution.text());
    }
}
