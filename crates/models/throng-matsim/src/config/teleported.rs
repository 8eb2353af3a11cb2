//! Group `routing`: the parameter sets `teleportedModeParameters`, and the older single parameters that they replaced.

use std::collections::BTreeSet;

use throng_core::{Problems, did_you_mean, java_double};

use super::field::{Rejection, number};
use super::xml::ParamSet;
use throng_traffic_scenario::ValidRange;
use throng_traffic_scenario::settings::{Routing, TeleportedMode, TeleportedSpeed};

/// Type name of the parameter sets that define teleported modes.
pub(super) const SET_TYPE: &str = "teleportedModeParameters";
/// Parameters that such a set may contain.
pub(super) const SET_PARAMS: [&str; 4] =
    ["mode", "teleportedModeSpeed", "teleportedModeFreespeedFactor", "beelineDistanceFactor"];

const DEFAULT_BEELINE_DISTANCE_FACTOR: f64 = 1.3;

/// A single parameter that changes the teleported modes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum LegacyParameter {
    /// `clearDefaultTeleportedModeParams`: drops all existing modes.
    Clear,
    /// `beelineDistanceFactor`: for all modes.
    Beeline,
    /// A speed in m/s for the given mode, or the one named after `teleportedModeSpeed_`.
    Speed(Option<&'static str>),
    /// A multiple of the free-speed car travel time, for the given mode or the one named in the parameter.
    Factor(Option<&'static str>),
}

/// Collects teleported modes in file order.
///
/// As in MATSim, the first mode given explicitly in a file replaces all default modes.
#[derive(Debug)]
pub(super) struct Teleported {
    defaults_in_force: bool,
    beeline: f64,
    from_sets: BTreeSet<String>,
}

impl Teleported {
    /// Creates a collector for a config file: the initial modes are MATSim's defaults.
    pub(super) fn for_file() -> Self {
        Self { defaults_in_force: true, beeline: DEFAULT_BEELINE_DISTANCE_FACTOR, from_sets: BTreeSet::new() }
    }

    /// Creates a collector for changes on the command line: other modes stay as they are.
    pub(super) fn for_changes() -> Self {
        Self { defaults_in_force: false, ..Self::for_file() }
    }

    /// Applies one of the older parameters. `mode` is the part of its name after the `_`.
    pub(super) fn apply_legacy(
        &mut self,
        routing: &mut Routing,
        what: LegacyParameter,
        mode: &str,
        text: &str,
    ) -> Result<(), Rejection> {
        let text = text.trim();
        if text == "null" {
            return Ok(());
        }
        match what {
            LegacyParameter::Clear => match text.to_ascii_lowercase().as_str() {
                "true" => {
                    self.defaults_in_force = false;
                    routing.teleported_modes.clear();
                }
                "false" => {}
                _ => return Err(Rejection::Malformed),
            },
            LegacyParameter::Beeline => {
                self.beeline = number(text, ValidRange::Positive)?;
                for mode in &mut routing.teleported_modes {
                    mode.beeline_distance_factor = self.beeline;
                }
            }
            LegacyParameter::Speed(fixed) => {
                let speed = TeleportedSpeed::MetresPerSecond(number(text, ValidRange::Positive)?);
                self.put(routing, fixed.unwrap_or(mode), speed, None);
            }
            LegacyParameter::Factor(fixed) => {
                let speed = TeleportedSpeed::FreespeedFactor(number(text, ValidRange::Positive)?);
                self.put(routing, fixed.unwrap_or(mode), speed, None);
            }
        }
        Ok(())
    }

    /// Applies a parameter set from the file; returns its mode, if it is valid.
    pub(super) fn set(
        &mut self,
        routing: &mut Routing,
        set: &ParamSet,
        file: &str,
        problems: &mut Problems,
    ) -> Option<TeleportedMode> {
        let (mut mode, mut speed, mut factor, mut beeline) = (None, None, None, None);
        let before = problems.total();
        for param in &set.content.params {
            let place = format!("{file}:{}", param.line);
            let text = param.value.trim();
            let slot = match param.name.as_str() {
                "mode" => {
                    mode = Some(text.to_owned()).filter(|m| !m.is_empty() && m != "null");
                    continue;
                }
                "teleportedModeSpeed" => &mut speed,
                "teleportedModeFreespeedFactor" => &mut factor,
                "beelineDistanceFactor" => &mut beeline,
                unknown => {
                    let remedy = did_you_mean(unknown, SET_PARAMS);
                    let remedy = remedy.unwrap_or_else(|| format!("known: {}", SET_PARAMS.join(", ")));
                    problems.push(place, format!("unknown parameter \"{unknown}\" in {SET_TYPE}"), remedy);
                    continue;
                }
            };
            if text == "null" {
                continue;
            }
            match number(text, ValidRange::Positive) {
                Ok(value) => *slot = Some(value),
                Err(_) => problems.push(
                    place,
                    format!("{SET_TYPE}.{} is \"{text}\"", param.name),
                    "expected a finite number above 0, or null",
                ),
            }
        }
        let place = format!("{file}:{}", set.line);
        let Some(mode) = mode else {
            problems.push(place, format!("{SET_TYPE} without a mode"), "add <param name=\"mode\" value=\"walk\"/>");
            return None;
        };
        let speed = match (speed, factor) {
            (Some(speed), None) => TeleportedSpeed::MetresPerSecond(speed),
            (None, Some(factor)) => TeleportedSpeed::FreespeedFactor(factor),
            _ => {
                // A malformed number has already been reported at its own line.
                if problems.total() == before {
                    problems.push(
                        place,
                        format!("{SET_TYPE} of mode \"{mode}\" needs a speed or a free-speed factor, not both"),
                        "give either teleportedModeSpeed (m/s) or teleportedModeFreespeedFactor",
                    );
                }
                return None;
            }
        };
        if !self.from_sets.insert(mode.clone()) {
            problems.push(place, format!("{SET_TYPE} of mode \"{mode}\" is given twice"), "remove one of them");
            return None;
        }
        Some(self.put(routing, &mode, speed, beeline).clone())
    }

    /// Adds or replaces a mode, and returns it.
    fn put<'r>(
        &mut self,
        routing: &'r mut Routing,
        mode: &str,
        speed: TeleportedSpeed,
        beeline: Option<f64>,
    ) -> &'r TeleportedMode {
        self.clear_defaults(routing);
        let modes = &mut routing.teleported_modes;
        let old = modes.iter().position(|m| m.mode == mode);
        let beeline = beeline.unwrap_or_else(|| old.map_or(self.beeline, |old| modes[old].beeline_distance_factor));
        let new = TeleportedMode { mode: mode.to_owned(), speed, beeline_distance_factor: beeline };
        let at = old.unwrap_or(modes.len());
        match old {
            Some(old) => modes[old] = new,
            None => modes.push(new),
        }
        &modes[at]
    }

    fn clear_defaults(&mut self, routing: &mut Routing) {
        if std::mem::take(&mut self.defaults_in_force) {
            routing.teleported_modes.clear();
        }
    }
}

