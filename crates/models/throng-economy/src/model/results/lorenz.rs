//! Lorenz curves: the fraction of the utility that belongs to each fraction of the agents, the poorest first.

use throng_model::Failure;
use throng_output::csv::{Row, push_header};
use throng_output::svg::{Axis, Chart, Series};
use throng_output::{Codec, RunFolder, TextFile, WrittenFile};

use super::{LORENZ, Periods, Section};
use crate::society::Society;

/// Lorenz curves of the utility of agents at the end of selected days.
pub struct Lorenz {
    periods: Periods,
    days: Vec<(u64, Vec<f64>)>,
}

impl Lorenz {
    pub fn new(periods: Periods) -> Self {
        Self { periods, days: Vec::new() }
    }

    pub fn see(&mut self, day: u64, society: &Society) {
        if self.periods.is_last(day) {
            self.days.push((day, curve(society)));
        }
    }

    /// Returns the curves, including that of the last day.
    fn curves(&self, last: &Society) -> Vec<(u64, Vec<f64>)> {
        let mut curves = self.days.clone();
        let day = u64::from(last.days);
        if day > 0 && curves.last().is_none_or(|curve| curve.0 != day) {
            curves.push((day, curve(last)));
        }
        curves
    }

    pub fn write(&self, folder: &RunFolder, last: &Society) -> Result<WrittenFile, Failure> {
        let mut table = TextFile::create(folder, LORENZ, Codec::None)?;
        push_header(table.text(), &["day", "share_of_agents", "share_of_utility"]);
        for (day, curve) in self.curves(last) {
            for (share_of_agents, share_of_utility) in points(&curve) {
                let mut row = Row::new(table.text());
                row.integer(day as i64).number(share_of_agents).number(share_of_utility).end();
            }
        }
        Ok(table.finish()?)
    }

    pub fn section(&self, last: &Society) -> Section {
        let mut series = vec![Series { name: "equality".to_owned(), points: vec![(0.0, 0.0), (100.0, 100.0)] }];
        let percent = |(agents, utility): (f64, f64)| (100.0 * agents, 100.0 * utility);
        let of_day = |(day, curve): (u64, Vec<f64>)| Series {
            name: format!("day {day}"),
            points: points(&curve).map(percent).collect(),
        };
        series.extend(self.curves(last).into_iter().map(of_day));
        let chart = Chart {
            label: "Lorenz curves of utility".to_owned(),
            x: Axis::new("agents, the poorest first", "%"),
            y: Axis::new("fraction of the utility", "%"),
            series,
            ..Chart::default()
        };
        let caption = "Fractions of the utility on three days, the named one and the two before. The lower a curve hangs below \
                       the straight line, the less the poorest have. The Gini coefficient is twice the area between the two.";
        Section { heading: "Distribution of utility", chart: Box::new(chart), caption }
    }
}

/// Returns the cumulative utility of the 1, 2, ... poorest agents, as fractions of the total.
fn curve(society: &Society) -> Vec<f64> {
    let mut utility = society.utility_of_last_days();
    utility.sort_unstable_by(f64::total_cmp);
    let whole: f64 = utility.iter().sum();
    let mut sum = 0.0;
    let share = |own: f64| {
        sum += own;
        if whole > 0.0 { sum / whole } else { 0.0 }
    };
    utility.into_iter().map(share).collect()
}

fn points(curve: &[f64]) -> impl Iterator<Item = (f64, f64)> + '_ {
    let agents = curve.len().max(1) as f64;
    [(0.0, 0.0)].into_iter().chain(curve.iter().enumerate().map(move |(at, &share)| ((at + 1) as f64 / agents, share)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Parameters;

    #[test]
    fn lorenz_curves_match_values_computed_by_hand() {
        let mut society = Society::of(&Parameters { agents: 3, ..Parameters::default() }, 1);
        society.utility_of_days[0] = vec![3.0, 1.0, 1.0];
        society.utility_of_days[1] = vec![2.0, 0.0, 1.0];
        assert_eq!(
            points(&curve(&society)).collect::<Vec<_>>(),
            [(0.0, 0.0), (1.0 / 3.0, 0.125), (2.0 / 3.0, 0.375), (1.0, 1.0)]
        );
        society.is_present[0] = false;
        assert_eq!(curve(&society).len(), 2);
    }
}
