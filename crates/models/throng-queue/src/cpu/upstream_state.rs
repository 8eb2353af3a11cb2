//! The upstream end of a link, for the rules of `crate::rules::upstream_end`. Holes and inflow are updated lazily.

use super::holes::Holes;
use crate::prepare::step_clock::StepClock;
use crate::rules::inflow_capacity::Inflow;
use crate::rules::storage_capacity::LinkCapacities;
use crate::rules::upstream_end::{UpstreamEnd, stays_active};
use throng_traffic_scenario::settings::TrafficDynamics;

/// The upstream end of a link; small under plain queue dynamics.
#[derive(Debug, Clone, PartialEq)]
pub struct UpstreamState {
    /// See [`UpstreamEnd::used`].
    pub used: f64,
    /// See [`UpstreamEnd::storage`].
    pub storage: f64,
    /// Holes and inflow; absent under plain queue dynamics.
    pub holes: Option<Box<HolesAndInflow>>,
}

/// Holes under way and the inflow allowance. Both change in each step of an active link, but are updated lazily; see
/// [`HolesAndInflow::catch_up`].
#[derive(Debug, Clone, PartialEq)]
pub struct HolesAndInflow {
    /// Storage minus entered vehicles plus arrived holes.
    pub remaining: f64,
    /// Inflow allowance; `None` without kinematic waves.
    pub inflow: Option<Inflow>,
    holes: Holes,
    /// The last step whose refill and hole arrivals are included.
    updated_to: i64,
    /// Whether the link is stepped at all.
    active: bool,
    /// Whether the link is active only because of its holes; see [`HolesAndInflow::end_step`].
    idle: bool,
}

impl UpstreamState {
    /// Creates the upstream end of an empty link.
    pub fn new(capacities: &LinkCapacities, dynamics: TrafficDynamics, length_m: f64) -> Self {
        let holes = dynamics.has_holes().then(|| {
            Box::new(HolesAndInflow {
                remaining: capacities.storage,
                inflow: dynamics.has_inflow_capacity().then(|| Inflow::new(capacities.max_inflow)),
                holes: Holes::new(length_m),
                updated_to: -1,
                active: false,
                idle: true,
            })
        });
        Self { used: 0.0, storage: capacities.storage, holes }
    }

    /// Returns the upstream end in the form that the rules take, and the traffic dynamics.
    #[inline]
    fn of_rules(&self) -> (UpstreamEnd, TrafficDynamics) {
        let (remaining, inflow, dynamics) = match &self.holes {
            None => (0.0, 0.0, TrafficDynamics::Queue),
            Some(holes) => match &holes.inflow {
                None => (holes.remaining, 0.0, TrafficDynamics::WithHoles),
                Some(inflow) => (holes.remaining, inflow.accumulated, TrafficDynamics::KinematicWaves),
            },
        };
        (UpstreamEnd { used: self.used, storage: self.storage, remaining, inflow }, dynamics)
    }

    /// Whether a vehicle may enter; see [`UpstreamEnd::accepts`].
    #[inline]
    pub fn accepts(&self) -> bool {
        let (end, dynamics) = self.of_rules();
        end.accepts(dynamics)
    }

    /// Records that a vehicle enters; see [`UpstreamEnd::enter`].
    #[inline]
    pub fn enter(&mut self, pcu: f64, consumption: f64) {
        let (mut end, dynamics) = self.of_rules();
        end.enter(pcu, consumption, dynamics);
        self.used = end.used;
        if let Some(holes) = &mut self.holes {
            holes.remaining = end.remaining;
            if let Some(inflow) = &mut holes.inflow {
                inflow.accumulated = end.inflow;
            }
        }
    }

    /// Frees the storage capacity of a vehicle that left the queue of the link at `now`.
    #[inline]
    pub fn free(&mut self, pcu: f64, now: f64) {
        self.used -= pcu;
        if let Some(holes) = &mut self.holes {
            holes.holes.push(pcu, now);
        }
    }

