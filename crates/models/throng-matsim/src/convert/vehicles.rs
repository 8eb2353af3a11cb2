//! Converts vehicles from version 1 to version 2.
//!
//! Version 2 has attributes where version 1 has separate elements (access and egress time, doors, fuel). It also names
//! the network mode and the flow efficiency of a type; for version 1, a car's values are used unless the file gives
//! others.

use std::fmt::Write as _;
use std::io::{self, BufRead, Write};

use throng_core::{IdTable, InputError, Problems, Warnings, java_double};

use crate::formats::check::{Element, Rule, report};
use crate::formats::text::{push_attribute, push_escaped};
use crate::formats::value::shortened;
use crate::formats::vehicles::{UNKNOWN_ELEMENTS, begin_vehicles};
use crate::formats::xml::{Tag, Token, Xml};

const HEAD: &str = concat!(
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\n",
    "<vehicleDefinitions xmlns=\"http://www.matsim.org/files/dtd\" ",
    "xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" ",
    "xsi:schemaLocation=\"http://www.matsim.org/files/dtd ",
    "http://www.matsim.org/files/dtd/vehicleDefinitions_v2.0.xsd\">\n\n"
);

/// Reads vehicles of version 1 and writes them to `out` as version 2. A write error is the inner result.
///
/// Rejects the same files as the reader of vehicles, so that the reader accepts the result.
pub(super) fn convert(
    input: impl BufRead,
    file: &str,
    out: &mut impl Write,
    warnings: &mut Warnings,
) -> Result<io::Result<()>, InputError> {
    let mut problems = Problems::new();
    let mut converter = Converter {
        file,
        out,
        problems: &mut problems,
        type_ids: IdTable::new(),
        vehicle_ids: IdTable::new(),
        current: VehicleType::default(),
        within_type: false,
    };
    let read = converter.walk(&mut Xml::new(input, file), warnings);
    match read {
        Ok(written) => problems.into_result().map(|()| written),
        Err(error) => report(problems, Err(error)).map(|()| Ok(())),
    }
}

struct Converter<'a, W> {
    file: &'a str,
    out: &'a mut W,
    problems: &'a mut Problems,
    type_ids: IdTable,
    vehicle_ids: IdTable,
    current: VehicleType,
    within_type: bool,
}

impl<W: Write> Converter<'_, W> {
    fn walk<R: BufRead>(&mut self, xml: &mut Xml<R>, warnings: &mut Warnings) -> Result<io::Result<()>, InputError> {
        begin_vehicles(xml)?;
        let mut text = String::from(HEAD);
        loop {
            match xml.read()? {
                Token::Start(tag) if tag.name == "vehicleType" => self.begin_type(&tag),
                Token::Start(tag) if tag.name == "vehicle" => self.vehicle(&tag, &mut text),
                Token::Start(tag) => {
                    let element =
                        Element { file: self.file, line: tag.line, kind: "vehicleType", id: &self.current.id.clone() };
                    if !self.within_type || !self.current.start(&tag, &element, self.problems) {
                        warnings.add(UNKNOWN_ELEMENTS, || format!("{}: <{}>", tag.place(), shortened(tag.name)));
                        xml.skip()?;
                    }
                }
                Token::End(end) => match end.name {
                    "description" => end.text.trim().clone_into(&mut self.current.description),
                    "fuelType" => end.text.trim().clone_into(&mut self.current.fuel_type),
                    "vehicleType" => {
                        self.current.push(&mut text);
                        self.within_type = false;
                    }
                    _ => {}
                },
                Token::Eof => break,
            }
            if let failed @ Err(_) = self.out.write_all(text.as_bytes()) {
                return Ok(failed);
            }
            text.clear();
        }
        Ok(self.out.write_all(b"\n</vehicleDefinitions>"))
    }

    fn begin_type(&mut self, tag: &Tag<'_>) {
        let id = tag.get("id");
        let element = Element { file: self.file, line: tag.line, kind: "vehicleType", id: id.unwrap_or_default() };
        let id = element.required("id", id, self.problems);
        if !id.is_empty()
            && let Err(error) = self.type_ids.insert(id)
        {
            element.refused(&error, self.problems);
        }
        self.current = VehicleType { id: id.to_owned(), ..VehicleType::default() };
        self.within_type = true;
    }

    fn vehicle(&mut self, tag: &Tag<'_>, text: &mut String) {
        let element =
            Element { file: self.file, line: tag.line, kind: "vehicle", id: tag.get("id").unwrap_or_default() };
        let id = element.required("id", tag.get("id"), self.problems);
        let type_id = element.required("type", tag.get("type"), self.problems);
        if self.type_ids.get(type_id).is_none() && !type_id.is_empty() {
            element.unknown_type(type_id, self.problems);
        }
        if !id.is_empty()
            && let Err(error) = self.vehicle_ids.insert(id)
        {
            element.refused(&error, self.problems);
        }
        text.push_str("\t<vehicle");
        push_attribute(text, "id", id);
        push_attribute(text, "type", type_id);
        text.push_str("/>\n");
    }
}

