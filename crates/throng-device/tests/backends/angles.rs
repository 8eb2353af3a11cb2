//! Angles in whole numbers: host and kernels give the same.

use throng_device::angles::{CIRCLE, angle_of, cosine, difference, sine, turned};
use throng_device::cubecl::prelude::*;
use throng_device::{Device, cubecl};

use crate::sample::numbers;

const WORDS: usize = 5;

/// All pairs, by one unit.
#[cube(launch)]
fn fill_table(pairs: &Array<i32>, words: &mut Array<i32>) {
    if ABSOLUTE_POS == 0 {
        for pair in 0..pairs.len() / 2 {
            let a = pairs[pair * 2];
            let b = pairs[pair * 2 + 1];
            words[pair * WORDS] = sine(a);
            words[pair * WORDS + 1] = cosine(a);
            words[pair * WORDS + 2] = angle_of(a, b);
            words[pair * WORDS + 3] = difference(a, b);
            words[pair * WORDS + 4] = turned(a, b, 910i32);
        }
    }
}

pub fn angles_are_those_of_the_host<R: Runtime>(device: &Device<R>) {
    let extremes = [i32::MIN, -CIRCLE, -1, 0, 1, CIRCLE / 8, i32::MAX];
    let mut pairs: Vec<[i32; 2]> = extremes.iter().flat_map(|&a| extremes.map(|b| [a, b])).collect();
    // Numbers of every size. Mesa's software Vulkan ends the loops of a unit after 65,535 turns.
    pairs.extend(numbers(8).take(2_000).map(|n| [(n >> 32) as i32 >> (n % 29), n as i32 >> (n / 29 % 29)]));
    let given = device.upload("pairs", pairs.as_flattened()).unwrap();
    let words = device.empty::<i32>("words", pairs.len() * WORDS).unwrap();
    device
        .launch("angles", 1, |client, cubes, dim| {
            fill_table::launch::<R>(client, cubes, dim, given.arg(), words.arg());
        })
        .unwrap();
    let expected: Vec<[i32; WORDS]> =
        pairs.iter().map(|&[a, b]| [sine(a), cosine(a), angle_of(a, b), difference(a, b), turned(a, b, 910)]).collect();
    assert!(device.read(&words).unwrap() == expected.as_flattened(), "{}", device.label());
}
