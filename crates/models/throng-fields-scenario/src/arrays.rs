//! The arrays that a run writes: `[[output.arrays]]`.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use throng_core::Problems;
use throng_fields_core::entities::Cells;
use throng_model::scenario_file::{At, word_of};
use throng_pictures::Grid;
use throng_pictures::files::geotiff;

use crate::extracts::{CellRange, Context, Part, Quantity, QuantityName};
use crate::file_names::FILE_NAMES;
use crate::key_rules::{Presence, check_keys};
use crate::schedule::Schedule;
use crate::{extracts, names};

/// An entry of `[[output.arrays]]`: the values of all or some cells, at certain times.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "struct Array")]
pub struct ArrayTable {
    /// The quantity that is written.
    pub quantity: QuantityName,
    /// The layer (layer).
    pub layer: Option<String>,
    /// The team (influence, balance, vulnerability).
    pub team: Option<String>,
    /// The value from which on the bit of a layer is 1, by layer; the bits of other layers are 0 (bits).
    pub thresholds: Option<BTreeMap<String, f32>>,
    /// The name of the file, without its extension; by default that of the quantity, and of the layer or team.
    pub name: Option<String>,
    /// The format of the file.
    #[serde(default)]
    pub format: Format,
    /// Number of steps between successive times; the end is always included. Without `every` and `at`, only the end is
    /// written.
    pub every: Option<u32>,
    /// The times, from 0 to the end, units of time; each is rounded to the nearest step.
    pub at: Option<Vec<f64>>,
    /// Restricts the array to the cells whose sampled points are in this rectangle, units of length.
    pub window: Option<Part>,
    /// Restricts the array to these cells, columns and rows counted from 0, both ends included.
    pub cells: Option<CellRange>,
    /// The EPSG code of the projected coordinate system of the map (geotiff).
    pub epsg: Option<u16>,
}

/// The format of arrays.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// One file for NumPy with the dimensions time, row, column, and one with the times.
    #[default]
    Npy,
    /// One file per time.
    Geotiff,
    /// A table with one row per cell and time.
    Parquet,
}

/// Maximum number of GeoTIFF files of an array.
const MAX_FILES: u64 = 10_000;

/// File names used in the runs of every model.
const OF_ALL_MODELS: [&str; 3] = ["manifest.json", "report.html", "state_hashes.txt"];

/// The values of an array.
#[derive(Debug, Clone, PartialEq)]
pub enum Content {
    Quantity(Quantity),
    /// Bits of the layers with these indices: 1 where the layer is at least the threshold.
    Bits(Vec<(usize, f32)>),
}

impl Content {
    /// Returns the grid of the values, given the grid of a scenario.
    pub fn grid(&self, grid: &Grid) -> Grid {
        match self {
            Self::Quantity(quantity) => quantity.grid(grid),
            Self::Bits(_) => *grid,
        }
    }
}

/// A quantity in a block of cells at certain times, written to files.
#[derive(Debug, Clone, PartialEq)]
pub struct Array {
    pub content: Content,
    /// A description of the quantity, for the metadata of files.
    pub title: String,
    /// The name of the file without its extension.
    pub name: String,
    pub format: Format,
    pub schedule: Schedule,
    pub cells: Cells,
    /// The EPSG code of the coordinate system.
    pub epsg: Option<u16>,
}

impl Array {
    /// The names of all files of the array in a run.
    pub fn file_names(&self, steps: u32) -> Vec<String> {
        let name = &self.name;
        match self.format {
            Format::Npy => vec![format!("{name}.npy"), format!("{name}.json")],
            Format::Parquet => vec![format!("{name}.parquet")],
            Format::Geotiff => self.schedule.steps(steps).into_iter().map(|step| self.tiff_name(step)).collect(),
        }
    }

    /// Whether a run that is aborted before `steps` may write a file of this name, ignoring case, at its last step.
    fn is_last_frame(&self, file: &str, steps: u32) -> bool {
        if self.format != Format::Geotiff || !matches!(self.schedule, Schedule::Every(_)) {
            return false;
        }
        let (file, prefix) = (file.to_lowercase(), format!("{}_", self.name.to_lowercase()));
        let number = file.strip_prefix(&prefix).and_then(|rest| rest.strip_suffix(".tif"));
        let step = number.and_then(|number| number.parse().ok()).filter(|step| *step <= steps);
        step.is_some_and(|step| self.tiff_name(step).to_lowercase() == file)
    }

    /// The name of the GeoTIFF file of a step.
    pub fn tiff_name(&self, step: u32) -> String {
        if self.schedule == Schedule::End {
            return format!("{}.tif", self.name);
        }
        format!("{}_{step:06}.tif", self.name)
    }
}

/// The name of the file: the given one, or the quantity and its layer or team, in characters that every system permits.
fn name_of(written: &ArrayTable) -> String {
    if let Some(name) = &written.name {
        return name.clone();
    }
    let word = word_of(&written.quantity);
    let Some(of) = written.layer.as_deref().or(written.team.as_deref()) else { return word };
    let letter = |letter: char| if is_plain(letter) { letter } else { '_' };
    format!("{word}_{}", of.chars().map(letter).collect::<String>())
}

fn is_plain(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-' | '.')
}

