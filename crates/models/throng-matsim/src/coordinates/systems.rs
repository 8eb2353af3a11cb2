//! Names of coordinate reference systems, and their definitions for PROJ.

/// The system of MATSim's fictitious examples.
const ATLANTIS: &str = "Atlantis";

/// The unit of geographic systems, in words.
pub(crate) const DEGREES: &str = "degrees";

/// Names in MATSim other than EPSG codes and zones of UTM.
const NAMES: [(&str, &str); 14] = [
    ("WGS84", "EPSG:4326"),
    ("GK4", "EPSG:31468"),
    ("DHDN_GK4", "EPSG:31468"),
    ("CH1903_LV03", "EPSG:21781"),
    ("CH1903_LV03_GT", "EPSG:21781"),
    ("CH1903_LV03_Plus", "EPSG:2056"),
    ("CH1903_LV03_Plus_GT", "EPSG:2056"),
    ("NAD83_UTM17N", "EPSG:26917"),
    ("WGS84_SVY21", "EPSG:3414"),
    ("WGS84_TM", "EPSG:3414"),
    ("EPSG5514_KROVAK", "EPSG:5514"),
    ("DHDN_SoldnerBerlin", "EPSG:3068"),
    ("WGS84_Albers", "+proj=aea +lat_1=20 +lat_2=-23 +lat_0=0 +lon_0=25 +datum=WGS84 +units=m"),
    ("WGS84_SA_Albers", "+proj=aea +lat_1=-18 +lat_2=-32 +lat_0=0 +lon_0=24 +datum=WGS84 +units=m"),
];

/// Returns the definition of a coordinate system as MATSim names it: by its EPSG code, or one of its names for some of
/// them.
///
/// # Errors
/// Why there is none, as the end of a sentence.
pub(super) fn definition(system: &str) -> Result<String, String> {
    let found = listed(system)?;
    let system = system.trim();
    // Without its grid, a datum would be up to hundreds of metres off.
    let needs_grid = found.contains("+datum=NAD27")
        || parameter(&found, "nadgrids").is_some_and(|grids| !grids.starts_with("@null"));
    if needs_grid {
        return Err(format!("{system} needs a grid of datum shifts, which Throng does not have"));
    }
    if found.contains("+proj=geocent") {
        return Err(format!("{system} has coordinates relative to the centre of the Earth"));
    }
    // proj4rs ignores other prime meridians or adds them in degrees to radians. The systems in grads have one, too.
    if let Some(meridian) = parameter(&found, "pm") {
        return Err(format!("{system} has another prime meridian than Greenwich ({meridian}), which Throng lacks"));
    }
    Ok(found)
}

/// Returns the unit of coordinates in a system in words, unless it is the metre or unknown.
pub(crate) fn unit_other_than_metre(system: &str) -> Option<String> {
    let found = listed(system).ok()?;
    if found.contains("+proj=longlat") {
        return Some(DEGREES.to_owned());
    }
    match (parameter(&found, "units"), parameter(&found, "to_meter")) {
        (Some("m"), _) | (None, None | Some("1")) => None,
        (Some("ft"), _) => Some("feet".to_owned()),
        (Some("us-ft"), _) => Some("US survey feet".to_owned()),
        (Some(unit), _) => Some(format!("{unit:?}")),
        (None, Some(metres)) => Some(format!("units of {metres} m")),
    }
}

/// Returns the value of a parameter in a definition for PROJ.
fn parameter<'a>(definition: &'a str, name: &str) -> Option<&'a str> {
    let mut words = definition.split_ascii_whitespace();
    words.find_map(|word| word.strip_prefix('+')?.strip_prefix(name)?.strip_prefix('='))
}

/// Returns the definition of a system, whether or not Throng can transform it.
fn listed(system: &str) -> Result<String, String> {
    let system = system.trim();
    let named = NAMES.iter().find(|(name, _)| *name == system).map_or(system, |&(_, meaning)| meaning);
    if named.starts_with("+proj=") {
        return Ok(named.to_owned());
    }
    // Lo 19 and others: transverse Mercator grids of South Africa.
    if let Some(meridian @ ("19" | "25" | "29" | "31")) = system.strip_prefix("SA_Lo") {
        return Ok(format!("+proj=tmerc +lat_0=0 +lon_0={meridian} +k=1 +x_0=0 +y_0=0 +datum=WGS84 +units=m"));
    }
    let code = epsg_code(named).ok_or_else(|| match system {
        ATLANTIS | "" => "the default, Atlantis, is not a real system; name the system of your files, for example \
            EPSG:25832"
            .to_owned(),
        _ => format!("{system:?} is not known; name it as EPSG:code"),
    })?;
    let known = crs_definitions::from_code(code).ok_or_else(|| format!("EPSG:{code} is not known"))?;
    Ok(known.proj4.to_owned())
}

