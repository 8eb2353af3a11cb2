//! Tests the real binary: scenes, images and animations of stored runs, and the live page.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Command, Stdio};

use throng_testing::{program, repository};

use crate::common::{text, throng};

fn succeeds(args: &[&str]) -> String {
    let output = throng(args);
    assert_eq!(output.status.code(), Some(0), "{args:?}: {}", text(&output.stderr));
    text(&output.stdout)
}

fn is_refused(args: &[&str], code: i32, part: &str) {
    let output = throng(args);
    let errors = text(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{args:?}: {errors}");
    assert!(errors.contains(part), "{args:?}: {errors}");
}

/// A tournament of two games.
fn kalah_run(folder: &Path) -> String {
    let scenario = repository().join("examples/kalah").display().to_string();
    let out = folder.join("kalah").display().to_string();
    let players = "players=[\"random\", \"greedy\"]";
    succeeds(&["run", &scenario, "--out", &out, "--set", players, "--set", "openings=1", "-q"]);
    out
}

#[test]
fn a_run_is_rendered_as_an_image_and_an_animation() {
    let dir = tempfile::tempdir().unwrap();
    let run = kalah_run(dir.path());
    let list = succeeds(&["render", &run, "--list"]);
    for part in ["move 0 to move ", "player", "legend of player"] {
        assert!(list.contains(part), "{list}");
    }
    let file = |name: &str| dir.path().join(name).display().to_string();
    let (picture, film, frames) = (file("picture.png"), file("film.png"), file("frames"));
    let small = ["--width", "64", "--height", "36", "--samples", "1", "--device", "cpu"];
    let with = |more: &[&str]| {
        let all: Vec<&str> = ["render", &run].into_iter().chain(small).chain(more.iter().copied()).collect();
        succeeds(&all)
    };
    let at = with(&["--at", "3", "--out", &picture]);
    assert!(at.contains(" at move 3\n"), "{at}");
    let bytes = std::fs::read(&picture).unwrap();
    assert!(bytes.starts_with(b"\x89PNG") && bytes.windows(4).any(|part| part == b"iTXt"));
    // The image is the same with another number of threads, and differs from another viewpoint.
    let again = file("again.png");
    with(&["--at", "3", "--out", &again, "--threads", "3"]);
    assert!(std::fs::read(&again).unwrap() == bytes);
    with(&["--at", "3", "--out", &again, "--camera", "-45,30,2", "--overwrite"]);
    assert!(std::fs::read(&again).unwrap() != bytes);
    assert_eq!(with(&["--at", "3", "--out", &again, "--overwrite", "--quiet"]), "");

    let printed = with(&["--to", "6", "--every", "2", "--film", &film, "--fps", "5"]);
    assert!(printed.contains("4 frames from move 0 to move 6"), "{printed}");
    let bytes = std::fs::read(&film).unwrap();
    let chunks = |name: &[u8]| bytes.windows(4).filter(|part| *part == name).count();
    assert_eq!((chunks(b"acTL"), chunks(b"fcTL")), (1, 4));
    with(&["--from", "1", "--to", "2", "--frames", &frames]);
    let mut names: Vec<_> = Path::new(&frames).read_dir().unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["000000.png", "000001.png"]);

    for (more, part) in [
        (&["--at", "999"][..], "--at: \"999\"\n    give a time from move 0 to move "),
        (&["--at", "NaN"], "--at: \"NaN\""),
        (&["--colour", "red"], "--colour: \"red\"\n    give one of player, pit"),
        (&["--width", "0"], "--width: 0\n    give a whole number"),
        (&["--width", "40000"], "--width: 40000\n"),
        (&["--eye", "1,2"], "--eye: \"1,2\"\n    give three numbers"),
        (&["--vfov", "NaN"], "--vfov: NaN\n"),
        (&["--every", "2"], "--every: is for several images"),
        (&["--film", "x.png", "--every", "0"], "--every: \"0\"\n    give a number of moves above 0"),
        (&["--film", "x.png", "--at", "3"], "--at: is the time of a single image"),
        (&["--film", "x.mp4"], "--film: x.mp4 ends in .mp4, but the file is a PNG\n    give a file that ends in .png"),
        (&["--film", "x.png", "--frames", "y"], "--frames: is given with --film"),
        (&["--device", "gpu"], "--device: \"gpu\" is not a device"),
    ] {
        let all: Vec<&str> = ["render", &run].into_iter().chain(more.iter().copied()).collect();
        is_refused(&all, 2, part);
    }
    assert!(!Path::new("x.png").exists() && !Path::new("x.mp4").exists() && !Path::new("y").exists());
    is_refused(&["render", &file("nowhere")], 2, "there is no such file or folder");
    is_refused(&["render", &dir.path().display().to_string()], 2, "it has runs below it:");
    std::fs::remove_file(dir.path().join("kalah/games.txt")).unwrap();
    is_refused(&["render", &run], 2, "has no games.txt, which rendering needs");
}

