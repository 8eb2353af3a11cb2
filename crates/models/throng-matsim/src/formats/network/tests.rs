use std::path::PathBuf;

use super::*;
use throng_testing::reference_data;

fn read(text: &str) -> Result<Network, InputError> {
    read_network_from(text.as_bytes(), "n.xml", &mut ModeTable::default(), &mut Warnings::new())
}

/// A network of two nodes; `links` is on line 3.
fn with_links(links: &str) -> String {
    format!(
        "<network>\n<nodes><node id=\"a\" x=\"0\" y=\"0\"/><node id=\"b\" x=\"1\" y=\"-2.5\"/></nodes>\n{links}\n</network>"
    )
}

fn link(attributes: &str) -> String {
    let default = [("length", "10"), ("freespeed", "5"), ("capacity", "600"), ("permlanes", "1")];
    let missing = default.iter().filter(|(name, _)| !attributes.contains(name));
    let rest: Vec<_> = missing.map(|(name, value)| format!(" {name}='{value}'")).collect();
    format!("<link {attributes}{}/>", rest.concat())
}

fn problems(text: &str) -> String {
    read(text).unwrap_err().to_string()
}

#[test]
fn version_2_with_nested_attributes() {
    let text = r#"<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE network SYSTEM "http://www.matsim.org/files/dtd/network_v2.dtd">
<network name="a &amp; b">
	<attributes><attribute name="coordinateReferenceSystem" class="java.lang.String">Atlantis</attribute></attributes>
	<nodes>
		<node id="n1" x="-20000.0" y="0.5" z="3"><attributes><attribute name="k" class="java.lang.Integer">1</attribute></attributes></node>
		<node id="n2" x="1.0E7" y="1" ></node>
	</nodes>
	<links capperiod="12:00" effectivecellsize="8" effectivelanewidth="NaN">
		<link id="l1" from="n1" to="n2" length="100.0" freespeed="Infinity" capacity="Infinity" permlanes="1.5" oneway="1" modes="car, bike" >
			<attributes><attribute name="type" class="java.lang.String">primary</attribute></attributes>
		</link>
		<link id="l2" from="n2" to="n2" length="1" freespeed="5" capacity="1" permlanes="1"/>
	</links>
</network>"#;
    let (mut modes, mut warnings) = (ModeTable::default(), Warnings::new());
    modes.intern("walk");
    let network = read_network_from(text.as_bytes(), "n.xml", &mut modes, &mut warnings).unwrap();
    assert_eq!(network.name.as_deref(), Some("a & b"));
    assert_eq!((network.capacity_period_s, network.cell_size_m), (43_200.0, 8.0));
    assert!(network.lane_width_m.is_nan());
    assert_eq!((network.node_x[0], network.node_x[1], network.node_y[0]), (-20_000.0, 1e7, 0.5));
    let first = Link {
        from: 0,
        to: 1,
        length_m: 100.0,
        freespeed_mps: f64::INFINITY,
        capacity: f64::INFINITY,
        lanes: 1.5,
        modes: 0b110, // car and bike come after walk
    };
    assert_eq!(network.link(0), first);
    assert_eq!((network.from[1], network.to[1], network.modes[1]), (1, 1, 0b010), "a loop, open to car by default");
    assert!(warnings.is_empty(), "{warnings:?}");
}

#[test]
fn defaults_of_the_links_element() {
    let network = read(&with_links("<links></links>")).unwrap();
    assert_eq!((network.capacity_period_s, network.cell_size_m, network.lane_width_m), (3600.0, 7.5, 3.75));
    assert_eq!(read(&with_links("<links capperiod='5400'/>")).unwrap().capacity_period_s, 5400.0);
}

