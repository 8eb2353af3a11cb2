//! Attributes that change the layout of types: `packed` and `aligned`.

use crate::constants::whole_number;
use crate::pieces::Piece;

/// The attributes of a struct, a member or a type name.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Attributes {
    /// Members have an alignment of one byte.
    pub is_packed: bool,
    /// The alignment in bytes; the largest if there are several.
    pub align: Option<u64>,
}

/// Known attributes that do not change the layout.
const OTHERS: [&str; 5] = ["endian", "nosvm", "unused", "deprecated", "may_alias"];

/// Maximum accepted alignment; compilers have their own limits.
const MAX_ALIGN: i128 = 1 << 28;

/// Collects the attributes in `pieces`.
///
/// # Errors
/// When the layout is unknown: an unknown attribute, or an alignment that is not given as a power of two.
pub(crate) fn attributes(pieces: &[Piece]) -> Result<Attributes, String> {
    let mut found = Attributes::default();
    let words: Vec<&str> = pieces.iter().map(|piece| piece.text.as_str()).collect();
    let mut at = 0;
    while let Some(begin) = words[at..].iter().position(|word| is_attribute(word)).map(|offset| at + offset) {
        // `__attribute__ ( ( name ( arguments ) , name ) )`
        let mut depth = 0;
        at = begin + 1;
        while let Some(word) = words.get(at) {
            match *word {
                "(" => depth += 1,
                ")" => depth -= 1,
                "," => {}
                name if depth == 2 => found.add(name, &words[at + 1..])?,
                _ => {}
            }
            at += 1;
            if depth == 0 {
                break;
            }
        }
    }
    Ok(found)
}

/// Whether a piece starts an attribute.
pub(crate) fn is_attribute(text: &str) -> bool {
    matches!(text, "__attribute__" | "__attribute")
}

/// The number of leading pieces that are attributes.
pub(crate) fn length(pieces: &[Piece]) -> usize {
    let mut end = 0;
    while pieces.get(end).is_some_and(|piece| is_attribute(&piece.text)) {
        let mut depth = 0;
        end += 1;
        while let Some(piece) = pieces.get(end) {
            depth += i32::from(piece.text == "(") - i32::from(piece.text == ")");
            end += 1;
            if depth == 0 {
                break;
            }
        }
    }
    end
}

impl Attributes {
    /// Adds an attribute. `after` contains the words that follow its name.
    fn add(&mut self, name: &str, after: &[&str]) -> Result<(), String> {
        let plain = name.strip_prefix("__").and_then(|name| name.strip_suffix("__")).unwrap_or(name);
        match (plain, after) {
            ("packed", _) => self.is_packed = true,
            ("aligned", ["(", number, ")", ..]) => {
                let align = whole_number(number).filter(|align| align.count_ones() == 1 && *align <= MAX_ALIGN);
                let align =
                    align.ok_or_else(|| format!("its alignment `{number}` is not a power of two up to 2^28"))?;
                self.align = self.align.max(u64::try_from(align).ok());
            }
            ("aligned", ["(", ..]) => return Err("its alignment is not written as a number".to_owned()),
            ("aligned", _) => return Err("`aligned` without a number depends on the device".to_owned()),
            (other, _) if OTHERS.contains(&other) => {}
            (other, _) => return Err(format!("it has the attribute `{other}`")),
        }
        Ok(())
    }
}