#[test]
fn scenes_are_rendered_and_mistakes_give_the_line() {
    let dir = tempfile::tempdir().unwrap();
    let scene = dir.path().join("scene.toml");
    let path = scene.display().to_string();
    let out = dir.path().join("out").display().to_string();
    let good = "model = \"render\"\nwidth = 16\nheight = 12\n[[light]]\n[[sphere]]\ncenter = [0, 1, 0]\n[[plane]]\n";
    std::fs::write(&scene, good).unwrap();
    let printed = succeeds(&["run", &path, "--out", &out, "--hash-every", "1"]);
    assert!(printed.contains("2 shapes") && printed.contains("state hash"), "{printed}");
    for name in ["picture.png", "report.html", "manifest.json", "state_hashes.txt"] {
        assert!(dir.path().join("out").join(name).is_file(), "{name}");
    }
    for (line, part) in [
        ("radius = 0", "scene.toml:8: sphere 1, radius: 0\n    give a length from 1e-15"),
        ("radius = nan", "sphere 1, radius: NaN"),
        ("reflectance = 1.5", "sphere 1, reflectance: 1.5\n    give a fraction from 0 to 1"),
        ("albedo = [2, 0, 0]", "sphere 1, albedo: [2.0, 0.0, 0.0]"),
        (
            "center = [1, 2]",
            "scene.toml:8: sphere 1, center: invalid length 2\n    expected a list of 3 values: [a, b, c]",
        ),
        ("centre = [1, 2, 3]", "unknown key \"centre\"\n    did you mean \"center\"?"),
        ("[camera]\neye = [0, 0.8, 0]", "camera.target: [0.0, 0.8, 0.0]\n    the camera is there"),
        ("[camera]\nup = [0, 0.7, 5]", "camera.up: [0.0, 0.7, 5.0]\n    give a direction"),
        ("[[plane]]\nnormal = [0, 2, 0]", "plane 1, normal: [0.0, 2.0, 0.0]\n    give a vector of length 1"),
        ("[[lattice]]\ncounts = [0, 1, 1]", "lattice 1, counts: [0, 1, 1]"),
        ("[[lattice]]\ncounts = [100000, 100000, 100000]", "at most 10000000 spheres"),
        (
            "[[height_field]]\nheights = [1, 2, 3]",
            "height_field 1, heights: 3 heights\n    give at least two whole rows",
        ),
    ] {
        let text = format!("model = \"render\"\nwidth = 16\nheight = 12\n[[light]]\n\n\n[[sphere]]\n{line}\n");
        std::fs::write(&scene, text).unwrap();
        is_refused(&["run", &path, "--out", &out, "--overwrite"], 2, part);
    }
    for (change, code, part) in [
        ("width=0", 2, "width: 0\n    give a whole number from 1 to 32768"),
        ("samples=0", 2, "samples: 0\n"),
        ("style=photo", 2, "unknown value \"photo\""),
        ("folder=", 2, "folder: \"\""),
    ] {
        std::fs::write(&scene, good).unwrap();
        is_refused(&["run", &path, "--overwrite", "--set", change], code, part);
    }
    // A run of the scene model already contains its image.
    is_refused(
        &["render", &out],
        2,
        "is the run of a scene, whose image has already been rendered\n    open picture.png in it",
    );
}

