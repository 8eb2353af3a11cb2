//! The columns of the tables of a sweep.

use std::collections::BTreeSet;

use super::design::{Design, DesignTable};
use super::summary::OF_SUMMARY;
use super::table::Kind;
use crate::{Measured, Quantity};

/// The columns of every table of runs, in addition to parameters and figures.
pub(super) const OF_RUNS: [&str; 7] = ["run", "set", "replicate", "seed", "status", "state_hash", "error"];

/// The columns of parameters, figures and series.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Layout {
    /// Name and type of each varied parameter.
    pub parameters: Vec<(String, Kind)>,
    /// Summary figures with their column names.
    pub figures: Columns,
    /// Quantity that numbers the rows of series, and its column name; `None` if no run has a series.
    pub over: Option<(Quantity, String)>,
    /// Quantities of series with their column names.
    pub series: Columns,
}

/// Quantities with their column names: all that occur in any run, in the order of runs.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Columns(pub Vec<(Quantity, String)>);

impl Columns {
    fn add(&mut self, quantity: &Quantity) {
        if !self.0.iter().any(|(known, _)| known.is(quantity)) {
            self.0.push((quantity.clone(), quantity.column()));
        }
    }

    fn rename(&mut self, taken: &mut BTreeSet<String>) {
        for (_, column) in &mut self.0 {
            *column = free(column, "result", taken);
        }
    }
}

impl Layout {
    /// Creates a layout with the columns of the parameters.
    pub fn new(design: &Design, table: &DesignTable<'_>) -> Self {
        let mut kinds: Vec<Option<Kind>> = vec![None; design.keys().len()];
        for set in 0..design.sets() {
            for (kind, value) in kinds.iter_mut().zip(table.values(set)) {
                let of_value = Kind::of(&value);
                *kind = Some(kind.map_or(of_value, |kind| kind.or(of_value)));
            }
        }
        let mut taken: BTreeSet<String> = OF_RUNS.into_iter().chain(OF_SUMMARY).map(str::to_owned).collect();
        let names = design.keys().into_iter().map(|key| free(key, "parameter", &mut taken));
        let parameters = names.zip(kinds.into_iter().map(|kind| kind.unwrap_or(Kind::Text))).collect();
        Self { parameters, figures: Columns::default(), over: None, series: Columns::default() }
    }

    /// Adds the columns of a run.
    pub fn add(&mut self, measured: &Measured) {
        for figure in &measured.figures {
            self.figures.add(&figure.quantity);
        }
        if !measured.series.rows.is_empty() {
            let over = &measured.series.over;
            self.over.get_or_insert_with(|| (over.clone(), over.column()));
            for quantity in &measured.series.quantities {
                self.series.add(quantity);
            }
        }
    }

    /// Makes column names unique, after the last run; parameters keep their names.
    pub fn finish(mut self) -> Self {
        let parameters = self.parameters.iter().map(|(name, _)| name.clone());
        let taken: BTreeSet<String> = OF_RUNS.map(str::to_owned).into_iter().chain(parameters).collect();
        self.figures.rename(&mut taken.clone());
        let mut taken = taken;
        if let Some((_, column)) = &mut self.over {
            *column = free(column, "result", &mut taken);
        }
        self.series.rename(&mut taken);
        self
    }
}

/// Returns the name, with a suffix if it is taken.
pub(super) fn free(name: &str, suffix: &str, taken: &mut BTreeSet<String>) -> String {
    let mut name = name.to_owned();
    while !taken.insert(name.clone()) {
        name = format!("{name}_{suffix}");
    }
    name
}

#[cfg(test)]
mod tests {
    use throng_core::Problems;

    use super::super::vary;
    use super::*;
    use crate::{Figure, Series};

    #[test]
    fn columns_are_unique_and_in_the_order_of_runs() {
        let typed = ["steps=1,2", "seed=1.5,2", "name=a,1"].map(str::to_owned);
        let design = Design::full_factorial(vary::parse(&typed, false, &mut Problems::new())).unwrap();
        let mut layout = Layout::new(&design, &design.table());
        let kinds: Vec<_> = layout.parameters.iter().map(|(name, kind)| (name.as_str(), *kind)).collect();
        assert_eq!(kinds, [("steps", Kind::Whole), ("seed_parameter", Kind::Real), ("name", Kind::Text)]);
        let run = |names: &[&'static str]| Measured {
            figures: names.iter().map(|&name| Figure::new(Quantity::real(name, "", "m", ""), 1.0)).collect(),
            series: Series {
                over: Quantity::count("steps", "", ""),
                quantities: vec![Quantity::count("steps", "", "")],
                rows: vec![(0.0, vec![0.0])],
            },
            ..Measured::default()
        };
        layout.add(&run(&["a"]));
        layout.add(&run(&["b", "a"]));
        let layout = layout.finish();
        let names = |columns: &Columns| columns.0.iter().map(|(_, name)| name.clone()).collect::<Vec<_>>();
        assert_eq!(names(&layout.figures), ["a_m", "b_m"]);
        assert_eq!(layout.over.unwrap().1, "steps_result");
        assert_eq!(names(&layout.series), ["steps_result_result"]);
    }
}
