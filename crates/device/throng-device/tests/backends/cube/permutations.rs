//! Permutations against those of the host.

use throng_core::Philox;
use throng_device::Device;
use throng_device::cube::{self, host};
use throng_device::cubecl::{self, prelude::*};
use throng_device::philox::Draws;

use super::{LENGTHS, ROW, cubes};

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

#[cube(launch)]
fn shuffle_all(lengths: &Array<u32>, orders: &mut Array<u32>) {
    let row = CUBE_POS;
    let mut order = SharedMemory::<u32>::new(ROW);
    let len = lengths[row];
    // Twice, so that a call follows another that used the same memory.
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
    for units in cubes() {
        // Mesa's software devices end all loops of a kernel after 65,535 rounds.
        let lengths = LENGTHS.map(|len| if len * len.div_ceil(units) > 30_000 { 0 } else { len });
        let given = device.upload("lengths", &lengths).unwrap();
        let orders = device.empty::<u32>("orders", 2 * lengths.len() * ROW).unwrap();
        device
            .launch_cubes("shuffle", lengths.len() as u32, units, |client, cubes, dim| {
                shuffle_all::launch(client, cubes, dim, given.arg(), orders.arg());
            })
            .unwrap();
        let orders = device.read(&orders).unwrap();
        for (row, &len) in lengths.iter().enumerate() {
            for purpose in 0..2 {
                let expected = host::shuffle(len, Philox::new(SEED), row as u32, 3, purpose);
                let found = &orders[(2 * row + purpose as usize) * ROW..][..len as usize];
                assert_eq!(found, expected, "{units} units, row {row}, {}", device.label());
            }
        }
    }
}
