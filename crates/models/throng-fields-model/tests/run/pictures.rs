//! Colours, marks and animations of runs, and the page that plays them.

use std::path::Path;
use std::process::Command;

use tempfile::TempDir;
use throng_core::NoProgress;
use throng_device::DeviceChoice;
use throng_fields_model::{Change, FieldsRun, Scenario, run};
use throng_model::RunRequest;

use super::{saved, written};

/// Runs the small scenario with changes on the CPU, and returns its report.
fn report(dir: &TempDir, changes: &[&str]) -> String {
    let changes: Vec<Change> = changes.iter().map(|change| Change::typed(*change)).collect();
    let scenario = Scenario::read(&written(dir, &[]), &changes).unwrap();
    let out = dir.path().join("out");
    let request = RunRequest { device: DeviceChoice::Cpu, ..RunRequest::default() };
    run(FieldsRun { folder: Some(out.clone()), ..FieldsRun::new(scenario) }, &request, &NoProgress).unwrap();
    std::fs::read_to_string(out.join("report.html")).unwrap()
}

/// The data that the player of a report reads.
fn film(report: &str) -> serde_json::Value {
    let data = report.split("<script type=\"application/json\">").nth(1).unwrap();
    serde_json::from_str(data.split("</script>").next().unwrap()).unwrap()
}

/// Decodes base64.
fn decoded(text: &str) -> Vec<u8> {
    let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let groups = text.as_bytes().chunks(4).map(|group| {
        let known = group.iter().filter_map(|&letter| letters.find(char::from(letter)));
        let (count, bits) = known.fold((0, 0u32), |(count, bits), value| (count + 1, bits << 6 | value as u32));
        (bits << (6 * (4 - count))).to_be_bytes()[1..count].to_vec()
    });
    groups.flatten().collect()
}

/// Draws the next frame of a file over the previous ones, and returns its display time in milliseconds.
fn draw_next(
    file: &mut png::Reader<std::io::Cursor<Vec<u8>>>,
    canvas: &mut [[u8; 3]],
    at: [usize; 2],
    width: usize,
) -> u32 {
    let mut pixels = vec![0; file.output_buffer_size().unwrap()];
    let size = file.next_frame(&mut pixels).unwrap();
    let control = file.info().frame_control();
    let [left, top] = control.map_or(at, |control| [control.x_offset as usize, control.y_offset as usize]);
    let columns = size.width as usize;
    for (i, pixel) in pixels.as_chunks::<4>().0.iter().take(columns * size.height as usize).enumerate() {
        if pixel[3] == 255 {
            canvas[(top + i / columns) * width + left + i % columns] = [pixel[0], pixel[1], pixel[2]];
        }
    }
    control.map_or(0, |control| u32::from(control.delay_num) * 1000 / u32::from(control.delay_den))
}

fn opened(bytes: Vec<u8>) -> png::Reader<std::io::Cursor<Vec<u8>>> {
    let mut decoder = png::Decoder::new(std::io::Cursor::new(bytes));
    decoder.set_transformations(png::Transformations::EXPAND | png::Transformations::ALPHA);
    decoder.read_info().unwrap()
}

