//! Progress: a bar on a terminal, a line every ten seconds elsewhere, nothing when quiet.
//!
//! Phases whose unit is `s` count simulated time: their rate is the real-time factor.

use std::io::IsTerminal as _;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use throng_core::{NoProgress, Progress, printable};

use crate::args::Verbosity;
use crate::report;

/// Interval between redraws of the bar.
const BAR_INTERVAL: Duration = Duration::from_millis(200);
/// Interval between lines if standard error is not a terminal.
const LINE_INTERVAL: Duration = Duration::from_secs(10);

/// Returns the display for standard error: a bar, lines or nothing.
pub(crate) fn display(verbosity: Verbosity) -> Box<dyn Progress> {
    if verbosity.quiet {
        Box::new(NoProgress)
    } else if std::io::stderr().is_terminal() {
        Box::new(Display::new(Screen::Bar(ProgressBar::no_length().with_style(style(false))), verbosity.verbose))
    } else {
        Box::new(Display::new(Screen::Lines, verbosity.verbose))
    }
}

enum Screen {
    Bar(ProgressBar),
    Lines,
}

/// Shows one phase at a time.
struct Display {
    screen: Screen,
    /// Whether to print the end of every phase.
    verbose: bool,
    phase: Mutex<Option<Phase>>,
}

struct Phase {
    name: String,
    total: Option<u64>,
    unit: &'static str,
    done: u64,
    started: Instant,
    shown: Instant,
}

impl Display {
    fn new(screen: Screen, verbose: bool) -> Self {
        Self { screen, verbose, phase: Mutex::new(None) }
    }

    fn interval(&self) -> Duration {
        match self.screen {
            Screen::Bar(_) => BAR_INTERVAL,
            Screen::Lines => LINE_INTERVAL,
        }
    }
}

impl Progress for Display {
    fn warn(&self, text: &str) {
        report::print_to_stderr(format_args!("warning: {text}"));
    }

    fn note(&self, text: &str) {
        report::print_to_stderr(text);
    }

    fn begin(&self, phase: &str, total: Option<u64>, unit: &'static str) {
        let now = Instant::now();
        // Phase names may contain file names.
        let phase = printable(phase);
        if let Screen::Bar(bar) = &self.screen {
            // The style must be set before the bar is redrawn.
            bar.set_style(style(total.is_some()));
            bar.set_prefix(phase.clone().into_owned());
            bar.set_message("");
            match total {
                Some(total) => bar.set_length(total),
                None => bar.unset_length(),
            }
            bar.reset();
        }
        let phase = Phase { name: phase.into_owned(), total, unit, done: 0, started: now, shown: now };
        *self.phase.lock().unwrap_or_else(PoisonError::into_inner) = Some(phase);
    }

    fn at(&self, done: u64, note: &str) {
        let mut guard = self.phase.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(phase) = guard.as_mut() else { return };
        phase.done = done;
        if phase.shown.elapsed() < self.interval() {
            return;
        }
        phase.shown = Instant::now();
        let pace = pace(done, phase.total, phase.unit, phase.started.elapsed());
        match &self.screen {
            Screen::Bar(bar) => {
                bar.set_position(done);
                bar.set_message(join(&pace, &printable(note)));
            }
            Screen::Lines => report::print_to_stderr(line(phase, &join(&pace, note))),
        }
    }

    fn end(&self) {
        let Some(phase) = self.phase.lock().unwrap_or_else(PoisonError::into_inner).take() else { return };
        if let Screen::Bar(bar) = &self.screen {
            bar.finish_and_clear();
        }
        if self.verbose {
            report::print_to_stderr(end_line(&phase, phase.started.elapsed()));
        }
    }
}

fn style(known_length: bool) -> ProgressStyle {
    let template = if known_length { "{prefix} [{bar:30}] {percent:>3} %  {msg}" } else { "{prefix} {spinner} {msg}" };
    ProgressStyle::with_template(template).map_or_else(|_| ProgressStyle::default_bar(), |s| s.progress_chars("=> "))
}

