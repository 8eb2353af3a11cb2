//! Runs of the program that are compared between devices, and with MATSim.

/// A scenario from the examples.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Scenario {
    pub(super) name: &'static str,
    /// Folder of the scenario.
    pub(super) folder: &'static str,
    /// Parameters, one per `--set`.
    pub(super) set: &'static [&'static str],
    /// Number of steps between two hashes of the state.
    pub(super) hash_every: u32,
    pub(super) suits_software: bool,
}

/// A case of the reference data with deterministic nodes or without random draws, so that devices can run it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Reference {
    pub(super) name: &'static str,
    /// `network` and `plans`, or `config` and `plans`, in the reference data.
    pub(super) scenario: &'static [(&'static str, &'static str)],
    /// Parameters, one per `--set`.
    pub(super) set: &'static [&'static str],
    /// Path of MATSim's events.
    pub(super) events: &'static str,
    pub(super) suits_software: bool,
}

const fn city(name: &'static str, set: &'static [&'static str]) -> Scenario {
    Scenario { name, folder: "examples/city", set, hash_every: 600, suits_software: false }
}

/// All dynamics; time steps of one second, fractions of a second and several seconds; and a fractional start time.
pub(super) static SCENARIOS: [Scenario; 12] = [
    Scenario { name: "fields", folder: "examples/fields", set: &[], hash_every: 20, suits_software: true },
    Scenario {
        name: "collision",
        folder: "examples/collision",
        set: &["discs=1500", "width_m=60", "height_m=40", "gate_walls_every_m=30", "steps=100"],
        hash_every: 20,
        suits_software: true,
    },
    Scenario { name: "crossing", folder: "examples/crossing", set: &[], hash_every: 100, suits_software: true },
    Scenario { name: "evacuation", folder: "examples/evacuation", set: &[], hash_every: 100, suits_software: true },
    city("city", &[]),
    city("city, holes", &["qsim.trafficDynamics=withHoles"]),
    city("city, kinematic waves", &["qsim.trafficDynamics=kinematicWaves"]),
    city("city, half seconds", &["qsim.timeStepSize=0.5", "qsim.endTime=08:00:00"]),
    city("city, 1.1 s", &["qsim.timeStepSize=1.1", "qsim.trafficDynamics=withHoles", "qsim.endTime=10:00:00"]),
    city("city, 2.5 s", &["qsim.timeStepSize=2.5", "qsim.trafficDynamics=kinematicWaves"]),
    city("city, 60 s", &["qsim.timeStepSize=60"]),
    city("city, fractional start", &["qsim.startTime=05:30:00.5", "qsim.endTime=10:00:00"]),
];

const ONE_PER_LINK: &str = "facilities.facilitiesSource=onePerActivityLinkInPlansFile";
const DETERMINISTIC: &str =
    "throng.nodeTransition=moveVehByVehDeterministicPriorities_nodeBlockedWhenSingleOutlinkFull";

/// Settings of the Berlin scenario, which has 1 % of the city's traffic.
pub(super) const BERLIN: [&str; 7] = [
    ONE_PER_LINK,
    DETERMINISTIC,
    "qsim.timeStepSize=10",
    "qsim.flowCapacityFactor=0.01",
    "qsim.storageCapacityFactor=0.04",
    "qsim.stuckTime=10",
    "plans.activityDurationInterpretation=minOfDurationAndEndTime",
];

const EQUIL_100: [(&str, &str); 2] = [("network", "equil100/network.xml"), ("plans", "equil100/plans100.xml")];
const EQUIL_2000: [(&str, &str); 2] = [("network", "equil2000/network.xml"), ("plans", "equil2000/plans2000.xml.gz")];

const fn equil_2000(name: &'static str, set: &'static [&'static str], events: &'static str) -> Reference {
    Reference { name, scenario: &EQUIL_2000, set, events, suits_software: false }
}

/// All cases with MATSim's events that devices can run. Devices reject two cases that draw from Java's generator, and
/// the slow capacity update with kinematic waves, whose vehicles are shared; the golden tests run these on the CPU.
pub(super) static REFERENCES: [Reference; 11] = [
    Reference {
        name: "equil100",
        scenario: &EQUIL_100,
        set: &[ONE_PER_LINK],
        events: "equil100/qsim_fast_events.xml.gz",
        suits_software: true,
    },
    Reference {
        name: "equil100, slow capacity update",
        scenario: &EQUIL_100,
        set: &[ONE_PER_LINK, "qsim.usingFastCapacityUpdate=false"],
        events: "equil100/upstream_reference_events.xml.gz",
        suits_software: false,
    },
    equil_2000("equil2000", &[ONE_PER_LINK], "queue_variants/equil2000_queue_fast.xml.gz"),
    equil_2000(
        "equil2000, holes",
        &[ONE_PER_LINK, "qsim.trafficDynamics=withHoles"],
        "queue_variants/equil2000_holes.xml.gz",
    ),
    equil_2000(
        "equil2000, kinematic waves",
        &[ONE_PER_LINK, "qsim.trafficDynamics=kinematicWaves"],
        "queue_variants/equil2000_kw.xml.gz",
    ),
    equil_2000(
        "equil2000, 10 %",
        &[ONE_PER_LINK, "qsim.flowCapacityFactor=0.1", "qsim.storageCapacityFactor=0.1"],
        "queue_variants/equil2000_f10.xml.gz",
    ),
    Reference {
        name: "equil, iteration 0",
        scenario: &[("network", "equil100/network.xml"), ("plans", "equil_it10/0.plans.xml.gz")],
        set: &[],
        events: "equil_it10/0.events.xml.gz",
        suits_software: false,
    },
    Reference {
        name: "equil, iteration 10",
        scenario: &[("network", "equil100/network.xml"), ("plans", "equil_it10/output_plans.xml.gz")],
        set: &[],
        events: "equil_it10/output_events.xml.gz",
        suits_software: false,
    },
    Reference {
        name: "cars and bicycles",
        scenario: &[
            ("config", "equil_mixed_it0/config-with-mode-vehicles.xml"),
            ("plans", "equil_mixed_it0/output_plans.xml.gz"),
        ],
        set: &[],
        events: "equil_mixed_it0/output_events.xml.gz",
        suits_software: false,
    },
    Reference {
        name: "roundabout, deterministic nodes",
        scenario: &[("network", "queue_variants/network.xml"), ("plans", "queue_variants/plans.xml")],
        set: &[ONE_PER_LINK, DETERMINISTIC],
        events: "queue_variants/roundabout_det.xml.gz",
        suits_software: false,
    },
    Reference {
        name: "Berlin",
        scenario: &[("network", "berlin_1pct_10s/network.xml.gz"), ("plans", "berlin_1pct_10s/plans_hwh_1pct.xml.gz")],
        set: &BERLIN,
        events: "berlin_1pct_10s/events_deterministic_nodes.xml.zst",
        suits_software: false,
    },
];

impl Scenario {
    /// Returns the arguments of `throng`, without device and output folder.
    pub(super) fn arguments(&self) -> Vec<String> {
        let mut arguments = vec!["run".to_owned(), self.folder.to_owned()];
        arguments.extend(["--hash-every".to_owned(), self.hash_every.to_string()]);
        arguments.extend(settings(self.set));
        arguments
    }
}

impl Reference {
    /// Returns the arguments of `throng`, without device and output folder; `data` is the folder of reference data.
    pub(super) fn arguments(&self, data: &str) -> Vec<String> {
        let mut arguments = vec!["run".to_owned()];
        for (option, file) in self.scenario {
            if *option != "config" {
                arguments.push(format!("--{option}"));
            }
            arguments.push(format!("{data}/{file}"));
        }
        arguments.extend(settings(self.set));
        let no_more_than_events = ["throng.compat=13", "throng.eventsParquet=false", "throng.analysis=false"];
        arguments.extend(settings(&no_more_than_events));
        arguments
    }
}

pub(super) fn settings(set: &[&str]) -> impl Iterator<Item = String> {
    set.iter().flat_map(|setting| ["--set".to_owned(), (*setting).to_owned()])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_arguments_contain_config_and_settings() {
        let arguments = REFERENCES.iter().find(|case| case.name == "cars and bicycles").unwrap().arguments("/d");
        let expected = "run /d/equil_mixed_it0/config-with-mode-vehicles.xml --plans \
                        /d/equil_mixed_it0/output_plans.xml.gz --set throng.compat=13 --set throng.eventsParquet=false \
                        --set throng.analysis=false";
        assert_eq!(arguments.join(" "), expected);
        let holes = SCENARIOS.iter().find(|scenario| scenario.name == "city, holes").unwrap().arguments().join(" ");
        assert_eq!(holes, "run examples/city --hash-every 600 --set qsim.trafficDynamics=withHoles");
    }

    #[test]
    fn files_of_all_cases_are_in_the_reference_data() {
        let Some(data) = throng_testing::reference_data("") else { return };
        for case in &REFERENCES {
            for file in case.scenario.iter().map(|(_, file)| *file).chain([case.events]) {
                assert!(data.join(file).is_file(), "{}: {file}", case.name);
            }
        }
    }
}
