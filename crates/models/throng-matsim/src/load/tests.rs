//! Loads whole plans on a small network; the expected values were computed by hand.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Cursor;

use throng_core::{NONE, NoProgress, Warnings};

use super::{Parts, assemble};
use crate::coordinates::Transformation;
use crate::formats::population::PopulationReader;
use throng_traffic_scenario::settings::{
    FacilitiesSource, RouteCost, Settings, TeleportedMode, TeleportedSpeed, VehiclesSource,
};
use throng_traffic_scenario::{Facilities, Network, NetworkBuilder, PlanElement, RouteKind, Scenario};

/// A square of four one-way links of 1000 m, and `back` from c to b:
///
/// ```text
/// d <-cd- c
/// |da     ^bc |back
/// a -ab-> b
/// ```
fn network() -> Network {
    NetworkBuilder::new()
        .node("a", 0.0, 0.0)
        .node("b", 1000.0, 0.0)
        .node("c", 1000.0, 1000.0)
        .node("d", 0.0, 1000.0)
        .link("ab", "a", "b", 1000.0, 10.0, 1800.0, 1.0)
        .link("bc", "b", "c", 1000.0, 10.0, 1800.0, 1.0)
        .link("cd", "c", "d", 1000.0, 10.0, 1800.0, 1.0)
        .link("da", "d", "a", 1000.0, 10.0, 1800.0, 1.0)
        .link("back", "c", "b", 1000.0, 10.0, 1800.0, 1.0)
        .build()
        .unwrap()
}

const AB: u32 = 0;
const BC: u32 = 1;
const CD: u32 = 2;
const DA: u32 = 3;
const BACK: u32 = 4;

fn run(settings: Settings, facilities: Facilities, persons: &str) -> (Result<Scenario, String>, Vec<(String, u64)>) {
    let text = format!("<!DOCTYPE population SYSTEM \"population_v6.dtd\">\n<population>\n{persons}</population>");
    let mut warnings = Warnings::new();
    let parts = Parts { network: network(), facilities, ..Parts::default() };
    let reader = PopulationReader::new(Cursor::new(text), "plans.xml").unwrap();
    let result = assemble(settings, parts, reader, &mut warnings, &NoProgress);
    let warnings = warnings.iter().map(|(kind, w)| (kind.to_owned(), w.count)).collect();
    (result.map_err(|error| error.to_string()), warnings)
}

fn load(persons: &str) -> Scenario {
    let (scenario, warnings) = run(Settings::default(), Facilities::default(), persons);
    assert_eq!(warnings, []);
    scenario.unwrap()
}

fn failure(settings: Settings, persons: &str) -> String {
    run(settings, Facilities::default(), persons).0.unwrap_err()
}

fn person(id: &str, plan: &str) -> String {
    format!("<person id=\"{id}\">\n<plan selected=\"yes\">\n{plan}</plan></person>\n")
}

#[test]
fn an_empty_population_is_loaded() {
    let scenario = load("");
    assert_eq!(scenario.population.persons(), 0);
    assert_eq!(scenario.population.first_element, [0]);
}

#[test]
fn a_day_by_car_is_loaded() {
    let scenario = load(&person(
        "ann",
        r#"<activity type="h" link="ab" x="5" y="6" end_time="08:00:00" max_dur="01:00:00"/>
        <leg mode="car" trav_time="00:10:00">
          <attributes><attribute name="routingMode" class="java.lang.String">car</attribute></attributes>
          <route type="links" start_link="ab" end_link="da" trav_time="00:03:20" distance="3000.5">ab bc cd da</route>
        </leg>
        <activity type="w" link="da" end_time="undefined"/>
        <leg mode="car"><route type="links" start_link="da" end_link="da">da</route></leg>
        <activity type="h" link="da"/>
        "#,
    ));
    let p = &scenario.population;
    assert_eq!(
        p.plan(0).collect::<Vec<_>>(),
        [
            PlanElement::Activity(0),
            PlanElement::Leg(0),
            PlanElement::Activity(1),
            PlanElement::Leg(1),
            PlanElement::Activity(2),
        ]
    );
    let a = &p.activities;
    assert_eq!(a.kind.iter().map(|&k| p.activity_types.name(k)).collect::<Vec<_>>(), ["h", "w", "h"]);
    assert_eq!(a.link, [AB, DA, DA]);
    assert_eq!(a.facility, [NONE; 3]);
    assert_eq!((a.x[0], a.y[0], a.end_time[0], a.max_duration[0]), (5.0, 6.0, 28800.0, 3600.0));
    assert!(a.x[1].is_nan() && a.end_time[1].is_nan() && a.max_duration[1].is_nan());
    let l = &p.legs;
    assert_eq!(p.route(0), [AB, BC, CD, DA]);
    assert_eq!(p.route(1), [DA]);
    assert_eq!(l.route, [RouteKind::Links; 2]);
    assert_eq!((&l.start_link[..], &l.end_link[..]), (&[AB, DA][..], &[DA, DA][..]));
    assert_eq!((l.travel_time[0], l.distance[0], l.distance[1]), (200.0, 3000.5, 0.0));
    let car = scenario.modes.get("car").unwrap();
    // The second leg is a separate trip, so its routing mode is its mode.
    assert_eq!(l.routing_mode, [car, car]);
    assert_eq!(l.vehicle, [0, 0]);
    let v = &scenario.vehicles;
    assert_eq!((v.ids.name(0), &v.start_link[..], v.types[0].id.as_str()), ("ann", &[AB][..], "defaultVehicleType"));
}

