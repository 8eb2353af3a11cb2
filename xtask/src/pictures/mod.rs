//! `cargo xtask pictures`: redraws the images of README.md and the book in place, with the current program.

mod browser;
mod list;

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use list::{PICTURES, Picture, Source};
use throng_testing::{PROGRAM, has_chromium};

use crate::{at, cargo, chromium, packages, root, run as run_command, step};

const USAGE: &str = "usage: cargo xtask pictures [PART OF A NAME]...

  Draws the images whose names contain one of the parts, or all images if no part is given. The environment variable
  THRONG_PROGRAM names the program to draw with; by default it is built for the CPU.
";

/// Programs, named like their packages: the first reduces colours, the second encodes animations with few colours.
const REDUCER: &str = "pngquant";
const ANIMATOR: &str = "ffmpeg";
/// Width and height of the window in which sections of pages are photographed.
const SECTION_WINDOW: [u32; 2] = [1000, 1000];
/// Time after which a live page has drawn its image in the best quality.
const PAGE_SETTLES: Duration = Duration::from_secs(20);

pub(crate) fn run(parts: &[OsString]) -> Result<(), String> {
    let parts: Vec<String> = parts.iter().map(|part| part.to_string_lossy().into_owned()).collect();
    if parts.iter().any(|part| part.starts_with('-')) {
        return Err(USAGE.to_owned());
    }
    let is_selected = |picture: &&Picture| parts.is_empty() || parts.iter().any(|part| picture.file.contains(part));
    let selected: Vec<&Picture> = PICTURES.iter().filter(is_selected).collect();
    if selected.is_empty() {
        let names: Vec<&str> = PICTURES.iter().map(|picture| picture.file).collect();
        return Err(format!("no image matches {}; choose from\n  {}", parts.join(" "), names.join("\n  ")));
    }
    let folder = root().join("target/pictures");
    fs::create_dir_all(&folder).map_err(at(&folder))?;
    let (mut done, mut left_out) = (BTreeSet::new(), Vec::new());
    for picture in selected {
        step(picture.file);
        if let Source::Frames(frames, _) = picture.source {
            // An earlier run may have left more frames.
            let _ = fs::remove_dir_all(folder.join(frames));
        }
        for command in picture.commands.iter().filter(|command| done.insert(**command)) {
            run_command(throng(&folder, command))?;
        }
        if let Some(reason) = draw(&folder, picture)? {
            left_out.push(format!("{}: {reason}", picture.file));
        }
    }
    for line in left_out {
        println!("left as it was: {line}");
    }
    Ok(())
}

/// Returns the command `throng ARGUMENTS`, run in the folder; it may overwrite images of an earlier run.
fn throng(folder: &Path, arguments: &str) -> Command {
    let mut command = if let Some(program) = std::env::var_os(PROGRAM) {
        Command::new(program)
    } else {
        let mut command = cargo(&["run", "--release", "-q", "-p", "throng-cli", "--no-default-features"]);
        command.arg("--manifest-path").arg(root().join("Cargo.toml")).arg("--");
        command
    };
    command.current_dir(folder);
    for argument in arguments.split(' ') {
        if argument.starts_with("examples/") {
            command.arg(root().join(argument));
        } else {
            command.arg(argument);
        }
    }
    if ["run", "render", "generate"].iter().any(|name| arguments.starts_with(name)) {
        command.arg("--overwrite");
    }
    command
}

/// Draws an image and stores it in the repository; returns the reason if it cannot.
fn draw(folder: &Path, picture: &Picture) -> Result<Option<String>, String> {
    let target = root().join(picture.file);
    match picture.source {
        Source::Frames(frames, per_second) => return animate(&folder.join(frames), &target, per_second),
        Source::Image(file) => {
            copy(&folder.join(file), &target)?;
            reduce(&target)?;
        }
        Source::Report(run, size) => {
            let url = format!("file://{}", folder.join(run).join("report.html").display());
            return photograph(&url, &target, size, None, Duration::from_secs(2));
        }
        Source::Section(page, heading) => {
            let url = format!("file://{}", folder.join(page).display());
            return photograph(&url, &target, SECTION_WINDOW, Some(heading), Duration::from_secs(2));
        }
        Source::LivePage(run, size) => {
            let mut view = throng(folder, &format!("view {run} --no-open"));
            let mut view = view.stdout(Stdio::piped()).spawn().map_err(|error| format!("throng view: {error}"))?;
            let lines =
                view.stdout.take().into_iter().flat_map(|out| BufReader::new(out).lines().map_while(Result::ok));
            let url = { lines }.find(|line| line.starts_with("http://"));
            let done = url.map(|url| photograph(&url, &target, size, None, PAGE_SETTLES));
            let _ = view.kill();
            let _ = view.wait();
            return done.unwrap_or_else(|| Err("throng view prints no address".to_owned()));
        }
    }
    Ok(None)
}

fn copy(from: &Path, to: &Path) -> Result<(), String> {
    fs::copy(from, to).map_err(at(from))?;
    Ok(())
}

/// Whether a program exists, after trying to install the package of the same name.
fn has(program: &str, version: &str) -> bool {
    let is_installed = || Command::new(program).arg(version).output().is_ok();
    is_installed() || packages::install(&[program], program) && is_installed()
}

/// Makes an animation of numbered frames; returns a message if a program is missing.
fn animate(frames: &Path, file: &Path, per_second: u32) -> Result<Option<String>, String> {
    if !has(ANIMATOR, "-version") {
        return Ok(Some(format!("there is no {ANIMATOR}; as root: {}", packages::command(&[ANIMATOR]))));
    }
    // One palette for all frames; without dithering, static parts are identical in each frame.
    let palette = "split[a][b];[a]palettegen=max_colors=128[p];[b][p]paletteuse=dither=none:diff_mode=rectangle";
    let mut command = Command::new(ANIMATOR);
    command.args(["-v", "error", "-y", "-framerate", &per_second.to_string(), "-i"]).arg(frames.join("%06d.png"));
    command.args(["-vf", palette, "-f", "apng", "-plays", "0", "-pred", "mixed"]).arg(file);
    run_command(command)?;
    Ok(None)
}

/// Reduces an image to 256 colours if the program for it exists.
fn reduce(file: &Path) -> Result<(), String> {
    if !has(REDUCER, "--version") {
        println!(
            "{}: colours not reduced, {REDUCER} is missing; as root: {}",
            file.display(),
            packages::command(&[REDUCER])
        );
        return Ok(());
    }
    let mut command = Command::new(REDUCER);
    command.args(["--force", "--strip", "--speed", "1", "--ext", ".png", "256"]).arg(file);
    run_command(command)
}

/// Saves a screenshot of a page in Chromium; returns a message if there is no Chromium.
fn photograph(
    url: &str,
    file: &Path,
    size: [u32; 2],
    heading: Option<&str>,
    after: Duration,
) -> Result<Option<String>, String> {
    let message = chromium::install();
    let Some(program) = has_chromium().then(throng_testing::chromium).flatten() else { return Ok(Some(message)) };
    let folder = root().join("target/pictures/chromium");
    fs::create_dir_all(&folder).map_err(at(&folder))?;
    browser::photograph(&program, &folder, url, size, heading, after, file)?;
    reduce(file)?;
    Ok(None)
}
