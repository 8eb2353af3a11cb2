//! Runs MATSim's own scenarios and compares the events with those that MATSim wrote: every time stamp must agree.

use throng_core::{NoProgress, Warnings};
use throng_matsim::compare::compare_log;
use throng_matsim::config;
use throng_matsim::formats::network::read_network;
use throng_matsim::formats::population::PopulationReader;
use throng_matsim::load::{Parts, assemble, load_scenario};
use throng_queue::RunOptions;
use throng_queue::cpu::simulate;
use throng_queue::gpu;
use throng_testing::reference_data as reference;
use throng_traffic_scenario::events::EventLog;
use throng_traffic_scenario::settings::{
    ActivityDurationInterpretation, Compat, FacilitiesSource, NodeRandom, NodeTransition, Settings,
    StartInterpretation, TrafficDynamics,
};
use throng_traffic_scenario::{ModeTable, Scenario};

use crate::devices::{self, hardware_devices};

/// Loads a scenario from its config file, with the routed plans that MATSim wrote at the end of iteration 0: if several
/// routes take equally long, the choice of MATSim's router depends on the shape of its heap.
fn load_config(config: &str, plans: &str, change: impl FnOnce(&mut Settings)) -> Option<Scenario> {
    let (config, plans) = (reference(config)?, reference(plans)?);
    let mut settings = config::from_file(&config).unwrap().settings;
    settings.files.plans = Some(plans);
    settings.extensions.compat = Compat::Matsim13;
    change(&mut settings);
    Some(load_scenario(settings, &mut Warnings::new(), &NoProgress).unwrap())
}

fn load(network: &str, plans: &str, change: impl FnOnce(&mut Settings)) -> Option<Scenario> {
    let (network, plans) = (reference(network)?, reference(plans)?);
    let mut settings = Settings::default();
    settings.extensions.compat = Compat::Matsim13;
    settings.facilities.source = FacilitiesSource::OnePerActivityLinkInPlansFile;
    change(&mut settings);
    let mut warnings = Warnings::new();
    let mut modes = ModeTable::default();
    let network = read_network(&network, &mut modes, &mut warnings).unwrap();
    let parts = Parts { modes, network, ..Parts::default() };
    let reader = PopulationReader::open(&plans).unwrap();
    let scenario = assemble(settings, parts, reader, &mut warnings, &NoProgress).unwrap();
    for (kind, warning) in warnings.iter() {
        println!("warning: {kind}: {} times, e.g. {}", warning.count, warning.example);
    }
    Some(scenario)
}

/// Runs with 1 and 2 threads, on all devices, and with fast and slow capacity update. All runs must yield MATSim's
/// events.
fn assert_equal_to(scenario: &mut Scenario, files: &[&str], reference_events: u64) {
    for fast in [true, false] {
        scenario.settings.qsim.using_fast_capacity_update = fast;
        assert_equal_everywhere(scenario, files, reference_events);
    }
}

/// Runs with 1 and 2 threads and on hardware devices. All runs must yield the events of each of these files. The
/// pitfalls and invariants cover all rules of the model on software devices too.
fn assert_equal_everywhere(scenario: &Scenario, files: &[&str], reference_events: u64) {
    let Some(files) = files.iter().map(|file| reference(file)).collect::<Option<Vec<_>>>() else { return };
    let assert_equal = |log: &EventLog| {
        for file in &files {
            let comparison = compare_log(scenario, log, file).unwrap();
            assert!(comparison.is_equal(), "{comparison}");
            assert_eq!(comparison.events, [reference_events; 2]);
        }
    };
    for threads in [1, 2] {
        let mut log = EventLog::default();
        simulate(scenario, &mut log, &RunOptions { threads, ..RunOptions::default() }).unwrap();
        assert_equal(&log);
    }
    if gpu::unsuitable(scenario).is_some() {
        return;
    }
    for device in hardware_devices("a day") {
        let mut log = EventLog::default();
        gpu::simulate(scenario, &mut log, &RunOptions::default(), device).unwrap();
        assert_equal(&log);
    }
}

#[test]
fn equil_100() {
    let Some(mut scenario) = load("equil100/network.xml", "equil100/plans100.xml", |_| {}) else { return };
    let files = ["equil100/upstream_reference_events.xml.gz", "equil100/qsim_fast_events.xml.gz"];
    assert_equal_to(&mut scenario, &files, 3008);
}

/// MATSim has no events for these steps, so devices are compared with the CPU, event by event and state by state. Most
/// of the day is idle and skipped.
#[test]
fn equil_100_with_fractional_steps() {
    let Some(mut scenario) = load("equil100/network.xml", "equil100/plans100.xml", |_| {}) else { return };
    let devices = hardware_devices("a day in steps of half a second");
    let same_on_devices = |scenario: &Scenario| {
        let options = RunOptions { hash_every: 100, ..RunOptions::default() };
        let mut log = EventLog::default();
        let outcome = simulate(scenario, &mut log, &options).unwrap();
        assert!(log.events.len() > 1000 && log.hashes.len() > 1, "{} events", log.events.len());
        devices::assert_same_on(&devices, scenario, &options, &log, &outcome);
    };
    for step_s in [0.5, 1.1, 60.5] {
        scenario.settings.qsim.time_step_s = step_s;
        same_on_devices(&scenario);
    }
    scenario.settings.qsim.time_step_s = 1.0;
    scenario.settings.qsim.start_time = Some(19_800.5);
    scenario.settings.qsim.start_interpretation = StartInterpretation::OnlyUseStarttime;
    same_on_devices(&scenario);
}

