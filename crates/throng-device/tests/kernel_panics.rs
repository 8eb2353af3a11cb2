//! A kernel that panics while it is expanded fails the run. A test program of its own: devices that are open at that time
//! refuse all further work.

#![cfg(feature = "gpu")]
#![allow(missing_docs, reason = "what #[cube] makes of a function has no documentation")]

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;
use throng_device::{Backend, Device, DeviceError, DeviceId, open, with_device};
use throng_testing::skip_backend;

fn checked(columns: u32) -> u32 {
    assert!(columns < 32, "{columns} columns do not fit in a word");
    columns
}

#[cube(launch)]
fn count(values: &mut Array<u32>, #[comptime] columns: u32) {
    if ABSOLUTE_POS < values.len() {
        values[ABSOLUTE_POS] += comptime!(checked(columns));
    }
}

fn refuses<R: Runtime>(device: &Device<R>) {
    let values = device.upload("values", &[1u32; 8]).unwrap();
    let launch = |columns: u32| {
        device.launch("count", 8, |client, cubes, dim| {
            count::launch::<R>(client, cubes, dim, values.arg(), columns);
        })
    };
    launch(3).unwrap();
    assert_eq!(device.read(&values).unwrap(), [4; 8]);
    // Not the first launch of the label, so it does not wait for the device.
    let error = launch(33).and_then(|()| device.read(&values).map(drop)).unwrap_err();
    let DeviceError::Kernel { message, .. } = &error else { panic!("{error}") };
    assert!(
        message.starts_with("33 columns do not fit in a word (") && message.contains("kernel_panics.rs"),
        "{message}"
    );
    // Nothing goes on with values that were not written, and the first launch of a label names it.
    assert!(device.read(&values).is_err() && device.synchronize("end").is_err());
    let error = device.launch("again", 8, |client, cubes, dim| {
        count::launch::<R>(client, cubes, dim, values.arg(), 34);
    });
    assert!(matches!(&error, Err(DeviceError::Kernel { kernel, .. }) if kernel == "again"), "{error:?}");
}

#[test]
fn a_panic_in_a_kernel_is_an_error() {
    for backend in Backend::ALL {
        match open(DeviceId { backend, index: 0 }) {
            Ok(device) => with_device!(&device, |device| refuses(device)),
            Err(error) => skip_backend(backend.name(), error),
        }
    }
}
