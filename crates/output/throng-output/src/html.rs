//! A self-contained report page, which opens offline, supports light and dark mode, and can be printed.

use std::fmt::Write as _;

use crate::film::Film;
use crate::svg::{Graphic, MIN_CHART_PX};

/// Returns `text` with the special characters of HTML and SVG escaped.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}

/// Formats a number with `digits` decimals and narrow spaces between thousands; a dash if it is not finite.
///
/// ```
/// assert_eq!(throng_output::html::grouped(1234567.25, 1), "1\u{202f}234\u{202f}567.2");
/// assert_eq!(throng_output::html::grouped(f64::NAN, 1), "–");
/// ```
pub fn grouped(value: f64, digits: usize) -> String {
    if !value.is_finite() {
        return "–".to_owned();
    }
    let plain = format!("{:.digits$}", value.abs());
    let (whole, fraction) = plain.split_at(plain.find('.').unwrap_or(plain.len()));
    let mut out = String::new();
    if value < 0.0 && plain.bytes().any(|b| (b'1'..=b'9').contains(&b)) {
        out.push('−');
    }
    for (i, digit) in whole.chars().enumerate() {
        if i > 0 && (whole.len() - i).is_multiple_of(3) {
            out.push('\u{202f}');
        }
        out.push(digit);
    }
    out + fraction
}

/// Formats a duration: seconds below a minute, minutes and seconds below an hour, hours and minutes above; a dash if it
/// is not finite.
///
/// ```
/// use throng_output::html::{duration, wall_time};
///
/// assert_eq!([duration(59.0), duration(61.0), duration(9000.0)], ["59 s", "1 min 01 s", "2 h 30 min"]);
/// assert_eq!([wall_time(1.5), wall_time(61.0)], ["1.50 s", "1 min 01 s"]);
/// ```
pub fn duration(seconds: f64) -> String {
    if !seconds.is_finite() {
        return "–".to_owned();
    }
    let sign = if seconds.round() < 0.0 { "−" } else { "" };
    let [whole, minutes] = [seconds, seconds / 60.0].map(|value| value.round().abs() as u64);
    match whole {
        0..60 => format!("{sign}{whole} s"),
        60..3600 => format!("{sign}{} min {:02} s", whole / 60, whole % 60),
        _ => format!("{sign}{} h {:02} min", minutes / 60, minutes % 60),
    }
}

/// Like [`duration`], but with hundredths of a second below a minute; for computing times.
pub fn wall_time(seconds: f64) -> String {
    if seconds < 60.0 { format!("{} s", grouped(seconds, 2)) } else { duration(seconds) }
}

/// A table of text cells. The columns listed in `numeric` are right-aligned.
#[derive(Debug, Clone, Default)]
pub struct Table {
    /// Column titles.
    pub columns: Vec<String>,
    /// Indices of the columns with numbers.
    pub numeric: Vec<usize>,
    /// Cells, row by row.
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// Creates a table with the given titles (no title row if all are empty). A title that starts with `#` marks a
    /// numeric column and is shown without the `#`.
    pub fn new(columns: &[&str]) -> Self {
        let numeric = (0..columns.len()).filter(|&i| columns[i].starts_with('#')).collect();
        let columns = columns.iter().map(|c| c.trim_start_matches('#').to_owned()).collect();
        Self { columns, numeric, rows: Vec::new() }
    }

    fn render(&self, out: &mut String, label: &str) {
        let class = |i: usize| if self.numeric.contains(&i) { " class=\"n\"" } else { "" };
        begin_scrolling(out, label);
        out.push_str("<table>");
        if self.columns.iter().any(|column| !column.is_empty()) {
            out.push_str("<thead><tr>");
            for (i, column) in self.columns.iter().enumerate() {
                push(out, format_args!("<th{}>{}</th>", class(i), escape(column)));
            }
            out.push_str("</tr></thead>");
        }
        out.push_str("<tbody>");
        for row in &self.rows {
            out.push_str("<tr>");
            for (i, cell) in row.iter().enumerate() {
                push(out, format_args!("<td{}>{}</td>", class(i), escape(cell)));
            }
            out.push_str("</tr>\n");
        }
        out.push_str("</tbody></table></div>\n");
    }
}

