use throng_core::InputError;
use throng_matsim::formats::events_reader::EventsReader;
use throng_scene::colours::slow_to_fast;
use throng_scene::{Recording, Rgb};
use throng_traffic_scenario::{Network, NetworkBuilder};

use super::recording::{Colouring, TrafficRecording};
use super::stay_reader::{Stay, read_stays};
use super::{TrafficReplay, colouring_named};

/// Two links of 100 m that form a road from west to east, and one that leads back along both; 10 m/s.
fn network() -> Network {
    NetworkBuilder::new()
        .node("a", 1000.0, 50.0)
        .node("b", 1100.0, 50.0)
        .node("c", 1200.0, 50.0)
        .link("ab", "a", "b", 100.0, 10.0, 720.0, 1.0)
        .link("bc", "b", "c", 100.0, 10.0, 720.0, 2.0)
        .link("ca", "c", "a", 200.0, 10.0, 720.0, 1.0)
        .build()
        .unwrap()
}

const HEAD: &str = "<events version=\"1.0\">\n";

/// Three vehicles depart on `ab`, ten seconds apart, and continue to `bc`. The second one waits there for a minute, and
/// behind it the third, which has already waited on `ab`.
fn events() -> String {
    let events = [
        (100, "vehicle enters traffic", "ab", "x"),
        (101, "left link", "ab", "x"),
        (101, "entered link", "bc", "x"),
        (110, "vehicle enters traffic", "ab", "y"),
        (111, "left link", "ab", "y"),
        (111, "entered link", "bc", "y"),
        (112, "left link", "bc", "x"),
        (112, "entered link", "ca", "x"),
        (120, "vehicle enters traffic", "ab", "z"),
        (125, "left link", "ab", "z"),
        (125, "entered link", "bc", "z"),
        (172, "left link", "bc", "y"),
        (172, "entered link", "ca", "y"),
        (174, "vehicle leaves traffic", "bc", "z"),
        (300, "vehicle aborts", "ca", "x"),
        (310, "actend", "ca", "w"),
    ];
    let line = |(time, kind, link, vehicle): (u32, &str, &str, &str)| {
        format!("<event time=\"{time}.0\" type=\"{kind}\" link=\"{link}\" vehicle=\"{vehicle}\"/>\n")
    };
    format!("{HEAD}{}</events>", events.map(line).concat())
}

fn read(text: &str) -> Result<Vec<Stay>, InputError> {
    read_stays(&mut EventsReader::new(text.as_bytes(), "events.xml"), &network(), 1.0)
}

fn recording(colouring: Colouring) -> TrafficRecording {
    TrafficRecording::new("test", &network(), read(&events()).unwrap(), colouring, 1.0, 0.5)
}

#[test]
fn events_become_stays() {
    let stays = read(&events()).unwrap();
    let found = stays.iter().map(|stay| {
        let Stay { link, vehicle, enter_s, arrive_s, leave_s, lost_s, goes_on } = *stay;
        (link, vehicle, [enter_s, arrive_s, leave_s], lost_s, goes_on)
    });
    let expected = [
        (0, 0, [100.0, 100.0, 101.0], 0.0, true),
        (1, 0, [101.0, 111.0, 112.0], 0.0, true),
        (0, 1, [110.0, 110.0, 111.0], 0.0, true),
        (1, 1, [111.0, 121.0, 172.0], 0.0, true),
        (2, 0, [112.0, 132.0, 300.0], 0.0, false),
        (0, 2, [120.0, 120.0, 125.0], 0.0, true),
        // It waited for 5 s to leave its first link; one of them is a step.
        (1, 2, [125.0, 135.0, 174.0], 4.0, false),
        // The day ends one step after the last event.
        (2, 1, [172.0, 192.0, 311.0], 50.0, false),
    ];
    assert_eq!(found.collect::<Vec<_>>(), expected);
    let shares = stays.iter().map(|stay| stay.speed_share(1.0));
    let expected = [1.0, 1.0, 1.0, 11.0 / 61.0, 21.0 / 188.0, 1.0 / 5.0, 11.0 / 49.0, 21.0 / 139.0];
    assert_eq!(shares.collect::<Vec<_>>(), expected);
}

