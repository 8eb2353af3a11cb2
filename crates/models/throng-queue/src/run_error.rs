//! Errors that stop a run.

use thiserror::Error;
use throng_core::{NONE, NoThread};
use throng_device::DeviceError;
use throng_model::Failure;

use throng_traffic_scenario::events::SinkError;
use throng_traffic_scenario::{ModeId, Scenario};

/// The reason why a run could not finish.
#[derive(Error)]
pub enum RunError {
    /// A driver needs a vehicle that is elsewhere.
    #[error(
        "person \"{person}\" wants to depart on link \"{link}\" at {time} with vehicle \"{vehicle}\", which is {}; \
         give each person a vehicle of their own, or set qsim.vehicleBehavior to {}",
        if *in_use { "in use elsewhere" } else { "not there" },
        if *in_use { "wait" } else { "teleport or wait" }
    )]
    VehicleNotHere {
        /// Person id of the driver.
        person: String,
        /// Id of the vehicle that the driver needs.
        vehicle: String,
        /// Id of the link on which the driver departs.
        link: String,
        /// Departure time, formatted as `HH:MM:SS`.
        time: String,
        /// Another person is driving the vehicle, or was driving it when removed from the simulation.
        in_use: bool,
    },
    /// A teleported leg has no travel time.
    #[error(
        "person \"{person}\" has a leg of mode \"{mode}\" without travel time; add trav_time to its route, or a \
         teleportedModeParameters set for the mode to module routing, or add the mode to qsim.mainMode"
    )]
    NoTravelTime {
        /// The id of the person.
        person: String,
        /// Name of the leg's mode.
        mode: String,
    },
    /// A vehicle of public transport, or a passenger, is not where the schedule needs it. Files are checked for this
    /// when they are loaded.
    #[error("{0}")]
    OffSchedule(String),
    /// A plan refers to a link that the network does not have. Files are checked for this when they are loaded.
    #[error("the plan of person \"{person}\" refers to a link that the network does not have; correct the plan")]
    NoLink {
        /// The id of the person.
        person: String,
    },
    /// A column of the scenario has a wrong length or an invalid index or number. Files are checked for this when
    /// they are loaded.
    #[error("the scenario contradicts itself: {what}; correct the program that created it")]
    Inconsistent {
        /// The contradiction, for example a column, the index in it and the value.
        what: String,
    },
    /// The operating system refused a thread.
    #[error("{0}\n    {remedy}", remedy = NoThread::REMEDY)]
    NoThread(NoThread),
    /// The scenario is too large for the executor's index types.
    #[error("{what}: {found}, but this executor takes at most {limit}")]
    TooLarge {
        /// The quantity that exceeds the limit.
        what: &'static str,
        /// Value of the quantity in the scenario.
        found: u64,
        /// Maximum value that the executor accepts.
        limit: u64,
    },
    /// The scenario needs the CPU executor.
    #[error("{device} cannot run this scenario: {reason}")]
    NotOnDevice {
        /// Id and name of the device.
        device: String,
        /// Reason why the device cannot run the scenario.
        reason: String,
    },
    /// The device is missing, lacks a feature, or failed.
    #[error("{0}\n    {remedy}", remedy = .0.remedy())]
    Device(DeviceError),
    /// The sink failed to store events.
    #[error("the run was stopped because its output could not be written: {0}")]
    Output(SinkError),
    /// A function of [`Running`](crate::Running) was called after the end of the run.
    #[error("the run has ended; start it again to see earlier states")]
    Ended,
    /// A function of [`Running`](crate::Running) was called after its sink had panicked.
    #[error(
        "the run was stopped by a panic in its sink, which may lack events; start it again, with a sink that returns \
         an error instead"
    )]
    SinkPanicked,
    /// A thread panicked, or an internal check failed: a defect of Throng.
    #[error("a simulation thread failed: {0}; this is a defect of Throng, please report it")]
    Internal(String),
}

throng_core::debug_is_message!(RunError);

impl From<NoThread> for RunError {
    fn from(error: NoThread) -> Self {
        Self::NoThread(error)
    }
}

impl From<DeviceError> for RunError {
    fn from(error: DeviceError) -> Self {
        Self::Device(error)
    }
}

impl From<SinkError> for RunError {
    fn from(error: SinkError) -> Self {
        Self::Output(error)
    }
}

impl From<RunError> for Failure {
    fn from(error: RunError) -> Self {
        match error {
            RunError::VehicleNotHere { .. }
            | RunError::NoTravelTime { .. }
            | RunError::NoLink { .. }
            | RunError::OffSchedule(_)
            | RunError::Inconsistent { .. } => Self::input("the scenario", error.to_string(), ""),
            RunError::TooLarge { .. } => {
                Self::input("the scenario", error.to_string(), "use the device cpu, or a sample")
            }
            RunError::NotOnDevice { .. } => Self::input("device", error.to_string(), "use the device cpu"),
            RunError::Device(error) => error.into(),
            RunError::NoThread(error) => error.into(),
            RunError::Output(_) | RunError::Ended | RunError::SinkPanicked | RunError::Internal(_) => {
                Self::resource(error.to_string(), "no complete results were written")
            }
        }
    }
}

impl RunError {
    /// [`RunError::VehicleNotHere`] with the names of the scenario; `vehicle` may be [`NONE`].
    pub(crate) fn vehicle_not_here(
        scenario: &Scenario,
        person: u32,
        vehicle: u32,
        link: u32,
        time_s: f64,
        in_use: bool,
    ) -> Self {
        let vehicle = if vehicle == NONE { "none" } else { scenario.vehicles.ids.name(vehicle) };
        Self::VehicleNotHere {
            person: scenario.population.person_ids.name(person).to_owned(),
            vehicle: vehicle.to_owned(),
            link: scenario.network.link_ids.name(link).to_owned(),
            time: throng_core::clock::format(time_s),
            in_use,
        }
    }

    /// The vehicle of `driver` ends on `link` without having been at `stop`.
    pub(crate) fn stop_not_reached(scenario: &Scenario, driver: u32, stop: u32, link: u32) -> Self {
        Self::OffSchedule(format!(
            "driver \"{}\" ends on link \"{}\" without having reached stop \"{}\"; correct the route or its stops",
            scenario.population.person_ids.name(driver),
            scenario.network.link_ids.name(link),
            scenario.transit.stops.ids.name(stop),
        ))
    }

    /// A person who is to board at `stop` is on another link.
    pub(crate) fn not_at_stop(scenario: &Scenario, person: u32, stop: u32, link: u32) -> Self {
        Self::OffSchedule(format!(
            "person \"{}\" is on link \"{}\" to board at stop \"{}\", which is on another link; correct the plan",
            scenario.population.person_ids.name(person),
            if link == NONE { "none" } else { scenario.network.link_ids.name(link) },
            scenario.transit.stops.ids.name(stop),
        ))
    }

    /// [`RunError::NoTravelTime`] with the names of the scenario.
    pub(crate) fn no_travel_time(scenario: &Scenario, person: u32, mode: ModeId) -> Self {
        Self::NoTravelTime {
            person: scenario.population.person_ids.name(person).to_owned(),
            mode: scenario.modes.name(mode).to_owned(),
        }
    }
}
