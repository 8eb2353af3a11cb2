//! Writes a `serde` value as TOML.
//!
//! The serializer of the `toml` crate has several table types, and the code that writes a struct is compiled for each
//! of them. Here each type is compiled once, into a tree of a single type, which that crate then writes.

use std::fmt::{self, Display};

use serde::ser::{
    Error as _, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
    SerializeTupleStruct, SerializeTupleVariant,
};
use serde::{Serialize, Serializer};

/// Returns a value as the text of a TOML file. Keys without a value are omitted.
///
/// # Errors
/// When the value is not a table, or when TOML cannot express a part of it: a list with gaps, a key that is not a word,
/// a unit. The error names the key. Date and time types of the crate become tables; scenarios store them as text.
pub fn to_toml<T: Serialize>(value: &T) -> Result<String, WriteError> {
    match value.serialize(ToTree)? {
        Some(tree @ Tree::Table(_)) => toml::to_string(&tree).map_err(WriteError::custom),
        _ => Err(WriteError::custom("only a table is a TOML file")),
    }
}

/// Returns the TOML word for a value, such as the name of a variant without content; empty if it is more than a word.
pub fn word_of<T: Serialize>(value: &T) -> String {
    match value.serialize(ToTree) {
        Ok(Some(Tree::Text(word))) => word,
        _ => String::new(),
    }
}

/// The reason why TOML cannot express a value.
#[derive(Clone, PartialEq, Eq)]
pub struct WriteError {
    /// Keys of the faulty part, outermost last.
    keys: Vec<String>,
    message: String,
}

throng_core::debug_is_message!(WriteError);

impl WriteError {
    /// Adds the key that contains the faulty part.
    fn under(mut self, key: impl Display) -> Self {
        self.keys.push(key.to_string());
        self
    }
}

impl Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, key) in self.keys.iter().rev().enumerate() {
            write!(f, "{}{key}", if number == 0 { "" } else { "." })?;
        }
        write!(f, "{}{}", if self.keys.is_empty() { "" } else { ": " }, self.message)
    }
}

impl std::error::Error for WriteError {}

impl serde::ser::Error for WriteError {
    fn custom<T: Display>(message: T) -> Self {
        Self { keys: Vec::new(), message: message.to_string() }
    }
}

/// A TOML value, with table entries in the order of writing.
enum Tree {
    Text(String),
    Integer(i64),
    /// An integer beyond the range of `i64`.
    Large(u64),
    Single(f32),
    Double(f64),
    Flag(bool),
    List(Vec<Tree>),
    Table(Vec<(String, Tree)>),
}

impl Serialize for Tree {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Text(text) => serializer.serialize_str(text),
            Self::Integer(number) => serializer.serialize_i64(*number),
            Self::Large(number) => serializer.serialize_u64(*number),
            Self::Single(number) => serializer.serialize_f32(*number),
            Self::Double(number) => serializer.serialize_f64(*number),
            Self::Flag(flag) => serializer.serialize_bool(*flag),
            Self::List(list) => serializer.collect_seq(list),
            Self::Table(entries) => serializer.collect_map(entries.iter().map(|(key, value)| (key, value))),
        }
    }
}

/// Converts a value to a tree; `None` for a missing value.
struct ToTree;

/// The tree of a value; `None` for a missing value.
type Made = Result<Option<Tree>, WriteError>;

/// Methods that accept integers of these types.
macro_rules! integers {
    ($($method:ident $type:ty,)*) => {
        $(fn $method(self, number: $type) -> Made {
            Ok(Some(Tree::Integer(i64::from(number))))
        })*
    };
}

/// Returns the error for a value without content, which TOML cannot express.
fn empty(what: &str) -> Made {
    Err(WriteError::custom(format_args!("TOML has no word for {what}")))
}

impl Serializer for ToTree {
    type Ok = Option<Tree>;
    type Error = WriteError;
    type SerializeSeq = List;
    type SerializeTuple = List;
    type SerializeTupleStruct = List;
    type SerializeTupleVariant = List;
    type SerializeMap = Table;
    type SerializeStruct = Table;
    type SerializeStructVariant = Table;

    fn serialize_bool(self, flag: bool) -> Made {
        Ok(Some(Tree::Flag(flag)))
    }

    integers! {
        serialize_i8 i8,
        serialize_i16 i16,
        serialize_i32 i32,
        serialize_i64 i64,
        serialize_u8 u8,
        serialize_u16 u16,
        serialize_u32 u32,
    }

    fn serialize_u64(self, number: u64) -> Made {
        Ok(Some(i64::try_from(number).map_or(Tree::Large(number), Tree::Integer)))
    }

    fn serialize_f32(self, number: f32) -> Made {
        Ok(Some(Tree::Single(number)))
    }

    fn serialize_f64(self, number: f64) -> Made {
        Ok(Some(Tree::Double(number)))
    }

