//! The coordinates of an input file, transformed while it is read.

use std::sync::Arc;

use throng_core::{InputError, Warnings};

use super::Transformation;
use crate::formats::value::quoted;
use throng_traffic_scenario::settings::Settings;

const TWICE: &str = "a file names another coordinate system than the config; as in MATSim, that of the file is used";

/// The system of the coordinates in a file, and their transformation to the system of the run. The default keeps
/// coordinates as they are in the file, in any system.
#[derive(Debug, Clone, Default)]
pub struct InputCoordinates {
    systems: Option<Systems>,
    transformation: Option<Arc<Transformation>>,
}

#[derive(Debug, Clone)]
struct Systems {
    /// `global.coordinateSystem`.
    run: String,
    /// The parameter that may name the system of the file, such as `network.inputCRS`.
    parameter: &'static str,
    /// Its value.
    of_config: Option<String>,
    /// The system that the file names.
    of_file: Option<String>,
}

impl InputCoordinates {
    /// Those of the network.
    ///
    /// # Errors
    /// If the coordinates cannot be transformed from the system that the settings name.
    pub fn of_network(settings: &Settings) -> Result<Self, InputError> {
        Self::new("network.inputCRS", settings.files.network_system.as_deref(), settings)
    }

    /// Those of the plans.
    ///
    /// # Errors
    /// See [`InputCoordinates::of_network`].
    pub fn of_plans(settings: &Settings) -> Result<Self, InputError> {
        Self::new("plans.inputCRS", settings.files.plans_system.as_deref(), settings)
    }

    /// Those of the facilities.
    ///
    /// # Errors
    /// See [`InputCoordinates::of_network`].
    pub fn of_facilities(settings: &Settings) -> Result<Self, InputError> {
        Self::new("facilities.inputCRS", settings.files.facilities_system.as_deref(), settings)
    }

    /// Those of the schedule of public transport.
    ///
    /// # Errors
    /// See [`InputCoordinates::of_network`].
    pub fn of_schedule(settings: &Settings) -> Result<Self, InputError> {
        Self::new("transit.inputScheduleCRS", settings.files.schedule_system.as_deref(), settings)
    }

    fn new(parameter: &'static str, system: Option<&str>, settings: &Settings) -> Result<Self, InputError> {
        let run = settings.global.coordinate_system.trim().to_owned();
        let of_config = system.map(|system| system.trim().to_owned());
        let mut coordinates =
            Self { systems: Some(Systems { run, parameter, of_config, of_file: None }), transformation: None };
        if let Some(system) = system {
            let fault = |(message, remedy)| InputError::one(parameter, message, remedy);
            coordinates.transformation = of_parameter(parameter, system, settings).map_err(fault)?.map(Arc::new);
        }
        Ok(coordinates)
    }

    /// Takes note of the system that the file itself names, at `place`.
    ///
    /// # Errors
    /// If its coordinates cannot be transformed to the system of the run.
    pub(crate) fn file_names(&mut self, system: &str, place: &str, warnings: &mut Warnings) -> Result<(), InputError> {
        let Some(Systems { run, parameter, of_config, of_file }) = &mut self.systems else { return Ok(()) };
        let system = system.trim();
        let transformation = Transformation::between(system, run).map_err(|reason| {
            let message = format!(
                "coordinates are in {}, and cannot be transformed to global.coordinateSystem, {}: {reason}",
                quoted(system),
                quoted(run)
            );
            let remedy = "Set global.coordinateSystem to a system in metres, such as that of the file, or convert the \
                file.";
            InputError::one(place, message, remedy)
        })?;
        if let Some(of_config) = of_config
            && !matches!(Transformation::between(of_config, system), Ok(None))
        {
            warnings.add(TWICE, || format!("{place}: {}, {parameter}={of_config}", quoted(system)));
        }
        *of_file = Some(system.to_owned());
        self.transformation = transformation.map(Arc::new);
        Ok(())
    }

    /// Whether coordinates change.
    pub(crate) fn transforms(&self) -> bool {
        self.transformation.is_some()
    }

    /// Returns the system of coordinates that were read from a file in `system`.
    pub(crate) fn system_of<'a>(&'a self, system: &'a str) -> &'a str {
        self.systems.as_ref().map_or(system, |systems| &systems.run)
    }

    /// Transforms a point; a coordinate that is unknown (NaN) leaves it unchanged.
    ///
    /// # Errors
    /// If the point is not in the domain of the systems: the end of a sentence about it, and the remedy.
    #[inline]
    pub(crate) fn apply(&self, x: f64, y: f64) -> Result<(f64, f64), (String, String)> {
        match &self.transformation {
            Some(transformation) if !x.is_nan() && !y.is_nan() => {
                let found = transformation.apply_rounded(x, y);
                found.map(|[x, y]| (x, y)).ok_or_else(|| self.outside(x, y))
            }
            _ => Ok((x, y)),
        }
    }

    #[cold]
    fn outside(&self, x: f64, y: f64) -> (String, String) {
        let Some(Systems { run, parameter, of_config, of_file }) = &self.systems else { return Default::default() };
        let file = of_file.as_deref().or(of_config.as_deref()).unwrap_or_default();
        let message = format!("has x {x} and y {y}, which cannot be transformed from {file} to {run}");
        let remedy = format!(
            "Correct the coordinate, or the system of the file: its attribute coordinateReferenceSystem, or {parameter}."
        );
        (message, remedy)
    }
}

