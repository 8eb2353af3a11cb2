//! Compares reductions of whole buffers with iterators.

use throng_device::{Device, primitives};

use super::sample::{bits, flags, floats, for_samples, numbers, words};

pub fn sums(device: &Device) {
    for_samples(|sample| {
        let values = words(sample);
        let expected: u64 = values.iter().map(|&value| u64::from(value)).sum();
        let buffer = device.upload("values", &[&values[..], &[9]].concat())?;
        let sum = primitives::sum(device, &buffer, values.len())?;
        assert_eq!(device.read(&sum)?, [expected], "{}: {sample:?}", device.label());
        Ok(())
    });
    // More tiles than cubes, and a sum far beyond 32 bits.
    let len = 3_000_001;
    let buffer = device.upload("values", &vec![u32::MAX; len]).unwrap();
    let sum = primitives::sum(device, &buffer, len).unwrap();
    assert_eq!(device.read(&sum).unwrap(), [u64::from(u32::MAX) * len as u64]);
}

pub fn extremes_of_integers(device: &Device) {
    for_samples(|sample| {
        let values = words(sample);
        let buffer = device.upload("values", &[&values[..], &[0, u32::MAX]].concat())?;
        let least = device.read(&primitives::min(device, &buffer, values.len(), 11)?)?;
        let greatest = device.read(&primitives::max(device, &buffer, values.len(), 12)?)?;
        assert_eq!(least, [values.iter().copied().min().unwrap_or(11)], "{}: {sample:?}", device.label());
        assert_eq!(greatest, [values.iter().copied().max().unwrap_or(12)], "{}: {sample:?}", device.label());

        let values: Vec<i32> = numbers(sample.1).take(sample.0).map(|n| n as i32).collect();
        let buffer = device.upload("values", &[&values[..], &[i32::MIN, i32::MAX]].concat())?;
        let least = device.read(&primitives::min(device, &buffer, values.len(), -11)?)?;
        let greatest = device.read(&primitives::max(device, &buffer, values.len(), -12)?)?;
        assert_eq!(least, [values.iter().copied().min().unwrap_or(-11)], "{}: {sample:?}", device.label());
        assert_eq!(greatest, [values.iter().copied().max().unwrap_or(-12)], "{}: {sample:?}", device.label());
        Ok(())
    });
}

pub fn extremes_of_floats(device: &Device) {
    for_samples(|sample| {
        let values = floats(sample);
        let buffer = device.upload("values", &values)?;
        let least = device.read(&primitives::min(device, &buffer, values.len(), f32::INFINITY)?)?;
        let greatest = device.read(&primitives::max(device, &buffer, values.len(), f32::NEG_INFINITY)?)?;
        let expected = values.iter().copied().min_by(f32::total_cmp).unwrap_or(f32::INFINITY);
        assert_eq!(bits(&least), [expected.to_bits()], "{}: {sample:?}", device.label());
        let expected = values.iter().copied().max_by(f32::total_cmp).unwrap_or(f32::NEG_INFINITY);
        assert_eq!(bits(&greatest), [expected.to_bits()], "{}: {sample:?}", device.label());
        Ok(())
    });
}

pub fn positions_of_extremes(device: &Device) {
    for_samples(|sample| {
        let values = floats(sample);
        let mask = flags(sample);
        let buffer = device.upload("values", &values)?;
        let marks = device.upload("mask", &mask)?;
        for masked in [false, true] {
            let marks = masked.then_some(&marks);
            let candidates = || (0..values.len()).filter(|&i| !masked || mask[i] != 0);
            // Ties go to the lower index: `min_by` returns the first minimum, but `max_by` the last maximum.
            let least = candidates().min_by(|&a, &b| values[a].total_cmp(&values[b]));
            let greatest = candidates().rev().max_by(|&a, &b| values[a].total_cmp(&values[b]));
            let found = primitives::argmin(device, &buffer, marks, values.len())?;
            assert_eq!(primitives::read_index(device, &found)?, least, "{}: {sample:?}", device.label());
            let found = primitives::argmax(device, &buffer, marks, values.len())?;
            assert_eq!(primitives::read_index(device, &found)?, greatest, "{}: {sample:?}", device.label());
        }
        Ok(())
    });
}

pub fn ties_go_to_the_first(device: &Device) {
    let len = 1_000_003;
    for value in [0u32, 5, u32::MAX] {
        let buffer = device.upload("values", &vec![value; len]).unwrap();
        let mut mask = vec![0u32; len];
        let marks = device.upload("mask", &mask).unwrap();
        let index = |mask| {
            let least = primitives::argmin(device, &buffer, mask, len).unwrap();
            let greatest = primitives::argmax(device, &buffer, mask, len).unwrap();
            [least, greatest].map(|found| primitives::read_index(device, &found).unwrap())
        };
        assert_eq!(index(None), [Some(0); 2], "{}: {value}", device.label());
        assert_eq!(index(Some(&marks)), [None; 2], "{}: {value}", device.label());
        mask[700_001..].fill(1);
        let marks = device.upload("mask", &mask).unwrap();
        assert_eq!(index(Some(&marks)), [Some(700_001); 2], "{}: {value}", device.label());
    }
}
