//! Measures the parallel primitives on a device: `cargo run --release -p throng-device --example primitives cuda:0`.
//!
//! Times are medians of 20 calls after a warm-up, measured on the host, including launches and the allocation of
//! results. GB/s count each word that must be read or written once; a primitive may move more.

use std::cell::RefCell;
use std::time::{Duration, Instant};

use throng_device::neighbours::{Boundary, CellLists, DeviceCellLists, UniformGrid};
use throng_device::{Buffer, Device, DeviceError, DeviceId, open, primitives};

const SIZES: [usize; 2] = [1 << 20, 1 << 24];
const WARM_UP: usize = 3;
const TIMES: usize = 20;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let id = std::env::args().nth(1).unwrap_or_else(|| "cuda:0".into());
    let id = DeviceId::parse(&id).ok_or_else(|| format!("\"{id}\" is not a device; give cuda:N or vulkan:N"))?;
    let device = open(id)?;
    println!("{}, medians of {TIMES}", device.info().label());
    println!("{:<28} {:>10} {:>12} {:>10} {:>10}", "primitive", "elements", "median", "GB/s", "Mkeys/s");
    for len in SIZES {
        measure_all(&device, len)?;
    }
    Ok(())
}

fn measure_all(device: &Device, len: usize) -> Result<(), Box<dyn std::error::Error>> {
    let draws = throng_core::Philox::new(1);
    let numbers: Vec<u32> = (0..len as u32).map(|i| draws.below(u32::MAX, i, 0, 0, 0)).collect();
    let flags: Vec<u32> = numbers.iter().map(|number| number % 2).collect();
    let long: Vec<u64> = numbers.iter().map(|&number| (u64::from(number) << 8) | (u64::from(number) >> 24)).collect();
    let floats: Vec<f32> = numbers.iter().map(|&number| number as f32).collect();
    let offsets = |mean: usize| -> Vec<u32> { (0..=len / mean).map(|segment| (segment * mean) as u32).collect() };
    let (values, flags) = (device.upload("values", &numbers)?, device.upload("flags", &flags)?);
    let (long, floats) = (device.upload("long keys", &long)?, device.upload("floats", &floats)?);

    let row = |name: &str, bytes: usize, call: &dyn Fn() -> Result<(), DeviceError>| -> Result<(), DeviceError> {
        let median = median(device, call)?.as_secs_f64();
        let rates = ((len * bytes) as f64 / median * 1e-9, len as f64 / median * 1e-6);
        println!("{name:<28} {len:>10} {:>9.1} us {:>10.1} {:>10.0}", median * 1e6, rates.0, rates.1);
        Ok(())
    };
    row("scan", 8, &|| primitives::exclusive_scan(device, &values, len).map(drop))?;
    row("compact indices, half kept", 6, &|| primitives::compact_indices(device, &flags, len).map(drop))?;
    row("compact values, half kept", 8, &|| primitives::compact_values(device, &values, &flags, len).map(drop))?;
    row("sum", 4, &|| primitives::sum(device, &values, len).map(drop))?;
    row("min f32", 4, &|| primitives::min(device, &floats, len, 0.0).map(drop))?;
    row("argmax f32", 4, &|| primitives::argmax(device, &floats, None, len).map(drop))?;
    row("argmax f32, masked", 8, &|| primitives::argmax(device, &floats, Some(&flags), len).map(drop))?;
    for mean in [4, 64, 4096] {
        let offsets = device.upload("offsets", &offsets(mean))?;
        let sums = || primitives::segmented_sum(device, &values, len, &offsets, len / mean).map(drop);
        row(&format!("segmented sum by {mean}"), 4 + 12 / mean, &sums)?;
    }
    for bits in [8, 16, 32] {
        row(&format!("sort u32 by {bits} bits"), 16, &sort(device, &values, &flags, len, bits))?;
    }
    row("sort u64 by 40 bits", 24, &sort(device, &long, &flags, len, 40))?;

    // Agents in the plane, first evenly spread, then in a hundred crowded cells; and the same on all CPU threads.
    let coordinate = |purpose| move |agent| draws.below(4096, agent, 0, purpose, 0) as i32;
    let spread = [0, 1].map(|axis| (0..len as u32).map(coordinate(axis)).collect::<Vec<_>>());
    let side = (len as f64 / 4.0).sqrt() as u32;
    for (name, cells) in [("four to a cell", side), ("in 100 crowds", 10)] {
        let grid = UniformGrid::covering([0, 0], [4096, 4096], 4096 / cells, Boundary::Periodic)?;
        let uploaded = [device.upload("xs", &spread[0])?, device.upload("ys", &spread[1])?];
        let lists = RefCell::new(DeviceCellLists::new(device, grid, len)?);
        let build = || lists.borrow_mut().build(device, &[&uploaded[0], &uploaded[1]], len);
        row(&format!("cell lists, {name}"), 12, &build)?;
        let lists = RefCell::new(CellLists::new(grid, len)?);
        let build = || {
            lists.borrow_mut().build(&[&spread[0], &spread[1]]);
            Ok(())
        };
        row(&format!("the same, {} CPU threads", rayon::current_num_threads()), 12, &build)?;
    }
    Ok(())
}

fn sort<K: primitives::SortKey>(
    device: &Device,
    keys: &Buffer<K>,
    payload: &Buffer<u32>,
    len: usize,
    bits: u32,
) -> impl Fn() -> Result<(), DeviceError> {
    move || primitives::sort_by_key(device, keys, payload, len, bits).map(drop)
}

fn median(device: &Device, call: &dyn Fn() -> Result<(), DeviceError>) -> Result<Duration, DeviceError> {
    let mut times = Vec::new();
    for _ in 0..WARM_UP + TIMES {
        device.synchronize("measurement")?;
        let since = Instant::now();
        call()?;
        device.synchronize("measurement")?;
        times.push(since.elapsed());
    }
    times.drain(..WARM_UP);
    times.sort_unstable();
    Ok(times[TIMES / 2])
}
