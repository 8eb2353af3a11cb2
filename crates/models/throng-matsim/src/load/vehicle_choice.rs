//! Chooses the vehicle of each leg.

use std::path::Path;

use throng_core::{IdError, InputError, NONE, Problems, Warnings};

use super::flat_json;
use super::report::Report;
use crate::formats::check::ID_REMEDY;
use crate::formats::person::{PersonRecord, Text};
use crate::formats::value::quoted;
use throng_traffic_scenario::settings::{Settings, VehiclesSource};
use throng_traffic_scenario::{ModeId, ModeTable, VehicleType, Vehicles};

const UNUSED_FILE: &str = "no vehicle of vehicles.vehiclesFile has the id of a vehicle that a person uses, so that the \
    file has no effect; set qsim.vehiclesSource=fromVehiclesData or modeVehicleTypesFromVehiclesData";
const NAMED_AFTER: &str = "persons have no vehicle of their own for a mode; they use that with their id, which is for \
    this mode";

/// Finds and creates the vehicles of legs.
#[derive(Debug)]
pub(super) struct VehicleChoice {
    source: VehiclesSource,
    /// Whether a car has the id of its owner.
    car_id_is_person_id: bool,
    pub(super) vehicles: Vehicles,
    // Vehicle type for vehicles created for a mode, by mode index.
    type_of_mode: Vec<u16>,
    first_user: Vec<u32>,
    /// Number of vehicles that were read; they come first.
    read: usize,
    // Person, mode and vehicle of the last leg whose route named no vehicle; saves a lookup on the way back.
    last: (u32, ModeId, u32),
    id: String,
    scratch: [String; 2],
}

impl VehicleChoice {
    /// Starts with the `vehicles` that were read from a file.
    ///
    /// # Errors
    /// If the vehicles file lacks the types of simulated modes.
    pub(super) fn new(settings: &Settings, modes: &ModeTable, mut vehicles: Vehicles) -> Result<Self, InputError> {
        let source = settings.qsim.vehicles_source;
        let mut type_of_mode = Vec::new();
        match source {
            VehiclesSource::FromVehiclesData => {}
            VehiclesSource::DefaultVehicle => {
                let default = VehicleType::default_car();
                let position = vehicles.types.iter().position(|t| t.id == default.id).unwrap_or_else(|| {
                    vehicles.types.push(default);
                    vehicles.types.len() - 1
                });
                type_of_mode = vec![position as u16; 256];
            }
            VehiclesSource::ModeVehicleTypesFromVehiclesData => {
                type_of_mode = vec![u16::MAX; 256];
                let mut problems = Problems::new();
                for name in &settings.qsim.main_modes {
                    let Some(mode) = modes.get(name) else { continue };
                    let Some(position) = vehicles.types.iter().position(|t| &t.id == name) else {
                        missing_type(settings, name, &mut problems);
                        continue;
                    };
                    type_of_mode[usize::from(mode.0)] = position as u16;
                }
                problems.into_result()?;
            }
        }
        let is_recent = settings.extensions.compat.is_recent();
        let by_mode = source == VehiclesSource::ModeVehicleTypesFromVehiclesData;
        let read = vehicles.type_of.len();
        vehicles.start_link.resize(read, NONE);
        Ok(Self {
            source,
            car_id_is_person_id: settings.qsim.use_person_id_for_missing_vehicle_id && !(is_recent && by_mode),
            vehicles,
            type_of_mode,
            first_user: vec![NONE; read],
            read,
            last: (NONE, ModeId::NONE, NONE),
            id: String::new(),
            scratch: <[String; 2]>::default(),
        })
    }

