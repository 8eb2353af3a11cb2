//! A kernel that panics during expansion fails the run.

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]

use std::env;
use std::process::Command;

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;
use throng_device::{Backend, Device, DeviceError, DeviceId, open};
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

fn refuses(device: &Device) {
    let values = device.upload("values", &[1u32; 8]).unwrap();
    let launch = |columns: u32| {
        device.launch("count", 8, |client, cubes, dim| {
            count::launch(client, cubes, dim, values.arg(), columns);
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
    // No work continues with values that were not written, and the first launch of a label reports the panic.
    assert!(device.read(&values).is_err() && device.synchronize("end").is_err());
    let error = device.launch("again", 8, |client, cubes, dim| {
        count::launch(client, cubes, dim, values.arg(), 34);
    });
    assert!(matches!(&error, Err(DeviceError::Kernel { kernel, .. }) if kernel == "again"), "{error:?}");
}

/// Environment variable that marks the process started by the test.
const STARTED: &str = "THRONG_TEST_KERNEL_PANICS";

/// Runs in a separate process: a panic makes all open devices reject further work, including those of other tests.
#[test]
fn a_panic_in_a_kernel_is_an_error() {
    if env::var_os(STARTED).is_none() {
        let mut itself = Command::new(env::current_exe().unwrap());
        itself.args(["--exact", "kernel_panics::a_panic_in_a_kernel_is_an_error", "--nocapture"]).env(STARTED, "1");
        let output = itself.output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(
            output.status.success() && said.contains("1 passed"),
            "{said}{}",
            String::from_utf8_lossy(&output.stderr)
        );
        return;
    }
    for backend in Backend::of_gpus() {
        match open(DeviceId { backend, index: 0 }) {
            Ok(device) => refuses(&device),
            Err(error) => skip_backend(backend.name(), error),
        }
    }
}
