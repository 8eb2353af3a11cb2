use std::io::Read;

use throng_core::NoProgress;

use super::*;
use crate::compare::{CompareOptions, compare_events};
use crate::formats::network::read_network;
use crate::formats::population::PopulationReader;
use crate::load::{Parts, assemble};
use throng_testing::reference_data;
use throng_traffic_scenario::settings::Settings;
use throng_traffic_scenario::{ModeTable, Network, Population};

fn text_of(path: &Path) -> String {
    let mut text = String::new();
    TextInput::open(path).unwrap().read_to_string(&mut text).unwrap();
    text
}

fn to(version: &str, network: Option<&Path>) -> ConvertOptions {
    ConvertOptions { network: network.map(Path::to_owned), version: Some(version.to_owned()) }
}

fn network(path: &Path) -> (Network, ModeTable) {
    let mut modes = ModeTable::default();
    (read_network(path, &mut modes, &mut Warnings::new()).unwrap(), modes)
}

fn assert_same_network(a: &Path, b: &Path) {
    let ((a, a_modes), (b, b_modes)) = (network(a), network(b));
    assert_eq!(a.name, b.name);
    assert_eq!(
        (a.cell_size_m, a.lane_width_m, a.capacity_period_s),
        (b.cell_size_m, b.lane_width_m, b.capacity_period_s)
    );
    assert!(a.node_ids.iter().eq(b.node_ids.iter()) && a.link_ids.iter().eq(b.link_ids.iter()));
    assert_eq!((&a.node_x, &a.node_y), (&b.node_x, &b.node_y));
    assert!(a.links() > 0 && (0..a.links() as u32).all(|link| a.link(link) == b.link(link)));
    assert_eq!(a_modes.len(), b_modes.len());
}

#[test]
fn networks_survive_conversion_to_both_versions() {
    let folder = tempfile::tempdir().unwrap();
    for name in [
        "equil100/network.xml",
        "equil100/controler_it0_fast/output_network.xml.gz",
        "equil_mixed_it0/network.xml",
        "chessboard_it0/network.xml",
        "queue_variants/network.xml",
        "berlin_1pct_10s/network.xml.gz",
    ] {
        let Some(original) = reference_data(name) else { continue };
        let (two, one) = (folder.path().join("two.xml.gz"), folder.path().join("one.xml.zst"));
        let report = convert(&original, &two, &to("v2", None)).unwrap();
        assert_eq!((report.kind, report.to), (FileKind::Network, Some(2)), "{name}");
        convert(&two, &one, &to("1", None)).unwrap();
        assert!(text_of(&two).contains("network_v2.dtd") && text_of(&one).contains("network_v1.dtd"));
        assert_same_network(&original, &two);
        assert_same_network(&original, &one);
    }
}

/// Loads plans with their network, as the simulation does.
fn population(plans: &Path, network_path: &Path) -> Population {
    let (network, modes) = network(network_path);
    let parts = Parts { modes, network, ..Parts::default() };
    let reader = PopulationReader::open(plans).unwrap();
    assemble(Settings::default(), parts, reader, &mut Warnings::new(), &NoProgress).unwrap().population
}

fn assert_same_population(a: &Population, b: &Population, name: &str) {
    assert!(a.persons() > 0 && a.person_ids.iter().eq(b.person_ids.iter()), "{name}: persons");
    assert_eq!(a.first_element, b.first_element, "{name}: elements");
    assert_eq!(a.activities.link, b.activities.link, "{name}: activity links");
    let bits = |times: &[f64]| times.iter().map(|t| t.to_bits()).collect::<Vec<_>>();
    assert_eq!(bits(&a.activities.end_time), bits(&b.activities.end_time), "{name}: end times");
    assert_eq!(bits(&a.activities.max_duration), bits(&b.activities.max_duration), "{name}: durations");
    assert_eq!(a.legs.mode, b.legs.mode, "{name}: modes");
    assert_eq!(a.legs.route, b.legs.route, "{name}: kinds of routes");
    assert_eq!(a.route_links, b.route_links, "{name}: routes");
}

