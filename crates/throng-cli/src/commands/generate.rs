//! `throng generate`: synthetic scenarios from a seed.

use throng::output::{Codec, IfNotEmpty, RunFolder};
use throng::traffic::generate::{self, CityOptions, Facts};
use throng_core::Progress;

use crate::args::{CityArgs, Generate, GenerateArgs};
use crate::exit::{Failure, Outcome};
use crate::{progress, report};

pub(crate) fn run(args: &GenerateArgs) -> Result<Outcome, Failure> {
    let Generate::City(city) = &args.what;
    generate_city(city, progress::display(city.verbosity).as_ref())
}

fn generate_city(args: &CityArgs, progress: &dyn Progress) -> Result<Outcome, Failure> {
    let mut options = CityOptions {
        links: args.links.unwrap_or_else(|| suitable_links(args.persons)),
        persons: args.persons,
        seed: args.seed,
        sample: args.sample,
        car_share: args.car_share,
        centres: args.centres,
        spike: args.spike,
        ..CityOptions::default()
    };
    if args.free_flow_routes {
        options = CityOptions { rounds: 0, batches: 1, jitter: 0.0, ..options };
    }
    options.check().map_err(|error| Failure::input("generate city", error.to_string(), "change the option"))?;
    let if_not_empty = if args.overwrite { IfNotEmpty::Overwrite } else { IfNotEmpty::Refuse };
    let folder = RunFolder::create(&args.out, if_not_empty, "--overwrite")?;
    let city = generate::city(&options, progress)
        .map_err(|error| Failure::input("generate city", error.to_string(), "change the option"))?;
    progress.begin("writing", None, "files");
    generate::write_city(&city, &folder, Codec::Gzip)?;
    progress.end();
    if !args.verbosity.quiet {
        report::print(&summary(args, &city.facts))?;
    }
    Ok(Outcome::Done)
}

/// About 37,000 links for 850,000 persons; smaller places have more street per head.
fn suitable_links(persons: u32) -> u32 {
    let share = f64::from(persons) / 850_000.0;
    ((37_000.0 * share.max(share.powf(0.6))) as u32).max(300)
}

fn summary(args: &CityArgs, facts: &Facts) -> String {
    format!(
        "network     {} nodes, {} links, {:.0} km\n\
         demand      {} persons, {} trips, {} of them by car, mean {:.1} km\n\
         expected    mean delay ratio {:.2} over the day\n\
         written     {}\n\
         run it      throng run {}\n",
        facts.nodes,
        facts.links,
        facts.road_km,
        facts.persons,
        facts.trips,
        facts.car_trips,
        facts.mean_trip_m / 1000.0,
        facts.congestion.delay_ratio,
        args.out.display(),
        args.out.display(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_follow_persons() {
        assert_eq!(suitable_links(850_000), 37_000);
        assert_eq!(suitable_links(8_500_000), 370_000);
        assert!((2_400..2_700).contains(&suitable_links(10_000)));
        assert_eq!(suitable_links(1), 300);
    }
}
