use super::*;
use crate::Devices;
use crate::devices::{KINDS, Kind};
use crate::parameters::{Invention, Market, Removal};

/// Simulates days of a society and returns it with the units extracted per agent on each day.
fn units(parameters: &Parameters, seed: u64, days: usize) -> (Society, Vec<f64>) {
    let mut society = Society::of(parameters, seed);
    let units = (0..days).map(|_| {
        society.day();
        society.today.units_extracted() as f64 / f64::from(parameters.agents)
    });
    let units = units.collect();
    (society, units)
}

fn without_trade(resources: u32) -> Parameters {
    Parameters { agents: 48, resources, trade: false, ..Parameters::default() }
}

/// The choice among equal resources is random, but the number of units is not: the first day is the same for all.
#[test]
fn the_first_day_matches_exact_values() {
    for (resources, clock, gain, utility, stock) in [
        (24, 601.945_935, 15.518_056, 21_649.563_3, vec![(19, 3), (5, 2)]),
        (48, 601.986_158, 21.337_958, 32_442.390_2, vec![(19, 2), (29, 1)]),
        (4, 601.383_523, 4.980_676, 7_409.378_2, vec![(3, 17), (1, 16)]),
    ] {
        let mut society = Society::of(&without_trade(resources), 7);
        society.begin_day();
        society.extract();
        society.measure();
        for (agent, of_agent) in society.agents.iter().zip(&society.today.utility) {
            let close = |found: f64, expected: f64, within: f64| {
                assert!((found - expected).abs() <= within, "{resources} resources: {found}, expected {expected}");
            };
            close(agent.clock_min, clock, 0.51e-6);
            close(agent.gain_per_min, gain, 0.51e-6);
            close(*of_agent, utility, 0.51e-4);
            let mut held = agent.held.clone();
            held.sort_unstable_by(|a, b| b.cmp(a));
            let expected: Vec<u32> = stock.iter().flat_map(|&(count, units)| vec![units; count]).collect();
            assert_eq!(held, expected);
        }
        assert_eq!(society.today.units_extracted(), 48 * 67);
    }
}

/// Without trade, compared with another program that has the same curves and other draws.
#[test]
fn learning_matches_published_values() {
    for (resources, expected) in [
        (24, vec![(1, 67.0), (10, 68.0), (20, 68.5), (50, 79.5), (100, 155.3), (150, 199.8), (200, 200.0)]),
        (48, vec![(1, 67.0), (10, 67.0), (20, 67.1), (50, 68.0), (100, 71.0), (150, 79.5), (200, 103.4)]),
    ] {
        let (_, units) = units(&without_trade(resources), 1, 200);
        for (day, of_agent) in expected {
            let found = units[day - 1];
            assert!((found - of_agent).abs() <= 0.02 * of_agent, "{resources}, day {day}: {found}, not {of_agent}");
        }
    }
}

#[test]
fn trades_conserve_units_and_both_partners_gain() {
    let parameters = Parameters { resources: 12, agents: 9, ..Parameters::default() };
    let (mut society, _) = units(&parameters, 3, 20);
    let totals = |society: &Society| -> Vec<u32> {
        (0..12).map(|resource| society.agents.iter().map(|agent| agent.held[resource]).sum()).collect()
    };
    let mut traded = 0;
    for round in 0..200 {
        let before = society.clone();
        let number = round % society.agents.len();
        let other = (number + 1 + round / 9 % 8) % 9;
        let [a, b] = society.agents.get_disjoint_mut([number, other]).unwrap();
        let market = Market { attempts: 1, ..parameters.market };
        let parameters = Parameters { market, ..parameters.clone() };
        let mut units = 0;
        Barter::new(&parameters, &society.model).trade([a, b], |lot| units += lot.given + lot.received);
        assert_eq!(totals(&before), totals(&society));
        for who in [number, other] {
            let gain = society.agents[who].utility(&society.model.utility)
                - before.agents[who].utility(&society.model.utility);
            assert!(if units > 0 { gain > 0.1 - 1e-9 } else { gain == 0.0 }, "{gain} after {units} units");
        }
        traded += units;
        if round % 40 == 39 {
            society.begin_day();
            society.extract();
        }
    }
    assert!(traded > 100, "{traded}");
}