    fn serialize_char(self, letter: char) -> Made {
        Ok(Some(Tree::Text(letter.to_string())))
    }

    fn serialize_str(self, text: &str) -> Made {
        Ok(Some(Tree::Text(text.to_owned())))
    }

    fn serialize_bytes(self, bytes: &[u8]) -> Made {
        Ok(Some(Tree::List(bytes.iter().map(|byte| Tree::Integer(i64::from(*byte))).collect())))
    }

    fn serialize_none(self) -> Made {
        Ok(None)
    }

    fn serialize_some<T: ?Sized + Serialize>(self, value: &T) -> Made {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Made {
        empty("a unit")
    }

    fn serialize_unit_struct(self, name: &'static str) -> Made {
        empty(name)
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Made {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: ?Sized + Serialize>(self, _: &'static str, value: &T) -> Made {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: ?Sized + Serialize>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Made {
        let value = value.serialize(self).map_err(|error| error.under(variant))?;
        within(Some(variant), value)
    }

    fn serialize_seq(self, length: Option<usize>) -> Result<List, WriteError> {
        Ok(List::of(None, length.unwrap_or(0)))
    }

    fn serialize_tuple(self, length: usize) -> Result<List, WriteError> {
        Ok(List::of(None, length))
    }

    fn serialize_tuple_struct(self, _: &'static str, length: usize) -> Result<List, WriteError> {
        Ok(List::of(None, length))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        length: usize,
    ) -> Result<List, WriteError> {
        Ok(List::of(Some(variant), length))
    }

    fn serialize_map(self, length: Option<usize>) -> Result<Table, WriteError> {
        Ok(Table::of(None, length.unwrap_or(0)))
    }

    fn serialize_struct(self, _: &'static str, length: usize) -> Result<Table, WriteError> {
        Ok(Table::of(None, length))
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        length: usize,
    ) -> Result<Table, WriteError> {
        Ok(Table::of(Some(variant), length))
    }
}

/// Returns a value, or a table that contains it under the name of its variant.
fn within(variant: Option<&'static str>, value: Option<Tree>) -> Made {
    match (variant, value) {
        (Some(variant), Some(value)) => Ok(Some(Tree::Table(vec![(variant.to_owned(), value)]))),
        (Some(variant), None) => empty(&format!("{variant} without a value")),
        (None, value) => Ok(value),
    }
}

/// A list under construction.
struct List {
    variant: Option<&'static str>,
    values: Vec<Tree>,
}

impl List {
    fn of(variant: Option<&'static str>, length: usize) -> Self {
        Self { variant, values: Vec::with_capacity(length) }
    }

    fn push<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), WriteError> {
        let number = self.values.len();
        let value = value.serialize(ToTree).map_err(|error| error.under(number))?;
        self.values.push(value.ok_or_else(|| WriteError::custom("a list with a gap").under(number))?);
        Ok(())
    }

    fn finish(self) -> Made {
        within(self.variant, Some(Tree::List(self.values)))
    }
}

/// A table under construction.
struct Table {
    variant: Option<&'static str>,
    entries: Vec<(String, Tree)>,
    /// Key of the next value.
    key: Option<String>,
}

impl Table {
    fn of(variant: Option<&'static str>, length: usize) -> Self {
        Self { variant, entries: Vec::with_capacity(length), key: None }
    }

    fn push<T: ?Sized + Serialize>(&mut self, key: String, value: &T) -> Result<(), WriteError> {
        let value = value.serialize(ToTree).map_err(|error| error.under(&key))?;
        self.entries.extend(value.map(|value| (key, value)));
        Ok(())
    }

    fn finish(self) -> Made {
        within(self.variant, Some(Tree::Table(self.entries)))
    }
}

/// `serde` traits for lists, which differ only in method names.
macro_rules! lists {
    ($($list:ident $push:ident,)*) => {$(
        impl $list for List {
            type Ok = Option<Tree>;
            type Error = WriteError;

            fn $push<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), WriteError> {
                self.push(value)
            }

            fn end(self) -> Made {
                self.finish()
            }
        }
    )*};
}

lists! {
    SerializeSeq serialize_element,
    SerializeTuple serialize_element,
    SerializeTupleStruct serialize_field,
    SerializeTupleVariant serialize_field,
}

/// `serde` traits for structs.
macro_rules! structs {
    ($($table:ident,)*) => {$(
        impl $table for Table {
            type Ok = Option<Tree>;
            type Error = WriteError;

            fn serialize_field<T: ?Sized + Serialize>(
                &mut self,
                key: &'static str,
                value: &T,
            ) -> Result<(), WriteError> {
                self.push(key.to_owned(), value)
            }

            fn end(self) -> Made {
                self.finish()
            }
        }
    )*};
}

structs! { SerializeStruct, SerializeStructVariant, }

impl SerializeMap for Table {
    type Ok = Option<Tree>;
    type Error = WriteError;

