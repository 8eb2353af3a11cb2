//! Flow capacity, storage capacity, holes and passing on single links.

use throng_core::Finding;

use super::executor::CaseExecutor;
use super::roads::{Road, network, platoon, trip};
use crate::RunError;
use throng_traffic_scenario::events::EventKind as E;
use throng_traffic_scenario::settings::{LinkDynamics, TrafficDynamics};
use throng_traffic_scenario::{ScenarioBuilder, VehicleType};

/// A road of 1 km at 25 m/s.
const fn road<'a>(id: &'a str, from: &'a str, to: &'a str, per_hour: f64) -> Road<'a> {
    (id, from, to, 1000.0, 25.0, per_hour, 1.0)
}

/// A street of 75 m at 7.5 m/s that holds ten cars.
const fn street<'a>(id: &'a str, from: &'a str, to: &'a str, per_hour: f64) -> Road<'a> {
    (id, from, to, 75.0, 7.5, per_hour, 1.0)
}

pub(super) fn free_flow(on: &dyn CaseExecutor) -> Result<Finding, RunError> {
    let roads = [road("a", "0", "1", 3600.0), road("b", "1", "2", 3600.0), road("c", "2", "3", 3600.0)];
    let trace = on.run(platoon(&roads, 1, 60.0, &["a", "b", "c"]).build().expect("ids of the case are distinct"))?;
    // Departure on a at 60 s; b and c take 40 s each, plus one second for each of the two nodes.
    Ok(Finding::all_close(&[60.0 + 1.0 + 40.0 + 1.0 + 40.0], &trace.event_times(E::Arrival, "c"), 0.0))
}

pub(super) fn discharge(on: &dyn CaseExecutor) -> Result<Finding, RunError> {
    rate_of_discharge(on, 1.0, 100)
}

pub(super) fn discharge_of_a_sample(on: &dyn CaseExecutor) -> Result<Finding, RunError> {
    // An eighth is exact in binary, so rounding adds no second.
    rate_of_discharge(on, 0.125, 13)
}

/// Measures the discharge of a jam at a bottleneck of 1,800 vehicles per hour, scaled up from a sample.
fn rate_of_discharge(on: &dyn CaseExecutor, sample: f64, cars: u32) -> Result<Finding, RunError> {
    let roads = [road("a", "0", "1", 9000.0), road("neck", "1", "2", 1800.0), road("c", "2", "3", 9000.0)];
    let scenario = platoon(&roads, cars, 60.0, &["a", "neck", "c"]).settings(|settings| {
        settings.qsim.flow_capacity_factor = sample;
        settings.qsim.storage_capacity_factor = sample;
        settings.qsim.stuck_time_s = 1e6;
    });
    let left = on.run(scenario.build().expect("ids of the case are distinct"))?.event_times(E::LeftLink, "neck");
    let between = left.last().zip(left.first()).map_or(f64::NAN, |(last, first)| last - first);
    let per_hour = f64::from(cars - 1) * 3600.0 / between / sample;
    Ok(Finding::all_close(&[1800.0, f64::from(cars)], &[per_hour, left.len() as f64], 0.0))
}

pub(super) fn storage(on: &dyn CaseExecutor) -> Result<Finding, RunError> {
    // 750 m at 7.5 m per car; the first car reaches the end after 75 s.
    let roads = [road("a", "0", "1", 36_000.0), ("b", "1", "2", 750.0, 10.0, 36.0, 1.0), road("c", "2", "3", 3600.0)];
    let scenario = platoon(&roads, 150, 60.0, &["a", "b", "c"]).settings(|s| s.qsim.stuck_time_s = 1e6);
    let trace = on.run(scenario.build().expect("ids of the case are distinct"))?;
    let first_out = trace.event_times(E::LeftLink, "b").first().copied().unwrap_or(f64::NAN);
    let entered = trace.event_times(E::EnteredLink, "b");
    let inside = entered.iter().filter(|&&time| time < first_out).count();
    Ok(Finding::all_close(&[100.0, 150.0], &[inside as f64, entered.len() as f64], 0.0))
}

