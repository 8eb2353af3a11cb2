//! Configurations; and changes to single parameters, which are texts as well.
#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use throng_traffic::config::{Change, apply_set, from_file_with};
use throng_traffic::settings::Settings;

fuzz_target!(|data: &[u8]| {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let path = folder.path().join("config.xml");
    std::fs::write(&path, data).expect("it can be written to");
    let _ = from_file_with(&path, &[Change::typed("qsim.flowCapacityFactor=0.1")]);
    if let Ok(text) = std::str::from_utf8(data) {
        let _ = apply_set(&mut Settings::default(), text, Path::new(""));
    }
});
