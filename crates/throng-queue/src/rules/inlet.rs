//! Whether a link accepts vehicles from upstream: storage, holes, and inflow.

use std::collections::VecDeque;

use super::storage_capacity::{HOLE_SPEED_KM_H, LinkCapacities};
use throng_traffic_scenario::settings::TrafficDynamics;

/// The upstream end of a link.
#[derive(Debug, Clone, PartialEq)]
pub struct Inlet {
    /// Room taken, passenger car equivalents. Below zero after a leg that starts and ends on the same link: such a
    /// vehicle gives room back that it never took (kept as in MATSim).
    pub used: f64,
    /// Storage capacity.
    pub storage: f64,
    /// Holes and inflow; absent under plain queue dynamics.
    pub waves: Option<Box<Waves>>,
}

/// Freed room on its way upstream, and the inflow allowance.
#[derive(Debug, Clone, PartialEq)]
pub struct Waves {
    /// Storage less entered vehicles plus arrived holes.
    pub remaining: f64,
    /// Inflow allowance left; `None` without kinematic waves.
    pub inflow: Option<Inflow>,
    /// Holes by arrival time at the upstream end.
    holes: VecDeque<Hole>,
    /// How long a hole travels, seconds.
    hole_travel_time_s: f64,
    /// The last step whose refill and hole arrivals are included.
    done_to: i64,
    /// Whether the link is stepped at all; see [`Waves::catch_up`].
    active: bool,
    /// Whether nothing but holes keeps the link active; see [`Waves::end_step`].
    idle: bool,
}

/// The inflow allowance of kinematic waves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Inflow {
    /// What may still enter.
    pub accumulated: f64,
    /// Allowance per step, which is also the most that accumulates.
    pub max: f64,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Hole {
    arrives_at: f64,
    pcu: f64,
}

/// Tells the time of a step; see the executor's clock.
pub trait TimeOfStep {
    /// Seconds of the day at `step`.
    fn time_of(&self, step: i64) -> f64;
    /// The first step later than `time`, or an earlier one when that cannot be told exactly.
    fn first_step_after(&self, time: f64) -> i64;
}

impl Inlet {
    /// An empty link.
    pub fn new(capacities: &LinkCapacities, dynamics: TrafficDynamics, length_m: f64) -> Self {
        let waves = (dynamics != TrafficDynamics::Queue).then(|| {
            Box::new(Waves {
                remaining: capacities.storage,
                inflow: (dynamics == TrafficDynamics::KinematicWaves)
                    .then_some(Inflow { accumulated: 1.0, max: capacities.max_inflow }),
                holes: VecDeque::new(),
                hole_travel_time_s: hole_travel_time(length_m),
                done_to: -1,
                active: false,
                idle: true,
            })
        });
        Self { used: 0.0, storage: capacities.storage, waves }
    }

    /// Whether a vehicle may enter: its own size does not matter. Waves must be caught up to the step before.
    #[inline]
    pub fn accepts(&self) -> bool {
        self.used < self.storage && self.waves.as_ref().is_none_or(|w| w.accept())
    }

    /// A vehicle enters; `consumption` is its share of the inflow.
    #[inline]
    pub fn enter(&mut self, pcu: f64, consumption: f64) {
        self.used += pcu;
        if let Some(waves) = &mut self.waves {
            waves.remaining -= pcu;
            if let Some(inflow) = &mut waves.inflow {
                inflow.accumulated -= consumption;
            }
        }
    }

    /// A vehicle has left the queue of the link at `now`.
    #[inline]
    pub fn free(&mut self, pcu: f64, now: f64) {
        self.used -= pcu;
        if let Some(waves) = &mut self.waves {
            waves.holes.push_back(Hole { arrives_at: now + waves.hole_travel_time_s, pcu });
        }
    }

    /// New capacities take effect (network change events); holes under way stay under way.
    pub fn reset(&mut self, capacities: &LinkCapacities) {
        self.storage = capacities.storage;
        if let Some(waves) = &mut self.waves {
            waves.remaining = capacities.storage;
            if let Some(inflow) = &mut waves.inflow {
                inflow.max = capacities.max_inflow;
            }
        }
    }
}

