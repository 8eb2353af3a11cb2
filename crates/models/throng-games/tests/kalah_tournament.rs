//! Tests tournaments: equal results for any number of threads, records that can be replayed, problems with their
//! locations.

use std::path::Path;

use throng_core::{Change, NoProgress};
use throng_games::kalah::Record;
use throng_games::kalah::tournament::{KalahModel, Results, Settings, Tournament, run};
use throng_model::sweep::{Sweep, SweepRequest};
use throng_model::{Done, Model as _, RunRequest, Scenario as _, ScenarioRequest};

fn settings(folder: &Path) -> Settings {
    let players = ["random", "greedy", "minimax:3", "alpha-beta:4"].map(str::to_owned).to_vec();
    Settings { players, openings: 6, folder: folder.to_owned(), ..Settings::default() }
}

fn played(settings: Settings, threads: usize, request: &RunRequest) -> Done<Results> {
    run(Tournament::new(settings, threads).unwrap(), request, &NoProgress).unwrap()
}

fn read(folder: &Path, name: &str) -> String {
    std::fs::read_to_string(folder.join(name)).unwrap()
}

#[test]
fn results_do_not_depend_on_threads() {
    let dir = tempfile::tempdir().unwrap();
    let request = RunRequest { hash_every: 24, ..RunRequest::default() };
    let [one, three] = [1, 3].map(|threads| {
        let folder = dir.path().join(threads.to_string());
        (played(settings(&folder), threads, &request), folder)
    });
    assert_eq!((one.0.results.hash, one.0.results.games.len()), (three.0.results.hash, 72));
    for name in ["games.csv", "cross_table.csv", "games.txt", "state_hashes.txt"] {
        assert_eq!(read(&one.1, name), read(&three.1, name), "{name}");
    }
    assert_eq!(read(&one.1, "state_hashes.txt").lines().count(), 1 + 3);
    let other = Settings { seed: 2, ..settings(&dir.path().join("other")) };
    assert_ne!(played(other, 2, &request).results.hash, one.0.results.hash);
}

#[test]
fn records_can_be_replayed_and_tables_agree_with_them() {
    let dir = tempfile::tempdir().unwrap();
    let Done { results, folder, .. } = played(settings(&dir.path().join("a")), 2, &RunRequest::default());
    let records = Record::read_all(&read(&folder, "games.txt"), "games.txt").unwrap();
    let games: Vec<Record> = results.games.iter().map(|game| game.record.clone()).collect();
    assert_eq!(records, games);
    for (row, record) in read(&folder, "games.csv").lines().skip(1).zip(&records) {
        let cells: Vec<&str> = row.split(';').collect();
        assert_eq!([cells[2], cells[3]], [record.heading.bottom.as_str(), record.heading.top.as_str()]);
        let margin: i32 = cells[7].parse::<i32>().unwrap() - cells[6].parse::<i32>().unwrap();
        assert_eq!(Some(margin), record.margin());
    }
    // Both games of an opening begin with the same moves, with exchanged rows.
    for pair in results.games.chunks(2) {
        assert_eq!(pair[0].players, [pair[1].players[1], pair[1].players[0]]);
        assert_eq!(pair[0].record.cells()[..4], pair[1].record.cells()[..4]);
    }
    let points: f64 = results.scores.standings.iter().map(|standing| standing.all.total()).sum();
    assert_eq!(points, 72.0, "a point in each game");
    assert_eq!(results.scores.standings.last().unwrap().player, 0, "the random player loses");
    let first = &results.scores.first_mover;
    assert_eq!((first.games(), first.points.len()), (72, 6));
    let report = read(&folder, "report.html");
    for part in ["Cross table", "Margins", "Nodes per second", "Advantage of the first move", "load games.txt 7"] {
        assert!(report.contains(part), "{part}");
    }
    // Names in the cross table never wrap, for any number of columns.
    assert!(report.contains("<td class=\"n\">alpha-beta:4</td>"), "{report}");
    assert_eq!(read(&folder, "games.txt"), Record::write_all(&games), "streamed, but the same text");
}

/// The width of Wilson's interval for `n` observations of mean `m` is 2 z sqrt(m (1 - m) / n + z^2 / 4n^2) / (1 + z^2 /
/// n).
#[test]
fn a_sweep_gets_the_points_of_each_player() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("scenario.toml");
    std::fs::write(&file, "model = \"kalah\"\nplayers = [\"greedy\", \"minimax:2\"]\nopenings = 6\n").unwrap();
    let request = SweepRequest {
        scenario: ScenarioRequest { file: Some(file.into()), ..ScenarioRequest::default() },
        vary: vec!["stones=3,4".to_owned()],
        latin_hypercube: None,
        design: None,
        seeds: 1,
        min_seeds: None,
        until: Vec::new(),
        collect: Vec::new(),
        jobs: Some(1),
        folder: dir.path().join("sweep"),
        retry_failed: false,
        run: RunRequest::default(),
    };
    Sweep::prepare(&KalahModel, &request, &NoProgress).unwrap().run(&NoProgress).unwrap();
    let table = read(&dir.path().join("sweep"), "runs.csv");
    let rows: Vec<Vec<&str>> = table.lines().map(|line| line.split(';').collect()).collect();
    let column = |row: usize, name: &str| -> f64 {
        let column = rows[0].iter().position(|&heading| heading == name);
        rows[row][column.unwrap_or_else(|| panic!("{name}: {table}"))].parse().unwrap()
    };
    for (row, stones) in [(1, 3), (2, 4)] {
        let players = ["greedy", "minimax:2"].map(str::to_owned).to_vec();
        let folder = dir.path().join(format!("run {stones}"));
        let settings = Settings { players, openings: 6, stones, folder, ..Settings::default() };
        let done = played(settings, 1, &RunRequest::default());
        for player in 0..2 {
            let name = ["greedy", "minimax:2"][player];
            let games = done.results.games.iter();
            let points: f64 = games
                .map(|game| {
                    let sign = if game.players[1] == player { 1 } else { -1 };
                    f64::from(1 + (sign * game.record.margin().unwrap()).signum()) / 2.0
                })
                .sum();
            assert_eq!(column(row, &format!("points of {name}")), points, "{table}");
            let (m, n, z) = (points / 12.0, 6.0, 1.959_964);
            assert!((column(row, &format!("share of {name}")) - m).abs() < 1e-12, "{table}");
            let half = z * (m * (1.0 - m) / n + z * z / (4.0 * n * n)).sqrt() / (1.0 + z * z / n);
            assert!((column(row, &format!("share error of {name}")) - half).abs() < 1e-9, "{half}: {table}");
        }
        assert_eq!((column(row, "games"), rows[0].len()), (12.0, rows[row].len()));
        assert!(table.contains(&format!("{:016x}", done.results.hash)) && column(row, "first_mover_points") > 0.0);
    }
}

