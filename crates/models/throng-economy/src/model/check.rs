//! Validation of scenarios: rejects all values that the rules cannot handle, in one report.

use std::fmt::Display;
use std::ops::RangeInclusive;

use throng_core::{InputError, Problems, Warnings};

use super::scenario::Scenario;
use crate::devices::Kind;
use crate::parameters::{DeviceNumbers, Removal};

/// Maximum number of agents of a society.
pub const MAX_AGENTS: u32 = 4096;

/// Maximum number of kinds of resources: a cube has a unit for each.
pub const MAX_RESOURCES: u32 = 256;

/// Maximum number of resources on a menu.
pub const MAX_MENU_SIZE: u32 = 16;

/// Rejects values outside their ranges and inconsistent values.
pub fn check(scenario: &Scenario) -> Result<(), InputError> {
    let mut ranges = Ranges::default();
    check_ranges(scenario, &mut ranges);
    let mut problems = ranges.problems;
    check_order(scenario, &mut problems);
    check_work_of_devices(scenario, &mut problems);
    check_counts(scenario, &mut problems);
    check_lists(scenario, &mut problems);
    check_removals(scenario, &mut problems);
    problems.into_result()
}

/// Warns of values that are allowed but have no effect.
pub fn warnings(scenario: &Scenario) -> Warnings {
    let mut warnings = Warnings::new();
    for (at, removal) in scenario.removals.iter().enumerate() {
        let entry = || format!("removals, entry {}", at + 1);
        if removal.day == scenario.days {
            warnings.add("removals on the last day, which have no effect on results", entry);
        }
        if removal.with_stock && removal.agent.is_some() {
            warnings.add("removals of agents with `with_stock`: an agent leaves with all it has in any case", entry);
        }
        let is_again = |other: &Removal| other.resource == removal.resource && other.agent == removal.agent;
        if scenario.removals[..at].iter().any(is_again) {
            warnings.add("removals that repeat an earlier entry", entry);
        }
    }
    for (key, entries) in
        [("trade_powers", scenario.trade_powers.len()), ("invention_speeds", scenario.invention_speeds.len())]
    {
        if entries > scenario.agents as usize {
            warnings.add("lists with more entries than there are agents", || format!("{key} has {entries}"));
        }
    }
    warnings
}

/// Collects values outside their ranges.
#[derive(Default)]
struct Ranges {
    problems: Problems,
}

impl Ranges {
    fn check<T: PartialOrd + Display + Copy>(&mut self, key: &str, value: T, range: RangeInclusive<T>, unit: &str) {
        // NaN is in no range.
        if !range.contains(&value) {
            let [min, max] = [range.start(), range.end()];
            let unit = if unit.is_empty() { String::new() } else { format!(" {unit}") };
            self.problems.push(key, value.to_string(), format!("give {min} to {max}{unit}"));
        }
    }
}