#[test]
fn only_the_selected_plan_is_loaded_in_the_order_of_the_file() {
    let home = |link: &str| format!("<activity type=\"h\" link=\"{link}\"/>");
    let text = format!(
        "<person id=\"z\"><plan selected=\"no\">{}</plan><plan selected=\"yes\">{}</plan></person>\n\
         <person id=\"a\"><plan>{}</plan><plan>{}</plan></person>",
        home("ab"),
        home("bc"),
        home("cd"),
        home("da")
    );
    let scenario = load(&text);
    let p = &scenario.population;
    assert_eq!(p.person_ids.iter().collect::<Vec<_>>(), ["z", "a"]);
    assert_eq!(p.activities.link, [BC, CD]);
    assert_eq!(p.first_element, [0, 1, 2]);
}

#[test]
fn teleported_legs_are_loaded() {
    let scenario = load(&person(
        "ann",
        r#"<activity type="h" link="ab" x="0" y="0" end_time="08:00:00"/>
        <leg mode="walk" trav_time="00:10:00"><attributes><attribute name="routingMode" class="java.lang.String">bike</attribute></attributes>
        <route type="generic" start_link="ab" end_link="cd" trav_time="00:05:00" distance="17.5"></route></leg>
        <activity type="walk interaction" link="cd" x="3" y="4" max_dur="00:00:00"/>
        <leg mode="walk" trav_time="00:10:00"><attributes><attribute name="routingMode" class="java.lang.String">bike</attribute></attributes>
        <route type="generic" start_link="cd"></route></leg>
        <activity type="w" link="da" x="300" y="400"/>
        <leg mode="bike"><route type="links" start_link="da" end_link="bc" trav_time="00:01:00">da ab bc</route></leg>
        <activity type="h" link="bc"/>
        <leg mode="walk"><route type="generic" start_link="bc" end_link="ab"></route></leg>
        <activity type="h" link="ab"/>
        "#,
    ));
    let p = &scenario.population;
    let l = &p.legs;
    assert_eq!(l.route, [RouteKind::Generic; 4]);
    assert!(p.route_links.is_empty());
    assert_eq!(l.vehicle, [NONE; 4]);
    // The time of the route takes precedence over that of the leg.
    assert_eq!((l.travel_time[0], l.distance[0]), (300.0, 17.5));
    // Without end_link MATSim estimates the distance: a beeline of 495 m times 1.3.
    assert_eq!(l.travel_time[1], 600.0);
    assert!((l.distance[1] - 495.0 * 1.3).abs() < 1e-9);
    // The distance along a list of links excludes the first and the last link.
    assert_eq!((l.travel_time[2], l.distance[2], l.end_link[2]), (60.0, 1000.0, BC));
    // Without time and distance: 1.3 times the beeline from the end of bc to the end of ab, at 3 km/h.
    assert_eq!(l.distance[3], 1000.0 * 1.3);
    assert_eq!(l.travel_time[3], 1560.0);
    assert_eq!(l.start_link, [AB, CD, DA, BC]);
    assert_eq!(p.activities.link, [AB, CD, DA, BC, AB]);
    let walk = scenario.modes.get("walk").unwrap();
    let bike = scenario.modes.get("bike").unwrap();
    assert_eq!(l.routing_mode, [bike, bike, bike, walk]);
}

/// A trip of three legs, of which the last one has no route.
fn trip_of_three(routing_modes: [&str; 3]) -> String {
    let leg = |mode: &str, routing: &str, route: &str| {
        let attribute = if routing.is_empty() {
            String::new()
        } else {
            format!(
                "<attributes><attribute name=\"routingMode\" class=\"java.lang.String\">{routing}</attribute></attributes>"
            )
        };
        format!("<leg mode=\"{mode}\">{attribute}{route}</leg>")
    };
    let [first, second, third] = routing_modes;
    let walked = |from: &str, to: &str| {
        format!(
            "<route type=\"generic\" start_link=\"{from}\" end_link=\"{to}\" trav_time=\"00:01:00\" distance=\"5\"></route>"
        )
    };
    let [access, egress] = [leg("walk", first, &walked("ab", "ab")), leg("walk", third, "")];
    let drive = leg("car", second, "<route type=\"links\" start_link=\"ab\" end_link=\"bc\">ab bc</route>");
    person(
        "ann",
        &format!(
            "<activity type=\"h\" link=\"ab\" x=\"0\" y=\"0\" end_time=\"08:00:00\"/>{access}
            <activity type=\"car interaction\" link=\"ab\" max_dur=\"0\"/>{drive}
            <activity type=\"car interaction\" link=\"bc\" max_dur=\"0\"/>{egress}
            <activity type=\"w\" link=\"cd\" x=\"9\" y=\"9\"/>"
        ),
    )
}

