use super::*;

const OFFICE: &str = "# saved by a robot
image: office.pgm
mode: trinary
resolution: 0.05   # metres
origin: [-10.0, -2.5, 0]
negate: 0
occupied_thresh: 0.65
free_thresh: 0.196
";

#[test]
fn keys_written_by_map_savers_and_users_are_read() {
    let office = RobotMap::parse(OFFICE).unwrap();
    assert_eq!((office.image.to_str(), office.resolution, office.origin), (Some("office.pgm"), 0.05, [-10.0, -2.5]));
    assert_eq!((office.negate, office.occupied_thresh, office.free_thresh), (false, 0.65, 0.196));
    // Quotes, a list over several lines, and no mode.
    let other = "---\nimage: \"my map #1.png\" # the best\nresolution: 5e-2\norigin:\n  - -10.0\n  - -2.5 # y\n  - 0.\n\
                 negate: false\noccupied_thresh: .65\nfree_thresh: 0.196\nfuture_key: [a, {b: c}]\n";
    let other = RobotMap::parse(other).unwrap();
    assert_eq!(other, RobotMap { image: "my map #1.png".into(), ..office.clone() });
    assert_eq!(RobotMap::parse(&office.text()).unwrap(), office);
    let raw = RobotMap { mode: Mode::Raw, negate: true, origin: [1e-7, 690_000.1], ..office };
    assert_eq!(RobotMap::parse(&raw.text()).unwrap(), raw);
}

#[test]
fn nested_keys_are_ignored() {
    let office = RobotMap::parse(OFFICE).unwrap();
    let nested =
        "editor:\n  negate: 1\n  tools:\n    - mode: raw\n    -\n  note: |\n    # any text\nlayers: {walls: 2}\n";
    for text in [format!("{nested}{OFFICE}"), format!("{OFFICE}{nested}")] {
        assert_eq!(RobotMap::parse(&text).unwrap(), office, "{text}");
    }
    // All keys may be indented, if they are indented equally.
    let indented = format!("  {}", OFFICE.replace('\n', "\n  "));
    assert_eq!(RobotMap::parse(&indented).unwrap(), office);
    // Text after the first document is not read.
    assert_eq!(RobotMap::parse(&format!("{OFFICE}...\n---\n[")).unwrap(), office);
    let quoted = OFFICE.replace("office.pgm", "'it''s #1 ''map''.pgm' # the best");
    assert_eq!(RobotMap::parse(&quoted).unwrap().image.to_str(), Some("it's #1 'map'.pgm"));
}

#[test]
fn all_yaml_syntax_is_read() {
    let office = RobotMap::parse(OFFICE).unwrap();
    let reads = |text: &str| assert_eq!(RobotMap::parse(text).unwrap(), office, "{text}");
    reads(&format!("\u{feff}{OFFICE}"));
    reads(&format!("\u{feff}{}", OFFICE.replace('\n', "\r\n")));
    reads(&format!("%YAML 1.2\n---\n{OFFICE}..."));
    reads(&OFFICE.replace("[-10.0, -2.5, 0]", "[-10.0,\n  -2.5, # y\n  0]"));
    reads(&OFFICE.replace("office.pgm", "\n  office.pgm").replace("0.65", "!!float \"0.65\""));
    reads(&OFFICE.replace("negate: 0", "? negate\n: !!bool off").replace("origin: ", "\"origin\": &start "));
    reads(
        "{image: office.pgm, resolution: 0.05, origin: [-10, -2.5, 0], negate: 0, occupied_thresh: .65, free_thresh: 0.196}",
    );
    // Unknown keys may have any value, nested to any depth.
    let deep = format!("tool:\n  {}x\n? [a, b]\n: c\nagain: *it\n", "- ".repeat(5000));
    reads(&format!("it: &it 7\n{deep}{OFFICE}"));
    let rotated = RobotMap::parse(&OFFICE.replace("-2.5, 0]", "-2.5, 1.57]")).unwrap();
    assert_eq!(rotated, RobotMap { yaw: 1.57, ..office });
}

#[test]
fn invalid_keys_are_refused_with_their_line() {
    for (from, to, place, value) in [
        ("resolution: 0.05 ", "resolution: five", "line 4, resolution", "\"five\""),
        ("resolution: 0.05 ", "resolution: 0", "line 4, resolution", "0.0"),
        ("resolution: 0.05 ", "resolution: 1e-320", "line 4, resolution", "1e-320"),
        ("resolution: 0.05 ", "resolution: 1e60", "line 4, resolution", "1e60"),
        ("resolution: 0.05 ", "resolution: .inf", "line 4, resolution", "\".inf\""),
        ("resolution: 0.05 ", "resolution: [1]", "line 4, resolution", "a list of 1"),
        ("resolution: 0.05 ", "# ", "resolution", "is missing"),
        ("[-10.0, -2.5, 0]", "[-10.0, -2.5]", "line 5, origin", "2 numbers"),
        ("[-10.0, -2.5, 0]", "[-10.0]", "line 5, origin", "1 number"),
        ("[-10.0, -2.5, 0]", "[-10.0, -2.5, 0", "line 6, column 7", "\"negate: 0\""),
        ("[-10.0, -2.5, 0]", "-10.0", "line 5, origin", "\"-10.0\""),
        ("negate: 0", "negate: maybe", "line 6, negate", "\"maybe\""),
        ("negate: 0", "resolution: 1", "line 6, resolution", "is defined twice"),
        ("mode: trinary", "tool: &it raw\nmode: *it", "line 4, mode", "an alias"),
        ("mode: trinary", "mode: *it", "line 3, column 7", "\"mode: *it\""),
        ("-2.5, 0]", "\n  up, 0]", "line 6, origin", "\"up\""),
        ("0.65", "1.65", "line 7, occupied_thresh", "1.65"),
        ("0.196", "0.7", "line 8, free_thresh", "0.7"),
        ("mode: trinary", "mode: binary", "line 3, mode", "\"binary\""),
        ("mode: trinary", "mode", "line 4, column 1", "\"resolution: 0.05   # metres\""),
        ("mode: trinary", "- 7", "line 3, column 3", "\"- 7\""),
        ("office.pgm", "", "line 2, image", "\"\""),
        ("negate: 0", "negate:\n  value: 0", "line 6, negate", "a mapping"),
        ("mode: trinary", "{mode: trinary}", "line 4, column 1", "\"resolution: 0.05   # metres\""),
        ("office.pgm", "{name: a}", "line 2, image", "a mapping"),
        ("mode: trinary", "tool: {a: 1,", "line 4, column 1", "\"resolution: 0.05   # metres\""),
    ] {
        assert!(OFFICE.contains(from));
        let error = RobotMap::parse(&OFFICE.replacen(from, to, 1)).unwrap_err();
        assert_eq!((error.place(), error.message()), (place, value));
    }
}
