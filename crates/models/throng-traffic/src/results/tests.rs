//! A small hand-made day that passes through the whole recorder.

use std::path::Path;
use std::sync::Arc;

use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
use throng_core::NONE;
use throng_model::record::RunRecord;
use throng_output::{Codec, IfNotEmpty, RunFolder};
use throng_queue::RunOutcome;

use super::analysis::{Analysis, LegTimes};
use super::trips::ExperiencedTrips;
use super::*;
use throng_traffic_scenario::RunStats;
use throng_traffic_scenario::events::{Event, EventKind, EventSink};
use throng_traffic_scenario::settings::Compat;
use throng_traffic_scenario::{Activity, Leg, ModeId, NetworkBuilder, RouteKind, Scenario};

const CAR: ModeId = ModeId(0);
const WALK: ModeId = ModeId(1);

/// Links 1, 2, 3 in a row, 1000 m each. Person `a&b` drives 1-2-3 and walks to the shop via an interaction activity;
/// person 2 is aborted on the way.
fn scenario(compat: Compat) -> Scenario {
    let mut scenario = Scenario::default();
    scenario.settings.extensions.compat = compat;
    assert_eq!(scenario.modes.intern("car"), Some(CAR));
    assert_eq!(scenario.modes.intern("walk"), Some(WALK));
    scenario.network = NetworkBuilder::new()
        .node("n0", 0.0, 0.0)
        .node("n1", 1000.0, 0.0)
        .node("n2", 2000.0, 0.0)
        .node("n3", 3000.0, 0.0)
        .link("1", "n0", "n1", 1000.0, 25.0, 3600.0, 1.0)
        .link("2", "n1", "n2", 1000.0, 25.0, 3600.0, 1.0)
        .link("3", "n2", "n3", 1000.0, 25.0, 3600.0, 1.0)
        .build()
        .unwrap();
    for id in ["car1", "car2"] {
        scenario.vehicles.ids.intern(id).unwrap();
        scenario.vehicles.type_of.push(0);
        scenario.vehicles.start_link.push(0);
    }
    let population = &mut scenario.population;
    for (person, vehicle) in [("a&b", 0), ("2", 1)] {
        population.begin_person(person).unwrap();
        let kinds = ["home", "car interaction", "shop"].map(|k| population.activity_types.intern(k).unwrap());
        let (x, y) = (f64::NAN, f64::NAN);
        let activity =
            Activity { kind: kinds[0], link: 0, facility: NONE, x: 5.0, y: 1e7, end_time: x, max_duration: y };
        population.add_activity(&activity);
        let mut drive = Leg::new(CAR, 0, 2);
        (drive.vehicle, drive.routing_mode, drive.route) = (vehicle, CAR, RouteKind::Links);
        (drive.route_start, drive.route_len) = (population.route_links.len() as u64, 3);
        population.route_links.extend([0, 1, 2]);
        population.add_leg(&drive);
        population.add_activity(&Activity { kind: kinds[1], link: 2, x, y, ..activity });
        let mut walk = Leg::new(WALK, 2, 2);
        (walk.routing_mode, walk.route, walk.distance) = (CAR, RouteKind::Generic, 250.7);
        population.add_leg(&walk);
        population.add_activity(&Activity { kind: kinds[2], link: 2, x: 3000.0, y: 400.0, ..activity });
    }
    scenario
}

