//! The scenario file of a tournament.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use throng_core::{Change, InputError, Problems};
use throng_model::scenario_file::{At, MODEL_KEY, ScenarioFile, Source, Texts, root_keys};

use super::model::NAME;
use crate::kalah::Game;
use crate::kalah::game::MAX;
use crate::kalah::players::Player;

const MAX_OPENINGS: u32 = 10_000;
const MAX_OPENING_MOVES: u32 = 40;

/// The keys of a scenario file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(default)]
pub struct Settings {
    /// Seed of openings and of random players.
    pub seed: i64,
    /// Pits per player.
    #[schemars(range(min = 1, max = MAX))]
    pub pits: u32,
    /// Stones in each pit at the start.
    #[schemars(range(min = 1, max = MAX))]
    pub stones: u32,
    /// Whether a last stone that falls into an empty pit of its player goes to the store even if the opposite pit is
    /// empty.
    pub empty_capture: bool,
    /// The players, 2 to 16, each once: random, greedy, minimax:N (N moves), alpha-beta:N, alpha-beta:Ts (T seconds per
    /// move).
    pub players: Vec<String>,
    /// Number of openings. Each pair of players plays each of them twice, with exchanged rows.
    #[schemars(range(min = 1, max = MAX_OPENINGS))]
    pub openings: u32,
    /// Number of random moves per opening.
    #[schemars(range(min = 0, max = MAX_OPENING_MOVES))]
    pub opening_moves: u32,
    /// The folder for the results; `--out` overrides it.
    pub folder: PathBuf,
    /// Whether the folder may contain anything other than an earlier run of the same scenario.
    pub overwrite: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            seed: 1,
            pits: 6,
            stones: 4,
            empty_capture: false,
            players: ["random", "greedy", "minimax:3", "minimax:6"].map(str::to_owned).to_vec(),
            openings: 25,
            opening_moves: 4,
            folder: PathBuf::from("output/kalah"),
            overwrite: false,
        }
    }
}

/// Valid settings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Checked {
    pub settings: Settings,
    pub game: Game,
    pub players: Vec<Player>,
    /// The location of the key `opening_moves`.
    pub place_of_opening_moves: String,
}

impl Settings {
    /// Reads a scenario file and applies changes to it.
    ///
    /// # Errors
    /// All faults of the file and the changes, in one report.
    pub(super) fn read(file: &ScenarioFile, changes: &[Change]) -> Result<Checked, InputError> {
        let mut problems = Problems::new();
        let texts = Texts::new(NAME, file, changes, &mut problems)?;
        let mut source = texts.tree(&mut problems);
        let model: Option<At<String>> = source.take(MODEL_KEY, &mut problems);
        if let Some(model) = model.filter(|model| model.value != NAME) {
            problems.push(model.place, format!("\"{}\"", model.value), format!("expected \"{NAME}\""));
        }
        let mut keys = Keys { source, places: Vec::new(), problems: &mut problems };
        let default = Self::default();
        let settings = Self {
            seed: keys.take("seed", default.seed),
            pits: keys.take("pits", default.pits),
            stones: keys.take("stones", default.stones),
            empty_capture: keys.take("empty_capture", default.empty_capture),
            players: keys.take("players", default.players),
            openings: keys.take("openings", default.openings),
            opening_moves: keys.take("opening_moves", default.opening_moves),
            folder: keys.take("folder", default.folder),
            overwrite: keys.take("overwrite", default.overwrite),
        };
        let Keys { source, places, .. } = keys;
        source.finish(&root_keys::<Self>(), &mut problems);
        let place = |key: &str| {
            let written = places.iter().find(|(written, _)| *written == key);
            written.map_or_else(|| key.to_owned(), |(_, place)| place.clone())
        };
        let checked = settings.check_at(place, &mut problems);
        texts.locate(&mut problems);
        problems.into_result()?;
        checked.ok_or_else(|| InputError::one(texts.file(), "is not complete", "this is a bug, please report it"))
    }

    /// Checks the settings.
    pub(super) fn check(self) -> Result<Checked, InputError> {
        let mut problems = Problems::new();
        let checked = self.check_at(str::to_owned, &mut problems);
        problems.into_result()?;
        checked.ok_or_else(|| InputError::one(NAME, "is not complete", "this is a bug, please report it"))
    }

    /// Checks the settings. `place` returns the location of a key. `None` is returned only with problems.
    fn check_at(self, place: impl Fn(&str) -> String, problems: &mut Problems) -> Option<Checked> {
        let game = Game::new(self.pits, self.stones)
            .map_err(|error| problems.append(error.with_places(&place).0))
            .map(|game| game.with_empty_capture(self.empty_capture));
        for (key, number, range) in [
            ("openings", self.openings, 1..=MAX_OPENINGS),
            ("opening_moves", self.opening_moves, 0..=MAX_OPENING_MOVES),
        ] {
            if !range.contains(&number) {
                let remedy = format!("give a whole number from {} to {}", range.start(), range.end());
                problems.push(place(key), number.to_string(), remedy);
            }
        }
        let at = place("players");
        if !(2..=16).contains(&self.players.len()) {
            let message = match self.players.len() {
                1 => "1 player".to_owned(),
                number => format!("{number} players"),
            };
            problems.push(&at, message, "give 2 to 16 players");
        }
        let mut players = Vec::new();
        for (i, name) in self.players.iter().enumerate() {
            let at = format!("{at}, entry {}", i + 1);
            match Player::read(name, at.as_str()) {
                Ok(player) if players.contains(&player) => {
                    problems.push(at, format!("{player} is listed twice"), "give each player once");
                }
                Ok(player) => players.push(player),
                Err(InputError(wrong)) => problems.append(wrong),
            }
        }
        if self.folder.as_os_str().is_empty() {
            problems.push(place("folder"), "\"\"", "name a folder for the results");
        }
        let place_of_opening_moves = place("opening_moves");
        Some(Checked { game: game.ok()?, players, settings: self, place_of_opening_moves })
    }
}

/// The keys that were taken from a file, with their locations.
struct Keys<'t, 'p> {
    source: Source<'t>,
    places: Vec<(&'static str, String)>,
    problems: &'p mut Problems,
}

impl Keys<'_, '_> {
    /// Returns the value of a key, or the default if it is missing or malformed; the latter has been reported as a
    /// problem.
    fn take<T: DeserializeOwned>(&mut self, key: &'static str, default: T) -> T {
        let Some(At { value, place }) = self.source.take(key, self.problems) else { return default };
        self.places.push((key, place));
        value
    }
}
