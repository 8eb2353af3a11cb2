//! The city as a generator, for lists of generators.

use std::ops::Bound;

use throng_core::{InputError, Progress, counted, shell_word};
use throng_model::Failure;
use throng_model::flags::{Flag, Flags};
use throng_model::generator::{GenerateRequest, Generator};
use throng_model::scenario_file::SCENARIO_NAME;
use throng_output::{Codec, IfNotEmpty, RunFolder};

use crate::options::{CENTRES, COUNTS, LINES, LINKS, PERSONS};
use crate::{City, CityFiles, CityOptions, FILE_NAMES, MAX_SEED, Tier, city, write_city};

/// `throng generate city`: a city as a folder of MATSim files.
#[derive(Debug, Clone, Copy, Default)]
pub struct CityGenerator;

pub(crate) const FLAGS: [Flag; 12] = [
    Flag::new(
        "tier",
        "city|metropolis|country",
        "A size for benchmarks: presets for the options below, each of which may be overridden [possible values: city, \
         metropolis, country]",
    ),
    Flag::new("persons", "N", "Number of persons in the city; 10,000 without a tier"),
    Flag::new("links", "N", "Approximate number of links; by default derived from the number of persons"),
    Flag::new("seed", "N", "Seed: the same seed gives the same city [default: 1]"),
    Flag::new("sample", "SHARE", "Share of the persons to write, above 0 and up to 1 [default: 1]"),
    Flag::new(
        "car-share",
        "SHARE",
        "Share of the persons who go by car; the others walk or take public transport [default: 1, with lines 0.7]",
    ),
    Flag::new(
        "lines",
        "N",
        "Number of bus lines with a timetable, and a railway line for every ten of them; persons who do not go by car \
         then ride in their vehicles [default: 0]",
    ),
    Flag::new(
        "counts",
        "N",
        "Number of stations on main roads with counts of vehicles per hour: those of a simulated day, with random errors \
         of 10 % [default: 0]",
    ),
    Flag::new("centres", "N", "Number of centres; 6 without a tier"),
    Flag::switch("spike", "All trips to work and school at 06:00 and from there at 16:00 sharp: a stress test"),
    Flag::switch("free-flow-routes", "Routes that ignore congestion: the city ends in gridlock"),
    Flag::switch(
        "cache-only",
        "Write the plans only into scenario.throng: XML of millions of persons takes a long time to write and longer to read",
    ),
];

impl Generator for CityGenerator {
    fn name(&self) -> &'static str {
        "city"
    }

    fn about(&self) -> &'static str {
        "A city with several centres, its roads and the daily plans of its people, in MATSim formats"
    }

    fn more(&self) -> &'static str {
        "The folder holds network, plans with routes, config.xml, a map (city.svg), a README, with --lines a schedule and \
vehicles, with --counts counts.xml, the loaded scenario (scenario.throng), and scenario.toml, which makes `throng run DIR` read that instead of the XML.

Tiers:
  city        850,000 persons, 37,000 links: about the size of Zurich
  metropolis  8,500,000 persons, 370,000 links
  country     28,000,000 persons, 3,700,000 links; best with --cache-only, on a machine with plenty of memory

Examples:
  throng generate city --out city
      10,000 persons; then: throng run city
  throng generate city --tier city --out zurich_like
  throng generate city --tier city --sample 0.1 --out zurich_like_10pct
      a tenth of the persons, with flow and storage capacity factors to match
  throng generate city --lines 20 --out city_with_buses
      20 bus lines and 2 railway lines, ridden by the 30 % who do not go by car
  throng generate city --tier metropolis --free-flow-routes --out gridlock
  throng generate city --tier country --cache-only --out country"
    }

    fn flags(&self) -> &'static [Flag] {
        &FLAGS
    }

    fn generate(&self, request: &GenerateRequest, progress: &dyn Progress) -> Result<String, Failure> {
        request.check(self)?;
        let GenerateRequest { out, overwrite, flags } = request;
        let options = options(flags)?;
        options.check()?;
        // The source lets the same command replace the files of an interrupted one.
        let source = format!("generate {}", self.name());
        let folder = RunFolder::of_scenario(out, IfNotEmpty::of_flag(*overwrite), "--overwrite", &source, "")?;
        let names: Vec<&str> = [SCENARIO_NAME].into_iter().chain(FILE_NAMES).collect();
        // The folder is checked before the city is generated, which may take minutes.
        let folder = folder.keeping([], &names)?;
        let city = city(&options, progress)?;
        let summary = summary(&shell_word(out), &city);
        progress.begin("writing", None, "files");
        folder.make_room_for(&names)?;
        let files = if flags.has("cache-only") { CityFiles::CacheOnly } else { CityFiles::All };
        write_city(city, &folder, Codec::Gzip, files)?;
        folder.write(SCENARIO_NAME, SCENARIO_FILE.as_bytes())?;
        folder.finish();
        progress.end();
        Ok(summary)
    }
}

