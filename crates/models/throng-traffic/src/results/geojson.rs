//! `output_links.geojson`: links with their volumes, for maps.

use serde_json::{Value, json};
use throng_matsim::coordinates::Transformation;
use throng_output::{Codec, OutputError, RunFolder, TextFile, WrittenFile};

use super::analysis::LinkDay;
use throng_traffic_scenario::{ModeId, Scenario};

/// Name of the file. It is not compressed, because some programs tell its format from the end of its name.
pub const LINKS_GEOJSON: &str = "output_links.geojson";

/// Writes one line per link, with coordinates in longitude and latitude as in RFC 7946. Returns the reason instead of
/// the file if there are no such coordinates.
///
/// # Errors
/// If the file cannot be written.
pub fn write(
    scenario: &Scenario,
    day: &LinkDay,
    folder: &RunFolder,
) -> Result<Result<WrittenFile, String>, OutputError> {
    let network = &scenario.network;
    let system = &scenario.settings.global.coordinate_system;
    let to_degrees = match Transformation::to_degrees(system) {
        Ok(to_degrees) => to_degrees,
        Err(reason) => return Ok(Err(format!("global.coordinateSystem: {reason}"))),
    };
    let points: Vec<Option<[f64; 2]>> =
        network.node_x.iter().zip(&network.node_y).map(|(&x, &y)| to_degrees.apply(x, y)).collect();
    if points.iter().all(Option::is_none) && !points.is_empty() {
        return Ok(Err(format!("no node is in the domain of global.coordinateSystem, {system}")));
    }
    let mut file = TextFile::create(folder, LINKS_GEOJSON, Codec::None)?;
    file.text().extend_from_slice(b"{\"type\":\"FeatureCollection\",\"features\":[\n");
    for link in 0..network.links() as u32 {
        let of_link = network.link(link);
        let ends = [of_link.from, of_link.to].map(|node| points.get(node as usize).copied().flatten());
        // Seven decimals are a centimetre.
        let round = |degrees: f64| (degrees * 1e7).round() / 1e7;
        let geometry = match ends {
            [Some(from), Some(to)] => json!({"type": "LineString", "coordinates": [from.map(round), to.map(round)]}),
            _ => Value::Null,
        };
        let busy = day.of_link(link);
        let all = (0..scenario.modes.len().min(64) as u8).map(ModeId).filter(|mode| of_link.modes & mode.bit() != 0);
        let modes: Vec<&str> = all.map(|mode| scenario.modes.name(mode)).collect();
        // Numbers that are not finite become null.
        let feature = json!({
            "type": "Feature",
            "id": network.link_ids.name(link),
            "geometry": geometry,
            "properties": {
                "link": network.link_ids.name(link),
                "volume": busy.volume,
                "peak_volume": busy.peak_volume,
                "peak_time_s": if busy.peak_volume == 0 { Value::Null } else { json!(busy.peak_time) },
                "mean_speed_kmh": rounded(busy.speed_kmh),
                "freespeed_kmh": rounded(of_link.freespeed_mps * 3.6),
                "capacity_per_hour": of_link.capacity * 3600.0 / network.capacity_period_s,
                "lanes": of_link.lanes,
                "length_m": of_link.length_m,
                "modes": modes.join(","),
            },
        });
        let separator = if link + 1 == network.links() as u32 { "\n" } else { ",\n" };
        file.text().extend_from_slice(format!("{feature}{separator}").as_bytes());
        file.flush_full()?;
    }
    file.text().extend_from_slice(b"]}\n");
    file.finish().map(Ok)
}

/// Rounds to two decimals.
fn rounded(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}