/// A vehicle type of version 1. Numbers missing from the file have MATSim's defaults.
#[derive(Debug)]
struct VehicleType {
    id: String,
    description: String,
    seats: f64,
    standing_room: f64,
    volume_m3: f64,
    length_m: f64,
    width_m: f64,
    maximum_velocity_mps: f64,
    fuel_type: String,
    fuel_consumption: Option<f64>,
    access_time_s: Option<f64>,
    egress_time_s: Option<f64>,
    door_operation: String,
    pcu: f64,
    flow_efficiency: f64,
    network_mode: String,
}

impl Default for VehicleType {
    fn default() -> Self {
        Self {
            id: String::new(),
            description: String::new(),
            seats: 1.0,
            standing_room: 0.0,
            volume_m3: f64::INFINITY,
            length_m: 7.5,
            width_m: 1.0,
            maximum_velocity_mps: f64::INFINITY,
            fuel_type: String::new(),
            fuel_consumption: None,
            access_time_s: None,
            egress_time_s: None,
            door_operation: String::new(),
            pcu: 1.0,
            flow_efficiency: 1.0,
            network_mode: "car".into(),
        }
    }
}

impl VehicleType {
    /// Adds an element within `<vehicleType>`; false if it is unknown.
    fn start(&mut self, tag: &Tag<'_>, element: &Element<'_>, problems: &mut Problems) -> bool {
        let mut value = |name: &'static str, rule| {
            // XML Schema writes `INF`, Java writes `Infinity`.
            let text = tag.get(name).map(|text| if text.trim_ascii() == "INF" { "Infinity" } else { text });
            element.number(name, text, rule, "", problems)
        };
        match tag.name {
            "seats" => self.seats = value("persons", Rule::NotNegative),
            "standingRoom" => self.standing_room = value("persons", Rule::NotNegative),
            "volume" => self.volume_m3 = value("cubicMeters", Rule::NotNegative),
            "length" => self.length_m = value("meter", Rule::Positive),
            "width" => self.width_m = value("meter", Rule::NotNegative),
            "maximumVelocity" => self.maximum_velocity_mps = value("meterPerSecond", Rule::PositiveOrInfinite),
            "gasConsumption" => self.fuel_consumption = Some(value("literPerMeter", Rule::NotNegative)),
            "accessTime" => self.access_time_s = Some(value("secondsPerPerson", Rule::NotNegative)),
            "egressTime" => self.egress_time_s = Some(value("secondsPerPerson", Rule::NotNegative)),
            "passengerCarEquivalents" => self.pcu = value("pce", Rule::Positive),
            // These two were added in version 2, but the reader accepts them in files of either version.
            "flowEfficiencyFactor" => self.flow_efficiency = value("factor", Rule::Positive),
            "networkMode" => {
                element.required("networkMode", tag.get("networkMode"), problems).clone_into(&mut self.network_mode);
            }
            "doorOperation" => tag.get("mode").unwrap_or("serial").clone_into(&mut self.door_operation),
            // The content of these is read as separate elements.
            "description" | "capacity" | "freightCapacity" | "engineInformation" | "fuelType" => {}
            _ => return false,
        }
        true
    }

    /// Appends this type as version 2, in MATSim's layout.
    fn push(&self, out: &mut String) {
        out.push_str("\t<vehicleType");
        push_attribute(out, "id", &self.id);
        out.push_str(">\n");
        let access = self.access_time_s.map(|s| double("accessTimeInSecondsPerPerson", s));
        let doors = non_empty(&self.door_operation)
            .map(|mode| ("doorOperationMode", "org.matsim.vehicles.VehicleType$DoorOperationMode", mode));
        let egress = self.egress_time_s.map(|s| double("egressTimeInSecondsPerPerson", s));
        push_attributes(out, "\t\t", [access, doors, egress]);
        if !self.description.is_empty() {
            out.push_str("\t\t<description>");
            push_escaped(out, &self.description);
            out.push_str("</description>\n");
        }
        out.push_str("\t\t<capacity");
        push_attribute(out, "seats", &self.seats.to_string());
        push_attribute(out, "standingRoomInPersons", &self.standing_room.to_string());
        if self.volume_m3.is_finite() {
            push_attribute(out, "volumeInCubicMeters", &java_double::text(self.volume_m3));
        }
        out.push_str(">\n\n\t\t</capacity>\n");
        push_element(out, "length", "meter", self.length_m);
        push_element(out, "width", "meter", self.width_m);
        if self.maximum_velocity_mps.is_finite() {
            push_element(out, "maximumVelocity", "meterPerSecond", self.maximum_velocity_mps);
        }
        let consumption = self.fuel_consumption.map(|litres| double("fuelConsumptionLitersPerMeter", litres));
        let fuel =
            non_empty(&self.fuel_type).map(|fuel| ("fuelType", "org.matsim.vehicles.EngineInformation$FuelType", fuel));
        if consumption.is_some() || fuel.is_some() {
            out.push_str("\t\t<engineInformation>\n");
            push_attributes(out, "\t\t\t", [consumption, fuel, None]);
            out.push_str("\t\t</engineInformation>\n");
        }
        out.push_str("\t\t<costInformation>\n\n\t\t</costInformation>\n");
        push_element(out, "passengerCarEquivalents", "pce", self.pcu);
        out.push_str("\t\t<networkMode");
        push_attribute(out, "networkMode", &self.network_mode);
        out.push_str("/>\n");
        push_element(out, "flowEfficiencyFactor", "factor", self.flow_efficiency);
        out.push_str("\t</vehicleType>\n\n");
    }
}

