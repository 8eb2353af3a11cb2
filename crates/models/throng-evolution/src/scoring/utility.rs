//! The utility functions of activities, of legs, and of an aborted day.

use throng_traffic_scenario::settings::TypicalDurationScore;

/// Seconds of an hour; MATSim's rates are per hour.
const HOUR_S: f64 = 3600.0;

/// Marginal utilities of time, utils/s.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rates {
    /// Of an activity at its typical duration.
    pub performing: f64,
    /// Of waiting for an activity to open or, after it has closed, for the departure.
    pub waiting: f64,
    /// Of the time by which an activity begins too late.
    pub late_arrival: f64,
    /// Of the time by which an activity ends too early or is too short.
    pub early_departure: f64,
}

/// The utility of an activity type. Times are seconds of the day of the first activity: an activity that lasts over
/// night ends after 24 h, and its opening and closing times are not repeated every day.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ActivityUtility {
    /// Typical duration, seconds.
    pub typical_duration_s: f64,
    /// Duration at which the utility is 0, hours; see [`zero_utility_duration_h`].
    pub zero_utility_duration_h: f64,
    /// Minimal duration, seconds.
    pub minimal_duration_s: Option<f64>,
    /// Opening time.
    pub opening_s: Option<f64>,
    /// Closing time.
    pub closing_s: Option<f64>,
    /// Latest start without lateness.
    pub latest_start_s: Option<f64>,
    /// Earliest end that is not too early.
    pub earliest_end_s: Option<f64>,
    /// Whether the formula of MATSim's releases before 2010 applies to short activities.
    pub old_below_zero: bool,
}

/// The utility of a mode of transport.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LegUtility {
    /// Marginal utility of travelling, utils/s.
    pub traveling_per_s: f64,
    /// Marginal utility of distance, utils/m.
    pub distance_per_m: f64,
    /// Units of money per metre.
    pub money_per_m: f64,
    /// Utils per unit of money.
    pub utility_of_money: f64,
    /// Utils per leg.
    pub constant: f64,
    /// Utils for a day on which the mode is used.
    pub daily_utility: f64,
    /// Units of money for a day on which the mode is used.
    pub daily_money: f64,
}

/// Returns the duration at which the utility of an activity is 0, hours. With typical duration t and priority p:
///
/// * `relative`: t exp(-1/p), so that the utility at the typical duration is proportional to it;
/// * `uniform`: t exp(-(10 h/t)/p), so that it is that of 10 h for all types. Only this one is in Charypar and Nagel.
pub fn zero_utility_duration_h(typical_duration_s: f64, priority: f64, rule: TypicalDurationScore) -> f64 {
    let exponent = match rule {
        TypicalDurationScore::Relative => -1.0 / priority,
        TypicalDurationScore::Uniform => -10.0 / (typical_duration_s / HOUR_S) / priority,
    };
    typical_duration_s * libm::exp(exponent) / HOUR_S
}

/// Returns the utility of an activity from `arrival_s` to `departure_s`, seconds of the day.
///
/// The activity lasts from arrival to departure, but not before it opens or after it closes; its duration can be
/// negative if only one of the two times is given, or if a person arrives after the end of the day.
///
/// Its utility is performing · t · ln(duration / z), where t is the typical duration and z the one of utility 0. Below
/// z, the tangent at z continues to all shorter and negative durations. Waiting, late arrival, early departure and the
/// time that is missing for the minimal duration are added.
pub fn of_activity(rates: &Rates, activity: &ActivityUtility, arrival_s: f64, departure_s: f64) -> f64 {
    let (mut start, mut end) = (arrival_s, departure_s);
    if let Some(opening) = activity.opening_s.filter(|&opening| arrival_s < opening) {
        start = opening;
    }
    if let Some(closing) = activity.closing_s.filter(|&closing| closing < departure_s) {
        end = closing;
    }
    if let (Some(opening), Some(closing)) = (activity.opening_s, activity.closing_s)
        && (opening > departure_s || closing < arrival_s)
    {
        (start, end) = (departure_s, departure_s);
    }
    let duration = end - start;

    let mut utility = 0.0;
    if arrival_s < start {
        utility += rates.waiting * (start - arrival_s);
    }
    if let Some(latest) = activity.latest_start_s.filter(|&latest| start > latest) {
        utility += rates.late_arrival * (start - latest);
    }
    utility += of_duration(rates, activity, duration);
    if let Some(earliest) = activity.earliest_end_s.filter(|&earliest| end < earliest) {
        utility += rates.early_departure * (earliest - end);
    }
    if end < departure_s {
        utility += rates.waiting * (departure_s - end);
    }
    if let Some(minimal) = activity.minimal_duration_s.filter(|&minimal| duration < minimal) {
        utility += rates.early_departure * (minimal - duration);
    }
    utility
}

/// The part of the utility of an activity that depends on its duration only.
fn of_duration(rates: &Rates, activity: &ActivityUtility, duration_s: f64) -> f64 {
    let (typical, zero_h) = (activity.typical_duration_s, activity.zero_utility_duration_h);
    let logarithmic = || rates.performing * typical * libm::log((duration_s / HOUR_S) / zero_h);
    if activity.old_below_zero {
        return if duration_s > 0.0 {
            // MATSim's maximum of NaN is NaN, which is an error; that of Rust is the other number.
            let [performed, waited] = [logarithmic(), rates.waiting * duration_s];
            if performed.is_nan() || waited.is_nan() { f64::NAN } else { performed.max(waited).max(0.0) }
        } else {
            2.0 * rates.late_arrival * duration_s.abs()
        };
    }
    if duration_s >= HOUR_S * zero_h {
        logarithmic()
    } else {
        let slope = rates.performing * typical / (HOUR_S * zero_h);
        -(slope * (zero_h * HOUR_S - duration_s))
    }
}

impl LegUtility {
    /// Whether the utility depends on the distance.
    pub fn depends_on_distance(&self) -> bool {
        self.distance_per_m != 0.0 || self.money_per_m != 0.0
    }
}

/// Returns the utility of a leg: that of its travel time, of its distance, which is not looked at unless it counts, and
/// the constant of the mode; for the first leg of this mode on the day, the daily constants are added. The constant is
/// one per leg, not per trip.
pub fn of_leg(mode: &LegUtility, travel_time_s: f64, distance_m: f64, is_first_of_mode: bool) -> f64 {
    let mut utility = travel_time_s * mode.traveling_per_s;
    if mode.depends_on_distance() {
        utility += mode.distance_per_m * distance_m;
        utility += mode.money_per_m * mode.utility_of_money * distance_m;
    }
    utility += mode.constant;
    if is_first_of_mode {
        utility += mode.daily_utility + mode.daily_money * mode.utility_of_money;
    }
    utility
}

/// Returns the utility of being aborted, utils: 24 h of the worst that a person can do, which is to be late, to leave
/// too early, or, instead of performing an activity, to wait or to travel by the worst mode.
///
/// `traveling_per_s` contains the marginal utilities of travelling by all modes of the parameter set, including unused
/// default modes.
pub fn of_abort(rates: &Rates, traveling_per_s: impl IntoIterator<Item = f64>) -> f64 {
    let worst_traveling = traveling_per_s.into_iter().fold(0.0, f64::min);
    let schedule = rates.late_arrival.min(rates.early_departure);
    let instead = (worst_traveling - rates.performing).min(rates.waiting - rates.performing);
    24.0 * HOUR_S * schedule.min(instead)
}
