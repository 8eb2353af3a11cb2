//! Text in an image: Noto Sans Mono in two sizes, with the letters of western European languages.

use noto_sans_mono_bitmap::{FontWeight, RasterHeight, RasterizedChar, get_raster, get_raster_width};

use super::colours::{INK, Rgb};
use super::picture::Picture;

/// Size of the smaller font, pixels; its lines are 20 pixels high including spacing.
pub(super) const MIN_FONT_PX: f64 = 16.0;

/// Font of a text, which determines its size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Font {
    /// Numbers and names.
    Label,
    /// Title of the image.
    Title,
}

impl Font {
    fn style(self) -> (FontWeight, RasterHeight) {
        match self {
            Self::Label => (FontWeight::Regular, RasterHeight::Size20),
            Self::Title => (FontWeight::Bold, RasterHeight::Size24),
        }
    }

    /// Returns the height of a line in pixels.
    pub(super) fn height(self) -> i64 {
        self.style().1.val() as i64
    }

    /// Returns the width of a letter in pixels, the same for all letters.
    pub(super) fn letter(self) -> i64 {
        let (weight, height) = self.style();
        get_raster_width(weight, height) as i64
    }

    /// Returns the width of a text in pixels.
    pub(super) fn width(self, text: &str) -> i64 {
        text.chars().count() as i64 * self.letter()
    }

    /// Returns the glyph of a letter, or a question mark if the font lacks it.
    fn glyph(self, letter: char) -> Option<RasterizedChar> {
        let (weight, height) = self.style();
        get_raster(letter, weight, height).or_else(|| get_raster('?', weight, height))
    }
}

/// Draws a line of text whose top left corner is at (`left`, `top`).
pub(super) fn write(picture: &mut Picture, font: Font, [left, top]: [i64; 2], text: &str) {
    write_in(picture, font, [left, top], text, INK);
}

fn write_in(picture: &mut Picture, font: Font, [left, top]: [i64; 2], text: &str, colour: Rgb) {
    for (i, letter) in text.chars().enumerate() {
        let Some(glyph) = font.glyph(letter) else { continue };
        for (y, row) in glyph.rows().enumerate() {
            for (x, &intensity) in row.iter().enumerate() {
                let x = left + i as i64 * font.letter() + x as i64;
                picture.cover(x, top + y as i64, colour, f64::from(intensity) / 255.0);
            }
        }
    }
}

/// Wraps a text into lines of at most `width` pixels, between words if possible.
pub(super) fn wrapped(font: Font, text: &str, width: i64) -> Vec<String> {
    let max_letters = (width / font.letter()).max(1) as usize;
    text.lines().flat_map(|line| wrapped_line(line, max_letters)).collect()
}

fn wrapped_line(text: &str, max_letters: usize) -> Vec<String> {
    let (mut lines, mut line) = (Vec::new(), String::new());
    for word in text.split_whitespace() {
        let letters: Vec<char> = word.chars().collect();
        let used = line.chars().count();
        if used > 0 && used + 1 + letters.len() <= max_letters {
            line.push(' ');
        } else if used > 0 {
            lines.push(std::mem::take(&mut line));
        }
        // A word longer than a line takes several lines; the last one may have space for the next word.
        let mut parts = letters.chunks(max_letters).peekable();
        while let Some(part) = parts.next() {
            line.extend(part);
            if parts.peek().is_some() {
                lines.push(std::mem::take(&mut line));
            }
        }
    }
    if !line.is_empty() {
        lines.push(line);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::Area;

    /// Returns the bounding box of the pixels that are not white.
    fn inked(picture: &Picture) -> Option<Area> {
        let dark = |x, y| picture.pixel(x, y).is_some_and(|pixel| pixel[0] < 200);
        let all = (0..picture.height()).flat_map(|y| (0..picture.width()).map(move |x| (x, y)));
        let (xs, ys): (Vec<u32>, Vec<u32>) = all.filter(|&(x, y)| dark(x, y)).unzip();
        let (left, right, top, bottom) = (xs.iter().min()?, xs.iter().max()?, ys.iter().min()?, ys.iter().max()?);
        Some(Area {
            left: i64::from(*left),
            top: i64::from(*top),
            width: i64::from(right - left) + 1,
            height: i64::from(bottom - top) + 1,
        })
    }

    #[test]
    fn text_fits_its_measured_size() {
        for font in [Font::Label, Font::Title] {
            let mut picture = Picture::new(300, 60).unwrap();
            write(&mut picture, font, [20, 10], "M1.5 m/s²g");
            let (area, width) = (inked(&picture).unwrap(), font.width("M1.5 m/s²g"));
            assert!(area.left >= 20 && area.right() <= 20 + width && area.width > width - font.letter());
            assert!(area.top >= 10 && area.bottom() <= 10 + font.height());
        }
    }

    #[test]
    fn unsupported_letters_are_drawn_as_question_marks() {
        let pixels = |text: &str| {
            let mut picture = Picture::new(40, 30).unwrap();
            write(&mut picture, Font::Label, [2, 2], text);
            picture
        };
        assert_eq!(pixels("\u{4e2d}"), pixels("?"));
        assert_ne!(pixels("a"), pixels("?"));
        assert_eq!(inked(&pixels(" ")), None);
    }

    #[test]
    fn lines_break_between_words_and_within_long_ones() {
        let lines = |text: &str, letters: i64| wrapped(Font::Label, text, letters * Font::Label.letter());
        assert_eq!(lines("one two three", 7), ["one two", "three"]);
        assert_eq!(lines("one two three", 100), ["one two three"]);
        assert_eq!(lines("a\nb  c", 100), ["a", "b c"]);
        assert_eq!(lines("ab abcdefgh", 3), ["ab", "abc", "def", "gh"]);
        assert_eq!(lines("abc", 0), ["a", "b", "c"]);
        assert!(lines("", 9).is_empty() && lines(" \n ", 9).is_empty());
        // An algorithm that moves the rest of the word after each line would take hours.
        assert_eq!(lines(&"a".repeat(20_000_000), 2).len(), 10_000_000);
    }
}
