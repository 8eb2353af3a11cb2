//! The tables of two days of traffic, compared, as text and as a page.

use std::fmt;

use throng_output::html::{Page, Table, grouped};
use throng_output::svg::{Axis, Chart, Series, Style};

use super::calls::CallComparison;
use super::links::LinkComparison;
use super::trips::{TIME_CLASS_S, TripComparison, TripStatistics};

/// The comparison of the tables of two runs, A and B. Its `Display` text is the report for users.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DayComparison {
    /// Trips.
    pub trips: Option<TripComparison>,
    /// Links.
    pub links: Option<LinkComparison>,
    /// Public transport.
    pub calls: Option<CallComparison>,
    /// Tables that were not compared, each with the reason.
    pub not_compared: Vec<String>,
}

/// Maximum number of modes with a chart of trip times.
const CHARTS: usize = 5;

impl DayComparison {
    /// Whether no table was compared.
    pub fn is_empty(&self) -> bool {
        self.trips.is_none() && self.links.is_none() && self.calls.is_none()
    }

    /// Returns a page in HTML with tables and charts; `names` are those of A and B.
    pub fn page(&self, names: [&str; 2], footer: &str) -> String {
        let [a, b] = names;
        let mut page = Page::new("Comparison of two runs", &format!("A: {a} → B: {b}"));
        if let Some(trips) = &self.trips {
            trips_on(&mut page, trips);
        }
        if let Some(links) = &self.links {
            links_on(&mut page, links);
        }
        if let Some(calls) = &self.calls {
            page.section("Public transport").table(&table(&["", "#A → B (change)"], calls.table()));
        }
        page.section("Not compared");
        for line in &self.not_compared {
            page.paragraph(line);
        }
        page.finish(footer)
    }
}

/// Builds a table from rows of text, with the arrow of pages.
fn table<const COLUMNS: usize>(titles: &[&str; COLUMNS], rows: Vec<[String; COLUMNS]>) -> Table {
    let mut table = Table::new(titles);
    table.rows = rows.into_iter().map(|row| row.map(|cell| cell.replace(" -> ", " → ")).to_vec()).collect();
    table
}

fn trips_on(page: &mut Page, trips: &TripComparison) {
    let (mut numbers, mut times) = trips.tables();
    // Without the titles of the text.
    let [numbers, times] = [numbers.split_off(1), times.split_off(1)];
    page.section("Trips").table(&table(&["Main mode", "#Trips", "#Share, %", "#Mean distance, km"], numbers));
    page.section("Trip times").table(&table(&["Main mode", "#Mean, min", "#Median", "#90 % within"], times));
    page.chart(
        &times_chart("all modes", &trips.all),
        "Trips of all modes, in classes of five minutes; the last is open.",
    );
    let mut modes: Vec<_> = trips.modes.iter().collect();
    modes.sort_by_key(|(_, [a, b])| std::cmp::Reverse(a.trips + b.trips));
    for (mode, sides) in modes.into_iter().take(CHARTS).filter(|_| trips.modes.len() > 1) {
        page.chart(&times_chart(mode, sides), &format!("Trips with main mode {mode}."));
    }
}

/// Draws the outlines of two histograms.
fn times_chart(mode: &str, sides: &[TripStatistics; 2]) -> Chart {
    let last = sides.iter().filter_map(|side| side.times.iter().rposition(|&trips| trips > 0)).max().unwrap_or(0);
    let series = sides.iter().zip(["A", "B"]).map(|(side, name)| {
        let ends = |class: usize| [class, class + 1].map(|end| end as f64 * TIME_CLASS_S / 60.0);
        let points = side.times.iter().take(last + 1).enumerate();
        let points = points.flat_map(|(class, &trips)| ends(class).map(|minutes| (minutes, trips as f64)));
        Series { name: name.into(), points: points.collect() }
    });
    Chart {
        label: format!("Number of trips by duration in A and B, {mode}"),
        x: Axis::new("trip time", "minutes"),
        y: Axis::count("trips in a class of five minutes"),
        style: Style::Line,
        series: series.collect(),
        dashed: vec![1],
        ..Chart::default()
    }
}

