use std::fmt::Write as _;
use std::io::{self, BufReader};

use super::*;
use crate::formats::person::{ActivityRecord, ElementRecord, LegRecord, RouteFormat};
use crate::formats::person_chunks::MAX_CHUNK_BYTES;

/// Persons, problems and warnings of a file.
struct Found {
    persons: Vec<PersonRecord>,
    problems: String,
    total: usize,
    warnings: Warnings,
}

/// Reads a file on one thread, and checks that several threads find the same in chunks of various sizes.
fn read(text: &str) -> Found {
    let found = read_on(text, Threads { workers: 1, chunk_bytes: CHUNK_BYTES }, false);
    for chunk_bytes in [1, 300, 5_000, CHUNK_BYTES] {
        let other = read_on(text, Threads { workers: 2, chunk_bytes }, false);
        assert_eq!((&other.problems, other.total), (&found.problems, found.total), "{chunk_bytes}");
        assert_eq!(other.warnings, found.warnings, "{chunk_bytes}");
        // Numbers may be NaN, and NaN differs from NaN.
        assert_eq!(format!("{:?}", other.persons), format!("{:?}", found.persons), "{chunk_bytes}");
    }
    found
}

fn read_on(text: &str, threads: Threads, every_plan: bool) -> Found {
    // As from a file, text arrives in small parts, so that chunks have the desired size.
    let input = Box::new(BufReader::with_capacity(threads.chunk_bytes.min(64), Cursor::new(text.to_owned())));
    read_input(input, threads, every_plan)
}

fn read_input(input: Input, threads: Threads, every_plan: bool) -> Found {
    let mut reader = PopulationReader::on_threads(input, "plans.xml".to_owned(), threads).unwrap();
    reader.file.every_plan = every_plan;
    let (mut problems, mut warnings) = (Problems::new(), Warnings::new());
    let mut persons = Vec::new();
    let mut person = PersonRecord::new();
    while reader.read_person(&mut person, &mut problems, &mut warnings) {
        persons.push(person.clone());
    }
    assert!(!reader.read_person(&mut person, &mut problems, &mut warnings), "no person follows the end");
    Found { persons, problems: problems.to_string(), total: problems.total(), warnings }
}

fn file(version: PopulationVersion, persons: &str) -> String {
    let (root, dtd) = (version.root(), version.dtd());
    format!("<!DOCTYPE {root} SYSTEM \"http://www.matsim.org/files/dtd/{dtd}\">\n<{root}>\n{persons}\n</{root}>\n")
}

/// A file of version 6 with one person, whose plan is `elements`; these begin on line 4.
fn plan(elements: &str) -> String {
    file(PopulationVersion::V6, &format!("<person id=\"p\"><plan selected=\"yes\">\n{elements}</plan></person>"))
}

fn activity(person: &PersonRecord, position: usize) -> ActivityRecord {
    match person.elements(&person.plans()[0])[position] {
        ElementRecord::Activity(activity) => activity,
        ElementRecord::Leg(_) => panic!("a leg at {position}"),
    }
}

fn leg(person: &PersonRecord, position: usize) -> LegRecord {
    match person.elements(&person.plans()[0])[position] {
        ElementRecord::Leg(leg) => leg,
        ElementRecord::Activity(_) => panic!("an activity at {position}"),
    }
}

