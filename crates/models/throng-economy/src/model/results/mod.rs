//! The results of a run: distribution of utility, trade network, recipes, and the plots of the report.

mod agents;
mod charts;
mod input_output;
mod lorenz;
mod partners;
mod periodic;
mod periods;
mod recipes;
mod trades;

use throng_model::prelude::*;
use throng_output::html::Page;
use throng_output::svg::Graphic;

use super::scenario::Scenario;
use crate::devices::Devices;
use crate::society::Society;
pub use agents::{AGENTS, COLUMNS as AGENT_COLUMNS, STOCK};
use input_output::InputOutput;
use lorenz::Lorenz;
use partners::Partners;
use periodic::PeriodicTable;
use periods::Periods;
use recipes::RecipeTable;
use trades::TradeList;

/// Names of files.
pub const LORENZ: &str = "lorenz.csv";
pub const RECIPES: &str = "recipes.csv";
pub const INPUT_OUTPUT: &str = "input_output.csv";
pub const PARTNERS: &str = "partners.csv";
pub const TRADES: &str = "trades.csv";

/// Collects the results during a run.
pub struct Results<'r> {
    folder: &'r RunFolder,
    lorenz: Lorenz,
    /// Tables of agents, written every few days.
    periodic: Vec<PeriodicTable>,
    partners: Option<Partners>,
    trades: Option<TradeList>,
    made: Option<(RecipeTable, InputOutput)>,
}

impl<'r> Results<'r> {
    pub fn new(scenario: &Scenario, folder: &'r RunFolder) -> Result<Self, Failure> {
        let periods = Periods::new(scenario.days);
        let has_devices = scenario.devices != Devices::None;
        let mut periodic = Vec::new();
        for (layout, every) in [(agents::TABLE, scenario.agents_every), (agents::STOCK_TABLE, scenario.stock_every)] {
            periodic.extend(PeriodicTable::create(folder, &layout, every)?);
        }
        Ok(Self {
            folder,
            lorenz: Lorenz::new(periods),
            periodic,
            partners: scenario.trade.then(|| Partners::new(periods)),
            trades: (scenario.trade && scenario.trade_list)
                .then(|| TradeList::create(folder, scenario.devices))
                .transpose()?,
            made: has_devices.then(|| (RecipeTable::default(), InputOutput::new(scenario.resources))),
        })
    }
}

impl Observer<Society> for Results<'_> {
    fn sees_steps(&self) -> bool {
        true
    }

    fn see_step(&mut self, day: u64, society: &Society) -> Result<(), Failure> {
        self.lorenz.see(day, society);
        for table in &mut self.periodic {
            table.see(day, society)?;
        }
        if let Some(partners) = &mut self.partners {
            partners.see(day, society);
        }
        if let Some(trades) = &mut self.trades {
            trades.write(day, society)?;
        }
        if let Some((recipes, input_output)) = &mut self.made {
            recipes.see(day, society);
            input_output.see(society);
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>, course: &CompletedSteps<'_, Society>) -> Result<FurtherResults, Failure> {
        let mut files = vec![self.lorenz.write(self.folder, course.last)?];
        let mut lines = Vec::new();
        if course.stepping_s > 0.0 && course.steps > 0 {
            lines.push((
                "speed",
                format!("{:.0} days per second, including state reads", course.steps as f64 / course.stepping_s),
            ));
        }
        let mut sections = charts::of_measures(course);
        sections.push(self.lorenz.section(course.last));
        for table in std::mem::take(&mut self.periodic) {
            files.push(table.finish(course.last)?);
        }
        if let Some(partners) = &self.partners {
            files.push(partners.write(self.folder)?);
            sections.push(partners.section(course.last));
        }
        if let Some(trades) = self.trades.take() {
            files.push(trades.finish()?);
        }
        if let Some((recipes, input_output)) = &self.made {
            files.push(recipes.write(self.folder)?);
            files.push(input_output.write(self.folder)?);
            lines.push(("inventions", recipes.line()));
            sections.push(input_output.section());
        }
        let write = move |page: &mut Page| {
            for Section { heading, chart, caption } in sections {
                page.section(heading).chart(&*chart, caption);
            }
        };
        Ok(FurtherResults { files, lines, sections: Some(Box::new(write)), ..FurtherResults::default() })
    }
}

/// A section of the report: a chart, and how to read it.
struct Section {
    heading: &'static str,
    chart: Box<dyn Graphic + Send>,
    caption: &'static str,
}