fn day() -> Vec<(f64, Vec<Event>)> {
    use EventKind::*;
    let of_person = |kind, person: u32, link, mode, detail| Event { kind, mode, person, link, detail };
    let moves = |kind, vehicle, link| Event::of_vehicle(kind, vehicle, link);
    let starts = |p: u32| [of_person(ActivityEnd, p, 0, ModeId::NONE, 3 * p), of_person(Departure, p, 0, CAR, 2 * p)];
    vec![
        (28_800.0, [starts(0), starts(1)].concat()),
        // Person 0 waits for the car for ten seconds.
        (
            28_810.0,
            vec![
                of_person(PersonEntersVehicle, 0, NONE, ModeId::NONE, 0),
                of_person(VehicleEntersTraffic, 0, 0, CAR, 0),
                moves(LeftLink, 0, 0),
                moves(EnteredLink, 0, 1),
            ],
        ),
        (28_860.5, vec![moves(LeftLink, 0, 1), moves(EnteredLink, 0, 2)]),
        (
            28_960.5,
            vec![
                of_person(VehicleLeavesTraffic, 0, 2, CAR, 0),
                of_person(PersonLeavesVehicle, 0, NONE, ModeId::NONE, 0),
                of_person(Arrival, 0, 2, CAR, 0),
                of_person(ActivityStart, 0, 2, ModeId::NONE, 1),
                of_person(ActivityEnd, 0, 2, ModeId::NONE, 1),
                of_person(Departure, 0, 2, WALK, 1),
            ],
        ),
        (
            29_160.5,
            vec![
                of_person(Travelled, 0, NONE, WALK, 1),
                of_person(Arrival, 0, 2, WALK, 1),
                of_person(ActivityStart, 0, 2, ModeId::NONE, 2),
            ],
        ),
        (
            30_000.0,
            vec![
                moves(VehicleAborts, 1, 0),
                of_person(StuckAndAbort, 1, 0, CAR, 2),
                of_person(StuckAndAbort, 1, NONE, ModeId::NONE, NONE),
            ],
        ),
    ]
}

fn record(compat: Compat, out: &Path) -> RunSummary {
    let folder = RunFolder::create(out, IfNotEmpty::Refuse, "").unwrap();
    let options =
        RecorderOptions { events_xml: true, events_parquet: true, analysis: true, codec: Codec::None, workers: 1 };
    let mut recorder = Recorder::create(Arc::new(scenario(compat)), folder.clone(), options).unwrap();
    for (time, events) in day() {
        recorder.step(time, &events).unwrap();
    }
    // The counts of an executor for these events.
    let stats = RunStats { events: 22, aborted: 2, ..RunStats::default() };
    let record = RunRecord { scenario: "<By hand>".into(), ..RunRecord::default() };
    recorder.close(&stats).unwrap().write(&folder, record, &RunOutcome::default(), 0.0).unwrap()
}

fn lines(out: &Path, name: &str) -> Vec<String> {
    std::fs::read_to_string(out.join(name)).unwrap().lines().map(str::to_owned).collect()
}

fn table_rows(out: &Path, name: &str) -> Vec<Vec<Field>> {
    let table = SerializedFileReader::new(std::fs::File::open(out.join(name)).unwrap()).unwrap();
    let rows: Vec<_> = table.get_row_iter(None).unwrap().map(Result::unwrap).collect();
    rows.iter().map(|row| row.get_column_iter().map(|(_, value)| value.clone()).collect()).collect()
}