#[test]
fn bad_numbers_are_reported_with_location_value_and_remedy() {
    for name in ["length", "freespeed", "capacity", "permlanes"] {
        for value in ["-1", "NaN", "-Infinity", "", "1,5", "-1e-300"] {
            let text = problems(&with_links(&link(&format!("id='7' from='a' to='b' {name}='{value}'"))));
            let message = format!("n.xml:3: link \"7\" has {name} \"{value}\"\n    Expected a ");
            assert!(text.starts_with(&message) && text.lines().count() == 2, "{text}");
        }
    }
    let text = problems(&with_links(&link("id='7' from='a' to='b' length='Infinity'")));
    assert!(text.contains("has length \"Infinity\""), "{text}");
    let text = problems(&with_links("<link id='7' from='a' to='b' freespeed='1' capacity='1' permlanes='1'/>"));
    assert!(text.contains("link \"7\" has no length"), "{text}");
    let text = problems("<network><nodes><node id='a' x='NaN' y='0'/></nodes></network>");
    assert!(text.contains("node \"a\" has x \"NaN\""), "{text}");
}

#[test]
fn bad_heads_are_problems() {
    for (attribute, value) in [
        ("capperiod", "25:61:00"),
        ("capperiod", "00:00:00"),
        ("capperiod", "-1:00:00"),
        ("capperiod", "undefined"),
        ("capperiod", "1h"),
        ("effectivecellsize", "0"),
        ("effectivecellsize", "NaN"),
        ("effectivelanewidth", "wide"),
    ] {
        let text = problems(&with_links(&format!("<links {attribute}='{value}'/>")));
        assert!(text.starts_with(&format!("n.xml:3: <links> has {attribute} \"{value}\"\n")), "{text}");
    }
}

#[test]
fn misplaced_nodes_and_links_are_refused() {
    for again in ["<links/>", "<node id='z' x='0' y='0'/>"] {
        let text = problems(&with_links(&format!("<links>{again}</links>")));
        assert!(text.starts_with("n.xml:3: <") && text.contains("after the beginning of <links>"), "{text}");
    }
}

#[test]
fn missing_nodes_and_duplicates_are_reported_together() {
    let links = [
        link("id='1' from='a' to='88'"),
        link("id='2' from='b' to='a'"),
        link("id='2' from='a' to='b' length='-1'"),
        link("from='a' to='b'"),
        link("id='3' from='x' to='y'"),
    ];
    let text = problems(&with_links(&links.join("\n")));
    let expected = [
        "n.xml:3: link \"1\" ends at node \"88\", which is not defined",
        "n.xml:5: link \"2\" has length \"-1\"",
        "n.xml:5: link \"2\" is defined twice",
        "n.xml:6: link has no id",
        "n.xml:7: link \"3\" begins at node \"x\", which is not defined",
        "n.xml:7: link \"3\" ends at node \"y\", which is not defined",
    ];
    let found: Vec<_> = text.lines().filter(|line| !line.starts_with(' ')).collect();
    assert_eq!(found, expected);

    let text = problems("<network><nodes><node id='a' x='0' y='0'/>\n<node id='a' x='1' y='1'/></nodes></network>");
    assert!(text.starts_with("n.xml:2: node \"a\" is defined twice"), "{text}");
}

#[test]
fn problems_before_a_broken_end_are_kept() {
    let text = problems("<network><nodes>\n<node id='a' x='?' y='0'/>\n<node id='b");
    assert!(text.contains("n.xml:2: node \"a\" has x \"?\"") && text.contains("n.xml:3: "), "{text}");
}

#[test]
fn files_of_another_kind_are_refused() {
    let text = problems("<!DOCTYPE plans SYSTEM \"http://x/plans_v4.dtd\">\n<plans></plans>");
    assert!(
        text.starts_with("n.xml:2: this is a file of plans (<plans> with DTD plans_v4.dtd), not a network"),
        "{text}"
    );
    assert!(problems("from,to\n1,2\n").contains("this is not XML"));
    assert!(problems("").contains("there is no XML element"));
}

#[test]
fn oddities_are_warnings() {
    let mut warnings = Warnings::new();
    let text = with_links(&format!("<extra><x/></extra><extra/>{}", link("id='1' from='a' to='b' modes=''")));
    read_network_from(text.as_bytes(), "n.xml", &mut ModeTable::default(), &mut warnings).unwrap();
    assert_eq!(warnings.count("links that are open to no mode"), 1);
    assert_eq!(warnings.count("unknown elements in networks; skipped"), 2);
    assert_eq!(warnings.iter().last().unwrap().1.example, "n.xml:3: <extra>");
}

