//! The weights of the router.

use throng_core::{InputError, Problems};

use crate::ValidRange;

/// The weights and limits of a [`TransitRouter`](super::TransitRouter), by default MATSim's.
///
/// A second on foot, in a vehicle, or of waiting costs `performing` minus the utility of that travel, because the time
/// is missing for activities.
#[derive(Debug, Clone, PartialEq)]
pub struct TransitRouterParameters {
    /// `scoring.performing`: utility of an activity, utils per hour.
    pub performing_per_h: f64,
    /// `scoring.modeParams[walk].marginalUtilityOfTraveling_util_hr`: utility of walking, utils per hour.
    pub traveling_walk_per_h: f64,
    /// `scoring.modeParams[pt].marginalUtilityOfTraveling_util_hr`: utility of riding, utils per hour.
    pub traveling_pt_per_h: f64,
    /// `scoring.waitingPt`: utility of waiting at a stop, utils per hour. `None`: the one of riding.
    pub waiting_pt_per_h: Option<f64>,
    /// `scoring.utilityOfLineSwitch`: utility of each transfer, not above 0.
    pub utility_of_line_switch: f64,
    /// `swissRailRaptor.transferPenaltyCostPerTravelTimeHour`: cost of each transfer per hour from the first departure
    /// to the arrival. Above 0, a transfer costs this plus
    /// [`transfer_penalty_base`](Self::transfer_penalty_base), within its minimum and maximum, instead of
    /// [`utility_of_line_switch`](Self::utility_of_line_switch).
    pub transfer_penalty_per_travel_time_h: f64,
    /// `swissRailRaptor.transferPenaltyBaseCost`, utils.
    pub transfer_penalty_base: f64,
    /// `swissRailRaptor.transferPenaltyMinCost`, utils; may be `-Infinity`.
    pub transfer_penalty_min: f64,
    /// `swissRailRaptor.transferPenaltyMaxCost`, utils; may be `Infinity`.
    pub transfer_penalty_max: f64,
    /// `routing.teleportedModeParameters[walk].teleportedModeSpeed`: speed along the way, metres per second.
    pub walk_speed_mps: f64,
    /// `routing.teleportedModeParameters[walk].beelineDistanceFactor`: length of the way per length of the beeline.
    pub walk_beeline_factor: f64,
    /// `transitRouter.searchRadius`: maximum beeline from an activity to a stop, metres, if there are two stops.
    pub search_radius_m: f64,
    /// `transitRouter.extensionRadius`: with fewer than two stops in the search radius, the maximum beeline is that to
    /// the nearest stop plus this, metres.
    pub extension_radius_m: f64,
    /// `transitRouter.maxBeelineWalkConnectionDistance`: maximum beeline of a transfer, metres.
    pub max_beeline_walk_connection_m: f64,
    /// `transitRouter.additionalTransferTime`: minimum time of a transfer, seconds.
    pub additional_transfer_time_s: f64,
    /// `transitRouter.directWalkFactor`: a walk without a ride is chosen if its cost times this is lower. May be
    /// `Infinity`: never.
    pub direct_walk_factor: f64,
    /// `swissRailRaptor.transferWalkMargin`: walks between rides are this much shorter in the result, so that vehicles
    /// are not missed by small delays; seconds.
    pub transfer_walk_margin_s: f64,
    /// Maximum number of transfers of a ride; fixed in MATSim.
    pub max_transfers: u32,
    /// Maximum number of transfers beyond those of the first connection that is found; fixed in MATSim.
    pub extra_transfers: u32,
}

impl Default for TransitRouterParameters {
    fn default() -> Self {
        Self {
            performing_per_h: 6.0,
            traveling_walk_per_h: -6.0,
            traveling_pt_per_h: -6.0,
            waiting_pt_per_h: None,
            utility_of_line_switch: -1.0,
            transfer_penalty_per_travel_time_h: 0.0,
            transfer_penalty_base: 0.0,
            transfer_penalty_min: f64::NEG_INFINITY,
            transfer_penalty_max: f64::INFINITY,
            walk_speed_mps: 3.0 / 3.6,
            walk_beeline_factor: 1.3,
            search_radius_m: 1000.0,
            extension_radius_m: 200.0,
            max_beeline_walk_connection_m: 100.0,
            additional_transfer_time_s: 0.0,
            direct_walk_factor: 1.0,
            transfer_walk_margin_s: 5.0,
            max_transfers: 20,
            extra_transfers: 2,
        }
    }
}

/// Maximum cost of an hour and of a transfer, utils. Costs of connections then fit into 64 bits.
const MAX_COST: f64 = 1000.0;
/// Maximum of [`TransitRouterParameters::max_transfers`].
const MAX_TRANSFERS: u32 = 1000;
/// Cost units per util times second per hour. Rates of whole numbers and of up to 20 binary digits are exact.
const UNITS: f64 = (1 << 20) as f64;
/// Cost units per util.
pub(super) const UNITS_PER_UTIL: f64 = 3600.0 * UNITS;

