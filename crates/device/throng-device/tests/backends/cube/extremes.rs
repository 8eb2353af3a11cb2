//! Maxima, minima and rankings.

use throng_device::cube::{self, NONE};
use throng_device::cubecl::{self, prelude::*};
use throng_device::primitives::Ordered;
use throng_device::{Buffer, Device, DeviceError, Element, Gpu, KernelArrays};

use super::{OF_FURTHER_TYPES, ROW, Rows, cubes};
use crate::backends::sample::{bits, floats};

/// Writes the results seen by every unit: index and value of the maximum and of the minimum.
#[cube]
fn write_extremes<T: Ordered + Scalar + Reinterpret>(
    values: &Array<T>,
    masks: &Array<u32>,
    lengths: &Array<u32>,
    found: &mut Array<u32>,
    #[comptime] units: usize,
    #[comptime] shared: bool,
) {
    let (row, unit) = (CUBE_POS, UNIT_POS as usize);
    let len = lengths[row];
    let (first, end) = (row * ROW, (row + 1) * ROW);
    let mut near_values = SharedMemory::<T>::new(ROW);
    let mut near_masks = SharedMemory::<u32>::new(ROW);
    if comptime!(shared) {
        let mut i = UNIT_POS as usize;
        while i < ROW {
            near_values[i] = values[first + i];
            near_masks[i] = masks[first + i];
            i += CUBE_DIM as usize;
        }
    }
    let values = if comptime!(shared) { near_values.to_slice() } else { values.slice(first, end) };
    let masks = if comptime!(shared) { near_masks.to_slice() } else { masks.slice(first, end) };
    let greatest = cube::max::<T>(values, masks, len, units);
    let least = cube::min::<T>(values, masks, len, units);
    // The first elements, one per unit.
    let mut takes_part = false.runtime();
    let mut value = values[0];
    if UNIT_POS < len {
        takes_part = masks[unit] != 0u32;
        value = values[unit];
    }
    let greatest_of_units = cube::max_of_units::<T>(value, takes_part, units);
    let least_of_units = cube::min_of_units::<T>(value, takes_part, units);
    let at = 8 * (row * CUBE_DIM as usize + unit);
    found[at] = greatest.index;
    found[at + 1] = u32::reinterpret::<T>(greatest.value);
    found[at + 2] = least.index;
    found[at + 3] = u32::reinterpret::<T>(least.value);
    found[at + 4] = greatest_of_units.index;
    found[at + 5] = u32::reinterpret::<T>(greatest_of_units.value);
    found[at + 6] = least_of_units.index;
    found[at + 7] = u32::reinterpret::<T>(least_of_units.value);
}

#[cube(launch)]
fn of_words(
    values: &Array<u32>,
    masks: &Array<u32>,
    lengths: &Array<u32>,
    found: &mut Array<u32>,
    #[comptime] units: usize,
    #[comptime] shared: bool,
) {
    write_extremes::<u32>(values, masks, lengths, found, units, shared);
}

#[cube(launch)]
fn of_integers(
    values: &Array<i32>,
    masks: &Array<u32>,
    lengths: &Array<u32>,
    found: &mut Array<u32>,
    #[comptime] units: usize,
    #[comptime] shared: bool,
) {
    write_extremes::<i32>(values, masks, lengths, found, units, shared);
}

#[cube(launch)]
fn of_floats(
    values: &Array<f32>,
    masks: &Array<u32>,
    lengths: &Array<u32>,
    found: &mut Array<u32>,
    #[comptime] units: usize,
    #[comptime] shared: bool,
) {
    write_extremes::<f32>(values, masks, lengths, found, units, shared);
}

/// Compares the results seen by all units of these cubes with iterators. `rank` maps the bits of values to words in the
/// order of the values.
fn check<T: Element>(
    device: &Device,
    cubes: &[(u32, usize)],
    rows: &Rows,
    values: &[T],
    bits: &[u32],
    rank: impl Fn(u32) -> u32,
    launch: impl Fn(&ComputeClient<Gpu>, CubeCount, CubeDim, &Buffer<T>, [&Buffer<u32>; 3], usize, bool),
) -> Result<(), DeviceError> {
    let (given, values) = (rows.upload(device)?, device.upload("values", values)?);
    for &(units, bound) in cubes {
        let found = device.empty::<u32>("found", 8 * rows.len() * units as usize)?;
        for shared in [false, true] {
            device.launch_cubes("extremes", rows.len() as u32, units, |client, cubes, dim| {
                launch(client, cubes, dim, &values, [&given.masks, &given.lengths, &found], bound, shared);
            })?;
            let all = device.read(&found)?;
            for row in 0..rows.len() {
                let at = |i: u32| bits[ROW * row + i as usize];
                let answer = |index: Option<u32>| index.map_or([NONE, 0], |i| [i, at(i)]);
                let extremes = |indices: &[u32]| {
                    let greatest = indices.iter().copied().rev().max_by_key(|&i| rank(at(i)));
                    let least = indices.iter().copied().min_by_key(|&i| rank(at(i)));
                    [answer(greatest), answer(least)].concat()
                };
                let indices = rows.indices(row);
                let of_units: Vec<u32> = indices.iter().copied().filter(|&i| i < units).collect();
                let expected = [extremes(&indices), extremes(&of_units)].concat();
                for unit in 0..units as usize {
                    let seen = &all[8 * (row * units as usize + unit)..][..8];
                    assert_eq!(seen, expected, "unit {unit} of {units}, {:?}, {}", rows.mask(row), device.label());
                }
            }
        }
    }
    Ok(())
}

