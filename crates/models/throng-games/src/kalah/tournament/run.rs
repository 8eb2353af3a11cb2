//! A run of a tournament, from settings to a run folder.

use std::sync::Arc;
use std::time::Instant;

use serde_json::json;
use throng_core::{InputError, Progress, StateHash, Warnings};
use throng_model::scenario_file::{scenario_toml, settings_of};
use throng_model::threads::{check_threads, cpu_label};
use throng_model::{Done, Failure, Figure, Loaded, Measured, Output, Quantity, Run, RunRequest, Scenario, Simulated};
use throng_output::IfNotEmpty;

use super::games::{GamePlan, Played, add_to_hash};
use super::memory;
use super::model::NAME;
use super::openings::{Openings, openings};
use super::report::report;
use super::scores::Scores;
use super::settings::{Checked, Settings};
use super::tables;
use crate::kalah::players::Player;

/// A tournament ready to be played.
#[derive(Debug, Clone)]
pub struct Tournament {
    settings: Settings,
    players: Vec<Player>,
    openings: Openings,
    threads: usize,
}

/// The results of a tournament.
#[derive(Debug, Clone, PartialEq)]
pub struct Results {
    /// The players, in the order of the scenario.
    pub players: Vec<Player>,
    /// All games, in order.
    pub games: Vec<Played>,
    /// The standings of the players and the results of each pair.
    pub scores: Arc<Scores>,
    /// Hash of the players, moves and results of all games.
    pub hash: u64,
}

/// Plays a tournament and writes all results to the run folder.
///
/// # Errors
/// See [`Failure`].
pub fn run(tournament: Tournament, request: &RunRequest, progress: &dyn Progress) -> Result<Done<Results>, Failure> {
    throng_model::run(tournament, request, progress)
}

impl Tournament {
    /// Creates a tournament with these settings on `threads` threads.
    ///
    /// # Errors
    /// Lists all invalid settings.
    pub fn new(settings: Settings, threads: usize) -> Result<Self, InputError> {
        Self::of_checked(settings.check()?, threads)
    }

    pub(super) fn of_checked(checked: Checked, threads: usize) -> Result<Self, InputError> {
        let Checked { settings, game, players, place_of_opening_moves } = checked;
        let Settings { seed, openings: count, opening_moves, .. } = settings;
        let openings = openings(game, seed, count, opening_moves).ok_or_else(|| {
            let message = format!("the game is over before {opening_moves} random moves");
            InputError::one(place_of_opening_moves, message, "give fewer moves, or a larger board")
        })?;
        Ok(Self { settings, players, openings, threads })
    }

    fn plan(&self) -> GamePlan<'_> {
        GamePlan { players: &self.players, openings: &self.openings.records, seed: self.settings.seed }
    }
}

impl Scenario for Tournament {
    // The scenario file is the only input.
    type Loaded = Self;

    fn model(&self) -> &'static str {
        NAME
    }

    fn seed(&self) -> i64 {
        self.settings.seed
    }

    fn warnings(&self) -> Warnings {
        let mut warnings = Warnings::new();
        for player in self.players.iter().filter(|player| player.is_timed()) {
            let kind = "players with a time limit; their moves, and so the results, depend on the machine and its load";
            warnings.add(kind, || player.to_string());
        }
        let repeated = u64::from(self.openings.repeated);
        let note = "games of deterministic players repeat, and intervals are too narrow; give more opening_moves";
        warnings.add_noted(repeated, "openings that lead to the board of another one", note);
        warnings
    }

    fn effective(&self) -> Result<String, Failure> {
        scenario_toml(NAME, &self.settings)
    }

    fn output(&self) -> Output {
        let Settings { folder, overwrite, .. } = &self.settings;
        let (folder, if_not_empty) = (folder.clone(), IfNotEmpty::of_flag(*overwrite));
        Output { folder, if_not_empty, names: tables::NAMES.to_vec(), ..Output::default() }
    }

    fn threads(&self) -> usize {
        self.threads
    }

    fn check_inputs(&self) -> Result<(), Failure> {
        Ok(check_threads(self.threads)?)
    }

    fn load(self, _: &mut Warnings, _: &dyn Progress) -> Result<Self, Failure> {
        Ok(self)
    }
}

impl Loaded for Tournament {
    type Results = Results;

