//! Project maintenance: `cargo xtask COMMAND`.

#![forbid(unsafe_code)]

mod artifacts;
mod bench;
mod chromium;
mod configs;
mod device_check;
#[cfg(test)]
mod layers;
mod licences;
mod package;
mod packages;
mod pictures;
mod pocl;
mod python_tools;
mod seed;
mod skips;
mod test;
mod vulkan;
mod words;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

const USAGE: &str = "usage: cargo xtask COMMAND [ARGUMENTS]

  check         all checks required before a merge: format, words, lints, docs, licences, packages, all tests;
                --after-test skips the quick tests, which have just passed
  test          the quick tests, with times and counted skips; ARGUMENTS, such as part of a name, go to the programs
  test --rest   the tests that the last run of `test` skipped; installs the programs that they need
  test --all    all tests at once
  golden        the comparisons with MATSim, which the quick tests run as well, with our code optimised and unchecked as
                in a release; before a release
  device-check  everything that needs a GPU, in one run; see its --help
  licences      licences and sources of all dependencies, with cargo-deny; --install installs it in target/tools
  words         unidiomatic phrases in comments, Markdown pages and names of constants
  package       the crates as they would be published, without a network and without building them
  bench         the benchmarks, with machine, commit and date; ARGUMENTS go to cargo bench
  configs       which MATSim configs of a folder run unchanged, and why the others do not
  docs          the library documentation, warnings are errors
  pictures      draws the images of README.md and the book; ARGUMENTS are parts of their names
";

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    let command = arguments.next().unwrap_or_default();
    let rest: Vec<OsString> = arguments.collect();
    let result = match command.to_str() {
        Some("check") if rest.is_empty() => check(true),
        Some("check") if rest == ["--after-test"] => check(false),
        Some("test") => test::run(&rest),
        Some("device-check") => device_check::run(&rest),
        Some("licences") if rest.is_empty() => licences::run(false),
        Some("licences") if rest == ["--install"] => licences::run(true),
        Some("words") if rest.is_empty() => words::run(),
        Some("package") if rest.is_empty() => package::run(),
        Some("golden") if rest.is_empty() => test::run_golden_as_released(),
        Some("bench") => bench::run(&rest),
        Some("configs") => configs::run(&rest),
        Some("pictures") => pictures::run(&rest),
        Some("docs") if rest.is_empty() => docs(),
        Some("-h" | "--help" | "help") => {
            print!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        _ => {
            eprint!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::FAILURE
        }
    }
}

/// Features that are off by default: conversions to and from types of other crates, and commands.
const OPTIONAL: &str = "throng/image,throng/ndarray,throng-cli/papers,throng-cli/local-memory";

/// Runs all checks: format, words, lints with and without devices, docs, licences if cargo-deny is installed, packages,
/// all tests.
fn check(runs_quick_tests: bool) -> Result<(), String> {
    step("format");
    run(cargo(&["fmt", "--all", "--", "--check"]))?;
    step("words");
    words::run()?;
    step("lint");
    let all = format!("throng-cli/host,{OPTIONAL}");
    run(cargo(&["clippy", "--workspace", "--all-targets", "--features", &all, "--", "-D", "warnings"]))?;
    step("lint, CPU only");
    let cpu_only = ["--no-default-features", "--features", OPTIONAL];
    run(cargo(&[&["clippy", "--workspace", "--all-targets"], &cpu_only[..], &["--", "-D", "warnings"]].concat()))?;
    step("docs");
    docs()?;
    step("licences");
    licences::run(false)?;
    step("package");
    package::run()?;
    if runs_quick_tests {
        step("quick tests");
        test::tests(test::Extent::Quick, &[])?;
    }
    step("other tests");
    test::tests(test::Extent::Rest, &[])
}

fn docs() -> Result<(), String> {
    let mut command = cargo(&["doc", "--workspace", "--no-deps", "--features", OPTIONAL]);
    command.env("RUSTDOCFLAGS", "-D warnings");
    run(command)
}

