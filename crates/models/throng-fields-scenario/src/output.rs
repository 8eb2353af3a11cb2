//! The output of a run, and the style of its images: `[output]`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use throng_core::Problems;
use throng_model::scenario_file::At;
use throng_nav2::LETHAL_OBSTACLE;
use throng_pictures::{Colour, ColourMap, Grid, Picture, Scale, ValueRange};

use crate::arrays::ArrayTable;
use crate::legend::Legend;
use crate::names;
use crate::queries::QueryTable;
use crate::scenario::FieldId;
use crate::value_checks::accept;

/// `[output]`: the files that are written.
#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "struct Output", default)]
pub struct OutputTable {
    /// The folder for the results; `--out` overrides it.
    pub folder: PathBuf,
    /// Whether the folder may contain anything other than an earlier run of the same scenario.
    pub overwrite: bool,
    /// Number of steps between frames of the animation; 0 for no animation.
    pub frame_every: u32,
    /// Frames per second of the animation, from 0.016 to 1000.
    pub frames_per_second: f32,
    /// Maximum size of the animation, megabytes, from 0.1 to 1000. If its frames need more, it gets fewer or smaller
    /// ones.
    pub film_megabytes: f32,
    /// Pixels per cell of images, from 1 to 256; by default chosen for an image of 800 to 1600 pixels.
    pub pixels_per_cell: Option<u32>,
    /// The layer or combination that is drawn, or `costmap`, or `influence`: the strongest team of each cell; by
    /// default the combined field or, with `[nav2]` and without sources of fields, the costmap.
    pub layer: Option<String>,
    /// The colour map of values. If all values have the same sign, viridis replaces the maps with a neutral 0.
    pub colours: ColourMap,
    /// The range of the colours; by default that of all frames and images of the run, and for a costmap 0 to 254.
    pub range: Option<[f32; 2]>,
    /// The meaning of values below and above 0, for the legend; by default repels and attracts, and none for
    /// diffusing amounts, lines of sight, and combinations of only these.
    pub meaning: Option<[String; 2]>,
    /// The unit of the field, for images.
    pub unit: String,
    /// Names of colours of agents and entities in the legend of images; an empty name removes the entry.
    pub legend: BTreeMap<Colour, String>,
    /// Whether first.png and last.png are written.
    pub first_and_last: bool,
    /// Whether the last field is written as field.npy.
    pub npy: bool,
    /// Number of steps between sets of rows in agents.csv; 0 for no table.
    pub agents_every: u32,
    /// Arrays for NumPy and geographic information systems.
    pub arrays: Vec<At<ArrayTable>>,
    /// Best cells, and values at points, as a table.
    pub queries: Vec<At<QueryTable>>,
}

impl Default for OutputTable {
    fn default() -> Self {
        Self {
            folder: PathBuf::from("output/fields"),
            overwrite: false,
            frame_every: 4,
            frames_per_second: 12.0,
            film_megabytes: 10.0,
            pixels_per_cell: None,
            layer: None,
            colours: ColourMap::default(),
            range: None,
            meaning: None,
            unit: "potential".to_owned(),
            legend: BTreeMap::new(),
            first_and_last: true,
            npy: true,
            agents_every: 10,
            arrays: Vec::new(),
            queries: Vec::new(),
        }
    }
}

/// Maximum number of frames of an animation, by the PNG standard.
const MAX_FRAMES: u32 = (1 << 31) - 1;
/// Maximum width of a letter beside a map, pixels; `LINE` is the maximum height of a line of the legend.
const LETTER: u64 = 12;
const LINE: u64 = 40;
/// Maximum size of margins, axes, title, numbers and the colour bar, pixels along each side.
const AROUND: u64 = 600;

