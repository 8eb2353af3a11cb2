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
    for file in files {
        let path = Path::new(file);
        let bytes = std::fs::metadata(path).map_or(0, |metadata| metadata.len());
        println!("{file}, {bytes} bytes");

        let clock = Clock::start();
        let mut xml = Xml::new(TextInput::open(path)?, file.as_str());
        let mut tags = 0_u64;
        while !matches!(xml.read()?, Token::Eof) {
            tags += 1;
        }
        clock.stop(bytes, &format!("{tags} tags"));

        let clock = Clock::start();
        let mut reader = PopulationReader::open(path)?;
        let (mut person, mut problems, mut warnings) = (PersonRecord::new(), Problems::new(), Warnings::new());
        let mut persons = 0_u64;
        while reader.read_person(&mut person, &mut problems, &mut warnings) {
            persons += 1;
        }
        problems.into_result()?;
        clock.stop(bytes, &format!("{persons} persons"));

        let mut modes = ModeTable::default();
        let network = read_network(Path::new(network), &mut modes, &mut warnings)?;
        let clock = Clock::start();
        let parts = Parts { modes, network, ..Parts::default() };
        let reader = PopulationReader::open(path)?;
        let scenario = assemble(Settings::default(), parts, reader, &mut warnings, &NoProgress)?;
        let population = &scenario.population;
        let (legs, links) = (population.legs.mode.len(), population.route_links.len());
        clock.stop(bytes, &format!("{} persons, {legs} legs, {links} links of routes", population.persons()));
        for (kind, warning) in warnings.iter() {
            println!("    {} {kind}, e.g. {}", warning.count, warning.example);
        }
    }
    Ok(())
}

/// Time spent by this thread, where the system tells it: other work on the machine then counts less.
struct Clock {
    wall: Instant,
    busy: Option<f64>,
}

impl Clock {
    fn start() -> Self {
        Self { wall: Instant::now(), busy: busy_seconds() }
    }

    fn stop(self, bytes: u64, what: &str) {
        let wall = self.wall.elapsed().as_secs_f64();
        let busy = busy_seconds().zip(self.busy).map_or(wall, |(end, start)| end - start);
        println!("    {:4.0} MB/s of processor time, {wall:.2} s of wall time: {what}", bytes as f64 / 1e6 / busy);
    }
}

fn busy_seconds() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds: f64 = text.split_ascii_whitespace().next()?.parse().ok()?;
    Some(nanoseconds / 1e9)
}
