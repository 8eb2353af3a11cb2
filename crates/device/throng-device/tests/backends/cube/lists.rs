//! Prefix sums, lists, choices and permutations.

use throng_core::Philox;
use throng_device::cube::{self, NONE, host};
use throng_device::cubecl::{self, prelude::*};
use throng_device::philox::Draws;
use throng_device::{Device, cube::Prefix};

use super::{ROW, Rows, cubes};

const SEED: u64 = 0x0123_4567_89ab_cdef;

#[cube]
fn draws_of_row(purpose: u32) -> Draws {
    Draws {
        seed_low: 0x89ab_cdefu32.runtime(),
        seed_high: 0x0123_4567u32.runtime(),
        entity: CUBE_POS as u32,
        step: 3u32.runtime(),
        purpose,
    }
}

/// Writes the list and its length as seen by every unit, the list in any order, and the choices.
#[cube(launch)]
fn list_all(
    masks: &Array<u32>,
    lengths: &Array<u32>,
    seen: &mut Array<u32>,
    lists: &mut Array<u32>,
    unordered: &mut Array<u32>,
    #[comptime] units: usize,
    #[comptime] shared: bool,
) {
    let (row, unit) = (CUBE_POS, UNIT_POS as usize);
    let len = lengths[row];
    let (first, end) = (row * ROW, (row + 1) * ROW);
    let mut near = SharedMemory::<u32>::new(ROW);
    if comptime!(shared) {
        let mut i = unit;
        while i < ROW {
            near[i] = masks[first + i];
            i += CUBE_DIM as usize;
        }
    }
    let flags = if comptime!(shared) { near.to_slice() } else { masks.slice(first, end) };
    let mut indices = SharedMemory::<u32>::new(ROW);
    let count = cube::list(flags, len, &mut indices, units);
    let mut i = UNIT_POS;
    while i < count {
        lists[first + i as usize] = indices[i as usize];
        i += CUBE_DIM;
    }
    let count_in_any_order = cube::list_in_any_order(flags, len, &mut indices);
    let mut i = UNIT_POS;
    while i < count_in_any_order {
        unordered[first + i as usize] = indices[i as usize];
        i += CUBE_DIM;
    }
    let draws = draws_of_row(4u32.runtime());
    let chosen = cube::choose(flags, len, &draws, 5u32.runtime(), units);
    let mut registers = false.runtime();
    if UNIT_POS < len {
        registers = flags[unit] != 0u32;
    }
    let chosen_unit = cube::choose_unit(registers, &draws, 6u32.runtime(), units);
    let at = 4 * (row * CUBE_DIM as usize + unit);
    seen[at] = count;
    seen[at + 1] = count_in_any_order;
    seen[at + 2] = chosen;
    seen[at + 3] = chosen_unit;
}

pub fn lists_and_choices_of_a_cube(device: &Device) {
    let rows = Rows::new(3);
    let given = rows.upload(device).unwrap();
    for (units, bound) in cubes() {
        let seen = device.empty::<u32>("seen", 4 * rows.len() * units as usize).unwrap();
        let lists = device.empty::<u32>("lists", rows.len() * ROW).unwrap();
        let unordered = device.empty::<u32>("unordered lists", rows.len() * ROW).unwrap();
        for shared in [false, true] {
            device
                .launch_cubes("list", rows.len() as u32, units, |client, cubes, dim| {
                    let (masks, lengths) = (given.masks.arg(), given.lengths.arg());
                    let (seen, lists, unordered) = (seen.arg(), lists.arg(), unordered.arg());
                    list_all::launch(client, cubes, dim, masks, lengths, seen, lists, unordered, bound, shared);
                })
                .unwrap();
            let [seen, lists, unordered] = [&seen, &lists, &unordered].map(|buffer| device.read(buffer).unwrap());
            for row in 0..rows.len() {
                let what = format!("{units} units, row {row}, {}", device.label());
                let expected = rows.indices(row);
                assert_eq!(lists[ROW * row..][..expected.len()], expected, "{what}");
                // Compared as a set, because the order of this list depends on timing.
                let mut sorted = unordered[ROW * row..][..expected.len()].to_vec();
                sorted.sort_unstable();
                assert_eq!(sorted, expected, "{what}");
                let choose = |flags: &[u32], index| {
                    let chosen = host::choose(flags, Philox::new(SEED), row as u32, 3, 4, index);
                    chosen.map_or(NONE, |chosen| chosen as u32)
                };
                let flags = rows.mask(row);
                let count = expected.len() as u32;
                let of_units = &flags[..flags.len().min(units as usize)];
                let expected = [count, count, choose(flags, 5), choose(of_units, 6)];
                for unit in 0..units as usize {
                    assert_eq!(seen[4 * (row * units as usize + unit)..][..4], expected, "{what}, unit {unit}");
                }
            }
        }
    }
}