fn links_on(page: &mut Page, links: &LinkComparison) {
    let volumes = &links.volumes;
    page.section("Link volumes").table(&table(&["", "#Per hour", "#Per day"], volumes.table()));
    page.table(&table(&["", "#A → B (change)"], volumes.totals()));
    let points: Vec<(f64, f64)> = volumes.pairs.iter().map(|&[a, b]| (a as f64, b as f64)).collect();
    let highest = points.iter().map(|&(a, b)| a.max(b)).fold(0.0, f64::max);
    let period = if volumes.hours.is_some() { "hour" } else { "day" };
    let chart = Chart {
        label: format!("Vehicles per {period} on each link in A and B"),
        x: Axis::count(&format!("vehicles per {period} in A")),
        y: Axis::count(&format!("vehicles per {period} in B")),
        style: Style::Points,
        series: vec![
            Series { name: "links".into(), points },
            Series { name: "A = B".into(), points: vec![(0.0, 0.0), (highest, highest)] },
        ],
        dashed: vec![1],
        ..Chart::default()
    };
    let note = format!("Each link and {period} with vehicles in A or B. Vehicles count where they leave a link.");
    page.chart(&chart, &note);
    page.section("Largest GEH");
    if !volumes.largest.is_empty() {
        page.table(&table(&["Link", "#Hour", "#Vehicles, A → B", "#GEH"], volumes.largest_rows()));
    }
    let (different, all) = (grouped(links.different as f64, 0), grouped(links.links as f64, 0));
    page.paragraph(&format!("The traffic of {different} of {all} links differs."));
}

impl fmt::Display for DayComparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(trips) = &self.trips {
            write!(f, "\n{trips}")?;
        }
        if let Some(links) = self.links.as_ref().filter(|links| links.different > 0) {
            write!(f, "\n{}\n{links}", links.volumes)?;
        }
        if let Some(calls) = &self.calls {
            write!(f, "\n{calls}")?;
        }
        if !self.not_compared.is_empty() {
            writeln!(f)?;
        }
        self.not_compared.iter().try_for_each(|line| writeln!(f, "{line}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::{compare_calls, compare_links, compare_trips};

    #[test]
    fn a_page_has_all_tables_and_charts() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).unwrap();
            path
        };
        let trips = |name: &str, minutes: [u32; 4]| {
            let rows = minutes.map(|minutes| format!("00:{minutes}:00;900;;car\n00:05:00;500;;<b>walk\n"));
            write(name, &format!("trav_time;traveled_distance;main_mode;modes\n{}", rows.concat()))
        };
        let links = |name: &str, volumes: [u32; 4]| {
            let line =
                |(hour, volume)| format!("{};{};a&b;{volume};{volume};{volume}\n", hour * 3600, (hour + 1) * 3600);
            let rows: String = (0..).zip(volumes).map(line).collect();
            let text = format!("time_start_s;time_end_s;link;volume;traversals;mean_travel_time_s\n{rows}");
            write(name, &text)
        };
        let calls = |name: &str| write(name, "departure_delay_s;boarded;denied\n60;5;1\n");
        let day = DayComparison {
            trips: Some(compare_trips(&trips("1", [10, 20, 30, 40]), &trips("2", [11, 12, 23, 59])).unwrap()),
            links: Some(compare_links(&links("3", [9, 30, 70, 7]), &links("4", [90, 10, 70, 20]), 5).unwrap()),
            calls: Some(compare_calls(&calls("5"), &calls("6")).unwrap()),
            not_compared: vec!["<i>".to_owned()],
        };
        let html = day.page(["runs/<a>", "runs/b"], "made by throng");
        // All modes, car and the scatter plot; the walks take the same time.
        assert_eq!(html.matches("<svg").count(), 4, "{html}");
        assert!(html.contains("h0M") && html.contains("<td>a&amp;b</td>") && html.contains("&lt;i&gt;"), "{html}");
        assert!(!html.contains("<i>") && !html.contains("<b>walk") && !html.contains("runs/<a>"), "{html}");
        for part in ["<h2>Trips</h2>", "<h2>Link volumes</h2>", "<h2>Public transport</h2>", "runs/b", "GEH below 5, %"]
        {
            assert!(html.contains(part), "{part}: {html}");
        }
        let text = day.to_string();
        assert!(text.starts_with("\nmain mode ") && text.ends_with("\n\n<i>\n"), "{text}");
        assert!(DayComparison::default().is_empty() && DayComparison::default().to_string().is_empty());
    }
}
