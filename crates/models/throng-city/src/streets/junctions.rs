//! Ramps between motorways and streets, and between motorways.

use super::RoadClass;
use super::lattice::Lattice;
use super::motorway::Station;
use super::plan::StreetPlan;

/// Adds ramps between both carriageways of each station and the nearest crossing of arterial roads.
pub(crate) fn connect_streets(plan: &mut StreetPlan, lattice: &Lattice, stations: &[Station]) {
    for station in stations {
        for carriageway in [station.forward, station.backward] {
            let Some(street) = lattice.nearest_arterial(plan, carriageway.leave, station.x, station.y) else {
                continue;
            };
            plan.add_link(carriageway.leave, street, 1.15, RoadClass::Ramp, true);
            plan.add_link(street, carriageway.join, 1.15, RoadClass::Ramp, true);
        }
    }
}

/// Adds ramps from every carriageway of one motorway to every carriageway of the other.
pub(crate) fn connect_motorways(plan: &mut StreetPlan, a: &Station, b: &Station) {
    for x in [a.forward, a.backward] {
        for y in [b.forward, b.backward] {
            plan.add_link(x.leave, y.join, 1.4, RoadClass::Ramp, true);
            plan.add_link(y.leave, x.join, 1.4, RoadClass::Ramp, true);
        }
    }
}