    fn serialize_key<T: ?Sized + Serialize>(&mut self, key: &T) -> Result<(), WriteError> {
        self.key = Some(match key.serialize(ToTree)? {
            Some(Tree::Text(text)) => text,
            Some(Tree::Integer(number)) => number.to_string(),
            Some(Tree::Large(number)) => number.to_string(),
            Some(Tree::Flag(flag)) => flag.to_string(),
            _ => return Err(WriteError::custom("a key that is neither a word nor a whole number")),
        });
        Ok(())
    }

    fn serialize_value<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), WriteError> {
        let key = self.key.take().ok_or_else(|| WriteError::custom("a value without a key"))?;
        self.push(key, value)
    }

    fn end(self) -> Made {
        self.finish()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[derive(Serialize)]
    enum Mouth {
        Open,
        Delta(u8),
        Pair(i8, f32),
        Dam { height: f64 },
        Arms(Vec<Bed>),
    }

    #[derive(Serialize)]
    struct Marked<T> {
        mark: T,
    }

    #[derive(Serialize)]
    struct Mark;

    /// A type that fails to serialize, with a message that looks like a key.
    struct Broken;

    impl Serialize for Broken {
        fn serialize<S: Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
            Err(serde::ser::Error::custom("depth: unknown"))
        }
    }

    #[derive(Serialize)]
    struct Length(u64);

    #[derive(Serialize)]
    struct River {
        name: String,
        none: Option<u8>,
        depths: (f32, f64),
        mouths: Vec<Mouth>,
        bed: Bed,
        gauges: BTreeMap<u8, Option<Bed>>,
        notes: BTreeMap<String, String>,
        flows: Vec<Bed>,
        dams: Vec<Mouth>,
        dries: Vec<Bed>,
        main: Mouth,
        length: Length,
        is_tidal: bool,
    }

    #[derive(Serialize)]
    struct Bed {
        width: u64,
        letter: char,
    }

    fn river() -> River {
        let bed = |width| Bed { width, letter: 'b' };
        River {
            name: "a \"b\"\n".to_owned(),
            none: None,
            depths: (0.1, f64::NEG_INFINITY),
            mouths: vec![Mouth::Open, Mouth::Delta(3), Mouth::Pair(-1, 0.5), Mouth::Dam { height: 1e300 }],
            bed: bed(7),
            gauges: BTreeMap::from([(1, Some(bed(8))), (2, None)]),
            notes: BTreeMap::from([("with space".to_owned(), "x".to_owned()), (String::new(), "y".to_owned())]),
            flows: vec![bed(1), bed(2)],
            dams: vec![Mouth::Dam { height: -f64::NAN }, Mouth::Delta(1)],
            dries: Vec::new(),
            main: Mouth::Dam { height: 2.0 },
            length: Length(u64::MAX),
            is_tidal: true,
        }
    }

    #[test]
    fn the_text_equals_the_output_of_the_toml_crate() {
        assert_eq!(to_toml(&river()).unwrap(), toml::to_string(&river()).unwrap());
    }

    /// The `toml` crate writes these on one line.
    #[test]
    fn a_variant_with_tables_keeps_their_values() {
        let arms = BTreeMap::from([("river", Mouth::Arms(vec![Bed { width: 1, letter: 'a' }]))]);
        let [ours, theirs] = [to_toml(&arms).unwrap(), toml::to_string(&arms).unwrap()];
        assert_eq!(ours.parse::<toml::Table>().unwrap(), theirs.parse::<toml::Table>().unwrap());
    }

    #[test]
    fn only_variants_without_content_are_words() {
        assert_eq!([word_of(&Mouth::Open), word_of(&Mouth::Delta(3)), word_of(&None::<u8>)], ["Open", "", ""]);
    }

    #[test]
    fn values_without_a_toml_form_are_refused() {
        let told = |result: Result<String, WriteError>| result.unwrap_err().to_string();
        assert_eq!(told(to_toml(&3)), "only a table is a TOML file");
        assert_eq!(told(to_toml(&None::<u8>)), "only a table is a TOML file");
        assert_eq!(told(to_toml(&BTreeMap::from([("a", [Some(1), None])]))), "a.1: a list with a gap");
        let deep = BTreeMap::from([("a", vec![Marked { mark: Mark }])]);
        assert_eq!(told(to_toml(&deep)), "a.0.mark: TOML has no word for Mark");
        assert_eq!(told(to_toml(&Marked { mark: () })), "mark: TOML has no word for a unit");
        assert_eq!(told(to_toml(&Marked { mark: [Broken] })), "mark.0: depth: unknown");
        let told_of_keys = told(to_toml(&BTreeMap::from([((1, 2), 3)])));
        assert_eq!(told_of_keys, "a key that is neither a word nor a whole number");
    }
}