/// The content of `scenario.toml`. It makes `throng run FOLDER` read the cache, while MATSim can still read
/// `config.xml`.
const SCENARIO_FILE: &str = "model = \"traffic\"
config = \"config.xml\"

[set]
# The loaded scenario: reading it takes a fraction of the time of the XML files.
throng.scenarioCache = \"scenario.throng\"
";

fn options(flags: &Flags) -> Result<CityOptions, InputError> {
    let tier = flags.get("tier").map(tier).transpose()?;
    let preset = tier.map_or_else(|| CityOptions { persons: 10_000, ..CityOptions::default() }, Tier::options);
    let typed_persons = flags.number("persons", PERSONS)?;
    let persons = typed_persons.unwrap_or(preset.persons);
    let of_tier = tier.filter(|_| typed_persons.is_none()).map(|_| preset.links);
    let spike = flags.has("spike");
    let lines = flags.number("lines", LINES)?.unwrap_or(preset.lines);
    if lines > 0 && flags.has("cache-only") {
        let remedy = "leave one of them out: persons get their connections when the plans are read";
        return Err(InputError::one("--lines", "together with --cache-only", remedy));
    }
    let options = CityOptions {
        links: flags.number("links", LINKS)?.or(of_tier).unwrap_or_else(|| suitable_links(persons)),
        persons,
        seed: flags.number("seed", 0..=MAX_SEED)?.unwrap_or(preset.seed),
        sample: flags.number("sample", (Bound::Excluded(0.0), Bound::Included(1.0)))?.unwrap_or(preset.sample),
        car_share: flags.number("car-share", 0.0..=1.0)?.unwrap_or(if lines > 0 { 0.7 } else { preset.car_share }),
        lines,
        counts: flags.number("counts", COUNTS)?.unwrap_or(preset.counts),
        centres: flags.number("centres", CENTRES)?.unwrap_or(preset.centres),
        spike,
        // A stress test uses the demand as it is, without adaptation by travellers.
        days: if spike { 0 } else { preset.days },
        ..preset
    };
    let free_flow = flags.has("free-flow-routes");
    Ok(if free_flow { CityOptions { rounds: 0, batches: 1, days: 0, jitter: 0.0, ..options } } else { options })
}

fn tier(name: &str) -> Result<Tier, InputError> {
    let found = Tier::ALL.into_iter().find(|tier| tier.name() == name);
    found.ok_or_else(|| InputError::one("--tier", format!("\"{name}\""), "give city, metropolis or country"))
}

/// Returns the number of links: about 37,000 for 850,000 persons. Smaller cities have more streets per person.
fn suitable_links(persons: u32) -> u32 {
    let share = f64::from(persons) / 850_000.0;
    ((37_000.0 * share.max(libm::pow(share, 0.6))) as u32).max(300)
}

