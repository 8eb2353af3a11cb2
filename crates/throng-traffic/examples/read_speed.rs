//! Measures how fast files are read: `cargo run --release -p throng-traffic --example read_speed -- FILE...`
//!
//! For each file the speed of unpacking alone, of the parser with all attributes, and of the reader for its kind, in
//! megabytes of text per second. The best of three passes counts: others disturb, nothing speeds up.

use std::io::BufRead;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use throng_core::{InputError, Warnings};
use throng_traffic::matsim::network::read_network;
use throng_traffic::matsim::open::TextInput;
use throng_traffic::matsim::vehicles::read_vehicles;
use throng_traffic::matsim::xml::{Token, Xml};
use throng_traffic::scenario::ModeTable;

fn main() -> ExitCode {
    let mut code = ExitCode::SUCCESS;
    for file in std::env::args_os().skip(1) {
        if let Err(error) = measure(Path::new(&file)) {
            eprintln!("{error}");
            code = ExitCode::from(2);
        }
    }
    code
}

fn measure(path: &Path) -> Result<(), InputError> {
    let bytes = unpack(path)?;
    println!("{}: {:.1} MB of text", path.display(), bytes as f64 / 1e6);
    best("unpack", bytes, || unpack(path).map(|_| String::new()))?;
    best("parse", bytes, || parse(path))?;
    match root(path)?.as_str() {
        "network" => best("network", bytes, || {
            let network = read_network(path, &mut ModeTable::default(), &mut Warnings::new())?;
            Ok(format!("{} nodes, {} links", network.nodes(), network.links()))
        }),
        "vehicleDefinitions" => best("vehicles", bytes, || {
            let file = read_vehicles(path, &mut Warnings::new())?;
            Ok(format!("{} types, {} vehicles", file.types.len(), file.vehicles.len()))
        }),
        _ => Ok(()),
    }
}

fn best(what: &str, bytes: u64, work: impl Fn() -> Result<String, InputError>) -> Result<(), InputError> {
    let mut seconds = f64::INFINITY;
    let mut found = String::new();
    for _ in 0..3 {
        let start = Instant::now();
        found = work()?;
        seconds = seconds.min(start.elapsed().as_secs_f64());
    }
    println!("  {what:<9} {:7.0} MB/s  {found}", bytes as f64 / 1e6 / seconds);
    Ok(())
}

fn unpack(path: &Path) -> Result<u64, InputError> {
    let mut input = TextInput::open(path)?;
    let mut bytes = 0;
    loop {
        let failed = |error: std::io::Error| InputError::one(path.display().to_string(), error.to_string(), "");
        let read = input.fill_buf().map_err(failed)?.len();
        if read == 0 {
            return Ok(bytes);
        }
        bytes += read as u64;
        input.consume(read);
    }
}

fn parse(path: &Path) -> Result<String, InputError> {
    let mut xml = Xml::new(TextInput::open(path)?, path.display().to_string());
    let (mut elements, mut attributes) = (0_u64, 0_u64);
    loop {
        match xml.read()? {
            Token::Start(tag) => {
                elements += 1;
                attributes +=
                    tag.attributes().filter(|(name, value)| !name.is_empty() && value.len() < 1 << 30).count() as u64;
            }
            Token::End(_) => {}
            Token::Eof => return Ok(format!("{elements} elements, {attributes} attributes")),
        }
    }
}

fn root(path: &Path) -> Result<String, InputError> {
    let mut xml = Xml::new(TextInput::open(path)?, path.display().to_string());
    match xml.read()? {
        Token::Start(tag) => Ok(tag.name.to_owned()),
        _ => Ok(String::new()),
    }
}
