//! The colours of a film: at most 255, common to all its frames.

use rustc_hash::FxHashMap;
use std::cmp::Reverse;

use super::colours::Rgb;
use super::picture::Picture;

/// The index of pixels that stay as they were.
pub(super) const UNCHANGED: u8 = 0;
/// Colours besides that.
const MAX_COLOURS: usize = 255;
/// Colours that are chosen from the first frame if it has more; the others are for later frames.
const CHOSEN: usize = 224;
/// Pixels from which a colour is common. Rarer ones are mostly at the edges of letters and marks.
const COMMON: u32 = 16;
/// How far a rare colour may be replaced, relative to a common one.
const RARE: i32 = 5;

/// Colours with their indices, which begin with 1.
#[derive(Debug)]
pub(super) struct Palette {
    colours: Vec<Rgb>,
    /// The indices of all colours that have occurred.
    indices: FxHashMap<Rgb, u8>,
    /// The distance up to which a colour is replaced while there is room for more.
    tolerance: i32,
    is_exact: bool,
}

impl Palette {
    /// The palette for a film with a first frame: all its colours, if there is room for them, else a selection.
    ///
    /// The selection takes colours in the order of their numbers of pixels, and leaves out those within a tolerance of an
    /// earlier one, with the smallest tolerance for which it has room. The tolerance is therefore the largest error of a
    /// common colour of this frame, as a distance in red, green and blue; rare colours may be five times as far off.
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
        // The diagonal of the cube of colours is 442, so that a selection is found.
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

    /// The index of a colour: its own, or that of the nearest one where there is no room for it or the difference is small.
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

    /// The indices of a picture, row by row.
    pub(super) fn indices(&mut self, picture: &Picture) -> Vec<u8> {
        // The latest colours, by a few of their bits: most pixels have one of these.
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

    /// The colour with an index, which is not that of unchanged pixels.
    pub(super) fn colour(&self, index: u8) -> Rgb {
        self.colours.get(usize::from(index).wrapping_sub(1)).copied().unwrap_or_default()
    }

    /// All colours in the order of the indices, as PNG files have them: first that of unchanged pixels, which is transparent.
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

/// Colours that have all others within the tolerance; `None` if these are too many.
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

    /// A picture whose rows have the colours, 20 pixels each.
    fn picture(colours: &[Rgb]) -> Picture {
        let mut picture = Picture::new(20, colours.len() as u64).unwrap();
        for (row, &colour) in colours.iter().enumerate() {
            picture.fill(Area { left: 0, top: row as i64, width: 20, height: 1 }, colour);
        }
        picture
    }

    #[test]
    fn few_colours_are_kept_and_so_are_new_ones_while_there_is_room() {
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
    fn of_many_colours_a_selection_is_near_to_all() {
        let many: Vec<Rgb> = (0..=255u8).flat_map(|i| [[i, i, i], [255, i, 0]]).collect();
        let picture = picture(&many);
        let mut palette = Palette::of(&picture);
        assert!(!palette.is_exact() && palette.colours.len() <= CHOSEN && palette.tolerance <= 8, "{palette:?}");
        let indices = palette.indices(&picture);
        for (row, &colour) in many.iter().enumerate() {
            let shown = palette.colour(indices[row * 20 + 7]);
            assert!(squared_distance(shown, colour) <= palette.tolerance.pow(2), "{colour:?} {shown:?}");
        }
        // There is room for what is quite different.
        let index = palette.index([0, 255, 0]);
        assert_eq!(palette.colour(index), [0, 255, 0]);
    }

    #[test]
    fn files_have_at_least_three_colours() {
        let mut palette = Palette::of(&picture(&[[7, 8, 9]]));
        assert_eq!((palette.index([7, 8, 9]), palette.bytes()), (1, vec![0, 0, 0, 7, 8, 9, 0, 0, 0]));
    }
}
