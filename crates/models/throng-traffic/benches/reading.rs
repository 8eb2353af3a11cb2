//! Speed of reading files, in bytes of plain text per second on one core: `reading/FILE/SIZE`.
//!
//! The files come from a generated city. `tags` is the parser alone, `network` and `plans_v6` are the readers, and
//! `loading` reads both files and builds the arrays of a scenario, on all cores.

use std::path::Path;
use std::sync::Arc;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use throng_city::{CityFiles, CityOptions, city, write_city};
use throng_core::{NoProgress, Problems, Warnings};
use throng_matsim::formats::network::read_network;
use throng_matsim::formats::open::TextInput;
use throng_matsim::formats::person::PersonRecord;
use throng_matsim::formats::population::PopulationReader;
use throng_matsim::formats::xml::{Token, Xml};
use throng_matsim::load::{Parts, assemble};
use throng_output::{Codec, IfNotEmpty, RunFolder};
use throng_traffic_scenario::settings::Settings;
use throng_traffic_scenario::{ModeTable, Network};

const PERSONS: u32 = 50_000;

fn tags(path: &Path) -> u64 {
    let mut xml = Xml::new(TextInput::open(path).unwrap(), "file");
    let mut tags = 0;
    while !matches!(xml.read().unwrap(), Token::Eof) {
        tags += 1;
    }
    tags
}

fn persons(path: &Path) -> u64 {
    let mut reader = PopulationReader::open(path).unwrap();
    let (mut person, mut problems, mut warnings) = (PersonRecord::new(), Problems::new(), Warnings::new());
    let mut persons = 0;
    while reader.read_person(&mut person, &mut problems, &mut warnings) {
        persons += 1;
    }
    assert!(problems.is_empty(), "{problems}");
    persons
}

fn network(path: &Path, modes: &mut ModeTable) -> Network {
    read_network(path, modes, &mut Warnings::new()).unwrap()
}

fn reading(criterion: &mut Criterion) {
    let folder = tempfile::tempdir().unwrap();
    let options = CityOptions { persons: PERSONS, links: 20_000, ..CityOptions::default() };
    let made = city(&options, &NoProgress).unwrap();
    let run_folder = RunFolder::create(folder.path(), IfNotEmpty::Refuse, "").unwrap();
    write_city(made, &run_folder, Codec::None, CityFiles::Matsim).unwrap();
    let (network_file, plans_file) = (folder.path().join("network.xml"), folder.path().join("plans.xml"));
    let bytes = |path: &Path| Throughput::Bytes(std::fs::metadata(path).unwrap().len());

    let mut group = criterion.benchmark_group("reading");
    group.sample_size(10);
    group.throughput(bytes(&network_file));
    group.bench_function("network/20k_links", |b| b.iter(|| network(&network_file, &mut ModeTable::default())));
    group.throughput(bytes(&plans_file));
    group.bench_function("tags/50k_persons", |b| b.iter(|| tags(&plans_file)));
    group.bench_function("plans_v6/50k_persons", |b| b.iter(|| persons(&plans_file)));
    group.bench_function("loading/50k_persons", |b| {
        b.iter(|| {
            let mut modes = ModeTable::default();
            let network = network(&network_file, &mut modes);
            let parts = Parts { modes, network, ..Parts::default() };
            let reader = PopulationReader::open(&plans_file).unwrap();
            Arc::new(assemble(Settings::default(), parts, reader, &mut Warnings::new(), &NoProgress).unwrap())
        });
    });
    group.finish();
}

criterion_group!(benches, reading);
criterion_main!(benches);