/// The files that a run writes, and the style of its images: `[output]` with checked values.
#[derive(Debug, Clone)]
pub struct Output {
    pub folder: PathBuf,
    pub overwrite: bool,
    /// Number of steps between frames; 0 for no animation.
    pub frame_every: u32,
    /// Duration of a frame, milliseconds.
    pub frame_ms: u16,
    /// Maximum size of the animation, bytes.
    pub film_bytes: u64,
    pub scale: Option<Scale>,
    /// The background of images.
    pub drawn: Drawn,
    pub colours: ColourMap,
    pub range: Option<ValueRange>,
    /// The meaning of values below and above 0; empty if not stated.
    pub meaning: [String; 2],
    pub unit: String,
    /// Whether the images of the start, of the end, and of influence are written.
    pub first_and_last: bool,
    pub npy: bool,
    /// Number of steps between sets of rows in the table of agents; 0 for no table.
    pub agents_every: u32,
}

/// The background of images, beneath agents and entities.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Drawn {
    Field(FieldId),
    /// The costs of `[nav2]`, 0 to 254.
    Costmap,
    /// The team with the strongest influence in each cell.
    Influence,
}

/// The quantities of a scenario that can be drawn, and whether it has sources of fields.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Drawable {
    pub fields: bool,
    pub costmap: bool,
    pub influence: bool,
}

/// Reserved words for non-field quantities; layers may reuse them.
const COSTMAP: &str = "costmap";
const INFLUENCE: &str = "influence";

impl Output {
    /// Whether a step has a frame. If there is an animation, the first and the last step always do.
    pub fn has_frame(&self, step: u32, steps: u32) -> bool {
        self.frame_every > 0 && (step.is_multiple_of(self.frame_every) || step == steps)
    }

    /// The number of frames of a run with this many steps; at most [`MAX_FRAMES`] for the steps of the scenario.
    pub fn frames(&self, steps: u32) -> u32 {
        if self.frame_every == 0 { 0 } else { steps.div_ceil(self.frame_every).saturating_add(1) }
    }

    /// Rejects more frames than an animation may have in a run of `steps` steps, and images with too many pixels:
    /// without this, a run would fail at its end. `place` is the location of `[output]`.
    pub(crate) fn check(
        &self,
        (steps, place): (u32, &str),
        (grid, unit_of_length): (&Grid, &str),
        (legend, teams): (&Legend, &[String]),
        problems: &mut Problems,
    ) {
        if self.frames(steps) > MAX_FRAMES {
            let least = steps.div_ceil(MAX_FRAMES - 1);
            let remedy = format!("expected 0 for no animation, or {least} or more: it has at most {MAX_FRAMES} frames");
            problems.push(format!("{place}, frame_every"), self.frame_every.to_string(), remedy);
        }
        let has_pictures = self.frame_every > 0 || self.first_and_last;
        let Some(scale) = self.scale.filter(|_| has_pictures) else { return };
        let entries: Vec<&str> = legend.agents().chain(legend.entities()).map(|entry| entry.0).collect();
        let beside = self.meaning.iter().map(String::as_str).chain([self.unit.as_str()]).chain(entries.iter().copied());
        let beside = beside.chain(teams.iter().map(String::as_str));
        let letters = beside.map(|text| text.chars().count()).max().unwrap_or(0) + unit_of_length.chars().count();
        let around = [letters as u64 * LETTER + AROUND, entries.len() as u64 * LINE + AROUND];
        let [width, height] = scale.size(grid);
        if let Err(error) = Picture::check_size(width.saturating_add(around[0]), height.saturating_add(around[1])) {
            problems.push(format!("{place}, pixels_per_cell"), error.message(), error.remedy());
        }
    }

    /// Disables all images, `field.npy` and the table of agents.
    pub fn turn_off(&mut self) {
        (self.frame_every, self.agents_every, self.first_and_last, self.npy) = (0, 0, false, false);
    }

    /// Whether a step has rows in the table of agents.
    pub fn has_agents(&self, step: u32, steps: u32) -> bool {
        self.agents_every > 0 && (step.is_multiple_of(self.agents_every) || step == steps)
    }
}

