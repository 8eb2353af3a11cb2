//! The code of the book's chapters on kernels: it compiles, runs, and equals the text there.

#![allow(missing_docs, reason = "what #[cube] makes of a function has no documentation")]

use throng_core::Philox;
use throng_device::cube::{NONE, host};
use throng_device::loops::are_cut;
use throng_device::{Device, DeviceChoice, DeviceError, DeviceInfo, inventory};
use throng_testing::repository;
use throng_testing_devices::devices;

// In the book: imports.
use throng_device::prelude::*;
// Up to here.

// In the book: scale.
#[cube]
fn scaled(value: u32, factor: u32) -> u32 {
    exact::low_product(value, factor)
}

#[cube(launch)]
fn scale(values: &mut Array<u32>, factor: u32) {
    if ABSOLUTE_POS < values.len() {
        values[ABSOLUTE_POS] = scaled(values[ABSOLUTE_POS], factor);
    }
}

pub fn scale_all(device: &Device, values: &Buffer<u32>, factor: u32) -> Result<(), DeviceError> {
    device.launch("scale", values.len(), |client, cubes, dim| {
        scale::launch(client, cubes, dim, values.arg(), factor);
    })
}
// Up to here.

// In the book: same_on_devices.
throng_testing_devices::same_on_devices!(fn products(a: u32, b: u32) -> u32 { scaled(a, b) } for (0..999).map(|i| (i << 22, i)));
// Up to here.

#[test]
fn a_kernel_is_called_like_a_function() {
    for device in devices() {
        call(device).unwrap();
    }
}

fn call(device: &Device) -> Result<(), DeviceError> {
    // In the book: call.
    let values = device.upload("values", &[1, 2, 3])?;
    scale_all(device, &values, 5)?;
    scale_all(device, &values, 2)?;
    assert_eq!(device.read(&values)?, [10, 20, 30]);
    // Up to here.
    Ok(())
}

// In the book: choice.
/// A device, if there is one that the user accepts.
fn chosen(choice: DeviceChoice) -> Result<Option<Device>, DeviceError> {
    let all = inventory();
    match choice {
        DeviceChoice::Cpu => Ok(None),
        DeviceChoice::Auto => all.devices.first().map(DeviceInfo::open).transpose(),
        DeviceChoice::Device(id) => throng_device::open(id).map(Some),
    }
}
// Up to here.

#[test]
fn without_a_device_there_are_reasons() {
    assert!(chosen(DeviceChoice::Cpu).unwrap().is_none());
    assert_eq!(chosen(DeviceChoice::Auto).unwrap().is_none(), inventory().devices.is_empty());
    // In the book: reasons.
    let error = chosen("cuda:99".parse().expect("a device id")).unwrap_err();
    println!("{error}; {}", error.remedy());
    for missing in inventory().missing {
        println!("{}: {}", missing.backend.name(), missing.reason);
    }
    // Up to here.
    assert!(error.to_string().starts_with("there is no device cuda:99: "), "{error}");
}

#[test]
fn transfers_and_launches_are_counted() {
    for info in inventory().devices {
        let mut device = info.open().unwrap();
        count(&mut device).unwrap();
    }
}

fn count(device: &mut Device) -> Result<(), DeviceError> {
    // In the book: counts.
    let values = device.upload("values", &vec![1u32; 1000])?;
    for _ in 0..50 {
        scale_all(device, &values, 3)?;
    }
    let first = device.read_first(&values, 1)?.wait()?;
    let ledger = device.ledger();
    assert_eq!(first, [3u32.wrapping_pow(50)]);
    assert_eq!((ledger.uploaded_bytes, ledger.downloaded_bytes), (4000, 4));
    assert_eq!(ledger.phases["scale"].launches, 50);
    // Up to here.
    // In the book: timings.
    device.time_launches(10)?;
    for _ in 0..50 {
        scale_all(device, &values, 3)?;
    }
    let scale = device.ledger().phases["scale"];
    println!("{} launches, {} timed, about {:?} in all", scale.launches, scale.timed, scale.estimated());
    // Up to here.
    assert_eq!((scale.launches, scale.timed), (100, 5));
    Ok(())
}

// In the book: checked.
#[cube(launch)]
fn gather(values: &Array<u32>, indices: &Array<u32>, out: &mut Array<u32>, checks: &mut Checks) {
    if ABSOLUTE_POS < out.len() {
        let index = checks.read(indices, ABSOLUTE_POS, comptime!(line!())) as usize;
        let value = checks.read(values, index, comptime!(line!()));
        checks.write(out, ABSOLUTE_POS, value, comptime!(line!()));
    }
}

fn gathered(device: &Device, values: &[u32], indices: &[u32]) -> Result<Vec<u32>, DeviceError> {
    let out = device.empty("out", indices.len())?;
    let (values, indices) = (device.upload("values", values)?, device.upload("indices", indices)?);
    device.launch_checked("gather", out.len(), |client, cubes, dim, checks| {
        gather::launch(client, cubes, dim, values.arg(), indices.arg(), out.arg(), checks);
    })?;
    device.read(&out)
}
// Up to here.

#[test]
fn an_index_out_of_bounds_is_reported() {
    for info in inventory().devices {
        let mut device = info.open().unwrap();
        report(&mut device);
    }
}

