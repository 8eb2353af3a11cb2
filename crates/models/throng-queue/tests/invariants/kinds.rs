//! Kinds of runs: all settings that are compiled into the kernels of a device, the launch mode, and the MATSim release
//! to agree with.

use throng_queue::DeviceThreads::{self, Automatic, PerEntity, Persistent};
use throng_traffic_scenario::settings::Compat::{self, Matsim13, Matsim2024};
use throng_traffic_scenario::settings::LinkDynamics::{self, Fifo, PassingQ};
use throng_traffic_scenario::settings::NodeTransition as N;
use throng_traffic_scenario::settings::QSim;
use throng_traffic_scenario::settings::TrafficDynamics::{self, KinematicWaves, Queue, WithHoles};

/// One combination of these settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kind {
    pub transition: N,
    pub dynamics: TrafficDynamics,
    pub links: LinkDynamics,
    pub fast_update: bool,
    pub waiting_first: bool,
    pub compat: Compat,
    pub threads: DeviceThreads,
}

impl Kind {
    /// Applies these rules to settings; all other settings stay the same.
    pub fn apply(self, qsim: &mut QSim, compat: &mut Compat) {
        qsim.node_transition = self.transition;
        qsim.traffic_dynamics = self.dynamics;
        qsim.link_dynamics = self.links;
        qsim.using_fast_capacity_update = self.fast_update;
        qsim.waiting_before_driving = self.waiting_first;
        *compat = self.compat;
    }
}

/// Ten kinds in which each variant of a rule occurs with each variant of every other rule, and each launch mode with
/// each variant except those of node transitions. Each node transition occurs with two of the traffic dynamics: all
/// three would need fifteen kinds, and a software device takes seconds to compile one.
pub const COVERING: [Kind; 10] = [
    kind(N::EmptyBufferDontBlockNode, Queue, PassingQ, false, false, Matsim13, Persistent),
    kind(N::EmptyBufferDontBlockNode, KinematicWaves, Fifo, true, true, Matsim2024, Persistent),
    kind(N::EmptyBufferBlockNode, Queue, PassingQ, false, true, Matsim2024, PerEntity),
    kind(N::EmptyBufferBlockNode, WithHoles, Fifo, true, false, Matsim13, PerEntity),
    kind(N::VehByVehDontBlockNode, KinematicWaves, Fifo, true, false, Matsim2024, Automatic),
    kind(N::VehByVehDontBlockNode, WithHoles, PassingQ, false, true, Matsim13, Automatic),
    kind(N::VehByVehBlockNode, KinematicWaves, PassingQ, false, true, Matsim13, PerEntity),
    kind(N::VehByVehBlockNode, Queue, Fifo, true, false, Matsim2024, Automatic),
    kind(N::DeterministicPriorities, KinematicWaves, Fifo, false, false, Matsim13, PerEntity),
    kind(N::DeterministicPriorities, WithHoles, PassingQ, true, true, Matsim2024, Persistent),
];

/// Kinds that also run on software devices, which take half a minute to compile the kernels of one: each traffic
/// dynamics, launch mode and kind of link, and four of the five node transitions.
pub const ON_SOFTWARE_DEVICES: [usize; 4] = [0, 4, 6, 9];

const fn kind(
    transition: N,
    dynamics: TrafficDynamics,
    links: LinkDynamics,
    fast_update: bool,
    waiting_first: bool,
    compat: Compat,
    threads: DeviceThreads,
) -> Kind {
    Kind { transition, dynamics, links, fast_update, waiting_first, compat, threads }
}

/// Returns the distinct values of a part of the kinds, in order of appearance.
fn values<T: PartialEq>(kinds: &[Kind], part: impl Fn(&Kind) -> T) -> Vec<T> {
    let mut found = Vec::new();
    for value in kinds.iter().map(part) {
        if !found.contains(&value) {
            found.push(value);
        }
    }
    found
}

/// Counts the distinct pairs of values of two parts.
fn pairs<A: PartialEq, B: PartialEq>(kinds: &[Kind], a: impl Fn(&Kind) -> A, b: impl Fn(&Kind) -> B) -> usize {
    values(kinds, |kind| (a(kind), b(kind))).len()
}

#[test]
fn all_pairs_of_variants_are_covered() {
    let kinds = COVERING;
    assert_eq!(values(&kinds, |k| k.transition).len(), 5);
    assert_eq!(values(&kinds, |k| k.dynamics).len(), 3);
    // Four rules with two variants each.
    let switches: [fn(&Kind) -> bool; 4] = [
        |k| k.links == LinkDynamics::PassingQ,
        |k| k.fast_update,
        |k| k.waiting_first,
        |k| k.compat == Compat::Matsim13,
    ];
    for (i, switch) in switches.iter().enumerate() {
        assert_eq!(pairs(&kinds, |k| k.transition, switch), 10, "node transitions, switch {i}");
        assert_eq!(pairs(&kinds, |k| k.dynamics, switch), 6, "traffic dynamics, switch {i}");
        assert_eq!(pairs(&kinds, |k| k.threads, switch), 6, "launches, switch {i}");
        for (j, other) in switches.iter().enumerate().skip(i + 1) {
            assert_eq!(pairs(&kinds, switch, other), 4, "switches {i} and {j}");
        }
    }
    assert_eq!(pairs(&kinds, |k| k.transition, |k| k.dynamics), 10);
    assert_eq!(pairs(&kinds, |k| k.threads, |k| k.dynamics), 9);
}

#[test]
fn software_devices_run_each_dynamics_launch_and_kind_of_link() {
    let kinds = ON_SOFTWARE_DEVICES.map(|number| COVERING[number]);
    assert_eq!(values(&kinds, |k| k.dynamics).len(), 3);
    assert_eq!(values(&kinds, |k| k.threads).len(), 3);
    assert_eq!(values(&kinds, |k| k.links).len(), 2);
    assert_eq!(values(&kinds, |k| k.transition).len(), 4);
}
