//! Networks whose coordinates are degrees or feet, although distances are computed in metres.

use throng_core::Warnings;

use crate::coordinates::{self, unit_other_than_metre};
use crate::formats::value::quoted;
use throng_traffic_scenario::Network;

const DEGREES: &str = "the coordinates are degrees, not metres: distances of teleported legs, and links nearest to \
    coordinates, are wrong; set global.coordinateSystem to a system in metres, such as EPSG:25832, and network.inputCRS, \
    plans.inputCRS and others to that of the files, such as EPSG:4326, or convert all files";

const OTHER_UNIT: &str = "the coordinates are not in metres: distances between them, such as those of teleported legs, \
    are wrong; set global.coordinateSystem to a system in metres, and network.inputCRS, plans.inputCRS and others to \
    that of the files, or convert all files";

/// Names of geographic coordinate systems, in any case.
const GEOGRAPHIC: [&str; 2] = ["WGS84", "CRS84"];

/// Number of times that a link is longer than the distance of its ends in degrees: a degree of latitude has 111 km, and
/// a degree of longitude has 10 km at a latitude of 85.
const METRES_PER_DEGREE: std::ops::Range<f64> = 10_000.0..1_000_000.0;

/// Warns if the coordinates of `network` are in another unit than metres by their system, or seem to be degrees from
/// their range and the lengths of most links.
pub(super) fn warn(network: &Network, system_of_run: &str, warnings: &mut Warnings) {
    let system = network.coordinate_system.as_deref().unwrap_or(system_of_run);
    let unit = unit_other_than_metre(system);
    let is_geographic = GEOGRAPHIC.iter().any(|name| name.eq_ignore_ascii_case(system.trim()));
    if is_geographic || unit.as_deref() == Some(coordinates::DEGREES) {
        warnings.add_noted(1, DEGREES, format!("the coordinate system is {}", quoted(system)));
        return;
    }
    if let Some(unit) = unit {
        warnings.add_noted(1, OTHER_UNIT, format!("the coordinate system is {}, in {unit}", quoted(system)));
        return;
    }
    let is_within = |values: &[f64], limit: f64| values.iter().all(|value| value.abs() <= limit);
    if !(is_within(&network.node_x, 180.0) && is_within(&network.node_y, 90.0)) {
        return;
    }
    let distance = |link: usize| {
        let (from, to) = (network.from[link] as usize, network.to[link] as usize);
        let (x, y) = (network.node_x[to] - network.node_x[from], network.node_y[to] - network.node_y[from]);
        (x * x + y * y).sqrt()
    };
    let ratios = (0..network.links()).map(|link| network.length_m[link] / distance(link)).filter(|r| r.is_finite());
    let (mut links, mut in_degrees) = (0, 0);
    for ratio in ratios {
        links += 1;
        in_degrees += usize::from(METRES_PER_DEGREE.contains(&ratio));
    }
    if 2 * in_degrees > links {
        let note = format!("{in_degrees} links are at least 10000 times longer than the distance of their ends");
        warnings.add_noted(1, DEGREES, note);
    }
}

#[cfg(test)]
mod tests {
    use throng_traffic_scenario::NetworkBuilder;

    use super::*;

    /// A link between two places in Berlin, 1.3 km from each other, in degrees or metres, and one without a distance.
    fn warnings(scale: f64, length_m: f64, system: &str) -> Warnings {
        let network = NetworkBuilder::new()
            .node("a", 13.4 * scale, 52.5 * scale)
            .node("b", 13.41 * scale, 52.51 * scale)
            .link("ab", "a", "b", length_m, 10.0, 1800.0, 1.0)
            .link("aa", "a", "a", 100.0, 10.0, 1800.0, 1.0)
            .build()
            .unwrap();
        let mut warnings = Warnings::new();
        warn(&network, system, &mut warnings);
        warnings
    }

    fn warned(scale: f64, length_m: f64, system: &str) -> u64 {
        warnings(scale, length_m, system).count(DEGREES)
    }

    #[test]
    fn other_units_are_noticed_by_system() {
        for (system, expected) in [
            ("EPSG:2263", "the coordinate system is \"EPSG:2263\", in US survey feet"),
            ("EPSG:2066", "the coordinate system is \"EPSG:2066\", in units of 0.201166195164 m"),
        ] {
            let warnings = warnings(1e5, 1300.0, system);
            assert_eq!((warnings.count(OTHER_UNIT), warnings.count(DEGREES)), (1, 0), "{system}");
            assert!(warnings.lines().any(|line| line.contains(expected)), "{warnings:?}");
        }
        assert_eq!(warnings(1e5, 1300.0, "EPSG:25832").count(OTHER_UNIT), 0);
    }

    #[test]
    fn degrees_are_noticed_by_system_or_length() {
        assert_eq!(warned(1.0, 1300.0, "Atlantis"), 1);
        assert_eq!(warned(1.0, 1300.0, "EPSG:25833"), 1, "the name may be wrong");
        assert_eq!(warned(1.0, 0.02, "wgs84"), 1);
        assert_eq!(warned(1.0, 0.02, "EPSG:4269"), 1);
        assert_eq!(warned(1.0, 0.02, "Atlantis"), 0, "a small network");
        assert_eq!(warned(1.0, 10.0, "Atlantis"), 0, "a small network with winding links");
        assert_eq!(warned(1e5, 1300.0, "Atlantis"), 0);
    }
}
