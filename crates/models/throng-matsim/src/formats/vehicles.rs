//! Reader for vehicle definitions, versions 1 and 2.

use std::io::BufRead;
use std::path::Path;

use throng_core::{IdTable, InputError, Problems, Warnings};

use super::check::{Element, Rule, report};
use super::open::TextInput;
use super::value::shortened;
use super::xml::{Tag, Token, Xml};
use throng_traffic_scenario::{Doors, Passengers, VehicleType};

/// Vehicle types and vehicles of a file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct VehicleFile {
    /// Vehicle types in the order of the file.
    pub types: Vec<VehicleType>,
    /// Id and type of each vehicle, in the order of the file.
    pub vehicles: Vec<(String, u16)>,
    /// Line of each vehicle.
    pub lines: Vec<u64>,
}

/// Reads the vehicle definitions in `path` (`.xml`, `.xml.gz` or `.xml.zst`).
///
/// Values missing from a type are taken from [`VehicleType::default_car`].
///
/// # Errors
/// All problems of the file, such as nonexistent types, duplicate ids, numbers out of range or malformed XML.
pub fn read_vehicles(path: &Path, warnings: &mut Warnings) -> Result<VehicleFile, InputError> {
    let input = TextInput::open(path)?;
    let name = input.name().to_owned();
    read_vehicles_from(input, &name, warnings)
}

/// Like [`read_vehicles`], but from any reader; `file` is its name in messages.
///
/// # Errors
/// See [`read_vehicles`].
///
/// ```
/// use throng_matsim::formats::vehicles::read_vehicles_from;
/// let text = r#"<vehicleDefinitions><vehicleType id="bike"><passengerCarEquivalents pce="0.25"/></vehicleType>
///     <vehicle id="b1" type="bike"/></vehicleDefinitions>"#;
/// let file = read_vehicles_from(text.as_bytes(), "vehicles.xml", &mut throng_core::Warnings::new())?;
/// assert_eq!(file.types[0].pcu, 0.25);
/// assert_eq!(file.vehicles, [("b1".to_owned(), 0)]);
/// # Ok::<(), throng_core::InputError>(())
/// ```
pub fn read_vehicles_from(input: impl BufRead, file: &str, warnings: &mut Warnings) -> Result<VehicleFile, InputError> {
    let mut reader = Reader {
        file,
        result: VehicleFile::default(),
        type_ids: IdTable::new(),
        ids: IdTable::new(),
        attribute: String::new(),
    };
    let mut problems = Problems::new();
    let read = reader.walk(&mut Xml::new(input, file), warnings, &mut problems);
    report(problems, read).map(|()| reader.result)
}

pub(crate) const UNKNOWN_ELEMENTS: &str = "unknown elements in vehicle files; skipped";

/// Reads up to the root element and checks the version.
pub(crate) fn begin_vehicles<R: BufRead>(xml: &mut Xml<R>) -> Result<(), InputError> {
    xml.root(&["vehicleDefinitions"], "a file of vehicles")?;
    xml.check_doctype("vehicleDefinitions", &[], "vehicles")?;
    let known = ["vehicleDefinitions_v1.0.xsd", "vehicleDefinitions_v2.0.xsd"];
    xml.check_schema("vehicleDefinitions", &known, "vehicles")
}

struct Reader<'a> {
    file: &'a str,
    result: VehicleFile,
    type_ids: IdTable,
    ids: IdTable,
    /// Name of the attribute that is being read.
    attribute: String,
}

