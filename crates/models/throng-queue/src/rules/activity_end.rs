//! When an activity ends.

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;
use throng_device::exact::ieee_max;
use throng_traffic_scenario::settings::ActivityDurationInterpretation;

/// Returns the end of an activity that begins at `now`, seconds, from its end time and its maximum duration, if
/// defined. The result is at least `now`, or `never` if the end is undefined.
#[cube]
#[inline]
pub fn end_of_activity(
    has_end_time: bool,
    end_time: f64,
    has_duration: bool,
    max_duration: f64,
    now: f64,
    never: f64,
    #[comptime] interpretation: ActivityDurationInterpretation,
) -> f64 {
    let by_duration = now + max_duration;
    let mut ends = has_end_time;
    let mut end = end_time;
    match interpretation {
        ActivityDurationInterpretation::TryEndTimeThenDuration => {
            if !has_end_time && has_duration {
                ends = true;
                end = by_duration;
            }
        }
        ActivityDurationInterpretation::MinOfDurationAndEndTime => {
            if has_duration && (!has_end_time || by_duration < end_time) {
                ends = true;
                end = by_duration;
            }
        }
        ActivityDurationInterpretation::EndTimeOnly => {}
    }
    if ends {
        end = ieee_max(end, now);
    } else {
        end = never;
    }
    end
}

/// Like [`end_of_activity()`], for times that are NaN if undefined. Returns infinity if the end is undefined.
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
    let (has_end_time, has_duration) = (!end_time.is_nan(), !max_duration.is_nan());
    end_of_activity(has_end_time, end_time, has_duration, max_duration, now, f64::INFINITY, interpretation)
}