#[test]
fn the_same_seed_gives_the_same_society() {
    let parameters = Parameters { agents: 6, resources: 8, ..Parameters::default() };
    let run = |seed| units(&parameters, seed, 30).0;
    assert_eq!(run(5).agents, run(5).agents);
    assert_ne!(run(5).agents, run(6).agents);
}

/// With trade: means of two or eight seeds are within 5 % of the authors' program, for which one seed is known. Due
/// to a defect, that program trades one for one; here the price is the geometric mean.
#[test]
fn trade_accelerates_growth_as_published() {
    let parameters = Parameters::default();
    let expected = [
        (10, 68.0, 39_600.0),
        (20, 69.0, 41_465.0),
        (50, 86.9, 44_563.0),
        (75, 190.6, 60_580.0),
        (100, 198.8, 62_948.0),
        (150, 199.0, 63_176.0),
    ];
    let mut sums = vec![[0.0; 2]; expected.len()];
    let seeds = u64::from(throng_testing::amount(2, 8));
    for seed in 1..=seeds {
        let mut society = Society::of(&parameters, seed);
        for day in 1..=150 {
            society.day();
            let Some(at) = expected.iter().position(|row| row.0 == day) else { continue };
            sums[at][0] += society.today.units_extracted() as f64;
            sums[at][1] += society.today.utility.iter().sum::<f64>();
        }
    }
    for ((day, units, utility), [of_units, of_utility]) in expected.into_iter().zip(sums) {
        let all = f64::from(parameters.agents) * seeds as f64;
        for (found, expected) in [(of_units / all, units), (of_utility / all, utility)] {
            assert!((found / expected - 1.0).abs() < 0.05, "day {day}: {found}, and {expected}");
        }
    }
}

fn with_tools() -> Parameters {
    Parameters { devices: Devices::Tools, ..Parameters::default() }
}

/// Parameters with probabilities so high that devices are invented early.
fn inventive(devices: Devices) -> Parameters {
    let invention = Invention { tool_probability: 1e-3, device_probability: 0.02, ..Invention::default() };
    Parameters { devices, invention, ..Parameters::default() }
}

#[test]
fn days_with_devices_satisfy_their_limits() {
    for (devices, least_kinds) in [(Devices::Tools, 1), (Devices::Extracting, 2), (Devices::All, 4)] {
        let parameters = inventive(devices);
        let mut society = Society::of(&parameters, 11);
        let mut made = [0; KINDS];
        for day in 1..=throng_testing::amount(60, 120) {
            let held =
                |society: &Society| society.agents.iter().flat_map(|a| &a.held).map(|&h| u64::from(h)).sum::<u64>();
            let before = held(&society);
            society.day();
            // Each tool takes five units, and other devices take no units beyond those of their tools.
            let in_tools = 5 * society.today.made(Kind::Tool);
            assert_eq!(before + society.today.units_extracted(), society.today.units_held() + in_tools, "day {day}");
            for kind in Kind::BY_PRODUCTION {
                made[kind as usize] += society.today.made(kind);
                for (resource, recipe) in society.recipes.of(kind) {
                    let mut distinct = recipe.components.clone();
                    distinct.sort_unstable();
                    distinct.dedup();
                    // A tool contains no unit of its own resource; other devices have a component for their own.
                    let is_tool = kind == Kind::Tool;
                    let is_right = distinct.len() == if is_tool { 5 } else { 6 }
                        && recipe.components.len() == distinct.len()
                        && recipe.components.contains(&resource) != is_tool;
                    assert!(is_right, "day {day}: {kind:?} for {resource} of {recipe:?}");
                }
            }
            for agent in &society.agents {
                assert!(agent.experience.iter().all(|experience| (0.0..=600.0).contains(experience)));
                assert!(agent.clock_min < 600.0 + 9.0, "the last unit alone overruns the day");
                for kind in Kind::BY_PRODUCTION {
                    let own = agent.of(kind);
                    assert!(own.experience.iter().all(|&made| made == 0.0 || (1.0..=40.0).contains(&made)));
                    assert!(own.minutes.iter().all(|&minutes| minutes >= 0.0));
                    assert!(own.to_make.iter().all(|&devices| devices == 0), "day {day}: {kind:?}");
                }
            }
        }
        let kinds = made.iter().filter(|&&made| made > 0).count();
        assert!(made[0] > 500 && kinds >= least_kinds, "{devices:?}: {made:?}");
    }
}

