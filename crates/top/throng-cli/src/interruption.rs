//! Handles Ctrl-C: incomplete files are removed, and a message lists the kept files and the next step.

use std::io::IsTerminal as _;

use throng::output::{AbandonedOutput, abandon_output};
use throng_core::shell_word;

use crate::args::{Command, ToolArgs};
use crate::report;

/// The exit code of an interrupted program, as in shells.
const EXIT_CODE: i32 = 130;

/// Maximum time for cleaning up.
const CLEANUP_TIMEOUT: std::time::Duration = std::time::Duration::from_secs(5);

/// Ends the process when the user presses Ctrl-C, unless SIGINT is ignored, as for commands that a script starts in the
/// background. If the system refuses the handler, Ctrl-C still ends the process, and the next run cleans up.
pub(crate) fn handle(command: &Command) {
    let kept = KeptOutput::of(command);
    // Unlike `set_handler`, this does not change an ignored signal.
    let _ = ctrlc::try_set_handler(move || {
        // A hanging disk or a full pipe must not keep the process alive.
        let _ = std::thread::Builder::new().spawn(|| {
            std::thread::sleep(CLEANUP_TIMEOUT);
            std::process::exit(EXIT_CODE)
        });
        let left = abandon_output();
        // The terminal has echoed ^C, possibly after a progress bar.
        let line = if std::io::stderr().is_terminal() { "\n" } else { "" };
        report::print_to_stderr(format_args!("{line}interrupted: {}", sentence(&kept, &left)));
        std::process::exit(EXIT_CODE);
    });
}

/// The output that a command keeps when it is interrupted.
#[derive(Debug, Clone, PartialEq, Eq)]
enum KeptOutput {
    /// The finished runs of a sweep, in its folder.
    Runs(String),
    /// No unfinished files; the same command starts again from the beginning.
    Nothing,
    /// Everything that the command has saved so far, such as the table of a solver.
    Saved,
    /// The command is a live page, which has no output.
    Page,
}

impl KeptOutput {
    fn of(command: &Command) -> Self {
        match command {
            Command::Sweep(args) => Self::Runs(shell_word(&args.out)),
            Command::Tool(ToolArgs { command, .. }) => match command.as_str() {
                "view" => Self::Page,
                "render" => Self::Nothing,
                _ => Self::Saved,
            },
            _ => Self::Nothing,
        }
    }
}

fn sentence(kept: &KeptOutput, left: &AbandonedOutput) -> String {
    let next = match kept {
        KeptOutput::Page => return "the page is closed".to_owned(),
        KeptOutput::Runs(folder) => {
            return format!(
                "finished runs are kept in {folder}, those in progress are lost; the same command resumes the sweep"
            );
        }
        KeptOutput::Saved => "everything saved so far is kept",
        KeptOutput::Nothing => "the same command starts again from the beginning",
    };
    let removed = match left.removed.as_slice() {
        [] => "there were no unfinished files".to_owned(),
        [file] => format!("the unfinished {} was removed", file.display()),
        [file, ..] => format!("{} unfinished files were removed, such as {}", left.removed.len(), file.display()),
    };
    let complete = match left.kept.as_slice() {
        [] => String::new(),
        [file] => format!(", {} was kept until the next run replaces it", file.display()),
        [file, ..] => {
            format!(", {} complete ones such as {} were kept until the next run", left.kept.len(), file.display())
        }
    };
    format!("{removed}{complete}; {next}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_message_lists_removed_and_kept_files_and_the_next_step() {
        let left = |removed: &[&str], kept: &[&str]| AbandonedOutput {
            removed: removed.iter().map(Into::into).collect(),
            kept: kept.iter().map(Into::into).collect(),
        };
        let again = "; the same command starts again from the beginning";
        for (removed, kept, expected) in [
            (&[][..], &[][..], "there were no unfinished files"),
            (&["film.png"], &[], "the unfinished film.png was removed"),
            (
                &["a", "b"],
                &["c"],
                "2 unfinished files were removed, such as a, c was kept until the next run replaces it",
            ),
        ] {
            assert_eq!(sentence(&KeptOutput::Nothing, &left(removed, kept)), format!("{expected}{again}"));
        }
        let of_sweep = sentence(&KeptOutput::Runs("'my sweeps'".to_owned()), &left(&["a"], &[]));
        assert!(of_sweep.contains("kept in 'my sweeps'") && of_sweep.ends_with("resumes the sweep"), "{of_sweep}");
    }
}
