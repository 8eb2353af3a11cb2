//! Settings by which MATSim's routers weigh more than travel time. Throng's routers do not, which causes a warning if
//! legs are routed.

use throng_traffic_scenario::settings::RouteCost;

use super::xml::Content;

/// Returns the settings of a group that give costs other than of time.
pub(super) fn of_group(group: &str, content: &Content) -> Vec<RouteCost> {
    match group {
        "roadpricing" => of_tolls(content).collect(),
        "scoring" => of_scoring(content),
        _ => Vec::new(),
    }
}

fn of_tolls(content: &Content) -> impl Iterator<Item = RouteCost> {
    let files = content.params.iter().filter(|param| param.name == "tollLinksFile");
    let named = files.filter(|param| !matches!(param.value.trim(), "" | "null"));
    named.map(|param| RouteCost { mode: None, setting: format!("roadpricing.tollLinksFile={}", param.value.trim()) })
}

fn of_scoring(content: &Content) -> Vec<RouteCost> {
    let mut found = Vec::new();
    for set in &content.sets {
        let value = |name: &str| {
            let param = set.content.params.iter().find(|param| param.name == name);
            param.map_or("", |param| param.value.trim())
        };
        match set.kind.as_str() {
            "modeParams" => {
                let mode = value("mode");
                for name in ["monetaryDistanceRate", "marginalUtilityOfDistance_util_m"] {
                    if value(name).parse().is_ok_and(|rate: f64| rate != 0.0) {
                        let setting = format!("scoring.modeParams[{mode}].{name}={}", value(name));
                        found.push(RouteCost { mode: Some(mode.to_owned()), setting });
                    }
                }
            }
            // MATSim's routers use those of the default subpopulation.
            "scoringParameters" if matches!(value("subpopulation"), "" | "null" | "default") => {
                found.extend(of_scoring(&set.content));
            }
            _ => {}
        }
    }
    found
}