/// A removed resource is not extracted, and a removed agent does nothing.
#[test]
fn removals_take_effect_on_their_day() {
    let removals = vec![
        Removal { day: 20, resource: Some(3), with_stock: true, agent: None },
        Removal { day: 25, resource: Some(5), with_stock: false, agent: None },
        Removal { day: 30, resource: None, with_stock: false, agent: Some(2) },
    ];
    let mut society = Society::of(&Parameters { removals, ..inventive(Devices::Tools) }, 4);
    for day in 1..=40 {
        society.day();
        let of = |resource: usize| society.today.extracted.iter().map(|of_agent| of_agent[resource]).sum::<u32>();
        assert_eq!(of(3) > 0, day <= 20, "day {day}");
        assert_eq!(of(5) > 0, day <= 25, "day {day}");
        let held = |resource: usize| society.agents.iter().map(|agent| agent.held[resource]).sum::<u32>();
        assert_eq!(held(3) > 0, day <= 20, "day {day}");
        assert!(held(5) > 0 || day > 40);
        assert_eq!(society.today.extracted[2].iter().sum::<u32>() > 0, day <= 30);
        assert!(society.today.trades.iter().all(|trade| day <= 30 || !trade.agents.contains(&2)));
    }
    assert_eq!(society.agents[2], Agent::new(&society.parameters, &society.model.utility));
}

#[test]
fn days_without_any_resource_are_simulated() {
    let removals = (0..4).map(|resource| Removal { day: 1, resource: Some(resource), with_stock: true, agent: None });
    let parameters = Parameters { resources: 4, agents: 2, removals: removals.collect(), ..Parameters::default() };
    let mut society = Society::of(&parameters, 4);
    society.day();
    society.day();
    assert_eq!((society.today.units_extracted(), society.today.units_held()), (0, 0));
}

/// Each deviation changes a society in which it can take effect; a price of 1 shows in each trade.
#[test]
fn each_deviation_has_its_effect() {
    let run = |deviations, days| {
        let mut society = Society::of(&inventive(Devices::Extracting), 5);
        society.deviations = deviations;
        let mut trades = Vec::new();
        for _ in 0..days {
            society.day();
            trades.append(&mut society.today.trades);
        }
        (society, trades)
    };
    let none = Deviations::NONE;
    let (of_model, trades) = run(none, 40);
    assert!(trades.iter().any(|trade| trade.lot.given != trade.lot.received));
    let (_, trades) = run(Deviations { price_of_one: true, ..none }, 40);
    assert!(!trades.is_empty() && trades.iter().all(|trade| trade.lot.given == trade.lot.received));
    for deviations in [
        Deviations { without_last_lot: true, ..none },
        Deviations { kept_menus: true, ..none },
        Deviations { first_is_never_best: true, ..none },
    ] {
        assert!(run(deviations, 40).0.agents != of_model.agents, "{deviations:?}");
    }
    let gained = |unnoticed_device_trade: bool| {
        let mut society = Society::of(&inventive(Devices::Tools), 5);
        let mut gained = 0.0;
        for _ in 0..30 {
            society.day();
            let mut morning = society.clone();
            morning.deviations.unnoticed_device_trade = unnoticed_device_trade;
            morning.trade_devices(Kind::Tool);
            gained += morning.agents.iter().map(|agent| agent.gained_by_devices).sum::<f64>();
        }
        gained
    };
    assert!(gained(false) > 0.0);
    assert_eq!(gained(true), 0.0);
    // With few resources in stock, tools of one component are invented.
    let invention = Invention { more_held_than: 60, tool_probability: 0.01, ..Invention::default() };
    let mut society = Society::of(&Parameters { invention, ..with_tools() }, 5);
    society.deviations.short_recipes = true;
    (0..10).for_each(|_| society.day());
    let mut recipes = society.recipes.of(Kind::Tool).peekable();
    assert!(recipes.peek().is_some() && recipes.all(|(_, recipe)| recipe.components.len() == 1));
}