/// How long freed room takes from the downstream to the upstream end.
pub fn hole_travel_time(length_m: f64) -> f64 {
    // In MATSim's order of operations, so that a hole that is due at a step is due at the same one here.
    length_m * 3600.0 / HOLE_SPEED_KM_H / 1000.0
}

impl Waves {
    fn accept(&self) -> bool {
        self.remaining > 0.0 && self.inflow.is_none_or(|i| i.accumulated > 0.0)
    }

    /// The link has something to do from now on; must be caught up to the step before.
    pub fn activate(&mut self, done_to: i64) {
        if !self.active {
            self.active = true;
            self.done_to = done_to;
        }
        self.idle = false;
    }

    /// Whether the link is stepped.
    pub fn is_active(&self) -> bool {
        self.active
    }

    /// Applies the refills and hole arrivals of all steps up to `step` that were skipped because nothing else
    /// happened on the link. As in MATSim the inflow is refilled only while the link is active: it holds vehicles or
    /// holes, or, under the slow capacity update, has less flow than the allowance of a step.
    pub fn catch_up(&mut self, step: i64, time: &impl TimeOfStep) {
        while self.active && self.done_to < step {
            // Above the maximum, after that was lowered, the next step takes the excess away.
            let full = self.inflow.is_none_or(|i| i.accumulated == i.max);
            let next = self.done_to + 1;
            // With a full allowance nothing happens until the next hole arrives.
            let next = match self.holes.front() {
                _ if !full => next,
                Some(hole) => next.max(time.first_step_after(hole.arrives_at)),
                None if self.idle => next,
                None => step + 1,
            };
            if next > step {
                self.done_to = step;
                return;
            }
            self.one_step(next, time.time_of(next));
            if self.idle && self.holes.is_empty() {
                self.active = false;
            }
        }
    }

    /// The link is looked at in `step`; `idle` tells whether it holds neither queued nor waiting vehicles. An idle link
    /// whose holes have all arrived is not stepped by MATSim, so that its inflow is not refilled.
    pub fn begin_step(&mut self, step: i64, idle: bool, now: f64, time: &impl TimeOfStep) {
        self.catch_up(step - 1, time);
        if !idle {
            self.activate(step - 1);
        }
        if self.active {
            self.one_step(step, now);
        }
    }

    /// Refill and hole arrivals of `step`; everything before is caught up.
    pub fn one_step(&mut self, step: i64, now: f64) {
        if let Some(inflow) = &mut self.inflow {
            inflow.accumulated = (inflow.accumulated + inflow.max).min(inflow.max);
        }
        while self.holes.front().is_some_and(|hole| hole.arrives_at < now) {
            if let Some(hole) = self.holes.pop_front() {
                self.remaining += hole.pcu;
            }
        }
        self.done_to = step;
    }