#[test]
fn version_4() {
    let text = file(
        PopulationVersion::V4,
        r#"<person id="1" sex="m" age="20" license="yes" car_avail="always" employed="yes">
    <travelcard type="ch-GA"/>
    <knowledge desc="x"><activity type="home"><location id="1" isPrimary="yes"/></activity></knowledge>
    <plan age="0" selected="no" score="-12.5">
      <act type="home" link="a" x="1.5" y="-2" start_time="00:00" dur="08:00" end_time="08:30:15" ref_id="6" />
      <leg num="0" mode="Car" dep_time="08:00" trav_time="00:33" arr_time="08:33">
        <route dist="12.5" trav_time="00:31">
          1880 1881
          1884
        </route>
      </leg>
      <act type="work" x="3" y="4" facility="f"/>
      <leg mode="pt"><route>A === B</route></leg>
      <act type="work" link="b"/>
      <leg mode="undef"/>
      <act type="home" link="a"/>
    </plan>
  </person>"#,
    );
    let found = read(&text);
    assert_eq!(found.problems, "");
    assert_eq!(found.warnings.count("travel cards are not kept"), 1);
    let person = &found.persons[0];
    assert_eq!((person.id(), person.line), ("1", 3));
    for (name, value) in
        [("sex", "m"), ("age", "20"), ("hasLicense", "yes"), ("carAvail", "always"), ("employed", "true")]
    {
        assert_eq!(person.attribute(person.attributes, name), Some(value), "{name}");
    }
    assert_eq!(person.plans().len(), 1);
    assert_eq!(person.plans()[0].score, -12.5);
    assert_eq!(person.selected_plan(), Some(0), "without a mark the first plan is selected");

    let home = activity(person, 0);
    assert_eq!((person.text(home.kind), person.text(home.link), home.line), ("home", "a", 7));
    assert_eq!((home.x, home.y), (1.5, -2.0));
    assert_eq!((home.start_time, home.max_duration, home.end_time), (0.0, 28800.0, 30615.0));
    let work = activity(person, 2);
    assert!(work.link.is_none() && work.end_time.is_nan() && work.max_duration.is_nan());
    assert_eq!(person.text(work.facility), "f");

    let car = leg(person, 1);
    assert_eq!((person.text(car.mode), car.departure_time, car.travel_time), ("car", 28800.0, 1980.0));
    let route = car.route.unwrap();
    assert_eq!((route.format, person.text(route.kind)), (RouteFormat::Nodes, "links"));
    let nodes: Vec<_> = person.text(route.description).split_ascii_whitespace().collect();
    assert_eq!(nodes, ["1880", "1881", "1884"]);
    assert_eq!((route.distance, route.travel_time, route.line), (12.5, 1860.0, 9));
    let pt = leg(person, 3).route.unwrap();
    assert_eq!((pt.format, person.text(pt.kind)), (RouteFormat::Other, "experimentalPt1"));
    assert_eq!(person.text(pt.description), "A === B");
    let last = leg(person, 5);
    assert_eq!(person.text(last.mode), "undefined");
    assert!(last.route.is_none());
}

#[test]
fn version_5() {
    let found = read(&file(
        PopulationVersion::V5,
        r#"<person id="1" age="7"><plan>
      <act type="h" link="1" max_dur="01:00:00"/>
      <leg mode="car" trav_time="undefined"><route vehicleRefId="v" distance="NaN" trav_time="00:10:00">1 2 3</route></leg>
      <act type="w" link="3"/>
      <leg mode="walk"><route start_link="3" end_link="1"></route></leg>
      <act type="h" link="1"/>
    </plan></person>"#,
    ));
    assert_eq!(found.problems, "");
    let person = &found.persons[0];
    assert_eq!(activity(person, 0).max_duration, 3600.0);
    let route = leg(person, 1).route.unwrap();
    assert!(leg(person, 1).travel_time.is_nan() && route.distance.is_nan());
    assert_eq!((route.format, person.text(route.kind), person.text(route.vehicle)), (RouteFormat::Links, "links", "v"));
    let walk = leg(person, 3).route.unwrap();
    assert_eq!((walk.format, person.text(walk.kind)), (RouteFormat::Other, "generic"));
    assert_eq!([walk.start_link, walk.end_link, walk.description].map(|t| person.text(t)), ["3", "1", ""]);
}

#[test]
fn the_coordinate_system_is_named_once_before_the_persons() {
    let system = "<attributes><attribute name='coordinateReferenceSystem' class='c'>X</attribute></attributes>";
    let file =
        |text: String| format!("<!DOCTYPE population SYSTEM 'population_v6.dtd'><population>{text}</population>");
    let person = "<person id='1'><plan><activity type='h' link='1'/></plan></person>";
    let error = PopulationReader::new(Cursor::new(file(format!("{system}\n{system}{person}"))), "plans.xml");
    let error = error.unwrap_err().to_string();
    assert!(error.starts_with("plans.xml:2: the file names its coordinateReferenceSystem twice"), "{error}");
    let found = read(&file(format!("{person}\n{system}")));
    let expected = "plans.xml:2: <attributes> of the population behind the first <person>\n    Move them";
    assert!(found.problems.starts_with(expected), "{}", found.problems);
}

