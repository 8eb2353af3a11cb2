//! Initial pedestrians at random positions.

use rayon::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use throng_core::{InputError, Philox, Problems};

use super::scene::{MAX_PEDESTRIANS, MAX_PERIOD, Pedestrians, World};

/// Purposes of the random draws; 0 is the purpose of draws of a tick.
const PLACE: u32 = 1;
const PERIOD: u32 = 2;
const FIRST_DUE: u32 = 3;

/// The headings of a crowd (Yu et al.): equal numbers of pedestrians have each heading.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Flow {
    /// All walk to the east.
    Uni,
    /// Half walk to the east, half to the west.
    #[default]
    Bi,
    /// A quarter walks in each of the directions east, north, west and south.
    Four,
    /// An eighth walks in each of the eight directions.
    Eight,
}

impl Flow {
    /// All flows.
    pub const ALL: [Self; 4] = [Self::Uni, Self::Bi, Self::Four, Self::Eight];

    /// Returns the headings. Pedestrian `i` has the heading at index `i` modulo their count.
    pub fn headings(self) -> &'static [u8] {
        match self {
            Self::Uni => &[0],
            Self::Bi => &[0, 4],
            Self::Four => &[0, 2, 4, 6],
            Self::Eight => &[0, 1, 2, 3, 4, 5, 6, 7],
        }
    }

    /// Returns the name in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Uni => "uni",
            Self::Bi => "bi",
            Self::Four => "four",
            Self::Eight => "eight",
        }
    }
}

/// A crowd at random positions in free space units.
#[derive(Debug, Clone, PartialEq)]
pub struct Start<'p> {
    /// Fraction of the space units other than walls that pedestrians occupy, 0 to 1.
    pub density: f64,
    /// Headings of the pedestrians.
    pub flow: Flow,
    /// Walk periods, ticks; each pedestrian draws one of them.
    pub periods: &'p [u32],
    /// The seed of all random draws.
    pub seed: u64,
}

impl Start<'_> {
    /// Returns pedestrians in random space units of a world, in random order. Those with a walk period of `p` ticks are
    /// first due in a random one of the first `p` ticks. The cost is that of sorting the space units.
    ///
    /// # Errors
    /// An invalid density, missing or invalid periods, or too many pedestrians.
    pub fn pedestrians(&self, world: &World) -> Result<Pedestrians, InputError> {
        let Self { density, flow, periods, seed } = *self;
        let mut problems = Problems::new();
        if !(0.0..=1.0).contains(&density) {
            problems.push("density", density.to_string(), "give a number from 0 to 1");
        }
        if periods.is_empty() {
            problems.push("walk_periods", "[]", "give at least one, such as [1]");
        }
        for period in periods.iter().filter(|&period| !(1..=MAX_PERIOD).contains(period)) {
            problems.push("walk_periods", period.to_string(), format!("give 1 to {MAX_PERIOD} ticks"));
        }
        problems.into_result()?;
        let draws = Philox::new(seed);
        let mut free: Vec<u32> =
            (0..world.grid().units() as u32).filter(|&unit| !world.is_wall[unit as usize]).collect();
        let count = (density * free.len() as f64).round() as usize;
        if count > MAX_PEDESTRIANS {
            let remedy = format!("at most {MAX_PEDESTRIANS}: use a lower density or a smaller world");
            return Err(InputError::one("density", format!("{density}, which is {count} pedestrians"), remedy));
        }
        free.par_sort_by_cached_key(|&unit| (draws.block([unit, 0, PLACE, 0])[0], unit));
        free.truncate(count);
        let headings = flow.headings();
        let period = |pedestrian: u32| periods[draws.below(periods.len() as u32, pedestrian, 0, PERIOD, 0) as usize];
        let period: Vec<u32> = (0..count as u32).map(period).collect();
        let due = |(pedestrian, &period): (usize, &u32)| draws.below(period, pedestrian as u32, 0, FIRST_DUE, 0);
        Ok(Pedestrians {
            heading: (0..count).map(|pedestrian| headings[pedestrian % headings.len()]).collect(),
            due: period.iter().enumerate().map(due).collect(),
            at: free,
            period,
            ..Pedestrians::default()
        })
    }
}

#[cfg(test)]
mod tests {
    use throng_device::neighbours::Boundary;

    use super::super::rules::grid::Grid;
    use super::*;

    #[test]
    fn pedestrians_start_in_separate_space_units_outside_walls() {
        let grid = Grid { width: 40, height: 30, boundary: Boundary::Closed };
        let world = World::new(grid, (0..1200).map(|unit| unit % 40 == 7).collect()).unwrap();
        let start = Start { density: 0.5, flow: Flow::Four, periods: &[1, 4], seed: 5 };
        let pedestrians = start.pedestrians(&world).unwrap();
        assert_eq!(pedestrians.len(), 585);
        pedestrians.occupants(&world).unwrap();
        let mut counts = [0; 8];
        pedestrians.heading.iter().for_each(|&heading| counts[usize::from(heading)] += 1);
        assert_eq!(counts, [147, 0, 146, 0, 146, 0, 146, 0]);
        let slow = pedestrians.period.iter().filter(|&&period| period == 4).count();
        assert!((230..350).contains(&slow), "{slow} of 585");
        assert!(pedestrians.due.iter().zip(&pedestrians.period).all(|(due, period)| due < period));
        assert!((1..4).all(|due| pedestrians.due.contains(&due)));
        let full = Start { density: 1.0, ..start.clone() };
        assert_eq!(full.pedestrians(&world).unwrap().len(), 1170);
        let refused =
            Start { density: f64::NAN, periods: &[0, 65_537], ..start }.pedestrians(&world).unwrap_err().to_string();
        assert!(refused.contains("density: NaN\n") && refused.contains("walk_periods: 0\n"), "{refused}");
        assert!(refused.contains("walk_periods: 65537\n    give 1 to 65536 ticks"), "{refused}");
    }
}
