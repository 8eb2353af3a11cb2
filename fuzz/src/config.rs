//! Configurations, and changes to single parameters, which are also given as text.

use std::path::Path;

use throng_matsim::config::{Change, apply_set, from_reader};
use throng_traffic_scenario::settings::Settings;

/// Tries one input.
pub fn check(data: &[u8]) -> bool {
    let config = from_reader(data, Path::new("config.xml"), &[Change::typed("qsim.flowCapacityFactor=0.1")]);
    let change = std::str::from_utf8(data).map(|text| apply_set(&mut Settings::default(), text, Path::new("")));
    config.is_ok() || matches!(change, Ok(Ok(_)))
}
