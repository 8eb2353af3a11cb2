//! Conversion of files between versions of a format and between compressions.
//!
//! [`convert`] detects the kind of a file and converts it. The suffix of the output determines its compression: `.gz`,
//! `.zst`, or none. Files are streamed; an output gets its final name only when it is complete.
//!
//! | kind | versions |
//! |---|---|
//! | network | between 1 and 2 |
//! | plans | between 4, 5 and 6; routes in version 4 consist of nodes, so conversion from or to it needs the network |
//! | vehicles | 1 to 2 |
//! | events, and all other text | compression only |

mod copy;
mod kind;
mod plans;
mod transformed;
mod used_vehicles;
mod vehicles;

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use throng_core::{InputError, Warnings};
use throng_output::{TextFile, check_target};

pub use copy::copy_xml;
pub use kind::{FileKind, kind_of};
pub use transformed::copy_transformed;
pub use used_vehicles::write_used_vehicles;

use crate::formats::network_writer::{NetworkVersion, convert_network};
use crate::formats::open::TextInput;
use crate::formats::value::quoted;
use throng_output::FileError;

/// Options of [`convert`].
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ConvertOptions {
    /// The network, for plans whose routes change between nodes and links.
    pub network: Option<PathBuf>,
    /// The target version, for example `v6`, `6` or `2.0`; `None` leaves the content unchanged.
    pub version: Option<String>,
}

/// Counts and warnings of a conversion, returned by [`convert`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConvertReport {
    /// Kind of the converted file.
    pub kind: FileKind,
    /// Version of the input, if known.
    pub from: Option<u8>,
    /// Version of the output, if known.
    pub to: Option<u8>,
    /// Number of persons converted or of events copied; 0 otherwise.
    pub records: u64,
    /// Warnings, for example about data that the new version cannot hold.
    pub warnings: Warnings,
}

/// Converts `input` to `output`, which is replaced if it is a regular file and not an input.
///
/// Without a version in `options`, or if the file already has that version, the text is copied unchanged and only the
/// compression changes; XML is checked for well-formedness along the way.
///
/// # Errors
/// If the input is not usable, the conversion does not exist, or the output cannot be written. No output is left
/// behind.
pub fn convert(input: &Path, output: &Path, options: &ConvertOptions) -> Result<ConvertReport, FileError> {
    check_target(output, [input].into_iter().chain(options.network.as_deref()))?;
    refuse_other_endings(input, output)?;
    let (kind, from) = kind_of(input)?;
    let to = options.version.as_deref().map(version_number).transpose()?;
    let mut report = ConvertReport { kind, from, to: to.or(from), records: 0, warnings: Warnings::new() };

    let failed = |error: io::Error| FileError::writing(output, error);
    let mut out = TextFile::at(output)?;
    match (kind, to) {
        (_, None) => report.records = copy::copy(input, kind, &mut out, output)?,
        (_, Some(to)) if from == Some(to) => report.records = copy::copy(input, kind, &mut out, output)?,
        (FileKind::Network, Some(to @ (1 | 2))) => {
            let version = if to == 1 { NetworkVersion::V1 } else { NetworkVersion::V2 };
            let text = TextInput::open(input)?;
            let file = text.name().to_owned();
            let (_, lost) = convert_network(text, &file, version, &mut out, &mut report.warnings)?.map_err(failed)?;
            for _ in 0..lost {
                report.warnings.add("user-defined attributes that version 1 cannot hold; left out", || file.clone());
            }
        }
        (FileKind::Plans, Some(to)) => plans::convert(input, (&mut out, output), to, options, &mut report)?,
        (FileKind::Vehicles, Some(2)) if from == Some(1) => {
            let text = TextInput::open(input)?;
            let file = text.name().to_owned();
            vehicles::convert(text, &file, &mut out, &mut report.warnings)?.map_err(failed)?;
        }
        (_, Some(to)) => return Err(no_such_conversion(input, kind, from, to).into()),
    }
    out.finish()?;
    Ok(report)
}

/// Rejects names such as `events.parquet`, which would contradict the content.
fn refuse_other_endings(input: &Path, output: &Path) -> Result<(), InputError> {
    let ending = |path: &Path| {
        let name = path.file_name()?.to_str()?;
        let name = [".gz", ".zst"].iter().find_map(|suffix| name.strip_suffix(suffix)).unwrap_or(name);
        name.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase())
    };
    // Output cannot be written in bzip2.
    let unpacked = input.with_extension("");
    let read = if input.extension().is_some_and(|suffix| suffix == "bz2") { &unpacked } else { input };
    match ending(output) {
        Some(other) if other != "xml" && ending(read).as_ref() != Some(&other) => Err(InputError::one(
            output.display().to_string(),
            format!("a file that ends in .{other} cannot be written"),
            "Give the output a name that ends in .xml, .xml.gz or .xml.zst.",
        )),
        _ => Ok(()),
    }
}

/// Parses the version number in `v6`, `6` or `2.0`.
fn version_number(text: &str) -> Result<u8, InputError> {
    let digits = text.trim().trim_start_matches(['v', 'V']);
    digits.strip_suffix(".0").unwrap_or(digits).parse().map_err(|_| {
        InputError::one("version", format!("{} is not a version", quoted(text)), "Expected a number such as 6 or v6.")
    })
}

fn no_such_conversion(input: &Path, kind: FileKind, from: Option<u8>, to: u8) -> InputError {
    let from = from.map_or(String::new(), |from| format!(" of version {from}"));
    let remedy = match kind {
        FileKind::Network => "Networks have versions 1 and 2.",
        FileKind::Plans => "Plans have versions 4, 5 and 6.",
        FileKind::Vehicles => "Vehicles are converted from version 1 to version 2.",
        _ => "Leave out the version to change only the compression.",
    };
    let message = format!("{kind}{from} cannot be converted to version {to}");
    InputError::one(input.display().to_string(), message, remedy)
}

impl fmt::Display for ConvertReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.kind)?;
        match (self.from, self.to) {
            (from, Some(to)) if from != Some(to) => {
                let from = from.map_or("unknown".to_owned(), |from| from.to_string());
                write!(f, ": version {from} to version {to}")?;
            }
            _ => write!(f, ": content unchanged")?,
        }
        match self.kind {
            FileKind::Plans if self.records > 0 => write!(f, ", {} persons", self.records),
            FileKind::Events => write!(f, ", {} events", self.records),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests;