    /// The step of the link is over; `idle` tells that the link holds neither queued nor waiting vehicles and, under the
    /// slow capacity update, that its flow is not below the allowance of a step.
    pub fn end_step(&mut self, idle: bool) {
        self.idle = idle;
        self.active = !(idle && self.holes.is_empty());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Seconds;

    impl TimeOfStep for Seconds {
        fn time_of(&self, step: i64) -> f64 {
            step as f64
        }
        fn first_step_after(&self, time: f64) -> i64 {
            time.floor() as i64 + 1
        }
    }

    fn inlet(dynamics: TrafficDynamics, storage: f64, max_inflow: f64) -> Inlet {
        let capacities = LinkCapacities { flow_per_step: 1.0, storage, max_inflow, enlarged: false };
        // 100 m: a hole travels 24 s.
        Inlet::new(&capacities, dynamics, 100.0)
    }

    #[test]
    fn the_size_of_the_entrant_does_not_matter() {
        let mut queue = inlet(TrafficDynamics::Queue, 2.0, 1.0);
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
        let mut link = inlet(TrafficDynamics::WithHoles, 1.0, f64::INFINITY);
        link.enter(1.0, 1.0);
        let waves = link.waves.as_mut().unwrap();
        waves.activate(-1);
        waves.catch_up(9, &Seconds);
        waves.one_step(10, 10.0);
        link.free(1.0, 10.0);
        link.waves.as_mut().unwrap().end_step(true);
        for step in 11..=34 {
            link.waves.as_mut().unwrap().catch_up(step, &Seconds);
            assert!(!link.accepts(), "10 + 24 s is not yet before second {step}");
        }
        link.waves.as_mut().unwrap().catch_up(35, &Seconds);
        assert!(link.accepts());
        assert!(!link.waves.as_ref().unwrap().is_active());
    }

    #[test]
    fn holes_travel_for_exact_times() {
        for (length_m, seconds) in [(25.0, 6.0), (1250.0, 300.0), (5000.0, 1200.0)] {
            assert_eq!(hole_travel_time(length_m), seconds);
        }
    }

    #[test]
    fn the_inflow_of_an_inactive_link_is_not_refilled() {
        let mut link = inlet(TrafficDynamics::KinematicWaves, 100.0, 0.4);
        // The allowance starts at 1, so two vehicles enter at once, then it is -1.
        link.enter(1.0, 1.0);
        link.waves.as_mut().unwrap().activate(-1);
        assert!(!link.accepts());
        let waves = link.waves.as_mut().unwrap();
        waves.one_step(0, 0.0);
        assert_eq!(waves.inflow.unwrap().accumulated, 0.4);
        waves.inflow.as_mut().unwrap().accumulated -= 1.0;
        waves.end_step(true);
        assert!(!waves.is_active());
        waves.catch_up(1000, &Seconds);
        assert!((waves.inflow.unwrap().accumulated + 0.6).abs() < 1e-12);
    }

    #[test]
    fn a_lowered_inflow_counts_in_skipped_steps_too() {
        let mut lazy = inlet(TrafficDynamics::KinematicWaves, 50.0, 0.3);
        let w = lazy.waves.as_mut().unwrap();
        w.activate(-1);
        w.one_step(0, 0.0);
        lazy.waves.as_mut().unwrap().end_step(false);
        let lowered = LinkCapacities { flow_per_step: 1.0, storage: 50.0, max_inflow: 0.1, enlarged: false };
        lazy.reset(&lowered);
        let mut eager = lazy.clone();
        for step in 1..=10 {
            eager.waves.as_mut().unwrap().one_step(step, step as f64);
        }
        lazy.waves.as_mut().unwrap().catch_up(10, &Seconds);
        assert_eq!(lazy, eager);
        assert_eq!(lazy.waves.unwrap().inflow.unwrap().accumulated, 0.1);
    }

    #[test]
    fn an_idle_link_that_is_looked_at_in_vain_is_not_refilled() {
        let mut link = inlet(TrafficDynamics::KinematicWaves, 100.0, 0.4);
        let waves = link.waves.as_mut().unwrap();
        waves.begin_step(0, false, 0.0, &Seconds);
        waves.inflow.as_mut().unwrap().accumulated = -1.0;
        waves.end_step(true);
        waves.begin_step(7, true, 7.0, &Seconds);
        assert_eq!(waves.inflow.unwrap().accumulated, -1.0);
        waves.begin_step(8, false, 8.0, &Seconds);
        assert_eq!(waves.inflow.unwrap().accumulated, -0.6);
    }

    #[test]
    fn skipped_steps_equal_single_steps() {
        let mut lazy = inlet(TrafficDynamics::KinematicWaves, 50.0, 0.3);
        lazy.enter(1.0, 1.0);
        let w = lazy.waves.as_mut().unwrap();
        w.activate(-1);
        w.one_step(0, 0.0);
        lazy.free(1.0, 0.0);
        lazy.waves.as_mut().unwrap().end_step(false);
        let mut eager = lazy.clone();
        for step in 1..=40 {
            eager.waves.as_mut().unwrap().one_step(step, step as f64);
        }
        lazy.waves.as_mut().unwrap().catch_up(40, &Seconds);
        assert_eq!(lazy, eager);
    }
}