    /// Returns the vehicle for a leg of a simulated `mode`. If this is the vehicle's first leg, it is parked at `home`
    /// at the beginning of the day. [`NONE`] if there is no such vehicle, which has been reported as a problem.
    pub(super) fn choose(
        &mut self,
        person: (u32, &PersonRecord),
        mode: (ModeId, &str),
        given: Text,
        home: u32,
        line: u64,
        report: &mut Report<'_>,
    ) -> u32 {
        let (index, record) = person;
        if given.is_none() && (self.last.0, self.last.1) == (index, mode.0) {
            return self.last.2;
        }
        self.id.clear();
        let mut known = None;
        if let Some(id) = record.optional(given) {
            self.id.push_str(id);
        } else if self.name_for(record, mode.1, report) {
            known = self.named_after(record, mode.1, line, report);
        }
        let vehicle = match self.vehicles.ids.get(&self.id).or(known) {
            Some(vehicle) => vehicle,
            None if self.source == VehiclesSource::FromVehiclesData => {
                let message = format!(
                    "person {} needs vehicle {} for mode {}, which the vehicles file does not have",
                    quoted(record.id()),
                    quoted(&self.id),
                    mode.1
                );
                let remedy = "Add the vehicle, or name another in the route or in the attribute \"vehicles\" of the \
                    person, or set qsim.vehiclesSource to defaultVehicle.";
                report.problem(line, message, remedy);
                return NONE;
            }
            None => match self.make(record, mode, report) {
                Ok(vehicle) => vehicle,
                Err(error) => {
                    let message = format!("the vehicle of person {} has {error}", quoted(record.id()));
                    report.problem(line, message, ID_REMEDY);
                    return NONE;
                }
            },
        };
        let first = &mut self.first_user[vehicle as usize];
        if *first == NONE {
            *first = index;
            self.vehicles.start_link[vehicle as usize] = home;
        } else if *first != index && self.vehicles.start_link[vehicle as usize] != home {
            let kind = "persons share a vehicle but start at different links; it starts with the first of them";
            report.warn(kind, line, || format!("vehicle {}", quoted(self.vehicles.ids.name(vehicle))));
        }
        if given.is_none() {
            self.last = (index, mode.0, vehicle);
        }
        vehicle
    }

    /// Returns the finished vehicles. Warns if none of the `file` is used: by default, only those are that have the id
    /// of a vehicle of a person.
    pub(super) fn finish(self, file: Option<&Path>, warnings: &mut Warnings) -> Vehicles {
        let of_file = self.first_user.iter().take(self.read);
        if let Some(file) = file.filter(|_| self.source == VehiclesSource::DefaultVehicle)
            && of_file.into_iter().all(|&user| user == NONE)
        {
            warnings.add(UNUSED_FILE, || file.display().to_string());
        }
        self.vehicles
    }

    /// Returns the maximum speed of vehicles created for `mode`, in m/s; infinity if none are created.
    pub(super) fn speed_of_mode(&self, mode: ModeId) -> f64 {
        let of_mode = self.type_of_mode.get(usize::from(mode.0));
        let known = of_mode.and_then(|&position| self.vehicles.types.get(usize::from(position)));
        known.map_or(f64::INFINITY, |t| t.maximum_velocity_mps)
    }

    /// Writes the id of the person's own vehicle to `self.id`; false if the person names it.
    fn name_for(&mut self, record: &PersonRecord, mode: &str, report: &mut Report<'_>) -> bool {
        let Self { id, scratch, .. } = self;
        if lookup(record, "vehicles", mode, scratch, report, |found| id.push_str(found)) {
            return false;
        }
        self.id.push_str(record.id());
        if !(mode == "car" && self.car_id_is_person_id) {
            self.id.push('_');
            self.id.push_str(mode);
        }
        true
    }

    /// Returns the vehicle of the file that has the id of the person and a type for `mode`, for a leg whose own vehicle
    /// is not there. Early releases of MATSim used it for all modes; now, a program assigns it.
    fn named_after(&self, record: &PersonRecord, mode: &str, line: u64, report: &mut Report<'_>) -> Option<u32> {
        let is_asked = self.source == VehiclesSource::FromVehiclesData && self.car_id_is_person_id;
        if !is_asked || self.vehicles.ids.get(&self.id).is_some() {
            return None;
        }
        let vehicle = self.vehicles.ids.get(record.id())?;
        let of_vehicle = self.vehicles.types.get(usize::from(self.vehicles.type_of[vehicle as usize]))?;
        if of_vehicle.id != mode && of_vehicle.network_mode != mode {
            return None;
        }
        report.warn(NAMED_AFTER, line, || format!("person {}, mode {mode}", quoted(record.id())));
        Some(vehicle)
    }