fn check_ranges(scenario: &Scenario, ranges: &mut Ranges) {
    let Scenario { economy, work, market, invention, device_market, assembly, .. } = scenario;
    ranges.check("agents", scenario.agents, 2..=MAX_AGENTS, "agents");
    ranges.check("resources", scenario.resources, 2..=MAX_RESOURCES, "resources");
    ranges.check("economy.utility_of_first", economy.utility_of_first, 1e-3..=1e6, "");
    ranges.check("economy.elasticity", economy.elasticity, 1.0..=100.0, "");
    ranges.check("economy.least_utility", economy.least_utility, 1e-6..=1e6, "");
    ranges.check("economy.unit_lifetime_days", economy.unit_lifetime_days, 1.0..=1e6, "days");
    ranges.check("work.day_min", work.day_min, 1.0..=10_000.0, "minutes");
    ranges.check("work.most_effort_min", work.most_effort_min, 0.01..=10_000.0, "minutes");
    ranges.check("work.least_effort_min", work.least_effort_min, 0.01..=10_000.0, "minutes");
    ranges.check("work.full_experience", work.full_experience, 1..=100_000, "units");
    ranges.check("work.forgotten_per_day", work.forgotten_per_day, 0.0..=100_000.0, "units");
    ranges.check("work.tolerance", work.tolerance, 0.0..=1e6, "");
    ranges.check("market.rounds", market.rounds, 0..=1000, "rounds");
    ranges.check("market.attempts", market.attempts, 0..=1000, "attempts");
    ranges.check("market.menu_size", market.menu_size, 1..=MAX_MENU_SIZE, "resources");
    ranges.check("market.least_surplus", market.least_surplus, 0.0..=1e6, "");
    ranges.check("invention.tool_probability", invention.tool_probability, 0.0..=1.0, "");
    ranges.check("invention.device_probability", invention.device_probability, 0.0..=1.0, "");
    ranges.check("invention.resources_in_tool", invention.resources_in_tool, 1..=64, "resources");
    ranges.check("invention.components_in_device", invention.components_in_device, 1..=16, "components");
    ranges.check("invention.inventor_experience", invention.inventor_experience, 1.0..=1e5, "devices");
    ranges.check("invention.owner_experience", invention.owner_experience, 1.0..=1e5, "devices");
    ranges.check("device_market.rounds", device_market.rounds, 0..=1000, "rounds");
    ranges.check("device_market.attempts", device_market.attempts, 0..=1000, "attempts");
    ranges.check("assembly.most_effort_min", assembly.most_effort_min, 0.01..=10_000.0, "minutes");
    ranges.check("assembly.least_effort_min", assembly.least_effort_min, 0.01..=10_000.0, "minutes");
    ranges.check("assembly.full_experience", assembly.full_experience, 1..=100_000, "devices");
    ranges.check("assembly.stock_days", assembly.stock_days, 0.0..=1000.0, "days");
    ranges.check("assembly.wear_min", assembly.wear_min, 0.0..=10_000.0, "minutes");
    let parameters = scenario.parameters();
    for kind in Kind::ALL {
        let &DeviceNumbers { factor, lifetime_min, experience } = parameters.of(kind);
        let key = |name: &str| format!("device.{}.{name}", kind.name());
        ranges.check(&key("factor"), factor, 1.0..=1000.0, "");
        ranges.check(&key("lifetime_min"), lifetime_min, 1.0..=10_000.0, "minutes");
        ranges.check(&key("experience"), experience, 0.0..=1000.0, "devices");
    }
}

/// Checks the numbers of units or assemblies per device, which the rules count.
fn check_work_of_devices(scenario: &Scenario, problems: &mut Problems) {
    let parameters = scenario.parameters();
    for kind in scenario.devices.by(Kind::ALL) {
        let &DeviceNumbers { factor, lifetime_min, .. } = parameters.of(kind);
        let (of_each, table, max) = match kind.assembles() {
            None => (scenario.work.least_effort_min, "work", 1e6),
            Some(_) => (scenario.assembly.least_effort_min, "assembly", 1e4),
        };
        let work = lifetime_min * factor / of_each;
        if work > max {
            problems.push(
                format!("device.{}", kind.name()),
                format!("factor {factor} for {lifetime_min} minutes is {work:.0} times {table}.least_effort_min"),
                format!("give a factor and a lifetime for which this is at most {max}"),
            );
        }
    }
}

/// Checks pairs of a minimum and a maximum.
fn check_order(scenario: &Scenario, problems: &mut Problems) {
    let of = |table: &str| [format!("{table}.least_effort_min"), format!("{table}.most_effort_min")];
    for ([least_key, most_key], least, most) in [
        (of("work"), scenario.work.least_effort_min, scenario.work.most_effort_min),
        (of("assembly"), scenario.assembly.least_effort_min, scenario.assembly.most_effort_min),
    ] {
        if least > most {
            problems.push(
                least_key,
                format!("{least}, more than {most_key} = {most}"),
                "give no more minutes with full experience than without any",
            );
        }
    }
    for (key, experience) in [
        ("invention.inventor_experience", scenario.invention.inventor_experience),
        ("invention.owner_experience", scenario.invention.owner_experience),
    ] {
        let full = scenario.assembly.full_experience;
        if experience > f64::from(full) {
            problems.push(
                key,
                format!("{experience}, more than full experience"),
                format!("give at most assembly.full_experience, which is {full}"),
            );
        }
    }
}

