//! Tells how fast plans are read: `cargo run --release --example plans_speed -- NETWORK PLANS [PLANS...]`.

use std::path::Path;
use std::time::Instant;

use throng_core::{InputError, NoProgress, Problems, Warnings};
use throng_traffic::load::{Parts, assemble};
use throng_traffic::matsim::open::TextInput;
use throng_traffic::matsim::person::PersonRecord;
use throng_traffic::matsim::population::PopulationReader;
use throng_traffic::matsim::xml::{Token, Xml};
use throng_traffic::scenario::{Link, Network};
use throng_traffic::settings::Settings;

fn quick_network(path: &str) -> Result<Network, InputError> {
    let mut network = Network::default();
    let mut xml = Xml::new(TextInput::open(Path::new(path))?, path);
    loop {
        match xml.read()? {
            Token::Start(tag) if tag.name == "node" => {
                let n = |k| tag.get(k).unwrap().parse::<f64>().unwrap();
                network.add_node(tag.get("id").unwrap(), n("x"), n("y")).unwrap();
            }
            Token::Start(tag) if tag.name == "link" => {
                let n = |k| tag.get(k).unwrap().parse::<f64>().unwrap();
                let node = |k| network.node_ids.get(tag.get(k).unwrap()).unwrap();
                let link = Link {
                    from: node("from"),
                    to: node("to"),
                    length_m: n("length"),
                    freespeed_mps: n("freespeed"),
                    capacity: n("capacity"),
                    lanes: n("permlanes"),
                    modes: u64::MAX,
                };
                network.add_link(tag.get("id").unwrap(), link).unwrap();
            }
            Token::Eof => return Ok(network),
            _ => {}
        }
    }
}

fn main() -> Result<(), InputError> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let only = std::env::var_os("ONLY_ASSEMBLE").is_some();
    for plans in &arguments[1..] {
        let bytes = std::fs::metadata(plans).map_or(0, |m| m.len());
        let rate = |start: Instant| bytes as f64 / 1e6 / start.elapsed().as_secs_f64();

        if !only {
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

        }
        let network = quick_network(&arguments[0])?;
        let start = Instant::now();
        let reader = PopulationReader::open(Path::new(plans))?;
        let mut warnings = Warnings::new();
        let parts = Parts { network, ..Parts::default() };
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
