//! Reads a value of a scenario file as a type with `serde`, and reports the position of errors.
//!
//! The deserializer of the `toml` crate has separate map types for tables, dates and positions, and the code that reads
//! a struct is compiled for each of them, which takes much of a model's compile time. Scenario files need only tables.

use std::fmt::{self, Display};
use std::ops::Range;

use serde::de::value::StrDeserializer;
use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, Error as _, MapAccess, SeqAccess, Unexpected,
    VariantAccess, Visitor,
};
use serde::forward_to_deserialize_any;
use toml::Spanned;
use toml::de::{DeArray, DeFloat, DeInteger, DeString, DeTable, DeValue};

/// Reads a value.
///
/// # Errors
/// When the value does not match the type; the error gives the first part that does not. Lists longer than an array or
/// a tuple are rejected.
pub(crate) fn read<T: DeserializeOwned>(value: Spanned<DeValue<'_>>) -> Result<T, ReadError> {
    Value::from(value).located(T::deserialize)
}

/// The reason why a value cannot be read.
#[derive(Debug)]
pub(crate) struct ReadError {
    pub(crate) message: String,
    /// Byte range of the fault in the text.
    pub(crate) span: Option<Range<usize>>,
    /// Key of the value inside the value that is read, such as `camera.eye`, or ` 2` in a list; empty for the value
    /// itself. An unknown or missing key is not part of it.
    pub(crate) key: String,
}

impl ReadError {
    /// Sets the position of the error, unless a more specific one is set.
    fn at(mut self, span: &Range<usize>) -> Self {
        self.span.get_or_insert_with(|| span.clone());
        self
    }

    /// Puts the key of a table before the key of the error.
    fn below(self, key: &str) -> Self {
        let key = match &*self.key {
            "" => key.to_owned(),
            of_list if of_list.starts_with(' ') => format!("{key}{of_list}"),
            of_table => format!("{key}.{of_table}"),
        };
        Self { key, ..self }
    }

    /// Puts the number of a value of a list before the key of the error, as in `rooms 2, size` or `points 2, value 1`.
    fn below_number(self, number: usize) -> Self {
        let key = match &*self.key {
            "" => format!(" {number}"),
            of_list if of_list.starts_with(' ') => format!(" {number}, value{of_list}"),
            of_table => format!(" {number}, {of_table}"),
        };
        Self { key, ..self }
    }
}

impl serde::de::Error for ReadError {
    fn custom<T: Display>(message: T) -> Self {
        Self { message: message.to_string(), span: None, key: String::new() }
    }
}

impl Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ReadError {}

/// A value and its position.
struct Value<'t> {
    value: DeValue<'t>,
    span: Range<usize>,
}

impl<'t> From<Spanned<DeValue<'t>>> for Value<'t> {
    fn from(value: Spanned<DeValue<'t>>) -> Self {
        let span = value.span();
        Self { value: value.into_inner(), span }
    }
}

impl<'de> Deserializer<'de> for Value<'_> {
    type Error = ReadError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        match self.value {
            DeValue::String(text) => visitor.visit_string(text.into_owned()),
            DeValue::Integer(number) => integer(&number).and_then(|number| match number {
                Integer::Signed(number) => visitor.visit_i64(number),
                Integer::Unsigned(number) => visitor.visit_u64(number),
            }),
            DeValue::Float(number) => float(&number).and_then(|number| visitor.visit_f64(number)),
            DeValue::Boolean(flag) => visitor.visit_bool(flag),
            // Dates and times need no quotes.
            DeValue::Datetime(time) => visitor.visit_string(time.to_string()),
            DeValue::Array(list) => visitor.visit_seq(List { values: list.into_iter(), number: 0 }),
            DeValue::Table(table) => visitor.visit_map(Table { entries: table.into_iter(), last: None }),
        }
    }

    /// Rejects a finite number that overflows in single precision.
    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        let value = if let DeValue::Float(number) = &self.value { float(number)? } else { 0.0 };
        if value.is_finite() && (value as f32).is_infinite() {
            return Err(ReadError::custom("a number beyond the range of 32 bits, expected -3.4e38 to 3.4e38"));
        }
        self.deserialize_any(visitor)
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value, ReadError> {
        self.refuse_longer_than(length)?;
        self.deserialize_any(visitor)
    }

    /// Also accepts a list of the field values.
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ReadError> {
        self.refuse_longer_than(fields.len())?;
        self.deserialize_any(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        length: usize,
        visitor: V,
    ) -> Result<V::Value, ReadError> {
        self.deserialize_tuple(length, visitor)
    }

    /// Called only for keys that exist, because TOML has no null.
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, ReadError> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ReadError> {
        let Self { value, span } = self;
        let variant = match value {
            DeValue::String(name) => Some(Variant { name: Spanned::new(span, name), content: None }),
            DeValue::Table(table) if table.len() == 1 => {
                table.into_iter().next().map(|(name, content)| Variant { name, content: Some(content.into()) })
            }
            _ => None,
        };
        variant
            .ok_or_else(|| {
                let names = variants.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
                ReadError::custom(format_args!("neither a text nor a table with one key, expected one of {names}"))
            })
            .and_then(|variant| visitor.visit_enum(variant))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f64 char str string bytes byte_buf unit unit_struct seq map
        identifier ignored_any
    }
}