/// Checks that there are enough different resources for the components.
fn check_counts(scenario: &Scenario, problems: &mut Problems) {
    let resources = scenario.resources;
    // Too few resources are reported themselves.
    if resources < 2 {
        return;
    }
    let has = |kind| scenario.devices.contain(kind);
    // The components of a tool are resources other than its own.
    let in_tool = scenario.invention.resources_in_tool;
    if has(Kind::Tool) && in_tool.saturating_add(1) > resources {
        problems.push(
            "invention.resources_in_tool",
            format!("{in_tool}, with {resources} resources"),
            format!("give at most {}, or more resources", resources - 1),
        );
    }
    let in_device = scenario.invention.components_in_device;
    if has(Kind::Machine) && in_device > resources {
        problems.push(
            "invention.components_in_device",
            format!("{in_device}, with {resources} resources"),
            format!("give at most {resources}, or more resources"),
        );
    }
    if scenario.market.menu_size > resources {
        problems.push(
            "market.menu_size",
            format!("{}, with {resources} resources", scenario.market.menu_size),
            format!("give at most {resources}"),
        );
    }
}

/// Checks lists that are repeated for all agents.
fn check_lists(scenario: &Scenario, problems: &mut Problems) {
    for (key, is_empty) in
        [("trade_powers", scenario.trade_powers.is_empty()), ("invention_speeds", scenario.invention_speeds.is_empty())]
    {
        if is_empty {
            problems.push(key, "is empty", "give at least one number; the list is repeated for all agents");
        }
    }
    for (at, power) in scenario.trade_powers.iter().enumerate().filter(|(_, power)| !(1..=8).contains(*power)) {
        problems.push(format!("trade_powers, entry {}", at + 1), power.to_string(), "give an integer from 1 to 8");
    }
    for (at, speed) in scenario.invention_speeds.iter().enumerate() {
        if !(0.0..=1000.0).contains(speed) {
            problems.push(format!("invention_speeds, entry {}", at + 1), speed.to_string(), "give 0 to 1000");
        }
    }
}