/// Reads `[[output.arrays]]`, and checks that all file names differ.
pub(crate) fn read(written: &mut [At<ArrayTable>], context: Context<'_>, problems: &mut Problems) -> Vec<Array> {
    let mut taken: BTreeMap<String, String> = BTreeMap::new();
    for name in FILE_NAMES.into_iter().chain(OF_ALL_MODELS) {
        taken.insert(name.to_lowercase(), "another result of the run".to_owned());
    }
    let mut arrays: Vec<Array> = Vec::new();
    for (i, written) in written.iter_mut().enumerate() {
        let Some(array) = one(written, context, problems) else { continue };
        let place = &written.place;
        let files = array.schedule.count(context.steps);
        if array.format == Format::Geotiff && files > MAX_FILES {
            let remedy =
                format!("expected at most {MAX_FILES}: use npy, which has all times in one file, or fewer times");
            problems.push(format!("{place}, format"), format!("{files} files"), remedy);
            continue;
        }
        // Some file systems are not case-sensitive.
        let clash = array.file_names(context.steps).into_iter().find_map(|name| {
            let before = taken.insert(name.to_lowercase(), format!("arrays {}", i + 1));
            before.map(|of| (name, of))
        });
        // An aborted run may end after any of the steps.
        let clash = clash.or_else(|| {
            let ends_with = |other: &Array, name: &String| other.is_last_frame(name, context.steps);
            let name = arrays.iter().enumerate().find_map(|(other, before)| {
                let of_new = array.file_names(context.steps).into_iter().find(|name| ends_with(before, name));
                let of_old = before.file_names(context.steps).into_iter().find(|name| ends_with(&array, name));
                of_new.or(of_old).map(|name| (name, other))
            });
            name.map(|(name, other)| (name, format!("arrays {} if a run is cut short", other + 1)))
        });
        if let Some((name, of)) = clash {
            problems.push(format!("{place}, name"), format!("{name} is a file of {of}"), "choose another name");
        }
        arrays.push(array);
    }
    arrays
}

fn one(written: &mut At<ArrayTable>, context: Context<'_>, problems: &mut Problems) -> Option<Array> {
    let name = name_of(&written.value);
    written.value.name.get_or_insert_with(|| name.clone());
    let place = written.place.as_str();
    let ArrayTable { quantity: kind, layer, team, thresholds, name: _, format, every, at, window, cells, epsg } =
        &written.value;
    let of = layer.as_deref().or(team.as_deref());
    let is_fine = !name.is_empty() && !name.starts_with('.') && name.chars().all(is_plain);
    if !is_fine {
        let remedy = "expected letters from a to z, digits, _, - and ., not starting with .";
        problems.push(format!("{place}, name"), format!("\"{}\"", names::shown(&name)), remedy);
    }
    names::check(&name, &format!("{place}, name"), names::MAX_LENGTH, problems);
    let of_bits = *kind == QuantityName::Bits;
    let keys = [("thresholds", thresholds.is_some(), Presence::when(of_bits))];
    let is_complete = check_keys(place, &format!("quantity = \"{}\"", word_of(kind)), &keys, problems);
    let content = match thresholds {
        _ if !is_complete => None,
        Some(thresholds) if of_bits => {
            Some(bits(thresholds, (layer.is_some(), team.is_some()), place, context, problems))
        }
        _ => {
            Quantity::read((*kind, layer.as_deref(), team.as_deref()), place, context, problems).map(Content::Quantity)
        }
    };
    let schedule = Schedule::read(*every, at.as_deref(), place, context, problems);
    let grid = content.as_ref().map_or(*context.grid, |content| content.grid(context.grid));
    let cells = extracts::cells(*window, *cells, place, &grid, problems);
    if let Some(code) = epsg {
        if *format != Format::Geotiff {
            let remedy = "epsg is only for format = \"geotiff\": remove it";
            problems.push(format!("{place}, epsg"), code.to_string(), remedy);
        } else if let Err(error) = geotiff::checked(*code) {
            problems.push(format!("{place}, epsg"), error.message(), error.remedy());
        }
    }
    let title = match of {
        Some(of) => format!("{} of {of}", word_of(kind)),
        None => word_of(kind),
    };
    Some(Array { content: content?, title, name, format: *format, schedule: schedule?, cells: cells?, epsg: *epsg })
}

/// Reads the thresholds of bits.
fn bits(
    thresholds: &BTreeMap<String, f32>,
    (has_layer, has_team): (bool, bool),
    place: &str,
    context: Context<'_>,
    problems: &mut Problems,
) -> Content {
    let keys = [("layer", has_layer, Presence::MustNot), ("team", has_team, Presence::MustNot)];
    check_keys(place, "quantity = \"bits\"", &keys, problems);
    let place = format!("{place}, thresholds");
    if thresholds.is_empty() {
        problems.push(&place, "{}", "expected the threshold of at least one layer");
    }
    let mut bits = Vec::new();
    for (name, &threshold) in thresholds {
        if !threshold.is_finite() {
            problems.push(
                format!("{place}, {}", names::shown(name)),
                threshold.to_string(),
                "expected a finite number",
            );
        }
        bits.extend(names::layer(name, &place, context.layers, problems).map(|layer| (layer, threshold)));
    }
    bits.sort_unstable_by_key(|&(layer, _)| layer);
    Content::Bits(bits)
}