#[test]
fn zeros_are_accepted_and_counted() {
    let links: Vec<_> = ["length", "freespeed", "capacity", "permlanes", "capacity"]
        .iter()
        .enumerate()
        .map(|(i, name)| link(&format!("id='{i}' from='a' to='b' {name}='{}'", ["0", "0.0", "-0"][i % 3])))
        .collect();
    let mut warnings = Warnings::new();
    let text = with_links(&links.join("\n"));
    let network = read_network_from(text.as_bytes(), "n.xml", &mut ModeTable::default(), &mut warnings).unwrap();
    assert_eq!(network.length_m[0], 0.0);
    assert_eq!(1.0 / network.capacity[2], f64::INFINITY, "-0 becomes 0");
    let found: Vec<_> = warnings.iter().map(|(kind, w)| (kind, w.count, w.example.as_str())).collect();
    let expected = [
        ("links of length 0, which take no time", 1, "n.xml:3: link \"0\""),
        ("links with 0 permlanes, which hold only the vehicles that their flow needs", 1, "n.xml:6: link \"3\""),
        ("links with a capacity of 0, which no vehicle leaves", 2, "n.xml:5: link \"2\""),
        ("links with a freespeed of 0, where vehicles stay for ever", 1, "n.xml:4: link \"1\""),
    ];
    assert_eq!(found, expected);
    let undefined = |rest: &str| problems(&with_links(&link(&format!("id='7' from='a' to='b' length='0' {rest}"))));
    let text = undefined("freespeed='0'");
    assert!(
        text.starts_with("n.xml:3: link \"7\" has neither length nor free speed\n    Correct its length."),
        "{text}"
    );
    assert!(undefined("permlanes='Infinity'").contains("has no length, but infinitely many lanes"));
}

#[test]
fn too_many_modes_are_reported_as_a_problem() {
    let links: String = (0..300).map(|i| link(&format!("id='{i}' from='a' to='b' modes='m{i}'")) + "\n").collect();
    let text = problems(&with_links(&links));
    // The 65th mode is one too many.
    assert!(text.starts_with("n.xml:67: link \"64\" has modes \"m64\"\n"), "{text}");
    assert!(text.contains("at most 64 different modes") && text.ends_with("(236 in total)"), "{text}");
}

#[test]
fn links_with_excessive_travel_times_are_problems() {
    let text = problems(&with_links(&link("id='7' from='a' to='b' length='5' freespeed='1e-9'")));
    assert!(
        text.starts_with("n.xml:3: link \"7\" takes 5e9 seconds at its free speed (length 5, freespeed 0.000000001)"),
        "{text}"
    );
}

#[test]
fn long_ids_are_problems_with_their_line() {
    let text = problems(&with_links(&link(&format!("id='{}' from='a' to='b'", "7".repeat(65_536)))));
    assert!(text.starts_with("n.xml:3: link \"7777") && text.contains("has an id of 65536 bytes"), "{text}");
}

#[test]
fn the_coordinate_system_is_read_from_the_network_attributes() {
    let attribute = |value: &str| {
        format!("<attributes><attribute name='coordinateReferenceSystem' class='c'>{value}</attribute></attributes>")
    };
    let text = format!(
        "<network>{}<nodes><node id='a' x='0' y='0'>{}</node></nodes></network>",
        attribute("A"),
        attribute("B")
    );
    assert_eq!(read(&text).unwrap().coordinate_system.as_deref(), Some("A"));
    let node = "<nodes><node id='a' x='0' y='0'/></nodes>";
    for (text, expected) in [
        (format!("{node}\n{}", attribute("A")), "behind the first <node>"),
        (format!("{node}<links>\n{}</links>", attribute("A")), "behind the first <node>"),
        (format!("<links/>\n{}", attribute("A")), "behind the first <links>"),
        (format!("{}\n{}", attribute("A"), attribute("A")), "twice"),
    ] {
        let text = problems(&format!("<network>{text}</network>"));
        assert!(
            text.starts_with(&format!("n.xml:2: the file names its coordinateReferenceSystem {expected}")),
            "{text}"
        );
    }
}

