//! Verification cases of traffic: they compare the results implied by capacities and speeds with those of this build on
//! the CPU or on a device.
//!
//! ```
//! let mut all_hold = true;
//! throng_queue::verification::verify(&throng_device::CPU, &mut |verified| all_hold &= verified.finding.holds);
//! assert!(all_hold);
//! ```

mod executor;
mod links;
#[cfg(test)]
mod mutants;
mod nodes;
mod roads;
mod town;

use throng_core::{Finding, VerificationCase as Case, Verified};
use throng_device::Executor;

use crate::RunError;
use executor::{CaseExecutor, Cpu, OnDevice};

type Checked = Result<Finding, RunError>;

/// A case and the executors on which it runs.
#[derive(Debug, Clone, Copy)]
enum Check {
    Everywhere(fn(&dyn CaseExecutor) -> Checked),
    Device(fn(&dyn CaseExecutor) -> Checked),
}

const CASES: &[Case<Check>] = &[
    Case::new(
        "arrival at free speed",
        Check::Everywhere(links::free_flow),
        "departure at 60 s, two links of 1 km at 25 m/s, one second per node",
    ),
    Case::new(
        "discharge of a bottleneck",
        Check::Everywhere(links::discharge),
        "cars leave at its flow capacity (vehicles per hour), and all 100 leave",
    ),
    Case::new(
        "discharge of a sample",
        Check::Everywhere(links::discharge_of_a_sample),
        "one simulated car per eight: the same flow when scaled up, with 13 cars",
    ),
    Case::new(
        "storage capacity",
        Check::Everywhere(links::storage),
        "750 m at 7.5 m per car: cars that enter before the first one leaves, and all that enter",
    ),
    Case::new(
        "stuck vehicles push",
        Check::Everywhere(links::stuck_vehicles_push),
        "into a full link, after more than qsim.stuckTime (10 s)",
    ),
    Case::new(
        "room travels upstream",
        Check::Everywhere(links::room_travels_at_15_km_h),
        "seconds until the eleventh of 12 cars enters: 75 m at 15 km/h (withHoles) and two steps",
    ),
    Case::new(
        "inflow of kinematic waves",
        Check::Everywhere(links::inflow_of_kinematic_waves),
        "one lane at 22.5 km/h: vehicles per hour that enter, (1 / 7.5 m) / (1 / 15 km/h + 1 / 22.5 km/h), and all 100",
    ),
    Case::new(
        "the fast overtake",
        Check::Everywhere(links::the_fast_overtake),
        "a car and a tractor on a link with PassingQ",
    ),
    Case::new(
        "merging jams, drawn",
        Check::Everywhere(nodes::merging_by_draws),
        "the road with three quarters of the capacity gets that fraction of the crossings, and all its 800 cars cross",
    ),
    Case::new(
        "merging jams, priorities",
        Check::Everywhere(nodes::merging_by_priorities),
        "the same with deterministic priorities",
    ),
    Case::new(
        "no car is lost in a jam",
        Check::Everywhere(town::no_car_is_lost),
        "departures, arrivals, links left and links entered in a jammed town, as implied by its plans",
    ),
    Case::new(
        "states equal the states on the CPU",
        Check::Device(town::states_equal_the_cpu),
        "state hashes of the same town, one per minute: how many differ, and how many of the first 24 change",
    ),
];

/// Runs all cases that apply to a device or to the CPU, and calls `report` for each result.
pub fn verify(on: &Executor, report: &mut dyn FnMut(Verified)) {
    for case in CASES {
        let checked = match (case.check, on.device()) {
            (Check::Everywhere(check), None) => check(&Cpu),
            (Check::Everywhere(check) | Check::Device(check), Some(device)) => check(&OnDevice(device)),
            (Check::Device(_), None) => continue,
        };
        report(case.verified(checked));
    }
}
