//! Writes the vehicles of a run: those of its vehicles file as they are in it, and those that were created for plans.

use std::collections::BTreeSet;
use std::io::{self, BufRead, Read, Write};
use std::path::Path;

use throng_core::{InputError, Warnings};
use throng_output::FileError;
use throng_traffic_scenario::Vehicles;

use super::{kind_of, vehicles};
use crate::formats::open::TextInput;
use crate::formats::vehicles_writer::{push_type, push_vehicle, write_vehicle_list};
use crate::formats::xml::{Token, Xml};

/// Writes the first `count` of `used` in version 2 to `out`, which messages call `output`. Those that come from the
/// file `input` are copied with everything that the file says about them; `None` if there is no file.
///
/// # Errors
/// If the file cannot be read, or `out` cannot be written.
pub fn write_used_vehicles(
    input: Option<&Path>,
    used: &Vehicles,
    count: u32,
    out: &mut impl Write,
    output: &Path,
) -> Result<(), FileError> {
    let failed = |error: io::Error| FileError::writing(output, error);
    let Some(input) = input else { return write_all(used, count, out).map_err(failed) };
    if let (_, Some(1)) = kind_of(input)? {
        let (text, mut converted) = (TextInput::open(input)?, Vec::new());
        let file = text.name().to_owned();
        // Warnings were given when the file was loaded.
        vehicles::convert(text, &file, &mut converted, &mut Warnings::new())?.map_err(failed)?;
        let layout = Layout::of(&converted[..], &file)?;
        return layout.write(&converted[..], used, count, out).map_err(failed);
    }
    let text = TextInput::open(input)?;
    let file = text.name().to_owned();
    let layout = Layout::of(text, &file)?;
    layout.write(TextInput::open(input)?, used, count, out).map_err(failed)
}

/// Writes vehicles without a file, with the types that they have.
fn write_all(used: &Vehicles, count: u32, out: &mut impl Write) -> io::Result<()> {
    let used_types: BTreeSet<u16> = used.type_of.iter().take(count as usize).copied().collect();
    let types: Vec<_> = used_types.iter().filter_map(|&index| used.types.get(usize::from(index)).cloned()).collect();
    let position = |vehicle: u32| used_types.range(..used.type_of[vehicle as usize]).count() as u16;
    let mut order = used.ids.sorted();
    order.retain(|&vehicle| vehicle < count);
    write_vehicle_list(&types, order.into_iter().map(|vehicle| (used.ids.name(vehicle), position(vehicle))), out)
}

/// Positions in the text of a vehicles file.
#[derive(Debug, Default)]
struct Layout {
    /// End of the start tag of the root element.
    types_at: u64,
    /// End of the last element within the root.
    vehicles_at: u64,
    /// Whether the root element has only one tag.
    is_empty: bool,
    /// Number of types in the file.
    types: usize,
    /// Number of vehicles in the file.
    vehicles: u32,
}

impl Layout {
    fn of(input: impl BufRead, file: &str) -> Result<Self, InputError> {
        let mut layout = Self::default();
        let mut xml = Xml::new(Counted { input, consumed: 0 }, file);
        xml.root(&["vehicleDefinitions"], "vehicle definitions")?;
        layout.types_at = xml.input().consumed;
        layout.vehicles_at = layout.types_at;
        loop {
            let is_in_root = xml.depth() == 1;
            match xml.read()? {
                Token::Start(tag) if is_in_root && tag.name == "vehicleType" => layout.types += 1,
                Token::Start(tag) if is_in_root && tag.name == "vehicle" => layout.vehicles += 1,
                Token::Start(_) | Token::End(_) => {}
                Token::Eof => break,
            }
            if xml.depth() > 0 {
                layout.vehicles_at = xml.input().consumed;
            } else {
                layout.is_empty |= xml.input().consumed == layout.types_at;
            }
        }
        Ok(layout)
    }

    /// Copies the file, and adds the types and vehicles that it lacks.
    fn write(&self, mut input: impl Read, used: &Vehicles, count: u32, out: &mut impl Write) -> io::Result<()> {
        if self.is_empty {
            return write_all(used, count, out);
        }
        let of_type = |vehicle: u32| used.type_of[vehicle as usize];
        let mut created = used.ids.sorted();
        created.retain(|vehicle| (self.vehicles..count).contains(vehicle));
        let new_types: BTreeSet<u16> = created.iter().map(|&vehicle| of_type(vehicle)).collect();
        io::copy(&mut input.by_ref().take(self.types_at), out)?;
        let mut text = String::new();
        for &index in new_types.iter().filter(|&&index| usize::from(index) >= self.types) {
            text.push('\n');
            push_type(&mut text, &used.types[usize::from(index)]);
        }
        out.write_all(text.as_bytes())?;
        io::copy(&mut input.by_ref().take(self.vehicles_at - self.types_at), out)?;
        text.clear();
        text.push('\n');
        for vehicle in created {
            push_vehicle(&mut text, used.ids.name(vehicle), &used.types[usize::from(of_type(vehicle))].id);
            out.write_all(text.as_bytes())?;
            text.clear();
        }
        io::copy(&mut input, out).map(|_| ())
    }
}