#[test]
fn version_6_with_attributes_everywhere() {
    let text = r#"<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE population SYSTEM "http://www.matsim.org/files/dtd/population_v6.dtd">
<population desc="a &amp; b">
  <attributes><attribute name="coordinateReferenceSystem" class="java.lang.String">EPSG:25832</attribute></attributes>
  <!-- a comment -->
  <person id="p&quot;1">
    <attributes>
      <attribute name="vehicles" class="org.matsim.vehicles.PersonVehicles">{"car":"p_car"}</attribute>
      <attribute name="note" class="java.lang.String">1 &lt; 2</attribute>
    </attributes>
    <plan score="1.0E7" selected="no" type="t"><attributes></attributes>
      <activity type="h" link="1" x="1" y="2" z="3" end_time="undefined"><attributes>
        <attribute name="k" class="c">v</attribute></attributes></activity>
      <leg mode="pt"><attributes><attribute name="routingMode" class="java.lang.String">pt</attribute></attributes>
        <route type="default_pt" start_link="1" end_link="2" trav_time="00:05:00" distance="50">{"transitRouteId":"r"}</route>
      </leg>
      <activity type="pt interaction" link="2" max_dur="00:00:00"/>
      <leg mode="car"><route type="links" start_link="2" end_link="3" vehicleRefId="null">2 3</route></leg>
      <activity type="w" link="3"/>
    </plan>
    <plan selected="yes"><activity type="h" link="1"/></plan>
  </person>
</population>"#;
    let reader = PopulationReader::new(Cursor::new(text.to_owned()), "plans.xml").unwrap();
    assert_eq!(reader.header().name.as_deref(), Some("a & b"));
    assert_eq!(reader.header().attribute("coordinateReferenceSystem"), Some("EPSG:25832"));
    let found = read(text);
    assert_eq!(found.problems, "");
    let person = &found.persons[0];
    assert_eq!(person.id(), "p\"1");
    assert_eq!(person.attribute(person.attributes, "vehicles"), Some(r#"{"car":"p_car"}"#));
    assert_eq!(person.attribute(person.attributes, "note"), Some("1 < 2"));
    assert_eq!(person.selected_plan(), Some(1));
    let plan = person.plans()[0];
    assert_eq!((plan.score, person.text(plan.kind), plan.attributes.present), (1.0e7, "t", true));
    assert_eq!(person.elements(&plan).len(), 5);
    assert_eq!(person.elements(&person.plans()[1]).len(), 1);
    let home = activity(person, 0);
    assert_eq!((home.z, person.attribute(home.attributes, "k")), (3.0, Some("v")));
    let pt = leg(person, 1);
    assert_eq!(person.attribute(pt.attributes, "routingMode"), Some("pt"));
    let route = pt.route.unwrap();
    assert_eq!((route.format, person.text(route.description)), (RouteFormat::Other, r#"{"transitRouteId":"r"}"#));
    assert!(leg(person, 3).route.unwrap().vehicle.is_none(), "null names no vehicle");
}

#[test]
fn a_reused_record_forgets_the_previous_person() {
    let text = file(
        PopulationVersion::V6,
        r#"<person id="a"><attributes><attribute name="n" class="c">v</attribute></attributes>
        <plan><activity type="h" link="1"/><leg mode="car"/><activity type="h" link="1"/></plan></person>
        <person id="b"><plan><activity type="w" link="2"/></plan></person>"#,
    );
    let found = read(&text);
    assert_eq!(found.persons.len(), 2);
    let b = &found.persons[1];
    assert_eq!((b.id(), b.attribute(b.attributes, "n"), b.elements(&b.plans()[0]).len()), ("b", None, 1));
}

#[test]
fn empty_populations() {
    assert!(read(&file(PopulationVersion::V6, "")).persons.is_empty());
    assert!(read("<!DOCTYPE plans SYSTEM \"plans_v4.dtd\"><plans/>").persons.is_empty());
}

/// Returns the only problem of a file.
fn problem(text: &str) -> String {
    let found = read(text);
    assert_eq!(found.total, 1, "{}", found.problems);
    found.problems
}

const HOME: &str = "<activity type=\"h\" link=\"1\"/>\n";

#[test]
fn bad_values_are_reported_with_their_line() {
    for (element, message) in [
        (r#"<activity type="h" link="1" end_time="25:61:00"/>"#, "plans.xml:4: end_time \"25:61:00\" is not a time"),
        (r#"<activity type="h" link="1" max_dur="1h"/>"#, "plans.xml:4: max_dur \"1h\" is not a time"),
        (r#"<activity type="h" link="1" x="12,5" y="0"/>"#, "plans.xml:4: x \"12,5\" is not a number"),
        (r#"<activity link="1"/>"#, "plans.xml:4: activity without type"),
        (r#"<activity type="h" x="1"/>"#, "plans.xml:4: activity without link, coordinate and facility"),
    ] {
        let text = problem(&plan(element));
        assert!(text.starts_with(message), "{text}");
        assert!(text.contains("\n    "), "a remedy: {text}");
    }
    for (leg, message) in [
        ("<leg/>", "plans.xml:5: leg without mode"),
        ("<leg mode=\"car\" dep_time=\"7:60\"/>", "plans.xml:5: dep_time \"7:60\" is not a time"),
        ("<leg mode=\"car\"><route distance=\"far\"/></leg>", "plans.xml:5: distance \"far\" is not a number"),
        ("<leg mode=\"car\"><route/><route/></leg>", "plans.xml:5: a second route in one leg"),
        ("<leg mode=\"car\"><path/></leg>", "plans.xml:5: element <path> is not expected here"),
    ] {
        let text = problem(&plan(&format!("{HOME}{leg}{HOME}")));
        assert!(text.starts_with(message), "{text}");
    }
    let text = problem(&file(
        PopulationVersion::V6,
        "<person id=\"p\"><plan selected=\"true\">\n<activity type=\"h\" link=\"1\"/></plan></person>",
    ));
    assert!(text.starts_with("plans.xml:3: selected is \"true\""), "{text}");
}

#[test]
fn violations_of_the_plan_grammar_are_reported() {
    for (elements, message) in [
        ("", "plans.xml:3: a plan of person \"p\" has no activity"),
        (
            "<leg mode=\"car\"/>\n<activity type=\"h\" link=\"1\"/>",
            "plans.xml:4: a plan of person \"p\" begins with a leg",
        ),
        (
            "<activity type=\"h\" link=\"1\"/>\n<leg mode=\"car\"/>",
            "plans.xml:5: a plan of person \"p\" ends with a leg",
        ),
        ("<activity type=\"h\" link=\"1\"/>\n<activity type=\"h\" link=\"1\"/>", "plans.xml:5: two activities follow"),
    ] {
        let text = problem(&plan(elements));
        assert!(text.starts_with(message), "{text}");
    }
    let text = problem(&file(PopulationVersion::V6, "<person id=\"p\"/>"));
    assert!(text.starts_with("plans.xml:3: person \"p\" has no plan"), "{text}");
    let text = problem(&file(PopulationVersion::V6, "<person><plan><activity type=\"h\" link=\"1\"/></plan></person>"));
    assert!(text.starts_with("plans.xml:3: person without id"), "{text}");
    // The names of one version are unknown in another.
    let text = problem(&plan(&format!("{HOME}<act type=\"h\" link=\"1\"/>")));
    assert!(text.starts_with("plans.xml:5: element <act> is not expected here"), "{text}");
}

#[test]
fn all_problems_are_reported_and_reading_continues() {
    let mut persons = String::new();
    for i in 0..30 {
        writeln!(persons, "<person id=\"{i}\"><plan><activity type=\"h\" link=\"1\" end_time=\"x\"/></plan></person>")
            .unwrap();
    }
    let found = read(&file(PopulationVersion::V6, &persons));
    assert_eq!((found.persons.len(), found.total), (30, 30));
    assert!(found.problems.contains("... and 10 more problems (30 in total)"));
}

#[test]
fn a_truncated_file_is_an_error_with_its_location() {
    let whole = plan(&format!("{HOME}<leg mode=\"car\"/>\n{HOME}"));
    for end in [whole.len() / 2, whole.len() - 12] {
        let found = read(&whole[..end]);
        assert_eq!(found.total, 1, "{}", found.problems);
        assert!(found.problems.starts_with("plans.xml:"), "{}", found.problems);
    }
}

#[test]
fn other_files_and_versions_are_refused() {
    let refusal =
        |text: &str| PopulationReader::new(Cursor::new(text.to_owned()), "plans.xml").unwrap_err().to_string();
    let text = refusal("<!DOCTYPE network SYSTEM \"network_v2.dtd\"><network/>");
    assert!(text.contains("this is a network"), "{text}");
    let text = refusal("<plans/>");
    assert!(text.contains("the file names no DTD"), "{text}");
    let text = refusal("<!DOCTYPE plans SYSTEM \"http://www.matsim.org/files/dtd/plans_v1.dtd\"><plans/>");
    assert!(text.contains("the DTD \"plans_v1.dtd\" is not known"), "{text}");
    let text = refusal("<!DOCTYPE plans SYSTEM \"plans_v4.dtd\"><population/>");
    assert!(text.contains("the root element is <population>, but the DTD is plans_v4.dtd"), "{text}");
    let text = refusal("<!DOCTYPE network SYSTEM \"plans_v4.dtd\"><plans/>");
    assert!(text.contains("the DOCTYPE names <network>, but the root element is <plans>"), "{text}");
}

#[test]
fn unknown_elements_outside_of_persons_are_warnings() {
    let person = format!("<person id=\"p\"><plan>{HOME}</plan></person>");
    let text = file(
        PopulationVersion::V6,
        &format!("<extra><x/></extra>{person}<extra/><more/>{}", person.replace("\"p\"", "\"q\"")),
    );
    let found = read(&text);
    assert_eq!((found.persons.len(), found.problems.as_str()), (2, ""));
    assert_eq!(found.warnings.count("unknown elements outside of persons; skipped"), 3);
}

#[test]
fn faults_of_plans_that_are_not_selected_are_warnings_in_a_run() {
    let good = format!("<plan selected=\"yes\">{HOME}</plan>");
    let faulty = "<plan selected=\"no\">\n<leg mode=\"car\"/></plan>";
    let kind = "faulty plans that are not selected; they are not needed";
    for plans in
        [format!("{good}{faulty}"), format!("{faulty}{good}"), format!("{faulty}<plan selected=\"yes\"/>{good}")]
    {
        let text = file(PopulationVersion::V6, &format!("<person id=\"p\">{plans}</person>"));
        let found = read(&text);
        assert_eq!(found.problems, "");
        assert!(found.warnings.count(kind) >= 1);
        let (mut person, mut problems) = (PersonRecord::new(), Problems::new());
        let mut strict = PopulationReader::new(Cursor::new(text.clone()), "plans.xml").unwrap().with_every_plan();
        while strict.read_person(&mut person, &mut problems, &mut Warnings::new()) {}
        assert!(problems.to_string().contains("a plan of person \"p\" begins with a leg"), "{problems}");
    }
    // Without any mark, the first plan is simulated.
    let text = problem(&file(
        PopulationVersion::V6,
        &format!("<person id=\"p\"><plan>\n{HOME}<leg mode=\"car\"/></plan></person>"),
    ));
    assert!(text.contains("ends with a leg"), "{text}");
}

#[test]
fn activities_have_finite_coordinates() {
    for (x, message) in [("Infinity", "x \"Infinity\" is not finite"), ("NaN", "x \"NaN\" is not finite")] {
        let text = problem(&plan(&format!("<activity type=\"h\" x=\"{x}\" y=\"0\"/>")));
        assert!(text.starts_with(&format!("plans.xml:4: {message}")), "{text}");
    }
    let text = problem(&plan("<activity type=\"h\" link=\"1\" end_time=\"1e17\"/>"));
    assert!(
        text.starts_with("plans.xml:4: end_time \"1e17\" is not a time") && text.contains("at most 1000000000"),
        "{text}"
    );
}

#[test]
fn person_data_of_version_4_is_checked() {
    let persons =
        "<person id=\"1\" age=\"x1\" employed=\"maybe\"><knowledge/><plan><act type=\"h\" link=\"1\"/></plan></person>";
    let found = read(&file(PopulationVersion::V4, persons));
    assert!(found.problems.starts_with("plans.xml:3: age \"x1\" is not a whole number"), "{}", found.problems);
    assert_eq!(found.total, 1);
    assert_eq!(found.warnings.count("persons whose attribute employed is neither yes nor no; read as no"), 1);
    assert_eq!(found.warnings.count("knowledge and desires are not kept"), 1);
}

#[test]
fn long_ids_are_problems() {
    let text = problem(&file(
        PopulationVersion::V6,
        &format!("<person id=\"{}\"><plan>{HOME}</plan></person>", "x".repeat(65_536)),
    ));
    assert!(text.starts_with("plans.xml:3: id \"xxx") && text.contains("has 65536 bytes"), "{text}");
    let text = problem(&plan(&format!("<activity type=\"h\" link=\"1\" facility=\"{}\"/>", "x".repeat(65_536))));
    assert!(text.starts_with("plans.xml:4: facility \"xxx"), "{text}");
}

/// Persons with ids 0 to `n` - 1, one per line.
fn persons(n: usize) -> String {
    let mut text = String::new();
    for id in 0..n {
        let _ = writeln!(
            text,
            "<person id=\"{id}\"><plan selected=\"yes\"><activity type=\"h\" link=\"1\"/></plan></person>"
        );
    }
    text
}

#[test]
fn ends_of_persons_in_other_places_do_not_mislead() {
    let many = persons(40);
    for between in [
        "<!-- </person> -->\n",
        "<unknown><![CDATA[</person>]]></unknown>\n",
        "<unknown><person id=\"x\"></person></unknown>\n",
        "<person id=\"late\"><attributes><attribute name=\"a\" class=\"java.lang.String\">&lt;/person></attribute></attributes></person>\n",
        "<person id=\"odd\"><plan selected=\"yes\"><activity type=\"a</person>b\" link=\"1\"/></plan></person >\n",
        "<!-- </person> --></person>\n",
    ] {
        let found = read(&file(PopulationVersion::V6, &format!("{many}{between}{many}")));
        assert!(found.persons.len() >= 40, "{between}");
    }
}

#[test]
fn declared_entities_are_expanded_with_any_number_of_threads() {
    let (many, late) = (persons(40), persons(1).replace("\"0\"", "\"&e;\""));
    let text = file(PopulationVersion::V6, &format!("{many}{late}{many}"));
    let found = read(&text.replacen("\">", "\" [<!ENTITY e 'late'>]>", 1));
    assert_eq!((found.persons.len(), found.persons[40].id(), found.total), (81, "late", 0));
}

#[test]
fn persons_outside_their_place_are_problems() {
    for text in ["<attributes>\n<person id=\"1\"/></attributes>", "<attributes>\n<person id=\"1\"/>"] {
        let text = file(PopulationVersion::V6, text);
        let error = PopulationReader::new(Cursor::new(text), "plans.xml").unwrap_err().to_string();
        assert!(error.starts_with("plans.xml:4: a person inside the attributes"), "{error}");
    }
}

/// Fails at its end.
struct Failing<R>(R);

impl<R: io::Read> io::Read for Failing<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        match self.0.read(out)? {
            0 => Err(io::Error::new(io::ErrorKind::UnexpectedEof, "cut off")),
            read => Ok(read),
        }
    }
}

#[test]
fn a_failing_input_fails_at_the_same_person() {
    let text = file(PopulationVersion::V6, &persons(100));
    for length in [text.len() / 2, text.len() - 3] {
        let found = |threads: Threads| {
            let input = Failing(Cursor::new(text.as_bytes()[..length].to_vec()));
            read_input(Box::new(BufReader::with_capacity(64, input)), threads, false)
        };
        let one = found(Threads { workers: 1, chunk_bytes: CHUNK_BYTES });
        assert!(one.problems.contains("cut off"), "{}", one.problems);
        for chunk_bytes in [1, 700, CHUNK_BYTES] {
            let other = found(Threads { workers: 3, chunk_bytes });
            assert_eq!((other.persons.len(), &other.problems), (one.persons.len(), &one.problems), "{chunk_bytes}");
        }
    }
}

#[test]
fn a_reader_may_be_dropped_early() {
    let text = file(PopulationVersion::V6, &persons(1000));
    for read in [1, 500] {
        let input = Box::new(BufReader::with_capacity(64, Cursor::new(text.clone())));
        let threads = Threads { workers: 3, chunk_bytes: 1 };
        let mut reader = PopulationReader::on_threads(input, "plans.xml".to_owned(), threads).unwrap();
        let (mut person, mut problems, mut warnings) = (PersonRecord::new(), Problems::new(), Warnings::new());
        for id in 0..read {
            assert!(reader.read_person(&mut person, &mut problems, &mut warnings));
            assert_eq!(person.id(), id.to_string());
        }
    }
}

#[test]
fn persons_longer_than_a_chunk_are_read() {
    let long = format!(
        "<person id=\"long\" ><plan selected=\"yes\"><activity type=\"h\" link=\"1\"/><!--{}--></plan></person >\n",
        "x".repeat(MAX_CHUNK_BYTES)
    );
    let text = file(PopulationVersion::V6, &format!("{}{long}{long}{}", persons(3), persons(3)));
    let found = |threads: Threads| read_input(Box::new(BufReader::new(Cursor::new(text.clone()))), threads, false);
    let (one, other) = (Threads { workers: 1, chunk_bytes: 100 }, Threads { workers: 2, chunk_bytes: 100 });
    let (one, other) = (found(one), found(other));
    assert_eq!((one.persons.len(), one.problems.as_str()), (8, ""));
    assert!(format!("{:?}", one.persons) == format!("{:?}", other.persons));
}
