use throng_core::NoProgress;
use throng_output::{Codec, IfNotEmpty, RunFolder};

use super::*;
use throng_core::Warnings;

use crate::{CityFiles, MAX_SEED, RoadClass, write_city};
use throng_matsim::formats::counts::read_counts;
use throng_queue::RunOptions;
use throng_queue::cpu::simulate;
use throng_traffic_scenario::events::{EventKind, EventLog, NoEvents};
use throng_traffic_scenario::{PlanElement, RouteKind};

fn small() -> CityOptions {
    CityOptions { links: 2500, persons: 2000, rounds: 2, batches: 3, days: 3, ..CityOptions::default() }
}

fn on_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
}

fn files(options: &CityOptions, threads: usize) -> Vec<(String, Vec<u8>)> {
    on_threads(threads, || {
        let dir = tempfile::tempdir().unwrap();
        let folder = RunFolder::create(dir.path(), IfNotEmpty::Overwrite, "").unwrap();
        let city = city(options, &NoProgress).unwrap();
        let written = write_city(city, &folder, Codec::Gzip, CityFiles::All).unwrap();
        written.into_iter().map(|f| (f.name.clone(), std::fs::read(dir.path().join(f.name)).unwrap())).collect()
    })
}

#[test]
fn one_and_three_threads_write_the_same_bytes() {
    let (one, three) = (files(&small(), 1), files(&small(), 3));
    assert_eq!(one.len(), 6);
    for (a, b) in one.iter().zip(&three) {
        assert_eq!(a.0, b.0);
        assert!(a.1 == b.1, "{} differs", a.0);
        assert!(!a.1.is_empty());
    }
    let other = files(&CityOptions { seed: 2, ..small() }, 2);
    assert!(other[0].1 != one[0].1 && other[1].1 != one[1].1, "another seed gives another city");
}

#[test]
fn persons_ride_on_the_lines_of_a_city() {
    let options = CityOptions { car_share: 0.6, lines: 6, ..small() };
    let (one, three) = (files(&options, 1), files(&options, 3));
    assert_eq!(one.len(), 8);
    for (a, b) in one.iter().zip(&three) {
        assert!(a == b, "{} differs", a.0);
    }

    let dir = tempfile::tempdir().unwrap();
    for (name, content) in &one {
        std::fs::write(dir.path().join(name), content).unwrap();
    }
    let settings = throng_matsim::config::from_file(&dir.path().join("config.xml")).unwrap().settings;
    let mut warnings = Warnings::new();
    let scenario = throng_matsim::load::load_scenario(settings, &mut warnings, &NoProgress).unwrap();
    let (transit, legs) = (&scenario.transit, &scenario.population.legs);
    let rides = legs.route.iter().filter(|&&route| route == RouteKind::Transit).count();
    assert!(rides > 100 && rides == transit.rides.len(), "{rides} rides, {warnings:?}");
    let mut log = EventLog::default();
    let outcome = simulate(&scenario, &mut log, &RunOptions::default()).unwrap();
    // Everyone finds a place, and comes home.
    assert_eq!(outcome.stats.aborted + outcome.stats.aborted_at_end, 0, "{:?}", outcome.stats);
    let boardings = log.events.iter().filter(|(_, event)| {
        let is_passenger = transit.driver(event.person).is_none();
        event.kind == EventKind::PersonEntersVehicle
            && is_passenger
            && scenario.vehicles.type_of[event.detail as usize] > 0
    });
    assert_eq!(boardings.count(), rides);
}

