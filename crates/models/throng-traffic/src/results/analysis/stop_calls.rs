//! The calls of public transport at its stops: planned and real times, and the persons who boarded and alighted.

use std::sync::Arc;

use throng_core::NONE;
use throng_output::{Codec, OutputError, RunFolder, TextFile, WrittenFile, csv};

use throng_traffic_scenario::events::{Event, EventKind};
use throng_traffic_scenario::{Scenario, Transit};

/// Collects the calls of all departures and writes them to `stop_calls.csv`.
#[derive(Debug)]
pub struct StopCalls {
    scenario: Arc<Scenario>,
    /// The first call of each leg of a driver in `calls`.
    first: Vec<u32>,
    calls: Vec<StopCall>,
    /// The call of each vehicle that is at a stop, and its passengers.
    vehicles: Vec<Vehicle>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Vehicle {
    call: Option<u32>,
    passengers: u32,
}

/// The real times and numbers of persons of a planned call.
#[derive(Debug, Clone, Copy, PartialEq)]
struct StopCall {
    /// Times, seconds of the day; NaN if the vehicle did not arrive or depart.
    arrival_s: f64,
    departure_s: f64,
    boarded: u32,
    alighted: u32,
    denied: u32,
    /// Number of passengers at the departure.
    passengers: u32,
}

const PLANNED: StopCall =
    StopCall { arrival_s: f64::NAN, departure_s: f64::NAN, boarded: 0, alighted: 0, denied: 0, passengers: 0 };

const COLUMNS: [&str; 22] = [
    "line",
    "route",
    "departure_id",
    "vehicle",
    "call",
    "stop",
    "link",
    "planned_arrival",
    "planned_arrival_s",
    "arrival",
    "arrival_s",
    "arrival_delay_s",
    "planned_departure",
    "planned_departure_s",
    "departure",
    "departure_s",
    "departure_delay_s",
    "boarded",
    "alighted",
    "denied",
    "passengers",
    "capacity",
];

impl StopCalls {
    /// Prepares the calls of all departures; `None` without public transport.
    pub fn new(scenario: &Arc<Scenario>) -> Option<Self> {
        let Transit { driver_legs, routes, .. } = &scenario.transit;
        if driver_legs.is_empty() {
            return None;
        }
        let mut calls = 0;
        let mut next = |of_leg: u32| {
            let first = calls;
            calls += of_leg;
            first
        };
        let first = driver_legs.iter().map(|leg| next(routes.calls(leg.route).len() as u32)).collect();
        Some(Self {
            scenario: Arc::clone(scenario),
            first,
            calls: vec![PLANNED; calls as usize],
            vehicles: vec![Vehicle::default(); scenario.vehicles.ids.len()],
        })
    }

    /// Takes an event at `time_s`, seconds of the day.
    pub fn take(&mut self, time_s: f64, event: &Event) {
        match event.kind {
            EventKind::VehicleArrivesAtFacility | EventKind::VehicleDepartsAtFacility => self.at_stop(time_s, event),
            EventKind::PersonEntersVehicle | EventKind::PersonLeavesVehicle | EventKind::BoardingDenied => {
                self.of_person(event);
            }
            _ => {}
        }
    }

    fn at_stop(&mut self, time_s: f64, event: &Event) {
        let Some(leg) = event.leg_of_stop() else { return };
        let Transit { routes, first_driver_leg, .. } = &self.scenario.transit;
        let Some(of_leg) = self.scenario.transit.driver_leg(leg) else { return };
        let number = event.detail - routes.calls(of_leg.route).start;
        let call = self.first[(leg - first_driver_leg) as usize] + number;
        let vehicle = &mut self.vehicles[self.scenario.population.legs.vehicle[leg as usize] as usize];
        let of_call = &mut self.calls[call as usize];
        if event.kind == EventKind::VehicleArrivesAtFacility {
            of_call.arrival_s = time_s;
            vehicle.call = Some(call);
        } else {
            of_call.departure_s = time_s;
            of_call.passengers = vehicle.passengers;
            vehicle.call = None;
        }
    }

    fn of_person(&mut self, event: &Event) {
        // Drivers board before the first stop and leave after the last one.
        if self.scenario.transit.driver(event.person).is_some() {
            return;
        }
        let Some(vehicle) = self.vehicles.get_mut(event.detail as usize) else { return };
        let Some(call) = vehicle.call.and_then(|call| self.calls.get_mut(call as usize)) else { return };
        match event.kind {
            EventKind::PersonEntersVehicle => {
                vehicle.passengers += 1;
                call.boarded += 1;
            }
            EventKind::PersonLeavesVehicle => {
                vehicle.passengers = vehicle.passengers.saturating_sub(1);
                call.alighted += 1;
            }
            _ => call.denied += 1,
        }
        // Also those of a vehicle that never departs.
        call.passengers = vehicle.passengers;
    }