/// Returns for each vehicle, in the order of leaving: link, vehicle index, front along the link, lane.
fn fronts(recording: &TrafficRecording, time_s: f64) -> Vec<(u32, u32, f64, u32)> {
    let placed = recording.vehicles(time_s).into_iter();
    placed.map(|placed| (placed.stay.link, placed.stay.vehicle, placed.front_m, placed.lane)).collect()
}

#[test]
fn vehicles_drive_and_then_queue_in_order_of_leaving() {
    let recording = recording(Colouring::Speed);
    assert_eq!(fronts(&recording, 99.9), []);
    assert_eq!(fronts(&recording, 100.0), [(0, 0, 100.0, 0)], "departures are at the end");
    assert_eq!(fronts(&recording, 106.0), [(1, 0, 50.0, 0)]);
    assert_eq!(fronts(&recording, 111.5), [(1, 0, 100.0, 0), (1, 1, 5.0, 1)]);
    assert_eq!(fronts(&recording, 130.0), [(1, 1, 100.0, 1), (1, 2, 50.0, 0), (2, 0, 180.0, 0)]);
    // On a single lane, the second vehicle is behind the first.
    let queue = [(2, 0, 200.0, 0), (2, 1, 192.5, 0)];
    assert_eq!(fronts(&recording, 200.0), queue);
    assert_eq!(fronts(&recording, 311.0), []);
}

#[test]
fn overfull_queues_are_compressed_to_the_link_length() {
    let stay = |vehicle: u32, leave_s: f32| Stay {
        link: 0,
        vehicle,
        enter_s: 0.0,
        arrive_s: 1.0,
        leave_s,
        lost_s: 0.0,
        goes_on: true,
    };
    let stays = vec![stay(0, 9.0), stay(1, 8.0), stay(2, 7.0), stay(3, 6.0)];
    let placed = super::queues::position_vehicles(stays, 20.0, 1, 5.0);
    let fronts: Vec<_> = placed.iter().map(|placed| (placed.stay.vehicle, placed.front_m)).collect();
    assert_eq!(fronts, [(3, 20.0), (2, 15.0), (1, 10.0), (0, 5.0)]);
}

#[test]
fn boxes_are_on_the_right_side_of_their_links_around_the_middle_of_the_network() {
    let recording = recording(Colouring::Speed);
    let scene = recording.scene(106.0).unwrap();
    assert_eq!(scene.check(), Ok(()));
    let [ab, bc, ca, vehicle] = scene.boxes.as_slice() else { panic!("{} boxes", scene.boxes.len()) };
    // The network is 200 m long, with its middle at (1100, 50). South, which is plus z, is to the right of eastwards.
    assert_eq!(([ab.center[0], ab.center[2]], ab.half_size[0], ab.half_size[2]), ([-50.0, 1.75], 50.0, 1.75));
    assert_eq!(([bc.center[0], bc.center[2]], bc.half_size[2]), ([50.0, 3.5], 3.5));
    assert_eq!(([ca.center[0], ca.center[2]], ca.half_size[0]), ([0.0, -1.75], 100.0));
    // Its front is 50 m along `bc`, in the left of two lanes.
    assert_eq!([vehicle.center[0], vehicle.center[2]], [50.0 - 2.25, 1.75]);
    assert_eq!(vehicle.half_size, [2.25, 0.75, 0.9]);
    assert_eq!(vehicle.albedo, slow_to_fast(1.0));
    assert!(vehicle.center[1] - 0.75 >= ca.center[1] + ca.half_size[1]);
    assert_eq!(recording.camera().check(), Ok(()));
}

fn link_colours(time_s: f64) -> Vec<Rgb> {
    let scene = recording(Colouring::Volume).scene(time_s).unwrap();
    scene.boxes.iter().map(|shape| shape.albedo).collect()
}

#[test]
fn volumes_are_relative_to_the_flow_capacity() {
    let grey = link_colours(100.0)[2];
    assert_eq!(link_colours(100.0), [grey; 3]);
    // Half of 720 per hour is 90 in 15 minutes.
    let of = |vehicles: f64| slow_to_fast(1.0 - vehicles / 90.0);
    assert_eq!(link_colours(111.0), [of(2.0), grey, grey]);
    // Vehicles that arrive on a link, or are aborted on it, do not leave it.
    assert_eq!(link_colours(311.0), [of(3.0), of(2.0), grey]);
}

