//! Scenarios that cannot be run: every problem has a location, a value and a remedy.

use tempfile::TempDir;
use throng_fields_model::{Change, Scenario};

use super::{SMALL, written};

fn problems(replaced: &[(&str, &str)], changes: &[&str]) -> String {
    let dir = TempDir::new().unwrap();
    let path = written(&dir, replaced);
    let changes: Vec<Change> = changes.iter().map(|change| Change::typed(*change)).collect();
    let error = Scenario::read(&path, &changes).unwrap_err().to_string();
    error.replace(&format!("{}/", dir.path().display()), "")
}

fn line_of(part: &str) -> usize {
    1 + SMALL[..SMALL.find(part).unwrap()].matches('\n').count()
}
#[test]
fn problems_have_line_value_and_remedy() {
    let line = |part: &str| line_of(part);
    for (from, to, expected) in [
        (
            "cell = 0.5",
            "cell = 0.7",
            format!("scenario.toml:{}: grid, size: 16 x 12\n    expected sizes", line("size = [16, 12]")),
        ),
        (
            "cell = 0.5",
            "cel = 0.5",
            format!(
                "scenario.toml:{}: grid: unknown key \"cel\"\n    did you mean \"cell\"? known: origin, size",
                line("cell = 0.5")
            ),
        ),
        (
            "points = [[6, 2], [6, 9]]",
            "points = [[6, 2], [6, 9]]\npresent = [[0, 4], [3, 5]]",
            format!(
                "scenario.toml:{}: walls 1, present: [3.0, 5.0] after [0.0, 4.0]\n    expected intervals in ascending order",
                1 + line("points = [[6, 2], [6, 9]]")
            ),
        ),
        ("[run]", "[runs]", "scenario.toml: [run] is missing\n    add it, with steps = 300".to_owned()),
        (
            "[flow]",
            "[flo]",
            format!("scenario.toml:{}: unknown key \"flo\"\n    did you mean \"flow\"?", line("[flow]")),
        ),
        (
            "form = \"linear\"",
            "form = \"conic\"",
            format!(
                "scenario.toml:{}: profiles \"home\", form: unknown value \"conic\"\n    known: linear, quadratic",
                line("form = \"linear\"")
            ),
        ),
        (
            "profile = \"home\"",
            "profile = \"hom\"",
            format!(
                "scenario.toml:{}: entities \"home\", profile: there is no profile \"hom\"\n    did you mean \"home\"? known: fear, home",
                line("profile = \"home\"")
            ),
        ),
        (
            "radius = 2\nprofile",
            "size = [1, 1]\nprofile",
            "entities \"fire\": radius is missing\n    shape = \"ring\" needs it".to_owned(),
        ),
        ("sigma = 1.5", "sigma = -1.5", "profiles \"fear\", sigma: -1.5\n    expected".to_owned()),
        (
            "radius = 1\n",
            "radius = 0\n",
            "goals 1: no cell\n    let it cover the centre of a cell; the map has x from".to_owned(),
        ),
        ("opening = 90", "opening = 400", "entities \"guard\", opening: 400\n    expected degrees".to_owned()),
        ("spread = 0.3", "spread = 1.3", "agents \"planners\", spread: 1.3\n    expected a fraction".to_owned()),
        ("danger = \"bad\"", "danger = \"evil\"", "there is no layer \"evil\"\n    known: good, bad".to_owned()),
        ("charge = -0.7", "charge = -70000", "run, layer \"bad\", entities, sum of all charges: 70002".to_owned()),
        (
            "[influence]\ndecay = 0.2",
            "",
            "strength: there is no influence\n    add [influence], with decay = 0.1".to_owned(),
        ),
        ("profile = \"home\"\n", "", "entities \"home\": profile is missing\n    shape = \"disc\" needs it".to_owned()),
        ("stamp = \"beam\"\n", "", "entities \"lamp\": stamp is missing\n    shape = \"stamp\" needs it".to_owned()),
        (
            "stamp = \"beam\"\n",
            "stamp = \"bean\"\nprofile = \"fear\"\n",
            "profile is given\n    shape = \"stamp\" has no profile".to_owned(),
        ),
        (
            "stamp = \"beam\"\n",
            "stamp = \"bean\"\n",
            "entities \"lamp\", stamp: there is no stamp \"bean\"\n    did you mean \"beam\"? known: beam, crater"
                .to_owned(),
        ),
        (
            "file = \"beam.npy\"\n",
            "",
            "stamps \"beam\": values is missing\n    a stamp without a file needs it".to_owned(),
        ),
        (
            "file = \"beam.npy\"",
            "file = \"bean.npy\"",
            format!(
                "bean.npy: cannot be read: No such file or directory (os error 2)\n    check file of scenario.toml:{}: \
                 stamps \"beam\"; its path is relative to the scenario file",
                line("[stamps.beam]")
            ),
        ),
        (
            "file = \"beam.npy\"",
            "file = \"\"",
            format!(
                "scenario.toml:{}: stamps \"beam\", file: \"\"\n    name the file of a stamp",
                line("file = \"beam.npy\"")
            ),
        ),
        (
            "map = \"walls.txt\"",
            "map = \"\"",
            format!("scenario.toml:{}: grid, map: \"\"\n    name the file of a map", line("map = \"walls.txt\"")),
        ),
        (
            "file = \"beam.npy\"",
            "file = \"walls.txt\"",
            "walls.txt, NPY, start: \"#......#\"\n    an NPY file begins with".to_owned(),
        ),
        ("side = 1.0", "side = 0", "stamps \"crater\", side: 0\n    expected".to_owned()),
        (
            "[-0.5, -1, -0.5, 0]]",
            "[-0.5, -1, -0.5]]",
            "stamps \"crater\", values, row 2: 3 values\n    the first row has 4".to_owned(),
        ),
        (
            "[diffusion.scent]",
            "[diffusion.smell]",
            "diffusion \"smell\": there is no layer \"smell\"\n    known: good, bad, scent".to_owned(),
        ),
        (
            "emits = { scent = 2 }",
            "emits = { bad = 2 }",
            "entities \"fox\", emits: \"bad\" does not diffuse\n    add [diffusion.bad]".to_owned(),
        ),
        (
            "emits = { scent = 2 }",
            "emits = { scent = 2 }\nlayers = [\"good\"]",
            "\"fox\": layers is given\n    an entity without a profile has no layers".to_owned(),
        ),
        (
            "layers = [\"good\"]\nemits",
            "layers = [\"scent\"]\nemits",
            "\"crater\", layers: \"scent\" diffuses\n    it has amounts and no fields of entities: write emits = "
                .to_owned(),
        ),
        (
            "emits = { scent = 2 }",
            "emits = { scent = 2e15 }",
            "diffusion \"scent\": 2.9e16 in the whole run".to_owned(),
        ),
        (
            "emits = { scent = 2 }",
            "emits = { scent = 2e15 }\n[[entities]]\nname = \"well\"\nat = [1, 1]\nemits = { scent = inf }",
            "entities \"well\", emits, scent: inf\n    expected a finite number".to_owned(),
        ),
        ("radius = 1\n", "radius = -3\n", "goals 1, radius: -3\n    expected a finite number, 0 or more".to_owned()),
        ("radius = 1\n", "radius = nan\n", "goals 1, radius: NaN\n    expected a finite".to_owned()),
        ("from = [1, 1]", "from = [nan, 1]", "\"planners\", start, from: [NaN, 1.0]\n    expected finite".to_owned()),
        (
            "from = [1, 1]",
            "from = [4, 1]",
            "\"planners\", start, to: [3.0, 11.0]\n    expected a corner with".to_owned(),
        ),
        (
            "path = [[5, 8]]",
            "path = [[5, 1e31]]",
            "\"fox\", path: [[5.0, 1e31]]\n    expected one or more points of finite numbers, at most 1e30".to_owned(),
        ),
        ("at = [4, 3]", "at = [4, inf]", "\"fox\", at: [4.0, inf]\n    expected finite numbers, at most".to_owned()),
        ("\nspeed = 1\n", "\nspeed = -1\n", "\"fox\", speed: -1\n    expected a number from 0 to 1e30".to_owned()),
        (
            "time_step = 0.5",
            "time_step = 1e-50",
            "run, time_step: 1e-50\n    expected a number from 1.2e-38 to 3.4e38".to_owned(),
        ),
        (
            "points = [[6, 2], [6, 9]]",
            "points = [[6, 2], [6, 9]]\nwidth = -1",
            "walls 1, width: -1\n    expected".to_owned(),
        ),
        ("points = [[6, 2], [6, 9]]", "points = [[6, 2], [6, 9]]\nwidth = nan", "walls 1, width: NaN".to_owned()),
        (
            "strength = 2",
            "strength = 3e38",
            "influence: a total strength of 3.0e38\n    expected at most 1e30".to_owned(),
        ),
        (
            "[influence]",
            "[[combine]]\noperation = \"add\"\nlayer = \"good\"\nweight = 3e37\n\n[influence]",
            format!("scenario.toml:{}: combine 1: values up to 1.1e38\n    expected at most 3e37", line("[influence]")),
        ),
        ("diffusivity = 0.5", "diffusivity = -0.5", "\"scent\", diffusivity: -0.5".to_owned()),
        (
            "diffusivity = 0.5",
            "diffusivity = 1e6",
            "diffusion \"scent\", before: 2.5, for the diffusion of \"scent\"\n    6e7 steps would be needed"
                .to_owned(),
        ),
        (
            "pixels_per_cell = 8",
            "legend = { blue = \"home\", brown = \"bears\" }",
            "output, legend: nothing is brown\n    name colours of agents and of marked entities".to_owned(),
        ),
        ("before = 2.5", "before = -1", "\"scent\", before: -1\n    expected a finite number, 0 or more".to_owned()),
        (
            "diffusivity = 0.5",
            "diffusivity = 1e30",
            "run, time_step: 0.5, for the diffusion of \"scent\"\n    1e31 steps would be needed".to_owned(),
        ),
        ("model = \"fields\"", "model = \"field\"", ": model: \"field\"\n    expected \"fields\"".to_owned()),
        ("[[goals]]\nat = [14, 6]\nradius = 1\n", "", "there are no goals\n    add [[goals]]".to_owned()),
        ("\"walls.txt\"", "\"wall.txt\"", "wall.txt: cannot be read".to_owned()),
        ("title = \"Small\"", "title = Small", "scenario.toml:3: ".to_owned()),
    ] {
        let found = problems(&[(from, to)], &[]);
        assert!(found.contains(&expected), "{to}:\n{found}\nexpected:\n{expected}");
    }
}