/// A report under construction. All text is escaped.
///
/// ```
/// let mut page = throng_output::html::Page::new("Equil", "100 persons");
/// page.section("Traffic over the day").paragraph("Departures & arrivals");
/// let html = page.finish("made by throng");
/// assert!(html.starts_with("<!doctype html>") && html.contains("Departures &amp; arrivals"));
/// ```
#[derive(Debug)]
pub struct Page {
    title: String,
    body: String,
    /// Heading of the current section.
    heading: String,
    in_section: bool,
    /// Whether the current section has content. Sections are started with their first content, so that none is empty.
    has_begun: bool,
}

impl Page {
    /// Creates a page with a title and a line below it.
    pub fn new(title: &str, subtitle: &str) -> Self {
        let body = format!("<header><h1>{}</h1><p>{}</p></header>\n", escape(title), escape(subtitle));
        Self { title: title.to_owned(), body, heading: title.to_owned(), in_section: false, has_begun: true }
    }

    /// Adds large figures side by side: label, value, and a note below the value.
    pub fn figures<L: AsRef<str>>(&mut self, figures: &[(L, String, String)]) -> &mut Self {
        self.begin();
        self.body.push_str("<div class=\"figures\">");
        for (label, value, note) in figures {
            let (label, value, note) = (escape(label.as_ref()), escape(value), escape(note));
            push(&mut self.body, format_args!("<div><span>{label}</span><b>{value}</b><small>{note}</small></div>"));
        }
        self.body.push_str("</div>\n");
        self
    }

    /// Starts a section; it is left out if it gets no content.
    pub fn section(&mut self, heading: &str) -> &mut Self {
        self.end_section();
        (self.heading, self.has_begun) = (heading.to_owned(), false);
        self
    }

    /// Adds a paragraph.
    pub fn paragraph(&mut self, text: &str) -> &mut Self {
        self.begin();
        push(&mut self.body, format_args!("<p>{}</p>\n", escape(text)));
        self
    }

    /// Adds a chart with a caption (empty for none), unless the chart is not
    /// [worth drawing](Graphic::is_worth_drawing). On narrow screens the chart scrolls, so that its text stays legible.
    pub fn chart(&mut self, chart: &dyn Graphic, caption: &str) -> &mut Self {
        if chart.is_worth_drawing() {
            self.figure(&chart.render(), caption);
        }
        self
    }

    /// Adds an image from a file in the folder of the page; `label` is its alternative text. On narrow screens an image
    /// with text keeps its size and scrolls, so that the text stays legible.
    pub fn picture(&mut self, file: &str, label: &str, caption: &str, has_text: bool) -> &mut Self {
        let (file, label, class) = (escape(file), escape(label), if has_text { " class=\"text\"" } else { "" });
        self.figure(&format!("<img src=\"{file}\" alt=\"{label}\"{class}>"), caption);
        self
    }

    fn figure(&mut self, content: &str, caption: &str) {
        self.begin();
        self.body.push_str("<figure>");
        begin_scrolling(&mut self.body, &self.heading);
        push(&mut self.body, format_args!("{content}</div>"));
        if !caption.is_empty() {
            push(&mut self.body, format_args!("<figcaption>{}</figcaption>", escape(caption)));
        }
        self.body.push_str("</figure>\n");
    }

    /// Adds an animation with its player.
    pub fn film(&mut self, film: &Film) -> &mut Self {
        self.begin();
        self.body.push_str(&film.render());
        self
    }

    /// Adds a table.
    pub fn table(&mut self, table: &Table) -> &mut Self {
        self.begin();
        table.render(&mut self.body, &self.heading);
        self
    }

    /// Adds a collapsed table; a click on its title expands it.
    pub fn folded_table(&mut self, summary: &str, table: &Table) -> &mut Self {
        self.begin();
        push(&mut self.body, format_args!("<details><summary>{}</summary>", escape(summary)));
        table.render(&mut self.body, summary);
        self.body.push_str("</details>\n");
        self
    }

    fn begin(&mut self) {
        if !self.has_begun {
            push(&mut self.body, format_args!("<section><h2>{}</h2>\n", escape(&self.heading)));
            (self.has_begun, self.in_section) = (true, true);
        }
    }

