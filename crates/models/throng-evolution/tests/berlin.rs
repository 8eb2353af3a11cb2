//! Travel times and least-cost paths of Berlin against those of MATSim.

use std::collections::HashMap;
use std::io::Read as _;
use std::path::Path as FilePath;
use std::sync::{Arc, LazyLock};

use throng_core::Warnings;
use throng_evolution::paths::{LeastCostRouter, LinkDisutility, PathQuery, PathScratch};
use throng_evolution::travel_times::{FreeSpeeds, Getter, LinkTravelTimes, TravelTimeCalculator, TravelTimeTable};
use throng_matsim::formats::events_reader::EventsReader;
use throng_matsim::formats::network::read_network;
use throng_matsim::formats::open::TextInput;
use throng_testing::{outside_cases, reference_data};
use throng_traffic_scenario::events::{Event, EventKind};
use throng_traffic_scenario::{Legs, ModeId, ModeTable, Network};

/// Maximum number of vehicles.
const VEHICLES: usize = 20_000;

struct Berlin {
    network: Network,
    car: ModeId,
    free: Arc<FreeSpeeds>,
    times: TravelTimeTable,
}

impl Berlin {
    /// The travel times of a run of MATSim, measured once for all tests.
    fn get() -> Option<&'static Self> {
        static BERLIN: LazyLock<Option<Berlin>> = LazyLock::new(Berlin::read);
        BERLIN.as_ref()
    }

    fn read() -> Option<Self> {
        let folder = reference_data("berlin_1pct_10s")?;
        let mut modes = ModeTable::default();
        let network = read_network(&folder.join("network.xml.gz"), &mut modes, &mut Warnings::new()).unwrap();
        let car = modes.get("car").unwrap();
        let mut calculator = TravelTimeCalculator::new(900.0, network.links(), VEHICLES, car);
        let mut events = EventsReader::open(&folder.join("events_deterministic_nodes.xml.zst")).unwrap();
        let mut vehicles: HashMap<String, u32> = HashMap::new();
        while let Some(event) = events.read().unwrap() {
            let kind = event.get("type").and_then(EventKind::of_matsim_type).unwrap();
            let (Some(vehicle), Some(link)) = (event.get("vehicle"), event.get("link")) else { continue };
            let number = vehicles.len() as u32;
            let vehicle = *vehicles.entry(vehicle.to_owned()).or_insert(number);
            let link = network.link_ids.get(link).unwrap();
            let mode = event.get("networkMode").and_then(|mode| modes.get(mode)).unwrap_or(ModeId::NONE);
            let event_of_run = Event { mode, ..Event::of_vehicle(kind, vehicle, link) };
            calculator.take(&Legs::default(), event.time_s, &event_of_run);
        }
        assert!((1000..VEHICLES).contains(&vehicles.len()), "{} vehicles", vehicles.len());
        let free = Arc::new(FreeSpeeds::new(&network, &[]));
        let times = calculator.table(&free, Getter::Average);
        Some(Self { network, car, free, times })
    }
}

fn read_text(path: &FilePath) -> String {
    let mut text = String::new();
    TextInput::open(path).unwrap().read_to_string(&mut text).unwrap();
    text
}

fn number(text: &str) -> f64 {
    text.parse().unwrap()
}

#[test]
fn travel_times_are_those_of_matsim() {
    let Some(sample) = outside_cases("matsim_loop", "router/link_travel_times_sample.tsv.gz") else { return };
    let Some(Berlin { network, free, times, .. }) = Berlin::get() else { return };
    let mut compared = 0;
    for line in read_text(&sample).lines().skip(1) {
        let mut fields = line.split('\t');
        let link = network.link_ids.get(fields.next().unwrap()).unwrap();
        for (slot, expected) in fields.enumerate() {
            assert_eq!(times.travel_time_s(link, 900.0 * slot as f64), number(expected), "{line:.10}, slot {slot}");
            compared += 1;
        }
    }
    assert_eq!(compared, 200 * 121);

    let links = 0..network.links() as u32;
    let values = links.flat_map(|link| (0..121).map(move |slot| (link, 900.0 * f64::from(slot) + 450.0)));
    let values: Vec<(f64, f64)> =
        values.map(|(link, at)| (times.travel_time_s(link, at), free.travel_time_s(link, at))).collect();
    assert_eq!(values.len(), 27_664 * 121);
    assert_eq!(values.iter().filter(|(value, free)| (value - free).abs() > 1e-9).count(), 340_577);
    let sum: f64 = values.iter().map(|value| value.0).sum();
    assert!((sum - 297_648_789.783_432_5).abs() < 1e-4, "{sum}");
    assert!(values.iter().all(|&(value, _)| value > 0.0));
}

#[test]
fn paths_are_those_of_matsim() {
    let Some(cases) = outside_cases("matsim_loop", "router/od_cases.tsv") else { return };
    let Some(Berlin { network, car, free, times }) = Berlin::get() else { return };
    let table = read_text(&cases);
    let mut lines = table.lines();
    let header: Vec<&str> = lines.next().unwrap().split('\t').collect();
    let dijkstra = LeastCostRouter::new(network, *car);
    let mut directed = LeastCostRouter::new(network, *car);
    directed.set_least_travel_times(&times.least_s());
    let mut scratch = PathScratch::default();
    let mut settled = [0, 0];
    let mut compared = 0;
    for line in lines {
        let case: HashMap<&str, &str> = header.iter().copied().zip(line.split('\t')).collect();
        let link = |name: &str| network.link_ids.get(case[name]).unwrap();
        for (setting, per_m, path) in
            [("free", 0.0002, Some("free_path")), ("obs", 0.0002, Some("obs_path")), ("obs_timeonly", 0.0, None)]
        {
            let query = PathQuery {
                start_link: link("start_link"),
                end_link: link("end_link"),
                departure_s: number(case["departure_s"]),
                disutility: LinkDisutility::new((6.0 + 6.0) / 3600.0, per_m).unwrap(),
                max_speed_mps: f64::INFINITY,
            };
            let mut find = |router: &LeastCostRouter<'_>, settled: &mut u32| {
                let found = if setting == "free" {
                    router.path(&mut scratch, &query, &**free)
                } else {
                    router.path(&mut scratch, &query, times)
                };
                *settled += scratch.settled_nodes();
                found.unwrap()
            };
            let found = find(&dijkstra, &mut settled[0]);
            assert_eq!(found, find(&directed, &mut settled[1]), "{line:.20}, {setting}");
            let [time, cost] = ["time_s", "cost"].map(|of| number(case[format!("{setting}_{of}").as_str()]));
            assert_eq!((found.travel_time_s, found.cost), (time, cost), "{line:.20}, {setting}");
            if let Some(path) = path {
                let ids: Vec<&str> = found.links.iter().map(|&link| network.link_ids.name(link)).collect();
                assert_eq!(ids.join(" "), case[path], "{line:.20}, {setting}");
            }
            compared += 1;
        }
    }
    assert_eq!(compared, 300);
    assert!(settled[1] * 2 < settled[0], "landmarks: {settled:?}");
}