fn equil_2000(events: &str, reference_events: u64, change: impl FnOnce(&mut Settings)) {
    let Some(mut scenario) = load("equil2000/network.xml", "equil2000/plans2000.xml.gz", change) else { return };
    assert_equal_to(&mut scenario, &[&format!("queue_variants/{events}")], reference_events);
}

#[test]
fn equil_2000_queue() {
    equil_2000("equil2000_queue_fast.xml.gz", 60_000, |_| {});
}

#[test]
fn equil_2000_with_holes() {
    equil_2000("equil2000_holes.xml.gz", 60_000, |s| s.qsim.traffic_dynamics = TrafficDynamics::WithHoles);
}

#[test]
fn equil_2000_kinematic_waves() {
    equil_2000("equil2000_kw.xml.gz", 60_000, |s| s.qsim.traffic_dynamics = TrafficDynamics::KinematicWaves);
}

#[test]
fn equil_2000_ten_percent() {
    equil_2000("equil2000_f10.xml.gz", 60_000, |s| {
        s.qsim.flow_capacity_factor = 0.1;
        s.qsim.storage_capacity_factor = 0.1;
    });
}

/// Uses its own network and plans: 60 persons through a bottleneck, with cross flows. Under the slow update the inflow
/// of a link is refilled while its flow accumulates, which is longer than it holds vehicles or holes. Some persons
/// share a vehicle.
#[test]
fn slow_capacity_update_with_kinematic_waves() {
    let plans = "slowcap_kw/plans.xml.gz";
    let deterministic = |s: &mut Settings| s.qsim.node_transition = NodeTransition::DeterministicPriorities;
    let Some(scenario) = load_config("slowcap_kw/config.xml", plans, deterministic) else { return };
    assert_equal_everywhere(&scenario, &["slowcap_kw/events.xml.zst"], 3_009);
}

/// Java's generator, seeded as in MATSim's controller. Only the fast update is tested: under the slow one, links stay
/// active longer, so that nodes draw in a different order.
#[test]
fn chessboard_with_the_generator_of_java() {
    let plans = "chessboard_it0/output_plans.xml.gz";
    let java = |s: &mut Settings| s.extensions.node_random = NodeRandom::Java;
    let Some(scenario) = load_config("chessboard_it0/config.xml", plans, java) else { return };
    assert_equal_everywhere(&scenario, &["chessboard_it0/output_events.xml.gz"], 28_568);
}

#[test]
fn equil_with_cars_and_bicycles() {
    let plans = "equil_mixed_it0/output_plans.xml.gz";
    let config = "equil_mixed_it0/config-with-mode-vehicles.xml";
    let Some(mut scenario) = load_config(config, plans, |_| {}) else { return };
    assert_equal_to(&mut scenario, &["equil_mixed_it0/output_events.xml.gz"], 300);
}

#[test]
fn roundabout_with_the_generator_of_java() {
    let Some(mut scenario) = load("queue_variants/network.xml", "queue_variants/plans.xml", |s| {
        s.extensions.node_random = NodeRandom::Java;
    }) else {
        return;
    };
    assert_equal_to(&mut scenario, &["queue_variants/roundabout.xml.gz"], 38_400);
}

#[test]
fn roundabout_with_deterministic_nodes() {
    let Some(mut scenario) = load("queue_variants/network.xml", "queue_variants/plans.xml", |s| {
        s.qsim.node_transition = NodeTransition::DeterministicPriorities;
    }) else {
        return;
    };
    assert_equal_to(&mut scenario, &["queue_variants/roundabout_det.xml.gz"], 38_400);
}

/// Cases with millions of events.
mod exhaustive {
    use super::*;

    /// Only the fast capacity update is tested: at flow capacities such as 0.00463 vehicles per step, sums of 216
    /// allowances and products with 216 round differently, so MATSim's own two updates also differ here.
    #[test]
    fn berlin_with_deterministic_nodes() {
        let Some(scenario) = load("berlin_1pct_10s/network.xml.gz", "berlin_1pct_10s/plans_hwh_1pct.xml.gz", |s| {
            s.qsim.node_transition = NodeTransition::DeterministicPriorities;
            s.qsim.time_step_s = 10.0;
            s.qsim.flow_capacity_factor = 0.01;
            s.qsim.storage_capacity_factor = 0.04;
            s.qsim.stuck_time_s = 10.0;
            s.plans.activity_duration_interpretation = ActivityDurationInterpretation::MinOfDurationAndEndTime;
        }) else {
            return;
        };
        assert_equal_everywhere(&scenario, &["berlin_1pct_10s/events_deterministic_nodes.xml.zst"], 1_645_689);
    }
}