#[test]
fn the_report_contains_the_frames_of_the_animation() {
    let dir = TempDir::new().unwrap();
    let film = film(&report(&dir, &[]));
    let mut file = opened(std::fs::read(dir.path().join("out/fields.png")).unwrap());
    let (width, height) = (file.info().width as usize, file.info().height as usize);
    assert_eq!((&film["width"], &film["height"]), (&width.into(), &height.into()));
    // Every fourth of the 24 steps has a frame.
    let frames = film["frames"].as_array().unwrap();
    assert_eq!((frames.len(), file.info().animation_control().unwrap().num_frames), (7, 7));
    let (mut animation, mut page) = (vec![[0; 3]; width * height], vec![[0; 3]; width * height]);
    for (i, frame) in frames.iter().enumerate() {
        let time = draw_next(&mut file, &mut animation, [0; 2], width);
        let number = |key: &str| frame[key].as_u64().unwrap() as usize;
        let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
        let joined = text(&frame["head"]) + &text(&film["palette"]) + &text(&frame["rest"]);
        draw_next(&mut opened(decoded(&joined)), &mut page, [number("x"), number("y")], width);
        assert!(page == animation, "frame {i}");
        assert_eq!((number("ms"), text(&frame["text"])), (time as usize, format!("time {:.1}", 2.0 * i as f64)));
    }
    // Equal to the last image, except for colours that the palette replaces.
    let mut last = opened(std::fs::read(dir.path().join("out/last.png")).unwrap());
    let mut expected = vec![[0; 3]; width * height];
    draw_next(&mut last, &mut expected, [0; 2], width);
    let far = page.iter().zip(&expected).filter(|(a, b)| (0..3).any(|i| a[i].abs_diff(b[i]) > 24)).count();
    assert!(far < page.len() / 200, "{far} of {}", page.len());
}

#[test]
fn animations_obey_their_size_limit_and_the_report_describes_reductions() {
    let dir = TempDir::new().unwrap();
    let changes = ["run.steps=300", "output.frame_every=1", "output.pixels_per_cell=16", "output.film_megabytes=0.25"];
    let report = report(&dir, &changes);
    let size = std::fs::metadata(dir.path().join("out/fields.png")).unwrap().len();
    assert!((50_000..=250_000).contains(&size), "{size}");
    assert!(
        report.contains("To keep to 0.25 MB (output.film_megabytes), the animation has"),
        "{}",
        film(&report)["label"]
    );
    let frames = film(&report)["frames"].as_array().unwrap().clone();
    assert!(frames.len() < 301 && frames.last().unwrap()["text"] == "time 150.0", "{}", frames.len());
    let shown: u64 = frames.iter().map(|frame| frame["ms"].as_u64().unwrap()).sum();
    assert_eq!(shown, 301 * 83);
}