#[test]
fn other_document_types_are_refused() {
    let text = problems("<!DOCTYPE network SYSTEM \"http://x/network_v9.dtd\">\n<network/>");
    assert!(text.starts_with("n.xml:2: the DTD \"network_v9.dtd\" is not known for networks"), "{text}");
    assert!(text.contains("Known: network_v1.dtd, network_v2.dtd."), "{text}");
    let text = problems("<!DOCTYPE plans SYSTEM \"network_v1.dtd\"><network/>");
    assert!(text.contains("the DOCTYPE names <plans>, but the root element is <network>"), "{text}");
    assert!(read("<!DOCTYPE network><network/>").is_ok());
}

#[test]
fn truncated_files_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let path: PathBuf = folder.path().join("n.xml.gz");
    let mut output = throng_output::TextFile::at(&path).unwrap();
    let links: String = (0..50_000).map(|i| link(&format!("id='{i}' from='a' to='b'")) + "\n").collect();
    std::io::Write::write_all(&mut output, with_links(&links).as_bytes()).unwrap();
    output.finish().unwrap();
    let packed = std::fs::read(&path).unwrap();
    let read = |path: &Path| read_network(path, &mut ModeTable::default(), &mut Warnings::new());
    assert_eq!(read(&path).unwrap().links(), 50_000);
    std::fs::write(&path, &packed[..packed.len() / 2]).unwrap();
    let text = read(&path).unwrap_err().to_string();
    assert!(text.contains("the compressed file is truncated") && text.contains("copy or download it again"), "{text}");
    let line: u32 = text.split("n.xml.gz:").nth(1).and_then(|rest| rest.split(':').next()).unwrap().parse().unwrap();
    assert!((1_000..50_000).contains(&line), "{text}");
}

#[test]
fn networks_of_the_reference_data() {
    // The Berlin file has 30 more nodes and 106 more links inside comments.
    for (path, nodes, links) in [
        ("berlin_1pct_10s/network.xml.gz", 11_566, 27_664),
        ("chessboard_it0/network.xml", 100, 180),
        ("equil100/network.xml", 15, 23),
        ("equil100/controler_it0_fast/output_network.xml.gz", 15, 23),
        ("equil2000/network.xml", 15, 23),
        ("equil_mixed_it0/network.xml", 15, 23),
        ("queue_variants/network.xml", 8, 12),
    ] {
        let Some(file) = reference_data(path) else { continue };
        let (mut modes, mut warnings) = (ModeTable::default(), Warnings::new());
        let network = read_network(&file, &mut modes, &mut warnings).unwrap();
        assert_eq!((network.nodes(), network.links()), (nodes, links), "{path}");
        assert!(warnings.is_empty(), "{path}: {warnings:?}");
        assert_eq!(modes.name(throng_traffic_scenario::ModeId(0)), "car");
    }
}

#[test]
fn values_of_the_berlin_network() {
    let Some(file) = reference_data("berlin_1pct_10s/network.xml.gz") else { return };
    let network = read_network(&file, &mut ModeTable::default(), &mut Warnings::new()).unwrap();
    assert_eq!(network.capacity_period_s, 43_200.0);
    let link = network.link(network.link_ids.get("1").unwrap());
    assert_eq!((network.node_ids.name(link.from), network.node_ids.name(link.to)), ("18", "1000549"));
    assert_eq!((link.length_m, link.freespeed_mps, link.capacity, link.lanes), (93.0, 8.3333, 5000.0, 1.0));
}

proptest::proptest! {
    #[test]
    fn damaged_files_never_panic(at in 0_usize..400, byte: u8, cut in 0_usize..400) {
        let mut bytes = with_links(&link("id='1' from='a' to='b' modes='car'")).into_bytes();
        bytes.truncate(cut.max(50));
        if let Some(place) = bytes.get_mut(at) {
            *place = byte;
        }
        let _ = read_network_from(&bytes[..], "n.xml", &mut ModeTable::default(), &mut Warnings::new());
    }
}