fn step(name: &str) {
    println!("\n== {name}");
}

/// Root folder of the workspace.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies one folder below the root of the workspace")
}

/// Returns the command `cargo ARGUMENTS`, run in the root of the workspace.
fn cargo(arguments: &[&str]) -> Command {
    let cargo = std::env::var_os("CARGO").map_or_else(|| PathBuf::from("cargo"), PathBuf::from);
    let mut command = Command::new(cargo);
    command.args(arguments).current_dir(root());
    command
}

/// Sets the runtime folder; Mesa complains on standard error if it is missing.
fn with_runtime_folder(command: &mut Command) {
    if std::env::var_os("XDG_RUNTIME_DIR").is_none() {
        command.env("XDG_RUNTIME_DIR", std::env::temp_dir());
    }
}

/// Formats an error about a file or folder.
fn at(path: &Path) -> impl Fn(std::io::Error) -> String {
    move |error| format!("{}: {error}", path.display())
}

/// Runs a command with inherited output.
fn run(mut command: Command) -> Result<(), String> {
    let status = command.status().map_err(|error| format!("{} cannot be started: {error}", name(&command)))?;
    if status.success() { Ok(()) } else { Err(format!("`{}` failed ({status})", name(&command))) }
}

/// Runs a command quietly and returns whether it succeeded.
fn succeeds(mut command: Command) -> bool {
    command.output().is_ok_and(|output| output.status.success())
}

/// Formats the command as it would be typed.
fn name(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_name().unwrap_or(command.get_program());
    std::iter::once(program).chain(command.get_args()).map(|part| part.to_string_lossy()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Appends the text of all Rust files below `folder`.
    pub(crate) fn rust_files(folder: &Path, text: &mut String) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                rust_files(&path, text);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                text.push_str(&std::fs::read_to_string(path).unwrap());
            }
        }
    }

    /// Returns the content of a file named on the differences page; its path begins with the name of a crate.
    fn named_file(path: &str) -> Option<String> {
        let (name, path) = path.split_once('/')?;
        std::fs::read_to_string(layers::folder_of(name)?.join(path)).ok()
    }

    /// Returns the tests that a page names but that do not exist, and the number of existing ones. Tests follow the
    /// name of their file.
    fn missing_tests(page: &str) -> (Vec<String>, usize) {
        let (mut missing, mut found) = (Vec::new(), 0);
        for paragraph in page.split("\n\n").filter(|text| text.starts_with("*Test")) {
            let mut file = (String::new(), String::new());
            let words = paragraph.split(|c: char| !(c.is_alphanumeric() || "_/.-".contains(c)));
            for word in words.map(|word| word.trim_end_matches('.')) {
                if word.contains('/') {
                    let code = named_file(word).unwrap_or_else(|| {
                        missing.push(word.to_owned());
                        String::new()
                    });
                    file = (word.to_owned(), code);
                } else if word.contains('_') && file.1.contains(&format!("fn {word}(")) {
                    found += 1;
                } else if word.contains('_') {
                    missing.push(format!("{word} in {}", file.0));
                }
            }
        }
        (missing, found)
    }

    #[test]
    fn tests_named_in_the_differences_exist() {
        let page = std::fs::read_to_string(root().join("docs/src/differences.md")).unwrap();
        let (missing, found) = missing_tests(&page);
        assert!(missing.is_empty(), "docs/src/differences.md names {missing:?}");
        assert!(found > 30, "{found}");
    }

    #[test]
    fn missing_tests_and_files_are_reported() {
        let page = "*Test: `tests/nowhere.rs` a_test.*\n\n*Tests: `throng-queue/tests/golden.rs` the_default_of_nothing;\n`throng-queue/tests/golden.rs`.*";
        let expected = [
            "tests/nowhere.rs",
            "a_test in tests/nowhere.rs",
            "the_default_of_nothing in throng-queue/tests/golden.rs",
        ];
        assert_eq!(missing_tests(page), (expected.map(str::to_owned).to_vec(), 0));
    }
}
