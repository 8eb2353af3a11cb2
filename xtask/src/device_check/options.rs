//! Command-line options of `cargo xtask device-check`.

use std::ffi::OsString;
use std::path::PathBuf;

/// Default time limit in seconds, after which no suite is started and running ones are stopped.
const LIMIT_S: u64 = 540;

/// Options of a check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Options {
    /// Folder to pack into, instead of running the suites.
    pub(super) pack: Option<PathBuf>,
    /// An unpacked folder to run in.
    pub(super) at: Option<PathBuf>,
    pub(super) release: bool,
    pub(super) figures: bool,
    /// Run only suites whose names contain one of these; empty means all.
    pub(super) only: Vec<String>,
    /// Backends to hide.
    pub(super) skip: Vec<String>,
    pub(super) limit_s: u64,
    /// Time limit per suite in seconds, so that a hanging suite leaves time for the others.
    pub(super) each_s: Option<u64>,
    /// List the suites.
    pub(super) list: bool,
    pub(super) help: bool,
}

impl Options {
    /// Parses the arguments.
    pub(super) fn parse(arguments: &[OsString]) -> Result<Self, String> {
        let mut options = Self {
            pack: None,
            at: None,
            release: false,
            figures: false,
            only: Vec::new(),
            skip: Vec::new(),
            limit_s: LIMIT_S,
            each_s: None,
            list: false,
            help: false,
        };
        // An option that affects only running, not packing.
        let mut of_run = None;
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            let name = argument.to_string_lossy();
            if ["--figures", "--only", "--skip", "--limit", "--each"].contains(&&*name) {
                of_run = Some(name.to_string());
            }
            let mut value = || rest.next().ok_or_else(|| format!("{name} needs a value; see --help"));
            match &*name {
                "--pack" => options.pack = Some(value()?.into()),
                "--at" => options.at = Some(value()?.into()),
                "--release" => options.release = true,
                "--figures" => options.figures = true,
                "--only" => options.only.push(value()?.to_string_lossy().into_owned()),
                "--skip" => options.skip.push(backend(&value()?.to_string_lossy())?),
                "--limit" => options.limit_s = seconds("--limit", &value()?.to_string_lossy())?,
                "--each" => options.each_s = Some(seconds("--each", &value()?.to_string_lossy())?),
                "--list" => options.list = true,
                "-h" | "--help" => options.help = true,
                other => return Err(format!("{other} is not an option of device-check; see --help")),
            }
        }
        match of_run {
            Some(option) if options.pack.is_some() => {
                Err(format!("{option} has no effect on --pack; give it to run.sh on the other machine"))
            }
            _ => Ok(options),
        }
    }

    /// Whether a suite is selected.
    pub(super) fn asks_for(&self, suite: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|part| suite.contains(part.as_str()))
    }
}

fn backend(name: &str) -> Result<String, String> {
    match name {
        "cuda" | "vulkan" => Ok(name.to_owned()),
        _ => Err(format!("--skip {name}: give cuda or vulkan")),
    }
}

fn seconds(flag: &str, text: &str) -> Result<u64, String> {
    let seconds = text.parse().ok().filter(|seconds| (1..=86_400).contains(seconds));
    seconds.ok_or_else(|| format!("{flag} {text}: give whole seconds from 1 to 86400"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Options, String> {
        Options::parse(&text.split_whitespace().map(OsString::from).collect::<Vec<_>>())
    }

    #[test]
    fn options_are_parsed_and_invalid_options_are_refused() {
        let options = parse("--pack p --release").unwrap();
        assert_eq!((options.pack, options.release), (Some("p".into()), true));
        let options = parse("--skip vulkan --only golden --only check --limit 60").unwrap();
        assert_eq!((options.pack, options.release, options.limit_s), (None, false, 60));
        assert_eq!((options.skip, options.only.len()), (vec!["vulkan".to_owned()], 2));
        let only = parse("--only golden").unwrap();
        assert!(only.asks_for("tests/throng-queue/golden") && !only.asks_for("check"));
        assert!(parse("").unwrap().asks_for("check"));
        for (text, part) in [
            ("--pack", "--pack needs a value"),
            ("--skip metal", "--skip metal: give cuda or vulkan"),
            ("--limit 0", "--limit 0: give whole seconds"),
            ("golden", "golden is not an option"),
            ("--limit 60 --pack p", "--limit has no effect on --pack; give it to run.sh"),
            ("--pack p --figures", "--figures has no effect on --pack"),
        ] {
            let error = parse(text).unwrap_err();
            assert!(error.starts_with(part), "{error}");
        }
    }
}
