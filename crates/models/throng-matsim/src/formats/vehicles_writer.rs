//! Writer for vehicle definitions, version 2.

use std::io::{self, Write};

use throng_core::java_double;

use super::text::push_attribute;
use throng_traffic_scenario::{VehicleType, Vehicles};

const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\n\
    <vehicleDefinitions xmlns=\"http://www.matsim.org/files/dtd\" \
    xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" \
    xsi:schemaLocation=\"http://www.matsim.org/files/dtd \
    http://www.matsim.org/files/dtd/vehicleDefinitions_v2.0.xsd\">\n\n";

/// Writes types and vehicles, each sorted by id as MATSim does.
///
/// # Errors
/// If writing to `out` fails.
pub fn write_vehicles(vehicles: &Vehicles, out: impl Write) -> io::Result<()> {
    let order = vehicles.ids.sorted();
    let type_of = |vehicle: u32| vehicles.type_of.get(vehicle as usize).copied().unwrap_or_default();
    let list = order.iter().map(|&vehicle| (vehicles.ids.name(vehicle), type_of(vehicle)));
    write_vehicle_list(&vehicles.types, list, out)
}

/// Writes types, sorted by id, and vehicles in the given order; each vehicle refers to its type by index.
///
/// # Errors
/// If writing to `out` fails.
pub fn write_vehicle_list<'a>(
    types: &[VehicleType],
    vehicles: impl Iterator<Item = (&'a str, u16)>,
    mut out: impl Write,
) -> io::Result<()> {
    let mut text = String::from(HEAD);
    let mut sorted: Vec<_> = types.iter().collect();
    sorted.sort_by(|a, b| a.id.cmp(&b.id));
    for vehicle_type in sorted {
        push_type(&mut text, vehicle_type);
    }
    for (id, index) in vehicles {
        push_vehicle(&mut text, id, types.get(usize::from(index)).map_or("", |t| t.id.as_str()));
        if text.len() > 1 << 16 {
            out.write_all(text.as_bytes())?;
            text.clear();
        }
    }
    // MATSim also writes the two tabs.
    text.push_str("\t\t\n\n</vehicleDefinitions>");
    out.write_all(text.as_bytes())
}

/// Appends a vehicle.
pub(crate) fn push_vehicle(text: &mut String, id: &str, type_id: &str) {
    text.push_str("\t<vehicle");
    push_attribute(text, "id", id);
    push_attribute(text, "type", type_id);
    text.push_str("/>\n");
}

/// Appends a vehicle type.
pub(crate) fn push_type(text: &mut String, vehicle_type: &VehicleType) {
    text.push_str("\t<vehicleType");
    push_attribute(text, "id", &vehicle_type.id);
    text.push_str(">\n\n\t\t<capacity");
    push_attribute(text, "seats", &vehicle_type.passengers.seats.to_string());
    push_attribute(text, "standingRoomInPersons", &vehicle_type.passengers.standing.to_string());
    text.push_str(">\n\n\t\t</capacity>\n");
    push_property(text, "length", "meter", vehicle_type.length_m);
    push_property(text, "width", "meter", vehicle_type.width_m);
    if vehicle_type.maximum_velocity_mps.is_finite() {
        push_property(text, "maximumVelocity", "meterPerSecond", vehicle_type.maximum_velocity_mps);
    }
    text.push_str("\t\t<costInformation>\n\n\t\t</costInformation>\n");
    push_property(text, "passengerCarEquivalents", "pce", vehicle_type.pcu);
    text.push_str("\t\t<networkMode");
    push_attribute(text, "networkMode", &vehicle_type.network_mode);
    text.push_str("/>\n");
    push_property(text, "flowEfficiencyFactor", "factor", vehicle_type.flow_efficiency);
    text.push_str("\t</vehicleType>\n\n");
}

fn push_property(text: &mut String, element: &str, attribute: &str, value: f64) {
    text.push_str("\t\t<");
    text.push_str(element);
    push_attribute(text, attribute, &java_double::text(value));
    text.push_str("/>\n");
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use throng_core::{IdTable, Warnings};

    use super::*;
    use crate::formats::open::TextInput;
    use crate::formats::vehicles::{VehicleFile, read_vehicles_from};
    use throng_testing::reference_data;
    use throng_traffic_scenario::Passengers;

    fn written(file: &VehicleFile) -> String {
        let mut out = Vec::new();
        write_vehicle_list(&file.types, file.vehicles.iter().map(|(id, t)| (id.as_str(), *t)), &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_matsim_file_is_reproduced_byte_for_byte() {
        let Some(path) = reference_data("equil100/controler_it0_fast/output_vehicles.xml.gz") else { return };
        let mut text = String::new();
        TextInput::open(&path).unwrap().read_to_string(&mut text).unwrap();
        let file = read_vehicles_from(text.as_bytes(), "v.xml", &mut Warnings::new()).unwrap();
        assert_eq!(written(&file), text);
    }

    #[test]
    fn types_and_vehicles_are_sorted_and_read_back() {
        let bike = VehicleType {
            id: "a<b>".into(),
            length_m: 2.0,
            width_m: 0.5,
            maximum_velocity_mps: 4.17,
            pcu: 0.25,
            flow_efficiency: 2.0,
            network_mode: "bike & ride".into(),
            passengers: Passengers { seats: 4, ..Passengers::default() },
        };
        let types = vec![VehicleType::default_car(), bike];
        let mut ids = IdTable::new();
        for id in ["9", "10", "\"x\""] {
            ids.intern(id).unwrap();
        }
        let vehicles = Vehicles { types: types.clone(), ids, type_of: vec![0, 1, 1], ..Vehicles::default() };
        let mut out = Vec::new();
        write_vehicles(&vehicles, &mut out).unwrap();
        let back = read_vehicles_from(&out[..], "v.xml", &mut Warnings::new()).unwrap();
        assert_eq!(back.types, [types[1].clone(), types[0].clone()]);
        assert_eq!(back.vehicles, [("\"x\"".to_owned(), 0), ("10".to_owned(), 0), ("9".to_owned(), 1)]);
    }
}