#[test]
fn out_of_range_time_steps_are_one_problem() {
    for (step, shown) in [("-1", "-1.0"), ("0", "0.0"), ("1e-300", "1e-300"), ("nan", "NaN"), ("1e39", "1e39")] {
        let found = problems(&[("time_step = 0.5", &format!("time_step = {step}"))], &[]);
        assert!(found.contains(&format!("run, time_step: {shown}\n    expected a number from 1.2e-38")), "{found}");
        assert_eq!(found.matches("\n    ").count(), 1, "{found}");
    }
    let found = problems(&[("time_step = 0.5", "time_step = 0.5\nstuck_after = 1e300")], &[]);
    assert!(found.contains("run, stuck_after: 1e300\n    expected a number"), "{found}");
}

#[test]
fn strengths_of_later_agents_are_included() {
    let team = "team = \"them\"\nstrength = 1e25\nspawn = { every = 0.0001 }\ncount = 10\n";
    let found = problems(&[("count = 10\n", team)], &[]);
    assert!(found.contains("influence: a total strength of 1.2e30\n    expected at most 1e30"), "{found}");
}

#[test]
fn scenarios_beyond_memory_are_refused_before_allocation() {
    // A machine with that much memory would accept it, but the test would take too long.
    if throng_core::available_memory().is_none_or(|bytes| bytes > 40 << 30) {
        println!("not tested: enough memory, or its amount is unknown");
        return;
    }
    let place = line_of("[grid]");
    let found = problems(&[("size = [16, 12]", "size = [23000, 23000]"), ("map = \"walls.txt\"", "")], &[]);
    assert!(
        found
            .contains(&format!("scenario.toml:{place}: grid: 46000 x 46000 cells take 211600000000 bytes (197.1 GiB)")),
        "{found}"
    );
    assert!(found.contains("are available: use larger cells"), "{found}");
    let found = problems(&[("count = 10\n", "count = 99000000\n"), ("trail_cells = 10", "trail_cells = 4000")], &[]);
    assert!(found.contains("agents \"seekers\", count: 99000000 agents, besides the map, take"), "{found}");
}

