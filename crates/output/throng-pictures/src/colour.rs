//! Colours of marks and paths: nine named colours, and any other in hexadecimal notation.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use throng_core::InputError;

use super::colours::Rgb;

/// An example of hexadecimal notation.
const HEX: &str = "#1f77b4";
/// Valid notations of colours.
const WRITTEN: [&str; 10] = ["red", "blue", "green", "purple", "orange", "yellow", "brown", "pink", "grey", HEX];
/// The named colours, in order: `Set1` of `ColorBrewer` (Harrower and Brewer 2003).
const NAMED: [Rgb; 9] = [
    [228, 26, 28],
    [55, 126, 184],
    [77, 175, 74],
    [152, 78, 163],
    [255, 127, 0],
    [255, 255, 51],
    [166, 86, 40],
    [247, 129, 191],
    [153, 153, 153],
];

/// A colour of marks and paths: red, green and blue, each from 0 to 255 (sRGB).
///
/// It can be created from an index into nine distinguishable colours, which wraps around; from its three components; or
/// from text: `red`, `blue`, `green`, `purple`, `orange`, `yellow`, `brown`, `pink`, `grey`, or six hexadecimal digits
/// such as `#1f77b4`.
///
/// ```
/// use throng_pictures::Colour;
///
/// assert_eq!(Colour::from(0), "red".parse()?);
/// assert_eq!(Colour::from(9), Colour::from(0));
/// assert_eq!("#1F77b4".parse::<Colour>()?, Colour::from([31, 119, 180]));
/// assert_eq!([Colour::from([31, 119, 180]), Colour::from(1)].map(|colour| colour.to_string()), ["#1f77b4", "blue"]);
/// assert!("#1f77b".parse::<Colour>().is_err() && "beige".parse::<Colour>().is_err());
/// # Ok::<(), throng_core::InputError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Colour(Rgb);

impl Colour {
    /// The named colour with index 0.
    pub const RED: Self = Self(NAMED[0]);
    /// The named colour with index 1.
    pub const BLUE: Self = Self(NAMED[1]);
    /// The named colour with index 2.
    pub const GREEN: Self = Self(NAMED[2]);
    /// The named colour with index 8, the last one.
    pub const GREY: Self = Self(NAMED[8]);

    /// Returns red, green and blue.
    pub fn rgb(self) -> [u8; 3] {
        self.0
    }

    /// Iterates over the named colours.
    pub fn named() -> impl Iterator<Item = Self> {
        NAMED.into_iter().map(Self)
    }
}

impl From<u8> for Colour {
    fn from(number: u8) -> Self {
        Self(NAMED[usize::from(number) % NAMED.len()])
    }
}

impl From<[u8; 3]> for Colour {
    fn from(rgb: [u8; 3]) -> Self {
        Self(rgb)
    }
}

/// Writes the name, or the hexadecimal digits if the colour has no name.
impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [red, green, blue] = self.0;
        match NAMED.iter().position(|named| *named == self.0) {
            Some(number) => f.write_str(WRITTEN[number]),
            None => write!(f, "#{red:02x}{green:02x}{blue:02x}"),
        }
    }
}

impl FromStr for Colour {
    type Err = InputError;

    /// # Errors
    /// When the text is neither a name nor six hexadecimal digits after `#`.
    fn from_str(text: &str) -> Result<Self, InputError> {
        parsed(text).ok_or_else(|| {
            let remedy = format!("expected {}", WRITTEN.join(", "));
            InputError::one("colour", format!("{text:?}"), remedy)
        })
    }
}

fn parsed(text: &str) -> Option<Colour> {
    if let Some(number) = WRITTEN[..NAMED.len()].iter().position(|name| *name == text) {
        return Some(Colour(NAMED[number]));
    }
    let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6)?;
    // `from_str_radix` would accept a sign.
    let digits = digits.bytes().all(|digit| digit.is_ascii_hexdigit()).then_some(digits)?;
    let [_, red, green, blue] = u32::from_str_radix(digits, 16).ok()?.to_be_bytes();
    Some(Colour([red, green, blue]))
}

impl Serialize for Colour {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Colour {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        parsed(&text).ok_or_else(|| D::Error::unknown_variant(&text, &WRITTEN))
    }
}

impl JsonSchema for Colour {
    fn schema_name() -> Cow<'static, str> {
        "Colour".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "enum": WRITTEN })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn named_colours_match_the_palette() {
        assert_eq!(NAMED, colorous::SET1.map(|colour| colour.as_array()));
        for (number, name) in WRITTEN[..9].iter().enumerate() {
            let colour = Colour::from(number as u8);
            assert_eq!((parsed(name), colour.to_string().as_str()), (Some(colour), *name));
        }
        let named = [Colour::RED, Colour::BLUE, Colour::GREEN, Colour::GREY].map(|colour| colour.to_string());
        assert_eq!(named, ["red", "blue", "green", "grey"]);
    }

    #[test]
    fn hexadecimal_colours_have_six_digits() {
        assert_eq!(parsed("#00ff7F"), Some(Colour([0, 255, 127])));
        for text in ["", "#", "00ff7f", "#00ff7", "#00ff7f0", "#00ff7g", "#+0ff7f", "#0ä7f1", "Red", "gray"] {
            assert_eq!(parsed(text), None, "{text}");
        }
    }

    #[test]
    fn colours_are_serialized_as_strings() {
        let colours = vec![Colour::from(3), Colour::from([1, 2, 3])];
        let text = serde_json::to_string(&colours).unwrap();
        assert_eq!(text, r##"["purple","#010203"]"##);
        assert_eq!(serde_json::from_str::<Vec<Colour>>(&text).unwrap(), colours);
        let error = serde_json::from_str::<Colour>("\"#12345\"").unwrap_err().to_string();
        assert!(error.starts_with("unknown variant `#12345`, expected one of `red`, `blue`"), "{error}");
    }
}