#[test]
fn plans_keep_their_routes_through_all_versions() {
    let folder = tempfile::tempdir().unwrap();
    let files = [
        ("equil100/plans100.xml", "equil100/network.xml"),
        ("equil2000/plans2000.xml.gz", "equil2000/network.xml"),
        ("equil100/controler_it0_fast/output_plans.xml.gz", "equil100/network.xml"),
        ("equil_it10/output_plans.xml.gz", "equil100/network.xml"),
        ("chessboard_it0/output_plans.xml.gz", "chessboard_it0/network.xml"),
        ("queue_variants/plans.xml", "queue_variants/network.xml"),
        ("berlin_1pct_10s/plans_hwh_1pct.xml.gz", "berlin_1pct_10s/network.xml.gz"),
    ];
    for (plans, network) in files.into_iter().take(throng_testing::amount(6, 7) as usize) {
        let (Some(original), Some(network)) = (reference_data(plans), reference_data(network)) else { continue };
        let expected = population(&original, &network);
        let mut from = original;
        for version in ["v6", "v4", "v5", "v6"] {
            let path = folder.path().join(format!("{version}_from_{}.xml.gz", from.display().to_string().len()));
            let report = convert(&from, &path, &to(version, Some(&network))).unwrap();
            // Files that already have the version are copied without conversion.
            let persons = if report.from == report.to { 0 } else { expected.persons() };
            assert_eq!(report.records as usize, persons, "{plans} to {version}");
            let lost =
                report.warnings.count("routes that could not be converted; their legs are written without a route");
            assert_eq!(lost, 0, "{plans} to {version}: {:?}", report.warnings);
            assert_same_population(&expected, &population(&path, &network), &format!("{plans} to {version}"));
            from = path;
        }
    }
}

#[test]
fn routes_of_modes_other_than_car_are_counted_for_version_4() {
    let Some(plans) = reference_data("equil_mixed_it0/output_plans.xml.gz") else { return };
    let Some(network) = reference_data("equil_mixed_it0/network.xml") else { return };
    let folder = tempfile::tempdir().unwrap();
    let report = convert(&plans, &folder.path().join("plans.xml"), &to("4", Some(&network))).unwrap();
    // Five persons ride a bicycle to work and back.
    let kind = "routes of modes other than car, of which readers of version 4 only take the travel time";
    assert_eq!(report.warnings.count(kind), 10);
}

#[test]
fn routes_of_nodes_need_the_network() {
    let Some(plans) = reference_data("equil100/plans100.xml") else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("plans.xml");
    let error = convert(&plans, &path, &to("6", None)).unwrap_err().to_string();
    assert!(error.contains("plans100.xml:") && error.contains("give the network, too"), "{error}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is left behind");
}

#[test]
fn events_are_recompressed_and_counted() {
    let Some(original) = reference_data("equil100/qsim_fast_events.xml.gz") else { return };
    let folder = tempfile::tempdir().unwrap();
    let mut from = original.clone();
    for name in ["events.xml.zst", "events.xml", "events.xml.gz"] {
        let path = folder.path().join(name);
        let report = convert(&from, &path, &ConvertOptions::default()).unwrap();
        assert_eq!((report.kind, report.records), (FileKind::Events, 3008));
        assert_eq!(report.to_string(), "events: content unchanged, 3008 events");
        assert!(compare_events(&original, &path, &CompareOptions::default()).unwrap().is_equal());
        assert!(text_of(&original) == text_of(&path), "{name}");
        from = path;
    }
}

#[test]
fn vehicles_become_version_2() {
    let Some(original) = reference_data("equil_mixed_it0/mode-vehicles.xml") else { return };
    let folder = tempfile::tempdir().unwrap();
    let two = folder.path().join("two.xml");
    let report = convert(&original, &two, &to("2.0", None)).unwrap();
    assert_eq!(report.to_string(), "vehicles: version 1 to version 2");
    assert_eq!(kind_of(&two).unwrap(), (FileKind::Vehicles, Some(2)));
    let error = convert(&two, &folder.path().join("one.xml"), &to("1", None)).unwrap_err().to_string();
    assert!(error.contains("vehicles of version 2 cannot be converted to version 1"), "{error}");
}

