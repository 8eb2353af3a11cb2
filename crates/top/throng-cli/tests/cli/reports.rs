//! The report of every example must suit readers with a phone, a keyboard or little time.

use std::path::Path;

use throng_testing::repository;

use super::{code, err, throng};
use crate::csv_tables::check_tables;

/// Runs an example with few steps, checks that it writes these tables, and returns its report and its summary.
fn report(example: &str, more: &[&str], tables: &[&str]) -> (String, String) {
    let dir = tempfile::tempdir().unwrap();
    let (scenario, out) = (repository().join("examples").join(example), dir.path().join("out"));
    let fixed = ["run", scenario.to_str().unwrap(), "--device", "cpu", "--out", out.to_str().unwrap()];
    let output = throng(&[&fixed[..], more].concat());
    assert_eq!(code(&output), 0, "{example}: {}", err(&output));
    let read = |path: &Path| std::fs::read_to_string(path).unwrap();
    let report = read(&out.join("report.html"));
    check(example, &report);
    assert_eq!(check_tables(&out), tables, "{example}");
    (report, super::out(&output))
}

/// Returns an attribute of the element at the start of a text.
fn attribute<'t>(element: &'t str, name: &str) -> &'t str {
    let value = element.split_once(&format!(" {name}=\"")).unwrap_or_else(|| panic!("{name}: {element:.200}")).1;
    value.split_once('"').unwrap().0
}

/// Checks the rules for all reports.
fn check(name: &str, page: &str) {
    // Anything wider than a phone must scroll, also by keyboard, and have a name.
    let regions: Vec<&str> = page.split("<div class=\"scroll\"").skip(1).collect();
    for region in &regions {
        assert_eq!((attribute(region, "tabindex"), attribute(region, "role")), ("0", "region"), "{name}");
        assert!(!attribute(region, "aria-label").is_empty(), "{name}");
    }
    for element in ["<table", "<svg", "<img"] {
        let inside = regions.iter().filter(|region| region.split("</div>").next().unwrap().contains(element)).count();
        assert_eq!(inside, page.matches(element).count(), "{name}: {element} outside of a scrolling region");
    }
    // Text is at least 11 pixels high and lies inside its chart without covering other text.
    let (_, min_width) = page.split_once("svg{min-width:").unwrap();
    let min_width: f64 = min_width.split_once("px").unwrap().0.parse().unwrap();
    for svg in page.split("<svg ").skip(1).map(|rest| rest.split("</svg>").next().unwrap()) {
        let svg = &format!(" {svg}");
        let view: Vec<f64> = attribute(svg, "viewBox").split(' ').map(|number| number.parse().unwrap()).collect();
        let font: f64 = attribute(svg, "font-size").parse().unwrap();
        assert!(font / view[2] * min_width >= 11.0, "{name}: {font} in {view:?}");
        let boxes: Vec<([f64; 4], &str)> = svg.split("<text").skip(1).map(|text| text_box(text, font)).collect();
        for (at, (a, text)) in boxes.iter().enumerate() {
            assert!(
                a[0] >= 0.0 && a[1] <= view[2] && a[2] >= 0.0 && a[3] <= view[3],
                "{name}: \"{text}\" is cut off: {a:?}"
            );
            let touched = boxes[..at].iter().find(|(b, _)| a[0] < b[1] && b[0] < a[1] && a[2] < b[3] && b[2] < a[3]);
            assert!(touched.is_none(), "{name}: \"{text}\" {a:?} covers {touched:?}");
        }
    }
    // Animations have a player; still images have none.
    let films = page.matches("<figure class=\"film\">").count();
    for control in ["type: \"button\"", "type: \"range\"", "\"keydown\""] {
        assert_eq!(page.matches(control).count(), films, "{name}: {control}");
    }
    assert!(!page.contains("</h2>\n</section>"), "{name}: an empty section");
    // Images and animation frames are long base64 words, which may contain anything. A zero has the same number of
    // decimals as the other figures of its axis.
    let is_data = |c: char| c.is_ascii_alphanumeric() || "+/=".contains(c);
    let page: String = page.split_inclusive(|c: char| !is_data(c)).filter(|word| word.len() <= 40).collect();
    let page = page.replace(">0.000<", "><").replace(">0.0000<", "><");
    for unrounded in [".000<", ".0000<", "NaN", "undefined"] {
        assert!(!page.contains(unrounded), "{name}: {unrounded}");
    }
}

/// Returns left, right, top and bottom of a text, assuming the mean letter width of Helvetica.
fn text_box(text: &str, font: f64) -> ([f64; 4], &str) {
    let (attributes, rest) = text.split_once('>').unwrap();
    let shown = rest.split("</text>").next().unwrap().rsplit('>').next().unwrap();
    let [x, y]: [f64; 2] = ["x", "y"].map(|name| attribute(attributes, name).parse().unwrap());
    let width = 0.5 * font * shown.chars().count() as f64;
    let left =
        match attributes.split_once("text-anchor=\"").map_or("start", |(_, rest)| rest.split_once('"').unwrap().0) {
            "middle" => x - width / 2.0,
            "end" => x - width,
            _ => x,
        };
    ([left, left + width, y - 0.7 * font, y], shown)
}

