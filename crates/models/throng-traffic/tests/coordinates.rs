//! A day whose inputs are in degrees, against the same day in metres: events, tables and the inputs in effect.

use std::io::Read as _;
use std::path::Path;

use tempfile::TempDir;
use throng_core::{NoProgress, Warnings};
use throng_matsim::coordinates::Transformation;
use throng_model::RunRequest;
use throng_traffic::config::{self, Change};
use throng_traffic::{Day, make_cache, run};

const RUN: &str = "EPSG:25832";

/// Writes network, plans, facilities, schedule and vehicles of a place in Munich; `system` is that of their
/// coordinates. Only facilities and schedule name it.
fn write_inputs(folder: &Path, system: &str) {
    let transformation = Transformation::between(RUN, system).unwrap();
    let xy = |x: f64, y: f64| {
        let (x, y) = (690_000.0 + x, 5_334_000.0 + y);
        let [x, y] = transformation.as_ref().map_or([x, y], |transformation| transformation.apply(x, y).unwrap());
        format!("x=\"{x}\" y=\"{y}\"")
    };
    let attributes = format!(
        "<attributes><attribute name=\"coordinateReferenceSystem\" class=\"java.lang.String\">{system}</attribute>\
         </attributes>"
    );
    let link = |id: &str, from: &str, to: &str| {
        format!(
            "<link id=\"{id}\" from=\"{from}\" to=\"{to}\" length=\"1000\" freespeed=\"10\" capacity=\"1800\" \
             permlanes=\"1\" modes=\"car\"/>\n"
        )
    };
    let network = format!(
        "<network><nodes><node id=\"a\" {}/><node id=\"b\" {}/><node id=\"c\" {}/></nodes>\n<links>{}{}{}{}</links></network>",
        xy(0.0, 0.0),
        xy(1000.0, 0.0),
        xy(2000.0, 0.125),
        link("ab", "a", "b"),
        link("bc", "b", "c"),
        link("cb", "c", "b"),
        link("ba", "b", "a"),
    );
    let person = |id: u32, mode: &str| {
        format!(
            "<person id=\"{id}\"><plan selected=\"yes\"><activity type=\"home\" {} end_time=\"06:00:00\"/><leg mode=\"{mode}\"/>\
             <activity type=\"work\" facility=\"office\" end_time=\"06:20:00\"/><leg mode=\"walk\"/>\
             <activity type=\"home\" {}/></plan></person>\n",
            xy(f64::from(id) * 50.5, 20.0),
            xy(1450.0, 0.25 * f64::from(id)),
        )
    };
    let persons: String = (0..12).map(|id| person(id, ["car", "pt", "bike"][id as usize % 3])).collect();
    let plans = format!("<!DOCTYPE population SYSTEM \"population_v6.dtd\">\n<population>\n{persons}</population>");
    let facilities = format!("<facilities>{attributes}<facility id=\"office\" {}/></facilities>", xy(1900.0, 30.0));
    let stop =
        |id: &str, x: f64, link: &str| format!("<stopFacility id=\"{id}\" {} linkRefId=\"{link}\"/>", xy(x, 1.0));
    let schedule = format!(
        "<transitSchedule>{attributes}<transitStops>{}{}</transitStops><transitLine id=\"L\"><transitRoute id=\"r\">\
         <transportMode>bus</transportMode><routeProfile><stop refId=\"s1\" departureOffset=\"00:00:00\"/>\
         <stop refId=\"s2\" arrivalOffset=\"00:03:00\"/></routeProfile><route><link refId=\"ab\"/><link refId=\"bc\"/></route>\
         <departures><departure id=\"d\" departureTime=\"06:25:00\" vehicleRefId=\"bus\"/></departures>\
         </transitRoute></transitLine></transitSchedule>",
        stop("s1", 900.0, "ab"),
        stop("s2", 1950.0, "bc"),
    );
    let vehicles = "<vehicleDefinitions xmlns=\"http://www.matsim.org/files/dtd\"><vehicleType id=\"b\">\
        <capacity seats=\"20\" standingRoomInPersons=\"0\"/><length meter=\"10\"/><width meter=\"1\"/>\
        </vehicleType><vehicle id=\"bus\" type=\"b\"/></vehicleDefinitions>";
    for (name, text) in [
        ("network.xml", network),
        ("plans.xml", plans),
        ("facilities.xml", facilities),
        ("schedule.xml", schedule),
        ("vehicles.xml", vehicles.to_owned()),
    ] {
        std::fs::write(folder.join(name), text).unwrap();
    }
}