fn line(phase: &Phase, pace: &str) -> String {
    let done = match phase.total {
        // Write the unit only once: `3 of 8 links`.
        Some(total) if phase.unit != "s" => format!("{} of {}", phase.done, amount(total, phase.unit)),
        Some(total) => format!("{} of {}", amount(phase.done, phase.unit), amount(total, phase.unit)),
        None => amount(phase.done, phase.unit),
    };
    format!("{}: {done}, {pace}", phase.name)
}

/// Formats the line for a finished phase; not every phase has a count.
fn end_line(phase: &Phase, took: Duration) -> String {
    let done = if phase.done == 0 { "done ".to_owned() } else { format!("{} ", amount(phase.done, phase.unit)) };
    format!("{}: {done}in {:.2} s", phase.name, took.as_secs_f64())
}

fn join(pace: &str, note: &str) -> String {
    if note.is_empty() { pace.to_owned() } else { format!("{pace}, {note}") }
}

/// Formats simulated time as `07:30:00`, and anything else as a number with its unit.
fn amount(done: u64, unit: &str) -> String {
    if unit == "s" { throng_core::clock::format(done as f64) } else { format!("{done} {unit}") }
}

/// Formats the rate or real-time factor, and the remaining time if the total is known.
fn pace(done: u64, total: Option<u64>, unit: &str, elapsed: Duration) -> String {
    let seconds = elapsed.as_secs_f64();
    if seconds <= 0.0 {
        return String::new();
    }
    let rate = done as f64 / seconds;
    let pace = if unit == "s" { format!("{} x real time", short(rate)) } else { format!("{} {unit}/s", short(rate)) };
    match total.and_then(|total| total.checked_sub(done)).filter(|_| rate > 0.0) {
        Some(left) => format!("{pace}, {} left", throng_core::clock::format((left as f64 / rate).ceil())),
        None => pace,
    }
}

/// Formats about three significant digits: `0.50`, `9.99`, `123`, `12.3k`, `4.57M`.
fn short(value: f64) -> String {
    let (value, suffix) = match value {
        v if v >= 1e9 => (v / 1e9, "G"),
        v if v >= 1e6 => (v / 1e6, "M"),
        v if v >= 1e3 => (v / 1e3, "k"),
        v => (v, ""),
    };
    let digits = match value {
        v if v < 10.0 => 2,
        v if v < 100.0 => 1,
        _ => 0,
    };
    format!("{value:.digits$}{suffix}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_abbreviated() {
        for (value, expected) in
            [(0.5, "0.50"), (12.34, "12.3"), (999.4, "999"), (12_345.0, "12.3k"), (4.567e6, "4.57M")]
        {
            assert_eq!(short(value), expected);
        }
    }

    #[test]
    fn the_pace_is_in_real_time_or_units_per_second() {
        let ten = Duration::from_secs(10);
        assert_eq!(pace(36_000, Some(108_000), "s", ten), "3.60k x real time, 00:00:20 left");
        assert_eq!(pace(500, None, "persons", ten), "50.0 persons/s");
        assert_eq!(pace(0, Some(5), "persons", ten), "0.00 persons/s");
        assert_eq!(pace(7, Some(5), "persons", ten), "0.70 persons/s");
    }

    #[test]
    fn lines_show_the_progress_of_a_phase() {
        let now = Instant::now();
        let mut phase =
            Phase { name: "simulating".into(), total: Some(86_400), unit: "s", done: 27_000, started: now, shown: now };
        assert_eq!(line(&phase, "x"), "simulating: 07:30:00 of 24:00:00, x");
        (phase.total, phase.unit, phase.done) = (Some(8), "links", 3);
        assert_eq!(line(&phase, "x"), "simulating: 3 of 8 links, x");
        phase.total = None;
        assert_eq!(line(&phase, &join("y", "z")), "simulating: 3 links, y, z");
        assert_eq!(end_line(&phase, Duration::from_millis(250)), "simulating: 3 links in 0.25 s");
        phase.done = 0;
        assert_eq!(end_line(&phase, Duration::from_secs(1)), "simulating: done in 1.00 s");
    }
}
