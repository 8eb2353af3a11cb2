//! Settings and vehicle types in the form that inner loops need.

use rayon::slice::ParallelSliceMut;
use throng_core::Philox;

use crate::rules::journey::JourneyRules;
use crate::rules::link_step::LinkRules;
use crate::rules::node_selection::NodeSelection;
use crate::rules::storage_capacity::CapacitySettings;
use throng_traffic_scenario::Scenario;
use throng_traffic_scenario::settings::{
    ActivityDurationInterpretation, LinkDynamics, NodeRandom, QSim, TrafficDynamics,
};

/// The settings used by the inner loops.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rules {
    pub step_s: f64,
    pub stuck_time_s: f64,
    pub remove_stuck: bool,
    pub passing: bool,
    pub dynamics: TrafficDynamics,
    pub selection: NodeSelection,
    pub links: LinkRules,
    pub easing: f64,
    pub journeys: JourneyRules,
    pub interpretation: ActivityDurationInterpretation,
    pub java: bool,
    pub random: Philox,
    pub capacities: CapacitySettings,
}

impl Rules {
    /// `shared`: see [`JourneyRules::shared`].
    pub fn new(scenario: &Scenario, shared: bool) -> Self {
        let settings = &scenario.settings;
        let qsim: &QSim = &settings.qsim;
        let transit = !scenario.transit.is_empty();
        Self {
            step_s: qsim.time_step_s,
            stuck_time_s: qsim.stuck_time_s,
            remove_stuck: qsim.remove_stuck_vehicles,
            passing: match qsim.link_dynamics {
                LinkDynamics::Fifo => false,
                LinkDynamics::PassingQ => true,
            },
            dynamics: qsim.traffic_dynamics,
            selection: NodeSelection::of(qsim.node_transition),
            links: LinkRules {
                waiting_first: qsim.waiting_before_driving,
                fast_update: qsim.using_fast_capacity_update,
                transit,
            },
            easing: qsim.pcu_threshold_for_flow_capacity_easing,
            journeys: JourneyRules { behavior: qsim.vehicle_behavior, transit, shared },
            interpretation: settings.plans.activity_duration_interpretation,
            java: match settings.extensions.node_random {
                NodeRandom::Counter => false,
                NodeRandom::Java => true,
            },
            random: Philox::new(settings.global.random_seed as u64),
            capacities: CapacitySettings {
                step_s: qsim.time_step_s,
                flow_factor: qsim.flow_capacity_factor,
                storage_factor: qsim.storage_capacity_factor,
                dynamics: qsim.traffic_dynamics,
                inflow: qsim.inflow_capacity,
                compat: settings.extensions.compat,
            },
        }
    }
}

/// The size and speed of a vehicle type.
#[derive(Debug, Clone, Copy)]
pub(crate) struct VehicleKind {
    pub pcu: f64,
    /// Flow used per vehicle: pcu divided by flow efficiency.
    pub consumption: f64,
    pub maximum_velocity_mps: f64,
}

/// Returns the kinds of all vehicle types.
pub(crate) fn kinds(scenario: &Scenario) -> Vec<VehicleKind> {
    let kind = |t: &throng_traffic_scenario::VehicleType| VehicleKind {
        pcu: t.pcu,
        consumption: t.pcu / t.flow_efficiency,
        maximum_velocity_mps: t.maximum_velocity_mps,
    };
    scenario.vehicles.types.iter().map(kind).collect()
}

/// Returns whether each mode drives on the network.
pub(crate) fn main_modes(scenario: &Scenario) -> [bool; 256] {
    let mut is_main_mode = [false; 256];
    for mode in scenario.settings.qsim.main_modes.iter().filter_map(|name| scenario.modes.get(name)) {
        is_main_mode[usize::from(mode.0)] = true;
    }
    is_main_mode
}

/// Returns the ranks of all persons by id. The sort keys hold the first eight bytes, which keeps most comparisons in
/// cache.
pub(crate) fn ranks(scenario: &Scenario) -> Vec<u32> {
    let ids = &scenario.population.person_ids;
    let mut keyed: Vec<(u64, u32)> = (0..ids.len() as u32)
        .map(|person| {
            let mut prefix = [0u8; 8];
            let text = ids.name(person).as_bytes();
            let len = text.len().min(8);
            prefix[..len].copy_from_slice(&text[..len]);
            (u64::from_be_bytes(prefix), person)
        })
        .collect();
    keyed.par_sort_unstable_by(|a, b| a.0.cmp(&b.0).then_with(|| ids.name(a.1).cmp(ids.name(b.1))));
    let mut ranks = vec![0; keyed.len()];
    for (rank, &(_, person)) in keyed.iter().enumerate() {
        ranks[person as usize] = rank as u32;
    }
    ranks
}
