//! `cargo xtask bench`: runs the benchmarks after printing machine, commit and date, which figures need.

use std::ffi::OsString;
use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::{cargo, root, run as run_command};

pub(crate) fn run(arguments: &[OsString]) -> Result<(), String> {
    let threads = std::thread::available_parallelism().map_or(0, usize::from);
    println!("machine: {}, {threads} threads", processor());
    println!("commit:  {}", output(Command::new("git").args(["describe", "--always", "--dirty"]).current_dir(root())));
    println!("rustc:   {}", output(Command::new("rustc").arg("--version")));
    println!("date:    {}\n", today());
    let mut command = cargo(&["bench", "-p", "throng-traffic"]);
    command.args(arguments);
    run_command(command)
}

fn processor() -> String {
    let cpuinfo = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpuinfo.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    model.map_or_else(|| std::env::consts::ARCH.to_owned(), |(_, model)| model.trim().to_owned())
}

/// Returns the first line of a command's output, or `unknown`.
fn output(command: &mut Command) -> String {
    let output = command.output().ok().filter(|output| output.status.success());
    let text = output.and_then(|output| String::from_utf8(output.stdout).ok()).unwrap_or_default();
    text.lines().next().unwrap_or("unknown").to_owned()
}

fn today() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    date(seconds / 86_400)
}

/// Returns the Gregorian date of a day counted from 1970-01-01.
fn date(day: u64) -> String {
    let is_leap = |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let (mut year, mut left) = (1970, day);
    while left >= 365 + u64::from(is_leap(year)) {
        left -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let february = 28 + u64::from(is_leap(year));
    let mut month = 1;
    for days in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30] {
        if left < days {
            break;
        }
        left -= days;
        month += 1;
    }
    format!("{year}-{month:02}-{:02}", left + 1)
}

#[cfg(test)]
mod tests {
    use super::date;

    #[test]
    fn dates_follow_the_calendar() {
        for (day, expected) in [
            (0, "1970-01-01"),
            (58, "1970-02-28"),
            (59, "1970-03-01"),
            (364, "1970-12-31"),
            (365, "1971-01-01"),
            (789, "1972-02-29"),
            (11_016, "2000-02-29"),
            (20_000, "2024-10-04"),
        ] {
            assert_eq!(date(day), expected);
        }
    }
}