#[test]
fn a_trip_that_lacks_a_route_is_routed_again_as_one_leg() {
    for (modes, with) in [(["car"; 3], 2), ([""; 3], 3)] {
        let (scenario, warnings) = run(Settings::default(), Facilities::default(), &trip_of_three(modes));
        let (scenario, car) = (scenario.unwrap(), |s: &Scenario| s.modes.get("car").unwrap());
        let legs = &scenario.population.legs;
        assert_eq!(
            (legs.mode.as_slice(), legs.routing_mode.as_slice()),
            (&[car(&scenario)][..], &[car(&scenario)][..])
        );
        assert_eq!(scenario.population.activities.link, [AB, CD]);
        assert_eq!(scenario.population.route(0), [AB, BC, CD]);
        assert_eq!(warnings.len(), with, "{warnings:?}");
        assert!(warnings.iter().any(|(kind, count)| kind.contains("routed again") && *count == 1), "{warnings:?}");
        let without = |kind: &str| kind.contains("trips of several legs have no routing mode");
        assert_eq!(warnings.iter().any(|(kind, _)| without(kind)), with == 3, "{warnings:?}");
    }
    // A walk alone is a walk.
    let (scenario, _) = run(Settings::default(), Facilities::default(), &trip_of_three(["walk"; 3]));
    let scenario = scenario.unwrap();
    assert_eq!(scenario.population.legs.mode, [scenario.modes.get("walk").unwrap()]);
}

#[test]
fn legs_of_a_trip_must_agree_about_its_routing_mode() {
    for (modes, expected) in [
        (["car", "pt", "pt"], "has legs with routing mode \"car\" and routing mode \"pt\""),
        (["car", "car", ""], "has legs with routing mode \"car\" and no routing mode"),
        (["", "car", "car"], "has legs with no routing mode and routing mode \"car\""),
    ] {
        let text = failure(Settings::default(), &trip_of_three(modes));
        assert!(text.contains(expected) && text.contains("Give all legs of a trip the same attribute"), "{text}");
    }
}

#[test]
fn a_teleported_leg_without_route_is_estimated_whatever_its_time() {
    let scenario = load(&person(
        "ann",
        r#"<activity type="h" link="ab" x="0" y="0" end_time="08:00:00"/>
        <leg mode="bike" trav_time="00:10:00"/>
        <activity type="w" link="cd" x="300" y="400"/>
        <leg mode="pt"/>
        <activity type="w" link="cd" x="300" y="400"/>
        "#,
    ));
    let l = &scenario.population.legs;
    // 500 m * 1.3 at 15 km/h.
    assert_eq!((l.distance[0], l.travel_time[0]), (650.0, 156.0));
    // A multiple of the car travel time, which is 0 on a single link.
    assert_eq!((l.distance[1], l.travel_time[1]), (0.0, 0.0));
}

#[test]
fn activities_without_link_get_a_link_at_the_nearest_node() {
    let (scenario, warnings) = run(
        Settings::default(),
        Facilities::default(),
        &person(
            "ann",
            r#"<activity type="h" x="900" y="-50" end_time="08:00:00"/>
            <leg mode="walk"><route type="generic" start_link="zz" end_link="ab" trav_time="00:05:00" distance="9"></route></leg>
            <activity type="w" x="1000" y="700"/>
            "#,
        ),
    );
    let scenario = scenario.unwrap();
    // Node b touches ab, bc and back; node c bc, cd and back: "back" sorts before "bc".
    assert_eq!(scenario.population.activities.link, [AB, BACK]);
    // The single-leg trips of a plan are rerouted if an activity has no link.
    assert_eq!(scenario.population.legs.end_link, [BACK]);
    assert!(scenario.population.legs.travel_time[0] > 300.0);
    assert_eq!(warnings.len(), 1);
    assert!(warnings[0].0.contains("routed again") && warnings[0].1 == 1, "{warnings:?}");
}

#[test]
fn agents_continue_from_the_end_of_their_route() {
    let (scenario, warnings) = run(
        Settings::default(),
        Facilities::default(),
        &person(
            "ann",
            r#"<activity type="h" link="ab" end_time="08:00:00"/>
            <leg mode="car"><route type="links" start_link="ab" end_link="cd">ab bc cd</route></leg>
            <activity type="w" link="da"/>
            <leg mode="car"><route type="links" start_link="da" end_link="ab">da ab</route></leg>
            <activity type="h" link="ab"/>
            "#,
        ),
    );
    let scenario = scenario.unwrap();
    let p = &scenario.population;
    assert_eq!(p.activities.link, [AB, CD, AB]);
    assert_eq!(p.route(1), [CD, AB], "the first link of the list does not matter");
    let counts: Vec<_> = warnings.iter().map(|w| w.1).collect();
    assert_eq!(counts, [1, 1], "{warnings:?}");
}

