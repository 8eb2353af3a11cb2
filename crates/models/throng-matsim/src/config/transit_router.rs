//! Parameters of the router of public transport. They are in groups of which the simulation uses nothing else.

use std::borrow::Cow;

use super::field::{At, Field};
use super::route_costs::{MONETARY_RATE, UTILITY_RATE};
use super::table::{Kind, ParameterSpec};
use super::xml::{Content, Param};

const fn number(
    group: &'static str,
    name: &'static str,
    aliases: &'static [&'static str],
    at: At<f64>,
    unit: &'static str,
    meaning: &'static str,
) -> ParameterSpec {
    ParameterSpec { group, name, aliases, kind: Kind::Field(Field::Number(at)), unit, meaning }
}

const fn only_false(name: &'static str, at: At<bool>, meaning: &'static str) -> ParameterSpec {
    ParameterSpec {
        group: "swissRailRaptor",
        name,
        aliases: &[],
        kind: Kind::Field(Field::Flag(at)),
        unit: "",
        meaning,
    }
}

pub(super) static TRANSIT_ROUTER: &[ParameterSpec] = &[
    number(
        "scoring",
        "performing",
        &[],
        |s| &mut s.transit.router.performing_per_h,
        "utils/h",
        "utility of activities, which travelling takes away",
    ),
    number(
        "scoring",
        "travelingWalk",
        &["scoring.traveling_walk"],
        |s| &mut s.transit.router.traveling_walk_per_h,
        "utils/h",
        "utility of walking: marginalUtilityOfTraveling_util_hr in the parameter set modeParams of walk",
    ),
    number(
        "scoring",
        "travelingPt",
        &["scoring.traveling_pt"],
        |s| &mut s.transit.router.traveling_pt_per_h,
        "utils/h",
        "utility of riding: marginalUtilityOfTraveling_util_hr in the parameter set modeParams of pt",
    ),
    ParameterSpec {
        group: "scoring",
        name: "waitingPt",
        aliases: &[],
        kind: Kind::Field(Field::OptionalNumber(|s| &mut s.transit.router.waiting_pt_per_h)),
        unit: "utils/h",
        meaning: "utility of waiting at stops; by default that of riding",
    },
    number(
        "scoring",
        "utilityOfLineSwitch",
        &[],
        |s| &mut s.transit.router.utility_of_line_switch,
        "utils",
        "utility of each transfer",
    ),
    number(
        "transitRouter",
        "searchRadius",
        &[],
        |s| &mut s.transit.router.search_radius_m,
        "m",
        "maximum beeline between an activity and a stop",
    ),
    number(
        "transitRouter",
        "extensionRadius",
        &[],
        |s| &mut s.transit.router.extension_radius_m,
        "m",
        "with fewer than two stops within the search radius, the maximum beeline beyond the nearest stop",
    ),
    number(
        "transitRouter",
        "maxBeelineWalkConnectionDistance",
        &[],
        |s| &mut s.transit.router.max_beeline_walk_connection_m,
        "m",
        "maximum beeline of a transfer",
    ),
    number(
        "transitRouter",
        "additionalTransferTime",
        &[],
        |s| &mut s.transit.router.additional_transfer_time_s,
        "s",
        "minimum time of a transfer",
    ),
    number(
        "transitRouter",
        "directWalkFactor",
        &[],
        |s| &mut s.transit.router.direct_walk_factor,
        "",
        "persons walk all the way if the cost of that, times this, is lower",
    ),
    number(
        "swissRailRaptor",
        "transferPenaltyCostPerTravelTimeHour",
        &[],
        |s| &mut s.transit.router.transfer_penalty_per_travel_time_h,
        "utils/h",
        "cost of each transfer per hour of travel time; above 0, it replaces scoring.utilityOfLineSwitch",
    ),
    number(
        "swissRailRaptor",
        "transferPenaltyBaseCost",
        &[],
        |s| &mut s.transit.router.transfer_penalty_base,
        "utils",
        "added to the cost of each transfer by travel time",
    ),
    number(
        "swissRailRaptor",
        "transferPenaltyMinCost",
        &[],
        |s| &mut s.transit.router.transfer_penalty_min,
        "utils",
        "minimum cost of a transfer by travel time",
    ),
    number(
        "swissRailRaptor",
        "transferPenaltyMaxCost",
        &[],
        |s| &mut s.transit.router.transfer_penalty_max,
        "utils",
        "maximum cost of a transfer by travel time",
    ),
    number(
        "swissRailRaptor",
        "transferWalkMargin",
        &[],
        |s| &mut s.transit.router.transfer_walk_margin_s,
        "s",
        "walks between rides are planned this much shorter",
    ),
    only_false(
        "useIntermodalAccessEgress",
        |s| &mut s.transit.uses_intermodal_access,
        "access to stops by other modes than walking; true is refused if trips are routed",
    ),
    only_false(
        "useModeMappingForPassengers",
        |s| &mut s.transit.uses_mode_mapping,
        "modes and costs by the vehicles of a route; true is refused if trips are routed",
    ),
    only_false(
        "useRangeQuery",
        |s| &mut s.transit.uses_range_query,
        "choice among several departures; true is refused if trips are routed",
    ),
];

/// Whether `name`, as `group.name`, is a parameter of the router of public transport.
pub(crate) fn is_of_transit_router(name: &str) -> bool {
    TRANSIT_ROUTER.iter().any(|known| name.split_once('.') == Some((known.group, known.name)))
}

/// Returns the parameters of routers that the parameter sets of group `scoring` contain, with their names in the group.
/// Sets for subpopulations are not among them: MATSim's routers use those of the default subpopulation.
pub(super) fn of_scoring_sets(content: &Content) -> Vec<(Cow<'_, str>, &Param)> {
    let mut found = Vec::new();
    for set in &content.sets {
        let of = |name: &str| set.content.params.iter().find(|param| param.name == name);
        let value = |name: &str| of(name).map_or("", |param| param.value.trim());
        match set.kind.as_str() {
            "modeParams" => {
                let mode = value("mode");
                let rate = |stem: &str, name| of(name).map(|param| (Cow::Owned(format!("{stem}{mode}")), param));
                found.extend(rate(MONETARY_RATE, "monetaryDistanceRate"));
                found.extend(rate(UTILITY_RATE, "marginalUtilityOfDistance_util_m"));
                let name = match mode {
                    "walk" => "travelingWalk",
                    "pt" => "travelingPt",
                    _ => continue,
                };
                found.extend(of("marginalUtilityOfTraveling_util_hr").map(|param| (Cow::Borrowed(name), param)));
            }
            "scoringParameters" if matches!(value("subpopulation"), "" | "null" | "default") => {
                found.extend(set.content.params.iter().map(|param| (Cow::Borrowed(param.name.as_str()), param)));
                found.extend(of_scoring_sets(&set.content));
            }
            _ => {}
        }
    }
    found
}
