//! The project as a value, for lists of papers.

use throng_core::VerificationCase;
use throng_model::Failure;
use throng_model::flags::{Flag, Flags};
use throng_model::paper::{Experiment, PaperHelp, ReproduceRequest};

use super::{kalah, ray_tracer};
use crate::experiment::{Declaration, MeasuredOn, Statements, Trial, experiment, results};

/// Parts of the experiment, and the flags that belong to only one of them.
const KALAH: &str = "kalah";
const RAY_TRACER: &str = "ray-tracer";
const FLAGS_OF_PARTS: [(&str, &str); 4] =
    [("depths", KALAH), ("split-depth", KALAH), ("repeat", KALAH), ("frames", RAY_TRACER)];

/// Both parts have the flags `longest` and `threads`.
const FLAGS: [Flag; 7] = {
    let [depths, split_depth, longest, repeat, threads] = *kalah::FLAGS else { panic!("Kalah has five flags") };
    let only = Flag::new("only", "PART", "Part of the experiment: kalah or ray-tracer [default: both]");
    [only, depths, split_depth, ray_tracer::FLAGS[0], longest, repeat, threads]
};

const CASES: [VerificationCase<Trial>; 4] = {
    let [layered, deep, splits] = kalah::CASES;
    [layered, deep, splits, ray_tracer::CASE]
};

/// The experiments of Kloosterman's project.
pub const KLOOSTERMAN: Declaration = Declaration {
    name: "kloosterman",
    help: PaperHelp {
        about: "Kloosterman 2013: a minimax player of Kalah, with a tree in an array, and a ray tracer",
        scenario: "",
        device: "Device to measure besides the CPU: auto selects the fastest GPU, cpu none",
        quick: "Depths 4 to 8, the splits of depth 9 and small images: takes a few minutes on a software device",
        out: "Folder for kalah.csv, kalah_splits.csv, kalah.md, for three or more depths kalah.svg, ray_tracer.csv, .md, \
              _paper.png and _full.png, statements.md, and manifest.json",
        flags: &FLAGS,
        more:
            "Minimax without pruning from the start of Kalah with 6 pits and 4 stones, as the paper measures it: a \
sequential program, the paper's layered search with its tiles of 259 boards on the CPU and on the device, and Throng's \
search. Each program's value and move is compared before its time is reported.

Images of 216 and 1,000 spheres above a plane, in the paper's style and with mirrors in mirrors, by brute force and with a \
tree, on one thread, on all, and on the device. Images are compared before any timing. The paper gives neither camera nor \
light, so its frames per second can only be compared with these qualitatively.

Examples:
  throng reproduce kloosterman
      everything, on the fastest device: a few minutes, mostly for the sequential program
  throng reproduce kloosterman --only ray-tracer
      without Kalah: a minute or two
  throng reproduce kloosterman --only kalah --depths 13 --longest 0 --split-depth 0
      only the greatest depth of the paper
  throng reproduce kloosterman --quick --device vulkan:0
      small depths and images: a quick test",
    },
    plan,
    cases: &CASES,
};

fn plan(request: &ReproduceRequest) -> Result<Experiment, Failure> {
    let Parts { kalah, ray_tracer } = parts(request.quick, &request.flags)?;
    Ok(experiment(&[kalah::NAMES, ray_tracer::NAMES].join(" "), move |on, progress| {
        let (mut texts, mut files) = (Vec::new(), Vec::new());
        let measured_on = MeasuredOn::of(on.device());
        let mut statements = Statements::on(measured_on);
        if let Some(options) = kalah {
            let measurements = kalah::reproduce(on.device(), &options, progress)?;
            texts.push("Kloosterman 2013, minimax player of Kalah\n\n".to_owned() + &kalah::text(&measurements));
            statements.append(kalah::statements(&measurements, measured_on));
            files.extend(kalah::files(&measurements));
        }
        if let Some(options) = ray_tracer {
            let measurements = ray_tracer::reproduce(on, &options, progress)?;
            texts.push("Kloosterman 2013, ray tracer\n\n".to_owned() + &ray_tracer::text(&measurements));
            statements.append(ray_tracer::statements(&measurements, measured_on));
            files.extend(ray_tracer::files(&measurements));
        }
        Ok(results(&texts.join("\n"), &statements, files))
    }))
}

/// The parts to measure.
#[derive(Debug)]
struct Parts {
    kalah: Option<kalah::Options>,
    ray_tracer: Option<ray_tracer::Options>,
}