fn summary(folder: &str, city: &City) -> String {
    let facts = &city.facts;
    let routes = &city.lines.routes;
    let trains = routes.iter().filter(|route| route.is_rail).count() / 2;
    let lines = match routes.len() / 2 {
        0 => String::new(),
        all => {
            let [buses, trains] =
                [(all - trains, "bus line"), (trains, "railway line")].map(|(lines, noun)| counted(lines as u64, noun));
            format!("transit     {buses}, {trains}\n")
        }
    };
    let traffic = match facts.day {
        Some(day) => format!(
            "simulated   mean delay ratio {:.2} over the day, {:.2} from 07:00 to 08:30, {:.1} % pushes per trip{}",
            day.delay_ratio,
            day.morning_delay_ratio,
            day.pushes_per_trip * 100.0,
            if day.share < 1.0 { format!(", with {:.0} % of the persons", day.share * 100.0) } else { String::new() },
        ),
        None => format!("expected    mean delay ratio {:.2} over the day", facts.congestion.delay_ratio),
    };
    format!(
        "network     {} nodes, {} links, {:.0} km\n\
         demand      {} persons, {} trips, {} of them by car, mean {:.1} km\n\
         {lines}{traffic}\n\
         written     {folder}\n\
         run it      throng run {folder}\n",
        facts.nodes,
        facts.links,
        facts.road_km,
        facts.persons,
        facts.trips,
        facts.car_trips,
        facts.mean_trip_m / 1000.0,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(given: &[(&str, &str)]) -> CityOptions {
        let mut flags = Flags::default();
        for (name, value) in given {
            assert!(FLAGS.iter().any(|flag| flag.name == *name), "{name}");
            flags.add(*name, *value);
        }
        options(&flags).unwrap()
    }

    #[test]
    fn tiers_are_presets() {
        let sizes = |options: CityOptions| (options.persons, options.links, options.centres);
        assert_eq!(sizes(typed(&[])), (10_000, suitable_links(10_000), 6));
        assert_eq!(sizes(typed(&[("tier", "metropolis")])), (8_500_000, 370_000, 12));
        assert_eq!(sizes(typed(&[("tier", "country"), ("centres", "7")])), (28_000_000, 3_700_000, 7));
        let small = ("persons", "1000");
        assert_eq!(sizes(typed(&[("tier", "city"), small])), (1000, suitable_links(1000), 6));
        assert_eq!(sizes(typed(&[("tier", "city"), small, ("links", "999")])), (1000, 999, 6));
        let free = typed(&[("tier", "country"), ("free-flow-routes", ""), ("spike", "")]);
        assert_eq!((free.rounds, free.batches, free.days, free.jitter, free.spike), (0, 1, 0, 0.0, true));
        let days = |given| typed(given).days;
        assert_eq!(days(&[("tier", "city"), ("free-flow-routes", "")]), 0);
        assert_eq!(days(&[("tier", "city"), ("spike", "")]), 0);
        assert_eq!(days(&[("tier", "city")]), CityOptions::default().days);
        assert!(days(&[]) > 1 && days(&[("tier", "country")]) == 0);
    }

    #[test]
    fn bad_flags_are_refused_before_the_folder_is_created() {
        let dir = tempfile::tempdir().unwrap();
        let out = dir.path().join("city");
        for (name, value, expected) in [
            ("tier", "village", "--tier: \"village\"\n    give city, metropolis or country"),
            ("persons", "0", "--persons: 0\n    give a whole number from 1 to 100000000"),
            ("sample", "half", "--sample: half\n    give a number above 0 and up to 1"),
            ("sample", "0", "--sample: 0\n    give a number above 0 and up to 1"),
            ("links", "4294967296", "--links: 4294967296\n    give a whole number from 300 to 20000000"),
            ("links", "10", "--links: 10\n    give a whole number from 300 to 20000000"),
            ("car-share", "2", "--car-share: 2\n    give a number from 0 to 1"),
            ("centres", "31", "--centres: 31\n    give a whole number from 1 to 30"),
            ("seed", "-1", "--seed: -1\n    give a whole number from 0 to 9223372036854775807"),
            ("person", "9", "--person: generator city has no such flag\n    did you mean \"persons\"? known: tier, "),
        ] {
            let mut flags = Flags::default();
            flags.add(name, value);
            let request = GenerateRequest { out: out.clone(), overwrite: false, flags };
            let failure = CityGenerator.generate(&request, &throng_core::NoProgress).unwrap_err();
            assert_eq!(failure.exit_code(), 2);
            assert!(failure.to_string().starts_with(expected), "{failure}");
            assert!(!out.exists());
        }
    }

    #[test]
    fn links_follow_persons() {
        assert_eq!(suitable_links(850_000), 37_000);
        assert_eq!(suitable_links(8_500_000), 370_000);
        assert!((2_400..2_700).contains(&suitable_links(10_000)));
        assert_eq!(suitable_links(1), 300);
    }
}
