//! Rides in public transport as text.

use serde_json::Value;
use throng_core::clock;
use throng_traffic_scenario::{Ride, Transit};

/// Returns the description of a ride in MATSim's JSON, with keys in MATSim's order. The time of boarding, seconds, is
/// NaN if there is none.
pub(super) fn ride_text(transit: &Transit, ride: Ride, boarding_s: f64) -> String {
    let [access, egress] = [ride.access_stop, ride.egress_stop].map(|stop| transit.stops.ids.name(stop));
    let fields = [
        ("transitRouteId", Value::from(transit.routes.ids.get(ride.route as usize).map(String::as_str))),
        ("boardingTime", clock::exact(boarding_s).into()),
        ("transitLineId", transit.lines.name(ride.line).into()),
        ("accessFacilityId", access.into()),
        ("egressFacilityId", egress.into()),
    ];
    // An object of this library would sort its keys.
    let fields = fields.map(|(name, value)| format!("\"{name}\":{value}"));
    format!("{{{}}}", fields.join(","))
}

#[cfg(test)]
mod tests {
    use throng_core::NONE;

    use super::*;

    #[test]
    fn keys_have_the_order_of_matsim() {
        let mut transit = Transit::default();
        let [line, access_stop, egress_stop] = [
            transit.lines.intern("l \"1\"").unwrap(),
            transit.stops.ids.intern("a").unwrap(),
            transit.stops.ids.intern("b").unwrap(),
        ];
        transit.routes.ids.push("r".to_owned());
        let ride = Ride { line, access_stop, egress_stop, route: 0 };
        assert_eq!(
            ride_text(&transit, ride, 27_000.0),
            r#"{"transitRouteId":"r","boardingTime":"07:30:00","transitLineId":"l \"1\"","accessFacilityId":"a","egressFacilityId":"b"}"#
        );
        let planned = ride_text(&transit, Ride { route: NONE, ..ride }, f64::NAN);
        assert!(planned.starts_with(r#"{"transitRouteId":null,"boardingTime":"undefined","#), "{planned}");
    }
}
