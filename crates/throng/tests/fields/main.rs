//! Scenarios of fields: what is wrong with a file, and whole runs on every number of threads and every device.

mod narrow;

use std::collections::BTreeSet;
use std::fs::File;
use std::path::{Path, PathBuf};

use tempfile::TempDir;
use throng::fields::files::npy;
use throng::fields::{Change, Done, Grid, Run, Scenario, Simulation, run};
use throng_core::NoProgress;
use throng_device::{DeviceChoice, inventory};

/// A small map with everything on it.
const SMALL: &str = r#"
model = "fields"
title = "Small"
layers = ["good", "bad", "scent"]

[grid]
size = [16, 12]
cell = 0.5
map = "walls.txt"

[run]
steps = 24
time_step = 0.5

[[walls]]
shape = "line"
points = [[6, 2], [6, 9]]

[profiles.home]
form = "linear"
radius = 30

[profiles.fear]
form = "gaussian"
sigma = 1.5
radius = 4

[stamps.beam]
side = 0.5
file = "beam.npy"

[stamps.crater]
side = 1.0
values = [[0, -0.5, 0, 0], [-0.5, -1, -0.5, 0]]

[diffusion.scent]
diffusivity = 0.5
decay = 0.1
before = 2.5

[[entities]]
name = "home"
at = [14, 6]
profile = "home"
layers = ["good"]
team = "us"
colour = "blue"

[[entities]]
name = "guard"
at = [9, 2]
shape = "cone"
opening = 90
profile = "fear"
charge = -2
layers = ["bad"]
path = [[9, 10], [11, 6]]
speed = 1.5
team = "them"
strength = 2

[[entities]]
name = "fire"
at = [10, 6]
shape = "ring"
radius = 2
profile = "fear"
charge = -0.7
layers = ["bad"]
colour = "red"

[[entities]]
name = "lamp"
at = [3, 9]
shape = "stamp"
stamp = "beam"
charge = -0.5
layers = ["good"]
path = [[8, 11], [3, 3]]
speed = 1.3

[[entities]]
name = "crater"
at = [12, 2]
shape = "stamp"
stamp = "crater"
heading = 30
layers = ["good"]
emits = { scent = -0.25 }

[[entities]]
name = "fox"
at = [4, 3]
emits = { scent = 2 }
path = [[5, 8]]
then = "back"
speed = 1

[[goals]]
at = [14, 6]
radius = 1

[[agents]]
name = "planners"
count = 20
start = { from = [1, 1], to = [3, 11] }
speed = 2
spread = 0.3
follow = "flow"

[[agents]]
name = "seekers"
count = 10
start = { at = [3, 6], radius = 2 }
speed = 2
follow = "neighbour"
noise = 0.01
trail_cells = 10
trail_charge = 0.1

[flow]
danger = "bad"
weight = 3

[influence]
decay = 0.2

[output]
pixels_per_cell = 8
agents_every = 6
"#;

/// Writes the small scenario, with parts of it replaced, and a map of its walls.
fn written(dir: &TempDir, replaced: &[(&str, &str)]) -> PathBuf {
    let mut text = SMALL.to_owned();
    for (from, to) in replaced {
        assert!(text.contains(from), "{from}");
        text = text.replacen(from, to, 1);
    }
    // Blocks of 4 x 4 cells, the upper row first.
    std::fs::write(dir.path().join("walls.txt"), "#......#\n........\n........\n....#...\n........\n#\n").unwrap();
    let beam = Grid::new([0.0, 0.0], 1.0, 3, 2).unwrap();
    npy::write_u8(&beam, &[0, 1, 3, 0, 1, 2], File::create(dir.path().join("beam.npy")).unwrap()).unwrap();
    saved(dir, &text)
}

/// Writes a scenario.
fn saved(dir: &TempDir, text: &str) -> PathBuf {
    let path = dir.path().join("scenario.toml");
    std::fs::write(&path, text).unwrap();
    path
}

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

fn run_small(out: &Path, threads: usize, device: DeviceChoice) -> Done {
    let dir = TempDir::new().unwrap();
    let scenario = Scenario::read(&written(&dir, &[]), &[]).unwrap();
    let folder = Some(out.to_owned());
    run(&Run { threads, device, folder, hash_every: 1, ..Run::new(scenario) }, &NoProgress).unwrap()
}