impl Reader<'_> {
    fn walk<R: BufRead>(
        &mut self,
        xml: &mut Xml<R>,
        warnings: &mut Warnings,
        problems: &mut Problems,
    ) -> Result<(), InputError> {
        begin_vehicles(xml)?;
        loop {
            match xml.read()? {
                Token::Start(tag) => match tag.name {
                    "vehicle" => self.vehicle(&tag, problems),
                    "vehicleType" => {
                        self.begin_type(&tag, problems);
                        continue;
                    }
                    "attributes" => continue,
                    "attribute" => {
                        tag.get("name").unwrap_or_default().clone_into(&mut self.attribute);
                        continue;
                    }
                    // Version 1 has elements in it.
                    "capacity" if self.property(&tag, problems) => continue,
                    name if IGNORED.contains(&name) || self.property(&tag, problems) => {}
                    name => {
                        warnings.add(UNKNOWN_ELEMENTS, || format!("{}: <{}>", tag.place(), shortened(name)));
                    }
                },
                Token::End(end) => {
                    if end.name == "attribute" {
                        self.attribute_of_type(end.text, end.line, problems);
                    }
                    continue;
                }
                Token::Eof => return Ok(()),
            }
            xml.skip()?;
        }
    }

    /// Sets a property of the most recent type that version 2 has as an attribute.
    fn attribute_of_type(&mut self, value: &str, line: u64, problems: &mut Problems) {
        let name = std::mem::take(&mut self.attribute);
        let Some(VehicleType { id, passengers, .. }) = self.result.types.last_mut() else { return };
        let element = Element { file: self.file, line, kind: "vehicleType", id };
        let mut seconds =
            |name| element.number(name, Some(value), Rule::TimeAtDoors, " (seconds per person)", problems);
        match name.as_str() {
            ACCESS_TIME => passengers.access_s = seconds(ACCESS_TIME),
            EGRESS_TIME => passengers.egress_s = seconds(EGRESS_TIME),
            DOORS => passengers.doors = doors(&element, DOORS, Some(value), problems),
            _ => {}
        }
    }

    fn begin_type(&mut self, tag: &Tag<'_>, problems: &mut Problems) {
        let element =
            Element { file: self.file, line: tag.line, kind: "vehicleType", id: tag.get("id").unwrap_or_default() };
        let id = element.required("id", tag.get("id"), problems);
        if let Err(error) = self.type_ids.insert(id) {
            element.refused(&error, problems);
        }
        if self.result.types.len() == usize::from(u16::MAX) {
            problems.push(element.place(), "there are more than 65535 vehicle types", "Use fewer types.");
        }
        let passengers = Passengers::default();
        self.result.types.push(VehicleType { id: id.to_owned(), passengers, ..VehicleType::default_car() });
    }

    /// Sets a property of the most recent type; false if there is no type, or the element is no known property.
    fn property(&mut self, tag: &Tag<'_>, problems: &mut Problems) -> bool {
        let Some(vehicle_type) = self.result.types.last_mut() else { return false };
        let id = vehicle_type.id.clone();
        let element = Element { file: self.file, line: tag.line, kind: "vehicleType", id: &id };
        let mut number = |attribute: &'static str, rule, unit| {
            // `INF` is XML Schema's name for infinity.
            let text = tag.get(attribute).map(|text| if text == "INF" { "Infinity" } else { text });
            element.number(attribute, text, rule, unit, problems)
        };
        match tag.name {
            "length" => vehicle_type.length_m = number("meter", Rule::Positive, " (metres)"),
            "width" => vehicle_type.width_m = number("meter", Rule::NotNegative, " (metres)"),
            "maximumVelocity" => {
                let speed = number("meterPerSecond", Rule::PositiveOrInfinite, " (metres per second)");
                vehicle_type.maximum_velocity_mps = speed;
            }
            "passengerCarEquivalents" => vehicle_type.pcu = number("pce", Rule::Positive, ""),
            "capacity" => {
                let mut persons = |attribute, known| match tag.get(attribute) {
                    None => known,
                    text => number_of_persons(&element, attribute, text, problems),
                };
                let passengers = &mut vehicle_type.passengers;
                passengers.seats = persons("seats", passengers.seats);
                passengers.standing = persons("standingRoomInPersons", passengers.standing);
            }
            "seats" => {
                vehicle_type.passengers.seats = number_of_persons(&element, "persons", tag.get("persons"), problems);
            }
            "standingRoom" => {
                vehicle_type.passengers.standing = number_of_persons(&element, "persons", tag.get("persons"), problems);
            }
            "accessTime" => {
                let rule = Rule::TimeAtDoors;
                vehicle_type.passengers.access_s = number("secondsPerPerson", rule, " (seconds per person)");
            }
            "egressTime" => {
                let rule = Rule::TimeAtDoors;
                vehicle_type.passengers.egress_s = number("secondsPerPerson", rule, " (seconds per person)");
            }
            "doorOperation" => {
                vehicle_type.passengers.doors = doors(&element, "mode", tag.get("mode"), problems);
            }
            "flowEfficiencyFactor" => vehicle_type.flow_efficiency = number("factor", Rule::Positive, ""),
            "networkMode" => {
                let mode = element.required("networkMode", tag.get("networkMode"), problems);
                mode.clone_into(&mut vehicle_type.network_mode);
            }
            _ => return false,
        }
        true
    }

    fn vehicle(&mut self, tag: &Tag<'_>, problems: &mut Problems) {
        let element =
            Element { file: self.file, line: tag.line, kind: "vehicle", id: tag.get("id").unwrap_or_default() };
        let id = element.required("id", tag.get("id"), problems);
        let type_name = element.required("type", tag.get("type"), problems);
        let type_index = self.type_ids.get(type_name);
        if type_index.is_none() && !type_name.is_empty() {
            element.unknown_type(type_name, problems);
        }
        if !id.is_empty()
            && let Err(error) = self.ids.insert(id)
        {
            element.refused(&error, problems);
        }
        self.result.vehicles.push((id.to_owned(), type_index.unwrap_or_default() as u16));
        self.result.lines.push(tag.line);
    }
}