fn report(device: &mut Device) {
    // In the book: report.
    device.check_indices(true);
    let error = gathered(device, &[10, 20, 30], &[2, 0, 7, 9]).unwrap_err();
    assert!(error.to_string().contains("the kernel \"gather\" accessed index 7 of an array of 3"));
    // Up to here.
    let line = include_str!("book.rs").lines().position(|line| line.contains("checks.read(values, index")).unwrap() + 1;
    let told = format!("book.rs:{line}, unit 2)");
    assert!(error.to_string().ends_with(&told), "{error}");
    assert_eq!(gathered(device, &[10, 20, 30], &[2, 0]).unwrap(), [30, 10]);
}

// In the book: harvest.
use throng_device::cube;
use throng_device::philox::Draws;

/// A cube is an agent, and each of its units a good. The agent harvests one of the goods that are worth most to it.
#[cube(launch)]
fn harvest(worth: &Array<u32>, stock: &mut Array<u32>, goods: u32, day: u32, seed: u32, #[comptime] units: usize) {
    let agent = CUBE_POS;
    let good = UNIT_POS;
    let at = agent * goods as usize + good as usize;
    let exists = good < goods;
    let mut value = 0u32;
    if exists {
        value = worth[at];
    }
    // All units call these two functions, those without a good, too.
    let best = cube::max_of_units::<u32>(value, exists, units);
    let draws =
        Draws { seed_low: seed, seed_high: 0u32.runtime(), entity: agent as u32, step: day, purpose: 1u32.runtime() };
    let chosen = cube::choose_unit(exists && value == best.value, &draws, 0u32, units);
    if good == chosen {
        stock[at] += 1u32;
    }
}
// Up to here.

fn harvest_all(device: &Device, worth: &[u32], goods: u32, days: u32) -> Result<Vec<u32>, DeviceError> {
    let agents = worth.len() as u32 / goods;
    let stock = device.upload("stock", &vec![0u32; worth.len()])?;
    let worth = device.upload("worth", worth)?;
    for day in 0..days {
        // In the book: launch_harvest.
        let units = 32;
        device.launch_cubes("harvest", agents, units, |client, cubes, dim| {
            harvest::launch(client, cubes, dim, worth.arg(), stock.arg(), goods, day, 4711, units as usize);
        })?;
        // Up to here.
    }
    device.read(&stock)
}

/// The same on the CPU.
fn harvest_on_cpu(worth: &[u32], goods: u32, days: u32) -> Vec<u32> {
    let mut stock = vec![0; worth.len()];
    for day in 0..days {
        for (agent, worth) in worth.chunks(goods as usize).enumerate() {
            // In the book: harvest_on_cpu.
            let best = worth.iter().max().copied().unwrap_or(0);
            let registered: Vec<u32> = worth.iter().map(|&value| u32::from(value == best)).collect();
            let chosen = host::choose(&registered, Philox::new(4711), agent as u32, day, 1, 0);
            // Up to here.
            stock[agent * goods as usize + chosen.expect("at least one is the best")] += 1;
        }
    }
    stock
}

#[test]
fn harvests_are_those_of_the_cpu() {
    let draws = Philox::new(1);
    let worth: Vec<u32> = (0..50 * 21).map(|i| draws.below(3, i, 0, 0, 0)).collect();
    let expected = harvest_on_cpu(&worth, 21, 20);
    assert!(NONE > 21 && expected.iter().sum::<u32>() == 50 * 20);
    for device in devices() {
        let found = harvest_all(device, &worth, 21, 20).unwrap();
        assert_eq!(found, expected, "{}", device.info().label());
    }
}

// In the book: cut loops.
#[cube(launch)]
fn count_passes(passes: u32, loop_probe: u32, found: &mut Array<u32>) {
    let mut count = 0u32;
    for pass in 0..passes {
        count += 1u32 + pass / passes;
    }
    found[0] = count;
    // `loop_probe` is 2: a compiler that knew it would remove the loop of the probe.
    found[1] = select(are_cut(loop_probe), 1u32, 0u32);
}
// Up to here.

#[test]
fn loops_that_are_cut_are_noticed() {
    for device in devices() {
        for passes in [1000, 100_000] {
            let found = device.upload("found", &[0u32; 2]).unwrap();
            let launch = |client: &_, cubes, dim| count_passes::launch(client, cubes, dim, passes, 2, found.arg());
            device.launch_cubes("count", 1, 1, launch).unwrap();
            let counts = device.read(&found).unwrap();
            assert_eq!(counts[0] != passes, counts[1] == 1, "{counts:?} of {passes} on {}", device.label());
        }
    }
}

/// The parts of this file that are in the book, by name.
fn parts() -> Vec<(String, String)> {
    let mut parts = Vec::new();
    for part in include_str!("book.rs").split("// In the book: ").skip(1) {
        let Some((name, rest)) = part.split_once(".\n") else { continue };
        let Some((code, _)) = rest.split_once("// Up to here.") else { continue };
        let lines: Vec<&str> = code.trim_end().lines().collect();
        let indent =
            lines.iter().filter(|line| !line.is_empty()).map(|line| line.len() - line.trim_start().len()).min();
        let text = |line: &&str| line.get(indent.unwrap_or(0)..).unwrap_or("").to_owned() + "\n";
        parts.push((name.to_owned(), lines.iter().map(text).collect()));
    }
    parts
}

#[test]
fn the_book_prints_this_code() {
    let page = |name: &str| std::fs::read_to_string(repository().join("docs/src").join(name)).unwrap();
    let pages = page("kernels.md") + &page("cube-idioms.md");
    let parts = parts();
    assert!(parts.len() >= 14, "{}", parts.len());
    for (name, code) in &parts {
        assert!(pages.contains(&format!("```rust\n{code}```")), "no page has the code of {name}:\n{code}");
    }
    // And no other.
    assert_eq!(pages.matches("```rust").count(), parts.len());
}