#[test]
fn event_lines_match_both_releases() {
    let dir = tempfile::tempdir().unwrap();
    record(Compat::Matsim13, &dir.path().join("13"));
    record(Compat::Matsim2024, &dir.path().join("now"));
    let old = lines(&dir.path().join("13"), "output_events.xml");
    let new = lines(&dir.path().join("now"), "output_events.xml");
    let event = |text: &str| format!("\t<event {text}  />");
    assert_eq!(old[2], event(r#"time="28800.0" type="actend" person="a&amp;b" link="1" actType="home""#));
    assert_eq!(
        new[2],
        event(r#"time="28800.0" type="actend" person="a&amp;b" link="1" x="5.0" y="1.0E7" actType="home""#)
    );
    assert_eq!(old[3], event(r#"time="28800.0" type="departure" person="a&amp;b" link="1" legMode="car""#));
    let routing =
        r#"time="28800.0" type="departure" person="a&amp;b" link="1" legMode="car" computationalRoutingMode="car""#;
    assert_eq!(new[3], event(routing));
    // An activity without a coordinate has none in the file either.
    let interaction = event(r#"time="28960.5" type="actstart" person="a&amp;b" link="3" actType="car interaction""#);
    assert!(old.contains(&interaction) && new.contains(&interaction));
    assert!(old.contains(&event(r#"time="29160.5" type="travelled" person="a&amp;b" distance="250.7" mode="walk""#)));
    let end: Vec<String> = old[old.len() - 4..].to_vec();
    assert_eq!(
        end,
        [
            event(r#"time="30000.0" type="vehicle aborts" link="1" vehicle="car2""#),
            event(r#"time="30000.0" type="stuckAndAbort" person="2" link="1" legMode="car""#),
            event(r#"time="30000.0" type="stuckAndAbort" person="2""#),
            "</events>".to_owned(),
        ]
    );
}

#[test]
fn legs_and_trips_of_both_releases() {
    let dir = tempfile::tempdir().unwrap();
    record(Compat::Matsim13, &dir.path().join("13"));
    let summary = record(Compat::Matsim2024, &dir.path().join("now"));
    // Links 2 and 3 were driven. In release 13 the first activity has no coordinate and is at the end of link 1.
    assert_eq!(
        lines(&dir.path().join("13"), "output_legs.csv")[1..],
        [
            "a&b;a&b_1;08:00:00;00:02:40;00:00:10;2000;car;1;1000.0;0.0;3;3000.0;0.0;;;;",
            "a&b;a&b_1;08:02:40;00:03:20;00:00:00;250;walk;3;3000.0;0.0;3;3000.0;400.0;;;;",
        ]
    );
    assert_eq!(
        lines(&dir.path().join("now"), "output_legs.csv")[1..],
        [
            "a&b;a&b_1;08:00:00;00:02:40;00:00:10;2000;car;1;5.0;1.0E7;3;3000.0;0.0;;;;;car1",
            "a&b;a&b_1;08:02:40;00:03:20;00:00:00;250;walk;3;3000.0;0.0;3;3000.0;400.0;;;;;",
        ]
    );
    assert_eq!(
        lines(&dir.path().join("13"), "output_trips.csv")[1..],
        [
            "a&b;1;a&b_1;08:00:00;00:06:00;00:00:10;2251;2039;;car;car-walk;home;shop;null;1;1000.0;0.0;null;3;3000.0;400.0;;",
        ]
    );
    assert!(lines(&dir.path().join("now"), "output_trips.csv")[1].contains(";car;car;car-walk;home;"));

    // Both leave home, one arrives; interactions have no rows.
    assert_eq!(
        lines(&dir.path().join("13"), "output_activities.csv")[1..],
        [
            "a&b;1;a&b_1;home;;28800.0;;1;;5.0;1.0E7",
            "a&b;2;a&b_2;shop;29160.5;;;3;;3000.0;400.0",
            "2;1;2_1;home;;28800.0;;1;;5.0;1.0E7",
        ]
    );
    assert_eq!(
        lines(&dir.path().join("13"), "output_persons.csv"),
        ["person;executed_score;first_act_x;first_act_y;first_act_type", "a&b;;5.0;1.0E7;home", "2;;5.0;1.0E7;home"]
    );

    // The same rows as above, but their times are not rounded.
    assert_eq!(
        lines(&dir.path().join("13"), "leg_times.csv"),
        [
            "person;trip_id;mode;dep_time_s;trav_time_s;wait_time_s",
            "a&b;a&b_1;car;28800;160.5;10",
            "a&b;a&b_1;walk;28960.5;200;0",
        ]
    );
    assert_eq!(
        lines(&dir.path().join("13"), "trip_times.csv"),
        ["person;trip_number;trip_id;dep_time_s;trav_time_s;wait_time_s", "a&b;1;a&b_1;28800;360.5;10"]
    );

    assert!(!dir.path().join("now/ITERS").exists(), "only with throng.iterationFiles");
    assert_eq!((summary.persons, summary.trips, summary.stuck(), summary.stats.events), (2, 1, 2, 22));
    assert_eq!((summary.first_event, summary.last_event), (28_800.0, 30_000.0));
    let [car] = &summary.modes[..] else { panic!("{:?}", summary.modes) };
    assert_eq!((car.mode.as_str(), car.trips, car.mean_s, car.mean_distance_m), ("car", 1, 360.5, 2250.7));
    // Link 2 in 50.5 s and link 3 in 100 s.
    assert_eq!(summary.network_distance_m, 2000.0);
    assert!((summary.network_speed_kmh - 2000.0 / 150.5 * 3.6).abs() < 1e-9);
}

#[test]
fn tables_and_report_are_written() {
    let dir = tempfile::tempdir().unwrap();
    let summary = record(Compat::Matsim13, &dir.path().join("x"));
    let out = dir.path().join("x");
    assert_eq!(
        lines(&out, "link_stats.csv"),
        [
            "time_start;time_start_s;time_end;time_end_s;link;volume;mean_travel_time_s;mean_speed_kmh;traversals",
            // No vehicle has driven the whole of link 1: its first user started on it.
            "08:00:00;28800;08:15:00;29700;1;1;;;0",
            "08:00:00;28800;08:15:00;29700;2;1;50.5;71.29;1",
        ]
    );
    let link = |id: &str, time: Option<f64>| {
        let number = |value: Option<f64>| value.map_or(Field::Null, Field::Double);
        let speed = time.map(|time| 1000.0 / time * 3.6);
        let bin = [Field::Double(28_800.0), Field::Double(29_700.0)];
        let traversals = Field::UInt(u32::from(time.is_some()));
        [&bin[..], &[Field::Str(id.into()), Field::UInt(1), number(time), number(speed), traversals]].concat()
    };
    assert_eq!(table_rows(&out, "link_stats.parquet"), [link("1", None), link("2", Some(50.5))]);
    assert_eq!(
        lines(&out, "leg_histogram.csv")[1..4],
        ["08:00:00;28800;car;2;1;0;1", "08:00:00;28800;walk;1;0;0;1", "08:05:00;29100;car;0;0;0;1"]
    );
    let bins: Vec<String> = lines(&out, "leg_histogram.csv").iter().map(|line| line[..8].to_owned()).collect();
    assert_eq!(bins[5..], ["08:20:00"; 2], "no leg began or ended from 08:10 to 08:20: {bins:?}");
    assert_eq!(lines(&out, "leg_histogram.csv").last().unwrap(), "08:20:00;30000;walk;0;0;0;0");
    assert_eq!(lines(&out, "stuck_agents.csv")[1..], ["08:20:00;30000;2;1;car", "08:20:00;30000;2;;"]);
    let report = std::fs::read_to_string(out.join("report.html")).unwrap();
    assert!(report.contains("&lt;By hand&gt;") && !report.contains("<By hand>"));
    assert!(!report.contains("NaN") && !report.contains("inf"), "every number is finite or a dash");
    let manifest: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(out.join("manifest.json")).unwrap()).unwrap();
    assert_eq!(manifest["results"]["trips"], 1);
    let named: Vec<&str> = summary.files.iter().map(|f| f.name.as_str()).collect();
    let mut present: Vec<String> =
        std::fs::read_dir(&out).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    present.sort();
    let mut expected = named.clone();
    expected.sort_unstable();
    assert_eq!(present, expected, "every file is named, and no partial file is left");
    for file in &summary.files {
        assert_eq!(std::fs::metadata(out.join(&file.name)).unwrap().len(), file.bytes, "{}", file.name);
    }
}

const EXPERIENCED: &str = r#"
	<person id="a&amp;b">
		<attributes>
		</attributes>
		<plan selected="yes">
			<activity type="home" link="1" x="5.0" y="1.0E7" end_time="08:00:00" >
			</activity>
			<leg mode="car" dep_time="08:00:00" trav_time="160.5">
				<attributes>
					<attribute name="enterVehicleTime" class="java.lang.Double">28810.0</attribute>
					<attribute name="routingMode" class="java.lang.String">car</attribute>
				</attributes>
				<route type="links" start_link="1" end_link="3" trav_time="160.5" distance="2000.0" vehicleRefId="car1">1 2 3</route>
			</leg>
			<activity type="car interaction" link="3" start_time="28960.5" end_time="28960.5" >
			</activity>
			<leg mode="walk" dep_time="28960.5" trav_time="00:03:20">
				<attributes>
					<attribute name="routingMode" class="java.lang.String">car</attribute>
				</attributes>
				<route type="generic" start_link="3" end_link="3" trav_time="00:03:20" distance="250.7"></route>
			</leg>
			<activity type="shop" link="3" x="3000.0" y="400.0" start_time="29160.5" >
			</activity>
		</plan>

	</person>
"#;

#[test]
fn experienced_plans_of_both_releases() {
    let dir = tempfile::tempdir().unwrap();
    let text = |compat: Compat| {
        let folder = RunFolder::create(&dir.path().join(format!("{compat:?}")), IfNotEmpty::Refuse, "").unwrap();
        let mut scenario = scenario(compat);
        scenario.settings.scoring.writes_experienced_plans = true;
        let options = RecorderOptions { codec: Codec::None, ..RecorderOptions::of(&scenario.settings) };
        let mut recorder = Recorder::create(Arc::new(scenario), folder.clone(), options).unwrap();
        for (time, events) in day() {
            recorder.step(time, &events).unwrap();
        }
        recorder.close(&RunStats::default()).unwrap();
        std::fs::read_to_string(folder.path().join("output_experienced_plans.xml")).unwrap()
    };
    let recent = text(Compat::Matsim2024);
    assert!(recent.contains(EXPERIENCED), "{recent}");
    // The other person is aborted in the first leg.
    assert_eq!((recent.matches("<person ").count(), recent.matches("<leg ").count()), (2, 2));
    let expected = EXPERIENCED.lines().filter(|line| !line.contains("\"routingMode\"")).collect::<Vec<_>>().join("\n");
    let no_attributes =
        "<leg mode=\"walk\" dep_time=\"28960.5\" trav_time=\"00:03:20\">\n\t\t\t\t<attributes>\n\t\t\t\t</attributes>";
    let expected = expected.replace(no_attributes, no_attributes.split('\n').next().unwrap());
    let expected = expected.replace(" x=\"5.0\" y=\"1.0E7\"", "");
    let old = text(Compat::Matsim13);
    assert!(old.contains(&expected), "{old}");
}

#[test]
fn days_of_decades_have_small_tables() {
    let dir = tempfile::tempdir().unwrap();
    let folder = RunFolder::create(dir.path(), IfNotEmpty::Refuse, "").unwrap();
    let scenario = Arc::new(scenario(Compat::Matsim2024));
    let mut recorder =
        Recorder::create(Arc::clone(&scenario), folder.clone(), RecorderOptions::of(&scenario.settings)).unwrap();
    for (time, events) in day() {
        recorder.step(time, &events).unwrap();
    }
    let end = |detail| Event { kind: EventKind::Arrival, mode: WALK, person: 1, link: 2, detail };
    recorder.step(999_999_000.0, &[Event { kind: EventKind::Departure, ..end(3) }, end(3)]).unwrap();
    let closed = recorder.close(&RunStats::default()).unwrap();
    assert_eq!(closed.measured().series.rows.len(), 4);
    closed.write(&folder, RunRecord::default(), &RunOutcome::default(), 0.0).unwrap();
    let table = lines(dir.path(), "leg_histogram.csv");
    assert_eq!(table.len(), 9, "{table:?}");
    assert_eq!(table.last().unwrap(), "277777:30:00;999999000;walk;1;1;0;0");
    assert!(std::fs::metadata(dir.path().join("report.html")).unwrap().len() < 200_000);
}

#[test]
fn iterations_have_files_in_the_layout_of_matsim() {
    let dir = tempfile::tempdir().unwrap();
    for (compat, out) in [(Compat::Matsim13, "13"), (Compat::Matsim2024, "now")] {
        let folder = RunFolder::create(&dir.path().join(out), IfNotEmpty::Refuse, "").unwrap();
        let mut scenario = scenario(compat);
        scenario.settings.extensions.iteration_files = true;
        scenario.settings.controller.first_iteration = 3;
        scenario.settings.qsim.end_time = Some(31_000.0);
        let scenario = Arc::new(scenario);
        let mut recorder =
            Recorder::create(Arc::clone(&scenario), folder.clone(), RecorderOptions::of(&scenario.settings)).unwrap();
        for (time, events) in day() {
            recorder.step(time, &events).unwrap();
        }
        // Far beyond the histogram.
        recorder
            .step(
                999_999_000.0,
                &[Event { mode: WALK, person: 0, ..Event::of_vehicle(EventKind::StuckAndAbort, 0, 2) }],
            )
            .unwrap();
        let closed = recorder.close(&RunStats::default()).unwrap();
        let summary = closed.write(&folder, RunRecord::default(), &RunOutcome::default(), 0.0).unwrap();
        let of_iteration = |file: &&str| file.starts_with("ITERS/it.3/3.");
        assert_eq!(summary.files.iter().map(|f| f.name.as_str()).filter(of_iteration).count(), 4);
    }
    let text = |name: &str| std::fs::read_to_string(dir.path().join(name)).unwrap();
    // Person `a&b` drives 2000 m in 150.5 s after waiting for 10 s, walks 250.7 m in 200 s; `2` has planned the same.
    for (name, expected) in [
        ("13/modestats.txt", "Iteration\tcar\n3\t1.0\n"),
        ("now/modestats.csv", "iteration;car\r\n3;1.0\r\n"),
        ("now/pkm_modestats.csv", "Iteration;car;walk\r\n3;2;0\r\n"),
        (
            "13/traveldistancestats.txt",
            "ITERATION\tavg. Average Leg distance\tavg. Average Trip distance\n3\t1125.35\t2250.7\t\n",
        ),
        (
            "now/ph_modestats.csv",
            "Iteration;car_travel;car_wait;stageActivity_travel;stageActivity_wait;walk_travel;walk_wait\r\n3;0;0;0;0;0;0\r\n",
        ),
    ] {
        assert_eq!(text(name), expected, "{name}");
    }
    let classes = "pattern\t0+\t5+\t10+\t15+\t20+\t25+\t30+\t35+\t40+\t45+\t50+\t55+\t60+\n";
    let zeros = "\t0".repeat(12);
    let durations = format!("{classes}car interaction---shop\t1{zeros}\nhome---car interaction\t1{zeros}\n\n");
    let durations = |what: &str| format!("{durations}average {what} duration: 180.25 seconds = 00:03:00\n");
    assert_eq!(text("13/ITERS/it.3/3.legdurations.txt"), durations("trip"));
    assert_eq!(text("now/ITERS/it.3/3.tripdurations.txt"), durations("leg"));

    let histogram = text("13/ITERS/it.3/3.legHistogram.txt");
    let columns = ["all", "car", "walk"]
        .map(|mode| format!("\tdepartures_{mode}\tarrivals_{mode}\tstuck_{mode}\ten-route_{mode}"));
    let lines: Vec<&str> = histogram.lines().collect();
    assert_eq!(lines[0], format!("time\ttime{}", columns.concat()));
    assert_eq!(lines[97], "08:00:00\t28800\t3\t1\t0\t2\t2\t1\t0\t1\t1\t0\t0\t1");
    assert_eq!((lines.len(), lines[362]), (363, "30:05:00\t108300\t0\t0\t1\t-1\t0\t0\t0\t0\t0\t0\t1\t-1"));
    let recent = text("now/ITERS/it.3/3.legHistogram.txt");
    assert_eq!((recent.lines().count(), recent.lines().last().unwrap().get(..8)), (1 + 105, Some("08:40:00")));
}

#[test]
fn an_abandoned_run_leaves_no_file() {
    let dir = tempfile::tempdir().unwrap();
    let folder = RunFolder::create(dir.path(), IfNotEmpty::Refuse, "").unwrap();
    let scenario = Arc::new(scenario(Compat::Matsim13));
    let mut recorder =
        Recorder::create(Arc::clone(&scenario), folder, RecorderOptions::of(&scenario.settings)).unwrap();
    for (time, events) in day() {
        recorder.step(time, &events).unwrap();
    }
    drop(recorder);
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
}

#[test]
fn a_run_without_events_has_a_report() {
    let dir = tempfile::tempdir().unwrap();
    let folder = RunFolder::create(dir.path(), IfNotEmpty::Refuse, "").unwrap();
    let scenario = Arc::new(Scenario::default());
    let options = RecorderOptions::of(&scenario.settings);
    let recorder = Recorder::create(Arc::clone(&scenario), folder.clone(), options).unwrap();
    let closed = recorder.close(&RunStats::default()).unwrap();
    let summary = closed.write(&folder, RunRecord::default(), &RunOutcome::default(), 0.0).unwrap();
    assert_eq!((summary.analysed, summary.trips), (true, 0));
    assert!(std::fs::read_to_string(dir.path().join("report.html")).unwrap().contains("No trip was finished."));
}

#[test]
fn trips_end_at_the_next_activity_other_than_an_interaction() {
    let scenario = Arc::new(scenario(Compat::Matsim13));
    let mut times = LegTimes::new(&scenario);
    for (time, events) in day() {
        times.begin_step(time);
        for event in &events {
            times.take(event);
        }
    }
    let mut trips = ExperiencedTrips::of(&scenario, &times, 0);
    let trip = trips.next_trip().unwrap();
    assert_eq!((trip.number, trip.origin, trip.destination), (1, 0, 2));
    assert_eq!(trip.legs.iter().map(|l| (l.leg, l.between)).collect::<Vec<_>>(), [(0, (0, 1)), (1, (1, 2))]);
    assert_eq!(trips.next_trip(), None);
    assert_eq!(ExperiencedTrips::of(&scenario, &times, 1).next_trip(), None, "the second person never arrived");
}

#[test]
fn round_trips_count_the_links_in_between() {
    let mut scenario = scenario(Compat::Matsim13);
    scenario.population.route_links[..3].copy_from_slice(&[0, 1, 0]);
    let distance_m = |scenario: &Scenario| {
        let scenario = Arc::new(scenario.clone());
        distance_of(&scenario, &LegTimes::new(&scenario), 0)
    };
    assert_eq!(distance_m(&scenario), 1000.0);
    scenario.population.legs.route_len[0] = 1;
    assert_eq!(distance_m(&scenario), 0.0);
}

#[test]
fn link_bins_are_written_when_they_are_over() {
    let dir = tempfile::tempdir().unwrap();
    let folder = RunFolder::create(dir.path(), IfNotEmpty::Refuse, "").unwrap();
    let scenario = Arc::new(scenario(Compat::Matsim13));
    let mut analysis = Analysis::create(&scenario, &folder, Codec::None).unwrap();
    let mut block = EventBlock::new();
    // On link 2, ten vehicles in the first quarter of an hour and thirty in the second; the last vehicle in the next
    // hour on link 1.
    for (time, link, n) in [(100.0, 1, 10), (900.0, 1, 20), (1799.0, 1, 10), (4000.0, 0, 1)] {
        block.fill(time, &vec![Event::of_vehicle(EventKind::LeftLink, 0, link); n]);
    }
    analysis.take(&block).unwrap();
    let (day, _) = analysis.finish(&folder).unwrap();
    assert_eq!(
        lines(dir.path(), "link_stats.csv")[1..],
        [
            "00:00:00;0;00:15:00;900;2;10;;;0",
            "00:15:00;900;00:30:00;1800;2;30;;;0",
            "01:00:00;3600;01:15:00;4500;1;1;;;0",
        ]
    );
    let busiest = day.links.busiest(10);
    assert_eq!(
        busiest.iter().map(|b| (b.link, b.volume, b.peak_volume, b.peak_time)).collect::<Vec<_>>(),
        [(1, 40, 30, 900.0), (0, 1, 1, 3600.0),]
    );
}

#[test]
fn travel_times_are_counted_in_the_bin_of_the_exit() {
    let dir = tempfile::tempdir().unwrap();
    let folder = RunFolder::create(dir.path(), IfNotEmpty::Refuse, "").unwrap();
    let scenario = Arc::new(scenario(Compat::Matsim13));
    let mut analysis = Analysis::create(&scenario, &folder, Codec::None).unwrap();
    let mut block = EventBlock::new();
    // Enters at 800, in the first quarter of an hour; leaves at 1000, in the second.
    block.fill(800.0, &[Event::of_vehicle(EventKind::EnteredLink, 0, 1)]);
    block.fill(1000.0, &[Event::of_vehicle(EventKind::LeftLink, 0, 1)]);
    analysis.take(&block).unwrap();
    analysis.finish(&folder).unwrap();
    // 1000 m in 200 s.
    assert_eq!(lines(dir.path(), "link_stats.csv")[1..], ["00:15:00;900;00:30:00;1800;2;1;200.0;18.00;1"]);
}

#[test]
fn aborted_agents_of_a_time_stamp_are_sorted_by_person() {
    let dir = tempfile::tempdir().unwrap();
    let folder = RunFolder::create(dir.path(), IfNotEmpty::Refuse, "").unwrap();
    let scenario = Arc::new(scenario(Compat::Matsim13));
    let mut analysis = Analysis::create(&scenario, &folder, Codec::None).unwrap();
    let mut block = EventBlock::new();
    let stuck = |person, link| Event { person, ..Event::of_vehicle(EventKind::StuckAndAbort, NONE, link) };
    block.fill(60.0, &[stuck(1, 0), stuck(0, 1)]);
    block.fill(50_000.0, &[stuck(1, NONE)]);
    analysis.take(&block).unwrap();
    analysis.finish(&folder).unwrap();
    assert_eq!(
        lines(dir.path(), "stuck_agents.csv")[1..],
        ["00:01:00;60;a&b;2;", "00:01:00;60;2;1;", "13:53:20;50000;2;;"]
    );
}

#[test]
fn the_map_shows_the_slowest_quarter_of_an_hour() {
    let dir = tempfile::tempdir().unwrap();
    let folder = RunFolder::create(dir.path(), IfNotEmpty::Refuse, "").unwrap();
    let mut scenario = scenario(Compat::Matsim13);
    // 1000 m at 20 m/s, plus one step for the node.
    scenario.network.freespeed_mps[1] = 20.0;
    let scenario = Arc::new(scenario);
    let free = 51.0;
    let mut analysis = Analysis::create(&scenario, &folder, Codec::None).unwrap();
    let mut block = EventBlock::new();
    // Free flow in the first quarter of an hour, three times as long in the second.
    for (entered, took) in [(10.0, free), (1000.0, 3.0 * free)] {
        block.fill(entered, &[Event::of_vehicle(EventKind::EnteredLink, 0, 1)]);
        block.fill(entered + took, &[Event::of_vehicle(EventKind::LeftLink, 0, 1)]);
    }
    analysis.take(&block).unwrap();
    let (day, _) = analysis.finish(&folder).unwrap();
    assert_eq!((day.links.volume(1), day.links.slowest(0)), (2, None));
    assert!((day.links.slowest(1).unwrap() - 1.0 / 3.0).abs() < 1e-6);
    let map = speed_map::speed_map(&scenario.network, &day.links);
    let counts: Vec<usize> = map.classes.iter().map(|class| class.lines.len()).collect();
    let busiest = day.links.busiest(1);
    let slowest = busiest[0].slowest.unwrap();
    assert_eq!((slowest.time, slowest.speed_kmh.round()), (900.0, (1000.0 / (3.0 * free) * 3.6).round()));
    assert_eq!(counts, [2, 0, 0, 0, 1, 0], "no vehicle; no speed; free, three quarters, a half, a quarter");
}

#[test]
fn the_no_vehicle_class_contains_unused_links_only() {
    let dir = tempfile::tempdir().unwrap();
    let folder = RunFolder::create(dir.path(), IfNotEmpty::Refuse, "").unwrap();
    let scenario = Arc::new(scenario(Compat::Matsim13));
    let mut analysis = Analysis::create(&scenario, &folder, Codec::None).unwrap();
    let mut block = EventBlock::new();
    // The vehicle departs on link 1, continues to link 2 and arrives there; link 3 is always empty.
    let set_out = Event { kind: EventKind::VehicleEntersTraffic, mode: CAR, person: 0, link: 0, detail: 0 };
    block.fill(10.0, &[set_out, Event::of_vehicle(EventKind::LeftLink, 0, 0)]);
    block.fill(10.0, &[Event::of_vehicle(EventKind::EnteredLink, 0, 1)]);
    block.fill(90.0, &[Event { kind: EventKind::VehicleLeavesTraffic, link: 1, ..set_out }]);
    analysis.take(&block).unwrap();
    let (day, _) = analysis.finish(&folder).unwrap();
    assert_eq!([0, 1, 2].map(|link| day.links.is_used(link)), [true, true, false]);
    let classes = speed_map::speed_map(&scenario.network, &day.links).classes;
    let named = |text: &str| classes.iter().find(|class| class.name.starts_with(text)).unwrap().lines.len();
    assert_eq!((named("no vehicle ("), named("no vehicle drove its whole length (")), (1, 2));
}
