//! Compares reductions of segments with slices.

use throng_device::{Device, primitives};

use super::sample::{Sample, bits, floats, for_samples, numbers, words};

/// Returns offsets of segments with about `mean` values, some of them empty.
fn offsets((len, seed): Sample, mean: usize) -> Vec<u32> {
    let mut offsets: Vec<u32> = numbers(seed ^ 2).take(len / mean).map(|n| (n % (len as u64 + 1)) as u32).collect();
    let twice: Vec<u32> = offsets.iter().copied().step_by(3).collect();
    offsets.extend(twice);
    offsets.extend([0, len as u32]);
    offsets.sort_unstable();
    offsets
}

/// Mean lengths for which one unit, some units and all units of a cube process a segment.
const MEANS: [usize; 3] = [3, 50, 3000];

pub fn sums_of_segments(device: &Device) {
    for_samples(|sample| {
        let values = words(sample);
        let buffer = device.upload("values", &values)?;
        for mean in MEANS {
            let offsets = offsets(sample, mean);
            let slices = offsets.windows(2).map(|o| &values[o[0] as usize..o[1] as usize]);
            let expected: Vec<u64> = slices.map(|s| s.iter().map(|&v| u64::from(v)).sum()).collect();
            let starts = device.upload("offsets", &offsets)?;
            let sums = primitives::segmented_sum(device, &buffer, values.len(), &starts, expected.len())?;
            assert!(device.read(&sums)? == expected, "{}: {sample:?} by {mean}", device.label());
        }
        Ok(())
    });
}

pub fn extremes_of_segments(device: &Device) {
    for_samples(|sample| {
        let values = floats(sample);
        let whole: Vec<i32> = words(sample).into_iter().map(|word| word as i32).collect();
        let (buffer, whole_buffer) = (device.upload("values", &values)?, device.upload("values", &whole)?);
        for mean in MEANS {
            let offsets = offsets(sample, mean);
            let starts = device.upload("offsets", &offsets)?;
            let (len, segments) = (values.len(), offsets.len() - 1);
            let ranges = || offsets.windows(2).map(|o| o[0] as usize..o[1] as usize);

            let expected: Vec<f32> =
                ranges().map(|r| values[r].iter().copied().min_by(f32::total_cmp).unwrap_or(8.5)).collect();
            let found = primitives::segmented_min(device, &buffer, len, &starts, segments, 8.5)?;
            assert!(bits(&device.read(&found)?) == bits(&expected), "{}: {sample:?} by {mean}", device.label());

            let expected: Vec<f32> =
                ranges().map(|r| values[r].iter().copied().max_by(f32::total_cmp).unwrap_or(-8.5)).collect();
            let found = primitives::segmented_max(device, &buffer, len, &starts, segments, -8.5)?;
            assert!(bits(&device.read(&found)?) == bits(&expected), "{}: {sample:?} by {mean}", device.label());

            let expected: Vec<i32> = ranges().map(|r| whole[r].iter().copied().max().unwrap_or(-3)).collect();
            let found = primitives::segmented_max(device, &whole_buffer, len, &starts, segments, -3)?;
            assert!(device.read(&found)? == expected, "{}: {sample:?} by {mean}", device.label());
        }
        Ok(())
    });
}

pub fn more_segments_than_cubes_fit_in_a_row(device: &Device) {
    // 16 segments per cube, and more cubes than the 65,535 of one dimension.
    let (segments, mean) = (1_100_000, 9);
    let values: Vec<u32> = (0..segments * mean).collect();
    let offsets: Vec<u32> = (0..=segments).map(|segment| segment * mean).collect();
    let (buffer, starts) = (device.upload("values", &values).unwrap(), device.upload("offsets", &offsets).unwrap());
    let greatest = primitives::segmented_max(device, &buffer, values.len(), &starts, segments as usize, 0u32).unwrap();
    let found = device.read(&greatest).unwrap();
    assert_eq!(found.len(), segments as usize);
    assert!(found.iter().zip(1..).all(|(&found, next)| found == next * mean - 1), "{}", device.label());
}

pub fn offsets_out_of_order_or_range(device: &Device) {
    let values = device.upload("values", &[1u32, 2, 4, 8]).unwrap();
    let offsets = device.upload("offsets", &[3u32, 1, 2, 4, 9, 7]).unwrap();
    // Only the first three values count.
    let sums = primitives::segmented_sum(device, &values, 3, &offsets, 5).unwrap();
    assert_eq!(device.read(&sums).unwrap(), [0, 2, 4, 0, 0], "{}", device.label());
    let least = primitives::segmented_min(device, &values, 3, &offsets, 5, 99).unwrap();
    assert_eq!(device.read(&least).unwrap(), [99, 2, 4, 99, 99], "{}", device.label());
    let none = primitives::segmented_sum(device, &values, 0, &offsets, 0).unwrap();
    assert_eq!(none.len(), 1);
}
