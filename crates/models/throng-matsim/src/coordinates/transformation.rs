//! Transformations between coordinate reference systems.

use proj4rs::Proj;
use proj4rs::transform::transform;

use super::systems::definition;

/// A transformation of points from one coordinate reference system to another.
///
/// Systems are named as in MATSim: by their EPSG codes, or MATSim's names for some of them. Points of geographic
/// systems are longitude and latitude in degrees, in this order.
#[derive(Debug, Clone)]
pub struct Transformation {
    from: Proj,
    to: Proj,
}

impl Transformation {
    /// Returns the transformation between two systems; `None` if they are the same.
    ///
    /// # Errors
    /// Why there is none, as the end of a sentence.
    pub fn between(from: &str, to: &str) -> Result<Option<Self>, String> {
        if from.trim() == to.trim() {
            return Ok(None);
        }
        let definitions = [definition(from)?, definition(to)?];
        if definitions[0] == definitions[1] {
            return Ok(None);
        }
        Ok(Some(Self { from: projection(from, &definitions[0])?, to: projection(to, &definitions[1])? }))
    }

    /// Returns the transformation to longitude and latitude in WGS 84.
    ///
    /// # Errors
    /// Why there is none, as the end of a sentence.
    pub fn to_degrees(from: &str) -> Result<Self, String> {
        let [from, to] = [from, "WGS84"].map(|system| projection(system, &definition(system)?));
        Ok(Self { from: from?, to: to? })
    }

    /// Transforms a point. Returns `None` if it is not in the domain of the systems.
    pub fn apply(&self, x: f64, y: f64) -> Option<[f64; 2]> {
        let mut point = (x, y, 0.0);
        if self.from.is_latlong() {
            if !is_on_earth([x, y]) {
                return None;
            }
            point = (x.to_radians(), y.to_radians(), 0.0);
        }
        transform(&self.from, &self.to, &mut point).ok()?;
        let (x, y, _) = point;
        if self.to.is_latlong() {
            Some([x.to_degrees(), y.to_degrees()]).filter(|&degrees| is_on_earth(degrees))
        } else {
            Some([x, y]).filter(|[x, y]| x.is_finite() && y.is_finite())
        }
    }

    /// Returns the transformed point, rounded to a millimetre or to 1e-8 degrees, which is about as much.
    ///
    /// Projections use the sines and logarithms of the system's library, whose last bits differ between systems; the
    /// rounded points are almost always the same.
    pub(super) fn apply_rounded(&self, x: f64, y: f64) -> Option<[f64; 2]> {
        let units = if self.to.is_latlong() { 1e8 } else { 1e3 };
        // Adding 0.0 turns -0.0 into 0.0.
        self.apply(x, y).map(|point| point.map(|value| (value * units).round() / units + 0.0))
    }
}

fn projection(system: &str, definition: &str) -> Result<Proj, String> {
    Proj::from_proj_string(definition).map_err(|error| format!("{} cannot be transformed: {error}", system.trim()))
}