enum Integer {
    Signed(i64),
    Unsigned(u64),
}

fn integer(number: &DeInteger<'_>) -> Result<Integer, ReadError> {
    let (digits, radix) = (number.as_str(), number.radix());
    let signed = i64::from_str_radix(digits, radix).map(Integer::Signed);
    let unsigned = || u64::from_str_radix(digits, radix).map(Integer::Unsigned);
    let error = || {
        ReadError::custom(format_args!("a whole number of more than 64 bits, expected {} to {}", i64::MIN, u64::MAX))
    };
    signed.or_else(|_| unsigned()).map_err(|_| error())
}

fn float(number: &DeFloat<'_>) -> Result<f64, ReadError> {
    let text = number.as_str();
    let is_infinity = text.ends_with("inf");
    text.parse()
        .ok()
        .filter(|value: &f64| value.is_finite() || value.is_nan() || is_infinity)
        // Removes the sign of negative zero, because models divide by numbers that they only check to be non-negative.
        .map(|value| value + 0.0)
        .ok_or_else(|| ReadError::custom("a number beyond the range of 64 bits, expected -1.7e308 to 1.7e308"))
}

impl Value<'_> {
    /// Calls `read`, and sets the position of errors that have none. All values are read through this function.
    fn located<T>(self, read: impl FnOnce(Self) -> Result<T, ReadError>) -> Result<T, ReadError> {
        let span = self.span.clone();
        read(self).map_err(|error| error.at(&span))
    }

    /// Rejects longer lists, because `serde` would ignore the excess values.
    fn refuse_longer_than(&self, length: usize) -> Result<(), ReadError> {
        match &self.value {
            DeValue::Array(list) if list.len() > length => {
                Err(ReadError::custom(format_args!("a list of {} values, expected at most {length}", list.len())))
            }
            _ => Ok(()),
        }
    }
}

/// Reads a key or the name of a variant.
fn read_key<'de, T: DeserializeSeed<'de>>(seed: T, name: &Spanned<DeString<'_>>) -> Result<T::Value, ReadError> {
    seed.deserialize(Key(name.get_ref())).map_err(|error| error.at(&name.span()))
}

/// The name of a key: a string, or a number or boolean if the type requires one.
struct Key<'t>(&'t str);

/// Methods that parse keys as these types.
macro_rules! parsed {
    ($($method:ident $visit:ident,)*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
            match self.0.parse() {
                Ok(value) => visitor.$visit(value),
                Err(_) => visitor.visit_str(self.0),
            }
        })*
    };
}

impl<'de> Deserializer<'de> for Key<'_> {
    type Error = ReadError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        visitor.visit_str(self.0)
    }

    parsed! {
        deserialize_bool visit_bool,
        deserialize_i8 visit_i8,
        deserialize_i16 visit_i16,
        deserialize_i32 visit_i32,
        deserialize_i64 visit_i64,
        deserialize_u8 visit_u8,
        deserialize_u16 visit_u16,
        deserialize_u32 visit_u32,
        deserialize_u64 visit_u64,
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, ReadError> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ReadError> {
        visitor.visit_enum(StrDeserializer::new(self.0))
    }

    forward_to_deserialize_any! {
        i128 u128 f32 f64 char str string bytes byte_buf option unit unit_struct seq tuple tuple_struct map struct
        identifier ignored_any
    }
}

struct List<'t> {
    values: <DeArray<'t> as IntoIterator>::IntoIter,
    /// Number of the last value read, from 1.
    number: usize,
}

impl<'de> SeqAccess<'de> for List<'_> {
    type Error = ReadError;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, ReadError> {
        let Some(value) = self.values.next() else { return Ok(None) };
        self.number += 1;
        let read = Value::from(value).located(|value| seed.deserialize(value)).map(Some);
        read.map_err(|error| error.below_number(self.number))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.values.len())
    }
}

struct Table<'t> {
    entries: <DeTable<'t> as IntoIterator>::IntoIter,
    /// The last key read, and its value.
    last: Option<(DeString<'t>, Value<'t>)>,
}