    /// Sets new capacities (network change events). Holes that are under way remain.
    pub fn reset(&mut self, capacities: &LinkCapacities) {
        self.storage = capacities.storage;
        if let Some(holes) = &mut self.holes {
            holes.remaining = capacities.storage;
            if let Some(inflow) = &mut holes.inflow {
                inflow.max = capacities.max_inflow;
            }
        }
    }
}

impl HolesAndInflow {
    /// Marks the link as active after step `updated_to`, which must be included already.
    pub fn activate(&mut self, updated_to: i64) {
        if !self.active {
            self.active = true;
            self.updated_to = updated_to;
        }
        self.idle = false;
    }

    /// Whether the link is stepped.
    pub fn is_active(&self) -> bool {
        self.active
    }

    /// Applies the refills and hole arrivals of all steps up to `step` that were skipped because nothing else
    /// happened on the link. As in MATSim, the inflow is refilled only while the link is active: it holds vehicles or
    /// holes, or, under the slow capacity update, has less flow than the allowance of a step.
    pub fn catch_up(&mut self, step: i64, clock: &impl StepClock) {
        while self.active && self.updated_to < step {
            let full = self.inflow.is_none_or(|inflow| inflow.is_full());
            let next = self.updated_to + 1;
            // With a full allowance nothing happens until the next hole arrives.
            let next = match self.holes.next_arrival() {
                _ if !full => next,
                Some(arrival) => next.max(clock.first_step_after(arrival)),
                None if self.idle => next,
                None => step + 1,
            };
            if next > step {
                self.updated_to = step;
                return;
            }
            self.one_step(next, clock.time_of(next));
            self.active = stays_active(self.idle, !self.holes.is_empty());
        }
    }

    /// Begins `step` of the link. `idle`: the link holds neither queued nor waiting vehicles. As in MATSim, an idle
    /// link whose holes have all arrived is not stepped, so its inflow is not refilled.
    pub fn begin_step(&mut self, step: i64, idle: bool, now: f64, clock: &impl StepClock) {
        self.catch_up(step - 1, clock);
        if !idle {
            self.activate(step - 1);
        }
        if self.active {
            self.one_step(step, now);
        }
    }

    /// Applies the refill and the hole arrivals of `step`; all earlier steps must be included.
    pub fn one_step(&mut self, step: i64, now: f64) {
        if let Some(inflow) = &mut self.inflow {
            inflow.accumulated = inflow.refilled();
        }
        while let Some(pcu) = self.holes.pop_arrived(now) {
            self.remaining += pcu;
        }
        self.updated_to = step;
    }

