//! The score of one person, from the events of a day.

use throng_traffic_scenario::ModeId;

use super::{Fault, Preferences, utility};

/// Seconds of a day.
pub(super) const DAY_S: f64 = 86_400.0;

/// The day of a person so far. Each method takes an event of the person, in order of time, and adds the utility of an
/// activity or leg that it ends.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PersonDay {
    parts: ScoreParts,
    /// Type and end of the first activity, which is scored together with the last one.
    first: Option<(u32, f64)>,
    /// Type and start of the activity that has begun.
    open: Option<(u32, f64)>,
    /// Mode and start of the leg that has begun.
    leg: Option<(ModeId, f64)>,
    last_activity_end_s: f64,
    /// One bit per mode with a finished leg.
    used_modes: [u64; 4],
    has_boarded_on_trip: bool,
    has_transit_leg_on_trip: bool,
    is_on_transit_leg: bool,
}

/// There is one for each person of a scenario.
const _: () = assert!(size_of::<PersonDay>() <= 160);

/// The parts of a score, utils.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ScoreParts {
    /// Utility of activities.
    pub activities: f64,
    /// Utility of legs, usually negative.
    pub legs: f64,
    /// Utility of money received and paid.
    pub money: f64,
    /// Utility of being aborted.
    pub stuck: f64,
    /// Utility added by other models.
    pub events: f64,
}

impl ScoreParts {
    /// Returns the score: the sum in MATSim's order.
    pub fn sum(&self) -> f64 {
        let Self { activities, legs, money, stuck, events } = *self;
        [activities, legs, money, stuck, events].iter().fold(0.0, |sum, part| sum + part)
    }
}

/// The score of a day and its parts, utils.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DayScore {
    /// The sum of the parts.
    pub score: f64,
    /// The parts.
    pub parts: ScoreParts,
}

impl PersonDay {
    /// Ends an activity of the type with index `kind`. The first activity of a day has no start.
    ///
    /// # Errors
    /// If the activity has no utility.
    pub fn end_activity(&mut self, p: &Preferences, kind: u32, time_s: f64) -> Result<(), Fault> {
        if let Some((kind, start)) = self.open.take() {
            self.parts.activities += p.of_activity(kind, start, time_s)?;
        } else if self.first.is_none() {
            self.first = Some((kind, time_s));
        }
        self.last_activity_end_s = time_s;
        if !p.is_interaction.get(kind as usize).is_some_and(|&is_interaction| is_interaction) {
            self.has_boarded_on_trip = false;
            self.has_transit_leg_on_trip = false;
        }
        Ok(())
    }

    /// Begins an activity of the type with index `kind`.
    pub fn start_activity(&mut self, kind: u32, time_s: f64) {
        self.open = Some((kind, time_s));
    }

    /// Begins a leg. The constant of `pt` counts once per trip, although each leg has one.
    pub fn depart(&mut self, p: &Preferences, mode: ModeId, time_s: f64) {
        self.leg = Some((mode, time_s));
        self.is_on_transit_leg = p.mode(mode).is_ok_and(|mode| mode.is_transit);
        if self.is_on_transit_leg {
            if self.has_transit_leg_on_trip {
                self.parts.legs -= p.pt_constant;
            }
            self.has_transit_leg_on_trip = true;
        }
    }

    /// Boards a vehicle. On a leg by public transport, the wait since the last activity counts as waiting instead of as
    /// travelling, and each vehicle of a trip after the first one is a change of lines.
    pub fn enter_vehicle(&mut self, p: &Preferences, time_s: f64) {
        if self.is_on_transit_leg {
            if self.has_boarded_on_trip {
                self.parts.legs += p.utility_of_line_switch;
            }
            self.has_boarded_on_trip = true;
            self.parts.legs += (time_s - self.last_activity_end_s) * p.waiting_at_stops_per_s;
        }
    }

    /// Ends the leg. `distance_m`, metres, is called only if the score depends on it.
    ///
    /// # Errors
    /// If the mode has no parameters, or the utility is not a number because the distance is unknown.
    pub fn arrive(&mut self, p: &Preferences, time_s: f64, distance_m: impl FnOnce() -> f64) -> Result<(), Fault> {
        let Some((mode, departure_s)) = self.leg.take() else { return Ok(()) };
        let of_mode = &p.mode(mode)?.utility;
        let travel_time_s = time_s - departure_s;
        let distance_m = if of_mode.depends_on_distance() { distance_m() } else { 0.0 };
        let (word, bit) = (usize::from(mode.0 / 64), 1 << (mode.0 % 64));
        let utility = utility::of_leg(of_mode, travel_time_s, distance_m, self.used_modes[word] & bit == 0);
        self.used_modes[word] |= bit;
        if utility.is_nan() {
            return Err(Fault::LegNotANumber { mode, travel_time_s, distance_m });
        }
        self.parts.legs += utility;
        Ok(())
    }

    /// Is aborted. The leg is not scored.
    pub fn abort(&mut self, p: &Preferences) {
        self.leg = None;
        self.parts.stuck += p.abort;
    }

    /// Receives an amount of money, negative for a payment.
    ///
    /// # Errors
    /// If the amount is not a number.
    pub fn receive_money(&mut self, p: &Preferences, amount: f64) -> Result<(), Fault> {
        self.parts.money += number(amount)? * p.utility_of_money;
        Ok(())
    }

    /// Adds the score of an event of another model, utils.
    ///
    /// # Errors
    /// If the amount is not a number.
    pub fn add_score(&mut self, amount: f64) -> Result<(), Fault> {
        self.parts.events += number(amount)?;
        Ok(())
    }

    /// Ends the day and returns its score.
    ///
    /// The activity that is open is the last one, also that of a person who was aborted in it. If it has the type of
    /// the first one, it continues until the end of the first one on the next day; both are one activity with the
    /// parameters of the last one. Else the first one begins at midnight, and the last one ends with the period. A
    /// person who was aborted on the way has no last activity. A day without events has score 0.
    ///
    /// # Errors
    /// If an activity has no utility.
    pub fn finish(mut self, p: &Preferences) -> Result<DayScore, Fault> {
        let sum = &mut self.parts.activities;
        match (self.first, self.open) {
            (Some((first, end)), Some((last, start))) if first == last || first == p.not_specified => {
                *sum += p.of_activity(last, start, end + DAY_S)?;
            }
            (Some((first, end)), Some((last, start))) => {
                *sum += p.of_activity(first, 0.0, end)?;
                *sum += p.of_activity(last, start, p.end_of_period_s)?;
            }
            (Some((first, end)), None) => *sum += p.of_activity(first, 0.0, end)?,
            (None, _) => {}
        }
        Ok(DayScore { score: self.parts.sum(), parts: self.parts })
    }
}

fn number(amount: f64) -> Result<f64, Fault> {
    if amount.is_nan() { Err(Fault::AmountNotANumber) } else { Ok(amount) }
}