#[test]
fn sweeps_lengths_and_names_are_limited() {
    let title = format!("title = \"{}\"", "x".repeat(201));
    for (from, to, expected) in [
        (
            "decay = 0.2",
            "decay = 0.2\nsweeps = 10001",
            format!(
                "scenario.toml:{}: influence, sweeps: 10001\n    give a whole number from 0 to 10000",
                1 + line_of("decay = 0.2\n")
            ),
        ),
        // The map is 16 units wide.
        (
            "sigma = 1.5",
            "sigma = 1e30",
            "profiles \"fear\", sigma: 1000000000000000000000000000000\n    give at most 16000, 1000 times the longer"
                .to_owned(),
        ),
        (
            "radius = 2\nprofile",
            "radius = 16001\nprofile",
            "entities \"fire\", radius: 16001\n    give at most 16000".to_owned(),
        ),
        ("side = 1.0", "side = 1e5", "stamps \"crater\", side: 100000\n    give at most 16000".to_owned()),
        (
            "points = [[6, 2], [6, 9]]",
            "points = [[6, 2], [6, 9]]\nwidth = 20000",
            "walls 1, width: 20000\n    give at most 16000".to_owned(),
        ),
        ("title = \"Small\"", &title, "scenario.toml:3: title: 201 characters\n    give at most 200".to_owned()),
    ] {
        let found = problems(&[(from, to)], &[]);
        assert!(found.contains(&expected), "{to}:\n{found}\nexpected:\n{expected}");
    }
    let longest = format!("title={}", "x".repeat(200));
    let dir = TempDir::new().unwrap();
    Scenario::read(&written(&dir, &[]), &[Change::typed(longest), Change::typed("influence.sweeps=10000")]).unwrap();
}

