//! Leg modes: those simulated on the network, and outdated names.

use throng_core::{InputError, NONE};

use crate::formats::value::quoted;
use throng_traffic_scenario::settings::{Settings, TeleportedMode};
use throng_traffic_scenario::{ModeId, ModeTable};

/// For each mode, whether it is simulated, routed on the network or teleported.
#[derive(Debug, Clone, Default)]
pub(super) struct ModeRules {
    main: Vec<bool>,
    network: Vec<bool>,
    // Index into `routing.teleported_modes`.
    teleported: Vec<u32>,
}

impl ModeRules {
    /// Defines the modes that the settings name.
    ///
    /// # Errors
    /// If there are too many modes.
    pub(super) fn new(settings: &Settings, modes: &mut ModeTable) -> Result<Self, InputError> {
        let mut rules = Self::default();
        for name in &settings.qsim.main_modes {
            let mode = intern(modes, name, "qsim.mainMode")?;
            set(&mut rules.main, mode, true, false);
        }
        for name in &settings.routing.network_modes {
            let mode = intern(modes, name, "routing.networkModes")?;
            set(&mut rules.network, mode, true, false);
        }
        for (position, teleported) in settings.routing.teleported_modes.iter().enumerate() {
            let mode = intern(modes, &teleported.mode, "routing.teleportedModeParameters")?;
            set(&mut rules.teleported, mode, position as u32, NONE);
        }
        Ok(rules)
    }

    /// Whether the mode is simulated on the network.
    pub(super) fn is_main(&self, mode: ModeId) -> bool {
        self.main.get(usize::from(mode.0)).copied().unwrap_or(false)
    }

    /// Whether routes of the mode follow links.
    pub(super) fn is_routed(&self, mode: ModeId) -> bool {
        self.is_main(mode) || self.network.get(usize::from(mode.0)).copied().unwrap_or(false)
    }

    /// Returns the teleportation rule of the mode, if it has one.
    pub(super) fn teleported<'a>(&self, mode: ModeId, settings: &'a Settings) -> Option<&'a TeleportedMode> {
        let position = *self.teleported.get(usize::from(mode.0))?;
        settings.routing.teleported_modes.get(position as usize)
    }
}

fn set<T: Clone>(values: &mut Vec<T>, mode: ModeId, value: T, absent: T) {
    let i = usize::from(mode.0);
    if values.len() <= i {
        values.resize(i + 1, absent);
    }
    values[i] = value;
}

/// Returns the id of the mode called `name`; `place` is the location of the name, for the error.
pub(super) fn intern(modes: &mut ModeTable, name: &str, place: &str) -> Result<ModeId, InputError> {
    modes.intern(name).ok_or_else(|| {
        InputError::one(
            place,
            format!("mode {} is one too many", quoted(name)),
            "At most 255 different modes are supported.",
        )
    })
}

/// Returns the name that replaced an outdated mode, and the main mode that the old name implied.
///
/// In plans of older releases, the name of a walk mode depends on its trip; MATSim reads all such names as `walk`.
pub(super) fn replacement(mode: &str) -> Option<(&'static str, Option<&str>)> {
    match mode {
        "walk" => None,
        "access_walk" | "egress_walk" | "non_network_walk" => Some(("walk", None)),
        "transit_walk" => Some(("walk", Some("pt"))),
        _ => {
            let implied = mode.strip_suffix("_walk").or_else(|| mode.strip_suffix("_fallback"))?;
            Some(("walk", Some(implied)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outdated_names_become_walk() {
        assert_eq!(replacement("car"), None);
        assert_eq!(replacement("walk"), None);
        assert_eq!(replacement("access_walk"), Some(("walk", None)));
        assert_eq!(replacement("transit_walk"), Some(("walk", Some("pt"))));
        assert_eq!(replacement("drt_walk"), Some(("walk", Some("drt"))));
        assert_eq!(replacement("drt_fallback"), Some(("walk", Some("drt"))));
    }

    #[test]
    fn rules_follow_the_settings() {
        let mut modes = ModeTable::default();
        let mut settings = Settings::default();
        settings.routing.network_modes = vec!["car".into(), "ride".into()];
        let rules = ModeRules::new(&settings, &mut modes).unwrap();
        let mode = |name: &str| modes.get(name).unwrap();
        assert!(rules.is_main(mode("car")) && rules.is_routed(mode("ride")) && !rules.is_main(mode("ride")));
        assert_eq!(rules.teleported(mode("walk"), &settings).unwrap().mode, "walk");
        assert_eq!(rules.teleported(mode("car"), &settings), None);
        assert!(!rules.is_routed(ModeId(77)));
    }
}