#[test]
fn facilities_of_a_file_give_links_and_coordinates() {
    let mut facilities = Facilities::default();
    for (id, link, x, y) in [("f1", BC, f64::NAN, f64::NAN), ("f2", NONE, 10.0, 20.0)] {
        facilities.ids.intern(id).unwrap();
        facilities.link.push(link);
        facilities.x.push(x);
        facilities.y.push(y);
    }
    let mut settings = Settings::default();
    settings.facilities.source = FacilitiesSource::FromFile;
    let (scenario, warnings) = run(
        settings,
        facilities,
        &person(
            "ann",
            r#"<activity type="h" link="ab" facility="f1" end_time="08:00:00"/>
            <leg mode="walk"><route type="generic" start_link="ab" end_link="da" trav_time="1" distance="1"></route></leg>
            <activity type="w" facility="f2"/>
            <leg mode="walk"><route type="generic" start_link="da" end_link="cd" trav_time="1" distance="1"></route></leg>
            <activity type="h" facility="f3" link="cd"/>
            "#,
        ),
    );
    let scenario = scenario.unwrap();
    let a = &scenario.population.activities;
    // The first activity uses the facility's link, as in MATSim; f2 is near the end of da.
    assert_eq!(a.link, [BC, DA, CD]);
    assert_eq!((a.x[1], a.y[1]), (10.0, 20.0));
    assert_eq!(a.facility, [0, 1, 2]);
    assert_eq!(scenario.facilities.ids.name(2), "f3");
    assert_eq!(warnings.len(), 1);
    assert!(warnings[0].0.contains("the facilities file does not have"), "{warnings:?}");
}

#[test]
fn facilities_are_derived_from_the_plans() {
    let plans = "<person id=\"p\"><plan selected=\"no\"><activity type=\"h\" link=\"cd\" x=\"1\" y=\"1\"/></plan>\
        <plan selected=\"yes\"><activity type=\"h\" link=\"ab\" facility=\"old\" x=\"2\" y=\"2\"/>\
        <leg mode=\"walk\"><route type=\"generic\" end_link=\"ab\" trav_time=\"1\" distance=\"1\"></route></leg>\
        <activity type=\"w\" link=\"ab\" x=\"3\" y=\"3\"/>\
        <leg mode=\"walk\"><route type=\"generic\" end_link=\"cd\" trav_time=\"1\" distance=\"1\"></route></leg>\
        <activity type=\"w\" link=\"cd\" x=\"1\" y=\"1\"/></plan></person>";
    let facilities_of = |source| {
        let mut settings = Settings::default();
        settings.facilities.source = source;
        let (scenario, warnings) = run(settings, Facilities::default(), plans);
        assert_eq!(warnings, []);
        let scenario = scenario.unwrap();
        let names = scenario.population.activities.facility.iter().map(|&f| scenario.facilities.ids.name(f).to_owned());
        (names.collect::<Vec<_>>(), scenario.facilities)
    };
    let (names, facilities) = facilities_of(FacilitiesSource::OnePerActivityLinkInPlansFile);
    assert_eq!(names, ["f_auto_ab", "f_auto_ab", "f_auto_cd"]);
    assert_eq!((facilities.link, facilities.x), (vec![CD, AB], vec![1.0, 2.0]));
    // Indices count the locations of all plans, including those that are not simulated.
    let (names, facilities) = facilities_of(FacilitiesSource::OnePerActivityLocationInPlansFile);
    assert_eq!(names, ["f_auto_1", "f_auto_2", "f_auto_0"]);
    assert_eq!((facilities.link, facilities.x), (vec![CD, AB, AB], vec![1.0, 2.0, 3.0]));
}

#[test]
fn outdated_modes_become_walk() {
    let (scenario, warnings) = run(
        Settings::default(),
        Facilities::default(),
        &person(
            "ann",
            r#"<activity type="h" link="ab" end_time="08:00:00"/>
            <leg mode="transit_walk"><route type="generic" start_link="ab" end_link="ab" trav_time="1" distance="1"></route></leg>
            <activity type="w" link="ab"/>
            "#,
        ),
    );
    let scenario = scenario.unwrap();
    let l = &scenario.population.legs;
    assert_eq!((scenario.modes.name(l.mode[0]), scenario.modes.name(l.routing_mode[0])), ("walk", "pt"));
    assert_eq!(warnings, [("legs have an outdated mode; they are read as walk".to_owned(), 1)]);
}

#[test]
fn invalid_plans_are_reported_with_their_line() {
    let home = "<activity type=\"h\" link=\"ab\"/>\n";
    for (persons, message) in [
        (person("p", home) + &person("p", home), "plans.xml:7: person \"p\" is already defined"),
        (
            person("p", "<activity type=\"h\" link=\"zz\"/>"),
            "plans.xml:5: activity at link \"zz\", which the network does not have",
        ),
        (
            person("p", &format!("{home}<leg mode=\"ferry\"/>{home}")),
            "plans.xml:6: it is not known how long the leg by \"ferry\" of person \"p\" takes",
        ),
        (
            person("p", &format!("{home}<leg mode=\"\"/>{home}")),
            "plans.xml:6: it is not known how long the leg by \"\" of person \"p\" takes\n    Give the leg a mode",
        ),
        (person("p", "<activity type=\"h\" x=\"NaN\" y=\"0\"/>"), "plans.xml:5: x \"NaN\" is not finite"),
        (person("p", "<activity type=\"h\" facility=\"f\"/>"), "plans.xml:5: no link can be found for this activity"),
    ] {
        let text = failure(Settings::default(), &persons);
        assert!(text.starts_with(message), "{text}");
    }
    // A missing mode is a single problem.
    let text = failure(Settings::default(), &person("p", &format!("{home}<leg/>{home}")));
    assert!(text.starts_with("plans.xml:6: leg without mode") && !text.contains("how long"), "{text}");
    // All problems are in one report.
    let text = failure(Settings::default(), &(0..3).map(|_| person("p", home)).collect::<String>());
    assert_eq!(text.matches("already defined").count(), 2);
}