#[test]
fn radii_of_goals_and_starts_are_limited() {
    for (from, to, expected) in [
        (
            "radius = 1\n",
            "radius = 16001\n",
            "goals 1, radius: 16001\n    give at most 16000, 1000 times the longer side",
        ),
        (
            "radius = 2 }",
            "radius = 1e30 }",
            "agents \"seekers\", start, radius: 1000000000000000000000000000000\n    give",
        ),
    ] {
        let found = problems(&[(from, to)], &[]);
        assert!(found.contains(expected), "{to}:\n{found}\nexpected:\n{expected}");
    }
    let dir = TempDir::new().unwrap();
    let most = [("radius = 1\n", "radius = 16000\n"), ("radius = 2 }", "radius = 16000 }")];
    Scenario::read(&written(&dir, &most), &[]).unwrap();
}

#[test]
fn unprintable_and_long_names_are_refused() {
    let long = "x".repeat(101);
    let (name, team, cut) = (line_of("name = \"home\""), line_of("team = \"us\""), "x".repeat(100));
    for (from, to, expected) in [
        (
            "name = \"home\"",
            format!("name = \"{long}\""),
            format!("scenario.toml:{name}: entities \"{cut}...\", name: 101 characters\n    give at most 100"),
        ),
        (
            "team = \"us\"",
            format!("team = \"{long}\""),
            format!("scenario.toml:{team}: entities \"home\", team: 101 characters\n    give at most 100"),
        ),
        (
            "name = \"home\"",
            r#"name = "a\nerror: b""#.to_owned(),
            r#"entities "a\u{a}error: b", name: "a\u{a}error: b""#.to_owned() + "\n    leave out control characters",
        ),
        (
            "team = \"us\"",
            r#"team = "\u001b[2J""#.to_owned(),
            r#"entities "home", team: "\u{1b}[2J""#.to_owned() + "\n    leave out control characters",
        ),
        (
            "name = \"planners\"",
            r#"name = "a\tb""#.to_owned(),
            r#"agents "a\u{9}b", name: "a\u{9}b""#.to_owned() + "\n    leave",
        ),
        ("title = \"Small\"", r#"title = "a\nb""#.to_owned(), r#"title: "a\u{a}b""#.to_owned() + "\n    leave"),
        (
            "shape = \"line\"",
            r#"shape = "line"
name = "a\nb""#
                .to_owned(),
            r#"walls "a\u{a}b": "a\u{a}b""#.to_owned() + "\n    leave",
        ),
        (
            "[profiles.home]",
            r#"[profiles."a\nb"]"#.to_owned(),
            r#"profiles "a\u{a}b": "a\u{a}b""#.to_owned() + "\n    leave",
        ),
        ("[flow]", r#"["a\nb"]"#.to_owned(), r#"unknown key "a\u{a}b""#.to_owned()),
        ("danger = \"bad\"", r#"danger = "a\nb""#.to_owned(), r#"there is no layer "a\u{a}b""#.to_owned()),
        ("profile = \"home\"", r#"profile = "a\nb""#.to_owned(), r#"there is no profile "a\u{a}b""#.to_owned()),
        ("colour = \"red\"", r#"colour = "a\nb""#.to_owned(), r#"unknown value "a\u{a}b""#.to_owned()),
    ] {
        let found = problems(&[(from, &to)], &[]);
        assert!(found.contains(&expected), "{to}:\n{found}\nexpected:\n{expected}");
        // The text consists of problems and remedies; no text of the file is on a separate line.
        let is_ours = |line: &str| line.starts_with("scenario.toml:") || line.starts_with("    ");
        assert!(found.lines().all(is_ours), "{found}");
    }
    let dir = TempDir::new().unwrap();
    let longest = format!("name = \"{}\"", "x".repeat(100));
    Scenario::read(&written(&dir, &[("name = \"home\"", &longest)]), &[]).unwrap();
}

#[test]
fn effective_scenarios_contain_the_changes() {
    let dir = TempDir::new().unwrap();
    let path = written(&dir, &[]);
    let changes = ["run.steps=3", "seed=-4", "agents.seekers.count=5", "title=A \"new\" title"].map(Change::typed);
    let text = Scenario::read(&path, &changes).map(|read| read.effective).unwrap();
    let again = dir.path().join("again.toml");
    std::fs::write(&again, &text).unwrap();
    let [changed, read] = [Scenario::read(&path, &changes).unwrap(), Scenario::read(&again, &[]).unwrap()];
    assert_eq!((read.steps(), read.seed(), read.title()), (3, -4, "A \"new\" title"));
    assert_eq!((read.agents(), read.entities()), (changed.agents(), changed.entities()));
    let error = Scenario::read(&path, &[Change::typed("run.stepps=3")]).unwrap_err().to_string();
    assert!(error.contains("did you mean \"steps\"?"), "{error}");
}

#[test]
fn problems_in_long_files_have_the_correct_line() {
    let comments = format!("# {}\n", "x".repeat(60)).repeat(20_000);
    let wall = "[[walls]]\nshape = \"disc\"\nat = [3, 3]\nradius = 1\n";
    let dir = TempDir::new().unwrap();
    let path = dir.path().join("scenario.toml");
    std::fs::write(&path, format!("{comments}{}[[walls]]\nshape = \"dot\"\n", wall.repeat(2_000))).unwrap();
    let error = Scenario::read(&path, &[]).unwrap_err().to_string();
    assert!(error.contains("scenario.toml:28002: "), "{error}");
}

#[test]
fn all_problems_are_reported_together() {
    let wrong = [
        ("cell = 0.5", "cell = -0.5"),
        ("charge = -2", "charge = \"much\""),
        ("decay = 0.2", "decay = -0.2"),
        ("colour = \"red\"", "colour = \"beige\""),
        ("shape = \"line\"", "shape = \"curve\""),
    ];
    let found = problems(&wrong, &["run.stepps=3", "nothing"]);
    // Errors in changes come first, and no others follow if the changes cannot be read.
    assert!(found.starts_with("--set: \"nothing\" has no value"), "{found}");
    let found = problems(&wrong, &["run.time_step=soon"]);
    for part in [
        "grid, cell: -0.5",
        "\"beige\"",
        "\"curve\"",
        "expected a number",
        "decay: -0.2",
        "--set run.time_step=soon: run, time_step: ",
    ] {
        assert!(found.contains(part), "{part}:\n{found}");
    }
}

#[test]
fn changes_replace_values_of_the_file() {
    let dir = TempDir::new().unwrap();
    let path = written(&dir, &[]);
    let read = |changes: &[&str]| {
        let changes: Vec<Change> = changes.iter().map(|change| Change::typed(*change)).collect();
        Scenario::read(&path, &changes)
    };
    let changes = [
        "run.steps=3",
        "run.steps=4",
        "agents.seekers.count=5",
        "agents.1.count=7",
        "title=A new title",
        "run.bits=12",
    ];
    let scenario = read(&changes).unwrap();
    assert_eq!((scenario.steps(), scenario.agents(), scenario.title()), (4, 12, "A new title"));
    for (change, expected) in [
        ("run.steps=-1", "--set run.steps=-1: run, steps: "),
        ("agents.planners.spread=1.3", "--set agents.planners.spread=1.3: agents \"planners\", spread: 1.3"),
        ("entities.home.profile=q", "--set entities.home.profile=q: entities \"home\", profile: there is no profile"),
        ("agents.planners.planner=x", "--set agents.planners.planner=x: agents \"planners\", planner: unknown value"),
        ("agents.nobody.count=5", "--set: agents.nobody.count: \"nobody\" is not an entry of agents"),
        ("agents.3.count=5", "give its number, from 1 to 2, or its name"),
        ("title.size=5", "\"title\" is not a table"),
        ("grid.sell=5", "--set grid.sell=5: grid: unknown key \"sell\""),
        ("colour=red", "--set colour=red: unknown key \"colour\""),
        ("output.frames_per_second=0", "--set output.frames_per_second=0: output, frames_per_second: 0\n"),
        ("agents.seekers.speed=-1", "--set agents.seekers.speed=-1: agents \"seekers\", speed: -1\n"),
    ] {
        let found = read(&[change]).unwrap_err().to_string();
        assert!(found.contains(expected), "{change}: {found}");
    }
    // A table that only changes give.
    let found = read(&["flows.slow.metric=manhattan", "flows.slow.order=first"]).unwrap_err().to_string();
    assert!(found.starts_with("--set flows.slow.order=first: flows \"slow\", order: \"first\"\n"), "{found}");
}

#[test]
fn maps_of_walls_are_checked() {
    let dir = TempDir::new().unwrap();
    let path = written(&dir, &[]);
    for (map, expected) in [
        ("#..\n.x.\n", "walls.txt:2, column 2: \"x\"\n    expected # for a wall"),
        ("#......\n", "walls.txt: 7 x 1 characters\n    the grid has 32 x 24 cells"),
        ("", "walls.txt: 0 x 0 characters"),
    ] {
        std::fs::write(dir.path().join("walls.txt"), map).unwrap();
        let found = Scenario::read(&path, &[]).unwrap_err().to_string();
        assert!(found.contains(expected), "{found}");
    }
}
