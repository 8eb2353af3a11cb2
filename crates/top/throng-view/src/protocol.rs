//! The protocol between a page and the server, on the WebSocket `socket` next to the page.
//!
//! # Requests
//! A page requests an image with a text message of at most [`MAX_REQUEST_BYTES`] bytes, in JSON:
//!
//! ```json
//! {"seq": 7, "view": {"width": 700, "height": 700, "camera": {"eye": [0, 1.5, 5], "target": [0, 0.8, 0],
//!  "up": [0, 1, 0], "vfov_deg": 50}, "light": [3, 5, 4], "time": null, "colouring": null}}
//! ```
//!
//! `seq` is an integer below 2^32 that increases with each request. `view` is a [`View`]. Only the newest request is
//! drawn; earlier ones may get no answer. Work on an earlier request ends a few milliseconds after a newer one arrives.
//! The exception is a change of time or colouring: reading files and building the scene is completed first.
//!
//! # Images
//! The server answers with binary messages, one per stage of the image, except for stages that are superseded by a
//! better one before they are sent. A message consists of a header of 36 bytes, two texts in UTF-8, and the pixels. All
//! numbers are unsigned, of 4 bytes, little-endian:
//!
//! | bytes | meaning |
//! |---|---|
//! | 0..4 | `THRG` |
//! | 4..8 | `seq` of the request |
//! | 8..12 | width; less than requested while the image is coarse |
//! | 12..16 | height |
//! | 16..20 | samples per pixel |
//! | 20..24 | format of the pixels: 1, for red, green, blue (sRGB) and 255, one byte each, in rows from the top |
//! | 24..28 | microseconds since the start of work on the image |
//! | 28..32 | length of the text of the time in bytes; 0 if there is none |
//! | 32..36 | length of the name of the device that has drawn the image in bytes; 0 if there is none |
//! | 36.. | the text of the time, the name of the device, the pixels |
//!
//! # Errors
//! A view that cannot be drawn is answered with a text message:
//! `{"seq": 7, "error": "view.width: 5000\n    give 1 to 4096 pixels"}`. `seq` is null if it was not parsed, or
//! if the error is not related to a request. The connection stays open. If a device has failed, images of the same
//! request may follow, drawn on the CPU.
//!
//! # Legends
//! `GET legend.json?colouring=NAME` returns the [`Legend`](crate::Legend) of a colouring, in JSON:
//! `{"title": "City, speed", "rows": [[[1, 0, 0], "stands"]]}`. The red, green and blue of a row are linear values
//! between 0 and 1. Without a name, it returns the legend of the initial colouring. An unknown name is answered with
//! status 400 and a message as text.

use serde::Deserialize;
use serde_json::json;
use throng_core::InputError;

use crate::{Frame, View};

/// Maximum size of a request, bytes.
pub const MAX_REQUEST_BYTES: usize = 16 << 10;
/// Maximum size of an answer in bytes: an image of [`View::MAX_PIXELS`] pixels, its header, and its texts.
pub(crate) const MAX_ANSWER_BYTES: usize = 4 * View::MAX_PIXELS as usize + (64 << 10);
/// Size of the header before the texts, bytes.
const HEADER: usize = 36;
/// Pixel format: red, green, blue and 255, one byte each.
const RGBA8: u32 = 1;

/// A request of a page.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Request {
    pub seq: u32,
    pub view: View,
}

/// The error of a request that cannot be drawn, with its `seq` if that could be parsed.
#[derive(Debug, PartialEq)]
pub(crate) struct Refusal {
    pub seq: Option<u32>,
    pub error: InputError,
}

