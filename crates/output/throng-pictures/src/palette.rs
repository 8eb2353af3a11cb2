//! The palette of an animation: at most 255 colours, common to all frames.

use rustc_hash::FxHashMap;
use std::cmp::Reverse;

use super::colours::Rgb;
use super::picture::Picture;

/// Index of pixels that stay unchanged.
pub(super) const UNCHANGED: u8 = 0;
/// Maximum number of colours besides [`UNCHANGED`].
const MAX_COLOURS: usize = 255;
/// Number of colours chosen from the first frame if it has too many; the remaining ones are for later frames.
const CHOSEN: usize = 224;
/// Number of pixels from which a colour counts as common. Rarer colours occur mostly at the edges of letters and marks.
const COMMON: u32 = 16;
/// Tolerance for rare colours, as a multiple of that for common ones.
const RARE: i32 = 5;

/// Colours, with indices starting at 1.
#[derive(Debug)]
pub(super) struct Palette {
    colours: Vec<Rgb>,
    /// Palette indices of all colours that have occurred.
    indices: FxHashMap<Rgb, u8>,
    /// Distance up to which a colour is replaced even while there is space for more.
    tolerance: i32,
    is_exact: bool,
}

impl Palette {
    /// Creates the palette for an animation from its first frame: all its colours if they fit, else a selection.
    ///
    /// The selection considers colours in descending order of pixel count, and skips those within a tolerance of a
    /// colour already selected. It uses the smallest tolerance that yields few enough colours. This is the maximum
    /// error of a common colour of this frame, as a distance in RGB; for rare colours it may be five times as large.
    pub(super) fn of(picture: &Picture) -> Self {
        let mut counts: FxHashMap<Rgb, u32> = FxHashMap::default();
        for &colour in picture.bytes().as_chunks().0 {
            *counts.entry(colour).or_default() += 1;
        }
        let mut colours: Vec<(Rgb, u32)> = counts.into_iter().collect();
        colours.sort_unstable_by_key(|&(colour, count)| (Reverse(count), colour));
        if colours.len() <= MAX_COLOURS {
            let colours = colours.into_iter().map(|(colour, _)| colour).collect();
            return Self::with(colours, 0, true);
        }
        // The diagonal of the RGB cube is 442, so a selection always exists.
        let selection = |tolerance| Some((tolerance, selected(&colours, tolerance)?));
        let (tolerance, selection) = (2..=442).find_map(selection).unwrap_or_default();
        Self::with(selection, tolerance, false)
    }

    fn with(colours: Vec<Rgb>, tolerance: i32, is_exact: bool) -> Self {
        let indices = colours.iter().enumerate().map(|(i, &colour)| (colour, i as u8 + 1)).collect();
        Self { colours, indices, tolerance, is_exact }
    }

    /// Whether no colour was replaced by another one.
    pub(super) fn is_exact(&self) -> bool {
        self.is_exact
    }

    /// Returns the index of a colour, or of the nearest one if the palette is full or the difference is small.
    pub(super) fn index(&mut self, colour: Rgb) -> u8 {
        if let Some(&index) = self.indices.get(&colour) {
            return index;
        }
        let (nearest, squared) = self.nearest(colour);
        let index = if squared > self.tolerance.pow(2) && self.colours.len() < MAX_COLOURS {
            self.colours.push(colour);
            self.colours.len() as u8
        } else {
            self.is_exact = false;
            nearest
        };
        self.indices.insert(colour, index);
        index
    }

    /// Returns the indices of an image, row by row.
    pub(super) fn indices(&mut self, picture: &Picture) -> Vec<u8> {
        // A cache of recent colours, keyed by a hash: most pixels have one of these.
        let mut latest = [(Rgb::default(), UNCHANGED); 256];
        let index = |&colour: &Rgb| {
            let [red, green, blue] = colour;
            let latest = &mut latest[usize::from(red ^ green.rotate_left(3) ^ blue.rotate_left(6))];
            if latest.1 == UNCHANGED || latest.0 != colour {
                *latest = (colour, self.index(colour));
            }
            latest.1
        };
        picture.bytes().as_chunks().0.iter().map(index).collect()
    }

