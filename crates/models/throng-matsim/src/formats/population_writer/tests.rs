use std::io::{Cursor, Read};

use throng_core::Problems;

use super::*;
use crate::formats::open::TextInput;
use crate::formats::population::PopulationReader;
use throng_testing::reference_data;
use throng_traffic_scenario::NetworkBuilder;

fn rewrite(text: &str, version: PopulationVersion, network: Option<&Network>) -> (String, Warnings) {
    let mut reader = PopulationReader::new(Cursor::new(text.to_owned()), "plans.xml").unwrap();
    let mut writer = PopulationWriter::new(Vec::new(), version, &reader.header().clone(), network).unwrap();
    let (mut person, mut problems, mut warnings) = (PersonRecord::new(), Problems::new(), Warnings::new());
    while reader.read_person(&mut person, &mut problems, &mut warnings) {
        writer.write(&person, &mut warnings).unwrap();
    }
    problems.into_result().unwrap();
    (String::from_utf8(writer.finish().unwrap()).unwrap(), warnings)
}

/// Files written by MATSim are reproduced exactly.
#[test]
fn plans_written_by_matsim_are_reproduced_unchanged() {
    for path in [
        "equil100/controler_it0_fast/output_plans.xml.gz",
        "chessboard_it0/output_plans.xml.gz",
        "equil_it10/output_plans.xml.gz",
        "equil_mixed_it0/output_plans.xml.gz",
    ] {
        let Some(path) = reference_data(path) else { return };
        let mut text = String::new();
        TextInput::open(&path).unwrap().read_to_string(&mut text).unwrap();
        let (written, warnings) = rewrite(&text, PopulationVersion::V6, None);
        assert!(warnings.is_empty());
        for (number, (expected, found)) in text.lines().zip(written.lines()).enumerate() {
            assert_eq!(found, expected, "{}:{}", path.display(), number + 1);
        }
        assert_eq!(written.len(), text.len());
    }
}

fn network() -> Network {
    let mut builder = NetworkBuilder::new();
    for i in 1..=5 {
        builder = builder.node(&i.to_string(), f64::from(i), 0.0);
    }
    for i in 1..=4 {
        builder = builder.link(&format!("l{i}"), &i.to_string(), &(i + 1).to_string(), 10.0, 1.0, 1.0, 1.0);
    }
    builder.build().unwrap()
}

const V4: &str = r#"<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE plans SYSTEM "http://www.matsim.org/files/dtd/plans_v4.dtd">

<plans name="a &amp; b">

<!-- ====================================================================== -->

	<person id="1" sex="m" age="20" license="yes" car_avail="always" employed="no">
		<plan score="1.5" selected="yes">
			<act type="h" link="l1" facility="f" x="-15050.0" y="1.0E7" end_time="06:00:00" />
			<leg mode="car" dep_time="06:00:00">
				<route dist="30.0" trav_time="00:00:30">
					2 3 4 
				</route>
			</leg>
			<act type="w" link="l4" dur="00:10:00" />
			<leg mode="car">
				<route>
					
				</route>
			</leg>
			<act type="w" link="l4" />
		</plan>

	</person>

<!-- ====================================================================== -->

</plans>
"#;

#[test]
fn version_4_is_reproduced_unchanged() {
    let (written, warnings) = rewrite(V4, PopulationVersion::V4, None);
    assert_eq!(written, V4);
    assert!(warnings.is_empty());
}

