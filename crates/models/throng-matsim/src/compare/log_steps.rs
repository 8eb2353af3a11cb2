//! Time stamps from the events of a run, with the attributes that MATSim 13 writes.

use std::cmp::Ordering;

use throng_core::{IdTable, InputError, NONE, StateHash, java_double};

use super::step::{EventHash, Ignored, Step, StepEvents, Steps};
use throng_traffic_scenario::events::{Event, EventKind, EventLog};
use throng_traffic_scenario::{ModeId, Scenario};

/// Iterates over the time stamps of an event log.
pub(super) struct LogSteps<'a> {
    scenario: &'a Scenario,
    events: &'a [(f64, Event)],
    ignored: &'a Ignored,
    next: usize,
}

impl<'a> LogSteps<'a> {
    pub fn new(scenario: &'a Scenario, log: &'a EventLog, ignored: &'a Ignored) -> Self {
        Self { scenario, events: &log.events, ignored, next: 0 }
    }
}

impl<'a> Steps<'a> for LogSteps<'a> {
    fn next_step(&mut self) -> Result<Option<Step<'a>>, InputError> {
        let rest = &self.events[self.next..];
        let Some(&(time_s, _)) = rest.first() else { return Ok(None) };
        let count = rest.iter().position(|&(time, _)| time != time_s).unwrap_or(rest.len());
        let events = LogEvents { scenario: self.scenario, events: &rest[..count] };
        self.next += count;
        // `is_none_or` also catches NaN.
        if let Some(&(after_s, _)) =
            rest.get(count).filter(|(after_s, _)| after_s.partial_cmp(&time_s).is_none_or(Ordering::is_lt))
        {
            return Err(InputError::one(
                format!("events of the run: event {}", self.next),
                format!("time {after_s} comes after time {time_s}"),
                "The steps of a run are sorted by time.",
            ));
        }
        let mut hash = StateHash::new();
        for (_, event) in events.events {
            let mut event_hash = EventHash::default();
            visit(self.scenario, time_s, *event, &mut |name, value| {
                if !self.ignored.contains(name) {
                    event_hash.add(name, value);
                }
            });
            event_hash.add_to(&mut hash);
        }
        Ok(Some(Step { time_s, count: count as u64, hash, events: Box::new(events) }))
    }
}

struct LogEvents<'a> {
    scenario: &'a Scenario,
    events: &'a [(f64, Event)],
}

impl StepEvents for LogEvents<'_> {
    fn attributes(&self, index: usize, out: &mut dyn FnMut(&str, &str)) {
        let (time_s, event) = self.events[index];
        out("time", &java_double::text(time_s));
        visit(self.scenario, time_s, event, out);
    }
}