/// Reads the output keys of a file with these layers. `is_amount` tells the fields whose values are amounts.
pub(crate) fn read(
    written: &At<OutputTable>,
    layers: &[String],
    combinations: &[String],
    is_amount: impl Fn(FieldId) -> bool,
    drawable: Drawable,
    problems: &mut Problems,
) -> Option<Output> {
    let At { value, place } = written;
    let frame_ms = (1000.0 / value.frames_per_second).round();
    if !(1.0..=65_535.0).contains(&frame_ms) {
        let remedy = "expected a number from 0.016 to 1000";
        problems.push(format!("{place}, frames_per_second"), value.frames_per_second.to_string(), remedy);
    }
    if value.pixels_per_cell.is_some_and(|pixels| !(1..=256).contains(&pixels)) {
        let pixels = value.pixels_per_cell.unwrap_or(0);
        problems.push(format!("{place}, pixels_per_cell"), pixels.to_string(), "expected a number from 1 to 256");
    }
    if !(0.1..=1000.0).contains(&value.film_megabytes) {
        let remedy = "expected a number from 0.1 to 1000";
        problems.push(format!("{place}, film_megabytes"), value.film_megabytes.to_string(), remedy);
    }
    names::check(&value.unit, &format!("{place}, unit"), names::MAX_LENGTH, problems);
    for meaning in value.meaning.iter().flatten() {
        names::check(meaning, &format!("{place}, meaning"), names::MAX_LENGTH, problems);
    }
    for name in value.legend.values() {
        names::check(name, &format!("{place}, legend"), names::MAX_LENGTH, problems);
    }
    let of_layer = format!("{place}, layer");
    let is_other = |name: &str| !layers.iter().chain(combinations.iter().skip(1)).any(|known| known == name);
    let drawn = match value.layer.as_deref() {
        Some(COSTMAP) if is_other(COSTMAP) && !drawable.costmap => {
            problems.push_missing(&["nav2"], of_layer, "there is no costmap", "add [nav2]");
            return None;
        }
        Some(INFLUENCE) if is_other(INFLUENCE) && !drawable.influence => {
            let remedy = "add [influence], and a team of an entity or of agents";
            let parts = ["influence", "entities", "agents"];
            problems.push_missing(&parts, of_layer, "there is no influence", remedy);
            return None;
        }
        Some(COSTMAP) if is_other(COSTMAP) => Drawn::Costmap,
        Some(INFLUENCE) if is_other(INFLUENCE) => Drawn::Influence,
        Some(name) => Drawn::Field(names::field(name, &of_layer, layers, combinations, problems)?),
        None if drawable.costmap && !drawable.fields => Drawn::Costmap,
        None => Drawn::Field(FieldId::Combination(0)),
    };
    let range = match value.range {
        Some([low, high]) => Some(accept(place, ValueRange::new(low, high), problems)?),
        None if drawn == Drawn::Costmap => accept(place, ValueRange::new(0.0, LETHAL_OBSTACLE.into()), problems),
        None => None,
    };
    let repels = matches!(drawn, Drawn::Field(field) if !is_amount(field));
    let usual = if repels { ["repels", "attracts"] } else { [""; 2] };
    let unit = match drawn {
        Drawn::Costmap if value.unit == OutputTable::default().unit => "cost".to_owned(),
        Drawn::Influence if value.unit == OutputTable::default().unit => "influence".to_owned(),
        _ => value.unit.clone(),
    };
    Some(Output {
        folder: value.folder.clone(),
        overwrite: value.overwrite,
        frame_every: value.frame_every,
        frame_ms: frame_ms as u16,
        film_bytes: (f64::from(value.film_megabytes) * 1e6) as u64,
        scale: value.pixels_per_cell.map(Scale::PixelsPerCell),
        drawn,
        colours: value.colours,
        range,
        meaning: value.meaning.clone().unwrap_or_else(|| usual.map(str::to_owned)),
        unit,
        first_and_last: value.first_and_last,
        npy: value.npy,
        agents_every: value.agents_every,
    })
}