#[test]
fn unused_main_modes_are_reported() {
    let mut settings = Settings::default();
    settings.qsim.main_modes = vec!["car".into(), "truk".into()];
    let (scenario, warnings) = run(settings, Facilities::default(), "");
    assert!(scenario.is_ok());
    assert_eq!(warnings, [("modes in qsim.mainMode that no leg uses".to_owned(), 1)]);
}

#[test]
fn plans_of_version_4_are_loaded() {
    let text = r#"<!DOCTYPE plans SYSTEM "plans_v4.dtd"><plans><person id="p"><plan>
        <act type="h" link="ab" end_time="06:00"/><leg mode="car"><route>b c d</route></leg>
        <act type="w" link="da" dur="00:10"/><leg mode="car"><route> </route></leg>
        <act type="w" link="da"/><leg mode="ride" trav_time="00:01"><route>nonsense</route></leg>
        <act type="h" link="ab"/></plan></person></plans>"#;
    let mut warnings = Warnings::new();
    let reader = PopulationReader::new(Cursor::new(text.to_owned()), "plans.xml").unwrap();
    let parts = Parts { network: network(), ..Parts::default() };
    let scenario = assemble(Settings::default(), parts, reader, &mut warnings, &NoProgress).unwrap();
    assert!(warnings.is_empty());
    let p = &scenario.population;
    assert_eq!(p.route(0), [AB, BC, CD, DA]);
    assert_eq!(p.route(1), [DA]);
    // The distance excludes the first link and includes the last one.
    assert_eq!(p.legs.distance[..2], [3000.0, 0.0]);
    assert_eq!((p.legs.travel_time[2], p.legs.end_link[2]), (60.0, AB));
    assert!(p.legs.distance[2].is_nan(), "as in MATSim");
    assert_eq!(p.activities.max_duration[1], 600.0);
}

#[test]
fn a_teleported_mode_may_be_defined_by_the_user() {
    let mut settings = Settings::default();
    settings.routing.teleported_modes.push(TeleportedMode {
        mode: "ferry".into(),
        speed: TeleportedSpeed::MetresPerSecond(2.0),
        beeline_distance_factor: 1.0,
    });
    let plan = "<activity type=\"h\" link=\"ab\" x=\"0\" y=\"0\"/><leg mode=\"ferry\"/>\
        <activity type=\"h\" link=\"ab\" x=\"0\" y=\"7\"/>";
    let (scenario, _) = run(settings, Facilities::default(), &person("p", plan));
    let legs = scenario.unwrap().population.legs;
    assert_eq!((legs.distance[0], legs.travel_time[0]), (7.0, 3.0));
}

/// Loads a scenario whose files have this content; the error names the files without their folder.
fn load_files<C: AsRef<[u8]>>(files: &[(&str, C)], change: impl FnOnce(&mut Settings)) -> Result<Scenario, String> {
    let folder = tempfile::tempdir().unwrap();
    for (name, content) in files {
        std::fs::write(folder.path().join(name), content).unwrap();
    }
    let mut settings = Settings::default();
    let path = |name: &str| files.iter().any(|file| file.0 == name).then(|| folder.path().join(name));
    settings.files.network = path("network.xml");
    settings.files.plans = path("plans.xml");
    settings.files.facilities = path("facilities.xml");
    settings.files.vehicles = path("vehicles.xml");
    change(&mut settings);
    let result = super::load_scenario(settings, &mut Warnings::new(), &NoProgress);
    result.map_err(|error| error.to_string().replace(&format!("{}/", folder.path().display()), ""))
}

#[test]
fn forbidden_turns_and_degrees_are_warnings() {
    let folder = tempfile::tempdir().unwrap();
    let link = |id: &str, from: &str, to: &str, rest: &str| {
        format!(
            "<link id=\"{id}\" from=\"{from}\" to=\"{to}\" length=\"200\" freespeed=\"10\" capacity=\"1000\" \
             permlanes=\"1\">{rest}</link>"
        )
    };
    let turn =
        "<attributes><attribute name=\"disallowedNextLinks\" class=\"c\">{\"car\":[[\"bc\"]]}</attribute></attributes>";
    let network = format!(
        "<network><nodes><node id=\"a\" x=\"0\" y=\"0\"/><node id=\"b\" x=\"0.002\" y=\"0\"/></nodes><links>{}{}</links></network>",
        link("ab", "a", "b", turn),
        link("bc", "b", "a", ""),
    );
    let person = |id: &str, route: &str| {
        format!(
            "<person id=\"{id}\"><plan><activity type=\"h\" link=\"ab\" end_time=\"1\"/><leg mode=\"car\">{route}</leg>\
             <activity type=\"w\" link=\"bc\"/></plan></person>"
        )
    };
    let plans = format!(
        "<!DOCTYPE population SYSTEM \"population_v6.dtd\"><population>{}{}{}</population>",
        person("1", "<route type=\"links\">ab bc</route>"),
        person("2", ""),
        person("3", "<route type=\"links\">ab bc</route>"),
    );
    let mut settings = Settings::default();
    for (name, text, file) in
        [("n.xml", network, &mut settings.files.network), ("p.xml", plans, &mut settings.files.plans)]
    {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        *file = Some(path);
    }
    let mut warnings = Warnings::new();
    super::load_scenario(settings, &mut warnings, &NoProgress).unwrap();
    let found: Vec<_> =
        warnings.iter().map(|(kind, w)| (kind.split([';', ':', ',']).next().unwrap(), w.count)).collect();
    let expected = [
        ("legs without a route", 1),
        ("legs without a route", 1),
        ("routes with a turn that disallowedNextLinks forbids", 2),
        ("the coordinates are degrees", 1),
    ];
    assert_eq!(found, expected);
    let example = &warnings.iter().nth(2).unwrap().1.example;
    assert_eq!(example, "person \"1\", after link \"ab\"");
}

