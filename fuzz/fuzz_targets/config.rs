//! Configurations; and changes to single parameters, which are texts as well.
#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use throng_traffic::config::{Change, apply_set, from_reader};
use throng_traffic::settings::Settings;

fuzz_target!(|data: &[u8]| {
    let _ = from_reader(data, Path::new("config.xml"), &[Change::typed("qsim.flowCapacityFactor=0.1")]);
    if let Ok(text) = std::str::from_utf8(data) {
        let _ = apply_set(&mut Settings::default(), text, Path::new(""));
    }
});
