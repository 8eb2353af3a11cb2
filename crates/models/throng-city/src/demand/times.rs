//! End times of activities: the times of leaving home and each other location, in whole seconds of the day.

use super::Kind;
use super::chains::Chain;
use crate::draws::{Draws, Purpose};

const HOUR: f64 = 3600.0;

/// Latest departure for home, hours, so that the roads are empty at three in the morning.
const MAX_TIME_H: f64 = 26.0;

/// End times of the activities of a chain except the last stay at home: home first, then one per location.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Ends {
    pub(crate) home: f64,
    pub(crate) away: [f64; 2],
}

/// Draws the end times; the spike variant puts all peaks exactly on the hour.
pub(crate) fn draw(chain: Chain, draws: Draws, spike: bool) -> Ends {
    let normal = |index, mean_h: f64, deviation_min: f64| {
        let at = draws.normal(Purpose::Time, index, mean_h * HOUR, deviation_min * 60.0);
        at.round().max(0.0)
    };
    let between =
        |index, low_h: f64, high_h: f64| draws.between(Purpose::Time, index, low_h * HOUR, high_h * HOUR).round();
    let (morning, evening) =
        if spike { (6.0 * HOUR, 16.0 * HOUR) } else { (normal(0, 7.5, 45.0), normal(1, 17.25, 60.0)) };
    match chain {
        Chain::Work => Ends { home: morning, away: [evening, f64::NAN] },
        Chain::WorkLeisure => Ends { home: morning, away: [evening, evening + between(20, 1.25, 3.0)] },
        Chain::Education => {
            let end = if spike { evening } else { normal(2, 14.5, 75.0) };
            Ends { home: morning, away: [end, f64::NAN] }
        }
        Chain::Shopping => {
            let home = between(21, 8.5, 14.5);
            Ends { home, away: [home + between(22, 0.6, 1.6), f64::NAN] }
        }
        Chain::Leisure => {
            let home = between(21, 9.0, 15.0);
            Ends { home, away: [home + between(22, 1.25, 3.5), f64::NAN] }
        }
    }
}

/// Draws the end of the stay at home and of the second stay away, for people who leave a second time, at least three
/// quarters of an hour after they left for home. After shopping or leisure the departure is before half past three,
/// after other chains before nine in the evening, but the range is at least two hours long.
pub(crate) fn second_tour(chain: Chain, kind: Kind, draws: Draws, left_for_home: f64) -> [f64; 2] {
    let usual = if matches!(chain, Chain::Shopping | Chain::Leisure) { 15.5 } else { 21.0 };
    let earliest = left_for_home + 0.75 * HOUR;
    let latest = (earliest + 2.0 * HOUR).max(usual * HOUR);
    let out = draws.between(Purpose::SecondTour, 1, earliest, latest);
    let (min_h, max_h) = if kind == Kind::Shopping { (0.5, 1.5) } else { (1.0, 2.5) };
    // Late outings are shorter.
    let max_stay = (max_h * HOUR).min((MAX_TIME_H * HOUR - out).max(0.5 * HOUR));
    let stay = draws.between(Purpose::SecondTour, 2, max_stay.min(min_h * HOUR), max_stay);
    [out.round(), (out + stay).round()]
}