    /// Returns the colour with an index other than [`UNCHANGED`].
    pub(super) fn colour(&self, index: u8) -> Rgb {
        self.colours.get(usize::from(index).wrapping_sub(1)).copied().unwrap_or_default()
    }

    /// Returns all colours ordered by index, as in PNG files, including the transparent first one of unchanged pixels.
    /// There are at least three.
    pub(super) fn bytes(&self) -> Vec<u8> {
        let mut colours = vec![[0; 3]];
        colours.extend(&self.colours);
        colours.resize(colours.len().max(3), [0; 3]);
        colours.into_flattened()
    }

    fn nearest(&self, colour: Rgb) -> (u8, i32) {
        let distances = self.colours.iter().map(|&other| squared_distance(colour, other));
        let nearest = distances.enumerate().min_by_key(|&(_, squared)| squared);
        nearest.map_or((UNCHANGED, i32::MAX), |(i, squared)| (i as u8 + 1, squared))
    }
}

/// Selects colours such that all others are within the tolerance; `None` if there are too many.
fn selected(colours: &[(Rgb, u32)], tolerance: i32) -> Option<Vec<Rgb>> {
    let mut chosen: Vec<Rgb> = Vec::new();
    for &(colour, count) in colours {
        let allowed = if count < COMMON { RARE * tolerance } else { tolerance };
        if chosen.iter().all(|&other| squared_distance(colour, other) > allowed.pow(2)) {
            if chosen.len() == CHOSEN {
                return None;
            }
            chosen.push(colour);
        }
    }
    Some(chosen)
}

fn squared_distance(a: Rgb, b: Rgb) -> i32 {
    [0, 1, 2].into_iter().map(|i| (i32::from(a[i]) - i32::from(b[i])).pow(2)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::Area;

    /// Creates an image with one row of 20 pixels per colour.
    fn picture(colours: &[Rgb]) -> Picture {
        let mut picture = Picture::new(20, colours.len() as u64).unwrap();
        for (row, &colour) in colours.iter().enumerate() {
            picture.fill(Area { left: 0, top: row as i64, width: 20, height: 1 }, colour);
        }
        picture
    }

    #[test]
    fn up_to_255_colours_are_kept_exactly() {
        let first: Vec<Rgb> = (0..200u8).map(|i| [i, 0, 255 - i]).collect();
        let mut palette = Palette::of(&picture(&first));
        for colour in first.iter().copied().chain((0..55).map(|i| [i, 255, 0])) {
            let index = palette.index(colour);
            assert!(index != UNCHANGED && palette.colour(index) == colour && palette.is_exact());
        }
        assert_eq!(palette.bytes().len(), 256 * 3);
        let index = palette.index([0, 255, 9]);
        assert_eq!((palette.colour(index), palette.is_exact()), ([0, 255, 0], false));
    }

    #[test]
    fn selected_colours_are_near_all_colours() {
        let many: Vec<Rgb> = (0..=255u8).flat_map(|i| [[i, i, i], [255, i, 0]]).collect();
        let picture = picture(&many);
        let mut palette = Palette::of(&picture);
        assert!(!palette.is_exact() && palette.colours.len() <= CHOSEN && palette.tolerance <= 8, "{palette:?}");
        let indices = palette.indices(&picture);
        for (row, &colour) in many.iter().enumerate() {
            let shown = palette.colour(indices[row * 20 + 7]);
            assert!(squared_distance(shown, colour) <= palette.tolerance.pow(2), "{colour:?} {shown:?}");
        }
        // A very different colour is added.
        let index = palette.index([0, 255, 0]);
        assert_eq!(palette.colour(index), [0, 255, 0]);
    }

    #[test]
    fn files_have_at_least_three_colours() {
        let mut palette = Palette::of(&picture(&[[7, 8, 9]]));
        assert_eq!((palette.index([7, 8, 9]), palette.bytes()), (1, vec![0, 0, 0, 7, 8, 9, 0, 0, 0]));
    }
}