#[test]
fn counts_are_volumes_of_the_day_with_errors() {
    let options = CityOptions { counts: 20, sample: 0.5, persons: 20_000, days: 0, ..small() };
    let dir = tempfile::tempdir().unwrap();
    let folder = RunFolder::create(dir.path(), IfNotEmpty::Overwrite, "").unwrap();
    write_city(city(&options, &NoProgress).unwrap(), &folder, Codec::Gzip, CityFiles::Matsim).unwrap();
    let settings = throng_matsim::config::from_file(&dir.path().join("config.xml")).unwrap().settings;
    assert_eq!(settings.counts.scale_factor, 2.0);
    let file = settings.files.counts.clone().unwrap();
    let scenario = throng_matsim::load::load_scenario(settings, &mut Warnings::new(), &NoProgress).unwrap();
    let mut warnings = Warnings::new();
    let stations = read_counts(&file, &scenario.network.link_ids, &mut warnings).unwrap();
    assert!(stations.len() == 20 && warnings.is_empty(), "{warnings:?}");

    let hourly = RunOptions { volume_bin_s: Some(3600.0), ..RunOptions::default() };
    let volumes = simulate(&scenario, &mut NoEvents, &hourly).unwrap().link_volumes;
    let (mut counted, mut simulated, mut busy, mut equal) = (0.0, 0.0, 0, 0);
    for station in &stations {
        assert!(scenario.network.capacity[station.link as usize] >= RoadClass::Arterial.capacity());
        assert_eq!(station.volumes.len(), 24);
        for (&hour, &count) in &station.volumes {
            let of_hour = volumes.iter().find(|volumes| volumes.bin == i64::from(hour) - 1);
            let volume = of_hour.map_or(0.0, |volumes| 2.0 * f64::from(volumes.vehicles[station.link as usize]));
            // Normal draws end at two and a half deviations.
            assert!((count - volume).abs() <= 0.25 * volume + 0.5, "{station:?} {hour} {volume}");
            busy += u32::from(volume > 50.0);
            equal += u32::from(volume > 50.0 && count == volume);
            counted += count;
            simulated += volume;
        }
    }
    assert!(simulated > 5000.0 && (counted / simulated - 1.0).abs() < 0.03, "{counted} {simulated}");
    assert!(busy > 20 && 4 * equal < busy, "{equal} of {busy} counts have no error");
}

#[test]
fn without_counts_there_is_no_config_that_names_them() {
    let options = CityOptions { counts: 20, persons: 100, days: 0, ..small() };
    let dir = tempfile::tempdir().unwrap();
    let folder = RunFolder::create(dir.path(), IfNotEmpty::Overwrite, "").unwrap();
    // A folder at the place of the file.
    std::fs::create_dir(dir.path().join("counts.xml")).unwrap();
    let error = write_city(city(&options, &NoProgress).unwrap(), &folder, Codec::Gzip, CityFiles::All).unwrap_err();
    assert!(error.to_string().contains("counts.xml"), "{error}");
    assert!(dir.path().join("plans.xml.gz").exists() && !dir.path().join("config.xml").exists());
}

#[test]
fn the_cache_and_the_files_give_the_same_run() {
    let dir = tempfile::tempdir().unwrap();
    let folder = RunFolder::create(dir.path(), IfNotEmpty::Overwrite, "").unwrap();
    let city = city(&CityOptions { car_share: 0.8, ..small() }, &NoProgress).unwrap();
    write_city(city, &folder, Codec::Zstd, CityFiles::All).unwrap();
    let mut settings = throng_matsim::config::from_file(&dir.path().join("config.xml")).unwrap().settings;
    let load =
        |settings: &Settings| throng_matsim::load::load_scenario(settings.clone(), &mut Warnings::new(), &NoProgress);
    let files = load(&settings).unwrap();
    settings.files.scenario_cache = Some(dir.path().join(throng_matsim::cache::CACHE_NAME));
    let cache = load(&settings).unwrap();

    let (a, b) = (&files.population, &cache.population);
    assert!(a.person_ids.iter().eq(b.person_ids.iter()) && a.persons() > 1900);
    assert!(files.vehicles.ids.iter().eq(cache.vehicles.ids.iter()));
    let vehicles = |s: &Scenario| (s.vehicles.types.clone(), s.vehicles.type_of.clone(), s.vehicles.start_link.clone());
    assert_eq!(vehicles(&files), vehicles(&cache));
    assert_eq!(a.legs.vehicle, b.legs.vehicle);
    // Types and modes may have different ids, because the reader numbers them in order of appearance.
    let places = |p: &Population| (p.activities.link.clone(), p.activities.x.clone(), p.activities.y.clone());
    assert!(places(a) == places(b));
    let bits = |times: &[f64]| times.iter().map(|time| time.to_bits()).collect::<Vec<u64>>();
    assert!(bits(&a.activities.end_time) == bits(&b.activities.end_time));
    let types = |p: &Population| p.activities.kind.iter().map(|&k| p.activity_types.name(k).to_owned()).collect();
    let (of_files, of_cache): (Vec<String>, Vec<String>) = (types(a), types(b));
    assert!(of_files == of_cache);
    assert!((&a.legs.travel_time, &a.legs.distance) == (&b.legs.travel_time, &b.legs.distance));
    let mode = |s: &Scenario, leg: usize| s.modes.name(s.population.legs.mode[leg]).to_owned();
    for leg in 0..a.legs.mode.len() {
        assert_eq!(a.route(leg as u32), b.route(leg as u32));
        assert_eq!(mode(&files, leg), mode(&cache, leg));
    }
    let hashes = |scenario: &Scenario| {
        let options = RunOptions { threads: 2, hash_every: 600, ..RunOptions::default() };
        let mut log = EventLog::default();
        simulate(scenario, &mut log, &options).unwrap();
        log.hashes
    };
    let (of_files, of_cache) = (hashes(&files), hashes(&cache));
    assert!(of_files.len() > 50);
    assert_eq!(of_files, of_cache);
}

