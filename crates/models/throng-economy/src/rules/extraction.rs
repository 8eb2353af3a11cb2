//! Extraction: unit by unit, the agent takes the resource that adds most utility per minute.

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]
#![allow(clippy::cast_lossless, reason = "kernels have no `f64::from`")]

use super::barter::BELOW_ALL;
use super::prelude::*;
use super::worth::gain_per_min;

/// The minutes of an agent.
#[derive(CubeType, Debug, Clone, Copy)]
pub struct Hours {
    /// The clock at the end of the day.
    pub clock: f64,
    /// Minutes of assembly that are deducted from this or the next extraction.
    pub overtime: f64,
    /// Utility per minute of the last extracted unit.
    pub gain_per_min: f64,
}

/// View of an agent that extracts resources.
#[cube]
pub trait WorkerView {
    fn resources(&self) -> u32;
    /// Whether a resource was not removed.
    fn is_left(&self, resource: u32) -> bool;
    /// Units in stock.
    fn held(&self, resource: u32) -> u32;
    fn set_held(&mut self, resource: u32, units: u32);
    /// Experience in extraction.
    fn experience(&self, resource: u32) -> f64;
    fn set_experience(&mut self, resource: u32, units: f64);
    /// Remaining minutes of devices of a kind.
    fn minutes(&self, resource: u32, kind: u32) -> f64;
    fn set_minutes(&mut self, resource: u32, kind: u32, minutes: f64);
    /// Counts a unit extracted with a device, or by hand with [`NONE`].
    fn count(&mut self, resource: u32, kind: u32);
    /// Units extracted today.
    fn extracted(&self, resource: u32) -> u32;
    /// Minutes and gain of the next unit.
    fn time(&self, resource: u32) -> f64;
    fn gain(&self, resource: u32) -> f64;
    fn set_next(&mut self, resource: u32, minutes: f64, gain_per_min: f64);
    /// Chooses one of the resources whose gain is the best or within the tolerance of it, using draw number `drawn`;
    /// [`NONE`] if all resources were removed.
    fn choose(&mut self, drawn: u32) -> u32;
}

/// The device of the highest order with which an agent can extract a resource, or [`NONE`], and its factor.
#[derive(CubeType, Debug, Clone, Copy)]
struct Extractor {
    kind: u32,
    factor: f64,
}

#[cube]
#[inline]
fn best_device<M: ModelView, W: WorkerView>(
    model: &M,
    worker: &W,
    resource: u32,
    #[comptime] extracting: u32,
) -> Extractor {
    let mut best = Extractor { kind: NONE.runtime(), factor: 1.0f64 };
    #[unroll]
    for kind in 0..extracting {
        if worker.minutes(resource, kind.runtime()) > 0.0f64 {
            best.kind = kind.runtime();
            best.factor = model.of_kind(kind.runtime(), comptime!(number::FACTOR));
        }
    }
    best
}

/// Computes the minutes and the gain of the next unit of a resource.
#[cube]
#[inline]
fn evaluate_resource<M: ModelView, W: WorkerView>(
    model: &M,
    worker: &mut W,
    resource: u32,
    #[comptime] extracting: u32,
) {
    let best = best_device::<M, W>(model, worker, resource, extracting);
    let by_hand = model.effort(worker.experience(resource));
    let mut gain = BELOW_ALL.runtime();
    if worker.is_left(resource) {
        gain = gain_per_min(model.of_next(worker.held(resource)), best.factor, by_hand);
    }
    worker.set_next(resource, by_hand / best.factor, gain);
}

/// Extracts one unit.
#[cube]
#[inline]
fn extract_unit<M: ModelView, W: WorkerView>(
    model: &M,
    worker: &mut W,
    resource: u32,
    minutes: f64,
    #[comptime] extracting: u32,
) {
    let best = best_device::<M, W>(model, worker, resource, extracting);
    let held = worker.held(resource) + 1u32;
    worker.set_held(resource, held);
    let experience = worker.experience(resource) + 1.0f64 / best.factor;
    worker.set_experience(resource, experience);
    #[unroll]
    for kind in 0..extracting {
        if best.kind == kind {
            let left = worker.minutes(resource, kind.runtime()) - minutes;
            worker.set_minutes(resource, kind.runtime(), exact::ieee_max::<f64>(left, 0.0f64));
        }
    }
    worker.count(resource, best.kind);
    evaluate_resource::<M, W>(model, worker, resource, extracting);
}

