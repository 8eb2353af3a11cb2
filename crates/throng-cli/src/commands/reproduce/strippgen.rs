//! `throng reproduce strippgen`.

use throng::city::CityOptions;
use throng::model::Failure;
use throng::papers::strippgen::{self, Measurements, Options};
use throng::traffic::{Scenario, check_files, load};
use throng_core::{Progress, clock};
use throng_device::{AnyDevice, DeviceClass};

use crate::args::StrippgenArgs;
use crate::exit::Outcome;
use crate::scenario::day;
use crate::{progress, report};

pub(super) fn run(args: &StrippgenArgs) -> Result<Outcome, Failure> {
    let mut options = options(args)?;
    let folder = super::folder(&args.out, args.overwrite, args.scenario.as_deref(), &strippgen::FILE_NAMES)?;
    let device = super::device(args.device, args.verbosity)?;
    let is_software = |device: &AnyDevice| device.info().class == DeviceClass::Software;
    options.whole_day &= !device.as_ref().is_some_and(is_software);

    let display = progress::display(args.verbosity);
    let scenario = scenario(args, display.as_ref())?;
    let measurements = strippgen::reproduce(&scenario, device.as_ref(), &options, display.as_ref())?;
    if !args.verbosity.quiet {
        let mut text = super::provenance(device.as_ref());
        text.push_str(&heading(args, &measurements));
        text.push_str(&strippgen::table(&measurements));
        report::print(&text)?;
        if measurements.is_empty_road() {
            let to = clock::format(f64::from(options.from_s + options.steps));
            report::tell(format_args!(
                "note: no vehicle is on the road from {} to {to}; choose another time with --from",
                args.from
            ));
        }
    }
    folder.begin_anew(&strippgen::FILE_NAMES)?;
    let files = strippgen::write(&measurements, &folder)?;
    super::finish(&folder, &files, args.verbosity)
}

/// Steps that `--quick` measures; the city has 400 links and 3,000 persons.
const QUICK_STEPS: u32 = 60;
/// Two days: after that no agent is under way.
const LATEST_S: f64 = 172_800.0;

fn options(args: &StrippgenArgs) -> Result<Options, Failure> {
    let mut defaults = Options::default();
    if args.quick {
        let percents = vec![10.0, 100.0];
        defaults = Options { percents, steps: QUICK_STEPS, repeat: 1, whole_day: false, ..defaults };
    }
    super::each_once("--samples", &args.samples)?;
    for &percent in &args.samples {
        if !(percent > 0.0 && percent <= 100.0) {
            let message = format!("{percent} % is not a sample of the persons");
            return Err(Failure::input("--samples", message, "give percentages above 0 and up to 100"));
        }
    }
    let wrong = || {
        let message = format!("\"{}\" is not a time at which measuring can begin", args.from);
        Failure::input("--from", message, "give HH:MM:SS, from 00:00:00 to 48:00:00")
    };
    let from = clock::parse(&args.from).ok().flatten().filter(|from| (0.0..=LATEST_S).contains(from));
    let from = from.ok_or_else(wrong)?;
    Ok(Options {
        percents: if args.samples.is_empty() { defaults.percents } else { args.samples.clone() },
        from_s: from as u32,
        steps: args.steps.unwrap_or(defaults.steps),
        repeat: args.repeat.map_or(defaults.repeat, |repeat| repeat as usize),
        threads: args.threads.map_or_else(super::all_threads, |threads| threads as usize),
        ..defaults
    })
}

fn scenario(args: &StrippgenArgs, progress: &dyn Progress) -> Result<Scenario, Failure> {
    let Some(named) = &args.scenario else {
        let small = CityOptions { links: 400, persons: 3000, days: 0, ..CityOptions::default() };
        let options = if args.quick { small } else { CityOptions::default() };
        return Ok(strippgen::generated_city(&options, progress)?);
    };
    let day = day(named, &[])?;
    report::about_settings(&day.warnings, &day.notes, args.verbosity);
    check_files(&day.settings)?;
    let mut warnings = day.warnings.clone();
    let scenario = load::load_scenario(day.settings, &mut warnings, progress)?;
    report::new_warnings(&warnings, &day.warnings, args.verbosity);
    Ok(scenario)
}

/// The subject of the table.
fn heading(args: &StrippgenArgs, measurements: &Measurements) -> String {
    let (links, nodes) = measurements.network;
    let what = match &args.scenario {
        Some(path) => path.display().to_string(),
        None => "a generated city".to_owned(),
    };
    let left_out = match measurements.left_out {
        0 => String::new(),
        1 => "; 1 car leg without a complete route is left out".to_owned(),
        n => format!("; {n} car legs without a complete route are left out"),
    };
    let toy = if args.quick {
        "a small city and few steps, a quick test: not comparable with the paper's 850,000 agents\n"
    } else {
        ""
    };
    format!(
        "Strippgen and Nagel 2009, {what}: {links} links, {nodes} nodes{left_out}\n{toy}\
         simulated seconds per second of wall-clock time, larger is faster; medians of up to {} runs, single runs where no \
         slowest and fastest run is given\n\n",
        measurements.options.repeat
    )
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;
    use crate::args::{Arguments, Command, Reproduce};

    fn options_of(typed: &[&str]) -> Result<Options, Failure> {
        let all = ["throng", "reproduce", "strippgen"].iter().chain(typed);
        let Command::Reproduce(args) = Arguments::try_parse_from(all).unwrap().command else { panic!("not reproduce") };
        let Reproduce::Strippgen(args) = args.paper else { panic!("not strippgen") };
        options(&args)
    }

    #[test]
    fn what_is_typed_counts_more_than_quick() {
        let all = options_of(&[]).unwrap();
        assert_eq!((all.percents.len(), all.from_s, all.steps, all.repeat), (5, 27_000, 900, 5));
        let quick = options_of(&["--quick", "--samples", "5,50", "--from", "06:00:00", "--repeat", "2"]).unwrap();
        assert_eq!(quick.percents, [5.0, 50.0]);
        assert_eq!((quick.from_s, quick.steps, quick.repeat, quick.whole_day), (21_600, QUICK_STEPS, 2, false));
    }

    #[test]
    fn impossible_samples_and_times_are_refused() {
        for (typed, place) in [
            (["--samples", "10,0"], "--samples"),
            (["--samples", "10,1,10"], "--samples"),
            (["--from", "noon"], "--from"),
        ] {
            let Err(Failure::Input(problems)) = options_of(&typed) else { panic!("{typed:?} was taken") };
            assert!(problems.to_string().starts_with(place), "{problems}");
        }
    }
}