    fn make(
        &mut self,
        record: &PersonRecord,
        (mode, name): (ModeId, &str),
        report: &mut Report<'_>,
    ) -> Result<u32, IdError> {
        let mut position = self.type_of_mode.get(usize::from(mode.0)).copied().unwrap_or_default();
        let Self { vehicles, scratch, .. } = self;
        let mut unknown = None;
        lookup(record, "vehicleTypes", name, scratch, report, |id| {
            match vehicles.types.iter().position(|t| t.id == id) {
                Some(found) => position = found as u16,
                None => unknown = Some(quoted(id)),
            }
        });
        if let Some(id) = unknown {
            let message = format!("person {} asks for vehicle type {id}, which is not defined", quoted(record.id()));
            report.problem(record.line, message, "Define the type in the vehicles file, or correct its name.");
        }
        let vehicle = vehicles.ids.intern(&self.id)?;
        vehicles.type_of.push(position);
        vehicles.start_link.push(NONE);
        self.first_user.push(NONE);
        Ok(vehicle)
    }
}

/// Looks up `mode` in the JSON of a person attribute; false if the person has no entry for this mode.
fn lookup(
    record: &PersonRecord,
    attribute: &str,
    mode: &str,
    scratch: &mut [String; 2],
    report: &mut Report<'_>,
    mut take: impl FnMut(&str),
) -> bool {
    let Some(json) = record.attribute(record.attributes, attribute) else { return false };
    let mut found = false;
    let understood = flat_json::each(json, scratch, |key, value| {
        if key == mode && !found {
            found = true;
            take(value);
        }
    });
    if !understood {
        let message = format!("attribute {attribute} of person {} is {}", quoted(record.id()), quoted(json));
        report.problem(record.line, message, "Expected JSON such as {\"car\":\"17\",\"bike\":\"17_bike\"}.");
    }
    found
}

fn missing_type(settings: &Settings, mode: &str, problems: &mut Problems) {
    let file = settings.files.vehicles.as_ref().map(|path| path.display().to_string());
    problems.push(
        file.unwrap_or_else(|| "vehicles.vehiclesFile".into()),
        format!("there is no vehicle type {} for mode {mode}", quoted(mode)),
        "With qsim.vehiclesSource=modeVehicleTypesFromVehiclesData the file must have a type with the name of each main mode.",
    );
}

#[cfg(test)]
mod tests {
    use throng_traffic_scenario::settings::Compat;

    use super::*;
    use crate::formats::person::Attribute;

    fn person(id: &str, attributes: &[(&str, &str)]) -> PersonRecord {
        let mut person = PersonRecord::new();
        person.id = person.add_text(id);
        let mut range = person.begin_attributes();
        for (name, value) in attributes {
            let attribute = Attribute { name: person.add_text(name), class: Text::NONE, value: person.add_text(value) };
            person.add_attribute(&mut range, attribute);
        }
        person.attributes = range;
        person
    }

    fn settings(source: VehiclesSource, compat: Compat) -> Settings {
        let mut settings = Settings::default();
        settings.qsim.vehicles_source = source;
        settings.qsim.main_modes = vec!["car".into(), "bike".into()];
        settings.extensions.compat = compat;
        settings
    }

    fn types(ids: &[&str]) -> Vehicles {
        let types = ids.iter().map(|&id| VehicleType { id: id.into(), ..VehicleType::default_car() }).collect();
        Vehicles { types, ..Vehicles::default() }
    }

    struct Run {
        names: Vec<String>,
        vehicles: Vehicles,
        problems: String,
        warnings: Warnings,
    }