/// Simulates a day of work. The first `extracting` kinds are devices for extraction; `gained` is the utility gained
/// today through devices.
#[cube]
pub fn extract_for_day<M: ModelView, W: WorkerView, T: Team>(
    model: &M,
    worker: &mut W,
    team: &T,
    hours: &mut Hours,
    gained: f64,
    #[comptime] extracting: u32,
) {
    let day_min = model.number(comptime!(number::DAY_MIN));
    if hours.overtime >= day_min {
        // Assembly takes the whole day.
        hours.gain_per_min = gained / hours.overtime;
        hours.overtime -= day_min;
    } else {
        hours.clock = hours.overtime;
        hours.overtime = 0.0f64;
        let mut resource = team.first();
        while resource < worker.resources() {
            evaluate_resource::<M, W>(model, worker, resource, extracting);
            resource += team.size();
        }
        team.barrier();
        let mut drawn = 0u32;
        let mut goes_on = true;
        while goes_on && hours.clock < day_min {
            let chosen = worker.choose(drawn);
            drawn += 1u32;
            // `NONE` if all resources were removed: the day passes without extraction.
            goes_on = chosen != NONE;
            if goes_on {
                let minutes = exact::copied(worker.time(chosen));
                hours.clock += minutes;
                hours.gain_per_min = worker.gain(chosen);
                team.barrier();
                if team.owns(chosen) {
                    extract_unit::<M, W>(model, worker, chosen, minutes, extracting);
                }
            }
            team.barrier();
        }
    }
    let forgotten = model.number(comptime!(number::FORGOTTEN));
    let full = model.number(comptime!(number::FULL_EXPERIENCE));
    let mut resource = team.first();
    while resource < worker.resources() {
        let kept = experience_after_day(worker.experience(resource), worker.extracted(resource), forgotten, full);
        worker.set_experience(resource, kept);
        resource += team.size();
    }
}

/// Returns the minutes of work from no experience to `experience`: `until` for the `whole` units, and `minutes` per
/// unit for the rest. `zero` is [`NEGATIVE_ZERO`](exact::NEGATIVE_ZERO).
#[cube]
#[inline]
fn minutes_until(experience: f64, whole: u32, until: f64, minutes: f64, zero: f64) -> f64 {
    until + exact::rounded_product::<f64>(experience - whole as f64, minutes, zero)
}

/// Returns the number of units that an agent begins with a device before the cumulative minutes `end`. By then its
/// experience has `reached` whole units, which takes `until` minutes; the next unit of experience takes `minutes`.
/// `zero` as above.
#[cube]
#[inline]
fn units_begun(experience: f64, factor: f64, end: f64, reached: u32, until: f64, minutes: f64, zero: f64) -> u32 {
    let after = reached as f64 + (end - until) / minutes;
    // Sums of minutes are rounded: a smaller fraction of a unit counts as none.
    let units = exact::rounded_product::<f64>(after - experience, factor, zero) - 1e-9f64;
    let mut begun = 0u32;
    if units > 0.0f64 {
        // Bound: more than any device of a valid scenario can extract.
        let units = exact::ieee_min::<f64>(units, 5e8f64);
        begun = units as u32;
        if units > begun as f64 {
            begun += 1u32;
        }
    }
    begun
}

/// Returns the number of units that an agent begins within `minutes` with a device. A unit takes 1 / `factor` of the
/// minutes by hand and adds 1 / `factor` of a unit to the experience, so experience grows in time as it does by hand.
#[cube]
#[inline]
pub fn units_during<M: ModelView>(model: &M, minutes: f64, experience: f64, factor: f64) -> u32 {
    let last = model.last_effort();
    let whole = min(experience as u32, last);
    let of_first = model.effort(experience);
    let end = minutes_until(experience, whole, model.minutes_until_whole(whole), of_first, model.zero()) + minutes;
    // A unit takes at most the minutes of the first one and at least the minimum effort: this bounds the experience
    // reached.
    let mut reached = min(whole + max((minutes / of_first) as u32, 1u32) - 1u32, last);
    let mut beyond = min(whole + 1u32 + (minutes / model.number(comptime!(number::MIN_EFFORT))) as u32, last) + 1u32;
    while beyond - reached > 1u32 {
        let middle = reached + (beyond - reached) / 2u32;
        if model.minutes_until_whole(middle) <= end {
            reached = middle;
        } else {
            beyond = middle;
        }
    }
    let until = model.minutes_until_whole(reached);
    units_begun(experience, factor, end, reached, until, model.effort(reached as f64), model.zero())
}

/// Returns the experience in extraction after a day with `units` extracted: reduced after a day without any, and at
/// most full experience.
#[cube]
#[inline]
fn experience_after_day(experience: f64, units: u32, forgotten: f64, full: f64) -> f64 {
    let mut kept = exact::copied(experience);
    if units == 0u32 {
        kept = exact::ieee_max::<f64>(experience - forgotten, 0.0f64);
    }
    exact::ieee_min::<f64>(kept, full)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn experience_matches_values_computed_by_hand() {
        for (experience, units, expected) in [(5.0, 0, 2.0), (1.0, 0, 0.0), (5.0, 1, 5.0), (601.5, 2, 600.0)] {
            assert_eq!(experience_after_day(experience, units, 3.0, 600.0), expected, "{experience}, {units} units");
        }
    }
}