    /// Calls `each` with all calls of all departures, in the order of drivers and of their departures.
    fn each<E>(&self, mut each: impl FnMut(&PlannedCall<'_>, &StopCall) -> Result<(), E>) -> Result<(), E> {
        let scenario = &*self.scenario;
        let Transit { routes, first_driver_leg, driver_legs, .. } = &scenario.transit;
        for ((&of_leg, &first), leg) in driver_legs.iter().zip(&self.first).zip(*first_driver_leg..) {
            let vehicle = scenario.population.legs.vehicle[leg as usize];
            for (number, call) in routes.calls(of_leg.route).enumerate() {
                let planned = PlannedCall {
                    scenario,
                    route: of_leg.route as usize,
                    departure: of_leg.departure as usize,
                    vehicle,
                    number,
                    call: call as usize,
                };
                each(&planned, &self.calls[first as usize + number])?;
            }
        }
        Ok(())
    }

    /// Writes the table. Returns the figures of the day and the file.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn finish(self, folder: &RunFolder, codec: Codec) -> Result<(TransitDay, WrittenFile), OutputError> {
        let mut file = TextFile::create(folder, "stop_calls.csv", codec)?;
        csv::push_header(file.text(), &COLUMNS);
        let mut day = TransitDay::default();
        let mut of_lines: Vec<LineDay> = (0..self.scenario.transit.lines.len() as u32).map(LineDay::of).collect();
        self.each(|planned, call| {
            planned.write(call, file.text());
            of_lines[planned.line() as usize].count(planned, call);
            day.count(planned, call);
            file.flush_full()
        })?;
        day.lines = of_lines.into_iter().filter(|line| line.calls.planned > 0).collect();
        day.fullest.sort_by(|a, b| b.passengers.cmp(&a.passengers).then(a.departure_s.total_cmp(&b.departure_s)));
        Ok((day, file.finish()?))
    }
}

/// A call of a departure at a stop of its route.
struct PlannedCall<'a> {
    scenario: &'a Scenario,
    route: usize,
    departure: usize,
    vehicle: u32,
    /// Number of the call within its route, from 0.
    number: usize,
    /// Index of the call among those of all routes.
    call: usize,
}

impl PlannedCall<'_> {
    fn transit(&self) -> &Transit {
        &self.scenario.transit
    }

    fn line(&self) -> u32 {
        self.transit().routes.line[self.route]
    }

    fn stop(&self) -> u32 {
        self.transit().routes.stop[self.call]
    }

    /// Planned arrival and departure, seconds of the day: each is that of the other if it is undefined.
    fn planned_s(&self) -> [f64; 2] {
        let begins_s = self.transit().departures.time_s[self.departure];
        self.transit().routes.planned_offsets_s(self.call).map(|offset_s| begins_s + offset_s)
    }

    fn capacity(&self) -> u32 {
        let vehicles = &self.scenario.vehicles;
        let capacity = vehicles.types[usize::from(vehicles.type_of[self.vehicle as usize])].passengers.capacity();
        u32::try_from(capacity).unwrap_or(u32::MAX)
    }

    /// Number of denied boardings; `None` if they are not counted.
    fn denied(&self, call: &StopCall) -> Option<u32> {
        self.scenario.settings.transit.has_boarding_denied_events.then_some(call.denied)
    }

    fn write(&self, call: &StopCall, out: &mut Vec<u8>) {
        let Transit { stops, routes, departures, lines, .. } = self.transit();
        let stop = routes.stop[self.call];
        let link = stops.link[stop as usize];
        let mut row = csv::Row::new(out);
        row.text(lines.name(self.line()))
            .text(&routes.ids[self.route])
            .text(&departures.ids[self.departure])
            .text(self.scenario.vehicles.ids.name(self.vehicle))
            .integer(self.number as i64 + 1)
            .text(stops.ids.name(stop))
            .text(if link == NONE { "" } else { self.scenario.network.link_ids.name(link) });
        for (planned_s, real_s) in self.planned_s().into_iter().zip([call.arrival_s, call.departure_s]) {
            row.time(planned_s).seconds(planned_s);
            if real_s.is_nan() {
                row.empty().empty().empty();
            } else {
                row.time(real_s).seconds(real_s).seconds(real_s - planned_s);
            }
        }
        row.integer(i64::from(call.boarded)).integer(i64::from(call.alighted));
        match self.denied(call) {
            Some(denied) => row.integer(i64::from(denied)),
            None => row.empty(),
        };
        row.integer(i64::from(call.passengers)).integer(i64::from(self.capacity())).end();
    }
}

/// Calls at stops, of all lines or of one.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct CallCounts {
    /// Number of planned calls.
    pub planned: u64,
    /// Number of calls from which a vehicle departed.
    pub served: u64,
    /// Number of boardings.
    pub boarded: u64,
    /// Denied boardings: persons who found no place in a vehicle, once for each vehicle; `None` without
    /// `vspExperimental.isGeneratingBoardingDeniedEvent`.
    pub denied: Option<u64>,
    /// Sum of the delays of all departures, seconds.
    delay_sum_s: f64,
}