/// A person who drives from `ab` to `cd`.
fn driver(route: &str) -> String {
    let leg = format!("<leg mode=\"car\">{route}</leg>\n<activity type=\"w\" link=\"cd\"/>");
    person("1", &format!("<activity type=\"h\" link=\"ab\" end_time=\"1\"/>\n{leg}"))
}

const GIVEN: &str = "<route type=\"links\">ab bc cd</route>";

#[test]
fn routes_by_turning_moves_are_refused_where_legs_are_routed() {
    let mut settings = Settings::default();
    settings.controller.routes_turns = true;
    let (scenario, warnings) = run(settings.clone(), Facilities::default(), &driver(GIVEN));
    assert_eq!((scenario.unwrap().population.route(0), warnings), (&[AB, BC, CD][..], vec![]));
    let error = failure(settings.clone(), &driver(""));
    assert!(error.starts_with("controller.enableLinkToLinkRouting: true is not supported"), "{error}");
    assert!(error.contains("(the first without: plans.xml:6)"), "{error}");
    settings.extensions.ignore_unsupported = true;
    let (scenario, warnings) = run(settings, Facilities::default(), &driver(""));
    assert_eq!(scenario.unwrap().population.route(0), [AB, BC, CD]);
    assert_eq!(warnings.len(), 2, "{warnings:?}");
}

#[test]
fn costs_other_than_of_time_are_warnings_where_legs_are_routed() {
    let cost =
        |mode: Option<&str>| RouteCost { mode: mode.map(str::to_owned), parameter: "a.b".into(), value: "c".into() };
    let mut settings = Settings::default();
    settings.routing.other_costs = vec![cost(None), cost(Some("car")), cost(Some("bike"))];
    let (_, warnings) = run(settings.clone(), Facilities::default(), &driver(""));
    assert!(warnings.iter().any(|(kind, count)| kind.contains("routed by time alone") && *count == 2), "{warnings:?}");
    assert_eq!(run(settings, Facilities::default(), &driver(GIVEN)).1, []);
}

const NETWORK: &str = r#"<!DOCTYPE network SYSTEM "network_v2.dtd"><network><nodes><node id="a" x="0" y="0"/>
    <node id="b" x="100" y="0"/></nodes><links><link id="ab" from="a" to="b" length="100" freespeed="10"
    capacity="1000" permlanes="1" modes="car"/></links></network>"#;
const PLANS: &str = r#"<!DOCTYPE population SYSTEM "population_v6.dtd"><population><attributes>
    <attribute name="coordinateReferenceSystem" class="java.lang.String">Atlantis</attribute></attributes>
    <person id="p"><plan><activity type="h" link="ab"/></plan></person></population>"#;

#[test]
fn missing_file_settings_are_reported() {
    let error = load_files::<&str>(&[], |_| {}).unwrap_err();
    assert!(error.starts_with("network.inputNetworkFile: no file with a network is given"), "{error}");
    let error = load_files(&[("network.xml", NETWORK)], |_| {}).unwrap_err();
    assert!(error.starts_with("plans.inputPlansFile: no file with plans is given"), "{error}");
    let both = [("network.xml", NETWORK), ("plans.xml", PLANS)];
    let error = load_files(&both, |s| s.facilities.source = FacilitiesSource::FromFile).unwrap_err();
    assert!(error.starts_with("facilities.inputFacilitiesFile: no file"), "{error}");
    let error = load_files(&both, |s| s.qsim.vehicles_source = VehiclesSource::FromVehiclesData).unwrap_err();
    assert!(error.starts_with("vehicles.vehiclesFile: no file"), "{error}");
    assert_eq!(load_files(&both, |_| {}).unwrap().population.persons(), 1);
}