/// Attributes of types that MATSim writes in version 2.
const ACCESS_TIME: &str = "accessTimeInSecondsPerPerson";
const EGRESS_TIME: &str = "egressTimeInSecondsPerPerson";
const DOORS: &str = "doorOperationMode";

fn number_of_persons(element: &Element<'_>, attribute: &str, text: Option<&str>, problems: &mut Problems) -> u32 {
    // Some programs write 5.0.
    let whole = |text: &str| text.trim().strip_suffix(".0").unwrap_or(text.trim()).parse::<u32>().ok();
    text.and_then(whole).unwrap_or_else(|| {
        element.bad(attribute, text, "Expected a whole number of persons.", problems);
        0
    })
}

fn doors(element: &Element<'_>, attribute: &str, text: Option<&str>, problems: &mut Problems) -> Doors {
    match text.map(str::trim) {
        Some("parallel") => Doors::Parallel,
        Some("serial") => Doors::Serial,
        _ => {
            element.bad(attribute, text, "Expected serial or parallel.", problems);
            Doors::Serial
        }
    }
}

/// Elements of vehicle files that do not matter for the simulation.
const IGNORED: [&str; 4] = ["description", "engineInformation", "costInformation", "fuelType"];

#[cfg(test)]
mod tests {
    use super::*;
    use throng_testing::reference_data;

    fn read(text: &str) -> Result<VehicleFile, InputError> {
        let mut warnings = Warnings::new();
        let file = read_vehicles_from(text.as_bytes(), "v.xml", &mut warnings);
        assert!(file.is_err() || warnings.is_empty(), "{warnings:?}");
        file
    }

    fn problems(content: &str) -> String {
        problems_of(&format!("<vehicleDefinitions>\n{content}</vehicleDefinitions>"))
    }

    fn problems_of(text: &str) -> String {
        read(text).unwrap_err().to_string()
    }

