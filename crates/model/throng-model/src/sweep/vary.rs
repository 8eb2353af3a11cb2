//! The parameters that a sweep varies: `KEY=V1,V2,...`, or `KEY=LOW..HIGH` for a Latin hypercube sample.

use throng_core::Problems;

use crate::assignment::{Part, Relation, assignment, key_parts, relation};
use crate::names::shown;

/// The flag that varies a parameter, for messages.
pub(super) const VARY: &str = "--vary";
/// The flag for a Latin hypercube sample, for messages.
pub(super) const LATIN_HYPERCUBE: &str = "--latin-hypercube";

/// A parameter and its values.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Vary {
    pub key: String,
    pub values: Values,
}

/// The values of a parameter.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Values {
    /// Individual values, as typed.
    List(Vec<String>),
    /// Integers in an inclusive range.
    Whole { low: i64, high: i64 },
    /// Numbers in a range.
    Real { low: f64, high: f64 },
}

/// Parses all parameters of a sweep. If `is_sampled`, their values are ranges.
pub(super) fn parse(typed: &[String], is_sampled: bool, problems: &mut Problems) -> Vec<Vary> {
    let (mut varied, mut paths) = (Vec::new(), Vec::new());
    for text in typed {
        let Some((key, values)) = assignment(text).map(|(key, values)| (key.trim(), values.trim())) else {
            problems.push(VARY, format!("\"{}\" has no values", shown(text)), "write KEY=VALUE,VALUE,...");
            continue;
        };
        let place = format!("{VARY} {}", shown(text));
        if key.is_empty() {
            problems.push(place, "has no key", "write KEY=VALUE,VALUE,...");
            continue;
        }
        let path = key_parts(key);
        if let Some(Conflict { message, is_same }) = conflict(key, &path, &paths) {
            let remedy = if is_same { "give all values of a key in one --vary" } else { "vary one of them" };
            problems.push(place, message, remedy);
            continue;
        }
        paths.push((key.to_owned(), path));
        let values = if is_sampled { range(values) } else { list(values) };
        match values {
            Ok(values) => varied.push(Vary { key: key.to_owned(), values }),
            Err((message, remedy)) => problems.push(place, message, remedy),
        }
    }
    varied
}

/// The reason why a key cannot be varied together with another one.
pub(super) struct Conflict {
    pub message: String,
    /// Whether it is the same key, possibly written differently.
    pub is_same: bool,
}

/// Returns the first conflict of a key with previous keys, each given with its path.
pub(super) fn conflict(key: &str, path: &[Part], before: &[(String, Vec<Part>)]) -> Option<Conflict> {
    before.iter().find_map(|(other, of_other)| match relation(path, of_other) {
        Relation::Same => Some(Conflict { message: format!("{} is varied twice", shown(key)), is_same: true }),
        Relation::Part => {
            let message = format!("{} is varied, too, and one is a part of the other", shown(other));
            Some(Conflict { message, is_same: false })
        }
        Relation::Apart => None,
    })
}

type Refused = (String, String);

fn list(text: &str) -> Result<Values, Refused> {
    let refused = |message: String, remedy: &str| Err((message, remedy.to_owned()));
    if text.is_empty() {
        return refused("there are 0 values".to_owned(), "give one or more, separated by commas");
    }
    if split_range(text).is_some() {
        let remedy = format!("add {LATIN_HYPERCUBE} N for N samples from it, or list the values");
        return refused("is a range".to_owned(), &remedy);
    }
    let values = split(text);
    if let Some(empty) = values.iter().position(String::is_empty) {
        let remedy = "leave out the comma, or write \"\" for an empty text";
        return refused(format!("value {} of {} is empty", empty + 1, values.len()), remedy);
    }
    let twice = (1..values.len()).find(|&i| values[..i].contains(&values[i]));
    if let Some(twice) = twice {
        return refused(format!("{} is given twice", shown(&values[twice])), "give each value once");
    }
    Ok(Values::List(values))
}

fn range(text: &str) -> Result<Values, Refused> {
    let refused = |message: String, remedy: &str| Err((message, remedy.to_owned()));
    let Some((low, high)) = split_range(text) else {
        let remedy = format!("with {LATIN_HYPERCUBE} give LOW..HIGH, such as 1.5..3; a fixed value belongs to --set");
        return refused("not a range of numbers".to_owned(), &remedy);
    };
    if let (Ok(low), Ok(high)) = (low.parse(), high.parse()) {
        let values = Values::Whole { low, high };
        return if low < high { Ok(values) } else { not_below(&low, &high) };
    }
    match (low.parse::<f64>(), high.parse::<f64>()) {
        (Ok(low), Ok(high)) if !(low.is_finite() && high.is_finite() && (high - low).is_finite()) => {
            refused("the range is not finite".to_owned(), "give two numbers")
        }
        (Ok(low), Ok(high)) if low < high => Ok(Values::Real { low, high }),
        (Ok(low), Ok(high)) => not_below(&low, &high),
        _ => refused("not a range of numbers".to_owned(), "give two numbers: LOW..HIGH"),
    }
}

fn not_below(low: &dyn std::fmt::Display, high: &dyn std::fmt::Display) -> Result<Values, Refused> {
    let message = format!("{low} is not below {high}");
    Err((message, "give the lower number first: LOW..HIGH; a fixed value belongs to --set".to_owned()))
}