#[test]
fn colours_have_names_or_hexadecimal_digits_in_all_outputs() {
    let dir = TempDir::new().unwrap();
    let changes = ["entities.home.colour=#1f77b4", "agents.planners.colour=#00aa77", "output.colours=red-blue"];
    let with =
        [&changes[..], &[r##"output.legend={ "#1F77B4" = "base" }"##, r#"output.meaning=["bad", "good"]"#]].concat();
    let text = report(&dir, &with);
    // The team "us" has the colour of "home", and the group its own.
    assert!(text.contains("stroke=\"#1f77b4\"") && text.contains("stroke=\"#00aa77\""));
    assert!(text.contains("<th class=\"n\">Walking</th><th class=\"n\">Arrived</th><th class=\"n\">Stuck</th>"));
    let effective = |changes: &[&str]| {
        let changes: Vec<Change> = changes.iter().map(|change| Change::typed(*change)).collect();
        Scenario::read(&written(&dir, &[]), &changes).map(|scenario| scenario.effective)
    };
    let text = effective(&with).unwrap();
    for part in ["colour = \"#1f77b4\"", "\"#1f77b4\" = \"base\"", "colours = \"red-blue\"", "film_megabytes = 10.0"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    for (change, expected) in [
        ("entities.home.colour=#1f77b", "unknown value \"#1f77b\"\n    "),
        ("entities.home.colour=#1f77b", "red, blue, green, purple, orange, yellow, brown, pink, grey, #1f77b4"),
        ("output.colours=rainbow", "unknown value \"rainbow\"\n    known: blue-orange, red-blue, viridis, grey"),
        ("output.film_megabytes=0", "film_megabytes: 0\n    expected a number from 0.1 to 1000"),
        ("output.legend={ \"#123456\" = \"bears\" }", "nothing is #123456\n    name colours"),
        ("output.meaning=[\"bad\"]", "expected"),
    ] {
        let found = effective(&[change]).unwrap_err().to_string();
        assert!(found.contains(expected), "{change}: {found}");
    }
}

/// The pixels of a still image of a run.
fn still(dir: &TempDir, name: &str) -> Vec<[u8; 3]> {
    let mut picture = opened(std::fs::read(dir.path().join("out").join(name)).unwrap());
    let (width, height) = (picture.info().width as usize, picture.info().height as usize);
    let mut pixels = vec![[0; 3]; width * height];
    draw_next(&mut picture, &mut pixels, [0; 2], width);
    pixels
}

/// Counts the pixels whose colour is between white and the given colour, inclusive.
fn shades(pixels: &[[u8; 3]], colour: [u8; 3]) -> usize {
    let share = |pixel: &[u8; 3], i: usize| f64::from(255 - pixel[i]) / f64::from(255 - colour[i]);
    let is_shade = |pixel: &&[u8; 3]| {
        let shares = [0, 1, 2].map(|i| share(pixel, i));
        **pixel != [255; 3] && shares.iter().all(|found| (found - shares[1]).abs() < 0.04)
    };
    pixels.iter().filter(is_shade).count()
}

/// The colours of the teams: that of "home", and the first unused one of the palette.
const US: [u8; 3] = [55, 126, 184];
const THEM: [u8; 3] = [228, 26, 28];

#[test]
fn influence_images_use_team_colours() {
    let dir = TempDir::new().unwrap();
    for colours in ["blue-orange", "red-blue"] {
        let folder = TempDir::new_in(dir.path()).unwrap();
        let text = report(&folder, &[&format!("output.colours={colours}")]);
        let pixels = still(&folder, "influence.png");
        let (us, them) = (shades(&pixels, US), shades(&pixels, THEM));
        assert!(us > 2000 && them > 2000, "{us} {them}");
        assert!(text.contains("The strongest team of each cell") && text.contains("stroke=\"#e41a1c\""));
        // Agents are drawn: more pixels have their colour than the two discs of the legend have.
        let green = |pixel: &&[u8; 3]| **pixel == [77, 175, 74];
        let agents = pixels.iter().filter(green).count();
        assert!(agents > 130, "{agents}");
    }
    let changes = ["output.layer=influence", "output.frame_every=12"];
    report(&dir, &changes);
    let pixels = still(&dir, "last.png");
    let (us, them) = (shades(&pixels, US), shades(&pixels, THEM));
    assert!(us > 2000 && them > 2000, "{us} {them}");
}

/// Runs a scenario on the CPU, and returns its warnings.
fn warnings(dir: &TempDir, text: &str, changes: &[&str]) -> String {
    let changes: Vec<Change> = changes.iter().map(|change| Change::typed(*change)).collect();
    let scenario = Scenario::read(&saved(dir, text), &changes).unwrap();
    let request = RunRequest { device: DeviceChoice::Cpu, ..RunRequest::default() };
    let folder = Some(dir.path().join("out"));
    let done = run(FieldsRun { folder, overwrite: true, ..FieldsRun::new(scenario) }, &request, &NoProgress).unwrap();
    done.warnings.lines().collect()
}

const ROBOT: &str = "model = \"fields\"\n[grid]\nsize = [30, 20]\ncell = 0.5\n[run]\nsteps = 4\ntime_step = 0.5\n\
                     [[walls]]\nshape = \"line\"\npoints = [[15, 2], [15, 12]]\n\
                     [nav2]\nrobot_radius = 1\ninflation_radius = 4\ncost_scaling_factor = 1\n\
                     [[goals]]\nat = [25, 10]\nradius = 2\n[[agents]]\nname = \"robots\"\ncount = 3\nspeed = 1\n\
                     start = { at = [4, 10], radius = 2 }\nfollow = \"flow\"\n";

#[test]
fn robot_maps_show_costs_without_value_warnings() {
    let dir = TempDir::new().unwrap();
    // The colours of 0, of walls, and of the ground.
    let [free, wall, ground] = [[68, 1, 84], [56, 56, 60], [246, 246, 243]];
    let count = |pixels: &[[u8; 3]], colour: [u8; 3]| pixels.iter().filter(|&&pixel| pixel == colour).count();
    let kinds = |pixels: &[[u8; 3]]| pixels.iter().collect::<std::collections::BTreeSet<_>>().len();
    let told = warnings(&dir, ROBOT, &[]);
    assert!(!told.contains("output.range"), "{told}");
    let costs = still(&dir, "first.png");
    assert!(count(&costs, free) > 20_000 && count(&costs, wall) > 2_000 && count(&costs, ground) == 0);
    let yellow = costs.iter().filter(|[red, green, blue]| *red > 240 && *green > 220 && *blue < 60).count();
    assert!(yellow > 2_000 && kinds(&costs) > 100, "costs fall with the distance: {yellow}");
    warnings(&dir, ROBOT, &["output.layer=costmap"]);
    assert!(still(&dir, "first.png") == costs);
    // Without costs there is no field: the image shows only the ground, and there is no warning about values.
    let text = ROBOT.replace("[nav2]\nrobot_radius = 1\ninflation_radius = 4\ncost_scaling_factor = 1\n", "");
    let told = warnings(&dir, &text, &[]);
    assert!(!told.contains("output.range"), "{told}");
    assert!(count(&still(&dir, "first.png"), ground) > 20_000);
    // A field that is 0 everywhere at all times causes a warning.
    let told = |rates: [i32; 2]| {
        let entity = |rate: i32| format!("[[entities]]\nat = [9, 9]\nemits = {{ scent = {rate} }}\n");
        let entities = rates.map(entity).concat();
        let diffuses = format!("layers = [\"scent\"]\n{text}[diffusion.scent]\ndiffusivity = 1\n{entities}");
        warnings(&dir, &diffuses, &[])
    };
    let balanced = told([1, -1]);
    assert!(balanced.contains("give output.range"), "{balanced}");
    let without = told([0, 0]);
    assert!(without.contains("nothing emits") && !without.contains("give output.range"), "{without}");
    for (layer, expected) in
        [("costmap", "there is no costmap\n    add [nav2]"), ("influence", "there is no influence")]
    {
        let error = Scenario::read(&saved(&dir, &text), &[Change::typed(format!("output.layer={layer}"))]).unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");
    }
}

#[test]
fn many_agents_are_drawn_as_a_density() {
    let dir = TempDir::new().unwrap();
    let report = report(&dir, &["agents.planners.count=4000", "run.steps=1"]);
    assert!(report.contains("Coloured blocks show how many agents there are, because there are more than 4000"));
    let mut picture = opened(std::fs::read(dir.path().join("out/last.png")).unwrap());
    let (width, height) = (picture.info().width as usize, picture.info().height as usize);
    let mut pixels = vec![[0; 3]; width * height];
    draw_next(&mut picture, &mut pixels, [0; 2], width);
    let pink = |[red, green, blue]: [u8; 3]| red > 200 && blue > 120 && green < 120;
    assert!(pixels.iter().filter(|&&pixel| pink(pixel)).count() > 500);
}

/// A script that moves the slider to the end, and writes sums of the shown pixels and the texts of the controls to the
/// page.
const MOVE: &str = r#"<script>
(async () => {
  const wait = () => new Promise((resolve) => setTimeout(resolve, 20));
  const figure = document.querySelector("figure.film");
  while (figure.dataset.frame !== "0") await wait();
  const slider = figure.querySelector("input");
  for (const value of [slider.max, 2, slider.max]) {
    slider.value = value;
    slider.dispatchEvent(new Event("input"));
    while (figure.dataset.frame !== String(value)) await wait();
  }
  const canvas = figure.querySelector("canvas");
  const pixels = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
  const sums = [0, 0, 0];
  pixels.forEach((part, i) => { if (i % 4 < 3) sums[i % 4] += part; });
  const controls = [figure.querySelector("button").textContent, figure.querySelector("output").textContent];
  document.body.dataset.seen = [...sums, ...controls, slider.getAttribute("aria-valuetext")].join("|");
})();
</script></body>"#;

#[test]
fn a_browser_shows_the_frame_of_the_slider() {
    let Some(program) = throng_testing::chromium() else { return };
    let dir = TempDir::new().unwrap();
    let report = report(&dir, &[]);
    let page = dir.path().join("out/page.html");
    std::fs::write(&page, report.replace("</body>", MOVE)).unwrap();
    let seen = dumped(&program, &page, dir.path());
    let width = film(&report)["width"].as_u64().unwrap() as usize;
    let mut file = opened(std::fs::read(dir.path().join("out/fields.png")).unwrap());
    let mut canvas = vec![[0; 3]; width * file.info().height as usize];
    for _ in 0..7 {
        draw_next(&mut file, &mut canvas, [0; 2], width);
    }
    let sums = [0, 1, 2].map(|part| canvas.iter().map(|pixel| u64::from(pixel[part])).sum::<u64>().to_string());
    assert_eq!(seen, format!("{}|Play|time 12.0|time 12.0, frame 7 of 7", sums.join("|")));
}

/// The text that a page has written, in a browser that opens it as a file.
fn dumped(program: &Path, page: &Path, folder: &Path) -> String {
    let output = Command::new(program)
        // Without a sandbox: containers rarely allow one, and we load only our own page. Virtual time advances without
        // waiting while other threads decode frames, so on a busy machine the page needs much of it.
        .args(["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"])
        .args(["--disable-background-networking", "--virtual-time-budget=600000", "--dump-dom"])
        .arg(format!("--user-data-dir={}", folder.join("browser").display()))
        .arg(format!("file://{}", page.display()))
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let seen = text.split("data-seen=\"").nth(1).unwrap_or_else(|| panic!("nothing was seen: {text:.2000}"));
    seen.split('"').next().unwrap().to_owned()
}

#[test]
fn colours_span_the_values_of_all_frames() {
    // A scent that spreads from an empty map: in the first frame, the value is 0 everywhere.
    let text = "model = \"fields\"\nlayers = [\"scent\"]\ngrid = { size = [40, 30], cell = 1 }\n\
                run = { steps = 24, time_step = 0.5 }\ndiffusion.scent = { diffusivity = 1 }\n\
                entities = [{ at = [12, 9], emits = { scent = 4 }, path = [[30, 20]], speed = 2 }]\n\
                output = { frame_every = 4, npy = false }\n";
    let dir = TempDir::new().unwrap();
    let files = |name: &str, changes: &[String]| {
        let changes: Vec<Change> = changes.iter().map(|change| Change::typed(change.as_str())).collect();
        let scenario = Scenario::read(&saved(&dir, text), &changes).unwrap();
        let folder = Some(dir.path().join(name));
        let request = RunRequest { device: DeviceChoice::Cpu, ..RunRequest::default() };
        let done = run(FieldsRun { folder, ..FieldsRun::new(scenario) }, &request, &NoProgress).unwrap();
        assert!(done.warnings.is_empty(), "{:?}", done.warnings);
        let bytes = |name: &str| std::fs::read(done.folder.join(name)).unwrap();
        let replay: serde_json::Value = serde_json::from_slice(&bytes("replay.json")).unwrap();
        (["fields.png", "first.png", "last.png"].map(bytes), replay["field"]["range"].clone())
    };
    let (pictures, range) = files("free", &[]);
    assert!(range[0] == 0.0 && range[1].as_f64() > Some(1.0), "{range}");
    let (expected, _) = files("given", &[format!("output.range={range}")]);
    assert!(pictures == expected, "in the range of all frames");
    let (other, _) = files("other", &["output.range=[0, 1]".to_owned()]);
    assert!((0..3).all(|picture| pictures[picture] != other[picture]));
}