/// Public transport of a whole day.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TransitDay {
    /// Calls of all lines.
    pub calls: CallCounts,
    /// Number of departures more than [`TransitDay::LATE_S`] late.
    pub late: u64,
    /// Calls by the hour of the planned departure; the last of [`TransitDay::HOURS`] has all later ones.
    pub by_hour: Vec<CallCounts>,
    /// Lines with calls, in the order of the schedule.
    pub lines: Vec<LineDay>,
    /// The departures from stops with the most passengers, the fullest first.
    pub fullest: Vec<FullVehicle>,
}

/// A line on a whole day.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct LineDay {
    /// Line index.
    pub line: u32,
    /// Calls of the line.
    pub calls: CallCounts,
    /// Largest delay of a departure from a stop, seconds; negative if all were early.
    pub largest_delay_s: f64,
    /// Stop of that departure.
    pub latest_stop: u32,
    /// Planned time of that departure, seconds of the day.
    pub latest_planned_s: f64,
    /// Largest number of passengers as a fraction of the places.
    pub largest_load: f64,
}

/// A departure from a stop with many passengers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FullVehicle {
    /// Vehicle index.
    pub vehicle: u32,
    /// Line index.
    pub line: u32,
    /// Stop index.
    pub stop: u32,
    /// Time of the departure, seconds of the day.
    pub departure_s: f64,
    /// Number of passengers.
    pub passengers: u32,
    /// Number of places.
    pub capacity: u32,
}

impl CallCounts {
    /// Mean delay of all departures from stops, seconds; NaN if there was none.
    pub fn mean_delay_s(&self) -> f64 {
        self.delay_sum_s / self.served as f64
    }

    /// Counts a call. Returns the delay of the departure, seconds; `None` if the vehicle did not depart.
    fn count(&mut self, planned: &PlannedCall<'_>, call: &StopCall) -> Option<f64> {
        self.planned += 1;
        self.boarded += u64::from(call.boarded);
        if let Some(denied) = planned.denied(call) {
            *self.denied.get_or_insert(0) += u64::from(denied);
        }
        if call.departure_s.is_nan() {
            return None;
        }
        let delay_s = call.departure_s - planned.planned_s()[1];
        self.served += 1;
        self.delay_sum_s += delay_s;
        Some(delay_s)
    }
}

impl TransitDay {
    /// Maximum number of vehicles in [`TransitDay::fullest`].
    pub const FULLEST: usize = 10;
    /// Delay above which a departure is late, seconds.
    pub const LATE_S: f64 = 180.0;
    /// Number of hours of [`TransitDay::by_hour`].
    pub const HOURS: usize = 48;

    fn count(&mut self, planned: &PlannedCall<'_>, call: &StopCall) {
        self.by_hour.resize(Self::HOURS, CallCounts::default());
        let hour = (planned.planned_s()[1] / 3600.0) as usize;
        self.by_hour[hour.min(Self::HOURS - 1)].count(planned, call);
        let Some(delay_s) = self.calls.count(planned, call) else { return };
        self.late += u64::from(delay_s > Self::LATE_S);
        let full = FullVehicle {
            vehicle: planned.vehicle,
            line: planned.line(),
            stop: planned.stop(),
            departure_s: call.departure_s,
            passengers: call.passengers,
            capacity: planned.capacity(),
        };
        self.keep_if_full(full);
    }

    /// Keeps the vehicles with the most passengers, each once.
    fn keep_if_full(&mut self, full: FullVehicle) {
        if full.passengers == 0 {
            return;
        }
        if let Some(same) = self.fullest.iter_mut().find(|kept| kept.vehicle == full.vehicle) {
            if full.passengers > same.passengers {
                *same = full;
            }
        } else if self.fullest.len() < Self::FULLEST {
            self.fullest.push(full);
        } else if let Some(least) = self.fullest.iter_mut().min_by_key(|kept| kept.passengers)
            && full.passengers > least.passengers
        {
            *least = full;
        }
    }
}

impl LineDay {
    fn of(line: u32) -> Self {
        Self { line, largest_delay_s: f64::NEG_INFINITY, ..Self::default() }
    }

    fn count(&mut self, planned: &PlannedCall<'_>, call: &StopCall) {
        let Some(delay_s) = self.calls.count(planned, call) else { return };
        if delay_s > self.largest_delay_s {
            self.largest_delay_s = delay_s;
            self.latest_stop = planned.stop();
            self.latest_planned_s = planned.planned_s()[1];
        }
        let load = f64::from(call.passengers) / f64::from(planned.capacity().max(1));
        self.largest_load = self.largest_load.max(load);
    }
}