/// Name, Java class and value of an attribute.
type Attribute = (&'static str, &'static str, String);

fn double(name: &'static str, value: f64) -> Attribute {
    (name, "java.lang.Double", java_double::text(value))
}

fn non_empty(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}

fn push_attributes(out: &mut String, indent: &str, attributes: [Option<Attribute>; 3]) {
    if attributes.iter().all(Option::is_none) {
        return;
    }
    out.extend([indent, "<attributes>\n"]);
    for (name, class, value) in attributes.into_iter().flatten() {
        out.extend([indent, "\t<attribute"]);
        push_attribute(out, "name", name);
        push_attribute(out, "class", class);
        out.push('>');
        push_escaped(out, &value);
        out.push_str("</attribute>\n");
    }
    out.extend([indent, "</attributes>\n"]);
}

fn push_element(out: &mut String, element: &str, attribute: &str, value: f64) {
    writeln!(out, "\t\t<{element} {attribute}=\"{}\"/>", java_double::text(value))
        .expect("writing to a String cannot fail");
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_testing::reference_data;

    fn converted(text: &str) -> Result<String, String> {
        let mut out = Vec::new();
        let mut warnings = Warnings::new();
        convert(text.as_bytes(), "v.xml", &mut out, &mut warnings).map_err(|error| error.to_string())?.unwrap();
        assert!(warnings.is_empty(), "{warnings:?}");
        Ok(String::from_utf8(out).unwrap())
    }

    /// The expected file was written by MATSim from this input, with types sorted by id.
    #[test]
    fn converted_types_match_matsim() {
        let Some(one) = reference_data("equil_mixed_it0/mode-vehicles.xml") else { return };
        let Some(two) = reference_data("equil_mixed_it0/output_vehicles.xml.gz") else { return };
        let ours = converted(&std::fs::read_to_string(one).unwrap()).unwrap();
        let mut theirs = String::new();
        io::Read::read_to_string(&mut crate::formats::open::TextInput::open(&two).unwrap(), &mut theirs).unwrap();
        let types = |text: &str| {
            let mut types: Vec<_> = text.split("\t<vehicleType").skip(1).map(str::to_owned).collect();
            let last = types.pop().unwrap();
            types.push(last[..last.find("</vehicleType>\n\n").unwrap() + "</vehicleType>\n\n".len()].to_owned());
            types.sort();
            types
        };
        assert_eq!(types(&ours), types(&theirs));
        assert!(ours.starts_with(HEAD) && theirs.starts_with(HEAD));
    }

    #[test]
    fn all_elements_of_version_1_are_converted() {
        let text = converted(
            "<vehicleDefinitions><vehicleType id=\"van &amp; co\"><description> a van </description><capacity>\
             <seats persons=\"5\"/><standingRoom persons=\"10\"/><freightCapacity><volume cubicMeters=\"23.5\"/>\
             </freightCapacity></capacity><length meter=\"9\"/><maximumVelocity meterPerSecond=\"INF\"/>\
             <engineInformation><fuelType>diesel</fuelType><gasConsumption literPerMeter=\"0.25\"/>\
             </engineInformation><passengerCarEquivalents pce=\"2.5\"/></vehicleType>\
             <vehicle id=\"1\" type=\"van &amp; co\"/></vehicleDefinitions>",
        )
        .unwrap();
        let body = text.strip_prefix(HEAD).unwrap();
        assert_eq!(
            body,
            "\t<vehicleType id=\"van &amp; co\">\n\t\t<description>a van</description>\n\
             \t\t<capacity seats=\"5\" standingRoomInPersons=\"10\" volumeInCubicMeters=\"23.5\">\n\n\t\t</capacity>\n\
             \t\t<length meter=\"9.0\"/>\n\t\t<width meter=\"1.0\"/>\n\
             \t\t<engineInformation>\n\t\t\t<attributes>\n\
             \t\t\t\t<attribute name=\"fuelConsumptionLitersPerMeter\" class=\"java.lang.Double\">0.25</attribute>\n\
             \t\t\t\t<attribute name=\"fuelType\" class=\"org.matsim.vehicles.EngineInformation$FuelType\">diesel\
             </attribute>\n\t\t\t</attributes>\n\t\t</engineInformation>\n\
             \t\t<costInformation>\n\n\t\t</costInformation>\n\t\t<passengerCarEquivalents pce=\"2.5\"/>\n\
             \t\t<networkMode networkMode=\"car\"/>\n\t\t<flowEfficiencyFactor factor=\"1.0\"/>\n\t</vehicleType>\n\n\
             \t<vehicle id=\"1\" type=\"van &amp; co\"/>\n\n</vehicleDefinitions>"
        );
    }

    #[test]
    fn conversion_reports_the_problems_of_the_reader() {
        let error = converted(
            "<vehicleDefinitions>\n<vehicleType id=\"a\"><length meter=\"0\"/>\n<width/></vehicleType>\n\
             <vehicle id=\"1\"/>\n<vehicle id=\"2\" type=\"b\"/>\n<vehicle id=\"2\" type=\"a\"/>\n\
             <vehicleType id=\"a\"/></vehicleDefinitions>",
        )
        .unwrap_err();
        let found: Vec<_> = error.lines().filter(|line| !line.starts_with(' ')).collect();
        let expected = [
            "v.xml:2: vehicleType \"a\" has meter \"0\"",
            "v.xml:3: vehicleType \"a\" has no meter",
            "v.xml:4: vehicle \"1\" has no type",
            "v.xml:5: vehicle \"2\" is of type \"b\", which is not defined",
            "v.xml:6: vehicle \"2\" is defined twice",
            "v.xml:7: vehicleType \"a\" is defined twice",
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn elements_foreign_to_version_1_are_kept_or_counted() {
        let text = "<vehicleDefinitions><vehicleType id=\"a\"><flowEfficiencyFactor factor=\"2\"/>\
            <networkMode networkMode=\"bike\"/><wheels><length meter=\"99\"/></wheels></vehicleType><wheels/>\
            </vehicleDefinitions>";
        let (mut out, mut warnings) = (Vec::new(), Warnings::new());
        convert(text.as_bytes(), "v.xml", &mut out, &mut warnings).unwrap().unwrap();
        let text = String::from_utf8(out).unwrap();
        assert!(
            text.contains("<flowEfficiencyFactor factor=\"2.0\"/>") && text.contains("networkMode=\"bike\""),
            "{text}"
        );
        assert!(text.contains("<length meter=\"7.5\"/>"), "{text}");
        assert_eq!(warnings.count(UNKNOWN_ELEMENTS), 2);
    }
}