/// Costs in integer units.
#[derive(Debug, Clone)]
pub(super) struct Rates {
    /// Cost of a second on foot.
    pub(super) walk: i64,
    /// Cost of a second in a vehicle.
    pub(super) ride: i64,
    /// Cost of a second at a stop.
    pub(super) wait: i64,
    penalty_base: i64,
    penalty_per_s: i64,
    penalty_min: i64,
    penalty_max: i64,
}

impl Rates {
    /// Returns the cost of `transfers` transfers in a connection that takes `travel_time_s` from its first departure.
    pub(super) fn transfer_cost(&self, transfers: u32, travel_time_s: i32) -> i64 {
        let penalty = self.penalty_base + self.penalty_per_s * i64::from(travel_time_s);
        i64::from(transfers) * penalty.clamp(self.penalty_min, self.penalty_max)
    }
}

impl TransitRouterParameters {
    /// Speed along the beeline, metres per second.
    pub(super) fn beeline_speed_mps(&self) -> f64 {
        self.walk_speed_mps / self.walk_beeline_factor
    }

    /// Utility lost by a second of walking, utils.
    pub(super) fn walk_cost_per_s(&self) -> f64 {
        (self.performing_per_h - self.traveling_walk_per_h) / 3600.0
    }

    /// Checks the values and returns the costs.
    ///
    /// # Errors
    /// All values that are out of range.
    pub(super) fn rates(&self) -> Result<Rates, InputError> {
        let mut problems = Problems::new();
        for (name, value, range, unit) in [
            ("routing.teleportedModeSpeed of walk", self.walk_speed_mps, ValidRange::Positive, " (metres per second)"),
            ("routing.beelineDistanceFactor of walk", self.walk_beeline_factor, ValidRange::Positive, ""),
            ("transitRouter.searchRadius", self.search_radius_m, ValidRange::NotNegativeFinite, " (metres)"),
            ("transitRouter.extensionRadius", self.extension_radius_m, ValidRange::NotNegativeFinite, " (metres)"),
            (
                "transitRouter.maxBeelineWalkConnectionDistance",
                self.max_beeline_walk_connection_m,
                ValidRange::NotNegativeFinite,
                " (metres)",
            ),
            (
                "transitRouter.additionalTransferTime",
                self.additional_transfer_time_s,
                ValidRange::TimeOfDay,
                " (seconds)",
            ),
            ("transitRouter.directWalkFactor", self.direct_walk_factor, ValidRange::NotNegative, ""),
            (
                "swissRailRaptor.transferWalkMargin",
                self.transfer_walk_margin_s,
                ValidRange::NotNegativeFinite,
                " (seconds)",
            ),
        ] {
            range.check(value, unit, || name.to_owned(), &mut problems);
        }
        let mut cost = |name: &str, value: f64, units_per_util: f64| {
            if !(0.0..=MAX_COST).contains(&value) {
                problems.push(name, value.to_string(), format!("expected 0 to {MAX_COST}"));
            }
            (value * units_per_util).round() as i64
        };
        let per_h = |utility: f64| self.performing_per_h - utility;
        let walk = cost("scoring.performing minus travelling of walk", per_h(self.traveling_walk_per_h), UNITS);
        let ride = cost("scoring.performing minus travelling of pt", per_h(self.traveling_pt_per_h), UNITS);
        let waiting = self.waiting_pt_per_h.unwrap_or(self.traveling_pt_per_h);
        let wait = cost("scoring.performing minus scoring.waitingPt", per_h(waiting), UNITS);
        let has_rate = self.transfer_penalty_per_travel_time_h > 0.0;
        let mut rates =
            Rates { walk, ride, wait, penalty_base: 0, penalty_per_s: 0, penalty_min: i64::MIN, penalty_max: i64::MAX };
        if has_rate {
            let name = "swissRailRaptor.transferPenaltyCostPerTravelTimeHour";
            rates.penalty_per_s = cost(name, self.transfer_penalty_per_travel_time_h, UNITS);
            let name = "swissRailRaptor.transferPenaltyBaseCost";
            rates.penalty_base = cost(name, self.transfer_penalty_base, UNITS_PER_UTIL);
            // A lower limit below 0 has no effect, and an upper one may be infinite.
            let name = "swissRailRaptor.transferPenaltyMinCost";
            rates.penalty_min = cost(name, self.transfer_penalty_min.max(0.0), UNITS_PER_UTIL);
            let name = "swissRailRaptor.transferPenaltyMaxCost";
            let max = if self.transfer_penalty_max == f64::INFINITY { MAX_COST } else { self.transfer_penalty_max };
            rates.penalty_max = cost(name, max, UNITS_PER_UTIL);
            if rates.penalty_min > rates.penalty_max {
                let message = format!("{} is below {}", self.transfer_penalty_max, self.transfer_penalty_min);
                problems.push(name, message, "expected at least transferPenaltyMinCost");
            }
        } else {
            rates.penalty_base = cost("-scoring.utilityOfLineSwitch", -self.utility_of_line_switch, UNITS_PER_UTIL);
        }
        if self.max_transfers > MAX_TRANSFERS {
            problems.push("maximum number of transfers", self.max_transfers.to_string(), "expected at most 1000");
        }
        problems.into_result()?;
        Ok(rates)
    }
}