#[test]
fn problems_have_a_line_a_value_and_a_remedy() {
    let line = |part: &str| line_of(part);
    for (from, to, expected) in [
        (
            "cell = 0.5",
            "cell = 0.7",
            format!("scenario.toml:{}: grid, size: 16 x 12\n    expected are sizes", line("[grid]")),
        ),
        (
            "cell = 0.5",
            "cel = 0.5",
            format!("scenario.toml:{}: grid: unknown field `cel`\n    expected is one of `origin`", line("cell = 0.5")),
        ),
        ("[run]", "[runs]", "scenario.toml: [run] is missing\n    add it, with steps = 300".to_owned()),
        (
            "[flow]",
            "[flows]",
            format!("scenario.toml:{}: unknown key \"flows\"\n    known are model, title", line("[flow]")),
        ),
        (
            "form = \"linear\"",
            "form = \"conic\"",
            format!(
                "scenario.toml:{}: profiles \"home\": unknown variant `conic`\n    expected is one of `linear`",
                line("form = \"linear\"")
            ),
        ),
        (
            "profile = \"home\"",
            "profile = \"hom\"",
            format!(
                "scenario.toml:{}: entities \"home\", profile: there is no profile \"hom\"\n    known are fear, home",
                line("[[entities]]\nname = \"home\"")
            ),
        ),
        (
            "radius = 2\nprofile",
            "size = [1, 1]\nprofile",
            "entities \"fire\": radius is missing\n    shape = \"ring\" needs it".to_owned(),
        ),
        ("sigma = 1.5", "sigma = -1.5", "profiles \"fear\", profile, sigma: -1.5\n    expected is".to_owned()),
        ("radius = 1\n", "radius = 0\n", "goals 1: no open cell\n    let the goal cover".to_owned()),
        ("opening = 90", "opening = 400", "entities \"guard\", entity 0, cone, half angle: 3.49".to_owned()),
        ("spread = 0.3", "spread = 1.3", "agents \"planners\", spread: 1.3\n    expected is a share".to_owned()),
        ("danger = \"bad\"", "danger = \"evil\"", "there is no layer \"evil\"\n    layers are good, bad".to_owned()),
        ("charge = -0.7", "charge = -70000", "run, layer \"bad\", entities, sum of all charges: 70002".to_owned()),
        ("[influence]\ndecay = 0.2", "", "team: \"us\"\n    teams need [influence]".to_owned()),
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
            "entities \"lamp\", stamp: there is no stamp \"bean\"\n    known are beam, crater".to_owned(),
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
                 stamps \"beam\"; it starts from the scenario file",
                line("[stamps.beam]")
            ),
        ),
        (
            "file = \"beam.npy\"",
            "file = \"walls.txt\"",
            "walls.txt, NPY, start: \"#......#\"\n    a file of the format NPY begins with".to_owned(),
        ),
        ("side = 1.0", "side = 0", "stamps \"crater\", stamp, side: 0\n    expected is".to_owned()),
        (
            "[-0.5, -1, -0.5, 0]]",
            "[-0.5, -1, -0.5]]",
            "stamps \"crater\", values, row 2: 3 values\n    the first row has 4".to_owned(),
        ),
        (
            "[diffusion.scent]",
            "[diffusion.smell]",
            "diffusion \"smell\": there is no layer \"smell\"\n    layers are good, bad, scent".to_owned(),
        ),
        (
            "emits = { scent = 2 }",
            "emits = { bad = 2 }",
            "entities \"fox\", emits: \"bad\" does not diffuse\n    add [diffusion.bad]".to_owned(),
        ),
        (
            "emits = { scent = 2 }",
            "emits = { scent = 2 }\nlayers = [\"good\"]",
            "\"fox\": layers is given\n    an entity without a profile, which only emits, has no layers".to_owned(),
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
            "entities \"well\", emits, scent: inf\n    expected is a finite number".to_owned(),
        ),
        ("radius = 1\n", "radius = -3\n", "goals 1, radius: -3\n    expected is a finite number, 0 or more".to_owned()),
        ("radius = 1\n", "radius = nan\n", "goals 1, radius: NaN\n    expected is a finite".to_owned()),
        (
            "from = [1, 1]",
            "from = [nan, 1]",
            "\"planners\", start, from: [NaN, 1.0]\n    expected are finite".to_owned(),
        ),
        (
            "from = [1, 1]",
            "from = [4, 1]",
            "\"planners\", start, to: [3.0, 11.0]\n    expected is a corner with".to_owned(),
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
            "influence: a strength of 3.0e38 in all\n    expected is at most 1e30".to_owned(),
        ),
        (
            "[influence]",
            "[[combine]]\noperation = \"add\"\nlayer = \"good\"\nweight = 3e37\n\n[influence]",
            format!(
                "scenario.toml:{}: combine 1: values up to 1.1e38\n    expected is at most 3e37",
                line("[influence]")
            ),
        ),
        ("diffusivity = 0.5", "diffusivity = -0.5", "\"scent\", diffusion, diffusivity: -0.5".to_owned()),
        (
            "diffusivity = 0.5",
            "diffusivity = 1e6",
            "\"scent\", time: 2.5\n    60000000 steps would be needed".to_owned(),
        ),
        (
            "pixels_per_cell = 8",
            "legend = { blue = \"home\", brown = \"bears\" }",
            "output, legend: nothing is brown\n    name colours of agents and of marked entities".to_owned(),
        ),
        ("before = 2.5", "before = -1", "\"scent\", before: -1\n    expected is a finite number, 0 or more".to_owned()),
        ("model = \"fields\"", "model = \"field\"", ": model: \"field\"\n    expected is \"fields\"".to_owned()),
        ("[[goals]]\nat = [14, 6]\nradius = 1\n", "", "there are no goals\n    add [[goals]]".to_owned()),
        ("\"walls.txt\"", "\"wall.txt\"", "wall.txt: cannot be read".to_owned()),
        ("title = \"Small\"", "title = Small", "scenario.toml:3: ".to_owned()),
    ] {
        let found = problems(&[(from, to)], &[]);
        assert!(found.contains(&expected), "{to}:\n{found}\nexpected:\n{expected}");
    }
}