/// Splits `LOW..HIGH` into its two ends, if both are numbers.
fn split_range(text: &str) -> Option<(&str, &str)> {
    let (low, high) = text.split_once("..")?;
    let (low, high) = (low.trim(), high.trim());
    [low, high].iter().all(|end| end.parse::<f64>().is_ok()).then_some((low, high))
}

/// Splits a list of values. A comma in brackets, braces or quotation marks, or after a backslash, belongs to a value.
fn split(text: &str) -> Vec<String> {
    let (mut values, mut value) = (Vec::new(), String::new());
    let (mut depth, mut quote) = (0u32, None);
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match (letter, quote) {
            ('\\', None) if letters.peek() == Some(&',') => {
                letters.next();
                value.push(',');
                continue;
            }
            (',', None) if depth == 0 => {
                values.push(std::mem::take(&mut value));
                continue;
            }
            ('[' | '{', None) => depth += 1,
            (']' | '}', None) => depth = depth.saturating_sub(1),
            ('"' | '\'', None) => quote = Some(letter),
            (_, Some(opening)) if opening == letter => quote = None,
            _ => {}
        }
        value.push(letter);
    }
    values.push(value);
    values.iter().map(|value| value.trim().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(typed: &[&str], is_sampled: bool) -> Result<Vec<Vary>, String> {
        let mut problems = Problems::new();
        let typed: Vec<String> = typed.iter().map(|&text| text.to_owned()).collect();
        let varied = parse(&typed, is_sampled, &mut problems);
        problems.into_result().map(|()| varied).map_err(|error| error.to_string())
    }

    #[test]
    fn a_quoted_equals_sign_is_part_of_the_key() {
        let mut problems = Problems::new();
        let varied = parse(&[r#"goals."a=b".radius=1,2"#.to_owned()], false, &mut problems);
        assert!(problems.is_empty() && varied.len() == 1);
        assert_eq!(varied[0].key, r#"goals."a=b".radius"#);
    }

    #[test]
    fn values_are_separated_by_commas_outside_brackets_and_quotes() {
        let varied = parsed(&["a = 1, 2.5 ,true", "b=[1, 2],[3,4]", r#"c="x,y",{d=1,e=2}"#, r"f=car\,bus,car"], false);
        let lists: Vec<Vec<String>> = varied
            .unwrap()
            .into_iter()
            .map(|vary| match vary.values {
                Values::List(values) => values,
                other => panic!("{other:?}"),
            })
            .collect();
        let expected: [&[&str]; 4] =
            [&["1", "2.5", "true"], &["[1, 2]", "[3,4]"], &["\"x,y\"", "{d=1,e=2}"], &["car,bus", "car"]];
        assert_eq!(lists, expected);
    }

    #[test]
    fn ranges_are_integers_or_reals() {
        let varied = parsed(&["a=-2..5", "b=1..2.5", "c=1e-3 .. 2"], true).unwrap();
        let values: Vec<Values> = varied.into_iter().map(|vary| vary.values).collect();
        let real = |low, high| Values::Real { low, high };
        assert_eq!(values, [Values::Whole { low: -2, high: 5 }, real(1.0, 2.5), real(0.001, 2.0)]);
    }

    #[test]
    fn every_mistake_has_a_location_and_a_remedy() {
        for (typed, is_sampled, expected) in [
            ("a", false, "--vary: \"a\" has no values\n    write KEY=VALUE"),
            ("=1", false, "--vary =1: has no key"),
            ("a=", false, "--vary a=: there are 0 values\n    give one or more"),
            ("a=1,,2", false, "--vary a=1,,2: value 2 of 3 is empty\n    leave out the comma"),
            ("a=1,2,1", false, "--vary a=1,2,1: 1 is given twice"),
            ("a=1..2", false, "--vary a=1..2: is a range\n    add --latin-hypercube N"),
            ("a=1,2", true, "--vary a=1,2: not a range of numbers\n    with --latin-hypercube give LOW..HIGH"),
            ("a=5..2", true, "--vary a=5..2: 5 is not below 2\n    give the lower number first"),
            ("a=0.5..0.5", true, "--vary a=0.5..0.5: 0.5 is not below 0.5"),
            ("a=0..inf", true, "--vary a=0..inf: the range is not finite"),
        ] {
            let error = parsed(&[typed], is_sampled).unwrap_err();
            assert!(error.contains(expected), "{typed}: {error}");
        }
        let error = parsed(&["a=1", "b=", "a=2"], false).unwrap_err();
        assert!(error.contains("a is varied twice") && error.contains("0 values"), "{error}");
        // The same parameter under another name, and a part of another parameter.
        for (typed, message) in [
            (["a.b=1", "a.\"b\"=2"], "--vary a.\"b\"=2: a.\"b\" is varied twice"),
            (["a={b=1}", "a.b=2"], "--vary a.b=2: a is varied, too, and one is a part of the other"),
            (["a.b=2", "a={b=1}"], "--vary a={b=1}: a.b is varied, too"),
        ] {
            let mut problems = Problems::new();
            parse(&typed.map(str::to_owned), false, &mut problems);
            let error = problems.into_result().unwrap_err().to_string();
            assert!(error.contains(message), "{error}");
        }
    }
}