/// Returns the EPSG code of a coordinate system; `None` if it has none.
fn epsg_code(system: &str) -> Option<u16> {
    let utm = |text: &str| {
        let (zone, south) =
            text.strip_suffix('N').map(|zone| (zone, 0)).or(text.strip_suffix('S').map(|zone| (zone, 100)))?;
        zone.parse().ok().filter(|zone| (1..=60).contains(zone)).map(|zone: u16| 32_600 + south + zone)
    };
    match system.strip_prefix("WGS84_UTM") {
        Some(zone) => utm(zone),
        None => system
            .get(..5)
            .filter(|start| start.eq_ignore_ascii_case("EPSG:"))
            .and(system.get(5..)?.trim().parse().ok()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_matsim_are_known() {
        for (name, expected) in [
            ("epsg:2056", "+proj=somerc"),
            (" EPSG:25832 ", "+proj=utm +zone=32"),
            ("WGS84", "+proj=longlat +datum=WGS84"),
            ("GK4", "+lon_0=12"),
            ("CH1903_LV03_GT", "+x_0=600000"),
            ("CH1903_LV03_Plus", "+x_0=2600000"),
            ("WGS84_UTM36S", "+proj=utm +zone=36 +south"),
            ("NAD83_UTM17N", "+zone=17"),
            ("WGS84_SVY21", "+x_0=28001.642"),
            ("WGS84_SA_Albers", "+lat_1=-18"),
            ("SA_Lo29", "+lon_0=29"),
            ("EPSG5514_KROVAK", "+proj=krovak"),
        ] {
            let found = definition(name).unwrap();
            assert!(found.contains(expected), "{name}: {found}");
        }
    }

    #[test]
    fn unknown_systems_have_a_reason() {
        for (system, expected) in [
            ("", "Atlantis"),
            ("Atlantis", "Atlantis"),
            ("EPSG:", "\"EPSG:\" is not known"),
            ("EPSG:1", "EPSG:1 is not known"),
            ("EPSG:99999", "\"EPSG:99999\" is not known"),
            ("WGS84_UTM61N", "\"WGS84_UTM61N\" is not known"),
            ("SA_Lo20", "\"SA_Lo20\" is not known"),
            ("Venus", "\"Venus\" is not known; name it as EPSG:code"),
            ("é", "is not known"),
            ("EPSGé", "is not known"),
            ("EPSG:26717", "needs a grid"),
            ("EPSG:4978", "centre of the Earth"),
            ("EPSG:27572", "EPSG:27572 has another prime meridian than Greenwich (paris)"),
            ("epsg:21500", "(brussels)"),
            ("EPSG:4901", "(2.337208333333333)"),
        ] {
            let found = definition(system).unwrap_err();
            assert!(found.contains(expected), "{system}: {found}");
        }
        for code in [27571, 27573, 27574, 2062, 2065, 5221, 4805, 4807, 4811, 4818, 4903] {
            let found = definition(&format!("EPSG:{code}")).unwrap_err();
            assert!(found.contains("another prime meridian"), "{code}: {found}");
        }
    }

    #[test]
    fn units_other_than_the_metre_are_known() {
        for (system, expected) in [
            ("EPSG:2263", Some("US survey feet")),
            ("EPSG:32040", Some("US survey feet")),
            ("epsg:2222", Some("feet")),
            ("EPSG:2066", Some("units of 0.201166195164 m")),
            ("EPSG:3140", Some("\"link\"")),
            ("EPSG:4269", Some("degrees")),
            ("WGS84", Some("degrees")),
            ("EPSG:25832", None),
            ("WGS84_UTM33N", None),
            ("Atlantis", None),
        ] {
            assert_eq!(unit_other_than_metre(system).as_deref(), expected, "{system}");
        }
    }
}