fn check_removals(scenario: &Scenario, problems: &mut Problems) {
    for (at, removal) in scenario.removals.iter().enumerate() {
        let place = format!("removals, entry {}", at + 1);
        if removal.day == 0 || removal.day > scenario.days {
            let remedy = match scenario.days {
                0 => "give more days, or leave the entry out".to_owned(),
                days => format!("give 1 to {days}, the last day (or more days)"),
            };
            problems.push(&*place, format!("day = {}", removal.day), remedy);
        }
        match (removal.resource, removal.agent) {
            // If there are no resources or no agents, only that is reported.
            (Some(resource), None) if (1..=resource).contains(&scenario.resources) => problems.push(
                &*place,
                format!("resource = {resource}"),
                format!("give 0 to {}: resources are counted from 0", scenario.resources - 1),
            ),
            (None, Some(agent)) if (1..=agent).contains(&scenario.agents) => problems.push(
                &*place,
                format!("agent = {agent}"),
                format!("give 0 to {}: agents are counted from 0", scenario.agents - 1),
            ),
            (Some(_), None) | (None, Some(_)) => {}
            (None, None) => problems.push(&*place, "removes nothing", "give a resource or an agent"),
            (Some(_), Some(_)) => {
                problems.push(&*place, "a resource and an agent", "give two entries, one for each");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::devices::Devices;
    use crate::parameters::{Invention, Market};

    /// Returns the complete report for a scenario.
    fn refused(scenario: &Scenario) -> String {
        check(scenario).expect_err("a scenario that cannot be simulated").to_string()
    }

    #[test]
    fn all_faults_are_reported_together() {
        let removal = |day, resource, agent| Removal { day, resource, with_stock: false, agent };
        let default = Scenario::default();
        let report = refused(&Scenario {
            resources: 4,
            devices: Devices::All,
            market: Market { menu_size: 17, ..default.market },
            invention: Invention { tool_probability: 1.5, device_probability: -0.1, ..default.invention },
            trade_powers: vec![1, 9],
            invention_speeds: vec![],
            removals: vec![
                removal(201, Some(1), None),
                removal(5, Some(4), None),
                removal(5, None, Some(24)),
                removal(5, None, None),
                removal(5, Some(0), Some(0)),
            ],
            ..default
        });
        for part in [
            "market.menu_size: 17\n    give 1 to 16 resources",
            "invention.tool_probability: 1.5\n    give 0 to 1",
            "invention.device_probability: -0.1\n    give 0 to 1",
            "invention.resources_in_tool: 5, with 4 resources\n    give at most 3, or more resources",
            "invention.components_in_device: 6, with 4 resources\n    give at most 4, or more resources",
            "trade_powers, entry 2: 9\n    give an integer from 1 to 8",
            "invention_speeds: is empty",
            "removals, entry 1: day = 201\n    give 1 to 200, the last day (or more days)",
            "removals, entry 2: resource = 4\n    give 0 to 3: resources are counted from 0",
            "removals, entry 3: agent = 24\n    give 0 to 23: agents are counted from 0",
            "removals, entry 4: removes nothing",
            "removals, entry 5: a resource and an agent",
        ] {
            assert!(report.contains(part), "{part:?} is not in\n{report}");
        }
    }

    #[test]
    fn infinite_work_of_a_device_is_refused() {
        let default = Scenario { devices: Devices::All, ..Scenario::default() };
        let mut device = default.device;
        device.tool.factor = 1000.0;
        device.tool.lifetime_min = 10_000.0;
        device.devmachine = device.tool;
        let report = refused(&Scenario { device, ..default });
        for part in [
            "device.tool: factor 1000 for 10000 minutes is 3333333 times work.least_effort_min",
            "device.devmachine: factor 1000 for 10000 minutes is 1111111 times assembly.least_effort_min",
        ] {
            assert!(report.contains(part), "{part:?} is not in\n{report}");
        }
    }

    #[test]
    fn settings_without_effect_cause_warnings() {
        let removal = |day, agent| Removal { day, resource: None, with_stock: agent == 3, agent: Some(agent) };
        let removals = vec![removal(200, 1), removal(5, 3), removal(7, 3)];
        let scenario = Scenario { removals, trade_powers: vec![1; 25], ..Scenario::default() };
        check(&scenario).unwrap();
        assert_eq!(warnings(&scenario).iter().count(), 4);
        assert_eq!(warnings(&Scenario::default()).iter().count(), 0);
    }

    #[test]
    fn out_of_range_numbers_are_refused() {
        for (agents, resources) in [(1, 24), (4097, 24), (24, 1), (24, 257)] {
            let report = refused(&Scenario { agents, resources, ..Scenario::default() });
            assert!(report.contains(if agents == 24 { "give 2 to 256" } else { "give 2 to 4096" }), "{report}");
        }
        let economy = crate::parameters::Economy { elasticity: f64::NAN, ..Default::default() };
        assert!(refused(&Scenario { economy, ..Scenario::default() }).contains("economy.elasticity: NaN"));
        // No other value is blamed for the lack of resources, agents or days.
        let removal = |resource, agent| Removal { day: 1, resource, with_stock: false, agent };
        let removals = vec![removal(Some(3), None), removal(None, Some(3))];
        let (devices, default) = (Devices::All, Scenario::default());
        for (agents, resources, days, expected) in [
            (24, 0, 200, "resources: 0\n    give 2 to 256 resources"),
            (24, 1, 200, "resources: 1\n    give 2 to 256 resources"),
            (0, 24, 200, "agents: 0\n    give 2 to 4096 agents"),
            (24, 24, 0, "day = 1\n    give more days, or leave the entry out"),
        ] {
            let scenario = Scenario { agents, resources, days, devices, removals: removals.clone(), ..default.clone() };
            let report = refused(&scenario);
            assert!(report.contains(expected), "{report}");
            assert!(!report.contains("give at most 0") && !report.contains("1 to 0"), "{report}");
            assert!(!report.contains("give 0 to 0") || resources == 1, "{report}");
        }
        check(&Scenario { agents: 4096, resources: 256, ..Scenario::default() }).unwrap();
        // Without devices a society needs no resources for components.
        let market = Market { menu_size: 2, ..Market::default() };
        check(&Scenario { resources: 2, devices: Devices::None, market, ..Scenario::default() }).unwrap();
    }

    #[test]
    fn invalid_parameters_give_no_society() {
        use crate::{Parameters, Society};

        let parameters = Parameters { trade_powers: vec![], ..Parameters::default() };
        let error = Society::new(&parameters, 1).unwrap_err();
        assert_eq!(error.place(), "trade_powers", "{error}");
        assert!(Society::new(&Parameters::default(), 1).is_ok());
    }
}