    fn end_section(&mut self) {
        if self.in_section {
            self.body.push_str("</section>\n");
            self.in_section = false;
        }
    }

    /// Returns the page as HTML, with `footer` as its last line.
    pub fn finish(mut self, footer: &str) -> String {
        self.end_section();
        format!(
            "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
             <meta name=\"color-scheme\" content=\"light dark\"><title>{}</title>\n<style>{}</style></head>\n\
             <body><main>{}<footer>{}</footer></main></body></html>\n",
            escape(&self.title),
            STYLE.replace("MIN_CHART_PX", &format!("{:.0}", MIN_CHART_PX.ceil())),
            self.body,
            escape(footer)
        )
    }
}

/// Opens an element that scrolls if its content is wider than the page. It is focusable, because some browsers scroll
/// only the focused element.
pub(crate) fn begin_scrolling(out: &mut String, label: &str) {
    push(out, format_args!("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{}\">", escape(label)));
}

fn push(out: &mut String, text: std::fmt::Arguments<'_>) {
    out.write_fmt(text).expect("writing to a String cannot fail");
}

const STYLE: &str = "
:root{--page:#f6f7f9;--card:#fff;--text:#1f2328;--muted:#59636e;--grid:#e3e7eb;--accent:#2563a8;
--series-1:#2563a8;--series-2:#d9772b;--series-3:#2f8f6b;--series-4:#8a5bb0;--series-5:#c2476b;--series-6:#6c7a89;
--series-7:#b09a2e;--series-8:#3fa3c4}
@media (prefers-color-scheme:dark){:root{--page:#14171b;--card:#1d2127;--text:#e6e9ed;--muted:#9aa4af;--grid:#313843;
--accent:#6aa9ea;--series-1:#6aa9ea;--series-2:#f0a061;--series-3:#5cc29a;--series-4:#b994dc;--series-5:#e8819f;
--series-6:#9aa9b8;--series-7:#d6c25a;--series-8:#74cbe6}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--text);font:15px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif}
main{max-width:960px;margin:0 auto;padding:40px 20px}
header{margin-bottom:24px}
h1{font-size:28px;line-height:1.2;letter-spacing:-.01em;margin:0 0 6px}
header p{margin:0;color:var(--muted)}
h2{font-size:17px;margin:0 0 12px}
section{background:var(--card);border:1px solid var(--grid);border-radius:10px;padding:20px 24px;margin:16px 0;
break-inside:avoid}
section p{margin:0 0 12px;color:var(--muted);max-width:72ch}
section>:last-child{margin-bottom:0}
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(260px,1fr));gap:12px;margin:0 0 16px}
.figures div{background:var(--card);border:1px solid var(--grid);border-radius:10px;padding:14px 16px;display:flex;
flex-direction:column}
.figures span,.figures small{color:var(--muted);font-size:13px}
.figures b{font-size:24px;line-height:1.3;font-weight:650;font-variant-numeric:tabular-nums}
figure{margin:0 0 12px}
svg,img,canvas{display:block;width:100%;height:auto}
svg{min-width:MIN_CHART_PXpx}
.controls{display:flex;flex-wrap:wrap;align-items:center;gap:12px;margin-top:8px}
.controls button{min-width:72px;padding:4px 12px;font:inherit;color:var(--text);background:var(--page);
border:1px solid var(--muted);border-radius:6px;cursor:pointer}
.controls input{flex:1;min-width:120px}
.controls output{min-width:9ch;text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
figcaption{color:var(--muted);font-size:13px;margin-top:6px}
.scroll{overflow-x:auto}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums;font-size:14px;margin:4px 0 8px}
th{font-weight:600;color:var(--muted);text-align:left;border-bottom:1px solid var(--grid);padding:6px 16px 6px 0}
td{border-bottom:1px solid var(--grid);padding:6px 16px 6px 0;vertical-align:top}
tr:last-child td{border-bottom:0}
th:last-child,td:last-child{padding-right:0}
.n{text-align:right;white-space:nowrap}
details{margin-top:8px}
summary{cursor:pointer;color:var(--accent)}
footer{color:var(--muted);font-size:13px;margin-top:24px}
@media(max-width:600px){main{padding:20px 12px}section{padding:16px 14px}img.text{width:auto}
.film img,.film canvas{min-width:var(--min-width)}}
@media print{body{background:#fff}main{max-width:none;padding:0}.controls{display:none}
svg,img,canvas{min-width:0!important}.scroll{overflow:visible}td{overflow-wrap:anywhere}}
";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::svg;

    #[test]
    fn all_strings_are_escaped() {
        let mut page = Page::new("<Equil>", "a & b");
        let mut table = Table::new(&["link", "#volume"]);
        table.rows.push(vec!["<script>".into(), "5".into()]);
        page.figures(&[("x", "\"1\"".into(), String::new())]).section("S'").table(&table).folded_table("more", &table);
        page.picture("a&b.png", "\"map\"", "<caption>", true);
        let html = page.finish("<end>");
        assert!(html.contains("<img src=\"a&amp;b.png\" alt=\"&quot;map&quot;\" class=\"text\">"));
        assert!(!html.contains("<caption>"));
        assert!(!html.contains("<script>") && !html.contains("<Equil>") && !html.contains("<end>"));
        assert!(html.contains("<th class=\"n\">volume</th>") && html.contains("<td class=\"n\">5</td>"));
        for tag in ["section", "details", "table", "main", "div"] {
            let (open, close) = (format!("<{tag}"), format!("</{tag}>"));
            assert_eq!(html.matches(&open).count(), html.matches(&close).count(), "{tag}");
        }
    }

    #[test]
    fn scrollable_regions_are_focusable_and_labelled() {
        let series = svg::Series { points: vec![(0.0, 1.0), (1.0, 2.0), (2.0, 4.0)], ..svg::Series::default() };
        let chart = svg::Chart { series: vec![series], ..svg::Chart::default() };
        let mut page = Page::new("Title", "");
        page.section("Speed & flow").chart(&chart, "").table(&Table::new(&["a"])).picture("b.png", "b", "", false);
        page.folded_table("All <links>", &Table::new(&["b"]));
        let html = page.finish("");
        let region =
            |name: &str| format!("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{name}\">");
        assert_eq!(html.matches(&region("Speed &amp; flow")).count(), 3);
        assert_eq!(html.matches(&region("All &lt;links&gt;")).count(), 1);
        assert_eq!(html.matches("class=\"scroll\"").count(), 4);
        for content in ["<svg", "<table", "<img"] {
            assert_eq!(html.matches(&format!("\">{content}")).count(), html.matches(content).count(), "{content}");
        }
    }

    #[test]
    fn charts_of_two_points_and_empty_sections_are_omitted() {
        let of = |points: u32| svg::Chart {
            series: vec![svg::Series {
                points: (0..points).map(|i| (i.into(), 1.0)).collect(),
                ..svg::Series::default()
            }],
            ..svg::Chart::default()
        };
        let mut page = Page::new("Title", "");
        page.section("Empty").section("Short").chart(&of(2), "caption of two points");
        page.section("Long").chart(&of(3), "caption of three points").section("Last");
        let html = page.finish("");
        assert_eq!((html.matches("<section>").count(), html.matches("</section>").count()), (1, 1));
        assert!(html.contains("<h2>Long</h2>") && html.contains("three points") && !html.contains("two points"));
    }

    #[test]
    fn numbers_are_grouped() {
        for (value, digits, text) in [
            (0.0, 0, "0"),
            (999.0, 0, "999"),
            (1000.0, 0, "1\u{202f}000"),
            (-12345.678, 2, "−12\u{202f}345.68"),
            (-0.01, 1, "0.0"),
        ] {
            assert_eq!(grouped(value, digits), text);
        }
    }

    #[test]
    fn durations_are_formatted_with_units() {
        for (seconds, text) in [
            (0.0, "0 s"),
            (59.7, "1 min 00 s"),
            (3599.0, "59 min 59 s"),
            (3599.5, "1 h 00 min"),
            (-61.0, "−1 min 01 s"),
            (f64::NEG_INFINITY, "–"),
        ] {
            assert_eq!(duration(seconds), text);
        }
    }
}