/// Calls `out` with the attributes of `event`: `type` first, `time` omitted.
fn visit(scenario: &Scenario, time_s: f64, event: Event, out: &mut (impl FnMut(&str, &str) + ?Sized)) {
    out("type", event.kind.matsim_type());
    let mut id = |name: &str, table: &IdTable, index: u32| {
        if index != NONE {
            out(name, table.name(index));
        }
    };
    let persons = &scenario.population.person_ids;
    let links = &scenario.network.link_ids;
    let vehicles = &scenario.vehicles.ids;
    match event.kind {
        EventKind::ActivityEnd | EventKind::ActivityStart => {
            let activities = &scenario.population.activities;
            let at = event.detail as usize;
            id("person", persons, event.person);
            id("link", links, event.link);
            id("facility", &scenario.facilities.ids, activities.facility[at]);
            id("actType", &scenario.population.activity_types, activities.kind[at]);
        }
        EventKind::Departure | EventKind::Arrival | EventKind::StuckAndAbort => {
            id("person", persons, event.person);
            id("link", links, event.link);
            mode(scenario, event.mode, "legMode", out);
        }
        EventKind::PersonEntersVehicle | EventKind::PersonLeavesVehicle | EventKind::BoardingDenied => {
            id("person", persons, event.person);
            id("vehicle", vehicles, event.detail);
        }
        EventKind::VehicleEntersTraffic | EventKind::VehicleLeavesTraffic => {
            id("person", persons, event.person);
            id("link", links, event.link);
            id("vehicle", vehicles, event.detail);
            mode(scenario, event.mode, "networkMode", out);
            // In the queue model, vehicles only have positions at the ends of links.
            out("relativePosition", "1.0");
        }
        EventKind::LeftLink | EventKind::EnteredLink | EventKind::VehicleAborts => {
            id("link", links, event.link);
            id("vehicle", vehicles, event.detail);
        }
        EventKind::Travelled => {
            id("person", persons, event.person);
            out("distance", &java_double::text(scenario.population.legs.distance[event.detail as usize]));
            mode(scenario, event.mode, "mode", out);
        }
        EventKind::TransitDriverStarts => {
            id("driverId", persons, event.person);
            if let Some(start) = scenario.driver_start(&event) {
                id("vehicleId", vehicles, start.vehicle);
                out("transitLineId", start.line);
                out("transitRouteId", start.route);
                out("departureId", start.departure);
            }
        }
        EventKind::WaitingForPt => {
            id("person", persons, event.person);
            id("agent", persons, event.person);
            if let Some(ride) = scenario.ride(event.detail) {
                id("atStop", &scenario.transit.stops.ids, ride.access_stop);
                id("destinationStop", &scenario.transit.stops.ids, ride.egress_stop);
            }
        }
        EventKind::VehicleArrivesAtFacility | EventKind::VehicleDepartsAtFacility => {
            if let Some(at_stop) = scenario.at_stop(&event, time_s) {
                id("vehicle", vehicles, at_stop.vehicle);
                id("facility", &scenario.transit.stops.ids, at_stop.stop);
                out("delay", &java_double::text(at_stop.delay_s));
            }
        }
    }
}