/// Returns the parameters from whose systems coordinates cannot be transformed, with the fault and the remedy.
pub(crate) fn unusable(settings: &Settings) -> Vec<(&'static str, String, String)> {
    let files = &settings.files;
    let reads_facilities = files.facilities.is_some() && !settings.facilities.source.is_from_plans();
    let reads_schedule = files.transit_schedule.is_some() && settings.transit.drives();
    let read = [
        ("network.inputCRS", &files.network_system, files.network.is_some()),
        ("plans.inputCRS", &files.plans_system, files.plans.is_some()),
        ("facilities.inputCRS", &files.facilities_system, reads_facilities),
        ("transit.inputScheduleCRS", &files.schedule_system, reads_schedule),
    ];
    let fault = |(parameter, system, is_read): (&'static str, &Option<String>, bool)| {
        let system = system.as_deref().filter(|_| is_read)?;
        let (message, remedy) = of_parameter(parameter, system, settings).err()?;
        Some((parameter, message, remedy))
    };
    read.into_iter().filter_map(fault).collect()
}

/// Returns the transformation from the system that a parameter names to that of the run, or the fault and the remedy.
fn of_parameter(
    parameter: &str,
    system: &str,
    settings: &Settings,
) -> Result<Option<Transformation>, (String, String)> {
    let run = &settings.global.coordinate_system;
    Transformation::between(system, run).map_err(|reason| {
        let message =
            format!("{parameter} is {}, global.coordinateSystem is {}: {reason}", quoted(system), quoted(run));
        let remedy = format!(
            "Name both as EPSG:code of systems that Throng can transform, global.coordinateSystem one in metres, \
             converting the file if need be; or set {parameter}=null if the file is in the system of the run."
        );
        (message, remedy)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(run: &str, plans: Option<&str>) -> Settings {
        let mut settings = Settings::default();
        settings.global.coordinate_system = run.into();
        settings.files.plans_system = plans.map(str::to_owned);
        settings
    }

    #[test]
    fn the_system_of_the_file_comes_before_that_of_the_config() {
        let settings = settings("EPSG:25833", Some("EPSG:25832"));
        let mut coordinates = InputCoordinates::of_plans(&settings).unwrap();
        // The central meridian of zone 32 is 6 degrees west of that of zone 33.
        let (x, _) = coordinates.apply(500_000.0, 5_800_000.0).unwrap();
        assert!((90_000.0..100_000.0).contains(&x), "{x}");
        let mut warnings = Warnings::new();
        coordinates.file_names("EPSG:4326", "p.xml:3", &mut warnings).unwrap();
        assert_eq!(coordinates.apply(15.0, 0.0), Ok((500_000.0, 0.0)));
        assert_eq!(warnings.count(TWICE), 1);
        coordinates.file_names("EPSG:25833", "p.xml:3", &mut warnings).unwrap();
        assert!(!coordinates.transforms());
        assert_eq!(coordinates.apply(15.0, 0.1), Ok((15.0, 0.1)));
        assert_eq!(coordinates.system_of("x"), "EPSG:25833");
    }

    #[test]
    fn only_a_system_other_than_that_of_the_config_is_a_warning() {
        for (of_config, of_file, count) in [
            (Some("EPSG:4326"), &["WGS84"][..], 0),
            (Some("EPSG:4326"), &["EPSG:25832"], 1),
            (None, &["EPSG:25832", "EPSG:4326"], 0),
            (Some("EPSG:4326"), &["EPSG:25832", "WGS84"], 1),
        ] {
            let mut coordinates = InputCoordinates::of_plans(&settings("EPSG:25833", of_config)).unwrap();
            let mut warnings = Warnings::new();
            for system in of_file {
                coordinates.file_names(system, "p.xml:3", &mut warnings).unwrap();
            }
            assert_eq!(warnings.count(TWICE), count, "{of_config:?} {of_file:?}");
        }
    }

    #[test]
    fn only_known_coordinates_are_transformed() {
        let coordinates = InputCoordinates::of_plans(&settings("EPSG:4326", Some("EPSG:25832"))).unwrap();
        let (x, y) = coordinates.apply(f64::NAN, 1.0).unwrap();
        assert!(x.is_nan() && y == 1.0);
        let coordinates = InputCoordinates::of_plans(&settings("EPSG:25832", Some("WGS84"))).unwrap();
        let (message, remedy) = coordinates.apply(200.0, 1.0).unwrap_err();
        assert_eq!(message, "has x 200 and y 1, which cannot be transformed from WGS84 to EPSG:25832");
        assert!(remedy.contains("plans.inputCRS"), "{remedy}");
        // Without settings, a file may be in any system.
        let mut kept = InputCoordinates::default();
        kept.file_names("Venus", "n.xml:2", &mut Warnings::new()).unwrap();
        assert_eq!((kept.apply(1.5, 2.5), kept.system_of("Venus")), (Ok((1.5, 2.5)), "Venus"));
    }

    #[test]
    fn systems_without_a_transformation_are_refused() {
        let error = InputCoordinates::of_plans(&settings("Atlantis", Some("EPSG:4326"))).unwrap_err().to_string();
        let expected = "plans.inputCRS: plans.inputCRS is \"EPSG:4326\", global.coordinateSystem is \"Atlantis\": the \
            default, Atlantis, is not a real system; name the system of your files, for example EPSG:25832";
        assert!(error.starts_with(expected), "{error}");
        assert!(InputCoordinates::of_plans(&settings("Mars", Some("Mars"))).is_ok());
        let mut of_file = InputCoordinates::of_plans(&settings("EPSG:3068", None)).unwrap();
        let error = of_file.file_names("EPSG:25833", "p.xml:7", &mut Warnings::new()).unwrap_err().to_string();
        assert!(error.starts_with("p.xml:7: coordinates are in \"EPSG:25833\""), "{error}");
        assert!(error.contains("EPSG:3068 cannot be transformed"), "{error}");
    }
}