#[test]
fn impossible_conversions_are_refused_and_leave_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    };
    let refusal = |input: &Path, output: &str, options: &ConvertOptions| {
        let error = convert(input, &folder.path().join(output), options).unwrap_err().to_string();
        assert!(!folder.path().join("out").exists());
        error
    };
    let any = ConvertOptions::default();
    let counts = file("counts.xml", "<counts></counts>");
    assert!(refusal(&counts, "counts.xml", &any).contains("counts.xml: not replaced: it is also read"));
    assert!(refusal(&counts, "out", &to("2", None)).contains("XML of another kind cannot be converted to version 2"));
    assert!(refusal(&counts, "out", &to("two", None)).contains("\"two\" is not a version"));
    assert!(refusal(&counts, "no/out", &any).contains("its folder does not exist"));
    let cut = file("cut.xml", "<counts><count>");
    assert!(refusal(&cut, "out", &any).contains("the file ends inside an element"));
    let network = file("network.xml", "<network><nodes><node id=\"1\"/></nodes><links/></network>");
    let error = refusal(&network, "out", &to("2", None));
    assert!(error.contains("node \"1\" has no x") && error.contains("node \"1\" has no y"), "{error}");
    let plans = file("plans.xml", "<!DOCTYPE plans SYSTEM 'plans_v4.dtd'><plans></plans>");
    assert!(refusal(&plans, "out", &to("3", None)).contains("Plans have versions 4, 5 and 6"));
}

#[test]
fn lost_content_is_counted() {
    let folder = tempfile::tempdir().unwrap();
    let (input, output) = (folder.path().join("plans.xml"), folder.path().join("out.xml"));
    let warnings = |text: &str, version: &str| {
        std::fs::write(&input, text).unwrap();
        let report = convert(&input, &output, &to(version, None)).unwrap();
        report.warnings.iter().map(|(kind, warning)| (kind.to_owned(), warning.count)).collect::<Vec<_>>()
    };
    let six = "<!DOCTYPE population SYSTEM 'population_v6.dtd'><population><attributes>\
        <attribute name='coordinateReferenceSystem' class='java.lang.String'>X</attribute>\
        <attribute name='b' class='c'>Y</attribute></attributes>\
        <person id='p'><plan><activity type='h' link='1' x='1' y='1' z='1'/></plan></person></population>";
    for version in ["4", "5"] {
        let expected = [
            (format!("attributes of the population that plans of version {version} have no room for; left out"), 2),
            (format!("elevations of activities that plans of version {version} have no room for; left out"), 1),
        ];
        assert_eq!(warnings(six, version), expected);
    }
    let four = "<!DOCTYPE plans SYSTEM 'plans_v4.dtd'><plans><person id='p'><knowledge/><desires/>\
        <plan><act type='h' link='1'/></plan></person></plans>";
    assert_eq!(warnings(four, "6"), [("knowledge and desires are not kept".to_owned(), 2)]);
    // All plans are converted, so all must be valid.
    let faulty = six.replace("</person>", "<plan selected='no'/></person>");
    std::fs::write(&input, faulty).unwrap();
    let error = convert(&input, &output, &to("5", None)).unwrap_err().to_string();
    assert!(error.contains("a plan of person \"p\" has no activity"), "{error}");
}

#[test]
fn other_text_is_copied_unchanged() {
    let folder = tempfile::tempdir().unwrap();
    let (table, packed) = (folder.path().join("legs.csv"), folder.path().join("legs.csv.gz"));
    let text = "person;mode\n".repeat(100_000);
    std::fs::write(&table, &text).unwrap();
    let report = convert(&table, &packed, &ConvertOptions::default()).unwrap();
    assert_eq!(report.to_string(), "text: content unchanged");
    assert!(text_of(&packed) == text && std::fs::metadata(&packed).unwrap().len() < 50_000);
}
