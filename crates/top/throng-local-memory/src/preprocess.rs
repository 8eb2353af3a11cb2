//! Macro expansion, by the system's C preprocessor.
//!
//! A preprocessor preserves lines but not columns. So each token of the file is passed to it on a separate line, and
//! the line number identifies the token. In the output, it shows where each token was written in the original
//! file, or which macro it comes from.

use std::fs::File;
use std::io::{self, Seek as _, Write as _};
use std::path::Path;
use std::time::Duration;

use throng_core::{InputError, Problems};

use crate::limited::{Limits, RunError, command, run as run_limited};
use crate::pieces::{Origin, Piece, Pieces};
use crate::place::Place;
use crate::tokens::{TokenKind, tokens};
use crate::{AnalysisOptions, Source};

/// Compilers whose preprocessor can be used; the first that is found is used.
const PROGRAMS: [&str; 4] = ["cc", "gcc", "clang", "cpp"];
/// Selects OpenCL C instead of the host's macros: no `__x86_64__`, but the OpenCL versions that kernels test.
const ARGUMENTS: [&str; 16] = [
    "-E",
    // Keeps the definitions of macros, which the rewriter needs.
    "-dD",
    "-x",
    "c",
    "-undef",
    "-nostdinc",
    "-w",
    "-D__OPENCL_VERSION__=120",
    "-D__OPENCL_C_VERSION__=120",
    "-DCL_VERSION_1_0=100",
    "-DCL_VERSION_1_1=110",
    "-DCL_VERSION_1_2=120",
    "-D__ENDIAN_LITTLE__=1",
    "-D__IMAGE_SUPPORT__=1",
    "-I",
    ".",
];
/// Generous limits: a preprocessor needs far less for any file of kernels.
const LIMITS: Limits = Limits { time: Duration::from_secs(10), output_bytes: 64 << 20, memory_bytes: 2 << 30 };
/// The name of the standard input in the preprocessor's output.
const INPUT: &str = "<stdin>";

/// Replaces the pieces with the preprocessor's output if the file has directives other than `#pragma`, or the options
/// define macros. Without a C compiler, such a file is rejected.
pub(crate) fn preprocess(source: &Source, pieces: &mut Pieces, options: &AnalysisOptions) -> Result<(), InputError> {
    let of_kind = |kind| pieces.tokens.iter().enumerate().filter(move |(_, token)| token.kind == kind);
    if let Some((number, _)) = of_kind(TokenKind::OpenComment).next() {
        let place = pieces.place_of_token(number).to_string();
        return Err(InputError::one(place, "this comment has no end", "close it with */"));
    }
    let needs_it = |text: &str| !text[1..].trim_start().starts_with("pragma");
    let has_directives = of_kind(TokenKind::Directive).any(|(_, token)| needs_it(token.text(&pieces.original)));
    if has_directives || !options.defines.is_empty() { run(source, pieces, options) } else { Ok(()) }
}

fn run(source: &Source, pieces: &mut Pieces, options: &AnalysisOptions) -> Result<(), InputError> {
    let failed = |error: &io::Error| {
        let message = format!("the C preprocessor cannot be run: {error}");
        InputError::resource(source.name(), message, "free space in the folder of temporary files, and try again")
    };
    let endless = |message: String| {
        InputError::one(
            source.name(),
            message,
            "check whether the file includes a device or a pipe, or endlessly includes itself",
        )
    };
    for program in PROGRAMS {
        let input = one_token_per_line(pieces).map_err(|error| failed(&error))?;
        let folder = source.folder().unwrap_or(Path::new("."));
        let mut command = command(program, LIMITS);
        command.args(ARGUMENTS).args(options.defines.iter().map(|define| format!("-D{define}"))).arg("-");
        // The messages are parsed, so they must be in English.
        command.current_dir(folder).env("LC_ALL", "C").stdin(input);
        let output = match run_limited(command, LIMITS) {
            Err(RunError::NotFound) => continue,
            Err(RunError::Io(error)) => return Err(failed(&error)),
            Err(RunError::TooLong) => {
                let seconds = LIMITS.time.as_secs();
                return Err(endless(format!("the C preprocessor ran longer than {seconds} seconds, and was stopped")));
            }
            Err(RunError::TooMuch) => {
                let size = LIMITS.output_bytes >> 20;
                return Err(endless(format!("the C preprocessor wrote more than {size} MiB, and was stopped")));
            }
            Ok(output) => output,
        };
        if output.status.success() {
            pieces.macros.extend(macros(&output.text));
            pieces.all = read_pieces(pieces, folder, &output.text);
            return Ok(());
        }
        if output.messages.contains("out of memory") {
            let size = LIMITS.memory_bytes >> 30;
            return Err(endless(format!("the C preprocessor needs more than {size} GiB of memory, and was stopped")));
        }
        return Err(rejected(pieces, folder, program, &output.messages));
    }
    let message = format!("the file has macros, and there is no C preprocessor here ({})", PROGRAMS.join(", "));
    Err(InputError::resource(source.name(), message, "install a C compiler, or preprocess the file where there is one"))
}

