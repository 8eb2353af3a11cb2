//! The arrays that a run writes: `[[output.arrays]]`.

use std::collections::BTreeMap;

use crate::entities::Cells;
use crate::results::recorder::FILE_NAMES;
use crate::scenario::extracts::{self, Context, Quantity};
use crate::scenario::names;
use crate::scenario::schedule::Schedule;
use crate::scenario::written::{self, Format};
use throng_core::Problems;

/// The largest number of GeoTIFF files of an array.
const MOST_FILES: u64 = 10_000;

/// Names that files of every model's runs have.
const OF_ALL_MODELS: [&str; 3] = ["manifest.json", "report.html", "state_hashes.txt"];

/// An array of values.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Array {
    pub quantity: Quantity,
    /// What it is, in words.
    pub title: String,
    /// The name of the file without its ending.
    pub name: String,
    pub format: Format,
    pub schedule: Schedule,
    pub cells: Cells,
    /// The EPSG code of the coordinate system.
    pub epsg: Option<u16>,
}

impl Array {
    /// The names of all its files in a run.
    pub(crate) fn file_names(&self, steps: u32) -> Vec<String> {
        let name = &self.name;
        match self.format {
            Format::Npy => vec![format!("{name}.npy"), format!("{name}.json")],
            Format::Parquet => vec![format!("{name}.parquet")],
            Format::Geotiff => self.schedule.steps(steps).into_iter().map(|step| self.tiff_name(step)).collect(),
        }
    }

    /// The name of the GeoTIFF file of a step.
    pub(crate) fn tiff_name(&self, step: u32) -> String {
        if self.schedule == Schedule::End {
            return format!("{}.tif", self.name);
        }
        format!("{}_{step:06}.tif", self.name)
    }
}

/// The name of a file, if none is given: the quantity, and its layer or team in letters that every system allows.
pub(crate) fn default_name(quantity: written::Quantity, of: Option<&str>) -> String {
    let word = extracts::word(quantity);
    let Some(of) = of else { return word.to_owned() };
    let letter = |letter: char| if is_plain(letter) { letter } else { '_' };
    format!("{word}_{}", of.chars().map(letter).collect::<String>())
}

fn is_plain(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-' | '.')
}

/// Reads all entries; `place` is that of `[output]`.
pub(crate) fn read(
    written: &[written::Array],
    place: &str,
    context: Context<'_>,
    problems: &mut Problems,
) -> Vec<Array> {
    let mut taken: BTreeMap<String, String> = BTreeMap::new();
    for name in FILE_NAMES.into_iter().chain(OF_ALL_MODELS) {
        taken.insert(name.to_lowercase(), "another result of the run".to_owned());
    }
    let mut arrays = Vec::new();
    for (i, written) in written.iter().enumerate() {
        let place = format!("{place}, arrays {}", i + 1);
        let Some(array) = one(written, &place, context, problems) else { continue };
        let files = array.schedule.count(context.steps);
        if array.format == Format::Geotiff && files > MOST_FILES {
            let remedy =
                format!("expected at most {MOST_FILES}: use npy, which has all times in one file, or fewer times");
            problems.push(format!("{place}, format"), format!("{files} files"), remedy);
            continue;
        }
        // Some file systems do not tell capital letters from small ones.
        let clash = array.file_names(context.steps).into_iter().find_map(|name| {
            let before = taken.insert(name.to_lowercase(), format!("arrays {}", i + 1));
            before.map(|of| (name, of))
        });
        if let Some((name, of)) = clash {
            problems.push(format!("{place}, name"), format!("{name} is a file of {of}"), "give a name of its own");
        }
        arrays.push(array);
    }
    arrays
}

fn one(written: &written::Array, place: &str, context: Context<'_>, problems: &mut Problems) -> Option<Array> {
    let written::Array { quantity: kind, layer, team, name, format, every, at, window, cells, epsg } = written;
    let of = layer.as_deref().or(team.as_deref());
    let name = name.clone().unwrap_or_else(|| default_name(*kind, of));
    let is_fine = !name.is_empty() && !name.starts_with('.') && name.chars().all(is_plain);
    if !is_fine {
        let remedy = "expected letters from a to z, digits, _, - and ., which is not the first one";
        problems.push(format!("{place}, name"), format!("\"{}\"", names::shown(&name)), remedy);
    }
    names::check(&name, &format!("{place}, name"), names::LONGEST, problems);
    let quantity = Quantity::read((*kind, layer.as_deref(), team.as_deref()), place, context, problems);
    let schedule = Schedule::read(*every, at.as_deref(), place, context, problems);
    let cells = extracts::cells(*window, *cells, place, context.grid, problems);
    if let Some(code) = epsg {
        if *format != Format::Geotiff {
            problems.push(format!("{place}, epsg"), code.to_string(), "only format = \"geotiff\" has it");
        } else if !(1024..=32_766).contains(code) {
            problems.push(format!("{place}, epsg"), code.to_string(), "expected a code from 1024 to 32766");
        }
    }
    let title = match of {
        Some(of) => format!("{} of {of}", extracts::word(*kind)),
        None => extracts::word(*kind).to_owned(),
    };
    Some(Array { quantity: quantity?, title, name, format: *format, schedule: schedule?, cells: cells?, epsg: *epsg })
}