pub fn extremes_of_a_cube(device: &Device) {
    let rows = Rows::new(1);
    let words = &rows.values;
    check(
        device,
        &cubes(),
        &rows,
        words,
        words,
        |word| word,
        |client, cubes, dim, values, [masks, lengths, found], bound, shared| {
            of_words::launch(client, cubes, dim, values.arg(), masks.arg(), lengths.arg(), found.arg(), bound, shared);
        },
    )
    .unwrap();
    let integers: Vec<i32> = words.iter().map(|&word| word as i32).collect();
    let rank = |word| word ^ 0x8000_0000;
    check(
        device,
        &OF_FURTHER_TYPES,
        &rows,
        &integers,
        words,
        rank,
        |client, cubes, dim, values, [masks, lengths, found], bound, shared| {
            of_integers::launch(
                client,
                cubes,
                dim,
                values.arg(),
                masks.arg(),
                lengths.arg(),
                found.arg(),
                bound,
                shared,
            );
        },
    )
    .unwrap();
    let floats = floats((words.len(), 3));
    let rank = |word: u32| word ^ if word < 0x8000_0000 { 0x8000_0000 } else { u32::MAX };
    check(
        device,
        &OF_FURTHER_TYPES,
        &rows,
        &floats,
        &bits(&floats),
        rank,
        |client, cubes, dim, values, [masks, lengths, found], bound, shared| {
            of_floats::launch(client, cubes, dim, values.arg(), masks.arg(), lengths.arg(), found.arg(), bound, shared);
        },
    )
    .unwrap();
}

/// The rows, and the number of elements to rank in each.
#[derive(CubeType, CubeLaunch, KernelArrays)]
struct Given {
    values: Array<u32>,
    masks: Array<u32>,
    lengths: Array<u32>,
    numbers: Array<u32>,
}

#[cube(launch)]
fn rank_all(
    given: &Given,
    counts: &mut Array<u32>,
    ranked: &mut Array<u32>,
    #[comptime] units: usize,
    #[comptime] greatest_first: bool,
) {
    let row = CUBE_POS;
    let mut indices = SharedMemory::<u32>::new(ROW);
    let (first, end) = (row * ROW, (row + 1) * ROW);
    let (values, masks) = (given.values.slice(first, end), given.masks.slice(first, end));
    let (len, number) = (given.lengths[row], given.numbers[row]);
    let count = if comptime!(greatest_first) {
        cube::largest::<u32>(values, masks, len, number, &mut indices, units)
    } else {
        cube::smallest::<u32>(values, masks, len, number, &mut indices, units)
    };
    counts[row * CUBE_DIM as usize + UNIT_POS as usize] = count;
    let mut i = UNIT_POS;
    while i < count {
        ranked[first + i as usize] = indices[i as usize];
        i += CUBE_DIM;
    }
}

pub fn the_n_first_of_a_cube(device: &Device) {
    let rows = Rows::new(2);
    // Larger requests, such as 400 of 255 values, would make the loops of a single unit exceed the 65,535
    // iterations after which lavapipe ends them.
    let numbers: Vec<u32> = (0..rows.len() as u32).map(|row| [0, 1, 2, 9, 100][row as usize % 5]).collect();
    let given = rows.upload(device).unwrap();
    let asked = device.upload("numbers", &numbers).unwrap();
    let arrays = GivenBuffers { values: &given.values, masks: &given.masks, lengths: &given.lengths, numbers: &asked };
    for (units, bound) in cubes() {
        let counts = device.empty::<u32>("counts", rows.len() * units as usize).unwrap();
        let ranked = device.empty::<u32>("ranked", rows.len() * ROW).unwrap();
        for greatest_first in [false, true] {
            device
                .launch_cubes("rank", rows.len() as u32, units, |client, cubes, dim| {
                    let (given, counts, ranked) = (arrays.arg(), counts.arg(), ranked.arg());
                    rank_all::launch(client, cubes, dim, given, counts, ranked, bound, greatest_first);
                })
                .unwrap();
            let (counts, ranked) = (device.read(&counts).unwrap(), device.read(&ranked).unwrap());
            for row in 0..rows.len() {
                let mut expected = rows.indices(row);
                let value = |&i: &u32| rows.values(row)[i as usize];
                expected.sort_by_key(|i| if greatest_first { u32::MAX - value(i) } else { value(i) });
                expected.truncate(numbers[row] as usize);
                let counted = &counts[row * units as usize..][..units as usize];
                assert!(counted.iter().all(|&count| count as usize == expected.len()), "{units}, row {row}");
                assert_eq!(ranked[ROW * row..][..expected.len()], expected, "{units}, row {row}, {}", device.label());
            }
        }
    }
}