#[test]
fn routes_and_attributes_move_between_the_versions() {
    let network = network();
    let (v6, warnings) = rewrite(V4, PopulationVersion::V6, Some(&network));
    assert!(warnings.is_empty());
    for part in [
        "<population desc=\"a &amp; b\">",
        "\t\t<attributes>\n\t\t\t<attribute name=\"age\" class=\"java.lang.Integer\">20</attribute>\n\
         \t\t\t<attribute name=\"carAvail\" class=\"java.lang.String\">always</attribute>\n\
         \t\t\t<attribute name=\"employed\" class=\"java.lang.Boolean\">false</attribute>\n",
        "<route type=\"links\" start_link=\"l1\" end_link=\"l4\" trav_time=\"00:00:30\" distance=\"30.0\" \
         vehicleRefId=\"null\">l1 l2 l3 l4</route>",
        "<route type=\"links\" start_link=\"l4\" end_link=\"l4\" trav_time=\"undefined\" distance=\"NaN\" \
         vehicleRefId=\"null\">l4</route>",
        "max_dur=\"00:10:00\" >",
    ] {
        assert!(v6.contains(part), "{part}\nis not in\n{v6}");
    }
    let (v5, _) = rewrite(&v6, PopulationVersion::V5, None);
    assert!(v5.contains("<person id=\"1\" sex=\"m\" age=\"20\" license=\"yes\" car_avail=\"always\" employed=\"no\">"));
    assert!(v5.contains("<act type=\"w\" link=\"l4\" max_dur=\"00:10:00\" />"));
    let (v4, warnings) = rewrite(&v5, PopulationVersion::V4, Some(&network));
    assert_eq!(v4, V4);
    assert!(warnings.is_empty());
}

#[test]
fn content_unknown_to_a_version_is_counted() {
    let text = "<!DOCTYPE population SYSTEM \"population_v6.dtd\"><population><person id=\"1\">\
        <attributes><attribute name=\"income\" class=\"java.lang.Double\">1.0</attribute></attributes><plan>\
        <activity type=\"h\" link=\"l1\"/><leg mode=\"car\"><attributes>\
        <attribute name=\"routingMode\" class=\"java.lang.String\">car</attribute></attributes>\
        <route type=\"links\">l1 zz l4</route></leg><activity type=\"w\" link=\"l4\" x=\"1\" y=\"1\" z=\"1\"/>\
        <leg mode=\"car\"><route type=\"links\" vehicleRefId=\"v\">l4</route></leg><activity type=\"w\" link=\"l4\"/>\
        </plan></person></population>";
    let network = network();
    let (v4, warnings) = rewrite(text, PopulationVersion::V4, Some(&network));
    let kinds: Vec<_> = warnings.iter().map(|(kind, w)| (kind, w.count)).collect();
    assert_eq!(
        kinds,
        [
            ("attributes of legs that plans of version 4 have no room for; left out", 1),
            ("attributes of persons that plans of version 4 have no room for; left out", 1),
            ("elevations of activities that plans of version 4 have no room for; left out", 1),
            ("routes that could not be converted; their legs are written without a route", 1),
            ("vehicles (vehicleRefId) of routes that plans of version 4 have no room for; left out", 1),
        ]
    );
    assert!(v4.contains("<leg mode=\"car\">\n\t\t\t</leg>"), "{v4}");
}

#[test]
fn times_with_fractions_are_kept() {
    let text = "<!DOCTYPE population SYSTEM \"population_v6.dtd\"><population><person id=\"1\"><plan>\
        <activity type=\"h\" link=\"l1\" end_time=\"07:30:00.25\"/><leg mode=\"car\" dep_time=\"27000.5\">\
        <route trav_time=\"0.1\"/></leg><activity type=\"w\" link=\"l4\" max_dur=\"00:10:00\"/></plan></person></population>";
    let (written, _) = rewrite(text, PopulationVersion::V6, None);
    for part in ["end_time=\"27000.25\"", "dep_time=\"27000.5\"", "trav_time=\"0.1\"", "max_dur=\"00:10:00\""] {
        assert!(written.contains(part), "{part}: {written}");
    }
    assert_eq!(rewrite(&written, PopulationVersion::V6, None).0, written);
}

#[test]
fn blanks_in_strings_are_kept() {
    let text = "<!DOCTYPE population SYSTEM \"population_v6.dtd\"><population><person id=\"a&#10;b\"><attributes>\
        <attribute name=\"n\" class=\"c\">x&#13;y</attribute></attributes><plan><activity type=\"h&#9;\" link=\"l1\"/>\
        </plan></person></population>";
    let (written, _) = rewrite(text, PopulationVersion::V6, None);
    for part in ["id=\"a&#10;b\"", ">x&#13;y<", "type=\"h&#9;\""] {
        assert!(written.contains(part), "{part}: {written}");
    }
}
