//! Detection of oncoming pedestrians that block each other.

use throng_core::Warnings;

use super::super::rules::direction::{STANDS, angle};
use super::super::scene::{LEFT, World};
use super::crowd::Crowd;
use super::opening_flow::seconds;

/// Pedestrians that have not moved for this many steps count as standing.
const STEPS: u32 = 10;

/// Detects pedestrians that stand straight in front of an oncoming pedestrian.
#[derive(Debug, Default)]
pub struct Standstill {
    /// Position of each pedestrian in the last state, and the tick in which it got there.
    at: Vec<u32>,
    since: Vec<u32>,
    /// Maximum number of pedestrians that stood in front of oncoming ones, and its tick.
    maximum: Option<(usize, u32)>,
}

impl Standstill {
    /// Observes a state. States must be in the order of their ticks.
    pub fn see(&mut self, crowd: &Crowd) {
        let (world, tick, people) = (&crowd.prepared.world, crowd.tick, &crowd.pedestrians);
        self.since.resize(people.len(), 0);
        for ((before, since), &now) in self.at.iter().zip(&mut self.since).zip(&people.at) {
            if *before != now {
                *since = tick;
            }
        }
        self.at.clone_from(&people.at);
        // States of runs are valid.
        let Ok(occupants) = people.occupants(world) else { return };
        let heading_of = |other: u32| people.heading.get(other as usize).copied();
        let stands_before_oncoming = |&i: &usize| {
            let (at, heading) = (people.at[i], people.heading[i]);
            if at >= LEFT || heading == STANDS || tick - self.since[i] < STEPS * people.period[i] {
                return false;
            }
            let other = occupants.get(ahead(world, at, heading) as usize).and_then(|&other| heading_of(other));
            other.is_some_and(|other| other != STANDS && angle(heading.into(), other.into()) >= 3)
        };
        let count = (0..people.len()).filter(stands_before_oncoming).count();
        if count > self.maximum.map_or(0, |(maximum, _)| maximum) {
            self.maximum = Some((count, tick));
        }
    }

    /// Warns of pedestrians that blocked each other, with a remedy, for a run in which not all have left.
    pub fn warn(&self, tick_s: f64, warnings: &mut Warnings) {
        if let Some((count, tick)) = self.maximum {
            let note = format!("at {}; exchange_ticks = 2 lets such people exchange places", seconds(tick, tick_s));
            let kind = "a person stood in front of people who came the other way, and not everybody has left";
            warnings.add_noted(count as u64, kind, note);
        }
    }
}

/// Returns the next space unit in a direction.
fn ahead(world: &World, at: u32, heading: u8) -> u32 {
    let [x, y] = world.grid().place(at);
    world.grid().neighbour(x, y, heading.into())
}

#[cfg(test)]
mod tests {
    use throng_model::StepModel as _;

    use super::super::SocialFieldModel;
    use super::super::scenario::{Group, Scenario};
    use super::*;

    #[test]
    fn standing_persons_with_oncoming_neighbours_are_counted() {
        let groups = vec![Group { persons: Some(6), ..Group::default() }];
        let scenario = Scenario { width_su: 20, height_su: 20, groups, ..Scenario::default() };
        let mut crowd = SocialFieldModel::start(&scenario).unwrap();
        // Two face each other; one stands behind another; one walks south-west towards one that walks east, but not
        // vice versa.
        crowd.pedestrians.at = vec![45, 46, 85, 86, 191, 170];
        crowd.pedestrians.heading = vec![0, 4, 0, 0, 5, 0];
        let mut standstill = Standstill::default();
        for tick in 0..STEPS {
            crowd.tick = tick;
            standstill.see(&crowd);
        }
        let warned = |standstill: &Standstill| {
            let mut warnings = Warnings::new();
            standstill.warn(0.3, &mut warnings);
            warnings.lines().collect::<Vec<_>>()
        };
        assert_eq!(warned(&standstill), [""; 0]);
        crowd.tick = STEPS;
        standstill.see(&crowd);
        let expected = "warning: 3 times: a person stood in front of people who came the other way, and not everybody has left (at \
                        3.0 s; exchange_ticks = 2 lets such people exchange places)";
        assert_eq!(warned(&standstill), [expected]);
        // One of the two steps aside, and a smaller count does not replace the maximum.
        crowd.pedestrians.at[0] = 65;
        crowd.tick += 1;
        standstill.see(&crowd);
        assert_eq!((warned(&standstill), standstill.since[0]), (vec![expected.to_owned()], STEPS + 1));
    }
}
