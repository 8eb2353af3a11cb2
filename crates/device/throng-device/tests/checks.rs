//! A device that checks indices reports the first access out of bounds: kernel, file and line, index, length and unit.

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]

use throng_device::prelude::*;
use throng_device::{Backend, DeviceError, DeviceId, open};
use throng_testing::skip_backend;

#[cube]
fn neighbour(values: &Array<u32>, i: usize, checks: &mut Checks) -> u32 {
    checks.read(values, i + 1, comptime!(line!())) // the line of a helper
}

#[cube(launch)]
fn gather(values: &Array<u32>, indices: &Array<u32>, sums: &mut Array<u32>, checks: &mut Checks) {
    if ABSOLUTE_POS < sums.len() {
        let i = checks.read(indices, ABSOLUTE_POS, comptime!(line!())) as usize;
        let value = checks.read(values, i, comptime!(line!())); // the line of a read
        let sum = value + neighbour(values, i, checks);
        checks.write(sums, ABSOLUTE_POS + i / 2, sum, comptime!(line!())); // the line of a write
    }
}

/// Returns the sums, or the error of a launch with these indices.
fn outcome(device: &Device, indices: &[u32]) -> Result<Vec<u32>, DeviceError> {
    let values = device.upload("values", &[10u32, 11, 12, 13])?;
    let sums = device.upload("sums", &vec![0u32; indices.len()])?;
    let indices = device.upload("indices", indices)?;
    device.launch_checked("gather", indices.len(), |client, cubes, dim, checks| {
        gather::launch(client, cubes, dim, values.arg(), indices.arg(), sums.arg(), checks);
    })?;
    device.read(&sums)
}

/// Returns the file and line of a comment in this file.
fn line_of(comment: &str) -> String {
    let line = include_str!("checks.rs").lines().position(|line| line.ends_with(comment)).unwrap() + 1;
    format!("checks.rs:{line}")
}

fn finds_faults(device: &mut Device) {
    let unchecked = outcome(device, &[0, 1, 0]).unwrap();
    assert_eq!(unchecked, [21, 23, 21]);
    // Only the device for debugging reports an access out of bounds that is not checked.
    let reports_all = device.info().id.backend == Backend::Host;
    assert_eq!(outcome(device, &[0, 9, 2]).is_err(), reports_all);
    device.check_indices(true);
    assert_eq!(outcome(device, &[0, 1, 0]).unwrap(), unchecked);

    let error = outcome(device, &[0, 9, 8, 1]).unwrap_err();
    let DeviceError::OutOfBounds { place, index, len, unit, .. } = &error else { panic!("{error}") };
    assert_eq!((*index, *len, *unit), (9, 4, 1), "the first unit, and its first fault");
    assert!(place.ends_with(&line_of("// the line of a read")), "{place}");
    let text = error.to_string();
    let told = format!(": the kernel \"gather\" accessed index 9 of an array of 4 ({place}, unit 1)");
    assert_eq!(text, device.label() + &told);
    assert!(error.remedy().contains("defect of the kernel"));

    let error = outcome(device, &[0, 1, 3]).unwrap_err();
    let DeviceError::OutOfBounds { place, index: 4, len: 4, unit: 2, .. } = &error else { panic!("{error}") };
    assert!(place.ends_with(&line_of("// the line of a helper")), "{place}");

    let error = outcome(device, &[0, 1, 2, 2]).unwrap_err();
    let DeviceError::OutOfBounds { place, index: 4, len: 4, unit: 3, .. } = &error else { panic!("{error}") };
    assert!(place.ends_with(&line_of("// the line of a write")), "{place}");

    // Up to three units in different cubes have a fault: the report must be about the first.
    let mut indices = vec![0; 100_000];
    for first in [99_999, 70_001, 40_000] {
        indices[first] = 4 + first as u32;
        let error = outcome(device, &indices).unwrap_err();
        let DeviceError::OutOfBounds { index, unit, .. } = &error else { panic!("{error}") };
        assert_eq!((*index as usize, *unit as usize), (4 + first, first));
    }
    device.check_indices(false);
    assert_eq!(outcome(device, &indices).is_err(), reports_all);
}

#[test]
fn an_index_out_of_bounds_is_an_error() {
    for backend in Backend::ALL.into_iter().filter(|backend| *backend != Backend::Host || backend.is_built()) {
        match open(DeviceId { backend, index: 0 }) {
            Ok(mut device) => finds_faults(&mut device),
            Err(error) => skip_backend(backend.name(), error),
        }
    }
}