#[test]
fn damaged_text_of_a_compressed_file_is_not_taken_for_a_mistake() {
    // Stored without compression, so that the changed bytes are characters.
    let mut encoder = GzEncoder::new(Vec::new(), Compression::none());
    encoder.write_all(PLANS.as_bytes()).unwrap();
    let packed = encoder.finish().unwrap();
    let faults = [("<plan>", "?plan>"), ("\"ab\"", "\"\u{1}b\""), ("<plan>", "<plam>")];
    for (good, bad) in faults {
        let at = packed.windows(good.len()).position(|part| part == good.as_bytes()).unwrap();
        let mut damaged = packed.clone();
        damaged[at..at + good.len()].copy_from_slice(bad.as_bytes());
        let error = load_files(&[("network.xml", NETWORK.as_bytes()), ("plans.xml", &damaged)], |_| {}).unwrap_err();
        assert!(error.starts_with("plans.xml: the compressed data is damaged"), "{error}");
        let text = PLANS.replacen(good, bad, 1);
        let error = load_files(&[("network.xml", NETWORK), ("plans.xml", &text)], |_| {}).unwrap_err();
        assert!(error.starts_with("plans.xml:3: "), "{error}");
    }
}

#[test]
fn problems_of_several_files_are_reported_together() {
    let files = [
        ("network.xml", NETWORK),
        ("plans.xml", PLANS),
        ("facilities.xml", "<facilities><facility id=\"f\" linkId=\"zz\"/></facilities>"),
        ("vehicles.xml", "<vehicleDefinitions><vehicle id=\"v\" type=\"zz\"/></vehicleDefinitions>"),
    ];
    let error = load_files(&files, |_| {}).unwrap_err();
    assert!(error.contains("facilities.xml:1: ") && error.contains("vehicles.xml:1: "), "{error}");
}

#[test]
fn systems_without_a_transformation_are_refused() {
    let files = [("network.xml", NETWORK), ("plans.xml", PLANS)];
    let error = load_files(&files, |s| s.global.coordinate_system = "EPSG:25832".into()).unwrap_err();
    let expected = "plans.xml: coordinates are in \"Atlantis\", and cannot be transformed to global.coordinateSystem, \
        \"EPSG:25832\": ";
    assert!(error.starts_with(expected), "{error}");
    // The problems of all files but the network are in one report.
    let facilities = format!("<facilities>{}</facilities>", named("Mars"));
    let files = [("network.xml", NETWORK), ("plans.xml", PLANS), ("facilities.xml", &*facilities)];
    let error = load_files(&files, |s| s.global.coordinate_system = "Venus".into()).unwrap_err();
    for part in ["facilities.xml:1: coordinates are in \"Mars\"", "plans.xml: coordinates are in \"Atlantis\""] {
        assert!(error.contains(part), "{error}");
    }
    let network = NETWORK.replace("<nodes>", &format!("{}<nodes>", named("Mars")));
    let error = load_files(&[("network.xml", &*network), ("plans.xml", PLANS)], |_| {}).unwrap_err();
    assert!(error.starts_with("network.xml:1: coordinates are in \"Mars\""), "{error}");
}

/// The attributes of a file that names its coordinate system.
fn named(system: &str) -> String {
    format!("<attributes><attribute name=\"coordinateReferenceSystem\" class=\"c\">{system}</attribute></attributes>")
}

