//! Runs every command in README.md, the book and the READMEs of examples in order, with one folder per page.
//!
//! [`page`] defines how the blocks of a page are marked. Commands that take a long time run with fewer steps ([`LIGHTER`]);
//! those that start neither `throng` nor Python on this machine are skipped ([`ELSEWHERE`]). Python is that of
//! [`python_tools`].

#![cfg(unix)]

mod page;

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use page::{Step, Typed, not_printed, steps};
use throng_testing::{Needs, program, python_tools, repository, skip};

/// Prefixes of commands that start another program, with the reason why they are not run here.
const ELSEWHERE: [(&str, &str); 11] = [
    ("cargo install", "installs the program"),
    ("cargo xtask", "the project's own commands"),
    ("cargo build", "builds the program"),
    ("cargo run --release -p epidemic", "the program of an example, with tests of its own"),
    ("cargo run --release -p flocking", "the program of an example, with tests of its own"),
    ("cargo run --release -p throng-collision", "a measurement"),
    ("cargo run --release -p throng-pedestrians", "a measurement"),
    ("cargo run --release -p throng-games", "a measurement"),
    ("python3 crates/models/throng-economy/benches/peers", "a measurement"),
    ("xdg-open", "opens a window"),
    ("ffmpeg", "is not installed with Throng"),
];

/// Parts of commands that would take a long time, their replacements, and additional arguments. The output of these
/// commands is not compared. The first matching entry applies.
const LIGHTER: [(&str, &str, &str); 29] = [
    // Only checks that the names and options exist; these programs have separate tests.
    ("throng reproduce", "throng reproduce", "--help"),
    ("throng check", "throng check", "--help"),
    ("throng solve kalah --pits", "throng solve kalah --pits", "--help"),
    ("throng solve kalah --position", "throng solve kalah --position", ""),
    ("throng solve kalah", "throng solve kalah", "--pits 3 --stones 3"),
    ("generate city --persons 60000", "generate city --persons 500", "--links 300"),
    // The page prints figures of this city.
    ("generate city --persons 200000", "generate city --persons 200000", ""),
    ("generate city", "generate city", "--persons 500 --links 300"),
    ("run examples/collision", "run examples/collision", "--steps 2 --set discs=2000"),
    ("run examples/discs", "run examples/discs", "--steps 20"),
    ("render output/discs --at 180", "render output/discs --at 20", "--samples 1"),
    ("run examples/fields --steps 136", "run examples/fields --steps 20", ""),
    ("run examples/fields", "run examples/fields", "--steps 20"),
    ("render output/fields --at 34", "render output/fields --at 4", "--samples 1"),
    ("run examples/warehouse", "run examples/warehouse", "--steps 20"),
    ("run arena.toml", "run arena.toml", "--steps 20"),
    ("run examples/kalah", "run examples/kalah", "--steps 10"),
    ("run examples/societies/", "run examples/societies/", "--steps 2"),
    ("run examples/societies", "run examples/societies", "--steps 100"),
    ("run examples/spheres", "run examples/spheres", "--set width=64 --set height=36 --set samples=1"),
    ("run examples/crossing", "run examples/crossing", "--steps 20"),
    ("sweep examples/collision", "sweep examples/collision", "--set steps=2 --set width_m=100 --set height_m=100"),
    ("sweep examples/evacuation", "sweep examples/evacuation", "--set ticks=10"),
    ("sweep examples/societies", "sweep examples/societies", "--set days=2"),
    ("--samples", "--samples", ""),
    ("--width 400 --height 225", "--width 64 --height 36", "--samples 1"),
    ("--width 960 --height 540", "--width 64 --height 36", "--samples 1"),
    ("--list", "--list", ""),
    ("throng render", "throng render", "--width 64 --height 36 --samples 1"),
];

/// The commands in README.md that build and start `throng`.
const BUILT: [&str; 2] =
    ["cargo run --release -p throng-cli --no-default-features -- ", "cargo run --release -p throng-cli -- "];

/// Defines a test per page. The quick tests omit those in `exhaustive`, whose commands take minutes.
macro_rules! pages {
    (exhaustive { $($long_test:ident: $long_page:literal,)* } $($test:ident: $page:literal,)*) => {
        const PAGES: &[&str] = &[$($page,)* $($long_page),*];

        $(
            #[test]
            fn $test() {
                commands_work($page);
            }
        )*

        mod exhaustive {
            $(
                #[test]
                fn $long_test() {
                    super::commands_work($long_page);
                }
            )*
        }
    };
}