pub(super) fn stuck_vehicles_push(on: &dyn CaseExecutor) -> Result<Finding, RunError> {
    // b holds one car for 1,000 s; by 61 + 11 the next car has waited for more than 10 s.
    let roads = [road("a", "0", "1", 7200.0), ("b", "1", "2", 7.5, 0.0075, 3.0, 1.0), road("c", "2", "3", 3600.0)];
    let trace = on.run(platoon(&roads, 2, 60.0, &["a", "b", "c"]).build().expect("ids of the case are distinct"))?;
    Ok(Finding::all_close(&[61.0, 72.0], &trace.event_times(E::EnteredLink, "b"), 0.0))
}

pub(super) fn room_travels_at_15_km_h(on: &dyn CaseExecutor) -> Result<Finding, RunError> {
    // A jam of twelve cars on a link that holds ten: a hole travels 75 m at 15 km/h in 18 s.
    let roads = [road("a", "0", "1", 36_000.0), street("b", "1", "2", 36.0), road("c", "2", "3", 3600.0)];
    let scenario = platoon(&roads, 12, 60.0, &["a", "b", "c"]).settings(|settings| {
        settings.qsim.traffic_dynamics = TrafficDynamics::WithHoles;
        settings.qsim.stuck_time_s = 1e6;
    });
    let trace = on.run(scenario.build().expect("ids of the case are distinct"))?;
    let (entered, left) = (trace.event_times(E::EnteredLink, "b"), trace.event_times(E::LeftLink, "b"));
    // The first car enters the buffer one second before it leaves; its storage is available in the second after the
    // hole arrives.
    let wait = entered.get(10).zip(left.first()).map_or(f64::NAN, |(entered, left)| entered - (left - 1.0));
    Ok(Finding::all_close(&[20.0, 12.0], &[wait, entered.len() as f64], 0.0))
}

pub(super) fn inflow_of_kinematic_waves(on: &dyn CaseExecutor) -> Result<Finding, RunError> {
    // A hole takes 0.24 s per metre (15 km/h), a car 0.16 s (6.25 m/s): in one lane of 7.5 m per car, (1 / 7.5) / 0.4 =
    // 1 / 3 cars enter per second. The link could discharge a car per second and holds 133 cars.
    let roads =
        [road("a", "0", "1", 36_000.0), ("b", "1", "2", 1000.0, 6.25, 3600.0, 1.0), road("c", "2", "3", 3600.0)];
    let scenario = platoon(&roads, 100, 60.0, &["a", "b", "c"]).settings(|settings| {
        settings.qsim.traffic_dynamics = TrafficDynamics::KinematicWaves;
        settings.qsim.stuck_time_s = 1e6;
    });
    let trace = on.run(scenario.build().expect("ids of the case are distinct"))?;
    let entered = trace.event_times(E::EnteredLink, "b");
    // The first car uses the whole allowance of one car, and the second one the first refill, a second later.
    let between = entered.last().zip(entered.get(1)).map_or(f64::NAN, |(last, second)| last - second);
    let per_hour = (entered.len() as f64 - 2.0) * 3600.0 / between;
    Ok(Finding::all_close(&[1200.0, 100.0], &[per_hour, entered.len() as f64], 0.0))
}

pub(super) fn the_fast_overtake(on: &dyn CaseExecutor) -> Result<Finding, RunError> {
    let roads = [road("a", "0", "1", 3600.0), road("b", "1", "2", 3600.0), road("c", "2", "3", 3600.0)];
    let tractor = VehicleType { id: "tractor".into(), maximum_velocity_mps: 8.0, ..VehicleType::default_car() };
    let builder = ScenarioBuilder::new(network(&roads)).vehicle_type(tractor).settings(|settings| {
        settings.qsim.link_dynamics = LinkDynamics::PassingQ;
        settings.qsim.end_time = None;
    });
    // The slow vehicle takes 125 s on b; the fast one takes 40 s and starts 20 s later.
    let builder =
        builder.person("slow", |p| p.until("home", "a", 60.0).kind(1).drive("car", &["a", "b", "c"]).stay("work", "c"));
    let trace =
        on.run(builder.person("fast", trip(80.0, &["a", "b", "c"])).build().expect("ids of the case are distinct"))?;
    let found = trace.entry_order("c").join(", ");
    Ok(Finding::same(&"fast, slow".to_owned(), &found))
}
