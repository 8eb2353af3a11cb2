//! Longitude and latitude of coordinates.

use proj4rs::Proj;
use proj4rs::transform::transform;

/// A transformation to longitude and latitude in WGS 84.
#[derive(Debug)]
pub struct Geographic {
    from: Proj,
    to: Proj,
}

impl Geographic {
    /// Returns the transformation from a coordinate system as MATSim names it: by its EPSG code, or one of its names
    /// for some of them.
    ///
    /// # Errors
    /// Why there is none, as the end of a sentence.
    pub fn of(system: &str) -> Result<Self, String> {
        let code = epsg_code(system).ok_or_else(|| match system {
            "Atlantis" | "" => "the default, Atlantis, is no place on Earth; name it as EPSG:code".to_owned(),
            _ => format!("{system:?} is not known; name it as EPSG:code"),
        })?;
        let definition = crs_definitions::from_code(code).ok_or_else(|| format!("EPSG:{code} is not known"))?;
        let proj = |text: &str| Proj::from_proj_string(text).map_err(|error| format!("EPSG:{code}: {error}"));
        Ok(Self { from: proj(definition.proj4)?, to: proj("+proj=longlat +datum=WGS84 +no_defs")? })
    }

    /// Returns longitude and latitude in degrees; `None` if the point is not in the domain of the coordinate system.
    pub fn degrees(&self, x: f64, y: f64) -> Option<[f64; 2]> {
        let mut point = if self.from.is_latlong() { (x.to_radians(), y.to_radians(), 0.0) } else { (x, y, 0.0) };
        transform(&self.from, &self.to, &mut point).ok()?;
        let degrees = [point.0.to_degrees(), point.1.to_degrees()];
        let is_on_earth = degrees[0].abs() <= 180.0 && degrees[1].abs() <= 90.0;
        is_on_earth.then_some(degrees)
    }
}

/// Returns the EPSG code of a coordinate system; `None` if it has none.
fn epsg_code(system: &str) -> Option<u16> {
    let utm = |text: &str| {
        let (zone, south) =
            text.strip_suffix('N').map(|zone| (zone, 0)).or(text.strip_suffix('S').map(|zone| (zone, 100)))?;
        zone.parse().ok().filter(|zone| (1..=60).contains(zone)).map(|zone: u16| 32_600 + south + zone)
    };
    match system {
        "WGS84" => Some(4326),
        "DHDN_GK4" | "GK4" => Some(31_468),
        "CH1903_LV03" => Some(21_781),
        "CH1903_LV03_Plus" => Some(2056),
        _ => match system.strip_prefix("WGS84_UTM") {
            Some(zone) => utm(zone),
            None => system
                .get(..5)
                .filter(|start| start.eq_ignore_ascii_case("EPSG:"))
                .and(system.get(5..)?.trim().parse().ok()),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_points_are_found() {
        // By definition of the systems: the central meridian, and the origin of the Swiss one, shifted to its datum.
        for (system, [x, y], [longitude, latitude]) in [
            ("EPSG:25832", [500_000.0, 0.0], [9.0, 0.0]),
            ("WGS84_UTM33N", [500_000.0, 0.0], [15.0, 0.0]),
            ("WGS84_UTM33S", [500_000.0, 10_000_000.0], [15.0, 0.0]),
            ("epsg:2056", [2_600_000.0, 1_200_000.0], [7.438_632_5, 46.951_083]),
            ("CH1903_LV03", [600_000.0, 200_000.0], [7.438_632_5, 46.951_083]),
            ("DHDN_GK4", [4_595_000.0, 5_820_000.0], [13.3975, 52.5049]),
            ("EPSG:4326", [13.4, 52.5], [13.4, 52.5]),
            ("WGS84", [13.4, 52.5], [13.4, 52.5]),
        ] {
            let found = Geographic::of(system).unwrap().degrees(x, y).unwrap();
            assert!((found[0] - longitude).abs() < 1e-4 && (found[1] - latitude).abs() < 1e-4, "{system}: {found:?}");
        }
        let utm = Geographic::of("EPSG:25832").unwrap();
        assert_eq!([utm.degrees(f64::NAN, 0.0), utm.degrees(0.0, f64::INFINITY)], [None, None]);
    }

    #[test]
    fn unknown_systems_have_a_reason() {
        for system in ["", "Atlantis", "EPSG:", "EPSG:1", "EPSG:99999", "WGS84_UTM61N", "Venus", "é", "EPSGé"] {
            assert!(!Geographic::of(system).unwrap_err().is_empty(), "{system}");
        }
    }
}
