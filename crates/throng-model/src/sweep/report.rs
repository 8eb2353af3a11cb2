//! The report of a sweep: how the results of each parameter set spread over its replicates.

use throng_output::html::{Page, Table, grouped};
use throng_output::svg::{Band, BandChart, BandStyle};

use super::bands::{MOST_SERIES, MOST_SETS};
use super::description::Description;
use super::design::DesignTable;
use super::tables::Tabulated;
use crate::Quantity;

/// Letters that have room below an axis.
const MOST_LETTERS: usize = 100;

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
        self.failures(&mut page);
        self.sets(&mut page);
        for figure in 0..self.tabulated.layout.figures.0.len() {
            self.figure(&mut page, figure);
        }
        self.all_series(&mut page);
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
        page.paragraph(
            "The number of a parameter set is the column \"set\" of the tables. Columns of charts have the values of \
             the parameters below them or, where these have too little room, this number.",
        );
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

    /// The title of the axis of parameter sets, and the labels of columns: the values of parameters if they have room,
    /// else none, which stands for numbers.
    fn x_axis(&self) -> (String, Vec<String>) {
        let sets = self.tabulated.bands.figures.len() as u32;
        let labels: Vec<String> = (0..sets).map(|set| self.table.values(set).join(", ")).collect();
        let longest = labels.iter().map(|label| label.chars().count()).max().unwrap_or(0);
        if longest > 0 && (longest + 1) * labels.len() <= MOST_LETTERS {
            (self.keys.join(", "), labels)
        } else {
            ("parameter set".to_owned(), Vec::new())
        }
    }

    /// A summary figure of all parameter sets.
    fn figure(&self, page: &mut Page, figure: usize) {
        let bands = &self.tabulated.bands;
        let (quantity, _) = &self.tabulated.layout.figures.0[figure];
        let of_set = |(set, figures): (usize, &Vec<[f64; 5]>)| Band { x: set as f64 + 1.0, quantiles: figures[figure] };
        let (x_title, x_labels) = self.x_axis();
        let chart = BandChart {
            label: format!("{} of each parameter set", quantity.name),
            x_title,
            y_title: quantity.title(),
            style: BandStyle::Columns,
            x_labels,
            bands: bands.figures.iter().enumerate().map(of_set).collect(),
            ..BandChart::default()
        };
        begin(page, quantity);
        page.paragraph(&format!(
            "How to read it: each column is a parameter set. Of its {} runs, four in five lie within the thin line (10 % to \
             90 %) and half within the thick part (25 % to 75 %); the bar across is the median. Differences between \
             columns that are small beside their thick parts may be chance.",
            self.description.seeds
        ));
        page.chart(&chart.render(), "");
        let mut table = Table::new(&["#Set", "#Runs", "#10 %", "#25 %", "#Median", "#75 %", "#90 %"]);
        for (set, figures) in bands.figures.iter().enumerate() {
            let numbers = figures[figure].iter().map(|&value| short(value));
            table.rows.push([(set + 1).to_string(), bands.runs[set].to_string()].into_iter().chain(numbers).collect());
        }
        page.folded_table("Quantiles as a table", &table);
    }

    fn all_series(&self, page: &mut Page) {
        let Some((over, _)) = &self.tabulated.layout.over else { return };
        let bands = &self.tabulated.bands;
        for (column, (quantity, _)) in self.tabulated.layout.series.0.iter().enumerate() {
            let charts: Vec<BandChart> = bands
                .series
                .iter()
                .map(|of_set| BandChart {
                    label: format!("{} over {}", quantity.name, over.name),
                    x_title: over.title(),
                    y_title: quantity.title(),
                    bands: of_set[column].clone(),
                    ..BandChart::default()
                })
                .collect();
            // Of one row there is nothing to see over time.
            if charts.iter().all(|chart| chart.bands.len() < 2) {
                continue;
            }
            let ranges = charts.iter().filter_map(BandChart::range);
            let y_range =
                ranges.reduce(|(low, high), (other_low, other_high)| (low.min(other_low), high.max(other_high)));
            begin(page, &Quantity { name: format!("{} over {}", quantity.name, over.name), ..quantity.clone() });
            page.paragraph(&format!(
                "How to read it: the line is the median of the {} runs of a parameter set; at each {} half of them lie \
                 within the dark band (25 % to 75 %), and four in five within the light one (10 % to 90 %). The bands are \
                 not runs: a single run may cross them. All charts have the same axis.",
                self.description.seeds, over.name
            ));
            for (set, chart) in charts.into_iter().enumerate() {
                let caption = match self.table.words(set as u32).as_str() {
                    "" => String::new(),
                    words => format!("Parameter set {}: {words}", set + 1),
                };
                page.chart(&BandChart { y_range, ..chart }.render(), &caption);
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

/// Begins the section of a quantity.
fn begin(page: &mut Page, quantity: &Quantity) {
    page.section(&quantity.title());
    if !quantity.meaning.is_empty() {
        let mut letters = quantity.meaning.chars();
        let first = letters.next().into_iter().flat_map(char::to_uppercase);
        page.paragraph(&format!("{}{}.", first.collect::<String>(), letters.as_str()));
    }
}

/// A number with about five digits.
fn short(value: f64) -> String {
    let digits = match value.abs() {
        size if size >= 1e4 || value == value.round() => 0,
        size if size >= 100.0 => 1,
        size if size >= 10.0 => 2,
        size if size >= 1.0 => 3,
        size if size >= 0.01 => 4,
        _ => return if value.is_finite() { format!("{value:.2e}") } else { grouped(value, 0) },
    };
    grouped(value, digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let texts = [3.0, 12_345.6, 123.456, 1.234_56, 0.012_34, 0.000_123].map(short);
        assert_eq!(texts, ["3", "12\u{202f}346", "123.5", "1.235", "0.0123", "1.23e-4"]);
        assert_eq!(short(f64::NAN), "–");
    }
}