#[test]
fn delays_grow_while_vehicles_wait() {
    let colour = |time_s: f64| recording(Colouring::Delay).scene(time_s).unwrap().boxes[4].albedo;
    // The third vehicle waits on `ab`. The second one, the next in the list, could have been at the end of `bc` at 121
    // and left one step later.
    assert_eq!(colour(122.0), slow_to_fast(1.0));
    // On `bc`, behind it, the third one had already waited for 4 s, and could have left at 136.
    assert_eq!(colour(152.0), slow_to_fast(1.0 - 20.0 / 300.0));
    let second = recording(Colouring::Delay).scene(152.0).unwrap().boxes[3].albedo;
    assert_eq!(second, slow_to_fast(1.0 - 30.0 / 300.0));
}

#[test]
fn the_legend_reports_the_enlargement() {
    let small = recording(Colouring::Speed).legend();
    assert_eq!(
        small.iter().map(|(_, text)| text.as_str()).collect::<Vec<_>>(),
        ["stands", "half the free speed", "free speed"]
    );
    let long = NetworkBuilder::new().node("a", 0.0, 0.0).node("b", 10_800.0, 0.0);
    let long = long.link("ab", "a", "b", 10_800.0, 10.0, 720.0, 1.0).build().unwrap();
    for (colouring, expected) in [
        (Colouring::Id, "vehicles and lanes drawn 6.0 times as large"),
        (Colouring::Volume, "lanes drawn 6.0 times as wide"),
    ] {
        let recording = TrafficRecording::new("test", &long, Vec::new(), colouring, 1.0, 1.0);
        assert_eq!(recording.legend().last().unwrap().1, expected);
        // A day without vehicles shows only the roads.
        assert_eq!(recording.scene(0.0).unwrap().boxes[0].half_size[2], 6.0 * 1.75);
    }
}

#[test]
fn scenes_of_odd_networks_and_times_are_valid_and_empty() {
    let network =
        NetworkBuilder::new().node("a", 5.0, 5.0).link("loop", "a", "a", 10.0, 1.0, 1.0, 1.0).build().unwrap();
    for network in [network, Network::default()] {
        let recording = TrafficRecording::new("test", &network, Vec::new(), Colouring::Speed, 1.0, 1.0);
        let scene = recording.scene(f64::NAN).unwrap();
        assert_eq!((scene.check(), scene.boxes.len()), (Ok(()), 0));
        assert_eq!(recording.camera().check(), Ok(()));
    }
}

#[test]
fn events_of_another_network_are_refused() {
    let refused = |event: &str| read(&format!("{HEAD}{event}</events>")).unwrap_err().to_string();
    let error = refused("<event time=\"1\" type=\"entered link\" link=\"xy\" vehicle=\"1\"/>");
    assert!(
        error.starts_with("events.xml:2: the network has no link \"xy\"\n    events and network are not"),
        "{error}"
    );
    let error = refused("<event time=\"1\" type=\"left link\" link=\"ab\" person=\"1\"/>");
    assert!(error.starts_with("events.xml:2: this event names no vehicle\n"), "{error}");
}

#[test]
fn all_colourings_have_a_name() {
    use throng_model::Replay as _;
    for (name, _) in TrafficReplay.colourings() {
        assert!(colouring_named(name).is_ok());
    }
    let error = colouring_named("sped").unwrap_err().to_string();
    assert!(error.contains("give one of speed, volume, delay, id"), "{error}");
}

/// For many stays of all lengths, the search finds the same stays as a linear scan.
#[test]
fn the_stays_at_a_time_are_found() {
    let stay = |number: u32| {
        let enter_s = (number / 3) as f32;
        let leave_s = enter_s + [1.0, 7.0, 1000.0][number as usize % 3] * (number % 11) as f32;
        Stay { link: 0, vehicle: number, enter_s, arrive_s: enter_s, leave_s, lost_s: 0.0, goes_on: true }
    };
    for count in [0, 1, 16, 17, 5000] {
        let all: Vec<Stay> = (0..count).map(stay).collect();
        let stays = super::stays::Stays::new(all.clone());
        for time_s in [-1.0, 0.0, 0.5, 333.0, 1234.5, 1e5] {
            let is_on = |stay: &&Stay| f64::from(stay.enter_s) <= time_s && time_s < f64::from(stay.leave_s);
            let expected: Vec<Stay> = all.iter().filter(is_on).copied().collect();
            assert_eq!(stays.at(time_s), expected, "{count} stays, {time_s} s");
        }
    }
}
