//! Readers for the formats of maps.

use std::io::Read as _;
use std::path::Path;

use throng_core::allocation::check_allocation;
use throng_core::{InputError, Problems};
use throng_nav2::{FREE_SPACE, LETHAL_OBSTACLE, RosDistro, robot_map};
use throng_pictures::files::image::Image;
use throng_pictures::files::{image, npy};

use super::{CHECK_MAP, FORMATS, Map, PlaceOfRobotMap};
use crate::inputs::{open, shown};

/// A pixel is a wall if the mean of its red, green and blue is below this, out of 255.
const DARK: u16 = 128;
/// Pixels with less opacity than this, out of 255, are open, whatever their colour.
const CLEAR: u8 = 128;

fn cost_of(is_wall: bool) -> u8 {
    if is_wall { LETHAL_OBSTACLE } else { FREE_SPACE }
}

/// Adds an error of a format as a problem.
fn refuse(path: &Path, error: &InputError, problems: &mut Problems) {
    crate::value_checks::refused(&shown(path), error, problems);
}

/// Reads text: a line per row of blocks, the upper one first; `#` is a wall, `.` and spaces are open.
pub(super) fn text(path: &Path, problems: &mut Problems) -> Option<Map> {
    let name = shown(path);
    let (mut file, bytes) = open(path, CHECK_MAP, problems)?;
    let mut text = String::new();
    if let Err(error) = file.read_to_string(&mut text) {
        problems.push(&name, format!("cannot be read: {error}"), format!("expected {FORMATS}"));
        return None;
    }
    if text.chars().any(|letter| letter.is_control() && !letter.is_whitespace()) {
        problems.push(&name, "is not text", format!("expected {FORMATS}"));
        return None;
    }
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    let mut is_fine = true;
    for (i, line) in lines.iter().enumerate() {
        let other = line.chars().enumerate().find(|(_, letter)| !matches!(letter, '#' | '.' | ' '));
        if let Some((at, letter)) = other {
            let place = format!("{name}:{}, column {}", i + 1, at + 1);
            problems.push(
                place,
                format!("\"{}\"", throng_model::names::one_line(&letter.to_string())),
                "expected # for a wall, . or a space for open ground",
            );
            is_fine = false;
        }
    }
    if !is_fine {
        return None;
    }
    // Each character is a byte now.
    let (rows, columns) = (lines.len(), lines.iter().map(|line| line.len()).max().unwrap_or(0));
    // A single long line extends all others to its length.
    let count = rows.saturating_mul(columns);
    check_allocation::<u8>("characters of a map", count).map_err(|error| refuse(path, &error, problems)).ok()?;
    let row = |line: &&str| {
        let letters = line.as_bytes().to_vec();
        (0..columns).map(move |column| cost_of(letters.get(column) == Some(&b'#')))
    };
    let costs = collected(count, lines.iter().rev().flat_map(row));
    Some(Map {
        name,
        blocks: "characters",
        columns: u32::try_from(columns).unwrap_or(u32::MAX),
        rows: u32::try_from(rows).unwrap_or(u32::MAX),
        costs,
        place: None,
        inputs: vec![(path.to_owned(), bytes)],
    })
}

/// Rejects an image whose costs, in addition to its pixels, do not fit into memory.
fn room_for_costs(image: &Image) -> Result<(), InputError> {
    check_allocation::<u8>("cells of a map", image.pixels())
}

/// Collects values into a list of known length, which does not grow: growing would take twice the memory.
fn collected(length: usize, values: impl Iterator<Item = u8>) -> Vec<u8> {
    let mut list = Vec::with_capacity(length);
    list.extend(values);
    list
}

/// Reads an image: a pixel per block, the upper row first; dark pixels are walls.
pub(super) fn image(path: &Path, problems: &mut Problems) -> Option<Map> {
    let (file, bytes) = open(path, CHECK_MAP, problems)?;
    let image = image::read(file).map_err(|error| refuse(path, &error, problems)).ok()?;
    room_for_costs(&image).map_err(|error| refuse(path, &error, problems)).ok()?;
    let costs = image.upwards().map(|pixel| cost_of(pixel.opacity >= CLEAR && pixel.sum() < 3 * DARK));
    let costs = collected(image.pixels(), costs);
    let (columns, rows) = (image.width, image.height);
    let inputs = vec![(path.to_owned(), bytes)];
    Some(Map { name: shown(path), blocks: "pixels", columns, rows, costs, place: None, inputs })
}

/// Reads a NumPy array: a number per block, the lowest row first; all numbers but 0 are walls.
pub(super) fn npy(path: &Path, problems: &mut Problems) -> Option<Map> {
    let (file, bytes) = open(path, CHECK_MAP, problems)?;
    let array = npy::read(file).map_err(|error| refuse(path, &error, problems)).ok()?;
    let (columns, rows) = (array.columns, array.rows);
    // Space for flags and costs.
    let cells = 2 * columns as usize * rows as usize;
    check_allocation::<u8>("cells of a map", cells).map_err(|error| refuse(path, &error, problems)).ok()?;
    let walls = array.values.differ_from_zero().map_err(|at| {
        let (row, column) = (at / columns as usize, at % columns as usize);
        let place = format!("{}, row {row}, column {column}", shown(path));
        problems.push(place, "NaN", "expected 0 for open ground, another number for a wall");
    });
    let costs = walls.ok()?.into_iter().map(cost_of).collect();
    let inputs = vec![(path.to_owned(), bytes)];
    Some(Map { name: shown(path), blocks: "numbers", columns, rows, costs, place: None, inputs })
}

/// Reads a robot map: the YAML file, and the image that it names.
pub(super) fn robot_map(path: &Path, distro: RosDistro, problems: &mut Problems) -> Option<Map> {
    let name = shown(path);
    let (mut file, bytes) = open(path, CHECK_MAP, problems)?;
    let mut text = String::new();
    if let Err(error) = file.read_to_string(&mut text) {
        problems.push(&name, format!("cannot be read: {error}"), "expected the YAML file of a map server");
        return None;
    }
    let described = robot_map::RobotMap::parse(&text).map_err(|error| refuse(path, &error, problems)).ok()?;
    let image_path = path.parent().unwrap_or(Path::new("")).join(&described.image);
    let home = if described.image.starts_with("~") { ", and ~ is not the home folder there" } else { "" };
    let remedy = format!("check image of {name}; its path is relative to that file{home}");
    let (image_file, image_bytes) = open(&image_path, &remedy, problems)?;
    let image = image::read(image_file).map_err(|error| refuse(&image_path, &error, problems)).ok()?;
    room_for_costs(&image).map_err(|error| refuse(&image_path, &error, problems)).ok()?;
    let costs = described.occupancies(&image, distro).map(|occupancy| robot_map::cost_of(occupancy, distro));
    let costs = collected(image.pixels(), costs);
    Some(Map {
        name,
        blocks: "pixels",
        columns: image.width,
        rows: image.height,
        costs,
        place: Some(PlaceOfRobotMap { resolution: described.resolution, origin: described.origin, yaw: described.yaw }),
        inputs: vec![(path.to_owned(), bytes), (image_path, image_bytes)],
    })
}
