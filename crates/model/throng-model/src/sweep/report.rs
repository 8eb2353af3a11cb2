//! The report of a sweep: the distributions of the results over the replicates of each parameter set.

use throng_output::html::{Page, Table, grouped};
use throng_output::svg::{Axis, Band, BandChart, BandStyle, Graphic};

use super::bands::{MAX_SERIES, MAX_SETS, SeriesBands, Spread};
use super::description::Description;
use super::design::DesignTable;
use super::effect::{Effect, Extremes, Verdict, by_size, rank_correlation};
use super::tables::Tabulated;
use crate::{Quantity, names};

/// Explanation of the charts of parameter sets.
const HOW_TO_READ: &str = "Quartiles and the range from 10 to 90 % show how much single runs differ, regardless of their number; \
                           the interval of the mean becomes narrower with more runs.";

/// Explanation of figures that lack values in some runs.
const INCOMPLETE: &str = " Where some runs lack a value, the means cover the other runs only, and may differ from the means of \
                          all runs: a run that ends early, for example, may lack the time of a later event.";

/// The content of the report.
pub(super) struct SweepReport<'s> {
    pub description: &'s Description,
    pub table: DesignTable<'s>,
    pub keys: Vec<String>,
    /// Number of runs.
    pub runs: u64,
    /// Numbers, from 1, of the parameter sets that do not meet a condition of `until`.
    pub unmet: &'s [u32],
    pub tabulated: &'s Tabulated,
}