#[test]
fn what_there_is_no_memory_for_is_refused_before_it_is_made() {
    // Where there is so much, nothing is wrong with it, and nobody wants to wait for it.
    if throng_core::available_memory().is_none_or(|bytes| bytes > 40 << 30) {
        println!("not tested: memory enough, or unknown");
        return;
    }
    let place = line_of("[grid]");
    let found = problems(&[("size = [16, 12]", "size = [23000, 23000]"), ("map = \"walls.txt\"", "")], &[]);
    assert!(
        found
            .contains(&format!("scenario.toml:{place}: grid: 46000 x 46000 cells take 152352000000 bytes (141.9 GiB)")),
        "{found}"
    );
    assert!(found.contains("are available: use larger cells"), "{found}");
    let found = problems(&[("count = 10\n", "count = 99000000\n"), ("trail_cells = 10", "trail_cells = 4000")], &[]);
    assert!(found.contains("agents \"seekers\", count: 99000000 agents take"), "{found}");
}

#[test]
fn all_problems_are_in_one_report() {
    let found = problems(
        &[
            ("cell = 0.5", "cell = -0.5"),
            ("charge = -2", "charge = \"much\""),
            ("decay = 0.2", "decay = -0.2"),
            ("colour = \"red\"", "colour = \"beige\""),
            ("shape = \"line\"", "shape = \"curve\""),
        ],
        &["run.stepps=3", "nothing"],
    );
    // What is said of changes comes first, and alone where they cannot be read.
    assert!(found.starts_with("--set: \"nothing\" has no value"), "{found}");
    let found = problems(
        &[
            ("cell = 0.5", "cell = -0.5"),
            ("charge = -2", "charge = \"much\""),
            ("decay = 0.2", "decay = -0.2"),
            ("colour = \"red\"", "colour = \"beige\""),
            ("shape = \"line\"", "shape = \"curve\""),
        ],
        &["run.time_step=soon"],
    );
    for part in
        ["grid, size", "`beige`", "`curve`", "expected is a number", "decay: -0.2", "--set run.time_step=soon: run: "]
    {
        assert!(found.contains(part), "{part}:\n{found}");
    }
}

#[test]
fn changes_replace_what_the_file_says() {
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
        ("run.steps=-1", "--set run.steps=-1: run: "),
        ("agents.nobody.count=5", "--set: agents.nobody.count: \"nobody\" is no entry of agents"),
        ("agents.3.count=5", "give its number, from 1 to 2, or its name"),
        ("title.size=5", "\"title\" is no table"),
        ("grid.sell=5", "--set grid.sell=5: grid: unknown field `sell`"),
        ("colour=red", "--set colour=red: unknown key \"colour\""),
    ] {
        let found = read(&[change]).unwrap_err().to_string();
        assert!(found.contains(expected), "{change}: {found}");
    }
}

#[test]
fn maps_of_walls_are_checked() {
    let dir = TempDir::new().unwrap();
    let path = written(&dir, &[]);
    for (map, expected) in [
        ("#..\n.x.\n", "walls.txt:2, column 2: \"x\"\n    expected is # for a wall"),
        ("#......\n", "walls.txt: 7 x 1 letters\n    the grid has 32 x 24 cells"),
        ("", "walls.txt: 0 x 0 letters"),
    ] {
        std::fs::write(dir.path().join("walls.txt"), map).unwrap();
        let found = Scenario::read(&path, &[]).unwrap_err().to_string();
        assert!(found.contains(expected), "{found}");
    }
}