/// Writes the file with one token per line. Directives, which must be on one line, are joined.
fn one_token_per_line(pieces: &Pieces) -> io::Result<File> {
    let mut text = String::with_capacity(pieces.original.len() * 2);
    for (number, token) in pieces.tokens.iter().enumerate() {
        let written = token.text(&pieces.original);
        match token.kind {
            TokenKind::Directive => text.push_str(&directive_in_one_line(written, pieces.line_of_token(number))),
            _ if written == "__LINE__" => text.push_str(&pieces.line_of_token(number).to_string()),
            _ if written == "__FILE__" => text.push_str(LATER_FILE),
            _ => text.push_str(written),
        }
        text.push('\n');
    }
    let mut file = tempfile::tempfile()?;
    file.write_all(text.as_bytes())?;
    file.rewind()?;
    Ok(file)
}

/// Placeholders for `__LINE__` and `__FILE__` in macro definitions. Their values are inserted where the macro is used,
/// because the lines of the preprocessor's input differ from the lines of the file.
const LATER_LINE: &str = "throng_later_line__";
const LATER_FILE: &str = "throng_later_file__";

fn directive_in_one_line(written: &str, line: usize) -> String {
    let after = written[1..].trim_start();
    // Line directives are dropped, because line numbers must be token indices.
    if after.starts_with("line") || after.starts_with(|c: char| c.is_ascii_digit()) {
        return String::new();
    }
    let joined = written.replace("\\\r\n", "").replace("\\\n", "");
    let mut out = String::with_capacity(joined.len());
    let mut rest = joined.as_str();
    // Removes comments, which may span several lines. A `/*` in a string of a directive is so rare that it is treated
    // as a comment.
    while let Some((before, comment)) = rest.split_once("/*") {
        out.push_str(before);
        out.push(' ');
        rest = comment.split_once("*/").map_or("", |(_, after)| after);
    }
    out.push_str(rest);
    let out = out.replace(['\n', '\r'], " ");
    if after.starts_with("define") {
        out.replace("__LINE__", LATER_LINE).replace("__FILE__", LATER_FILE)
    } else {
        out.replace("__LINE__", &line.to_string())
    }
}

/// Replaces the placeholders in a token: with `__LINE__` or `__FILE__` if the token is just the placeholder, with their
/// values within other names and strings.
fn later(pieces: &Pieces, text: &str, origin: &Origin) -> String {
    match text {
        LATER_LINE => return "__LINE__".to_owned(),
        LATER_FILE => return "__FILE__".to_owned(),
        _ if !text.contains("throng_later") => return text.to_owned(),
        _ => {}
    }
    let line = match origin {
        Origin::Written(token) | Origin::Expanded(token) => pieces.line_of_token(*token),
        Origin::Included(place) => place.line,
    };
    text.replace(LATER_LINE, &line.to_string()).replace(LATER_FILE, &pieces.file)
}