impl SweepReport<'_> {
    /// Renders the page. It depends only on the results, not on when or how fast they were computed.
    pub fn page(&self) -> String {
        let Description { program, model, scenario, parameter_sets, .. } = self.description;
        let mut page = Page::new(&format!("Sweep of {scenario}"), &format!("{model} · {}", self.of_what()));
        let failed = self.tabulated.failed.1;
        page.figures(&[
            ("runs", grouped(self.runs as f64, 0), format!("{failed} failed")),
            ("parameter sets", grouped(f64::from(*parameter_sets), 0), self.description.design.clone()),
            ("replicates", self.replicates(), "runs of each parameter set, which differ in their seed".into()),
        ]);
        let effects = by_size(&self.effects_on_figures());
        self.unmet(&mut page);
        self.write_main_effects(&mut page, &effects);
        self.failures(&mut page);
        for (figure, _) in effects.iter().filter(|(_, effect)| !effect.is_none()) {
            self.figure(&mut page, *figure);
        }
        self.all_series(&mut page);
        self.sets(&mut page);
        self.sweep_details(&mut page);
        page.finish(&format!("{program} · report.html works offline; the tables are in the same folder"))
    }

    fn of_what(&self) -> String {
        match self.keys.as_slice() {
            [] => "replicates of one parameter set".to_owned(),
            keys => keys.join(", "),
        }
    }

    /// Returns the number of replicates, or its range.
    fn replicates(&self) -> String {
        let Description { seeds, min_seeds, .. } = self.description;
        min_seeds.map_or_else(|| grouped(f64::from(*seeds), 0), |least| format!("{least} to {seeds}"))
    }

    fn unmet(&self, page: &mut Page) {
        if self.unmet.is_empty() {
            return;
        }
        page.section("Insufficiently accurate means").paragraph(&format!(
            "After all {} runs of a parameter set, not every condition ({}) is met in these sets: {}. To add runs, repeat the \
             command with a larger --seeds.",
            self.description.seeds,
            self.description.until.join(", "),
            names::numbered(self.unmet)
        ));
    }

    fn failures(&self, page: &mut Page) {
        let (first, total) = &self.tabulated.failed;
        if first.is_empty() {
            return;
        }
        page.section("Failed runs");
        page.paragraph(&format!(
            "{total} runs failed; tables contain their parameters and messages, but no figures. All means and quantiles \
             below cover the other runs only. The same command with --retry-failed repeats the failed runs."
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
        let headings: Vec<&str> = ["#Set", "#Runs"].into_iter().chain(self.keys.iter().map(String::as_str)).collect();
        let mut table = Table::new(&headings);
        for set in 0..self.tabulated.bands.figures.len() as u32 {
            let values = self.table.values(set).into_iter().map(std::borrow::Cow::into_owned);
            let runs = self.tabulated.bands.runs[set as usize].to_string();
            table.rows.push([(set + 1).to_string(), runs].into_iter().chain(values).collect());
        }
        if table.rows.len() <= 12 {
            page.table(&table);
        } else {
            page.folded_table("All parameter sets", &table);
        }
        if self.description.parameter_sets as usize > MAX_SETS {
            page.paragraph(&format!(
                "This table and the charts show the first {MAX_SETS} parameter sets; the lowest and highest means and \
                 the tables in the folder cover all sets."
            ));
        }
    }

    /// Iterates over the distributions of a figure in all parameter sets.
    fn of_figure(&self, figure: usize) -> impl Iterator<Item = &Spread> {
        self.tabulated.bands.figures.iter().map(move |figures| &figures[figure])
    }

    fn effects_on_figures(&self) -> Vec<Option<Effect>> {
        self.tabulated.bands.extremes.iter().map(Extremes::effect).collect()
    }

    /// Writes the main results of the sweep, as a sentence and a table that starts with the figure that changes most.
    fn write_main_effects(&self, page: &mut Page, effects: &[(usize, Effect)]) {
        if effects.is_empty() {
            return;
        }
        let incomplete = if effects.iter().any(|(_, effect)| effect.is_incomplete()) { INCOMPLETE } else { "" };
        if self.tabulated.bands.figures.len() < 2 {
            self.single_set(page, incomplete);
            return;
        }
        page.section("Effects of the parameters");
        let (first, effect) = &effects[0];
        let quantity = self.quantity(*first);
        let at = |(set, mean): (usize, f64)| format!("{} with {}", quantity.text(mean), self.table.words(set as u32));
        if effect.is_none() {
            page.paragraph(if effects.iter().all(|(_, effect)| effect.verdict() == Verdict::OneSet) {
                "Nothing can be compared: each figure has values in only one parameter set."
            } else {
                "None: no figure has different means for two parameter sets."
            });
        } else {
            page.paragraph(&format!(
                "The mean of {} changes most: from {} to {}{}.",
                quantity.label(),
                at(effect.low),
                at(effect.high),
                effect.verdict().clause()
            ));
        }
        let headings = ["Figure", "#Lowest mean", "with", "#Highest mean", "with", "#Difference", "#95 % interval", ""];
        let mut table = Table::new(&headings);
        for (figure, effect) in effects {
            let quantity = self.quantity(*figure);
            let [low, high] =
                [effect.low, effect.high].map(|(set, mean)| [quantity.text(mean), self.table.words(set as u32)]);
            let mut row = vec![quantity.heading()];
            if effect.is_none() {
                let [value, words] = low;
                let with = match effect.sets {
                    1 => words,
                    sets if sets == self.tabulated.bands.sets as u64 => "all sets".to_owned(),
                    sets => format!("{sets} sets"),
                };
                row.extend([value, with].into_iter().chain(std::iter::repeat_n(String::new(), 4)));
            } else {
                let (value, half_width) = (effect.difference.value, effect.half_width());
                row.extend(low.into_iter().chain(high));
                row.extend([quantity.text(value), interval(quantity, value, half_width)]);
            }
            let verdict = effect.verdict().words();
            row.push(if effect.is_incomplete() {
                format!(
                    "{verdict}; {} of {} runs have a value",
                    grouped(effect.values as f64, 0),
                    grouped(effect.runs as f64, 0)
                )
            } else {
                verdict.to_owned()
            });
            table.rows.push(row);
        }
        page.table(&table);
        let comparisons = effects.iter().map(|(_, effect)| effect.comparisons()).max().unwrap_or(0);
        let of_all = match comparisons {
            0 | 1 => String::new(),
            _ => format!(
                " The intervals hold for all {comparisons} comparisons between two sets at once (Bonferroni's correction), \
                 because the two sets were chosen by their means."
            ),
        };
        let is_without_spread = |(_, effect): &(usize, Effect)| effect.verdict() == Verdict::NoSpread;
        let without_spread = if effects.iter().any(is_without_spread) {
            " Where there is no spread, all runs of a set have the same value, and there is no interval: in a model without \
             randomness the difference is exact, otherwise few runs may have agreed by chance."
        } else {
            ""
        };
        page.paragraph(&format!(
            "Means over the runs of a parameter set, largest change first, and Welch's 95 % confidence \
             intervals of the differences. A difference is clear if its interval does not contain \
             0.{of_all}{without_spread}{incomplete} With many \
             figures, the interval of some figure may still miss the true difference by chance."
        ));
    }

    /// Writes the results of a sweep that repeats one parameter set.
    fn single_set(&self, page: &mut Page, incomplete: &str) {
        let text = format!("Means with their 95 % confidence intervals, and quantiles of the runs.{incomplete}");
        page.section("Results").paragraph(&text);
        let mut table = Table::new(&[&["Figure"], &OF_SPREAD[..]].concat());
        for figure in 0..self.tabulated.layout.figures.0.len() {
            let quantity = self.quantity(figure);
            let numbers = self.of_figure(figure).flat_map(|spread| numbers(spread, &|value| quantity.text(value)));
            table.rows.push(std::iter::once(quantity.heading()).chain(numbers).collect());
        }
        page.table(&table);
    }

    fn quantity(&self, figure: usize) -> &Quantity {
        &self.tabulated.layout.figures.0[figure].0
    }

    /// Returns the parameter sets sorted by their values: numerically if all values of a parameter are numbers, else as
    /// typed.
    fn order(&self) -> Vec<u32> {
        let sets = self.tabulated.bands.figures.len() as u32;
        let numbers: Vec<Option<Vec<f64>>> =
            (0..self.keys.len()).map(|key| (0..sets).map(|set| self.number(set, key)).collect()).collect();
        let mut order: Vec<u32> = (0..sets).collect();
        // Sets are numbered in the order in which values were typed; a text is ranked by its first occurrence.
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

    /// Returns the value of a parameter as a number.
    fn number(&self, set: u32, key: usize) -> Option<f64> {
        self.table.values(set).get(key)?.parse().ok().filter(|value: &f64| value.is_finite())
    }

    /// Writes the section of a summary figure of all parameter sets.
    fn figure(&self, page: &mut Page, figure: usize) {
        let quantity = self.quantity(figure);
        let (chart, note) =
            if self.table.is_sample() { self.sampled(figure) } else { (self.columns(figure), String::new()) };
        begin(page, quantity, "");
        page.chart(&chart, &format!("{note}{} runs of each parameter set. {HOW_TO_READ}", self.replicates()));
        let mut table = Table::new(&[&["#Set"], &OF_SPREAD[..]].concat());
        for (set, spread) in self.of_figure(figure).enumerate() {
            let numbers = numbers(spread, &|value| quantity.number(value));
            table.rows.push(std::iter::once((set + 1).to_string()).chain(numbers).collect());
        }
        if chart.is_worth_drawing() {
            page.folded_table("Means and quantiles as a table", &table);
        } else {
            page.table(&table);
        }
    }

    /// Returns a chart with a column for each parameter set.
    fn columns(&self, figure: usize) -> BandChart {
        let quantity = self.quantity(figure);
        let spreads: Vec<&Spread> = self.of_figure(figure).collect();
        let order = self.order();
        let placed: Vec<(f64, &Spread)> =
            (1..).zip(&order).map(|(place, &set)| (f64::from(place), spreads[set as usize])).collect();
        BandChart {
            label: format!("{} of each parameter set", quantity.heading()),
            x: Axis::new(&self.keys.join(", "), ""),
            x_labels: order.iter().map(|&set| self.table.values(set).join(", ")).collect(),
            ..of_sets(quantity, &placed)
        }
    }

    /// Returns a chart of the samples over the parameter that the figure depends on most, and a sentence about the
    /// correlations.
    fn sampled(&self, figure: usize) -> (BandChart, String) {
        let points = |key: usize| -> Vec<(f64, &Spread)> {
            let of_set = |(set, spread): (u32, _)| Some((self.number(set, key)?, spread));
            let spreads = (0..).zip(self.of_figure(figure)).filter_map(of_set);
            spreads.filter(|(_, spread)| spread.moments.count() > 0).collect()
        };
        let correlation = |key: usize| {
            let pairs: Vec<(f64, f64)> =
                points(key).iter().map(|(value, spread)| (*value, spread.moments.mean())).collect();
            rank_correlation(&pairs)
        };
        let correlations: Vec<f64> = (0..self.keys.len()).map(correlation).collect();
        let strongest = (0..correlations.len())
            .reduce(|best, key| if correlations[key].abs() > correlations[best].abs() { key } else { best });
        let key = strongest.unwrap_or_default();
        let quantity = self.quantity(figure);
        let mut placed = points(key);
        placed.sort_by(|a, b| a.0.total_cmp(&b.0));
        let name = &self.keys[key];
        let chart = BandChart {
            label: format!("{} over {name}", quantity.heading()),
            x: Axis::new(name, ""),
            ..of_sets(quantity, &placed)
        };
        let of_key = |key: usize| format!("{} {}", self.keys[key], grouped(correlations[key], 2));
        let all: Vec<String> = (0..self.keys.len()).map(of_key).collect();
        (chart, format!("Rank correlations of the means with the parameters: {}. ", all.join(", ")))
    }

    fn all_series(&self, page: &mut Page) {
        let Some((over, _)) = &self.tabulated.layout.over else { return };
        let bands = &self.tabulated.bands;
        let of_column = |column: usize| bands.series.iter().map(move |of_set| &of_set[column]);
        // The quantity that has changed most by the end comes first.
        let effects: Vec<Option<Effect>> = (0..self.tabulated.layout.series.0.len())
            .map(|column| Effect::of(of_column(column).map(|of_set| &of_set.at_end)))
            .collect();
        for (column, _) in by_size(&effects) {
            let quantity = &self.tabulated.layout.series.0[column].0;
            let chart = |of_set: &SeriesBands| BandChart {
                label: format!("{} over {}", quantity.heading(), over.label()),
                x: over.axis(),
                y: quantity.axis(),
                bands: of_set.bands.iter().map(|band| plotted(quantity, *band)).collect(),
                runs: of_set.runs.iter().map(|run| points(quantity, run.iter().copied())).collect(),
                ..BandChart::default()
            };
            let charts: Vec<BandChart> = of_column(column).map(chart).collect();
            let ranges = charts.iter().filter_map(BandChart::range);
            let y_range =
                ranges.reduce(|(low, high), (other_low, other_high)| (low.min(other_low), high.max(other_high)));
            // A quantity that never changes only has a row in the table of figures.
            if charts.iter().all(|chart| !chart.is_worth_drawing()) || y_range.is_some_and(|(low, high)| low == high) {
                continue;
            }
            begin(page, quantity, &format!(" over {}", over.label()));
            let ends = if bands.lengths_differ {
                " Not all runs end at the same time: later rows average fewer runs, which may not be representative."
            } else {
                ""
            };
            page.paragraph(&format!(
                "{} runs of each parameter set. The bands are not runs: a single run may cross them. All charts have the same \
                 axis.{ends}",
                self.replicates()
            ));
            for (set, chart) in charts.into_iter().enumerate() {
                let caption = match self.table.words(set as u32).as_str() {
                    "" => String::new(),
                    words => format!("Parameter set {}: {words}", set + 1),
                };
                page.chart(&BandChart { y_range, ..chart }, &caption);
            }
            if self.description.parameter_sets as usize > MAX_SERIES {
                page.paragraph(&format!("The report shows the first {MAX_SERIES} parameter sets; series.csv has all."));
            }
        }
    }

    fn sweep_details(&self, page: &mut Page) {
        let Description { program, model, scenario, design, seed, seeds, steps, set, flags, vary, .. } =
            self.description;
        let Description { design_file, until, collect, .. } = self.description;
        page.section("Sweep details");
        page.paragraph(
            "Intervals follow Student's t and Welch's method. Quantiles are interpolated linearly between runs; they need at least \
             20 runs (10 and 90 %), 8 runs (25 and 75 %) or 4 runs (median). runs.csv has a row for each run, \
             series.csv one for each row of its series, summary.csv the means and quantiles, differences.csv the \
             differences between parameter sets, and columns.csv the units. sweep.toml defines the sweep exactly.",
        );
        let last = seed.saturating_add(i64::from(*seeds) - 1);
        let mut rows = vec![
            ("Model", model.clone()),
            ("Scenario", scenario.clone()),
            ("Design", design.clone()),
            ("Seeds", if *seeds == 1 { seed.to_string() } else { format!("{seed} to {last}") }),
        ];
        rows.extend(vary.iter().map(|vary| ("Varied", vary.clone())));
        rows.extend(design_file.iter().map(|input| ("Design file", input.file.clone())));
        rows.extend(until.iter().map(|goal| ("Until", format!("{goal}, with {} runs", self.replicates()))));
        rows.extend(collect.iter().map(|table| ("Collected", table.clone())));
        rows.extend(set.iter().map(|change| ("Set", change.clone())));
        rows.extend(flags.iter().map(|flag| ("Option", flag.clone())));
        rows.extend(steps.map(|steps| ("Steps", format!("at most {steps}"))));
        rows.push(("Program", program.clone()));
        let mut table = Table::new(&["", ""]);
        table.rows = rows.into_iter().map(|(name, value)| vec![name.to_owned(), value]).collect();
        page.table(&table);
    }
}

/// The headings of [`numbers`].
const OF_SPREAD: [&str; 9] =
    ["#Runs", "#Mean", "#95 % interval", "#Standard deviation", "#10 %", "#25 %", "#Median", "#75 %", "#90 %"];

/// Describes the distribution of a figure over the runs of a parameter set, as table cells.
fn numbers(spread: &Spread, number: &dyn Fn(f64) -> String) -> Vec<String> {
    let Spread { moments, quantiles, .. } = spread;
    let or_empty = |value: f64| if value.is_finite() { number(value) } else { String::new() };
    let [low, mean, high] = moments.interval();
    let interval = if high.is_finite() { format!("{} to {}", number(low), number(high)) } else { String::new() };
    let mut texts = vec![moments.count().to_string(), or_empty(mean), interval, or_empty(moments.standard_deviation())];
    texts.extend(quantiles.iter().map(|&value| or_empty(value)));
    texts
}

/// Formats an interval with its unit; empty if it is not finite.
fn interval(quantity: &Quantity, value: f64, half_width: f64) -> String {
    if !half_width.is_finite() {
        return String::new();
    }
    format!("{} to {}", quantity.text(value - half_width), quantity.text(value + half_width))
}

/// Returns a chart of parameter sets at positions of the x axis.
fn of_sets(quantity: &Quantity, placed: &[(f64, &Spread)]) -> BandChart {
    let run = |&(x, spread): &(f64, &Spread)| points(quantity, spread.values.iter().map(|&value| (x, value)));
    BandChart {
        y: quantity.axis(),
        style: BandStyle::Columns,
        bands: placed.iter().map(|(x, spread)| plotted(quantity, spread.band(*x))).collect(),
        runs: placed.iter().map(run).collect(),
        ..BandChart::default()
    }
}

fn plotted(quantity: &Quantity, Band { x, quantiles, mean }: Band) -> Band {
    let value = |value| quantity.plotted(value);
    Band { x, quantiles: quantiles.map(value), mean: mean.map(value) }
}

fn points(quantity: &Quantity, points: impl Iterator<Item = (f64, f64)>) -> Vec<(f64, f64)> {
    points.map(|(x, value)| (x, quantity.plotted(value))).collect()
}

/// Starts the section of a quantity, with the unit of the following numbers in the heading.
fn begin(page: &mut Page, quantity: &Quantity, over: &str) {
    let heading = Quantity { label: format!("{}{over}", quantity.heading()).into(), ..quantity.clone() };
    page.section(heading.axis().title());
    if !quantity.meaning.is_empty() {
        let mut letters = quantity.meaning.chars();
        let first = letters.next().into_iter().flat_map(char::to_uppercase);
        page.paragraph(&format!("{}{}.", first.collect::<String>(), letters.as_str()));
    }
}