    /// Ends the step of the link. `idle`: the link holds neither queued nor waiting vehicles and, under the slow
    /// capacity update, its flow is not below the allowance of a step.
    pub fn end_step(&mut self, idle: bool) {
        self.idle = idle;
        self.active = stays_active(idle, !self.holes.is_empty());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Seconds;

    impl StepClock for Seconds {
        fn time_of(&self, step: i64) -> f64 {
            step as f64
        }
        fn first_step_after(&self, time: f64) -> i64 {
            time.floor() as i64 + 1
        }
    }

    fn upstream_end(dynamics: TrafficDynamics, storage: f64, max_inflow: f64) -> UpstreamState {
        let capacities = LinkCapacities { flow_per_step: 1.0, storage, max_inflow, enlarged: false };
        // A hole travels 100 m in 24 s.
        UpstreamState::new(&capacities, dynamics, 100.0)
    }

    #[test]
    fn the_size_of_the_entrant_does_not_matter() {
        let mut queue = upstream_end(TrafficDynamics::Queue, 2.0, 1.0);
        queue.enter(1.0, 1.0);
        assert!(queue.accepts());
        queue.enter(3.0, 3.0);
        assert_eq!(queue.used, 4.0);
        assert!(!queue.accepts());
        queue.free(3.0, 10.0);
        assert!(queue.accepts());
    }

    #[test]
    fn a_hole_counts_only_after_its_arrival_time() {
        let mut link = upstream_end(TrafficDynamics::WithHoles, 1.0, f64::INFINITY);
        link.enter(1.0, 1.0);
        let holes = link.holes.as_mut().unwrap();
        holes.activate(-1);
        holes.catch_up(9, &Seconds);
        holes.one_step(10, 10.0);
        link.free(1.0, 10.0);
        link.holes.as_mut().unwrap().end_step(true);
        for step in 11..=34 {
            link.holes.as_mut().unwrap().catch_up(step, &Seconds);
            assert!(!link.accepts(), "10 + 24 s is not yet before second {step}");
        }
        link.holes.as_mut().unwrap().catch_up(35, &Seconds);
        assert!(link.accepts());
        assert!(!link.holes.as_ref().unwrap().is_active());
    }

    #[test]
    fn the_inflow_of_an_inactive_link_is_not_refilled() {
        let mut link = upstream_end(TrafficDynamics::KinematicWaves, 100.0, 0.4);
        // The allowance starts at 1, falls to 0, and is then refilled to 0.4.
        link.enter(1.0, 1.0);
        link.holes.as_mut().unwrap().activate(-1);
        assert!(!link.accepts());
        let holes = link.holes.as_mut().unwrap();
        holes.one_step(0, 0.0);
        assert_eq!(holes.inflow.unwrap().accumulated, 0.4);
        holes.inflow.as_mut().unwrap().accumulated -= 1.0;
        holes.end_step(true);
        assert!(!holes.is_active());
        holes.catch_up(1000, &Seconds);
        assert!((holes.inflow.unwrap().accumulated + 0.6).abs() < 1e-12);
    }

    #[test]
    fn a_lowered_inflow_applies_to_skipped_steps() {
        let mut lazy = upstream_end(TrafficDynamics::KinematicWaves, 50.0, 0.3);
        let holes = lazy.holes.as_mut().unwrap();
        holes.activate(-1);
        holes.one_step(0, 0.0);
        lazy.holes.as_mut().unwrap().end_step(false);
        let lowered = LinkCapacities { flow_per_step: 1.0, storage: 50.0, max_inflow: 0.1, enlarged: false };
        lazy.reset(&lowered);
        let mut eager = lazy.clone();
        for step in 1..=10 {
            eager.holes.as_mut().unwrap().one_step(step, step as f64);
        }
        lazy.holes.as_mut().unwrap().catch_up(10, &Seconds);
        assert_eq!(lazy, eager);
        assert_eq!(lazy.holes.unwrap().inflow.unwrap().accumulated, 0.1);
    }

    #[test]
    fn stepping_an_idle_link_does_not_refill_its_inflow() {
        let mut link = upstream_end(TrafficDynamics::KinematicWaves, 100.0, 0.4);
        let holes = link.holes.as_mut().unwrap();
        holes.begin_step(0, false, 0.0, &Seconds);
        holes.inflow.as_mut().unwrap().accumulated = -1.0;
        holes.end_step(true);
        holes.begin_step(7, true, 7.0, &Seconds);
        assert_eq!(holes.inflow.unwrap().accumulated, -1.0);
        holes.begin_step(8, false, 8.0, &Seconds);
        assert_eq!(holes.inflow.unwrap().accumulated, -0.6);
    }

    #[test]
    fn skipped_steps_equal_single_steps() {
        let mut lazy = upstream_end(TrafficDynamics::KinematicWaves, 50.0, 0.3);
        lazy.enter(1.0, 1.0);
        let holes = lazy.holes.as_mut().unwrap();
        holes.activate(-1);
        holes.one_step(0, 0.0);
        lazy.free(1.0, 0.0);
        lazy.holes.as_mut().unwrap().end_step(false);
        let mut eager = lazy.clone();
        for step in 1..=40 {
            eager.holes.as_mut().unwrap().one_step(step, step as f64);
        }
        lazy.holes.as_mut().unwrap().catch_up(40, &Seconds);
        assert_eq!(lazy, eager);
    }
}
