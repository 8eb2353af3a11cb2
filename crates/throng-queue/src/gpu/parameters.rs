//! The parameters of launches.

use throng_device::cubecl::prelude::*;

use super::kernels::{RunParametersLaunch, StepParametersLaunch};
use super::record::{
    END_TIME_ONLY, END_TIME_THEN_DURATION, MIN_OF_BOTH, MISSING_VEHICLE_IS_ERROR, TELEPORT_VEHICLE, WAIT_FOR_VEHICLE,
};
use throng_traffic_scenario::settings::{ActivityDurationInterpretation, VehicleBehavior};

/// The host form of [`super::kernels::StepParameters`] and of the run parameters in it.
#[derive(Debug, Clone, Copy)]
pub(super) struct LaunchParameters {
    pub time: f64,
    pub start: f64,
    pub step_s: f64,
    pub stuck_time_s: f64,
    pub easing: f64,
    pub step: u32,
    pub batch_step: u32,
    pub event_capacity: u32,
    pub hole_capacity: u32,
    pub calendar_slots: u32,
    pub lists_per_slot: u32,
    pub speeds: u32,
    pub early: u32,
    pub remove_stuck: bool,
    pub behavior: VehicleBehavior,
    pub interpretation: ActivityDurationInterpretation,
    pub links: u32,
    pub nodes: u32,
    pub seed: u64,
}

impl LaunchParameters {
    /// As an argument of a kernel.
    pub fn arg<R: Runtime>(&self) -> StepParametersLaunch<R> {
        let run = RunParametersLaunch::new(
            self.start,
            self.step_s,
            self.stuck_time_s,
            self.easing,
            f64::NEG_INFINITY,
            0.0,
            self.event_capacity,
            self.hole_capacity,
            self.calendar_slots,
            self.lists_per_slot,
            self.speeds,
            self.early,
            u32::from(self.remove_stuck),
            match self.behavior {
                VehicleBehavior::Teleport => TELEPORT_VEHICLE,
                VehicleBehavior::Wait => WAIT_FOR_VEHICLE,
                VehicleBehavior::Exception => MISSING_VEHICLE_IS_ERROR,
            },
            match self.interpretation {
                ActivityDurationInterpretation::TryEndTimeThenDuration => END_TIME_THEN_DURATION,
                ActivityDurationInterpretation::EndTimeOnly => END_TIME_ONLY,
                ActivityDurationInterpretation::MinOfDurationAndEndTime => MIN_OF_BOTH,
            },
            self.links,
            self.nodes,
            self.seed as u32,
            (self.seed >> 32) as u32,
        );
        StepParametersLaunch::new(self.time, self.step, self.batch_step, run)
    }
}
