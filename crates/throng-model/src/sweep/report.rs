//! The report of a sweep: how the results of each parameter set spread over its replicates.

use throng_output::html::{Page, Table, grouped};
use throng_output::svg::{Axis, Band, BandChart, BandStyle, Graphic};

use super::bands::{MOST_SERIES, MOST_SETS};
use super::description::Description;
use super::design::DesignTable;
use super::effect::{Effect, by_size, rank_correlation};
use super::tables::Tabulated;
use crate::Quantity;

/// How charts of bands are read.
const HOW_TO_READ: &str = "Differences that are small beside the middle half of the runs may be chance.";

/// Everything that the report shows.
pub(super) struct Shown<'s> {
    pub description: &'s Description,
    pub table: DesignTable<'s>,
    pub keys: Vec<String>,
    pub tabulated: &'s Tabulated,
}

impl Shown<'_> {
    /// The page. It depends on the results only, not on when or how fast they were computed.
    pub fn page(&self) -> String {
        let Description { program, model, scenario, parameter_sets, seeds, .. } = self.description;
        let mut page = Page::new(&format!("Sweep of {scenario}"), &format!("{model} · {}", self.of_what()));
        let runs = u64::from(*parameter_sets) * u64::from(*seeds);
        let failed = self.tabulated.failed.1;
        page.figures(&[
            ("runs", grouped(runs as f64, 0), format!("{failed} failed")),
            ("parameter sets", grouped(f64::from(*parameter_sets), 0), self.description.design.clone()),
            (
                "replicates",
                grouped(f64::from(*seeds), 0),
                "runs of each parameter set, which differ in their seed".into(),
            ),
        ]);
        let effects = by_size(&self.effects_on_figures());
        self.answer(&mut page, &effects);
        self.failures(&mut page);
        for (figure, _) in effects.iter().filter(|(_, effect)| !effect.is_none()) {
            self.figure(&mut page, *figure);
        }
        self.all_series(&mut page);
        self.sets(&mut page);
        self.how_it_was_made(&mut page);
        page.finish(&format!("{program} · report.html opens without a network; the tables are in the same folder"))
    }

    fn of_what(&self) -> String {
        match self.keys.as_slice() {
            [] => "replicates of one parameter set".to_owned(),
            keys => keys.join(", "),
        }
    }

    fn failures(&self, page: &mut Page) {
        let (first, total) = &self.tabulated.failed;
        if first.is_empty() {
            return;
        }
        page.section("Failed runs");
        page.paragraph(&format!(
            "{total} runs failed; tables have their parameters and messages, and no figures of them. All quantiles below \
             are those of the other runs. The same command with --retry-failed repeats the failed runs."
        ));
        let mut table = Table::new(&["#Run", "Message"]);
        table.rows = first.iter().map(|(run, error)| vec![run.to_string(), error.clone()]).collect();
        page.table(&table);
    }

    fn sets(&self, page: &mut Page) {
        if self.keys.is_empty() {
            return;
        }
        page.section("Parameter sets");
        page.paragraph("The number of a parameter set is the column \"set\" of the tables.");
        let headings: Vec<&str> = std::iter::once("#Set").chain(self.keys.iter().map(String::as_str)).collect();
        let mut table = Table::new(&headings);
        for set in 0..self.tabulated.bands.figures.len() as u32 {
            let values = self.table.values(set).into_iter().map(std::borrow::Cow::into_owned);
            table.rows.push(std::iter::once((set + 1).to_string()).chain(values).collect());
        }
        if table.rows.len() <= 12 {
            page.table(&table);
        } else {
            page.folded_table("All parameter sets", &table);
        }
        if self.description.parameter_sets as usize > MOST_SETS {
            page.paragraph(&format!("The report shows the first {MOST_SETS} parameter sets; the tables have all."));
        }
    }

    /// The quantiles of a figure in all parameter sets.
    fn of_figure(&self, figure: usize) -> impl Iterator<Item = [f64; 5]> {
        self.tabulated.bands.figures.iter().map(move |figures| figures[figure])
    }

    fn effects_on_figures(&self) -> Vec<Option<Effect>> {
        (0..self.tabulated.layout.figures.0.len()).map(|figure| Effect::of(self.of_figure(figure))).collect()
    }

    /// What the sweep has found, in a sentence and a table: the figure first that changes most.
    fn answer(&self, page: &mut Page, effects: &[(usize, Effect)]) {
        if effects.is_empty() {
            return;
        }
        if self.tabulated.bands.figures.len() < 2 {
            page.section("Results").paragraph(&format!("Quantiles of {} runs.", self.description.seeds));
            let mut table = Table::new(&["Figure", "#10 %", "#25 %", "#Median", "#75 %", "#90 %"]);
            for figure in 0..self.tabulated.layout.figures.0.len() {
                let quantity = self.quantity(figure);
                let numbers = self.of_figure(figure).flatten().map(|value| quantity.text(value));
                table.rows.push(std::iter::once(quantity.heading()).chain(numbers).collect());
            }
            page.table(&table);
            return;
        }
        page.section("What the parameters change");
        let (first, effect) = &effects[0];
        let quantity = self.quantity(*first);
        let at =
            |(set, median): (usize, f64)| format!("{} with {}", quantity.text(median), self.table.words(set as u32));
        if effect.is_none() {
            page.paragraph("Nothing: all figures are the same for all parameter sets.");
        } else {
            let chance = if effect.is_clear() { "" } else { ", which may be chance: runs of a set differ as much" };
            page.paragraph(&format!(
                "{} changes most: from {} to {}{chance}.",
                quantity.heading(),
                at(effect.low),
                at(effect.high)
            ));
        }
        let mut table =
            Table::new(&["Figure", "#Lowest median", "with", "#Highest median", "with", "Compared with the spread"]);
        for (figure, effect) in effects {
            let quantity = self.quantity(*figure);
            let [low, high] =
                [effect.low, effect.high].map(|(set, median)| (quantity.text(median), self.table.words(set as u32)));
            table.rows.push(match effect {
                _ if effect.is_none() => {
                    vec![
                        quantity.heading(),
                        low.0,
                        "all sets".to_owned(),
                        String::new(),
                        String::new(),
                        "the same".to_owned(),
                    ]
                }
                _ => {
                    let clear = if effect.is_clear() { "clear" } else { "may be chance" };
                    vec![quantity.heading(), low.0, low.1, high.0, high.1, clear.to_owned()]
                }
            });
        }
        page.table(&table);
        page.paragraph(
            "Medians over the runs of a parameter set, in the order of how much they change. A change is clear if it is larger \
             than the mean distance between the quartiles of a set.",
        );
    }

    fn quantity(&self, figure: usize) -> &Quantity {
        &self.tabulated.layout.figures.0[figure].0
    }

    /// The parameter sets, in the order of their values: as numbers where all values of a parameter are, else as typed.
    fn order(&self) -> Vec<u32> {
        let sets = self.tabulated.bands.figures.len() as u32;
        let numbers: Vec<Option<Vec<f64>>> =
            (0..self.keys.len()).map(|key| (0..sets).map(|set| self.number(set, key)).collect()).collect();
        let mut order: Vec<u32> = (0..sets).collect();
        // Sets are numbered in the order in which values were typed; that of a text is where it first occurs.
        let texts = |key: usize| -> Vec<f64> {
            let values: Vec<String> = order.iter().map(|&set| self.table.values(set)[key].to_string()).collect();
            values
                .iter()
                .map(|value| values.iter().position(|other| other == value).unwrap_or_default() as f64)
                .collect()
        };
        let ranks: Vec<Vec<f64>> =
            numbers.into_iter().enumerate().map(|(key, numbers)| numbers.unwrap_or_else(|| texts(key))).collect();
        order.sort_by(|&a, &b| {
            let of_key = |ranks: &Vec<f64>| ranks[a as usize].total_cmp(&ranks[b as usize]);
            ranks.iter().map(of_key).fold(std::cmp::Ordering::Equal, std::cmp::Ordering::then)
        });
        order
    }

    /// The value of a parameter as a number.
    fn number(&self, set: u32, key: usize) -> Option<f64> {
        self.table.values(set).get(key)?.parse().ok().filter(|value: &f64| value.is_finite())
    }

    /// A summary figure of all parameter sets.
    fn figure(&self, page: &mut Page, figure: usize) {
        let quantity = self.quantity(figure);
        let (chart, note) =
            if self.table.is_sample() { self.sampled(figure) } else { (self.columns(figure), String::new()) };
        begin(page, quantity, "");
        page.chart(&chart, &format!("{note}{} runs of each parameter set. {HOW_TO_READ}", self.description.seeds));
        let mut table = Table::new(&["#Set", "#Runs", "#10 %", "#25 %", "#Median", "#75 %", "#90 %"]);
        for (set, quantiles) in self.of_figure(figure).enumerate() {
            let numbers = quantiles.iter().map(|&value| quantity.number(value));
            let runs = self.tabulated.bands.runs[set].to_string();
            table.rows.push([(set + 1).to_string(), runs].into_iter().chain(numbers).collect());
        }
        if chart.is_worth_drawing() {
            page.folded_table("Quantiles as a table", &table);
        } else {
            page.table(&table);
        }
    }

    /// A column for each parameter set.
    fn columns(&self, figure: usize) -> BandChart {
        let quantity = self.quantity(figure);
        let quantiles: Vec<[f64; 5]> = self.of_figure(figure).collect();
        let order = self.order();
        let band = |(place, &set): (usize, &u32)| Band {
            x: place as f64 + 1.0,
            quantiles: quantiles[set as usize].map(|value| quantity.plotted(value)),
        };
        BandChart {
            label: format!("{} of each parameter set", quantity.heading()),
            x: Axis::new(&self.keys.join(", "), ""),
            y: quantity.axis(),
            style: BandStyle::Columns,
            x_labels: order.iter().map(|&set| self.table.values(set).join(", ")).collect(),
            bands: order.iter().enumerate().map(band).collect(),
            ..BandChart::default()
        }
    }

    /// The samples over the parameter that the figure depends on most, and a sentence about that.
    fn sampled(&self, figure: usize) -> (BandChart, String) {
        let quantiles: Vec<[f64; 5]> = self.of_figure(figure).collect();
        let points = |key: usize| -> Vec<(f64, [f64; 5])> {
            let of_set = |(set, quantiles): (usize, &[f64; 5])| {
                Some((self.number(set as u32, key)?, *quantiles)).filter(|_| quantiles[2].is_finite())
            };
            quantiles.iter().enumerate().filter_map(of_set).collect()
        };
        let correlation = |key: usize| {
            let pairs: Vec<(f64, f64)> = points(key).iter().map(|(value, quantiles)| (*value, quantiles[2])).collect();
            rank_correlation(&pairs)
        };
        let correlations: Vec<f64> = (0..self.keys.len()).map(correlation).collect();
        let strongest = (0..correlations.len())
            .reduce(|best, key| if correlations[key].abs() > correlations[best].abs() { key } else { best });
        let key = strongest.unwrap_or_default();
        let quantity = self.quantity(figure);
        let mut bands: Vec<Band> = points(key)
            .into_iter()
            .map(|(x, quantiles)| Band { x, quantiles: quantiles.map(|value| quantity.plotted(value)) })
            .collect();
        bands.sort_by(|a, b| a.x.total_cmp(&b.x));
        let name = &self.keys[key];
        let chart = BandChart {
            label: format!("{} over {name}", quantity.heading()),
            x: Axis::new(name, ""),
            y: quantity.axis(),
            style: BandStyle::Columns,
            bands,
            ..BandChart::default()
        };
        let of_key = |key: usize| format!("{} {}", self.keys[key], grouped(correlations[key], 2));
        let all: Vec<String> = (0..self.keys.len()).map(of_key).collect();
        (chart, format!("Rank correlations with the parameters: {}. ", all.join(", ")))
    }

    fn all_series(&self, page: &mut Page) {
        let Some((over, _)) = &self.tabulated.layout.over else { return };
        let bands = &self.tabulated.bands;
        let of_column = |column: usize| bands.series.iter().map(move |of_set| &of_set[column]);
        // What changes most by the end comes first.
        let of_end =
            |column: usize| of_column(column).map(|bands| bands.last().map_or([f64::NAN; 5], |band| band.quantiles));
        let effects: Vec<Option<Effect>> =
            (0..self.tabulated.layout.series.0.len()).map(|column| Effect::of(of_end(column))).collect();
        for (column, _) in by_size(&effects) {
            let quantity = &self.tabulated.layout.series.0[column].0;
            let band = |band: &Band| Band { quantiles: band.quantiles.map(|value| quantity.plotted(value)), ..*band };
            let charts: Vec<BandChart> = of_column(column)
                .map(|of_set| BandChart {
                    label: format!("{} over {}", quantity.heading(), over.label()),
                    x: over.axis(),
                    y: quantity.axis(),
                    bands: of_set.iter().map(band).collect(),
                    ..BandChart::default()
                })
                .collect();
            let ranges = charts.iter().filter_map(BandChart::range);
            let y_range =
                ranges.reduce(|(low, high), (other_low, other_high)| (low.min(other_low), high.max(other_high)));
            // A quantity that never changes has a line in the table of figures.
            if charts.iter().all(|chart| !chart.is_worth_drawing()) || y_range.is_some_and(|(low, high)| low == high) {
                continue;
            }
            begin(page, quantity, &format!(" over {}", over.label()));
            page.paragraph(&format!(
                "{} runs of each parameter set. The bands are not runs: a single run may cross them. All charts have the same \
                 axis.",
                self.description.seeds
            ));
            for (set, chart) in charts.into_iter().enumerate() {
                let caption = match self.table.words(set as u32).as_str() {
                    "" => String::new(),
                    words => format!("Parameter set {}: {words}", set + 1),
                };
                page.chart(&BandChart { y_range, ..chart }, &caption);
            }
            if self.description.parameter_sets as usize > MOST_SERIES {
                page.paragraph(&format!(
                    "The report shows the first {MOST_SERIES} parameter sets; series.csv has all."
                ));
            }
        }
    }

    fn how_it_was_made(&self, page: &mut Page) {
        let Description { program, model, scenario, design, seed, seeds, steps, set, flags, vary, .. } =
            self.description;
        page.section("How it was made");
        page.paragraph(
            "Quantiles are interpolated linearly between runs. runs.csv has a row for each run, series.csv one for each \
             row of its series; both are also there as Parquet. sweep.toml says exactly what was swept.",
        );
        let last = seed.saturating_add(i64::from(*seeds) - 1);
        let mut rows = vec![
            ("Model", model.clone()),
            ("Scenario", scenario.clone()),
            ("Design", design.clone()),
            ("Seeds", if *seeds == 1 { seed.to_string() } else { format!("{seed} to {last}") }),
        ];
        rows.extend(vary.iter().map(|vary| ("Varied", vary.clone())));
        rows.extend(set.iter().map(|change| ("Set", change.clone())));
        rows.extend(flags.iter().map(|flag| ("Option", flag.clone())));
        rows.extend(steps.map(|steps| ("Steps", format!("at most {steps}"))));
        rows.push(("Program", program.clone()));
        let mut table = Table::new(&["", ""]);
        table.rows = rows.into_iter().map(|(name, value)| vec![name.to_owned(), value]).collect();
        page.table(&table);
    }
}

/// Begins the section of a quantity: its heading has the unit of the numbers below.
fn begin(page: &mut Page, quantity: &Quantity, over: &str) {
    let heading = Quantity { label: format!("{}{over}", quantity.heading()).into(), ..quantity.clone() };
    page.section(heading.axis().title());
    if !quantity.meaning.is_empty() {
        let mut letters = quantity.meaning.chars();
        let first = letters.next().into_iter().flat_map(char::to_uppercase);
        page.paragraph(&format!("{}{}.", first.collect::<String>(), letters.as_str()));
    }
}