/// Network, plans and facilities in Munich, with the points that `point` makes of those in zone 32 of UTM, and with
/// their attributes.
fn in_munich(point: impl Fn(f64, f64) -> [f64; 2], attributes: &str) -> [(&'static str, String); 3] {
    let xy = |x, y| {
        let [x, y] = point(x, y);
        format!("x=\"{x}\" y=\"{y}\"")
    };
    let network = format!(
        "<!DOCTYPE network SYSTEM \"network_v2.dtd\"><network>{attributes}<nodes>\n<node id=\"a\" {}/>\n<node id=\"b\" {}/>\
         </nodes><links><link id=\"ab\" from=\"a\" to=\"b\" length=\"1500\" freespeed=\"10\" capacity=\"1000\" \
         permlanes=\"1\" modes=\"car\"/><link id=\"ba\" from=\"b\" to=\"a\" length=\"1500\" freespeed=\"10\" \
         capacity=\"1000\" permlanes=\"1\" modes=\"car\"/></links></network>",
        xy(690_000.0, 5_334_000.125),
        xy(691_000.5, 5_335_000.0)
    );
    let plans = format!(
        "<!DOCTYPE population SYSTEM \"population_v6.dtd\"><population>{attributes}\n<person id=\"p\"><plan>\
         <activity type=\"h\" {} end_time=\"07:00:00\"/><leg mode=\"walk\"/>\n<activity type=\"w\" facility=\"f\"/>\
         </plan></person></population>",
        xy(690_100.25, 5_334_050.0)
    );
    let facilities =
        format!("<facilities>{attributes}<facility id=\"f\" {}/></facilities>", xy(690_950.0, 5_335_040.001));
    [("network.xml", network), ("plans.xml", plans), ("facilities.xml", facilities)]
}

#[test]
fn coordinates_are_transformed_to_the_system_of_the_run() {
    let in_system = |system: &str| {
        let transformation = Transformation::between("EPSG:25832", system).unwrap();
        move |x, y| transformation.as_ref().map_or([x, y], |transformation| transformation.apply(x, y).unwrap())
    };
    let of_run = |s: &mut Settings| s.global.coordinate_system = "EPSG:25832".into();
    let load = |system: &str, attributes: &str, of_config: Option<&str>| {
        let scenario = load_files(&in_munich(in_system(system), attributes), |settings| {
            of_run(settings);
            let of_config = of_config.map(str::to_owned);
            settings.files.network_system.clone_from(&of_config);
            settings.files.plans_system.clone_from(&of_config);
            settings.files.facilities_system = of_config;
        });
        let scenario = scenario.unwrap();
        let Scenario { network, population, facilities, .. } = scenario;
        let (activities, legs) = (population.activities, population.legs);
        let points = [network.node_x, network.node_y, activities.x, activities.y, facilities.x, facilities.y];
        (points, activities.link, [legs.travel_time, legs.distance])
    };
    let expected = load("EPSG:25832", "", None);
    assert_eq!(expected.0[0], [690_000.0, 691_000.5]);
    assert!(expected.2[0][0] > 1000.0, "{expected:?}");
    for system in ["EPSG:4326", "EPSG:25833", "EPSG:3035"] {
        assert_eq!(load(system, "", Some(system)), expected, "{system}");
        assert_eq!(load(system, &named(system), None), expected, "{system}");
        assert_eq!(load(system, &named(system), Some("EPSG:2056")), expected, "{system}");
    }
    // Such a network is not in degrees.
    let folder = tempfile::tempdir().unwrap();
    let (mut settings, mut warnings) = (Settings::default(), Warnings::new());
    of_run(&mut settings);
    for (name, text) in in_munich(in_system("WGS84"), &named("WGS84")) {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    let path = |name: &str| Some(folder.path().join(name));
    settings.files.network = path("network.xml");
    settings.files.plans = path("plans.xml");
    settings.files.facilities = path("facilities.xml");
    super::load_scenario(settings, &mut warnings, &NoProgress).unwrap();
    assert!(warnings.lines().all(|line| !line.contains("degrees")), "{warnings:?}");
}

#[test]
fn coordinates_outside_of_a_system_are_reported_with_their_line() {
    let swapped = |_, _| [11.5, 98.0];
    let error = load_files(&in_munich(swapped, &named("WGS84")), |s| s.global.coordinate_system = "EPSG:25832".into());
    let error = error.unwrap_err();
    let end = "has x 11.5 and y 98, which cannot be transformed from WGS84 to EPSG:25832\n    Correct the coordinate";
    assert!(error.starts_with(&format!("network.xml:2: node \"a\" {end}")), "{error}");
    let mut files = in_munich(swapped, "");
    files[0].1 = NETWORK.to_owned();
    let error = load_files(&files, |settings| {
        settings.global.coordinate_system = "EPSG:25832".into();
        settings.files.facilities_system = Some("WGS84".into());
        settings.files.plans_system = Some("WGS84".into());
    });
    let error = error.unwrap_err();
    assert!(error.contains(&format!("facilities.xml:1: facility \"f\" {end}")), "{error}");
    files[2].1 = "<facilities/>".to_owned();
    let error = load_files(&files, |settings| {
        settings.global.coordinate_system = "EPSG:25832".into();
        settings.files.plans_system = Some("WGS84".into());
    });
    let error = error.unwrap_err();
    assert!(error.contains(&format!("plans.xml:2: an activity {end}")), "{error}");
}

#[test]
fn change_events_leave_links_valid() {
    let events = "<networkChangeEvents>\n<networkChangeEvent startTime=\"06:00\"><link refId=\"ab\"/>\n\
        <freespeed type=\"offset\" value=\"-11\"/></networkChangeEvent></networkChangeEvents>";
    let files = [("network.xml", NETWORK), ("plans.xml", PLANS), ("changes.xml", events)];
    let error = load_files(&files, |s| {
        s.files.change_events = s.files.network.as_ref().map(|network| network.with_file_name("changes.xml"));
        s.files.time_variant_network = true;
    });
    let error = error.unwrap_err();
    assert!(
        error.starts_with("changes.xml:3: freespeed of link \"ab\" becomes -1 (it was 10)\n    Expected"),
        "{error}"
    );
}

#[test]
fn too_many_modes_keep_the_earlier_problems() {
    let home = "<activity type=\"h\" link=\"ab\"/>\n";
    let legs = (0..300).map(|i| format!("<leg mode=\"m{i}\"/>\n{home}")).collect::<Vec<_>>().concat();
    let persons = person("p", "<activity type=\"h\" link=\"zz\"/>") + &person("q", &format!("{home}{legs}"));
    let mut settings = Settings::default();
    settings.qsim.main_modes = vec!["car".into()];
    let text = failure(settings, &persons);
    assert!(text.starts_with("plans.xml:5: activity at link \"zz\", which the network does not have"), "{text}");
}

#[test]
fn all_missing_vehicle_types_are_reported() {
    let mut settings = Settings::default();
    settings.qsim.main_modes = ["car", "bike", "truck"].map(str::to_owned).to_vec();
    settings.qsim.vehicles_source = VehiclesSource::ModeVehicleTypesFromVehiclesData;
    let text = failure(settings, "");
    for mode in ["car", "bike", "truck"] {
        assert!(text.contains(&format!("there is no vehicle type {mode:?} for mode {mode}")), "{text}");
    }
}