/// The parameters of a day in a folder; `system` is that of network and plans.
fn parameters(folder: &Path, system: &str, out: &str) -> Vec<String> {
    let file = |name: &str| folder.join(name).display().to_string();
    let mut all = vec![
        format!("global.coordinateSystem={RUN}"),
        format!("network.inputNetworkFile={}", file("network.xml")),
        format!("plans.inputPlansFile={}", file("plans.xml")),
        format!("facilities.inputFacilitiesFile={}", file("facilities.xml")),
        "facilities.facilitiesSource=fromFile".to_owned(),
        "transit.useTransit=true".to_owned(),
        format!("transit.transitScheduleFile={}", file("schedule.xml")),
        format!("transit.vehiclesFile={}", file("vehicles.xml")),
        format!("controller.outputDirectory={}", file(out)),
        "controller.compressionType=none".to_owned(),
    ];
    if system != RUN {
        all.extend([format!("network.inputCRS={system}"), format!("plans.inputCRS={system}")]);
    }
    all
}

fn day(parameters: &[String]) -> Day {
    let changes: Vec<Change> = parameters.iter().map(Change::typed).collect();
    Day::new(config::from_changes(&changes).unwrap().settings)
}

fn read(folder: &Path, name: &str) -> String {
    let mut text = String::new();
    let packed = folder.join(format!("{name}.gz"));
    if packed.exists() {
        flate2::read::MultiGzDecoder::new(std::fs::File::open(packed).unwrap()).read_to_string(&mut text).unwrap();
        return text;
    }
    std::fs::read_to_string(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

#[test]
fn a_day_in_degrees_is_the_day_in_metres() {
    let (metres, degrees) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    write_inputs(metres.path(), RUN);
    write_inputs(degrees.path(), "EPSG:4326");
    run(day(&parameters(metres.path(), RUN, "out")), &RunRequest::default(), &NoProgress).unwrap();
    let of_degrees = parameters(degrees.path(), "EPSG:4326", "out");
    let done = run(day(&of_degrees), &RunRequest::default(), &NoProgress).unwrap();
    assert!(done.warnings.lines().all(|line| !line.contains("degrees")), "{:?}", done.warnings);
    let (metres, degrees_out) = (metres.path().join("out"), degrees.path().join("out"));
    let events = read(&metres, "output_events.xml");
    assert!(events.matches("type=\"PersonEntersVehicle\"").count() > 5 && events.contains("<event "), "{events}");
    for name in ["output_events.xml", "output_trips.csv", "output_legs.csv"] {
        assert_eq!(read(&degrees_out, name), read(&metres, name), "{name}");
    }
    // The inputs in effect have the coordinates of the run, and say so.
    for (name, points) in [
        ("output_network.xml", vec!["x=\"692000.0\" y=\"5334000.125\""]),
        ("output_plans.xml", vec!["x=\"690050.5\" y=\"5334020.0\""]),
        ("output_facilities.xml", vec!["x=\"691900.0\" y=\"5334030.0\""]),
        ("output_transitSchedule.xml", vec!["x=\"690900.0\" y=\"5334001.0\"", "x=\"691950.0\" y=\"5334001.0\""]),
    ] {
        let text = read(&degrees_out, name);
        let system = "<attribute name=\"coordinateReferenceSystem\" class=\"java.lang.String\">EPSG:25832</attribute>";
        assert_eq!(text.matches(system).count(), 1, "{name}: {text}");
        for point in points {
            assert!(text.contains(point), "{name}: {point}: {text}");
        }
        assert!(!text.contains("4326") && !text.contains("x=\"11."), "{name}: {text}");
    }

    // A cache holds the coordinates of the run, and is only valid for the systems of its files.
    let cache = degrees.path().join("day.throng");
    make_cache(day(&of_degrees).settings, &cache, &mut Warnings::new(), &NoProgress).unwrap();
    let with = |more: &[String]| {
        let cached = [format!("throng.scenarioCache={}", cache.display())];
        let out = [format!("controller.outputDirectory={}", degrees.path().join("cached").display())];
        day(&[&of_degrees[..], &cached, &out, more].concat())
    };
    run(with(&[]), &RunRequest::default(), &NoProgress).unwrap();
    assert_eq!(read(&degrees.path().join("cached"), "output_events.xml"), events);
    let other =
        with(&["plans.inputCRS=EPSG:4258".to_owned(), "controller.overwriteFiles=deleteDirectoryIfExists".to_owned()]);
    let error = run(other, &RunRequest::default(), &NoProgress).unwrap_err().to_string();
    assert!(error.contains("created with plans.inputCRS=EPSG:4326, this run has plans.inputCRS=EPSG:4258"), "{error}");
}