    fn choose(settings: &Settings, vehicles: Vehicles, legs: &[(&PersonRecord, &str, Text, u32)]) -> Run {
        let mut modes = ModeTable::default();
        for mode in ["car", "bike"] {
            modes.intern(mode);
        }
        let mut choice = VehicleChoice::new(settings, &modes, vehicles).unwrap();
        let mut warnings = Warnings::new();
        let mut report = Report::new("plans.xml".into(), &mut warnings);
        let mut chosen = Vec::new();
        for (index, &(person, mode, given, home)) in legs.iter().enumerate() {
            let mode = (modes.get(mode).unwrap(), mode);
            chosen.push(choice.choose((index as u32, person), mode, given, home, 9, &mut report));
        }
        let problems = report.problems.to_string();
        let vehicles = choice.finish(Some(Path::new("vehicles.xml")), &mut warnings);
        let name = |v: &u32| if *v == NONE { "-".into() } else { vehicles.ids.name(*v).to_owned() };
        let names = chosen.iter().map(name).collect();
        Run { names, vehicles, problems, warnings }
    }

    #[test]
    fn own_vehicles_are_named_after_person_and_mode() {
        use VehiclesSource::{DefaultVehicle, ModeVehicleTypesFromVehiclesData as ByMode};
        let ann = person("ann", &[]);
        let legs = [(&ann, "car", Text::NONE, 3), (&ann, "bike", Text::NONE, 3)];
        for (source, compat, car) in [
            (DefaultVehicle, Compat::Matsim13, "ann"),
            (DefaultVehicle, Compat::Matsim2024, "ann"),
            (ByMode, Compat::Matsim13, "ann"),
            (ByMode, Compat::Matsim2024, "ann_car"),
        ] {
            let run = choose(&settings(source, compat), types(&["bike", "car"]), &legs);
            assert_eq!(run.names, [car, "ann_bike"], "{source:?} {compat:?}");
            let expected = if source == ByMode { [1, 0] } else { [2, 2] };
            assert_eq!(run.vehicles.type_of, expected);
            assert_eq!(run.vehicles.start_link, [3, 3]);
            assert!(run.problems.is_empty());
        }
    }

