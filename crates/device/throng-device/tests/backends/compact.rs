//! Compares compaction with a filter.

use throng_device::{Device, primitives};

use super::sample::{bits, flags, floats, for_samples, numbers, words};

pub fn compacted_indices(device: &Device) {
    for_samples(|sample| {
        let flags = flags(sample);
        let expected: Vec<u32> = (0..sample.0 as u32).filter(|&i| flags[i as usize] != 0).collect();
        let buffer = device.upload("flags", &[&flags[..], &[1]].concat())?;
        let kept = primitives::compact_indices(device, &buffer, sample.0)?;
        assert_eq!(device.read(&kept.count)?, [expected.len() as u32], "{}: {sample:?}", device.label());
        assert!(kept.read(device)? == expected, "{}: {sample:?}", device.label());
        Ok(())
    });
    for (flag, expected) in [(0, 0), (1, 1_000_003)] {
        let buffer = device.upload("flags", &vec![flag; 1_000_003]).unwrap();
        let kept = primitives::compact_indices(device, &buffer, 1_000_003).unwrap().read(device).unwrap();
        assert_eq!(kept.len(), expected);
        assert!(kept.iter().zip(0..).all(|(&found, i)| found == i));
    }
}

pub fn compacted_values_of_every_type(device: &Device) {
    for_samples(|sample| {
        let flags = flags(sample);
        let marks = device.upload("flags", &flags)?;
        macro_rules! check {
            ($values:expr) => {{
                let values = $values;
                let mut kept = values.clone();
                let mut flags = flags.iter();
                kept.retain(|_| flags.next() != Some(&0));
                let buffer = device.upload("values", &values)?;
                (primitives::compact_values(device, &buffer, &marks, sample.0)?.read(device)?, kept)
            }};
        }
        let (found, expected) = check!(words(sample));
        assert!(found == expected, "{}: {sample:?}", device.label());
        let (found, expected) = check!(words(sample).into_iter().map(|word| word as i32).collect::<Vec<i32>>());
        assert!(found == expected, "{}: {sample:?}", device.label());
        let (found, expected) = check!(numbers(sample.1).take(sample.0).collect::<Vec<u64>>());
        assert!(found == expected, "{}: {sample:?}", device.label());
        let (found, expected) = check!(floats(sample));
        assert!(bits(&found) == bits(&expected), "{}: {sample:?}", device.label());
        Ok(())
    });
}