/// Describes speed and beeline distance factor of a mode.
pub(crate) fn mode_text(mode: &TeleportedMode) -> String {
    let speed = match mode.speed {
        TeleportedSpeed::MetresPerSecond(speed) => format!("{} m/s", java_double::text(speed)),
        TeleportedSpeed::FreespeedFactor(factor) => {
            format!("{} times the free-speed car time", java_double::text(factor))
        }
    };
    format!("{speed}, beeline distance factor {}", java_double::text(mode.beeline_distance_factor))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn speeds(routing: &Routing) -> Vec<(&str, TeleportedSpeed, f64)> {
        routing.teleported_modes.iter().map(|m| (m.mode.as_str(), m.speed, m.beeline_distance_factor)).collect()
    }

    #[test]
    fn the_first_explicit_mode_replaces_the_defaults() {
        let mut routing = Routing::default();
        let mut teleported = Teleported::for_file();
        teleported.apply_legacy(&mut routing, LegacyParameter::Speed(Some("walk")), "", "1.5").unwrap();
        teleported.apply_legacy(&mut routing, LegacyParameter::Factor(None), "pt", "1.7").unwrap();
        let expected =
            [("walk", TeleportedSpeed::MetresPerSecond(1.5), 1.3), ("pt", TeleportedSpeed::FreespeedFactor(1.7), 1.3)];
        assert_eq!(speeds(&routing), expected);
    }

    #[test]
    fn a_change_affects_one_mode_only() {
        let mut routing = Routing::default();
        Teleported::for_changes().apply_legacy(&mut routing, LegacyParameter::Speed(None), "walk", "1.5").unwrap();
        assert_eq!(routing.teleported_modes.len(), 5);
        assert_eq!(speeds(&routing)[1], ("walk", TeleportedSpeed::MetresPerSecond(1.5), 1.3));
        Teleported::for_changes().apply_legacy(&mut routing, LegacyParameter::Clear, "", "true").unwrap();
        assert_eq!(speeds(&routing), [], "a requested change is applied");
        let refused =
            Teleported::for_changes().apply_legacy(&mut routing, LegacyParameter::Speed(None), "walk", "fast");
        assert_eq!(refused, Err(Rejection::Malformed));
    }

    #[test]
    fn clearing_and_the_common_beeline_factor_are_applied() {
        let mut routing = Routing::default();
        let mut teleported = Teleported::for_file();
        teleported.apply_legacy(&mut routing, LegacyParameter::Beeline, "", "1.4").unwrap();
        assert!(routing.teleported_modes.iter().all(|m| m.beeline_distance_factor == 1.4));
        teleported.apply_legacy(&mut routing, LegacyParameter::Clear, "", "true").unwrap();
        assert!(routing.teleported_modes.is_empty());
        teleported.apply_legacy(&mut routing, LegacyParameter::Speed(Some("bike")), "", "4").unwrap();
        assert_eq!(speeds(&routing), [("bike", TeleportedSpeed::MetresPerSecond(4.0), 1.4)]);
    }
}