    #[test]
    fn the_route_comes_first_then_the_attribute() {
        let mut ann = person("ann", &[("vehicles", r#"{"car":"limousine"}"#), ("vehicleTypes", r#"{"bike":"cargo"}"#)]);
        let given = ann.add_text("taxi");
        let legs = [(&ann, "car", given, 1), (&ann, "car", Text::NONE, 1), (&ann, "bike", Text::NONE, 1)];
        let run = choose(&settings(VehiclesSource::DefaultVehicle, Compat::Matsim13), types(&["cargo"]), &legs);
        assert_eq!(run.names, ["taxi", "limousine", "ann_bike"]);
        assert_eq!(run.vehicles.type_of, [1, 1, 0]);
    }

    #[test]
    fn shared_vehicles_start_with_their_first_user() {
        let (mut ann, mut bob) = (person("ann", &[]), person("bob", &[]));
        let given = [ann.add_text("van"), bob.add_text("van")];
        let legs = [(&ann, "car", given[0], 1), (&bob, "car", given[1], 2), (&bob, "bike", Text::NONE, 2)];
        let mut vehicles = types(&["truck"]);
        vehicles.ids.intern("van").unwrap();
        vehicles.type_of.push(0);
        let run = choose(&settings(VehiclesSource::DefaultVehicle, Compat::Matsim13), vehicles, &legs);
        assert_eq!((run.vehicles.start_link, run.vehicles.type_of), (vec![1, 2], vec![0, 1]));
        assert_eq!(run.warnings.iter().map(|(_, w)| w.count).sum::<u64>(), 1);
    }

    #[test]
    fn a_file_without_the_vehicles_of_persons_is_reported() {
        let ann = person("ann", &[]);
        let mut vehicles = types(&["truck"]);
        vehicles.ids.intern("tom").unwrap();
        vehicles.type_of.push(0);
        let settings = settings(VehiclesSource::DefaultVehicle, Compat::Matsim2024);
        let run = choose(&settings, vehicles.clone(), &[(&ann, "car", Text::NONE, 1)]);
        assert_eq!(run.warnings.iter().map(|(kind, w)| (kind, w.count)).collect::<Vec<_>>(), [(UNUSED_FILE, 1)]);
        let tom = person("tom", &[]);
        let run = choose(&settings, vehicles, &[(&ann, "car", Text::NONE, 1), (&tom, "car", Text::NONE, 1)]);
        assert!(run.warnings.is_empty());
    }

    #[test]
    fn missing_vehicles_are_reported() {
        let ann = person("ann", &[("vehicles", "[]")]);
        let mut vehicles = types(&["truck"]);
        vehicles.ids.intern("ann").unwrap();
        vehicles.type_of.push(0);
        let settings = settings(VehiclesSource::FromVehiclesData, Compat::Matsim2024);
        let run = choose(&settings, vehicles, &[(&ann, "car", Text::NONE, 4), (&ann, "bike", Text::NONE, 4)]);
        assert_eq!(run.names, ["ann", "-"]);
        assert!(run.problems.contains("plans.xml:9: person \"ann\" needs vehicle \"ann_bike\" for mode bike"));
        assert!(run.problems.contains("attribute vehicles of person \"ann\" is \"[]\""));
    }

    #[test]
    fn a_vehicle_with_the_id_of_the_person_serves_the_mode_of_its_type() {
        let [ann, bob, mut tom] = ["ann", "bob", "tom"].map(|id| person(id, &[]));
        let eve = person("eve", &[("vehicles", r#"{"bike":"tandem"}"#)]);
        let [given, of_bob] = ["van", "bob"].map(|id| tom.add_text(id));
        let mut vehicles = types(&["bike", "van"]);
        vehicles.types[1].network_mode = "bike".into();
        vehicles.types.push(VehicleType { id: "car".into(), ..VehicleType::default_car() });
        for (id, type_of) in [("ann", 0), ("bob", 1), ("eve", 0), ("tom", 2)] {
            vehicles.ids.intern(id).unwrap();
            vehicles.type_of.push(type_of);
        }
        let mut settings = settings(VehiclesSource::FromVehiclesData, Compat::Matsim2024);
        let legs = [&ann, &bob, &eve, &tom].map(|person| (person, "bike", Text::NONE, 1));
        let run = choose(&settings, vehicles.clone(), &legs);
        assert_eq!(run.names, ["ann", "bob", "-", "-"], "eve names another, and tom's is a car");
        assert_eq!(run.warnings.iter().map(|(_, w)| w.count).sum::<u64>(), 2);
        assert_eq!(choose(&settings, vehicles.clone(), &[(&tom, "car", given, 1)]).names, ["-"]);
        let run = choose(&settings, vehicles.clone(), &[(&tom, "car", of_bob, 1), (&bob, "bike", Text::NONE, 2)]);
        let shared = run.warnings.iter().find(|(kind, _)| kind.starts_with("persons share a vehicle")).unwrap().1;
        assert!(shared.example.contains("vehicle \"bob\""), "{}", shared.example);
        settings.qsim.use_person_id_for_missing_vehicle_id = false;
        let run = choose(&settings, vehicles, &legs);
        assert_eq!(run.names, ["-"; 4]);
    }

    #[test]
    fn each_main_mode_has_a_type() {
        let mut modes = ModeTable::default();
        modes.intern("car");
        modes.intern("bike");
        let settings = settings(VehiclesSource::ModeVehicleTypesFromVehiclesData, Compat::Matsim2024);
        let error = VehicleChoice::new(&settings, &modes, types(&["car"])).unwrap_err().to_string();
        assert!(error.contains("there is no vehicle type \"bike\""), "{error}");
    }
}