#[test]
fn every_plan_can_be_driven() {
    let options = CityOptions { car_share: 0.7, ..small() };
    let city = city(&options, &NoProgress).unwrap();
    let (n, p) = (&city.network, &city.population);
    let car = city.modes.get("car").unwrap();
    let mut drivers = 0;
    for person in 0..p.persons() as u32 {
        let plan: Vec<PlanElement> = p.plan(person).collect();
        assert!(plan.len() >= 5 && plan.len() % 2 == 1);
        let mut last_end = 0.0;
        for (i, element) in plan.iter().enumerate() {
            let leg = match *element {
                PlanElement::Activity(a) => {
                    let end = p.activities.end_time[a as usize];
                    assert_eq!(end.is_nan(), i + 1 == plan.len(), "only the last activity has no end");
                    assert!(end.is_nan() || (end >= last_end && end < 108_000.0), "{last_end} {end}");
                    last_end = end;
                    continue;
                }
                PlanElement::Leg(leg) => leg,
            };
            let link_of = |e: PlanElement| match e {
                PlanElement::Activity(a) => p.activities.link[a as usize],
                PlanElement::Leg(_) => panic!("two consecutive legs"),
            };
            let l = leg as usize;
            assert_eq!(p.legs.start_link[l], link_of(plan[i - 1]));
            assert_eq!(p.legs.end_link[l], link_of(plan[i + 1]));
            if p.legs.mode[l] != car {
                assert_eq!(p.legs.route[l], RouteKind::Generic);
                assert!(p.legs.travel_time[l] >= 0.0 && p.legs.distance[l] >= 0.0);
                continue;
            }
            drivers += u32::from(i == 1);
            let route = p.route(leg);
            assert_eq!(route.first(), Some(&p.legs.start_link[l]));
            assert_eq!(route.last(), Some(&p.legs.end_link[l]));
            for pair in route.windows(2) {
                assert_eq!(n.to[pair[0] as usize], n.from[pair[1] as usize], "the route is connected");
            }
            assert!(route.len() > 1 || p.legs.start_link[l] == p.legs.end_link[l]);
        }
    }
    let share = f64::from(drivers) / p.persons() as f64;
    assert!((share - 0.7).abs() < 0.05, "{share}");
}