pages! {
    exhaustive {
        first_evening: "docs/src/first-evening.md",
    }
    readme: "README.md",
    architecture: "docs/src/architecture.md",
    collision: "docs/src/collision.md",
    cube_idioms: "docs/src/cube-idioms.md",
    determinism: "docs/src/determinism.md",
    differences: "docs/src/differences.md",
    fields: "docs/src/fields.md",
    file_formats: "docs/src/file-formats.md",
    game_search: "docs/src/game-search.md",
    games: "docs/src/games.md",
    introduction: "docs/src/introduction.md",
    kalah: "docs/src/kalah.md",
    kernels: "docs/src/kernels.md",
    local_memory: "docs/src/local-memory.md",
    paper_elmir: "docs/src/papers/elmir.md",
    paper_haney: "docs/src/papers/haney.md",
    paper_kloosterman: "docs/src/papers/kloosterman.md",
    paper_strippgen: "docs/src/papers/strippgen.md",
    paper_vigueras: "docs/src/papers/vigueras.md",
    paper_yu: "docs/src/papers/yu.md",
    performance: "docs/src/performance.md",
    programs: "docs/src/programs.md",
    ray_tracer: "docs/src/ray-tracer.md",
    reproducing: "docs/src/reproducing.md",
    robot_maps: "docs/src/robot-maps.md",
    settings: "docs/src/settings.md",
    social_field: "docs/src/social-field.md",
    societies: "docs/src/societies.md",
    sweeps: "docs/src/sweeps.md",
    traffic_in_rust: "docs/src/traffic-in-rust.md",
    traffic_model: "docs/src/traffic-model.md",
    tutorial: "docs/src/tutorial.md",
    verification: "docs/src/verification.md",
    watching: "docs/src/watching.md",
    write_a_model: "docs/src/write-a-model.md",
    example_bottleneck: "examples/bottleneck/README.md",
    example_city: "examples/city/README.md",
    example_collision: "examples/collision/README.md",
    example_fields: "examples/fields/README.md",
    example_warehouse: "examples/warehouse/README.md",
}

#[test]
fn every_page_has_a_test() {
    let inside = |folder: &str| {
        let entries = fs::read_dir(repository().join(folder)).unwrap();
        entries.map(|entry| Path::new(folder).join(entry.unwrap().file_name())).collect::<Vec<_>>()
    };
    let is_page = |path: &PathBuf| path.extension().is_some_and(|end| end == "md") && !path.ends_with("SUMMARY.md");
    let examples = inside("examples").into_iter().map(|example| example.join("README.md"));
    let examples = examples.filter(|page| repository().join(page).is_file());
    for page in ["docs/src", "docs/src/papers"].into_iter().flat_map(inside).filter(is_page).chain(examples) {
        assert!(
            PAGES.iter().any(|known| page == Path::new(known)),
            "add {} to `pages!` of {}",
            page.display(),
            file!()
        );
    }
}

fn commands_work(page: &str) {
    let text = fs::read_to_string(repository().join(page)).unwrap();
    let steps = steps(&text).unwrap_or_else(|error| panic!("{page}, {error}"));
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    std::os::unix::fs::symlink(fs::canonicalize(repository().join("examples")).unwrap(), here.join("examples"))
        .unwrap();
    for step in steps {
        match step {
            Step::Save { name, text } => fs::write(here.join(name), text).unwrap(),
            Step::Type(typed) => run(page, here, &typed),
        }
    }
}

fn run(page: &str, folder: &Path, typed: &Typed) {
    let mut command = typed.command.clone();
    if ELSEWHERE.iter().any(|(start, _)| command.starts_with(start)) {
        return;
    }
    for built in BUILT {
        command = command.replace(built, "throng ");
    }
    if let Some(script) = command.strip_prefix("python3 ") {
        let Some(python) = python_tools() else { return };
        command = format!("'{}' {script}", python.display());
    }
    let lighter = LIGHTER.iter().find(|(part, ..)| command.contains(part));
    if let Some((part, instead, more)) = lighter {
        command = with_arguments(&command.replace(part, instead), more);
    }
    if ["--device cuda", "--device vulkan"].iter().any(|device| command.contains(device)) && !command.contains("--help")
    {
        return skip(Needs::Hardware, format_args!("{page} prints commands for a GPU"));
    }
    if command.starts_with("throng view") {
        return opens_a_page(page, folder, typed, &with_arguments(&command, "--no-open"));
    }
    let Output { status, stdout, stderr } = shell(folder, &command).output().unwrap();
    let printed = format!("{}{}", String::from_utf8_lossy(&stderr), String::from_utf8_lossy(&stdout));
    let place = format!("{page}:{}: {command}", typed.line);
    if typed.prints.is_empty() {
        assert!(status.success(), "{place}\nends with {status}:\n{printed}");
    } else if lighter.is_none() {
        let missing = not_printed(&typed.prints, &printed);
        assert_eq!(missing, None, "{place}\ndoes not print this line:\n{printed}");
    }
}

/// Inserts further arguments into a command, before its comment and its output redirection.
fn with_arguments(command: &str, more: &str) -> String {
    let end = [" #", " >"].iter().filter_map(|start| command.find(start)).min().unwrap_or(command.len());
    let (command, rest) = command.split_at(end);
    format!("{} {more}{rest}", command.trim_end())
}

/// Returns a shell in the folder, for which `throng` is the program built for this test.
fn shell(folder: &Path, command: &str) -> Command {
    let mut shell = Command::new("sh");
    let program = fs::canonicalize(program(env!("CARGO_BIN_EXE_throng"))).unwrap();
    shell.env("THRONG", program).current_dir(folder).stdin(Stdio::null());
    shell.arg("-c").arg(format!("throng() {{ \"$THRONG\" \"$@\"; }}\n{command}"));
    shell
}

/// Opens a live page and closes it when its address has been printed.
fn opens_a_page(page: &str, folder: &Path, typed: &Typed, command: &str) {
    // `exec` replaces the shell with the program, so that it can be killed.
    let command = command.replacen("throng", "exec \"$THRONG\"", 1);
    let mut child = shell(folder, &command).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
    let address = { lines }.find(|line| line.starts_with("http://127.0.0.1:"));
    let _ = child.kill();
    let errors = String::from_utf8_lossy(&child.wait_with_output().unwrap().stderr).into_owned();
    assert!(address.is_some(), "{page}:{}: {command}\nprints no address:\n{errors}", typed.line);
}
