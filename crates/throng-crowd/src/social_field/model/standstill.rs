//! Oncoming people who block each other, and those who have not left by the end of a run.

use super::super::rules::direction::{STANDS, angle};
use super::super::scene::{LEFT, World};
use super::crowd::Crowd;
use super::opening_flow::seconds;

/// People who have not moved for this many steps stand.
const STEPS: u32 = 10;

/// Watches for people who stand straight in front of somebody who comes towards them.
#[derive(Debug, Default)]
pub struct Standstill {
    /// For each pedestrian, where it was in the last state, and since which tick.
    at: Vec<u32>,
    since: Vec<u32>,
    /// How many stood in front of oncoming people at most, and in which tick.
    most: Option<(usize, u32)>,
}

impl Standstill {
    /// Sees a state, the states in the order of their ticks.
    pub fn see(&mut self, crowd: &Crowd) {
        let (world, tick, people) = (&crowd.prepared.world, crowd.tick, &crowd.pedestrians);
        self.since.resize(people.len(), 0);
        for ((before, since), &now) in self.at.iter().zip(&mut self.since).zip(&people.at) {
            if *before != now {
                *since = tick;
            }
        }
        self.at.clone_from(&people.at);
        // States of runs are right.
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
        if count > self.most.map_or(0, |(most, _)| most) {
            self.most = Some((count, tick));
        }
    }

    /// How many have not left, if any, and what helps where people have blocked each other.
    pub fn line(&self, inside: f64, waiting: f64, tick_s: f64) -> Option<(&'static str, String)> {
        if inside + waiting == 0.0 {
            return None;
        }
        let blocked = self.most.map_or_else(String::new, |(count, tick)| {
            let after = seconds(tick, tick_s);
            format!(
                "; after {after} {count} stood in front of oncoming people: exchange_ticks = 2 lets such people exchange places"
            )
        });
        Some(("not left", format!("{inside} inside and {waiting} waiting at entries at the end{blocked}")))
    }
}

/// The space unit in a direction.
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
    fn those_who_stand_in_front_of_oncoming_people_are_counted() {
        let groups = vec![Group { persons: Some(6), ..Group::default() }];
        let scenario = Scenario { width_su: 20, height_su: 20, groups, ..Scenario::default() };
        let mut crowd = SocialFieldModel::start(&scenario).unwrap();
        // Two face each other; one stands behind another one; one goes south-west to one that goes east, and not back.
        crowd.pedestrians.at = vec![45, 46, 85, 86, 191, 170];
        crowd.pedestrians.heading = vec![0, 4, 0, 0, 5, 0];
        let mut standstill = Standstill::default();
        for tick in 0..STEPS {
            crowd.tick = tick;
            standstill.see(&crowd);
        }
        let left = |standstill: &Standstill| standstill.line(3.0, 1.0, 0.3).map(|(_, line)| line);
        assert_eq!(left(&standstill), Some("3 inside and 1 waiting at entries at the end".to_owned()));
        crowd.tick = STEPS;
        standstill.see(&crowd);
        let expected = "3 inside and 1 waiting at entries at the end; after 3.0 s 3 stood in front of oncoming people: \
                        exchange_ticks = 2 lets such people exchange places";
        assert_eq!(left(&standstill).as_deref(), Some(expected));
        // One of the two goes away, and fewer are not more.
        crowd.pedestrians.at[0] = 65;
        crowd.tick += 1;
        standstill.see(&crowd);
        assert_eq!((left(&standstill).as_deref(), standstill.since[0]), (Some(expected), STEPS + 1));
        assert_eq!(standstill.line(0.0, 0.0, 0.3), None);
    }
}