impl<'de> MapAccess<'de> for Table<'_> {
    type Error = ReadError;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, ReadError> {
        let Some((key, value)) = self.entries.next() else { return Ok(None) };
        let read = read_key(seed, &key).map(Some);
        self.last = Some((key.into_inner(), value.into()));
        read
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, ReadError> {
        let (key, value) = self.last.take().ok_or_else(|| ReadError::custom("a value without a key"))?;
        value.located(|value| seed.deserialize(value)).map_err(|error| error.below(&key))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.entries.len())
    }
}

/// A variant of an `enum`: its name, or a table with its name and content.
struct Variant<'t> {
    name: Spanned<DeString<'t>>,
    content: Option<Value<'t>>,
}

/// The content of a variant.
struct Content<'t> {
    name: DeString<'t>,
    content: Option<Value<'t>>,
}

impl<'de, 't> EnumAccess<'de> for Variant<'t> {
    type Error = ReadError;
    type Variant = Content<'t>;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Content<'t>), ReadError> {
        let variant = read_key(seed, &self.name)?;
        Ok((variant, Content { name: self.name.into_inner(), content: self.content }))
    }
}

impl<'t> Content<'t> {
    /// Reads the content with `read`; the name of the variant is the key of an error.
    fn read<T>(
        self,
        expected: &'static str,
        read: impl FnOnce(Value<'t>) -> Result<T, ReadError>,
    ) -> Result<T, ReadError> {
        let content = self.content.ok_or_else(|| ReadError::invalid_type(Unexpected::UnitVariant, &expected))?;
        content.located(read).map_err(|error| error.below(&self.name))
    }
}

impl<'de> VariantAccess<'de> for Content<'_> {
    type Error = ReadError;

