//! Trade partners in each period of a run.

use std::collections::BTreeMap;

use throng_model::Failure;
use throng_output::csv::{Row, push_header};
use throng_output::svg::{LineClass, LineMap};
use throng_output::{Codec, RunFolder, TextFile, WrittenFile};

use super::{PARTNERS, Periods, Section};
use crate::society::Society;

/// Counts trades of pairs of agents in each period.
pub struct Partners {
    periods: Periods,
    /// Numbers of trades and of units traded, by period and pair of agents, the lower index first.
    pairs: BTreeMap<(u64, [usize; 2]), [u64; 2]>,
}

impl Partners {
    pub fn new(periods: Periods) -> Self {
        Self { periods, pairs: BTreeMap::new() }
    }

    pub fn see(&mut self, day: u64, society: &Society) {
        if day == 0 {
            return;
        }
        let period = self.periods.of(day);
        for trade in &society.today.trades {
            let [a, b] = trade.agents;
            let [trades, units] = self.pairs.entry((period, [a.min(b), a.max(b)])).or_default();
            *trades += 1;
            *units += u64::from(trade.lot.given) + u64::from(trade.lot.received);
        }
    }

    pub fn write(&self, folder: &RunFolder) -> Result<WrittenFile, Failure> {
        let mut table = TextFile::create(folder, PARTNERS, Codec::None)?;
        push_header(table.text(), &["from_day", "to_day", "agent", "other", "trades", "units"]);
        for (&(period, [agent, other]), &[trades, units]) in &self.pairs {
            let [from, to] = self.periods.days(period);
            let mut row = Row::new(table.text());
            for value in [from, to, agent as u64, other as u64, trades, units] {
                row.integer(value as i64);
            }
            row.end();
        }
        Ok(table.finish()?)
    }

    /// Creates the section with the network of the last period in which any pair traded.
    pub fn section(&self, last: &Society) -> Section {
        let period = self.pairs.keys().next_back().map(|key| key.0);
        let mut pairs: Vec<([usize; 2], u64)> =
            self.pairs.iter().filter(|(key, _)| Some(key.0) == period).map(|(key, count)| (key.1, count[1])).collect();
        pairs.sort_by_key(|&(pair, units)| (std::cmp::Reverse(units), pair));
        let agents = last.agents.len() as f64;
        let place = |agent: usize| {
            let turn = std::f64::consts::TAU * agent as f64 / agents;
            (libm::cos(turn), libm::sin(turn))
        };
        let classes = CLASSES.map(|(name, colour, width, from, to)| {
            let of = |share: f64| (pairs.len() as f64 * share).ceil() as usize;
            let lines = pairs[of(from)..of(to)].iter().map(|(pair, _)| pair.map(place)).collect();
            LineClass { name: name.to_owned(), colour, width, lines }
        });
        // The strongest pairs are drawn last, on top of the others.
        let classes = classes.into_iter().rev().collect();
        let map = LineMap { label: "Who trades with whom".to_owned(), classes };
        let caption = "Agents on a circle, in the order of their numbers, and a line for each pair that bartered in the last \
                       quarter of the run. Few thick lines show steady partners, an even web shows that all trade with all.";
        Section { heading: "Who trades with whom", chart: Box::new(map), caption }
    }
}

/// Classes of pairs by the units that they bartered: name, colour, line width, and the range of the class as fractions
/// of all pairs.
const CLASSES: [(&str, &str, f64, f64, f64); 3] = [
    ("the tenth of the pairs that traded most units", "#b2182b", 2.4, 0.0, 0.1),
    ("the next 40 %", "#6f9fc8", 1.0, 0.1, 0.5),
    ("the other half", "#d5dde5", 0.5, 0.5, 1.0),
];