/// A society large enough for threads, on one, two and five of them.
#[test]
fn the_number_of_threads_changes_nothing() {
    let parameters = Parameters { agents: 129, resources: 130, ..inventive(Devices::Tools) };
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut society = Society::of(&parameters, 3);
            assert!(society.is_large());
            (0..4).for_each(|_| society.day());
            society
        })
    };
    let one = run(1);
    for threads in [2, 5] {
        let several = run(threads);
        assert!(several.agents == one.agents && several.today == one.today, "{threads} threads");
    }
    assert!(!one.today.trades.is_empty());
}

/// According to the authors, a greater elasticity lowers trade and specialisation, and one near 1 forces full
/// specialisation.
#[test]
fn elasticity_lowers_trade_and_specialisation() {
    let [first, second, third] = [1.1, 1.5, 2.0].map(|elasticity| {
        let default = Parameters::default();
        let economy = crate::parameters::Economy { elasticity, ..default.economy };
        let mut society = Society::of(&Parameters { economy, ..default }, 1);
        let mut traded = 0;
        for _ in 0..150 {
            society.day();
            traded += society.today.units_traded();
        }
        let mut concentration: Vec<f64> = society.today.concentration().into_iter().flatten().collect();
        concentration.sort_by(f64::total_cmp);
        (traded, concentration[concentration.len() / 2])
    });
    assert!(first.0 > second.0 && second.0 > third.0, "{first:?}, {second:?}, {third:?}");
    assert!(first.1 > 0.9 && second.1 < first.1 && third.1 < second.1, "{first:?}, {second:?}, {third:?}");
}

/// Means over several societies.
mod exhaustive {
    use super::*;

    /// With tools, compared with one known seed of the authors' program. The day of the first tool differs from seed to
    /// seed, so only the days after the climb are compared.
    #[test]
    fn tools_multiply_output_as_published() {
        let expected = [(100, 383.0, 75_292.0, 5.7), (150, 483.6, 86_272.0, 5.5), (200, 496.2, 88_543.0, 5.9)];
        let mut sums = vec![[0.0; 3]; expected.len()];
        let seeds = 4;
        for seed in 1..=seeds {
            let mut society = Society::of(&with_tools(), seed);
            for day in 1..=200 {
                society.day();
                let Some(at) = expected.iter().position(|row| row.0 == day) else { continue };
                let today = &society.today;
                // 4.98 to 5, where 5 is the maximum: nearly all units are extracted with tools.
                assert!(society.complexity() > 4.8, "day {day}: {}", society.complexity());
                let tools = today.made(Kind::Tool) as f64;
                let of_day = [today.units_extracted() as f64, today.utility.iter().sum(), tools];
                for (sum, of_day) in sums[at].iter_mut().zip(of_day) {
                    *sum += of_day / 24.0 / seeds as f64;
                }
            }
        }
        for ((day, units, utility, tools), found) in expected.into_iter().zip(sums) {
            let expected = [(units, 0.1), (utility, 0.05), (tools, 0.3)];
            for (found, (expected, within)) in found.into_iter().zip(expected) {
                assert!((found / expected - 1.0).abs() < within, "day {day}: {found}, and {expected}");
            }
        }
    }
}