#[test]
fn reports_of_discs_have_an_animation_and_rounded_figures() {
    let more = ["--steps", "12", "--set", "discs=200", "--set", "discs_table=true"];
    let (report, summary) = report("collision", &more, &["discs.csv", "measures.csv"]);
    assert!(report.contains("<figure class=\"film\">") && report.contains("\"text\":\"step 10\""));
    assert!(report.contains("<span>Wishes granted</span>") && report.contains("wishes granted, %</text>"));
    let line = summary.lines().find(|line| line.starts_with("wishes granted")).unwrap();
    assert!(line.ends_with(" %"), "{line}");
}

#[test]
fn reports_of_pedestrians_have_an_animation_and_whole_numbers() {
    let tables = ["doors.csv", "exits.csv", "fundamental_diagram.csv", "measures.csv"];
    // The crossing has no doors.
    for (example, steps, tables) in [("evacuation", "60", &tables[..]), ("crossing", "30", &tables[1..])] {
        let (report, summary) = report(example, &["--steps", steps], tables);
        assert!(report.contains("<figure class=\"film\">") && report.contains("persons</text>"), "{example}");
        let left = summary.lines().find(|line| line.starts_with("persons who have left")).unwrap();
        assert!(left.rsplit(' ').next().unwrap().bytes().all(|byte| byte.is_ascii_digit()), "{left}");
    }
}

#[test]
fn reports_of_fields_have_legends_and_units() {
    let tables = ["agents.csv", "measures.csv", "queries.csv"];
    for (example, tables) in [("fields", &tables[..2]), ("warehouse", &tables)] {
        let (report, _) = report(example, &["--steps", "20"], tables);
        assert!(report.contains("<figure class=\"film\">") && report.contains("time, units of the scenario</text>"));
    }
}

#[test]
fn societies_games_and_scenes_have_reports() {
    // With this many inventions, all tables have rows.
    let more = ["--steps", "12", "--set", "trade_list=true", "--set", "stock_every=6"];
    let more = [&more[..], &["--set", "invention.tool_probability=0.02"]].concat();
    let tables = ["agents.csv", "input_output.csv", "lorenz.csv", "measures.csv", "partners.csv", "recipes.csv"];
    let tables = [&tables[..], &["stock.csv", "trades.csv"]].concat();
    let (report_of_societies, summary) = report("societies", &more, &tables);
    assert!(report_of_societies.contains("<span>Gini coefficient of utility</span>"));
    assert!(summary.contains("units held per agent"), "{summary}");
    report("kalah", &["--set", "openings=2"], &["cross_table.csv", "games.csv", "players.csv"]);
    report("spheres", &["--set", "width=64", "--set", "height=48"], &[]);
}

#[test]
fn reports_of_traffic_have_maps_and_charts() {
    let more = ["--set", "qsim.endTime=06:30:00", "--set", "controller.compressionType=none", "--link-volumes"];
    let tables = ["leg_histogram.csv", "leg_times.csv", "link_stats.csv", "link_volumes.csv", "modestats.csv"];
    let statistics = [
        "output_activities.csv",
        "output_legs.csv",
        "output_persons.csv",
        "output_trips.csv",
        "ph_modestats.csv",
        "pkm_modestats.csv",
    ];
    let others = ["stuck_agents.csv", "traveldistancestats.csv", "trip_times.csv"];
    let tables = [&tables[..], &statistics, &others].concat();
    let (report, _) = report("city", &[&more[..], &["--overwrite"]].concat(), &tables);
    assert!(report.contains("mean speed, km/h</text>") && report.contains("legs in five minutes</text>"));
}

#[test]
fn reports_of_sweeps_begin_with_the_main_effects() {
    let dir = tempfile::tempdir().unwrap();
    let (scenario, out) = (repository().join("examples/discs"), dir.path().join("out"));
    let fixed = ["sweep", scenario.to_str().unwrap(), "--output", out.to_str().unwrap(), "--device", "cpu"];
    let vary = ["--steps", "20", "--vary", "step_m=0.2,0.05,0.1", "--seeds", "2"];
    let output = throng(&[&fixed[..], &vary].concat());
    assert_eq!(code(&output), 0, "{}", err(&output));
    let page = std::fs::read_to_string(out.join("report.html")).unwrap();
    check("sweep", &page);
    assert_eq!(
        check_tables(&out),
        ["columns.csv", "differences.csv", "runs.csv", "series.csv", "summary.csv", "wall_times.csv"]
    );
    let positions = ["Effects of the parameters", " changes most: from ", ">0.05</text>", ">0.1</text>", ">0.2</text>"];
    let positions = positions.map(|part| page.find(part));
    assert!(positions.iter().all(Option::is_some) && positions.is_sorted(), "{positions:?}");
}
