use throng_core::NoProgress;

use super::{observe, simulated_share};
use crate::{City, CityOptions, Day, city, whole_day};
use throng_traffic_scenario::Population;

fn made(options: &CityOptions) -> City {
    city(options, &NoProgress).unwrap()
}

fn last_day(options: &CityOptions) -> Day {
    made(options).facts.day.unwrap()
}

fn routes(population: &Population) -> Vec<Vec<u32>> {
    (0..population.legs.mode.len() as u32).map(|leg| population.route(leg).to_vec()).collect()
}

fn ends(population: &Population) -> Vec<u64> {
    population.activities.end_time.iter().map(|end| end.to_bits()).collect()
}

/// Options for a small town with too few streets.
fn busy() -> CityOptions {
    CityOptions { links: 1500, persons: 120_000, rounds: 1, batches: 2, ..CityOptions::default() }
}

#[test]
fn more_days_improve_the_flow_of_a_busy_city() {
    let first = last_day(&CityOptions { days: 1, ..busy() });
    let settled = last_day(&CityOptions { days: throng_testing::amount(2, 4), ..busy() });
    assert!(first.pushes_per_trip > 0.001, "there is something to be learnt: {first:?}");
    assert!(settled.pushes_per_trip < 0.8 * first.pushes_per_trip, "{first:?} {settled:?}");
    assert!(settled.delay_ratio - 1.0 < 0.9 * (first.delay_ratio - 1.0), "{first:?} {settled:?}");
}

#[test]
fn a_single_day_changes_no_route() {
    let quiet = CityOptions { links: 1500, persons: 2000, ..CityOptions::default() };
    let none = made(&CityOptions { days: 0, ..quiet.clone() });
    let one = made(&CityOptions { days: 1, ..quiet.clone() });
    let three = made(&CityOptions { days: 3, ..quiet });
    assert_eq!(none.facts.day, None);
    let day = one.facts.day.unwrap();
    assert_eq!((day.share, day.pushes_per_trip), (1.0, 0.0));
    assert!((1.0..1.1).contains(&day.delay_ratio) && day.last_arrival_s > 64_800.0, "{day:?}");
    assert!(routes(&none.population) == routes(&one.population));
    assert_eq!(none.facts.congestion, one.facts.congestion);
    assert!(routes(&one.population) != routes(&three.population), "on the third day some drivers take other routes");
    let links = |city: &City| city.population.route_links.len();
    let used: usize = three.population.legs.route_len.iter().map(|&len| len as usize).sum();
    assert_eq!(links(&three), used, "old routes are removed");
}

#[test]
fn a_lonely_driver_is_not_delayed() {
    let day = last_day(&CityOptions { links: 300, persons: 1, days: 2, ..CityOptions::default() });
    assert_eq!((day.delay_ratio, day.pushes_per_trip, day.full_links), (1.0, 0.0, 0.0));
    let idle = last_day(&CityOptions { links: 300, persons: 10, car_share: 0.0, days: 2, ..CityOptions::default() });
    assert_eq!((idle.delay_ratio, idle.last_arrival_s), (1.0, 0.0));
}

#[test]
fn large_cities_are_simulated_with_a_sample() {
    let shares =
        [0, 10, 850_000, 2_000_000, 8_500_000].map(|n| [false, true].map(|last| simulated_share(n, 1.0, last)));
    assert_eq!(shares, [[1.0, 1.0], [1.0, 1.0], [400.0 / 850.0, 1.0], [0.25, 0.5], [0.25, 0.25]]);
    assert_eq!(simulated_share(850_000, 0.5, false), 0.5, "a quarter of the whole city");
    assert_eq!(simulated_share(850_000, 0.1, false), 1.0, "small samples are simulated as they are");
}

#[test]
fn persons_at_home_do_not_drive_and_keep_their_plans() {
    let options = CityOptions { links: 1500, persons: 3000, days: 0, ..CityOptions::default() };
    let day_of = |goes_out: fn(u32) -> bool, threads: usize| {
        let mut scenario = made(&options).into_scenario(whole_day()).unwrap();
        let before = ends(&scenario.population);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let observed = pool.install(|| observe(&options, &mut scenario, 0.3, goes_out)).unwrap();
        assert!(ends(&scenario.population) == before);
        (observed.vehicles_on_links(), observed.day(&scenario.network))
    };
    let all = day_of(|_| true, 1);
    let third = day_of(|person| person % 3 == 0, 1);
    let driven = |(vehicles, _): (u64, Day)| vehicles as f64;
    assert!((0.25..0.42).contains(&(driven(third) / driven(all))), "{third:?} {all:?}");
    assert_eq!(day_of(|person| person % 3 == 0, 4), third, "on any number of threads");
    assert_eq!(driven(day_of(|_| false, 1)), 0.0);
}