    fn suits_cpu(&self) -> Option<String> {
        Some("players search on it".to_owned())
    }

    fn executor(&self, device: Option<&str>, threads: usize) -> String {
        let threads = cpu_label(threads);
        device.map_or_else(|| threads.clone(), |device| format!("{threads}; players do not search on {device}"))
    }

    fn simulate(self, run: &mut Run<'_>) -> Result<Simulated<Results>, Failure> {
        let (plan, progress) = (self.plan(), run.progress);
        let games = run.request.steps.map_or(plan.games(), |steps| steps.min(plan.games()));
        memory::check(&plan, games, self.threads, throng_core::available_memory())?;
        progress.begin("playing", Some(games), "games");
        let began = Instant::now();
        let played = plan.play_all(games, self.threads, progress)?;
        let simulation_s = began.elapsed().as_secs_f64();
        progress.end();
        run.timings.end("playing");
        let mut hash = StateHash::new();
        for (number, game) in (1..).zip(&played) {
            add_to_hash(&mut hash, game);
            let every = run.request.hash_every;
            if let Some(log) = run.hashes.as_mut().filter(|_| number % every == 0) {
                log.line(number, hash.finish())?;
            }
        }
        let scores = Arc::new(Scores::new(self.players.len(), &played));
        let results = Results { players: self.players, games: played, scores, hash: hash.finish() };
        let files = tables::write(run.folder, &results)?;
        run.timings.end("writing tables and records");
        Ok(Simulated {
            lines: lines(&results, simulation_s),
            numbers: numbers(&results),
            measured: measured(&results),
            settings: settings_of(&self.settings),
            files,
            last: Vec::new(),
            simulation_s,
            report: Some(report(&self.settings, &results, simulation_s)),
            ..Simulated::new(results)
        })
    }
}

fn lines(results: &Results, simulation_s: f64) -> Vec<(&'static str, String)> {
    let Results { players, games, scores, hash } = results;
    let mut lines = vec![("played", format!("{} games in {simulation_s:.2} s", games.len()))];
    for (place, standing) in (1..).zip(&scores.standings) {
        let (name, all) = (players[standing.player].to_string(), &standing.all);
        lines.push((
            if place == 1 { "players" } else { "" },
            format!("{place}. {name:<18} {} of {} points", all.total(), all.games()),
        ));
    }
    lines.push(("state hash", format!("{hash:016x} after game {}", games.len())));
    lines
}

/// Returns the measured values for tables of many tournaments; those of players are in the order of the scenario.
fn measured(results: &Results) -> Measured {
    let Results { players, games, scores, hash } = results;
    let mut figures = vec![
        Figure::new(Quantity::count("games", "games", "games played"), games.len() as f64),
        Figure::new(
            Quantity::real(
                "first_mover_points",
                "points of first movers",
                "",
                "of those who moved first after openings",
            ),
            scores.first_mover.total(),
        ),
    ];
    let mut standings: Vec<_> = scores.standings.iter().collect();
    standings.sort_by_key(|standing| standing.player);
    for standing in standings {
        let (player, share) = (players[standing.player].to_string(), standing.all.share());
        let of_player = |quantity: Quantity, value: f64| {
            Figure::new(Quantity { name: format!("{} of {player}", quantity.name).into(), ..quantity }, value)
        };
        figures.extend([
            of_player(Quantity::real("points", "", "", "1 for a win, 1/2 for a draw"), standing.all.total()),
            of_player(Quantity::fraction("share", "", "points per game"), share.mean),
            of_player(
                Quantity::fraction("share error", "", "half the 95 % interval of the share"),
                (share.high - share.low) / 2.0,
            ),
        ]);
    }
    Measured { hash: Some(*hash), figures, ..Measured::default() }
}

fn numbers(results: &Results) -> serde_json::Value {
    let Results { players, games, scores, hash } = results;
    let standing = |standing: &super::Standing| {
        json!({
            "player": players[standing.player].to_string(),
            "games": standing.all.games(),
            "points": standing.all.total(),
        })
    };
    json!({
        "games": games.len(),
        "standings": scores.standings.iter().map(standing).collect::<Vec<_>>(),
        "first_mover_points": scores.first_mover.total(),
        "hash": format!("{hash:016x}"),
    })
}
