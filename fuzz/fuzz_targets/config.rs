//! Configurations; and changes to single parameters, which are texts as well.
#![no_main]

use std::path::Path;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use tempfile::TempDir;
use throng_traffic::config::{Change, apply_set, from_file_with};
use throng_traffic::settings::Settings;

/// One for the whole run: making and removing a folder takes longer than reading a config.
static FOLDER: LazyLock<TempDir> = LazyLock::new(|| tempfile::tempdir().expect("a temporary folder can be made"));

fuzz_target!(|data: &[u8]| {
    let path = FOLDER.path().join("config.xml");
    std::fs::write(&path, data).expect("it can be written to");
    let _ = from_file_with(&path, &[Change::typed("qsim.flowCapacityFactor=0.1")]);
    if let Ok(text) = std::str::from_utf8(data) {
        let _ = apply_set(&mut Settings::default(), text, Path::new(""));
    }
});
