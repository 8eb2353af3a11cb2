//! An animation embedded in the HTML report, with a small player.

use serde::Serialize;

use crate::html::{begin_scrolling, escape};

/// The player: plain JavaScript that works without a network.
const PLAYER: &str = include_str!("film.js");

/// Smallest font size on a page, CSS pixels.
pub(crate) const LEGIBLE_PX: f64 = 11.0;

/// An animation whose frames are drawn on top of each other, and an animated image file of it, which the page shows
/// where scripts do not run.
///
/// ```
/// use throng_output::film::{Film, FilmFrame};
/// use throng_output::html::Page;
///
/// # let [head, palette, rest] = [vec![1, 2, 3], vec![4, 5, 6], vec![7]];
/// let frame = FilmFrame { number: 0, place: [0, 0], head, rest, shown_ms: 80, text: "time 0".to_owned() };
/// let film = Film {
///     file: "walkers.png".to_owned(),
///     label: "Walkers over time".to_owned(),
///     caption: "Discs are walkers.".to_owned(),
///     size: [640, 480],
///     palette,
///     frames: vec![frame],
///     ..Film::default()
/// };
/// let mut page = Page::new("Walk", "");
/// page.film(&film);
/// assert!(page.finish("").contains("<img src=\"walkers.png\" alt=\"Walkers over time\""));
/// ```
#[derive(Debug, Clone, Default)]
pub struct Film {
    /// File name of the animated image, in the folder of the page.
    pub file: String,
    /// File name of a still image in that folder, for readers who prefer reduced motion and have no scripts; by default
    /// the first frame.
    pub still: Option<String>,
    /// Alternative text.
    pub label: String,
    /// Caption below the animation.
    pub caption: String,
    /// Width and height, pixels.
    pub size: [u32; 2],
    /// Font size in the frames, pixels; 0 if they have no text. On narrow screens the animation scrolls instead of
    /// shrinking its text below legibility.
    pub text_px: f64,
    /// The section of the PNG files that all frames share; it goes between `head` and `rest` of a frame. Its length and
    /// the lengths of the heads are multiples of 3, so that their base64 encodings can be concatenated.
    pub palette: Vec<u8>,
    /// Frames in playing order.
    pub frames: Vec<FilmFrame>,
}

/// A frame of an animation: a PNG image drawn over the previous frame.
#[derive(Debug, Clone, Default)]
pub struct FilmFrame {
    /// Index among all rendered frames, some of which the animation may skip.
    pub number: u32,
    /// Left and top of the image within the animation, pixels.
    pub place: [u32; 2],
    /// The PNG file up to the shared section.
    pub head: Vec<u8>,
    /// The PNG file after the shared section.
    pub rest: Vec<u8>,
    /// Display time, milliseconds.
    pub shown_ms: u32,
    /// Text that the player shows beside the frame, such as the time.
    pub text: String,
}

/// The player's input.
#[derive(Serialize)]
struct Played<'a> {
    width: u32,
    height: u32,
    label: &'a str,
    palette: String,
    frames: Vec<PlayedFrame<'a>>,
}

#[derive(Serialize)]
struct PlayedFrame<'a> {
    x: u32,
    y: u32,
    ms: u32,
    text: &'a str,
    head: String,
    rest: String,
}

