//! When an activity ends.

use throng_traffic_scenario::settings::ActivityDurationInterpretation;

/// The end of an activity that begins at `now`, from its end time and maximum duration (NaN if undefined). At least
/// `now`; infinite if neither is defined.
///
/// ```
/// use throng_queue::rules::activity_end::activity_end;
/// use throng_traffic_scenario::settings::ActivityDurationInterpretation as A;
///
/// // Ends at 8:00, lasts an hour, begun at 6:00.
/// assert_eq!(activity_end(28_800.0, 3600.0, 21_600.0, A::TryEndTimeThenDuration), 28_800.0);
/// assert_eq!(activity_end(28_800.0, 3600.0, 21_600.0, A::MinOfDurationAndEndTime), 25_200.0);
/// assert_eq!(activity_end(f64::NAN, 3600.0, 21_600.0, A::EndTimeOnly), f64::INFINITY);
/// ```
pub fn activity_end(end_time: f64, max_duration: f64, now: f64, interpretation: ActivityDurationInterpretation) -> f64 {
    let by_duration = now + max_duration;
    let end = match interpretation {
        ActivityDurationInterpretation::TryEndTimeThenDuration if end_time.is_nan() => by_duration,
        ActivityDurationInterpretation::TryEndTimeThenDuration | ActivityDurationInterpretation::EndTimeOnly => {
            end_time
        }
        // The minimum of a number and NaN is the number.
        ActivityDurationInterpretation::MinOfDurationAndEndTime => end_time.min(by_duration),
    };
    if end.is_nan() { f64::INFINITY } else { end.max(now) }
}