/// The names of all macros defined anywhere in the source or in included files.
fn macros(output: &str) -> impl Iterator<Item = String> + '_ {
    let definitions = output.lines().filter_map(|line| line.strip_prefix("#define "));
    let names = definitions.filter_map(|definition| definition.split([' ', '(']).next());
    names.map(str::to_owned)
}

/// Parses the preprocessor's output into tokens with their origins.
fn read_pieces(pieces: &Pieces, folder: &Path, output: &str) -> Vec<Piece> {
    let mut read = Vec::new();
    let (mut file, mut line) = (INPUT.to_owned(), 0);
    for text in output.lines() {
        if let Some((number, name)) = line_marker(text) {
            (line, file) = (number, if name == INPUT { name } else { in_folder(folder, &name) });
            continue;
        }
        if !text.trim_start().starts_with('#') {
            for token in tokens(text) {
                let origin = if file == INPUT {
                    Origin::Expanded(line.saturating_sub(1).min(pieces.tokens.len().saturating_sub(1)))
                } else {
                    let column = text[..token.start].chars().count() + 1;
                    Origin::Included(Place { file: file.clone(), line, column })
                };
                let text = later(pieces, token.text(text), &origin);
                read.push(Piece { text, kind: token.kind, origin });
            }
        }
        line += 1;
    }
    mark_written(pieces, &mut read);
    read
}

/// The path of an included file, which the preprocessor gives relative to the folder of the source.
fn in_folder(folder: &Path, name: &str) -> String {
    let name = name.strip_prefix("./").unwrap_or(name);
    if folder == Path::new(".") { name.to_owned() } else { folder.join(name).display().to_string() }
}

/// Parses `# 12 "file.h" 1`, which gives the origin of the next line.
fn line_marker(text: &str) -> Option<(usize, String)> {
    let rest = text.strip_prefix("# ").or_else(|| text.strip_prefix("#line "))?;
    let (number, rest) = rest.split_once(' ')?;
    let name = rest.trim_start().strip_prefix('"')?;
    let name = &name[..name.rfind('"')?];
    Some((number.parse().ok()?, name.replace("\\\\", "\\").replace("\\\"", "\"")))
}

/// Marks a token as written if it is the only token in the output of its line.
fn mark_written(pieces: &Pieces, read: &mut [Piece]) {
    for at in 0..read.len() {
        let Origin::Expanded(number) = read[at].origin else { continue };
        let is_same = |other: Option<&Piece>| other.is_some_and(|piece| piece.origin == Origin::Expanded(number));
        // A previous piece that is already marked was alone on its line, so this one belongs to another line.
        let is_alone = !(is_same(read.get(at + 1)) || at > 0 && is_same(read.get(at - 1)));
        let token = pieces.tokens[number];
        if is_alone && token.kind != TokenKind::Directive && token.text(&pieces.original) == read[at].text {
            read[at].origin = Origin::Written(number);
        }
    }
}

/// Converts the preprocessor's error messages to problems at the original places.
fn rejected(pieces: &Pieces, folder: &Path, program: &str, messages: &str) -> InputError {
    let mut problems = Problems::new();
    for line in messages.lines() {
        // `FILE:LINE:COLUMN: error: MESSAGE`; some messages have no column.
        let Some((at, message)) = line.split_once("error:") else { continue };
        let mut parts = at.trim_end().trim_end_matches("fatal").trim_end().trim_end_matches(':').splitn(3, ':');
        let (Some(file), Some(number)) = (parts.next(), parts.next()) else { continue };
        let number = number.parse::<usize>().unwrap_or(1);
        let place = if file == INPUT && number >= 1 && number <= pieces.tokens.len() {
            pieces.place_of_token(number - 1).to_string()
        } else {
            format!("{}:{number}", in_folder(folder, file))
        };
        problems.push(place, format!("the preprocessor rejects it: {}", message.trim()), "correct the directive");
    }
    if problems.is_empty() {
        let first = messages.lines().next().unwrap_or("without a message");
        problems.push(pieces.file.as_str(), format!("{program} -E failed: {first}"), "run it by hand to see why");
    }
    InputError(problems)
}