#[cube(launch)]
fn add_up(values: &Array<u32>, sums: &mut Array<u32>, #[comptime] units: usize) {
    let i = ABSOLUTE_POS;
    // A loop, so that one call follows another that used the same memory.
    for round in 0..3u32 {
        let Prefix { before, total } = cube::prefix_sum(values[i] + round, units);
        sums[2 * i] = before;
        sums[2 * i + 1] = total;
    }
}

pub fn prefix_sums_of_a_cube(device: &Device) {
    for (units, bound) in cubes() {
        let values = crate::backends::sample::words((5 * units as usize, 17));
        let buffer = device.upload("values", &values).unwrap();
        let sums = device.empty::<u32>("sums", 2 * values.len()).unwrap();
        device
            .launch_cubes("prefix sums", 5, units, |client, cubes, dim| {
                add_up::launch(client, cubes, dim, buffer.arg(), sums.arg(), bound);
            })
            .unwrap();
        let mut expected = Vec::new();
        for values in values.chunks(units as usize) {
            let total = values.iter().fold(0u32, |sum, value| sum.wrapping_add(*value).wrapping_add(2));
            let mut before = 0u32;
            for value in values {
                expected.extend([before, total]);
                before = before.wrapping_add(*value).wrapping_add(2);
            }
        }
        assert_eq!(device.read(&sums).unwrap(), expected, "{units} units, {}", device.label());
    }
}

#[cube(launch)]
fn shuffle_all(lengths: &Array<u32>, orders: &mut Array<u32>) {
    let row = CUBE_POS;
    let mut order = SharedMemory::<u32>::new(ROW);
    let len = lengths[row];
    // Twice, so that one call follows another that used the same memory.
    for purpose in 0..2u32 {
        cube::shuffle(len, &draws_of_row(purpose), &mut order, ROW);
        let mut i = UNIT_POS;
        while i < len {
            orders[(2 * row + purpose as usize) * ROW + i as usize] = order[i as usize];
            i += CUBE_DIM;
        }
    }
}

pub fn permutations_of_a_cube(device: &Device) {
    for (units, _) in cubes() {
        let mut rows = Rows::new(4);
        // Mesa's software devices end all loops of a kernel after 65,535 iterations.
        for len in &mut rows.lengths {
            *len = if *len * len.div_ceil(units) > 30_000 { 0 } else { *len };
        }
        let given = rows.upload(device).unwrap();
        let orders = device.empty::<u32>("orders", 2 * rows.len() * ROW).unwrap();
        device
            .launch_cubes("shuffle", rows.len() as u32, units, |client, cubes, dim| {
                shuffle_all::launch(client, cubes, dim, given.lengths.arg(), orders.arg());
            })
            .unwrap();
        let orders = device.read(&orders).unwrap();
        for (row, &len) in rows.lengths.iter().enumerate() {
            for purpose in 0..2 {
                let expected = host::shuffle(len, Philox::new(SEED), row as u32, 3, purpose);
                let found = &orders[(2 * row + purpose as usize) * ROW..][..len as usize];
                assert_eq!(found, expected, "{units} units, row {row}, {}", device.label());
            }
        }
    }
}
