//! Runs all scenarios with all rules and seeds in one run.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;
use throng_core::{NoThread, Progress};
use throng_economy::{Kind, Society};

use super::deviations::{Deviation, MODEL};
use super::published::Published;
use super::scenarios::Scenario;
use super::statistics::{Ratio, Statistics};
use crate::experiment::flags::{number, threads};
use crate::experiment::options;

options! {
    /// Options of the experiment.
    Options, FLAGS {
        seeds: u32 = 8; quick 2,
            new "seeds" "N" "Societies per scenario and rules, with seeds 1 to N [default: 8]" number(1..=MAX_SEEDS);
        threads: usize = 1, new "threads" "N" "Threads of the CPU [default: all]" threads;
    }
    also {}
    fixed {
        /// Scenarios to run.
        scenarios: Vec<Scenario> = Scenario::ALL.to_vec(), quick vec![Scenario::Trade];
        /// Last published day to compare; later ones are skipped.
        last_day: u32 = 200, quick 50;
    }
}

/// Maximum number of seeds.
const MAX_SEEDS: u32 = 1000;

impl Options {
    /// The days of a scenario on which a society is measured, with the program's figures.
    pub fn days(&self, scenario: Scenario) -> impl Iterator<Item = &'static Published> {
        scenario.published().iter().take_while(|published| published.day <= self.last_day)
    }
}

/// The measurement of a society on a published day.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Row {
    /// The scenario of the society.
    pub scenario: Scenario,
    /// The name of its deviations.
    pub deviations: &'static str,
    /// The seed of the society.
    pub seed: u64,
    /// The day, from 1.
    pub day: u32,
    /// Figures in the order of [`Figure`].
    pub figures: [f64; 6],
}

/// A compared figure, per agent except for [`Figure::Gini`] and [`Figure::Complexity`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Figure {
    /// Units extracted per agent.
    Units,
    /// Utility of the stock per agent.
    Utility,
    /// The Gini coefficient of utility.
    Gini,
    /// Mean complexity of the device used per extracted unit.
    Complexity,
    /// Units that changed hands by barter, per agent.
    Traded,
    /// Tools made per agent.
    Tools,
}

impl Figure {
    /// Name in tables, and number of decimals of the published figures.
    const COLUMNS: [(&str, usize); 6] =
        [("units", 1), ("utility", 0), ("Gini", 4), ("complexity", 2), ("traded", 1), ("tools", 2)];

    /// The name used in tables.
    pub fn name(self) -> &'static str {
        Self::COLUMNS[self as usize].0
    }

    /// Its value in a society.
    pub fn of(self, row: &Row) -> f64 {
        row.figures[self as usize]
    }

    /// Its value in the published program; `None` if unknown.
    pub fn published(self, published: &Published) -> Option<f64> {
        published.figures[self as usize]
    }

    /// A value as text, for tables.
    pub fn text(self, value: f64) -> String {
        format!("{value:.*}", Self::COLUMNS[self as usize].1)
    }
}

/// All measurements of the experiment.
#[derive(Debug, Clone, PartialEq)]
pub struct HaneyMeasurements {
    /// The requested options.
    pub options: Options,
    /// Measurements by scenario, deviations, seed and day.
    pub rows: Vec<Row>,
}

impl HaneyMeasurements {
    /// Measurements of a scenario with these deviations, by seed and day.
    pub fn runs(&self, scenario: Scenario, deviations: &str) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(move |row| row.scenario == scenario && row.deviations == deviations)
    }

    /// Statistics of a figure over seeds; `None` if there was no such run.
    pub fn statistics(&self, scenario: Scenario, deviations: &str, day: u32, figure: Figure) -> Option<Statistics> {
        let on_day = self.runs(scenario, deviations).filter(|row| row.day == day);
        Statistics::of(&on_day.map(|row| figure.of(row)).collect::<Vec<f64>>())
    }

    /// The ratio of the mean with deviations to the mean of the model.
    pub fn to_model(&self, scenario: Scenario, deviations: &str, day: u32, figure: Figure) -> Option<Ratio> {
        let of = self.statistics(scenario, deviations, day, figure)?;
        Ratio::of_means(&of, &self.statistics(scenario, MODEL.name, day, figure)?)
    }

    /// Whether deviations leave all figures of each society as they are under the model alone.
    pub fn is_same_as_model(&self, scenario: Scenario, deviations: &str) -> bool {
        let without_name = |row: &Row| Row { deviations: "", ..*row };
        let [of, model] = [deviations, MODEL.name].map(|name| self.runs(scenario, name).map(without_name));
        of.eq(model)
    }
}

/// Runs all societies on the CPU threads.
///
/// # Errors
/// If threads cannot be created.
pub fn reproduce(options: &Options, progress: &dyn Progress) -> Result<HaneyMeasurements, NoThread> {
    let pool = throng_core::thread_pool(options.threads)?;
    let mut runs: Vec<(Scenario, Deviation, u64)> = Vec::new();
    for &scenario in &options.scenarios {
        for deviation in scenario.compared() {
            runs.extend((1..=u64::from(options.seeds)).map(|seed| (scenario, deviation, seed)));
        }
    }
    progress.begin("societies", Some(runs.len() as u64), "runs");
    let done = AtomicU64::new(0);
    let rows: Vec<Vec<Row>> = pool.install(|| {
        let run = |&(scenario, deviation, seed): &(Scenario, Deviation, u64)| {
            let rows = run(options, scenario, deviation, seed);
            progress.at(done.fetch_add(1, Ordering::Relaxed) + 1, scenario.name());
            rows
        };
        runs.par_iter().map(run).collect()
    });
    progress.end();
    Ok(HaneyMeasurements { options: options.clone(), rows: rows.concat() })
}

/// Runs a society, and measures it on the published days.
fn run(options: &Options, scenario: Scenario, deviation: Deviation, seed: u64) -> Vec<Row> {
    let mut society = Society::new(&scenario.parameters(), seed).expect("the scenarios of the article are valid");
    society.deviations = deviation.rules;
    let mut rows = Vec::new();
    for published in options.days(scenario) {
        while society.days < published.day {
            society.day();
        }
        rows.push(measured(&society, scenario, deviation.name));
    }
    rows
}

fn measured(society: &Society, scenario: Scenario, deviations: &'static str) -> Row {
    let of_agent = |all: f64| all / society.agents.len() as f64;
    let today = &society.today;
    let figures = [
        of_agent(today.units_extracted() as f64),
        of_agent(today.utility.iter().sum()),
        society.gini(),
        society.complexity(),
        of_agent(today.units_traded() as f64),
        of_agent(today.made(Kind::Tool) as f64),
    ];
    Row { scenario, deviations, seed: society.seed, day: society.days, figures }
}