#[test]
fn a_run_writes_its_files_and_a_manifest_that_lists_them() {
    let dir = TempDir::new().unwrap();
    let out = dir.path().join("out");
    let done = run_small(&out, 1, DeviceChoice::Cpu);
    let names = std::fs::read_dir(&out).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let names: BTreeSet<String> = names.collect();
    let expected = [
        "agents.csv",
        "field.npy",
        "fields.png",
        "first.png",
        "influence.png",
        "last.png",
        "manifest.json",
        "measures.csv",
        "report.html",
        "state_hashes.txt",
    ];
    assert_eq!(names, expected.map(str::to_owned).into());

    let manifest = std::fs::read_to_string(out.join("manifest.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
    let listed = manifest["files"].as_array().unwrap().iter().map(|file| file["name"].as_str().unwrap().to_owned());
    assert_eq!(listed.chain(["manifest.json".to_owned()]).collect::<BTreeSet<String>>(), names);
    assert_eq!(manifest["model"], "fields");
    assert_eq!(manifest["settings"]["entities.2.path"], "[[9, 10], [11, 6]]");
    assert_eq!(manifest["results"]["hash"], format!("{:016x}", done.summary.hash));
    let inputs = manifest["inputs"].as_array().unwrap();
    let inputs = inputs.iter().map(|input| input.to_string().contains("beam.npy"));
    assert_eq!(inputs.collect::<Vec<_>>(), [false, true, false]);

    let text = |name: &str| std::fs::read_to_string(out.join(name)).unwrap();
    // A header, and the state at the start and after each of 24 steps; agents at every sixth.
    assert_eq!((text("measures.csv").lines().count(), text("agents.csv").lines().count()), (26, 1 + 5 * 30));
    assert_eq!(text("state_hashes.txt").lines().count(), 26);
    assert!(text("measures.csv").starts_with("step;time;planners: walking;planners: arrived;planners: stuck;seekers"));
    assert!(text("report.html").contains("<img src=\"fields.png\""));
    assert!(done.summary.arrived > 0, "{:?}", done.summary);
    let folder = Some(out.clone());
    let scenario = Scenario::read(&written(&dir, &[]), &[]).unwrap();
    let again = run(&Run { folder, ..Run::new(scenario) }, &NoProgress).unwrap_err().to_string();
    assert!(again.contains("is not empty") && again.contains("--overwrite"), "{again}");
}

#[test]
fn a_run_is_the_same_on_any_number_of_threads_and_on_every_device() {
    let dir = TempDir::new().unwrap();
    let hashes = |done: &Done| done.history.iter().map(|now| now.hash).collect::<Vec<_>>();
    let one = run_small(&dir.path().join("1"), 1, DeviceChoice::Cpu);
    let all: BTreeSet<u64> = hashes(&one).into_iter().collect();
    assert_eq!(all.len(), 25, "every step changes something");
    let two = run_small(&dir.path().join("2"), 2, DeviceChoice::Cpu);
    assert_eq!(hashes(&one), hashes(&two));
    let files = ["fields.png", "last.png", "field.npy", "agents.csv", "measures.csv"];
    let bytes = |folder: &str, name: &str| std::fs::read(dir.path().join(folder).join(name)).unwrap();
    for name in files {
        assert_eq!(bytes("1", name), bytes("2", name), "{name}");
    }
    for device in &inventory().devices {
        let folder = device.id.to_string().replace(':', "_");
        let done = run_small(&dir.path().join(&folder), 1, DeviceChoice::Device(device.id));
        assert_eq!(hashes(&one), hashes(&done), "{}", device.label());
        assert!(done.device.starts_with(&device.label()), "{}", done.device);
        for name in files {
            assert_eq!(bytes("1", name), bytes(&folder, name), "{name} of {}", device.label());
        }
    }
}

#[test]
fn influence_is_part_of_the_hash() {
    // No layer and no agent feels how strong a team is.
    let hash = |strength: &str| {
        let dir = TempDir::new().unwrap();
        let scenario = written(&dir, &[("strength = 2", strength)]);
        Simulation::new(&Scenario::read(&scenario, &[]).unwrap(), None).unwrap().hash()
    };
    assert_eq!(hash("strength = 2"), hash("strength = 2"));
    assert_ne!(hash("strength = 2"), hash("strength = 2.5"));
}

#[test]
fn large_charges_are_summed_all_together() {
    let dir = TempDir::new().unwrap();
    // With 24 bits a charge of 2 has too many steps for sums of two parts in single precision.
    let combine = r#"combine=[{ operation = "add", layer = "good" }, { operation = "add", layer = "bad" }]"#;
    let changes = ["run.bits=24", combine].map(Change::typed);
    let scenario = Scenario::read(&written(&dir, &[]), &changes).unwrap();
    let mut simulation = Simulation::new(&scenario, None).unwrap();
    for _ in 0..3 {
        simulation.step().unwrap();
    }
    let members: Vec<_> = simulation.entities().to_vec();
    let whole = throng::fields::creation::FixedPoint::new(24).unwrap();
    let good: Vec<_> = members.iter().filter(|entity| entity.layers == 1).cloned().collect();
    let bad: Vec<_> = members.iter().filter(|entity| entity.layers == 2).cloned().collect();
    let layers = [good, bad].map(|members| whole.every_pair(scenario.grid(), &members).unwrap());
    let sum = |cell: usize| layers[0].values()[cell] + layers[1].values()[cell];
    assert!(simulation.field().values().iter().enumerate().all(|(cell, &value)| value == sum(cell)));
}

#[test]
fn stamps_are_turned_tables_from_the_scenario_file_or_beside_it() {
    let dir = TempDir::new().unwrap();
    let layer = r#"combine=[{ operation = "add", layer = "good" }]"#;
    let changes = [layer, "entities.home.charge=0", "entities.crater.heading=90"].map(Change::typed);
    let scenario = Scenario::read(&written(&dir, &[]), &changes).unwrap();
    let simulation = Simulation::new(&scenario, None).unwrap();
    let [_, _, _, lamp, crater, _] = simulation.entities() else { panic!("six entities") };
    // The lamp shines where it goes at first, from (3, 9) to (8, 11); its first row is that on the right.
    let [x, y] = [5.0, 2.0].map(|part: f32| part / 29.0f32.sqrt());
    let lit = |ahead: f32, left: f32| lamp.charge_at([3.0 + ahead * x - left * y, 9.0 + ahead * y + left * x]);
    for (ahead, left, expected) in [(0.5, -0.25, -1.5), (0.5, 0.25, -1.0), (0.0, 0.25, -0.5), (-0.5, -0.25, 0.0)] {
        assert!((lit(ahead, left) - expected).abs() < 1e-4, "{ahead} {left}: {}", lit(ahead, left));
    }
    // Rows of the crater go north, and the second one is west of the first.
    for (x, y, expected) in [(0.5, -0.5, -0.5), (-0.5, -1.5, -0.5), (-0.5, -0.5, -1.0), (-0.5, 0.5, -0.5)] {
        let found = crater.charge_at([12.0 + x, 2.0 + y]);
        assert!((found - expected).abs() < 1e-4, "{x} {y}: {found}");
    }
    let grid = scenario.grid();
    for (column, row) in (0..grid.columns()).flat_map(|column| (0..grid.rows()).map(move |row| (column, row))) {
        let expected = lamp.charge_at(grid.point(column, row)) + crater.charge_at(grid.point(column, row));
        let found = simulation.field().at(column, row).unwrap();
        assert!((found - expected).abs() < 1e-3, "{column} {row}: {found} {expected}");
    }
}

#[test]
fn amounts_grow_by_what_entities_emit_and_are_felt_by_agents() {
    let dir = TempDir::new().unwrap();
    let changes = [r#"combine=[{ operation = "add", layer = "scent" }]"#].map(Change::typed);
    let scenario = Scenario::read(&written(&dir, &[]), &changes).unwrap();
    let mut simulation = Simulation::new(&scenario, None).unwrap();
    // A rate of 2 less 0.25, and a decay of 0.1.
    let expected = |time: f64| 1.75 * (1.0 - (-0.1 * time).exp()) / 0.1;
    for step in 0..=scenario.steps() {
        let now = simulation.now().unwrap();
        let sum: f64 = simulation.field().values().iter().map(|&value| f64::from(value)).sum();
        assert_eq!(now.amounts, [sum]);
        let expected = expected(2.5 + 0.5 * f64::from(step));
        assert!((sum - expected).abs() < 1e-3 * expected, "{step}: {sum} {expected}");
        simulation.step().unwrap();
    }
    // Walls keep it out, and the fox has more of it around than the drain.
    let field = simulation.field();
    let lowest = field.values().iter().copied().fold(0.0, f32::min);
    assert_eq!(field.at(0, 0), Some(0.0));
    assert!(lowest < 0.0 && field.best(None).unwrap().is_some_and(|best| best.column < 16), "{lowest}");
}
