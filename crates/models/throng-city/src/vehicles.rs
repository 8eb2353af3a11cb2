//! Creates one default car per driver.

use throng_core::{IdTable, InputError, NONE};

use throng_traffic_scenario::{ModeId, PlanElement, Population, VehicleType, Vehicles};

/// Returns the vehicles that the loader would create, and sets them in the legs: each driver has a default car named
/// like the person, parked where the day begins.
pub(super) fn vehicles(population: &mut Population, car: Option<ModeId>) -> Result<Vehicles, InputError> {
    let (mut text, mut ends, mut start_link) = (String::new(), Vec::new(), Vec::new());
    for person in 0..population.persons() as u32 {
        let mut vehicle = NONE;
        for element in population.plan_range(person) {
            let PlanElement::Leg(leg) = population.element(element) else { continue };
            let leg = leg as usize;
            if Some(population.legs.mode[leg]) != car {
                continue;
            }
            if vehicle == NONE {
                vehicle = ends.len() as u32;
                text.push_str(population.person_ids.name(person));
                ends.push(text.len() as u32);
                start_link.push(population.legs.start_link[leg]);
            }
            population.legs.vehicle[leg] = vehicle;
        }
    }
    let type_of = vec![0; ends.len()];
    let ids = IdTable::from_parts(text, ends)
        .map_err(|error| InputError::out_of_memory("ids of the vehicles", error, "request fewer persons"))?;
    Ok(Vehicles { types: vec![VehicleType::default_car()], ids, type_of, start_link })
}