    #[test]
    fn version_2_with_everything() {
        let text = r#"<vehicleDefinitions xmlns="http://www.matsim.org/files/dtd">
    <vehicleType id="truck">
        <attributes><attribute name="accessTime" class="java.lang.Double">1.0</attribute></attributes>
        <description>a truck</description>
        <capacity seats="2" standingRoomInPersons="0"><attributes/></capacity>
        <length meter="12.5"/>
        <width meter="2.5"/>
        <maximumVelocity meterPerSecond="22.2"/>
        <engineInformation><attributes/></engineInformation>
        <costInformation fixedCostsPerDay="1"/>
        <passengerCarEquivalents pce="3.5"/>
        <networkMode networkMode="freight"/>
        <flowEfficiencyFactor factor="0.5"/>
    </vehicleType>
    <vehicleType id="plain"/>
    <vehicle id="1" type="plain"><attributes><attribute name="a" class="b">c</attribute></attributes></vehicle>
    <vehicle id="2" type="truck"/>
</vehicleDefinitions>"#;
        let file = read(text).unwrap();
        let truck = VehicleType {
            id: "truck".into(),
            length_m: 12.5,
            width_m: 2.5,
            maximum_velocity_mps: 22.2,
            pcu: 3.5,
            flow_efficiency: 0.5,
            network_mode: "freight".into(),
            passengers: Passengers { seats: 2, ..Passengers::default() },
        };
        assert_eq!(
            file.types,
            [
                truck,
                VehicleType { id: "plain".into(), passengers: Passengers::default(), ..VehicleType::default_car() }
            ]
        );
        assert_eq!(file.vehicles, [("1".to_owned(), 1), ("2".to_owned(), 0)]);
    }

    #[test]
    fn both_versions_have_places_and_doors() {
        let bus = Passengers { seats: 30, standing: 20, access_s: 0.5, egress_s: 2.0, doors: Doors::Parallel };
        let first = r#"<vehicleDefinitions><vehicleType id="bus">
            <capacity><seats persons="30"/><standingRoom persons="20"/></capacity>
            <accessTime secondsPerPerson="0.5"/><egressTime secondsPerPerson="2"/><doorOperation mode="parallel"/>
            </vehicleType><vehicleType id="van"/></vehicleDefinitions>"#;
        let second = r#"<vehicleDefinitions><vehicleType id="bus"><attributes>
            <attribute name="accessTimeInSecondsPerPerson" class="java.lang.Double">0.5</attribute>
            <attribute name="doorOperationMode" class="java.lang.String">parallel</attribute>
            <attribute name="egressTimeInSecondsPerPerson" class="java.lang.Double">2.0</attribute></attributes>
            <capacity seats="30" standingRoomInPersons="20"/></vehicleType><vehicleType id="van"/></vehicleDefinitions>"#;
        for text in [first, second] {
            let types = read(text).unwrap().types;
            assert_eq!([types[0].passengers, types[1].passengers], [bus, Passengers::default()]);
        }
        let text = problems(
            "<vehicleType id='t'>\n<capacity seats='x'/>\n<doorOperation mode='open'/>\n<accessTime/></vehicleType>",
        );
        for part in [
            "v.xml:3: vehicleType \"t\" has seats \"x\"",
            "v.xml:4: vehicleType \"t\" has mode \"open\"",
            "has no secondsPerPerson",
        ] {
            assert!(text.contains(part), "{text}");
        }
    }