/// Whether these are a longitude and a latitude in degrees.
fn is_on_earth([longitude, latitude]: [f64; 2]) -> bool {
    longitude.abs() <= 180.0 && latitude.abs() <= 90.0
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
            let found = Transformation::to_degrees(system).unwrap().apply(x, y).unwrap();
            assert!((found[0] - longitude).abs() < 1e-4 && (found[1] - latitude).abs() < 1e-4, "{system}: {found:?}");
        }
    }

    #[test]
    fn points_are_those_of_proj() {
        // Of PROJ 9.5.1 (pyproj 3.7.2), with the definitions of these systems that are used here.
        for (from, to, [x, y], expected) in [
            ("EPSG:4326", "EPSG:25832", [11.582, 48.1351], [692_095.145_201_7, 5_334_540.635_960_0]),
            ("EPSG:4326", "EPSG:25833", [13.405, 52.52], [391_779.259_251_6, 5_820_072.159_087_1]),
            ("EPSG:4326", "EPSG:2056", [8.5417, 47.3769], [2_683_303.893_739_0, 1_247_925.627_898_2]),
            ("EPSG:4326", "EPSG:21781", [6.1432, 46.2044], [500_016.016_116_7, 117_821.069_733_4]),
            ("EPSG:4326", "EPSG:2154", [2.3522, 48.8566], [652_469.022_709_1, 6_862_035.259_420_1]),
            ("EPSG:4326", "EPSG:28992", [4.9041, 52.3676], [122_096.804_693_1, 486_744.860_845_5]),
            ("EPSG:4326", "EPSG:3035", [13.405, 52.52], [4_552_036.450_154_5, 3_273_268.273_568_1]),
            ("EPSG:4326", "EPSG:3857", [13.405, 52.52], [1_492_237.774_083_8, 6_894_699.801_282_4]),
            ("EPSG:4326", "EPSG:3414", [103.8198, 1.3521], [26_495.534_871_0, 37_133.868_476_5]),
            ("EPSG:4326", "EPSG:31370", [4.3517, 50.8503], [148_799.170_241_5, 171_100.154_831_7]),
            ("EPSG:4326", "EPSG:5514", [14.4378, 50.0755], [-741_823.952_027_1, -1_044_500.195_661_8]),
            ("EPSG:4326", "EPSG:32756", [151.2093, -33.8688], [334_368.633_648_1, 6_250_948.345_385_0]),
            ("EPSG:4326", "EPSG:2180", [21.0122, 52.2297], [637_382.204_436_2, 486_757.209_480_8]),
            ("EPSG:25832", "EPSG:25833", [700_000.0, 5_800_000.0], [291_030.628_854_0, 5_800_371.996_878_9]),
            // By definition, the frames of Switzerland differ by these offsets.
            ("EPSG:21781", "EPSG:2056", [602_030.68, 191_775.03], [2_602_030.68, 1_191_775.03]),
        ] {
            let transformation = Transformation::between(from, to).unwrap().unwrap();
            let found = transformation.apply(x, y).unwrap();
            let error = (found[0] - expected[0]).abs().max((found[1] - expected[1]).abs());
            assert!(error < 1e-3, "{from} -> {to}: {found:?}, {error} m off");
            let back = Transformation::between(to, from).unwrap().unwrap().apply(found[0], found[1]).unwrap();
            let tolerance = if from == "EPSG:4326" { 1e-7 } else { 1e-3 };
            assert!((back[0] - x).abs() < tolerance && (back[1] - y).abs() < tolerance, "{to} -> {from}: {back:?}");
        }
    }

    #[test]
    fn the_same_system_has_no_transformation() {
        for (from, to) in [("Atlantis", "Atlantis"), (" EPSG:4326", "WGS84"), ("GK4", "EPSG:31468"), ("Mars", "Mars")] {
            assert!(Transformation::between(from, to).unwrap().is_none(), "{from}, {to}");
        }
        assert!(Transformation::between("Atlantis", "WGS84").unwrap_err().contains("not a real system"));
        assert!(Transformation::between("EPSG:4326", "EPSG:3068").unwrap_err().starts_with("EPSG:3068 cannot be"));
    }

    #[test]
    fn points_outside_of_a_system_are_none() {
        let to_zone_32 = Transformation::between("WGS84", "EPSG:25832").unwrap().unwrap();
        for (x, y) in [(9.0, 91.0), (200.0, 1.0), (f64::NAN, 1.0), (9.0, f64::INFINITY)] {
            assert_eq!(to_zone_32.apply(x, y), None, "{x}, {y}");
        }
        let utm = Transformation::to_degrees("EPSG:25832").unwrap();
        assert_eq!([utm.apply(f64::NAN, 0.0), utm.apply(0.0, f64::INFINITY)], [None, None]);
        // Millimetres, and about as much in degrees.
        assert_eq!(to_zone_32.apply_rounded(9.0, 0.0), Some([500_000.0, 0.0]));
        let [x, y] = utm.clone().apply_rounded(691_000.123_4, 5_334_000.0).unwrap();
        assert_eq!(
            [x, y].map(|degrees| (degrees * 1e8).fract().abs() < 1e-6 || (degrees * 1e8).fract().abs() > 1.0 - 1e-6),
            [true; 2]
        );
    }
}