impl Film {
    /// Renders the animation as a figure of a page.
    pub(crate) fn render(&self) -> String {
        let played = Played {
            width: self.size[0],
            height: self.size[1],
            label: &self.label,
            palette: base64(&self.palette),
            frames: self.frames.iter().map(FilmFrame::played).collect(),
        };
        // No text may close the script element.
        let data = serde_json::to_string(&played).unwrap_or_default().replace('<', "\\u003c");
        let (file, label, caption) = (escape(&self.file), escape(&self.label), escape(&self.caption));
        let still = self.still.as_ref().map(|still| escape(still)).or_else(|| self.first_frame());
        let still = still.map_or_else(String::new, |still| {
            format!("<source media=\"(prefers-reduced-motion: reduce)\" srcset=\"{still}\">")
        });
        let min_px = if self.text_px > 0.0 { f64::from(self.size[0]) * LEGIBLE_PX / self.text_px } else { 0.0 };
        let mut figure = String::from("<figure class=\"film\">");
        begin_scrolling(&mut figure, &self.label);
        figure
            + &format!(
                "<picture>{still}<img src=\"{file}\" alt=\"{label}\" style=\"--min-width:{min_px:.0}px\"></picture></div>\
                 <script type=\"application/json\">{data}</script><figcaption>{caption}</figcaption></figure>\n\
                 <script>\n{PLAYER}</script>\n"
            )
    }

    /// Returns the first frame, which covers the whole image, as a data URL.
    fn first_frame(&self) -> Option<String> {
        let FilmFrame { head, rest, .. } = self.frames.first()?;
        Some(format!("data:image/png;base64,{}", base64(&[head, &self.palette, rest].map(Vec::as_slice).concat())))
    }
}

impl FilmFrame {
    fn played(&self) -> PlayedFrame<'_> {
        PlayedFrame {
            x: self.place[0],
            y: self.place[1],
            ms: self.shown_ms,
            text: &self.text,
            head: base64(&self.head),
            rest: base64(&self.rest),
        }
    }
}

/// Encodes bytes as base64 (RFC 4648).
fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let bits = group.iter().fold(0u32, |bits, &byte| bits << 8 | u32::from(byte)) << (8 * (3 - group.len()));
        for i in 0..4 {
            let letter = LETTERS[(bits >> (18 - 6 * i) & 63) as usize];
            text.push(if i > group.len() { '=' } else { char::from(letter) });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_matches_rfc_4648() {
        // The test vectors of RFC 4648.
        let vectors =
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE=")];
        for (bytes, text) in vectors {
            assert_eq!(base64(bytes.as_bytes()), text);
        }
        assert_eq!(base64(&[251, 255, 0]), "+/8A");
    }

    #[test]
    fn labels_are_escaped_and_parts_can_be_joined() {
        let frame = |text: &str| FilmFrame {
            head: vec![1; 33],
            rest: vec![9; 4],
            text: text.to_owned(),
            ..FilmFrame::default()
        };
        let film = Film {
            file: "a&b.png".to_owned(),
            still: Some("last.png".to_owned()),
            label: "</script>".to_owned(),
            palette: vec![2; 30],
            frames: vec![frame("</script><b>"), frame("time 1")],
            ..Film::default()
        };
        let html = film.render();
        // One for the data, one for the player.
        assert_eq!((html.matches("<script").count(), html.matches("</script>").count()), (2, 2));
        assert!(
            html.contains("srcset=\"last.png\"") && html.contains("<img src=\"a&amp;b.png\" alt=\"&lt;/script&gt;\"")
        );
        let start = html.find("json\">").unwrap() + 6;
        let data: serde_json::Value = serde_json::from_str(html[start..].split("</script>").next().unwrap()).unwrap();
        assert_eq!((&data["label"], &data["frames"][0]["text"]), (&"</script>".into(), &"</script><b>".into()));
        let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
        let joined = [&data["frames"][1]["head"], &data["palette"], &data["frames"][1]["rest"]].map(text).concat();
        let whole = base64(&[vec![1; 33], vec![2; 30], vec![9; 4]].concat());
        assert_eq!(joined, whole);
        let html = Film { still: None, size: [1000, 500], text_px: 20.0, ..film }.render();
        assert!(
            html.contains(&format!("srcset=\"data:image/png;base64,{whole}\"")),
            "the first frame is the still image"
        );
        assert!(html.contains("class=\"scroll\" tabindex=\"0\"") && html.contains("--min-width:550px"), "{html:.900}");
        for control in ["type: \"button\"", "type: \"range\"", "keydown"] {
            assert!(html.contains(control), "{control}");
        }
    }
}
