//! `throng generate`: synthetic scenarios from a seed.

use throng::city::{self, CityError, CityFiles, CityOptions, Facts, Tier};
use throng::output::{Codec, IfNotEmpty, RunFolder};
use throng_core::Progress;

use crate::args::{CityArgs, Generate, GenerateArgs};
use throng::model::Failure;

use crate::exit::Outcome;
use crate::{progress, report};

pub(crate) fn run(args: &GenerateArgs) -> Result<Outcome, Failure> {
    let Generate::City(city) = &args.what;
    generate_city(city, progress::display(city.verbosity).as_ref())
}

fn generate_city(args: &CityArgs, progress: &dyn Progress) -> Result<Outcome, Failure> {
    let options = options(args);
    options.check().map_err(CityError::from)?;
    let folder = RunFolder::create(&args.out, IfNotEmpty::of_flag(args.overwrite), "--overwrite")?;
    let names: Vec<&str> = [SCENARIO_NAME].into_iter().chain(city::FILE_NAMES).collect();
    // Before the city is generated, which may take minutes.
    let folder = folder.keeping([], &names)?;
    let city = city::city(&options, progress)?;
    let summary = summary(args, &city.facts);
    progress.begin("writing", None, "files");
    folder.begin_anew(&names)?;
    let files = if args.cache_only { CityFiles::CacheOnly } else { CityFiles::All };
    city::write_city(city, &folder, Codec::Gzip, files)?;
    folder.write(SCENARIO_NAME, SCENARIO_FILE.as_bytes())?;
    folder.finish();
    progress.end();
    if !args.verbosity.quiet {
        report::print(&summary)?;
    }
    Ok(Outcome::Done)
}

/// The name of [`SCENARIO_FILE`].
const SCENARIO_NAME: &str = "scenario.toml";

/// Makes `throng run FOLDER` read the cache, while MATSim can still read `config.xml`.
const SCENARIO_FILE: &str = "model = \"traffic\"
config = \"config.xml\"

[set]
# The loaded scenario: reading it takes a fraction of the time of the XML files.
throng.scenarioCache = \"scenario.throng\"
";

fn options(args: &CityArgs) -> CityOptions {
    let tier = args.tier.as_ref().and_then(|name| Tier::ALL.into_iter().find(|tier| tier.name() == name));
    let preset = tier.map_or_else(|| CityOptions { persons: 10_000, ..CityOptions::default() }, Tier::options);
    let persons = args.persons.unwrap_or(preset.persons);
    let of_tier = tier.filter(|_| args.persons.is_none()).map(|_| preset.links);
    let options = CityOptions {
        links: args.links.or(of_tier).unwrap_or_else(|| suitable_links(persons)),
        persons,
        seed: args.seed,
        sample: args.sample,
        car_share: args.car_share,
        centres: args.centres.unwrap_or(preset.centres),
        spike: args.spike,
        ..preset
    };
    // A stress test uses the demand as it is, without adaptation of the travellers.
    let days = if args.spike { 0 } else { options.days };
    let options = CityOptions { days, ..options };
    if args.free_flow_routes { CityOptions { rounds: 0, batches: 1, days: 0, jitter: 0.0, ..options } } else { options }
}

/// About 37,000 links for 850,000 persons; smaller places have more street per head.
fn suitable_links(persons: u32) -> u32 {
    let share = f64::from(persons) / 850_000.0;
    ((37_000.0 * share.max(libm::pow(share, 0.6))) as u32).max(300)
}

fn summary(args: &CityArgs, facts: &Facts) -> String {
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
         {traffic}\n\
         written     {}\n\
         run it      throng run {}\n",
        facts.nodes,
        facts.links,
        facts.road_km,
        facts.persons,
        facts.trips,
        facts.car_trips,
        facts.mean_trip_m / 1000.0,
        args.out.display(),
        args.out.display(),
    )
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::args::{Arguments, Command};

    fn typed(args: &[&str]) -> CityOptions {
        let typed = ["throng", "generate", "city", "--out", "a"].iter().chain(args);
        let Command::Generate(args) = Arguments::try_parse_from(typed).unwrap().command else { panic!("not generate") };
        let Generate::City(args) = args.what;
        options(&args)
    }

    #[test]
    fn tiers_are_presets() {
        let sizes = |options: CityOptions| (options.persons, options.links, options.centres);
        assert_eq!(sizes(typed(&[])), (10_000, suitable_links(10_000), 6));
        assert_eq!(sizes(typed(&["--tier", "metropolis"])), (8_500_000, 370_000, 12));
        assert_eq!(sizes(typed(&["--tier", "country", "--centres", "7"])), (28_000_000, 3_700_000, 7));
        assert_eq!(sizes(typed(&["--tier", "city", "--persons", "1000"])), (1000, suitable_links(1000), 6));
        assert_eq!(sizes(typed(&["--tier", "city", "--persons", "1000", "--links", "999"])), (1000, 999, 6));
        let free = typed(&["--tier", "country", "--free-flow-routes", "--spike"]);
        assert_eq!((free.rounds, free.batches, free.days, free.jitter, free.spike), (0, 1, 0, 0.0, true));
        let days = |args| typed(args).days;
        assert_eq!(days(&["--tier", "city", "--free-flow-routes"]), 0);
        assert_eq!(days(&["--tier", "city", "--spike"]), 0);
        assert_eq!(days(&["--tier", "city"]), CityOptions::default().days);
        assert!(days(&[]) > 1 && days(&["--tier", "country"]) == 0);
    }

    #[test]
    fn links_follow_persons() {
        assert_eq!(suitable_links(850_000), 37_000);
        assert_eq!(suitable_links(8_500_000), 370_000);
        assert!((2_400..2_700).contains(&suitable_links(10_000)));
        assert_eq!(suitable_links(1), 300);
    }
}