fn mode(scenario: &Scenario, mode: ModeId, name: &str, out: &mut (impl FnMut(&str, &str) + ?Sized)) {
    if mode != ModeId::NONE {
        out(name, scenario.modes.name(mode));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::compare_log;
    use throng_traffic_scenario::events::EventSink;
    use throng_traffic_scenario::{Activity, Leg, NetworkBuilder};

    /// Person `p` drives `v&1` by mode `car` from link `ab` to `cd`; the first activity has a facility.
    fn scenario() -> Scenario {
        let mut scenario = Scenario {
            network: NetworkBuilder::new()
                .node("a", 0.0, 0.0)
                .node("b", 1.0, 0.0)
                .link("ab", "a", "b", 10.0, 1.0, 1000.0, 1.0)
                .link("cd", "b", "a", 10.0, 1.0, 1000.0, 1.0)
                .build()
                .unwrap(),
            ..Scenario::default()
        };
        let car = scenario.modes.intern("car").unwrap();
        scenario.vehicles.ids.intern("v&1").unwrap();
        let facility = scenario.facilities.ids.intern("f").unwrap();
        let population = &mut scenario.population;
        population.begin_person("p").unwrap();
        let kind = population.activity_types.intern("h").unwrap();
        let mut activity = Activity { kind, link: 0, facility, x: 1.0, y: 2.0, end_time: 5.0, max_duration: f64::NAN };
        population.add_activity(&activity);
        population.add_leg(&Leg { distance: 12.5, ..Leg::new(car, 0, 1) });
        activity.facility = NONE;
        population.add_activity(&activity);
        scenario
    }

    fn event(kind: EventKind, person: u32, link: u32, detail: u32, mode: ModeId) -> Event {
        Event { kind, mode, person, link, detail }
    }

    const FILE: &str = r#"<events version="1.0">
<event time="5.0" type="actend" person="p" link="ab" facility="f" actType="h"  />
<event time="5.0" type="departure" person="p" link="ab" legMode="car"  />
<event time="5.0" type="PersonEntersVehicle" person="p" vehicle="v&amp;1"  />
<event time="5.0" type="vehicle enters traffic" person="p" link="ab" vehicle="v&amp;1" networkMode="car" relativePosition="1.0"  />
<event time="6.0" type="left link" vehicle="v&amp;1" link="ab"  />
<event time="6.0" type="entered link" vehicle="v&amp;1" link="cd"  />
<event time="16.0" type="vehicle leaves traffic" person="p" link="cd" vehicle="v&amp;1" networkMode="car" relativePosition="1.0"  />
<event time="16.0" type="PersonLeavesVehicle" person="p" vehicle="v&amp;1"  />
<event time="16.0" type="arrival" person="p" link="cd" legMode="car"  />
<event time="16.0" type="actstart" person="p" link="cd" x="1.0" y="2.0" actType="h"  />
<event time="17.0" type="travelled" person="p" distance="12.5" mode="car"  />
<event time="18.0" type="vehicle aborts" vehicle="v&amp;1" link="cd"  />
<event time="18.0" type="stuckAndAbort" person="p" link="cd" legMode="car"  />
<event time="19.0" type="stuckAndAbort" person="p"  />
</events>"#;

    fn log() -> EventLog {
        use EventKind::*;
        let (none, car) = (ModeId::NONE, ModeId(0));
        let mut log = EventLog::default();
        let mut step = |time, events: &[Event]| log.step(time, events).unwrap();
        step(
            5.0,
            &[
                event(ActivityEnd, 0, 0, 0, none),
                event(Departure, 0, 0, 0, car),
                event(PersonEntersVehicle, 0, NONE, 0, none),
                event(VehicleEntersTraffic, 0, 0, 0, car),
            ],
        );
        step(6.0, &[Event::of_vehicle(LeftLink, 0, 0), Event::of_vehicle(EnteredLink, 0, 1)]);
        step(
            16.0,
            &[
                event(VehicleLeavesTraffic, 0, 1, 0, car),
                event(PersonLeavesVehicle, 0, NONE, 0, none),
                event(Arrival, 0, 1, 0, car),
                event(ActivityStart, 0, 1, 1, none),
            ],
        );
        step(17.0, &[event(Travelled, 0, NONE, 0, car)]);
        step(18.0, &[event(VehicleAborts, NONE, 1, 0, none), event(StuckAndAbort, 0, 1, 0, car)]);
        step(19.0, &[event(StuckAndAbort, 0, NONE, 0, none)]);
        log
    }

    fn file(folder: &tempfile::TempDir) -> std::path::PathBuf {
        let path = folder.path().join("events.xml");
        std::fs::write(&path, FILE).unwrap();
        path
    }

    #[test]
    fn every_kind_of_event_has_the_attributes_of_matsim() {
        let folder = tempfile::tempdir().unwrap();
        let report = compare_log(&scenario(), &log(), &file(&folder)).unwrap();
        assert!(report.is_equal(), "{report}");
        assert_eq!((report.time_stamps, report.events), (6, [14, 14]));
    }

    #[test]
    fn a_difference_shows_the_event_as_xml() {
        let folder = tempfile::tempdir().unwrap();
        let mut log = log();
        log.events[5].1.link = 0;
        let report = compare_log(&scenario(), &log, &file(&folder)).unwrap();
        assert_eq!(report.only_in, [1, 1]);
        let first = &report.first[0];
        assert_eq!(first.only_in_a.shown, [r#"<event time="6.0" type="entered link" link="ab" vehicle="v&amp;1" />"#]);
        assert_eq!(first.only_in_b.shown, [r#"<event time="6.0" type="entered link" vehicle="v&amp;1" link="cd" />"#]);
    }

    #[test]
    fn unsorted_times_in_a_log_are_an_error() {
        let folder = tempfile::tempdir().unwrap();
        for time in [1.0, f64::NAN] {
            let mut log = log();
            log.events[6].0 = time;
            assert!(compare_log(&scenario(), &log, &file(&folder)).is_err());
        }
    }
}
