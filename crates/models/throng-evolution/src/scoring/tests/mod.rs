//! Expected utilities are worked out by hand. With the typical duration t of 12 h or 8 h at 6 utils/h, utility is 0 for
//! a duration of t/e, 6 t (1 + ln(duration/t)) for longer ones, and loses 6 e utils per hour that is missing.

mod days;
mod parameters;
mod scenarios;
mod utilities;

use std::f64::consts::E;

use throng_core::IdTable;
use throng_traffic_scenario::settings::{ActivityParameters, ModeParameters, Scoring, ScoringParameters};
use throng_traffic_scenario::{ModeId, ModeTable};

use super::{Names, Preferences};

const HOUR_S: f64 = 3600.0;

const TYPES: [&str; 6] = ["home", "work", "not specified", "pt interaction", "unscored", "hom"];
const HOME: u32 = 0;
const WORK: u32 = 1;
const NOT_SPECIFIED: u32 = 2;
const PT_INTERACTION: u32 = 3;
const UNSCORED: u32 = 4;
const UNKNOWN: u32 = 5;

const MODES: [&str; 5] = ["car", "walk", "pt", "transit_walk", "taxi"];
const CAR: ModeId = ModeId(0);
const WALK: ModeId = ModeId(1);
const PT: ModeId = ModeId(2);
const TRANSIT_WALK: ModeId = ModeId(3);
const TAXI: ModeId = ModeId(4);

/// 6 t (1 + ln(duration/t)) for an activity of `duration_h`.
fn performed(typical_h: f64, duration_h: f64) -> f64 {
    6.0 * typical_h * (1.0 + libm::log(duration_h / typical_h))
}

fn assert_near(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-9, "{found} instead of {expected}");
}

fn mode(mode: &str, set: impl FnOnce(&mut ModeParameters)) -> ModeParameters {
    let mut parameters = ModeParameters::new(mode);
    set(&mut parameters);
    parameters
}

/// The default parameters with activities `home` of 12 h and `work` of 8 h, and with `modes` in place of the default
/// parameters of these modes.
fn parameters(modes: impl IntoIterator<Item = ModeParameters>) -> ScoringParameters {
    let unscored = ActivityParameters { is_scored: false, ..ActivityParameters::new("unscored", f64::NAN) };
    let activities =
        vec![ActivityParameters::new("home", 12.0 * HOUR_S), ActivityParameters::new("work", 8.0 * HOUR_S), unscored];
    let mut set = ScoringParameters { activities, ..ScoringParameters::default() };
    for mode in modes {
        let default = set.modes.iter_mut().find(|default| default.mode == mode.mode);
        *default.unwrap() = mode;
    }
    set
}

fn with_names<T>(take: impl FnOnce(Names<'_>) -> T) -> T {
    let (mut activity_types, mut modes) = (IdTable::new(), ModeTable::default());
    for name in TYPES {
        activity_types.intern(name).unwrap();
    }
    for name in MODES {
        modes.intern(name).unwrap();
    }
    take(Names { activity_types: &activity_types, modes: &modes })
}

fn prepared(set: &ScoringParameters, period_days: u32) -> Preferences {
    let transit_modes = ["pt".to_owned()];
    with_names(|names| Preferences::new(&Scoring::default(), set, names, &transit_modes, period_days).unwrap())
}
