//! Configurations; and changes to single parameters, which are texts as well.

use std::path::Path;

use throng_traffic::config::{Change, apply_set, from_reader};
use throng_traffic::settings::Settings;

/// Tries one input.
pub fn check(data: &[u8]) {
    let _ = from_reader(data, Path::new("config.xml"), &[Change::typed("qsim.flowCapacityFactor=0.1")]);
    if let Ok(text) = std::str::from_utf8(data) {
        let _ = apply_set(&mut Settings::default(), text, Path::new(""));
    }
}