/// Counts the bytes that were consumed.
struct Counted<R> {
    input: R,
    consumed: u64,
}

impl<R: BufRead> BufRead for Counted<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.input.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.consumed += amount as u64;
        self.input.consume(amount);
    }
}

impl<R: BufRead> Read for Counted<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(out)?;
        self.consume(read);
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use throng_core::IdTable;
    use throng_traffic_scenario::VehicleType;

    use super::*;
    use crate::formats::vehicles::read_vehicles_from;

    const FILE: &str = "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\n<!DOCTYPE vehicleDefinitions [<!ENTITY a \"b\">]>\n\
        <vehicleDefinitions xmlns=\"http://www.matsim.org/files/dtd\">\n<vehicleType id=\"car\"><attributes>\
        <attribute name=\"HbefaVehicleCategory\" class=\"java.lang.String\">PKW &a;</attribute></attributes>\
        <costInformation><costsPerMeter value=\"0.5\"/></costInformation></vehicleType>\n\
        <vehicle id=\"z\" type=\"car\"/><!-- the last -->\n</vehicleDefinitions> <!-- </vehicleDefinitions> -->\n";

    fn vehicles(types: &[VehicleType], list: &[(&str, u16)]) -> Vehicles {
        let mut ids = IdTable::new();
        for (id, _) in list {
            ids.intern(id).unwrap();
        }
        let type_of = list.iter().map(|(_, type_of)| *type_of).collect();
        Vehicles { types: types.to_vec(), ids, type_of, ..Vehicles::default() }
    }

    fn written(text: Option<&[u8]>, used: &Vehicles, count: u32) -> String {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("v.xml");
        if let Some(text) = text {
            std::fs::write(&path, text).unwrap();
        }
        let mut out = Vec::new();
        write_used_vehicles(text.map(|_| &*path), used, count, &mut out, Path::new("out")).unwrap();
        String::from_utf8(out).unwrap()
    }

    fn read(text: &str) -> Vec<(String, String)> {
        let file = read_vehicles_from(text.as_bytes(), "v.xml", &mut Warnings::new()).unwrap();
        file.vehicles.into_iter().map(|(id, index)| (id, file.types[usize::from(index)].id.clone())).collect()
    }

    #[test]
    fn files_are_copied_and_created_vehicles_are_added() {
        let car = VehicleType { id: "car".into(), ..VehicleType::default_car() };
        let bus = VehicleType { id: "bus".into(), ..VehicleType::default_car() };
        let used = vehicles(&[car, VehicleType::default_car(), bus], &[("z", 0), ("y", 1), ("x<", 0), ("bus1", 2)]);
        let text = written(Some(FILE.as_bytes()), &used, 3);
        let pairs = |list: &[(&str, &str)]| list.iter().map(|(a, b)| ((*a).into(), (*b).into())).collect::<Vec<_>>();
        assert_eq!(read(&text), pairs(&[("z", "car"), ("x<", "car"), ("y", "defaultVehicleType")]));
        assert!(text.starts_with("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE vehicleDefinitions [<!ENTITY"));
        assert!(text.contains(">PKW &a;</attribute>") && text.contains("<costsPerMeter value=\"0.5\"/>"), "{text}");
        assert!(!text.contains("bus"), "vehicles of public transport have their own file: {text}");
        assert_eq!(
            written(Some(FILE.as_bytes()), &used, 1).replace("UTF-8", "ISO-8859-1").replacen("\n\n", "\n", 1),
            FILE
        );
        // Without a file.
        for file in [None, Some(&b"<vehicleDefinitions/>"[..])] {
            let all = pairs(&[("x<", "car"), ("y", "defaultVehicleType"), ("z", "car")]);
            assert_eq!(read(&written(file, &used, 3)), all);
        }
    }

    #[test]
    fn files_of_version_1_are_converted() {
        let one = "<vehicleDefinitions xmlns=\"http://www.matsim.org/files/dtd\" \
            xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" xsi:schemaLocation=\"http://www.matsim.org/files/dtd \
            http://www.matsim.org/files/dtd/vehicleDefinitions_v1.0.xsd\"><vehicleType id=\"car\"><length meter=\"5\"/>\
            </vehicleType></vehicleDefinitions>";
        let car = VehicleType { id: "car".into(), ..VehicleType::default_car() };
        let text = written(Some(one.as_bytes()), &vehicles(&[car], &[("1", 0)]), 1);
        assert!(text.contains("vehicleDefinitions_v2.0.xsd") && text.contains("<length meter=\"5.0\"/>"), "{text}");
        assert_eq!(read(&text), [("1".to_owned(), "car".to_owned())]);
    }
}