#[test]
fn a_tournament_can_be_cut_short() {
    let dir = tempfile::tempdir().unwrap();
    let request = RunRequest { steps: Some(5), ..RunRequest::default() };
    let short = played(settings(&dir.path().join("short")), 2, &request).results;
    let whole = played(settings(&dir.path().join("whole")), 2, &RunRequest::default()).results;
    assert_eq!(short.games.len(), 5);
    let moves = |results: &Results| results.games[..5].iter().map(|game| game.record.clone()).collect::<Vec<_>>();
    assert_eq!(moves(&short), moves(&whole));
    assert_eq!(short.scores.pairings[1][2].as_ref().unwrap().games(), 0, "a pair without games");
}

fn request(text: &str, changes: &[&str]) -> (tempfile::TempDir, ScenarioRequest) {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("scenario.toml");
    std::fs::write(&file, text).unwrap();
    let changes = changes.iter().map(|change| Change::typed(*change)).collect();
    let request = ScenarioRequest { file: Some(file.into()), changes, ..ScenarioRequest::default() };
    (dir, request)
}

#[test]
fn all_problems_of_a_scenario_are_reported_together() {
    let text = "model = \"kalah\"
pits = 7
stones = \"four\"
players = [\"greedy\", \"minimax\", \"greedy\"]
opening = 3
openings = 0
seed = 1.5
";
    let (dir, request) = request(text, &["opening_moves=41"]);
    let error = KalahModel.scenario(&request).err().unwrap().text();
    let error = error.replace(&format!("{}/", dir.path().display()), "");
    for expected in [
        "scenario.toml:2: pits: 7\n    give a whole number from 1 to 6",
        "scenario.toml:3: stones: invalid type: string \"four\"\n    expected a whole number from 0 to 4294967295",
        "scenario.toml:4: players, entry 2: no player \"minimax\"\n    give a depth from 1 to 12, such as minimax:4",
        "scenario.toml:4: players, entry 3: greedy is listed twice\n    give each player once",
        "scenario.toml:5: unknown key \"opening\"\n    did you mean \"openings\"?",
        "scenario.toml:6: openings: 0\n    give a whole number from 1 to 10000",
        "scenario.toml:7: seed: invalid type: floating point `1.5`",
        "--set opening_moves=41: opening_moves: 41\n    give a whole number from 0 to 40",
    ] {
        assert!(error.contains(expected), "{expected}\n---\n{error}");
    }
    assert!(error.starts_with("error: 8 problems\n"), "{error}");
}

#[test]
fn openings_that_end_the_game_are_refused() {
    let text = "model = \"kalah\"\npits = 1\nstones = 1\n";
    for (text, changes, expected) in [
        (text.to_owned(), &[][..], "opening_moves: the game is over before 4 random moves"),
        (format!("{text}opening_moves = 5"), &[], "scenario.toml:4: opening_moves: the game is over before 5 random"),
        (text.to_owned(), &["opening_moves=5"], "--set opening_moves=5: opening_moves: the game is over before 5"),
        (format!("{text}players = [\"random\"]"), &[], "scenario.toml:4: players: 1 player\n    give 2 to 16 players"),
    ] {
        let (_dir, request) = request(&text, changes);
        let error = KalahModel.scenario(&request).err().unwrap().text();
        assert!(error.contains(expected), "{expected}\n{error}");
    }
}

#[test]
fn template_and_effective_settings_are_scenarios() {
    let (_dir, asked) = request(&KalahModel.template(), &["openings=3", "players=[\"random\", \"alpha-beta:0.5s\"]"]);
    let effective = KalahModel.scenario(&asked).unwrap().effective().unwrap();
    assert!(effective.contains("openings = 3\n") && effective.contains("\"alpha-beta:0.5s\""), "{effective}");
    let (_dir, again) = request(&effective, &[]);
    assert_eq!(KalahModel.scenario(&again).unwrap().effective().unwrap(), effective);
    let of_pits = "Pits per player.\n      a whole number from 1 to 6; default 6\n";
    assert!(KalahModel.schema().contains(of_pits), "{}", KalahModel.schema());
}

#[test]
fn time_limits_and_repeated_openings_cause_warnings() {
    let players = ["random", "alpha-beta:0.5s"].map(str::to_owned).to_vec();
    let settings = Settings { players, opening_moves: 0, openings: 3, ..Settings::default() };
    let lines: Vec<String> = Tournament::new(settings, 1).unwrap().warnings().lines().collect();
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(lines.iter().any(|line| line.contains("depend on the machine") && line.contains("alpha-beta:0.5s")));
    assert!(Tournament::new(Settings::default(), 1).unwrap().warnings().lines().next().is_none());
}