#[test]
fn trips_have_the_requested_lengths_and_times() {
    let options = CityOptions {
        links: 6000,
        persons: 20_000,
        work_trip_m: Some(4000.0),
        rounds: 0,
        batches: 1,
        days: 0,
        jitter: 0.0,
        ..CityOptions::default()
    };
    let city = city(&options, &NoProgress).unwrap();
    let f = &city.facts;
    assert!((f.mean_work_trip_m / 4000.0 - 1.0).abs() < 0.15, "mean {}", f.mean_work_trip_m);
    let ratio = f.median_work_trip_m / f.mean_work_trip_m;
    assert!((0.6..0.97).contains(&ratio), "more short trips than long ones: {ratio}");
    let per_person = f.trips as f64 / f.persons as f64;
    assert!((3.2..3.45).contains(&per_person), "{per_person} trips per person");

    let a = &city.population.activities;
    let work = city.population.activity_types.get("work").unwrap();
    let ends: Vec<f64> = (0..a.kind.len()).filter(|&i| a.kind[i] == work).map(|i| a.end_time[i]).collect();
    let mean = ends.iter().sum::<f64>() / ends.len() as f64;
    assert!((mean / 3600.0 - 17.25).abs() < 0.1, "people leave work at {} h", mean / 3600.0);
    assert!((ends.len() as f64 / f.persons as f64 - 0.65).abs() < 0.02);
}

#[test]
fn a_sample_holds_the_same_people() {
    let whole = city(&small(), &NoProgress).unwrap();
    let tenth = city(&CityOptions { sample: 0.1, ..small() }, &NoProgress).unwrap();
    let share = tenth.population.persons() as f64 / whole.population.persons() as f64;
    assert!((share - 0.1).abs() < 0.03, "{share}");
    for person in 0..tenth.population.persons() as u32 {
        let id = tenth.population.person_ids.name(person);
        let in_whole = whole.population.person_ids.get(id).unwrap();
        let ends = |c: &City, person: u32| -> Vec<(u32, u64)> {
            let links = |e| match e {
                PlanElement::Activity(a) => Some((
                    c.population.activities.link[a as usize],
                    c.population.activities.end_time[a as usize].to_bits(),
                )),
                PlanElement::Leg(_) => None,
            };
            c.population.plan(person).filter_map(links).collect()
        };
        assert_eq!(ends(&tenth, person), ends(&whole, in_whole));
    }
}

#[test]
fn the_spike_variant_has_spikes() {
    let city = city(&CityOptions { spike: true, ..small() }, &NoProgress).unwrap();
    let a = &city.population.activities;
    let at = |time: f64| a.end_time.iter().filter(|&&t| t == time).count() as f64 / city.population.persons() as f64;
    assert!((at(21_600.0) - 0.8).abs() < 0.04, "{}", at(21_600.0));
    assert!((at(57_600.0) - 0.8).abs() < 0.04, "{}", at(57_600.0));
}

#[test]
fn assignment_spreads_traffic() {
    let busy = CityOptions { links: 1500, persons: 120_000, days: 0, ..CityOptions::default() };
    let free = CityOptions { rounds: 0, batches: 1, jitter: 0.0, ..busy.clone() };
    let spread = city(&busy, &NoProgress).unwrap().facts.congestion;
    let piled = city(&free, &NoProgress).unwrap().facts.congestion;
    assert!(piled.delay_ratio > 1.2, "the free-flow routes are congested: {piled:?}");
    assert!(spread.delay_ratio - 1.0 < 0.6 * (piled.delay_ratio - 1.0), "{spread:?} {piled:?}");
    assert!(spread.vehicle_km < 1.2 * piled.vehicle_km);
}

#[test]
fn the_config_of_any_seed_and_sample_is_read_back() {
    let bare = CityOptions { links: 300, persons: 40, rounds: 0, batches: 1, days: 0, jitter: 0.0, ..small() };
    for (seed, sample) in [(MAX_SEED, 1.0), (0, 0.1 + 0.2)] {
        let dir = tempfile::tempdir().unwrap();
        let folder = RunFolder::create(dir.path(), IfNotEmpty::Overwrite, "").unwrap();
        let city = city(&CityOptions { seed, sample, ..bare.clone() }, &NoProgress).unwrap();
        write_city(city, &folder, Codec::None, CityFiles::All).unwrap();
        let settings = throng_matsim::config::from_file(&dir.path().join("config.xml")).unwrap().settings;
        assert_eq!(u64::try_from(settings.global.random_seed), Ok(seed));
        assert_eq!((settings.qsim.flow_capacity_factor, settings.qsim.storage_capacity_factor), (sample, sample));
    }
}
