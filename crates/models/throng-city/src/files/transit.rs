//! The schedule of public transport and its vehicles.

use std::io::Write as _;

use throng_core::{clock, java_double};
use throng_matsim::formats::vehicles_writer::write_vehicle_list;
use throng_output::{Codec, OutputError, RunFolder, TextFile, WrittenFile};

use crate::City;
use crate::transit::{TransitRoute, vehicle_types};

const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
    <!DOCTYPE transitSchedule SYSTEM \"http://www.matsim.org/files/dtd/transitSchedule_v2.dtd\">\n<transitSchedule>\n";

/// Writes `transitSchedule.xml` and `transitVehicles.xml`.
pub(super) fn write(city: &City, folder: &RunFolder, codec: Codec) -> Result<[WrittenFile; 2], OutputError> {
    let failed = |e| OutputError::io("format", folder.path(), e);
    let mut schedule = TextFile::create(folder, "transitSchedule.xml", codec)?;
    write_schedule(city, schedule.text()).map_err(failed)?;
    let mut vehicles = TextFile::create(folder, "transitVehicles.xml", codec)?;
    let ids: Vec<String> = (0..city.lines.vehicles.len()).map(vehicle_id).collect();
    let list = ids.iter().map(String::as_str).zip(city.lines.vehicles.iter().map(|&is_rail| u16::from(is_rail)));
    write_vehicle_list(&vehicle_types(city.options.sample), list, vehicles.text()).map_err(failed)?;
    Ok([schedule.finish()?, vehicles.finish()?])
}

fn vehicle_id(number: usize) -> String {
    format!("tv{}", number + 1)
}

fn write_schedule(city: &City, out: &mut Vec<u8>) -> std::io::Result<()> {
    let (network, lines) = (&city.network, &city.lines);
    out.write_all(HEAD.as_bytes())?;
    writeln!(out, "\t<transitStops>")?;
    for (stop, &link) in lines.stops.iter().enumerate() {
        let node = network.to[link as usize] as usize;
        let [x, y] = [network.node_x[node], network.node_y[node]].map(java_double::text);
        let link = network.link_ids.name(link);
        writeln!(
            out,
            "\t\t<stopFacility id=\"{}\" x=\"{x}\" y=\"{y}\" linkRefId=\"{link}\" isBlocking=\"false\"/>",
            stop + 1
        )?;
    }
    writeln!(out, "\t</transitStops>")?;
    for both in lines.routes.chunks(2) {
        let line = both[0].line + 1;
        writeln!(out, "\t<transitLine id=\"{line}\">")?;
        for (route, way) in both.iter().zip(["there", "back"]) {
            write_route(city, route, way, out)?;
        }
        writeln!(out, "\t</transitLine>")?;
    }
    writeln!(out, "</transitSchedule>")
}

fn write_route(city: &City, route: &TransitRoute, way: &str, out: &mut Vec<u8>) -> std::io::Result<()> {
    writeln!(out, "\t\t<transitRoute id=\"{}_{way}\">", route.line + 1)?;
    writeln!(out, "\t\t\t<transportMode>{}</transportMode>", if route.is_rail { "train" } else { "bus" })?;
    writeln!(out, "\t\t\t<routeProfile>")?;
    for call in &route.calls {
        let [arrival, departure] = [call.arrival_s, call.departure_s].map(clock::format);
        writeln!(
            out,
            "\t\t\t\t<stop refId=\"{}\" arrivalOffset=\"{arrival}\" departureOffset=\"{departure}\" \
             awaitDeparture=\"true\"/>",
            call.stop + 1
        )?;
    }
    writeln!(out, "\t\t\t</routeProfile>\n\t\t\t<route>")?;
    for &link in &route.links {
        writeln!(out, "\t\t\t\t<link refId=\"{}\"/>", city.network.link_ids.name(link))?;
    }
    writeln!(out, "\t\t\t</route>\n\t\t\t<departures>")?;
    for (number, departure) in route.departures.iter().enumerate() {
        let (time, vehicle) = (clock::format(departure.time_s), vehicle_id(departure.vehicle as usize));
        writeln!(
            out,
            "\t\t\t\t<departure id=\"{}\" departureTime=\"{time}\" vehicleRefId=\"{vehicle}\"/>",
            number + 1
        )?;
    }
    writeln!(out, "\t\t\t</departures>\n\t\t</transitRoute>")
}
