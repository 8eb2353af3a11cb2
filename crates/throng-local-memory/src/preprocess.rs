//! Macros, by the preprocessor of the system.
//!
//! A preprocessor keeps lines but not columns. So it gets each token of the file in a line of its own, in which the number
//! of a line is that of a token: the result says of each token where in the original file it was written, or which macro
//! it comes from.

use std::fs::File;
use std::io::{self, Seek as _, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};

use throng_core::{InputError, Problems};

use crate::pieces::{Origin, Piece, Pieces};
use crate::place::Place;
use crate::tokens::{Kind, tokens};
use crate::{Options, Preprocess, Source};

/// Compilers whose preprocessor is used, the first that is found.
const PROGRAMS: [&str; 4] = ["cc", "gcc", "clang", "cpp"];
/// OpenCL C instead of the macros of the host: no `__x86_64__`, and the versions that kernels ask for.
const ARGUMENTS: [&str; 15] = [
    "-E",
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
/// The name that preprocessors give to their standard input.
const INPUT: &str = "<stdin>";

/// Replaces the pieces by those after the preprocessor, if the file has directives for one and the options allow it.
/// Returns notes for the user.
pub(crate) fn preprocess(source: &Source, pieces: &mut Pieces, options: &Options) -> Result<Vec<String>, InputError> {
    let needs_it = |text: &str| !text[1..].trim_start().starts_with("pragma");
    let of_kind = |kind| pieces.tokens.iter().enumerate().filter(move |(_, token)| token.kind == kind);
    if let Some((number, _)) = of_kind(Kind::OpenComment).next() {
        let place = pieces.place_of_token(number).to_string();
        return Err(InputError::one(place, "this comment has no end", "close it with */"));
    }
    let directives: Vec<usize> = of_kind(Kind::Directive)
        .filter(|(_, token)| needs_it(token.text(&pieces.original)))
        .map(|(number, _)| number)
        .collect();
    let Some(first) = directives.first() else {
        // Nothing can name a macro but code.
        return if options.defines.is_empty() { Ok(Vec::new()) } else { run(source, pieces, options) };
    };
    match options.preprocess {
        Preprocess::WhereNeeded => run(source, pieces, options),
        Preprocess::Never => {
            let (count, place) = (directives.len(), pieces.place_of_token(*first));
            Ok(vec![format!("{count} directives were passed over, macros were not expanded (first: {place})")])
        }
    }
}

fn run(source: &Source, pieces: &mut Pieces, options: &Options) -> Result<Vec<String>, InputError> {
    let failed = |error: &io::Error| {
        let message = format!("the C preprocessor cannot be run: {error}");
        InputError::shortage(source.name(), message, "free space in the folder of temporary files, and try again")
    };
    for program in PROGRAMS {
        let input = one_token_per_line(pieces).map_err(|error| failed(&error))?;
        let folder = source.folder().unwrap_or(Path::new("."));
        let mut command = Command::new(program);
        command.args(ARGUMENTS).args(options.defines.iter().map(|define| format!("-D{define}"))).arg("-");
        // Messages are read, so they have to be in English.
        command.current_dir(folder).env("LC_ALL", "C").stdin(Stdio::from(input));
        match command.output() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(failed(&error)),
            Ok(output) if output.status.success() => {
                pieces.all = read_pieces(pieces, &String::from_utf8_lossy(&output.stdout));
                return Ok(Vec::new());
            }
            Ok(output) => return Err(rejected(pieces, program, &String::from_utf8_lossy(&output.stderr))),
        }
    }
    let message = format!("the file has macros, and there is no C preprocessor here ({})", PROGRAMS.join(", "));
    Err(InputError::shortage(source.name(), message, "install a C compiler, or preprocess the file where there is one"))
}

/// The file with one token in each line. Directives, which have to be in one line, lose what joins several.
fn one_token_per_line(pieces: &Pieces) -> io::Result<File> {
    let mut text = String::with_capacity(pieces.original.len() * 2);
    for (number, token) in pieces.tokens.iter().enumerate() {
        let written = token.text(&pieces.original);
        match token.kind {
            Kind::Directive => text.push_str(&directive_in_one_line(written)),
            _ if written == "__LINE__" => text.push_str(&pieces.line_of_token(number).to_string()),
            _ => text.push_str(written),
        }
        text.push('\n');
    }
    let mut file = tempfile::tempfile()?;
    file.write_all(text.as_bytes())?;
    file.rewind()?;
    Ok(file)
}

fn directive_in_one_line(written: &str) -> String {
    let after = written[1..].trim_start();
    // The numbers of lines are those of tokens.
    if after.starts_with("line") || after.starts_with(|c: char| c.is_ascii_digit()) {
        return String::new();
    }
    let joined = written.replace("\\\r\n", "").replace("\\\n", "");
    let mut out = String::with_capacity(joined.len());
    let mut rest = joined.as_str();
    // Comments of several lines; those in strings of directives are so rare that they are taken as comments, too.
    while let Some((before, comment)) = rest.split_once("/*") {
        out.push_str(before);
        out.push(' ');
        rest = comment.split_once("*/").map_or("", |(_, after)| after);
    }
    out.push_str(rest);
    out.replace(['\n', '\r'], " ")
}

/// The tokens that a preprocessor has written, with their origins.
fn read_pieces(pieces: &Pieces, output: &str) -> Vec<Piece> {
    let mut read = Vec::new();
    let (mut file, mut line) = (INPUT.to_owned(), 0);
    for text in output.lines() {
        if let Some((number, name)) = line_marker(text) {
            (line, file) = (number, name);
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
                read.push(Piece { text: token.text(text).to_owned(), kind: token.kind, origin });
            }
        }
        line += 1;
    }
    mark_written(pieces, &mut read);
    read
}

/// `# 12 "file.h" 1`, which says where the next line comes from.
fn line_marker(text: &str) -> Option<(usize, String)> {
    let rest = text.strip_prefix("# ").or_else(|| text.strip_prefix("#line "))?;
    let (number, rest) = rest.split_once(' ')?;
    let name = rest.trim_start().strip_prefix('"')?;
    let name = &name[..name.rfind('"')?];
    Some((number.parse().ok()?, name.replace("\\\\", "\\").replace("\\\"", "\"")))
}

/// A token is as written if it is all that its line has become.
fn mark_written(pieces: &Pieces, read: &mut [Piece]) {
    for at in 0..read.len() {
        let Origin::Expanded(number) = read[at].origin else { continue };
        let is_same = |other: Option<&Piece>| other.is_some_and(|piece| piece.origin == Origin::Expanded(number));
        // The one before may be marked by now; then it was alone.
        let is_alone = !(is_same(read.get(at + 1)) || at > 0 && is_same(read.get(at - 1)));
        let token = pieces.tokens[number];
        if is_alone && token.kind != Kind::Directive && token.text(&pieces.original) == read[at].text {
            read[at].origin = Origin::Written(number);
        }
    }
}

/// What the preprocessor says about the file, with the original places.
fn rejected(pieces: &Pieces, program: &str, messages: &str) -> InputError {
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
            format!("{file}:{number}")
        };
        problems.push(place, format!("the preprocessor rejects it: {}", message.trim()), "correct the directive");
    }
    if problems.is_empty() {
        let first = messages.lines().next().unwrap_or("without a message");
        problems.push(pieces.file.as_str(), format!("{program} -E failed: {first}"), "run it by hand to see why");
    }
    InputError(problems)
}
