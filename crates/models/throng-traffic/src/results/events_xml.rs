//! Events as MATSim's `events.xml` text.

use std::sync::Arc;

use throng_core::java_double;
use throng_matsim::formats::text::push_escaped_value;
use throng_output::FormatBlock;

use super::block::EventBlock;
use super::fragments::EventAttributes;
use throng_traffic_scenario::Scenario;
use throng_traffic_scenario::events::{Event, EventKind};

/// XML declaration and start tag, before the first event.
pub const HEAD: &str = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<events version=\"1.0\">\n";
/// The text after the last event, without a final newline.
pub const TAIL: &str = "</events>";

/// Formats blocks of events; each worker thread owns one.
///
/// MATSim 13 writes no coordinates at the end of an activity and no routing mode at a departure; the current release
/// does.
#[derive(Debug)]
pub struct XmlFormatter {
    scenario: Arc<Scenario>,
    attributes: Arc<EventAttributes>,
    recent: bool,
    /// The beginning of each line of the current step, up to `type`.
    start: Vec<u8>,
    number: String,
}

impl XmlFormatter {
    /// Creates a formatter for events of `scenario`.
    pub fn new(scenario: Arc<Scenario>, attributes: Arc<EventAttributes>) -> Self {
        let recent = scenario.settings.extensions.compat.is_recent();
        Self { scenario, attributes, recent, start: Vec::new(), number: String::new() }
    }

    /// Appends the lines of the events of one step.
    pub fn step(&mut self, time: f64, events: &[Event], out: &mut Vec<u8>) {
        self.number.clear();
        java_double::push(&mut self.number, time);
        self.start.clear();
        for part in ["\t<event time=\"", &self.number, "\" "] {
            self.start.extend_from_slice(part.as_bytes());
        }
        for event in events {
            self.event(time, event, out);
        }
    }

    #[inline]
    fn event(&mut self, time_s: f64, e: &Event, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.start);
        let names = &*self.attributes;
        out.extend_from_slice(names.kind.get(e.kind as u32));
        match e.kind {
            EventKind::LeftLink | EventKind::EnteredLink | EventKind::VehicleAborts => {
                out.extend_from_slice(names.link.get(e.link));
                out.extend_from_slice(names.vehicle.get(e.detail));
            }
            EventKind::VehicleEntersTraffic | EventKind::VehicleLeavesTraffic => {
                out.extend_from_slice(names.person.get(e.person));
                out.extend_from_slice(names.link.get(e.link));
                out.extend_from_slice(names.vehicle.get(e.detail));
                out.extend_from_slice(names.network_mode.of_mode(e.mode));
                // Vehicles of the queue model start and stop at the end of a link.
                out.extend_from_slice(b"relativePosition=\"1.0\" ");
            }
            EventKind::PersonEntersVehicle | EventKind::PersonLeavesVehicle | EventKind::BoardingDenied => {
                out.extend_from_slice(names.person.get(e.person));
                out.extend_from_slice(names.vehicle.get(e.detail));
            }
            EventKind::Departure | EventKind::Arrival | EventKind::StuckAndAbort => {
                out.extend_from_slice(names.person.get(e.person));
                out.extend_from_slice(names.link.get(e.link));
                out.extend_from_slice(names.leg_mode.of_mode(e.mode));
                if self.recent && e.kind == EventKind::Departure {
                    let routing_mode = self.scenario.population.legs.routing_mode.get(e.detail as usize);
                    out.extend_from_slice(routing_mode.map_or(&[], |&mode| names.routing_mode.of_mode(mode)));
                }
            }
            EventKind::ActivityStart => self.activity(e, true, out),
            EventKind::ActivityEnd => self.activity(e, self.recent, out),
            EventKind::Travelled => {
                out.extend_from_slice(names.person.get(e.person));
                let distance = self.scenario.population.legs.distance.get(e.detail as usize);
                let distance = distance.copied().unwrap_or(f64::NAN);
                self.push_number(b"distance=\"", distance, out);
                out.extend_from_slice(self.attributes.mode.of_mode(e.mode));
            }
            EventKind::TransitDriverStarts => {
                let scenario = Arc::clone(&self.scenario);
                let Some(start) = scenario.driver_start(e) else { return };
                self.push_text("driverId", scenario.population.person_ids.name(e.person), out);
                self.push_text("vehicleId", scenario.vehicles.ids.name(start.vehicle), out);
                self.push_text("transitLineId", start.line, out);
                self.push_text("transitRouteId", start.route, out);
                self.push_text("departureId", start.departure, out);
            }
            EventKind::WaitingForPt => {
                let scenario = Arc::clone(&self.scenario);
                let Some(ride) = scenario.ride(e.detail) else { return };
                let (person, stops) = (scenario.population.person_ids.name(e.person), &scenario.transit.stops.ids);
                out.extend_from_slice(self.attributes.person.get(e.person));
                self.push_text("agent", person, out);
                self.push_text("atStop", stops.name(ride.access_stop), out);
                self.push_text("destinationStop", stops.name(ride.egress_stop), out);
            }
            EventKind::VehicleArrivesAtFacility | EventKind::VehicleDepartsAtFacility => {
                let scenario = Arc::clone(&self.scenario);
                let Some(at_stop) = scenario.at_stop(e, time_s) else { return };
                out.extend_from_slice(self.attributes.vehicle.get(at_stop.vehicle));
                self.push_text("facility", scenario.transit.stops.ids.name(at_stop.stop), out);
                self.push_number(b"delay=\"", at_stop.delay_s, out);
            }
        }
        out.extend_from_slice(b" />\n");
    }

    fn activity(&mut self, e: &Event, with_coordinates: bool, out: &mut Vec<u8>) {
        let (activities, i) = (&self.scenario.population.activities, e.detail as usize);
        out.extend_from_slice(self.attributes.person.get(e.person));
        if let Some(&facility) = activities.facility.get(i) {
            out.extend_from_slice(self.attributes.facility.get(facility));
        }
        out.extend_from_slice(self.attributes.link.get(e.link));
        let kind = activities.kind.get(i).copied();
        if with_coordinates
            && let (Some(&x), Some(&y)) = (activities.x.get(i), activities.y.get(i))
            && !x.is_nan()
            && !y.is_nan()
        {
            self.push_number(b"x=\"", x, out);
            self.push_number(b"y=\"", y, out);
        }
        if let Some(kind) = kind {
            out.extend_from_slice(self.attributes.activity_type.get(kind));
        }
    }

    fn push_text(&mut self, name: &str, value: &str, out: &mut Vec<u8>) {
        self.number.clear();
        push_escaped_value(&mut self.number, value);
        for part in [name, "=\"", &self.number, "\" "] {
            out.extend_from_slice(part.as_bytes());
        }
    }

    fn push_number(&mut self, name: &[u8], value: f64, out: &mut Vec<u8>) {
        self.number.clear();
        java_double::push(&mut self.number, value);
        out.extend_from_slice(name);
        out.extend_from_slice(self.number.as_bytes());
        out.extend_from_slice(b"\" ");
    }
}

impl FormatBlock<Arc<EventBlock>> for XmlFormatter {
    fn format(&mut self, block: Arc<EventBlock>, text: &mut Vec<u8>) {
        for (time, events) in block.steps() {
            self.step(time, events, text);
        }
    }
}
