//! Travel times of links.

/// Returns the free-flow travel time in seconds: length divided by the lower speed, rounded down to whole steps.
///
/// On a link whose travel time is shorter than one step, a vehicle may leave in the step in which it enters, because
/// links are processed after nodes.
///
/// ```
/// use throng_queue::rules::link_speed::travel_time;
/// assert_eq!(travel_time(100.0, 13.9, f64::INFINITY, 1.0), 7.0);
/// assert_eq!(travel_time(100.0, 13.9, 4.17, 1.0), 23.0);
/// assert_eq!(travel_time(5.0, 13.9, f64::INFINITY, 1.0), 0.0);
/// assert_eq!(travel_time(100.0, 13.9, f64::INFINITY, 10.0), 0.0);
/// ```
#[inline]
pub fn travel_time(length_m: f64, freespeed_mps: f64, maximum_velocity_mps: f64, step_s: f64) -> f64 {
    let seconds = length_m / maximum_velocity_mps.min(freespeed_mps);
    step_s * (seconds / step_s).floor()
}
