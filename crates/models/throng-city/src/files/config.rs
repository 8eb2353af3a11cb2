//! The configuration of the city, for `throng run` and for MATSim.

use std::fmt::Write as _;

use throng_core::{clock, java_double};
use throng_output::Codec;

use super::counts;
use crate::{City, whole_day};

/// Activities with their typical durations, which MATSim needs to score plans.
const ACTIVITIES: [(&str, &str); 5] = [
    ("home", "12:00:00"),
    ("work", "08:00:00"),
    ("education", "06:00:00"),
    ("shopping", "01:00:00"),
    ("leisure", "02:00:00"),
];

/// Returns the text of `config.xml`; `with_plans`: whether there is a plans file.
pub(super) fn text(city: &City, codec: Codec, with_plans: bool) -> String {
    let suffix = codec.suffix();
    let network = format!("network.xml{suffix}");
    let plans = format!("plans.xml{suffix}");
    let seed = city.options.seed.to_string();
    let sample = java_double::text(city.options.sample);
    let qsim = whole_day().qsim;
    let [start, end] = [qsim.start_time, qsim.end_time].map(|time| clock::format(time.unwrap_or_default()));
    let mut controler = vec![("outputDirectory", "./output/city"), ("firstIteration", "0"), ("lastIteration", "0")];
    let mut plans = vec![("inputPlansFile", plans.as_str())];
    if !with_plans {
        plans.clear();
        // Output plans would be a copy of the input.
        controler.push(("writePlansInterval", "0"));
    }
    let [schedule, vehicles] = ["transitSchedule", "transitVehicles"].map(|name| format!("{name}.xml{suffix}"));
    let mut transit = vec![
        ("useTransit", "true"),
        ("transitScheduleFile", &*schedule),
        ("vehiclesFile", &*vehicles),
        ("transitModes", "pt"),
        ("routingAlgorithmType", "SwissRailRaptor"),
    ];
    if city.lines.routes.is_empty() {
        transit.clear();
    }
    let scale = java_double::text(1.0 / city.options.sample);
    let mut counts = vec![("inputCountsFile", counts::NAME), ("countsScaleFactor", &*scale)];
    if city.options.counts == 0 {
        counts.clear();
    }
    let modules: [(&str, &[(&str, &str)]); 7] = [
        ("global", &[("randomSeed", &seed), ("coordinateSystem", "Atlantis")]),
        ("network", &[("inputNetworkFile", &network)]),
        ("plans", &plans),
        ("controler", &controler),
        (
            "qsim",
            &[
                ("startTime", &start),
                ("endTime", &end),
                ("flowCapacityFactor", &sample),
                ("storageCapacityFactor", &sample),
                ("mainMode", "car"),
            ],
        ),
        ("transit", &transit),
        ("counts", &counts),
    ];
    let mut out = String::from(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n\
         <!DOCTYPE config SYSTEM \"http://www.matsim.org/files/dtd/config_v2.dtd\">\n<config>\n",
    );
    let is_written = |(module, params): &(&str, &[_])| !["transit", "counts"].contains(module) || !params.is_empty();
    for (module, params) in modules.into_iter().filter(is_written) {
        let _ = writeln!(out, "\n\t<module name=\"{module}\">");
        for (name, value) in params {
            push_param(&mut out, "\t\t", name, value);
        }
        out.push_str("\t</module>\n");
    }
    out.push_str("\n\t<module name=\"planCalcScore\">\n");
    for (activity, duration) in ACTIVITIES {
        out.push_str("\t\t<parameterset type=\"activityParams\">\n");
        push_param(&mut out, "\t\t\t", "activityType", activity);
        push_param(&mut out, "\t\t\t", "typicalDuration", duration);
        out.push_str("\t\t</parameterset>\n");
    }
    out.push_str("\t</module>\n\n</config>\n");
    out
}

fn push_param(out: &mut String, indent: &str, name: &str, value: &str) {
    let _ = writeln!(out, "{indent}<param name=\"{name}\" value=\"{value}\" />");
}