impl Request {
    /// Parses and checks a request.
    pub fn read(text: &str) -> Result<Self, Refusal> {
        /// The part of a request that may be valid even if the rest is not.
        #[derive(Deserialize)]
        struct Number {
            seq: u32,
        }
        let refusal = |error| Refusal { seq: serde_json::from_str(text).ok().map(|Number { seq }| seq), error };
        let request: Self = serde_json::from_str(text).map_err(|error| {
            refusal(InputError::one("request", error.to_string(), "reload the page; it may be from another version"))
        })?;
        request.view.check().map_err(refusal)?;
        Ok(request)
    }
}

impl Refusal {
    /// The JSON message for the page.
    pub fn message(&self) -> String {
        json!({"seq": self.seq, "error": self.error.to_string()}).to_string()
    }
}

/// Builds the message with an image.
///
/// # Errors
/// If the number of pixels does not match the size.
pub(crate) fn picture(seq: u32, frame: &Frame, microseconds: u32) -> Result<Vec<u8>, InputError> {
    let Frame { width, height, samples, rgba, time, device } = frame;
    let expected = u64::from(*width) * u64::from(*height) * 4;
    if rgba.len() as u64 != expected {
        let message = format!("{width} x {height} pixels have {} bytes and not {expected}", rgba.len());
        return Err(InputError::one("picture", message, "this is a mistake in Throng; please report it"));
    }
    let [time, device] = [time, device].map(|text| text.as_deref().unwrap_or_default().as_bytes());
    let mut message = Vec::with_capacity(HEADER + time.len() + device.len() + rgba.len());
    message.extend(b"THRG");
    for number in [seq, *width, *height, *samples, RGBA8, microseconds, time.len() as u32, device.len() as u32] {
        message.extend(number.to_le_bytes());
    }
    message.extend(time);
    message.extend(device);
    message.extend(rgba);
    Ok(message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_read_and_checked() {
        let fine = r#"{"seq": 7, "view": {"width": 2, "height": 1, "camera": {}, "time": 3.5}}"#;
        let request = Request::read(fine).unwrap();
        assert_eq!((request.seq, request.view.time, request.view.light), (7, Some(3.5), None));
        for (from, to, seq, expected) in [
            ("}}", "", None, "request: EOF while parsing"),
            ("7", "-7", None, "request: invalid value: integer `-7`, expected u32"),
            ("3.5", "NaN", None, "request: expected value"),
            ("3.5", "1e999", Some(7), "request: number out of range"),
            ("time", "tine", Some(7), "request: unknown field `tine`, expected one of"),
            ("camera\": {}", "camera\": {\"eye\": [0, 0]}", Some(7), "request: invalid length 2, expected an array of"),
            ("\"width\": 2", "\"width\": 5000", Some(7), "view.width: 5000\n    give 1 to 4096 pixels"),
        ] {
            let refusal = Request::read(&fine.replacen(from, to, 1)).unwrap_err();
            assert_eq!(refusal.seq, seq, "{to}");
            assert!(refusal.error.to_string().starts_with(expected), "{}", refusal.error);
        }
    }

    #[test]
    fn an_image_message_has_header_texts_and_pixels() {
        let rgba = vec![1, 2, 3, 255, 4, 5, 6, 255];
        let (time, device) = (Some("7 s".to_owned()), Some("cpu".to_owned()));
        let frame = Frame { width: 2, height: 1, samples: 16, rgba, time, device };
        let message = picture(258, &frame, 1_000).unwrap();
        assert_eq!(message[..8], *b"THRG\x02\x01\0\0");
        assert_eq!(message[8..32], [2, 0, 0, 0, 1, 0, 0, 0, 16, 0, 0, 0, 1, 0, 0, 0, 0xe8, 3, 0, 0, 3, 0, 0, 0]);
        assert_eq!(message[32..], *b"\x03\0\0\x007 scpu\x01\x02\x03\xff\x04\x05\x06\xff");
        let error = picture(1, &Frame { height: 2, ..frame }, 0).unwrap_err().to_string();
        assert!(error.starts_with("picture: 2 x 2 pixels have 8 bytes and not 16"), "{error}");
    }
}