/// The live page of a scene or a run, which ends when dropped.
struct Page {
    child: std::process::Child,
    title: String,
    url: String,
}

impl Page {
    fn open(input: &str) -> Self {
        let mut command = Command::new(program(env!("CARGO_BIN_EXE_throng")));
        command.args(["view", input, "--no-open", "--threads", "1"]).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the binary was built for this test");
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
        let (title, url) = (lines.next().unwrap_or_default(), lines.next().unwrap_or_default());
        assert!(url.starts_with("http://127.0.0.1:"), "{title}, {url}");
        Self { child, title, url }
    }

    /// Returns the response to a request for a file of the page.
    fn get(&self, file: &str) -> String {
        let rest = self.url.strip_prefix("http://").unwrap();
        let (host, path) = rest.split_once('/').unwrap();
        let mut stream = TcpStream::connect(host).unwrap();
        write!(stream, "GET /{path}{file} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        String::from_utf8_lossy(&answer).into_owned()
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn scenes_and_runs_have_a_live_page() {
    let dir = tempfile::tempdir().unwrap();
    let run = kalah_run(dir.path());
    let spheres = repository().join("examples/spheres").display().to_string();
    for (input, title, part) in
        [(spheres.as_str(), "1,000 spheres", "\"light\":["), (&run, "Kalah: ", "\"unit\":\"move\"")]
    {
        let page = Page::open(input);
        let html = page.get("");
        assert!(html.starts_with("HTTP/1.1 200") && html.contains("<canvas"), "{html}");
        let description = page.get("description.json");
        assert!(description.contains(title) && description.contains(part), "{description}");
    }
    let city = repository().join("examples/city").display().to_string();
    is_refused(&["view", &city], 2, "is a scenario of traffic, not a scene or a run\n    run it first: throng run ");
    // The traffic model accepts any file.
    let [script, network, cache] = ["script.py", "network.xml", "city.throng"].map(|name| {
        let path = dir.path().join(name);
        std::fs::write(&path, "").unwrap();
        path.display().to_string()
    });
    let run_it = format!("{cache}: is a scenario of traffic, not a scene or a run\n    run it first: throng run ");
    is_refused(&["view", &cache], 2, &run_it);
    for file in ["/dev/zero", &script, &network] {
        is_refused(&["view", file], 2, &format!("{file}: is not a scene or a run\n    "));
    }
    is_refused(&["view", "no/such/place"], 2, "there is no such file or folder");
    is_refused(&["view", &run, "--port", "99999"], 2, "--port: 99999");
    is_refused(&["view", &run, "--device", "gpu"], 2, "--device: \"gpu\" is not a device");
    is_refused(&["view", &run, "--device", "cuda:999"], 3, "there is no device cuda:999");
}

#[test]
fn titles_cannot_control_the_terminal() {
    let dir = tempfile::tempdir().unwrap();
    let scene = dir.path().join("scene.toml").display().to_string();
    let title = "title = \"\\u001b[31mRED\\u0007\\nhttp://other\"";
    std::fs::write(&scene, format!("model = \"render\"\n{title}\n[[light]]\n[[sphere]]\n")).unwrap();
    assert_eq!(Page::open(&scene).title, "\\u{1b}[31mRED\\u{7}\\u{a}http://other");
    // Names of players come from the record.
    let run = kalah_run(dir.path());
    let games = Path::new(&run).join("games.txt");
    let record = std::fs::read_to_string(&games).unwrap();
    let named = record.replacen("random", "\u{1b}[31mran\u{9b}dom", 1);
    assert_ne!(named, record);
    std::fs::write(&games, named).unwrap();
    for title in [Page::open(&run).title.clone(), succeeds(&["render", &run, "--list"])] {
        assert!(title.contains("\\u{1b}[31mran\\u{9b}dom") && !title.contains(['\u{1b}', '\u{9b}']), "{title:?}");
    }
}