fn parts(quick: bool, flags: &Flags) -> Result<Parts, Failure> {
    let only = flags.get("only");
    if let Some(only) = only {
        if ![KALAH, RAY_TRACER].contains(&only) {
            return Err(Failure::input("--only", format!("{only:?}"), format!("give {KALAH} or {RAY_TRACER}")));
        }
        let of_other = |(flag, part): &&(&str, &str)| *part != only && flags.has(flag);
        if let Some((flag, part)) = FLAGS_OF_PARTS.iter().find(of_other) {
            let message = format!("is for {part}, which --only {only} leaves out");
            return Err(Failure::input(format!("--{flag}"), message, "leave out one of the two"));
        }
    }
    let (kalah, ray_tracer) = (kalah::Options::of(quick, flags)?, ray_tracer::Options::of(quick, flags)?);
    Ok(Parts {
        kalah: (only != Some(RAY_TRACER)).then_some(kalah),
        ray_tracer: (only != Some(KALAH)).then_some(ray_tracer),
    })
}

#[cfg(test)]
mod tests {
    use throng_model::paper::{Paper, Reproduced};

    use super::*;
    use crate::experiment::flags;

    fn parts_of(quick: bool, given: &[(&str, &str)]) -> Result<Parts, Failure> {
        parts(quick, &flags::from_values(&KLOOSTERMAN, given))
    }

    #[test]
    fn explicit_flags_override_quick() {
        let all = parts_of(false, &[]).unwrap();
        let (kalah, ray_tracer) = (all.kalah.unwrap(), all.ray_tracer.unwrap());
        assert_eq!((kalah.depths.len(), kalah.split_depth, kalah.repeat), (10, 13, 5));
        assert_eq!((ray_tracer.edges, ray_tracer.size, ray_tracer.frames), (vec![6, 10], 700, 20));
        let given = [("depths", "9,4"), ("split-depth", "0"), ("frames", "5"), ("longest", "7"), ("threads", "3")];
        let quick = parts_of(true, &given).unwrap();
        let (kalah, ray_tracer) = (quick.kalah.unwrap(), quick.ray_tracer.unwrap());
        assert_eq!((kalah.depths.as_slice(), kalah.split_depth, kalah.repeat), ([4, 9].as_slice(), 0, 3));
        assert_eq!((ray_tracer.size, ray_tracer.frames), (100, 5));
        assert_eq!([(kalah.longest_s, kalah.threads), (ray_tracer.longest_s, ray_tracer.threads)], [(7.0, 3); 2]);
    }

    #[test]
    fn a_part_can_be_measured_alone() {
        let is_measured = |given: &[(&str, &str)]| {
            parts_of(false, given).map(|parts| (parts.kalah.is_some(), parts.ray_tracer.is_some()))
        };
        assert_eq!(is_measured(&[]).unwrap(), (true, true));
        assert_eq!(is_measured(&[("only", "kalah"), ("depths", "5")]).unwrap(), (true, false));
        assert_eq!(is_measured(&[("only", "ray-tracer"), ("frames", "2"), ("longest", "1")]).unwrap(), (false, true));
        let failure = is_measured(&[("only", "ray-tracer"), ("depths", "5")]).unwrap_err();
        let text = "--depths: is for kalah, which --only ray-tracer leaves out\n    leave out one of the two";
        assert_eq!(failure.to_string(), text);
    }

    #[test]
    fn the_files_of_a_part_are_among_the_names() {
        let request = ReproduceRequest {
            scenario: None,
            quick: true,
            flags: flags::from_values(&KLOOSTERMAN, &[("only", "ray-tracer"), ("frames", "1"), ("threads", "2")]),
        };
        let Experiment { names, measure, .. } = KLOOSTERMAN.experiment(&request).unwrap();
        let Reproduced { text, files, .. } =
            measure(&throng_device::Executor::cpu(), &throng_core::NoProgress).unwrap();
        assert!(text.starts_with("Kloosterman 2013, ray tracer\n") && !text.contains("Kalah"), "{text}");
        // Small images decide none of the statements about times, which are listed all the same.
        let why = "because they need a GPU, or programs or cases that were left out; statements.md has all\n";
        assert!(text.contains("7 statements: ") && text.ends_with(&format!(" 6 not measured, {why}")), "{text}");
        assert!(files.len() == 5 && files.iter().all(|(name, _)| names.contains(name)));
    }

    #[test]
    fn out_of_range_values_are_refused() {
        flags::are_refused(
            &KLOOSTERMAN,
            &[
                ("depths", "3"),
                ("depths", "16"),
                ("depths", "4,4"),
                ("split-depth", "-1"),
                ("split-depth", "3"),
                ("longest", "NaN"),
                ("repeat", "0"),
                ("frames", "0"),
                ("only", "raytracer"),
                ("only", ""),
            ],
        );
    }
}