    #[test]
    fn bad_values_are_problems() {
        let text = problems(
            "<vehicleType id='t'>\n<length meter='0'/>\n<maximumVelocity meterPerSecond='-1'/>\n\
             <passengerCarEquivalents pce='NaN'/>\n<flowEfficiencyFactor/>\n<networkMode/></vehicleType>\n\
             <vehicleType id='t'/>\n<vehicle id='1' type='t'/><vehicle id='1' type='t'/>\n<vehicle id='2' type='x'/>\n\
             <vehicle id='3'/>",
        );
        let found: Vec<_> = text.lines().filter(|line| !line.starts_with(' ')).collect();
        let expected = [
            "v.xml:3: vehicleType \"t\" has meter \"0\"",
            "v.xml:4: vehicleType \"t\" has meterPerSecond \"-1\"",
            "v.xml:5: vehicleType \"t\" has pce \"NaN\"",
            "v.xml:6: vehicleType \"t\" has no factor",
            "v.xml:7: vehicleType \"t\" has no networkMode",
            "v.xml:8: vehicleType \"t\" is defined twice",
            "v.xml:9: vehicle \"1\" is defined twice",
            "v.xml:10: vehicle \"2\" is of type \"x\", which is not defined",
            "v.xml:11: vehicle \"3\" has no type",
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn empty_truncated_and_oversized_files_are_refused() {
        assert!(
            read("<network/>")
                .unwrap_err()
                .to_string()
                .contains("this is a network (<network>), not a file of vehicles")
        );
        let text = problems_of(
            "<vehicleDefinitions xsi:schemaLocation='http://x http://x/vehicleDefinitions_v3.0.xsd'></vehicleDefinitions>",
        );
        assert!(text.contains("the schema \"vehicleDefinitions_v3.0.xsd\" is not known for vehicles"), "{text}");
        let text = problems_of("<!DOCTYPE network SYSTEM 'network_v1.dtd'><vehicleDefinitions/>");
        assert!(text.contains("the DOCTYPE names <network>"), "{text}");
        assert!(read("").unwrap_err().to_string().contains("no XML element"));
        assert!(read("<vehicleDefinitions><vehicle").is_err());
        let many: Vec<_> = (0..65_536).map(|i| format!("<vehicleType id='{i}'/>")).collect();
        assert!(problems(&many.concat()).contains("more than 65535"));
    }

    #[test]
    fn unknown_elements_are_warnings() {
        let text = "<vehicleDefinitions><wheels><n/></wheels><length meter='0'/></vehicleDefinitions>";
        let mut warnings = Warnings::new();
        read_vehicles_from(text.as_bytes(), "v.xml", &mut warnings).unwrap();
        // A length outside of any type is also unknown.
        assert_eq!(warnings.count(UNKNOWN_ELEMENTS), 2);
        assert_eq!(warnings.iter().next().unwrap().1.example, "v.xml:1: <wheels>");
    }

    #[test]
    fn files_of_the_reference_data() {
        for (path, types, vehicles) in [
            ("equil_mixed_it0/mode-vehicles.xml", 2, 0),
            ("equil100/controler_it0_fast/output_vehicles.xml.gz", 1, 100),
        ] {
            let Some(file) = reference_data(path) else { continue };
            let mut warnings = Warnings::new();
            let file = read_vehicles(&file, &mut warnings).unwrap();
            assert_eq!((file.types.len(), file.vehicles.len()), (types, vehicles), "{path}");
            assert!(warnings.is_empty(), "{path}: {warnings:?}");
        }
        let Some(path) = reference_data("equil_mixed_it0/mode-vehicles.xml") else { return };
        let types = read_vehicles(&path, &mut Warnings::new()).unwrap().types;
        assert_eq!((types[1].id.as_str(), types[1].pcu, types[1].maximum_velocity_mps), ("bicycle", 0.25, 4.17));
    }

    proptest::proptest! {
        #[test]
        fn damaged_files_never_panic(at in 0_usize..200, byte: u8, cut in 0_usize..200) {
            let mut bytes = b"<vehicleDefinitions><vehicleType id='t'><length meter='1'/><networkMode networkMode='c'/>\
                </vehicleType><vehicle id='1' type='t'/></vehicleDefinitions>".to_vec();
            bytes.truncate(cut.max(30));
            if let Some(place) = bytes.get_mut(at) {
                *place = byte;
            }
            let _ = read_vehicles_from(&bytes[..], "v.xml", &mut Warnings::new());
        }
    }
}