    fn unit_variant(self) -> Result<(), ReadError> {
        match self.content {
            Some(Value { value: DeValue::Table(table), .. }) if table.is_empty() => Ok(()),
            Some(value) => Err(ReadError::custom(format_args!("\"{}\" holds no values", self.name)).at(&value.span)),
            None => Ok(()),
        }
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, ReadError> {
        self.read("a table with its name and a value", |value| seed.deserialize(value))
    }

    fn tuple_variant<V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value, ReadError> {
        self.read("a table with its name and a list", |value| value.deserialize_tuple(length, visitor))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ReadError> {
        self.read("a table with its name and a table", |value| {
            if let DeValue::Table(table) = &value.value
                && let Some(unknown) = table.keys().find(|key| !fields.contains(&&**key.get_ref()))
            {
                return Err(ReadError::unknown_field(unknown.get_ref(), fields).at(&unknown.span()));
            }
            value.deserialize_struct("", fields, visitor)
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde::Deserialize;

    use super::*;

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Everything {
        text: String,
        letter: char,
        small: u8,
        large: u64,
        negative: i64,
        ratio: f32,
        on: bool,
        pair: (u32, String),
        array: [f64; 2],
        list: Vec<Option<i32>>,
        #[serde(default)]
        missing: Option<i32>,
        named: BTreeMap<String, Id>,
        numbered: BTreeMap<u32, Id>,
        shapes: Vec<Shape>,
        even: Even,
    }

    /// A type that reads another type and rejects some of its values.
    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(try_from = "u32")]
    struct Even(u32);

    impl TryFrom<u32> for Even {
        type Error = String;

        fn try_from(number: u32) -> Result<Self, String> {
            if number.is_multiple_of(2) { Ok(Self(number)) } else { Err(format!("{number} is odd")) }
        }
    }

    #[derive(Debug, PartialEq, Deserialize)]
    struct Id(u32);

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum Shape {
        Point,
        Disc(f64),
        Segment(f64, f64),
        Cell { side: f64 },
    }

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(untagged)]
    enum Either {
        Number(f64),
        Names(Vec<String>),
    }

    const TEXT: &str = "text = \"a\"\nletter = \"b\"\nsmall = 0xff\nlarge = 18446744073709551615\nnegative = -5\n\
        ratio = 1e-3\non = true\npair = [1, \"c\"]\narray = [0, inf]\nlist = [1, 2]\nnamed = { x = 1, y = 2 }\n\
        numbered = { 3 = 1 }\neven = 12\nshapes = [\"point\", { disc = 2 }, { segment = [1, 2] }, { cell = { side = 3 } }]";

    fn root(text: &str) -> Spanned<DeValue<'_>> {
        Spanned::new(0..text.len(), DeValue::Table(DeTable::parse(text).unwrap().into_inner()))
    }

    /// Returns the message and the faulty text.
    fn error(text: &str) -> (String, &str) {
        let error = read::<Everything>(root(text)).unwrap_err();
        (error.message, &text[error.span.unwrap()])
    }

    #[test]
    fn every_type_is_parsed_as_by_the_toml_crate() {
        let found: Everything = read(root(TEXT)).unwrap();
        assert_eq!(found, toml::from_str(TEXT).unwrap());
        assert_eq!((found.large, found.array[1], found.missing), (u64::MAX, f64::INFINITY, None));
        assert_eq!(found.shapes, [Shape::Point, Shape::Disc(2.0), Shape::Segment(1.0, 2.0), Shape::Cell { side: 3.0 }]);
        let times: BTreeMap<String, String> = read(root("a = 07:30:00\nb = 1979-05-27")).unwrap();
        assert_eq!(times.values().collect::<Vec<_>>(), ["07:30:00", "1979-05-27"]);
        let either = |text| read::<BTreeMap<String, Either>>(root(text)).unwrap().remove("a").unwrap();
        assert_eq!([either("a = 1"), either("a = [\"b\"]")], [Either::Number(1.0), Either::Names(vec!["b".into()])]);
    }

    #[test]
    fn negative_zero_is_read_as_zero() {
        let found: BTreeMap<String, f64> = read(root("a = -0.0")).unwrap();
        assert!(found["a"].is_sign_positive());
    }

    #[test]
    fn errors_quote_the_invalid_part() {
        for (from, to, message, at) in [
            ("0xff", "256", "invalid value: integer `256`, expected u8", "256"),
            ("1e-3", "07:30:00", "invalid type: string \"07:30:00\", expected f32", "07:30:00"),
            ("1e-3", "1e999", "a number beyond the range of 64 bits", "1e999"),
            ("1e-3", "1e39", "a number beyond the range of 32 bits, expected -3.4e38 to 3.4e38", "1e39"),
            ("-5", "-9223372036854775809", "a whole number of more than 64 bits", "-9223372036854775809"),
            ("[0, inf]", "[0, 1, 2]", "a list of 3 values, expected at most 2", "[0, 1, 2]"),
            ("[0, inf]", "[0]", "invalid length 1, expected an array of length 2", "[0]"),
            ("[1, 2]\nn", "[1, \"2\"]\nn", "invalid type: string \"2\", expected i32", "\"2\""),
            ("12", "13", "13 is odd", "13"),
            ("{ 3 = 1 }", "{ -3 = 1 }", "invalid type: string \"-3\", expected u32", "-3"),
            ("{ side = 3 }", "{ side = 3, sdie = 4 }", "unknown field `sdie`, expected `side`", "sdie"),
            ("{ side = 3 }", "[3, 4]", "a list of 2 values, expected at most 1", "[3, 4]"),
            ("{ disc = 2 }", "{ disk = 2 }", "unknown variant `disk`, expected one of", "disk"),
            ("on = true", "off = true", "unknown field `off`, expected one of `text`, `letter`", "off"),
            ("on = true\n", "", "missing field `on`", "text = "),
            ("\"point\"", "\"line\"", "unknown variant `line`, expected one of `point`, `disc`", "\"line\""),
            (
                "{ disc = 2 }",
                "\"disc\"",
                "invalid type: unit variant, expected a table with its name and a value",
                "\"disc\"",
            ),
            ("\"point\"", "{ point = 1 }", "\"point\" holds no values", "1"),
            ("\"point\"", "3", "neither a text nor a table with one key, expected one of `point`, `disc`", "3"),
            (
                "{ disc = 2 }",
                "{ disc = 2, point = 1 }",
                "neither a text nor a table with one key",
                "{ disc = 2, point = 1 }",
            ),
        ] {
            let text = TEXT.replacen(from, to, 1);
            let (found, place) = error(&text);
            assert!(found.starts_with(message), "{to}: {found}");
            assert!(place.starts_with(at), "{to}: {place}");
        }
    }

    #[test]
    fn errors_name_the_key_and_the_number_in_a_list() {
        for (from, to, key) in [
            ("0xff", "256", "small"),
            ("[0, inf]", "[0, true]", "array 2"),
            ("[0, inf]", "[0]", "array"),
            ("x = 1", "x = true", "named.x"),
            ("\"point\"", "\"line\"", "shapes 1"),
            ("{ disc = 2 }", "{ disc = true }", "shapes 2, disc"),
            ("[1, 2] }", "[1, true] }", "shapes 3, segment 2"),
            ("{ side = 3 }", "{ side = true }", "shapes 4, cell.side"),
            ("{ side = 3 }", "{ side = 3, sdie = 4 }", "shapes 4, cell"),
            ("on = true", "off = true", ""),
            ("on = true\n", "", ""),
        ] {
            let error = read::<Everything>(root(&TEXT.replacen(from, to, 1))).unwrap_err();
            assert_eq!(error.key, key, "{to}: {error}");
        }
        let nested = read::<BTreeMap<String, Vec<Vec<u32>>>>(root("a = [[1], [2, true]]")).unwrap_err();
        assert_eq!(nested.key, "a 2, value 2");
    }
}
