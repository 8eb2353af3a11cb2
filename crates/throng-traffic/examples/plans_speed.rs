//! Tells how fast plans are read: `cargo run --release --example plans_speed -- NETWORK PLANS [PLANS...]`.
//!
//! For each file three rates, in millions of bytes of the file per second on one core: its tags alone, its persons as
//! records, and its persons as the arrays of a scenario with all links of routes looked up.

use std::path::Path;
use std::time::Instant;

use throng_core::{InputError, NoProgress, Problems, Warnings};
use throng_traffic::load::{Parts, assemble};
use throng_traffic::matsim::network::read_network;
use throng_traffic::matsim::open::TextInput;
use throng_traffic::matsim::person::PersonRecord;
use throng_traffic::matsim::population::PopulationReader;
use throng_traffic::matsim::xml::{Token, Xml};
use throng_traffic::scenario::ModeTable;
use throng_traffic::settings::Settings;

fn main() -> Result<(), InputError> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some((network, files)) = arguments.split_first() else {
        println!("usage: plans_speed NETWORK PLANS [PLANS...]");
        return Ok(());
    };
    for plans in files {
        let bytes = std::fs::metadata(plans).map_or(0, |m| m.len());
        let rate = |start: Instant| bytes as f64 / 1e6 / start.elapsed().as_secs_f64();

        let start = Instant::now();
        let mut xml = Xml::new(TextInput::open(Path::new(plans))?, plans.as_str());
        let mut tags = 0_u64;
        while !matches!(xml.read()?, Token::Eof) {
            tags += 1;
        }
        println!("{plans}: {tags} tags, {:.0} MB/s", rate(start));

        let start = Instant::now();
        let mut reader = PopulationReader::open(Path::new(plans))?;
        let (mut person, mut problems, mut warnings) = (PersonRecord::new(), Problems::new(), Warnings::new());
        let mut persons = 0_u64;
        while reader.read_person(&mut person, &mut problems, &mut warnings) {
            persons += 1;
        }
        problems.into_result()?;
        println!("{plans}: {persons} persons read, {:.0} MB/s", rate(start));

        let mut warnings = Warnings::new();
        let mut modes = ModeTable::default();
        let network = read_network(Path::new(network), &mut modes, &mut warnings)?;
        let start = Instant::now();
        let reader = PopulationReader::open(Path::new(plans))?;
        let parts = Parts { modes, network, ..Parts::default() };
        let scenario = assemble(Settings::default(), parts, reader, &mut warnings, &NoProgress)?;
        println!(
            "{plans}: {} persons, {} legs, {} links of routes, {:.0} MB/s",
            scenario.population.persons(),
            scenario.population.legs.mode.len(),
            scenario.population.route_links.len(),
            rate(start)
        );
        for (kind, warning) in warnings.iter() {
            println!("{} {kind}, e.g. {}", warning.count, warning.example);
        }
    }
    Ok(())
}
