//! Parameters by which MATSim's routers weigh more than travel time. Throng's routers do not, which causes a warning if
//! legs are routed.

use std::path::Path;

use throng_core::java_double;
use throng_traffic_scenario::settings::RouteCost;

use super::field::{Rejection, any_number, input_file};
use super::table::{Kind, ParameterSpec};

/// The content of a parameter that gives routes a cost other than of time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Cost {
    /// A file with tolls, for all modes.
    Tolls,
    /// A rate by distance, for the mode that the parameter names.
    Rate,
}

const fn cost(
    group: &'static str,
    name: &'static str,
    cost: Cost,
    unit: &'static str,
    meaning: &'static str,
) -> ParameterSpec {
    ParameterSpec { group, name, aliases: &[], kind: Kind::RouteCost(cost), unit, meaning }
}

pub(super) const MONETARY_RATE: &str = "monetaryDistanceRate_";
pub(super) const UTILITY_RATE: &str = "marginalUtlOfDistance_";

pub(super) static ROUTE_COSTS: &[ParameterSpec] = &[
    cost(
        "roadpricing",
        "tollLinksFile",
        Cost::Tolls,
        "",
        "tolls, which routes do not consider here; a warning tells so if legs are routed",
    ),
    cost(
        "scoring",
        "monetaryDistanceRate_*",
        Cost::Rate,
        "money/m",
        "cost of distance, which routes do not consider here; a warning tells so if legs of the mode are routed. In \
         the parameter sets modeParams: monetaryDistanceRate",
    ),
    cost(
        "scoring",
        "marginalUtlOfDistance_*",
        Cost::Rate,
        "utils/m",
        "utility of distance, which routes do not consider here; a warning tells so if legs of the mode are routed. In \
         the parameter sets modeParams: marginalUtilityOfDistance_util_m",
    ),
];

impl Cost {
    /// Returns the text of the value, or `None` if it causes no costs.
    fn value(self, text: &str, base_dir: &Path) -> Result<Option<String>, Rejection> {
        let text = text.trim();
        if matches!(text, "" | "null") {
            return Ok(None);
        }
        match self {
            // It is not read, and may be a file that cannot be.
            Self::Tolls => {
                let path = input_file(text, base_dir).map(|path| path.display().to_string());
                Ok(Some(path.unwrap_or_else(|_| text.to_owned())))
            }
            Self::Rate => any_number(text).map(|rate| (rate != 0.0).then(|| java_double::text(rate))),
        }
    }

    /// Replaces the value of `parameter`, which is for `mode`; a tolls file is relative to `base_dir`.
    pub(super) fn set(
        self,
        costs: &mut Vec<RouteCost>,
        (parameter, mode): (String, &str),
        text: &str,
        base_dir: &Path,
    ) -> Result<(), Rejection> {
        let value = self.value(text, base_dir)?;
        costs.retain(|cost| cost.parameter != parameter);
        let mode = (self == Self::Rate).then(|| mode.to_owned());
        costs.extend(value.map(|value| RouteCost { mode, parameter, value }));
        Ok(())
    }
}
