//! Positions of values by the names that problems give them.
//!
//! A model reports a problem with a part of a table by the place of the table and the names of the part: `s.toml:7:
//! agents "red", formation, spacing`. The part may be in another line than its table, or in a change.

use std::mem::take;
use std::ops::Range;
use std::path::PathBuf;

use throng_core::{InputError, Problems};
use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue};

use super::source::{Source, Texts};
use crate::names;

impl Texts {
    /// Gives each problem file and line of the innermost part of the scenario that its place names, or the change that
    /// contains it. The place is that of a table around the part with the names of the part, or the names alone, as in
    /// `bed.width` and `rooms "hall", size`. Other places are kept.
    ///
    /// Names of parts are separated by commas or dots, and the part is the innermost before an unknown name. A value of
    /// a list has a number, alone or after a noun: `rule 2` and `rules, 2` are the second entry of `rules`.
    pub fn locate(&self, problems: &mut Problems) {
        if problems.is_empty() {
            return;
        }
        // The tree from which the model took its values is gone.
        let source = self.tree(&mut Problems::new());
        let located = |place: &str| {
            let found = match self.split(place) {
                Some((outer, path)) => source.within(outer, path).map(|at| (at, path)),
                None => source.place_of(place).map(|at| (at, place)),
            };
            found.map_or_else(|| place.to_owned(), |(at, path)| format!("{at}: {path}"))
        };
        let InputError(located) = InputError(take(problems)).with_places(located);
        *problems = located;
    }

    /// Locates the problems of a whole scenario as [`Texts::locate`] does, and adds the file to all other places except
    /// those in `inputs`, which are files named by the scenario.
    pub fn locate_all(&self, error: InputError, inputs: &[PathBuf]) -> InputError {
        let is_in_input = |place: &str| inputs.iter().any(|input| place.starts_with(&*input.to_string_lossy()));
        let InputError(mut problems) = error;
        self.locate(&mut problems);
        InputError(problems).with_places(|place| {
            let is_complete = self.split(place).is_some() || is_in_input(place);
            if is_complete { place.to_owned() } else { format!("{}: {place}", self.file()) }
        })
    }
}

impl Source<'_> {
    /// Returns the place of the innermost part on a path; `None` if `outer` is the place of no part on it.
    fn within(&self, outer: &str, path: &str) -> Option<String> {
        let is_outer = |at: &Range<usize>| self.texts().place(at) == outer;
        let (spans, _) = spans(self.root(), path, &is_outer);
        let at = spans.last().filter(|_| spans.iter().any(is_outer))?;
        Some(self.texts().place(at))
    }

    /// Returns the place of the innermost part on a path of names; `None` if the file has no such part. What follows
    /// the part begins with a comma: `lakes.csv` and `lakes and rivers` are not in the table `lakes`.
    pub fn place_of(&self, path: &str) -> Option<String> {
        let (spans, rest) = spans(self.root(), path, &|_| false);
        let is_name = rest.is_empty() || path[..path.len() - rest.len()].ends_with(", ");
        spans.last().filter(|_| is_name).map(|at| self.texts().place(at))
    }
}

/// A value, and the path from it.
type Step<'v, 't, 'p> = (&'v Spanned<DeValue<'t>>, &'p str);

/// Returns the positions of the values on a path that exist, from the outermost to the innermost, and the rest of the
/// path. Of several entries with one name, an entry with `is_outer` is preferred.
fn spans<'p>(
    root: &DeTable<'_>,
    path: &'p str,
    is_outer: &dyn Fn(&Range<usize>) -> bool,
) -> (Vec<Range<usize>>, &'p str) {
    let mut step = in_table(root, path);
    let (mut spans, mut left) = (Vec::new(), path);
    while let Some((value, rest)) = step {
        spans.push(value.span());
        left = rest;
        step = match value.get_ref() {
            DeValue::Table(table) => in_table(table, rest),
            DeValue::Array(list) => in_list(list, rest, is_outer),
            _ => None,
        };
    }
    (spans, left)
}

/// Finds the first value of a path in a table, by the longest name: `size`, or ` "hall"` after the name of the table.
fn in_table<'v, 't, 'p>(table: &'v DeTable<'t>, path: &'p str) -> Option<Step<'v, 't, 'p>> {
    let named = table.iter().filter_map(|(key, value)| {
        let name = names::shown(key.get_ref());
        let rest = match path.strip_prefix(" \"") {
            Some(quoted) => after(quoted.strip_prefix(&*name)?.strip_prefix('"')?)?,
            None => path.strip_prefix(&*name).and_then(after).or_else(|| numbered(path, name.strip_suffix('s')?))?,
        };
        Some((name.len(), (value, rest)))
    });
    named.max_by_key(|(length, _)| *length).map(|(_, step)| step)
}

/// Finds the first value of a path in a list: `row 2`, or ` 2` or ` "hall"` after the name of the list.
fn in_list<'v, 't, 'p>(
    list: &'v DeArray<'t>,
    path: &'p str,
    is_outer: &dyn Fn(&Range<usize>) -> bool,
) -> Option<Step<'v, 't, 'p>> {
    if let Some(quoted) = path.strip_prefix(" \"") {
        let mut named = list.iter().filter_map(|entry| {
            let name = names::shown(entry.get_ref().get("name")?.get_ref().as_str()?);
            Some((entry, after(quoted.strip_prefix(&*name)?.strip_prefix('"')?)?))
        });
        return named.clone().find(|(entry, _)| is_outer(&entry.span())).or_else(|| named.next());
    }
    let number = path.trim_start_matches(|letter: char| letter.is_ascii_lowercase()).trim_start();
    let end = number.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(number.len());
    let (number, rest) = number.split_at(end);
    let entry = list.get(number.parse::<usize>().ok()?.checked_sub(1)?)?;
    Some((entry, after(rest)?))
}

/// Returns the path after a name; `None` if the name does not end here. The number or name of an entry keeps its space.
fn after(rest: &str) -> Option<&str> {
    let is_end = rest.is_empty() || rest.starts_with(' ');
    if is_end { Some(rest) } else { rest.strip_prefix(", ").or_else(|| rest.strip_prefix('.')) }
}

/// Returns ` 2` and the path after it, of `rule 2` and the noun `rule`.
fn numbered<'p>(path: &'p str, noun: &str) -> Option<&'p str> {
    path.strip_prefix(noun).filter(|rest| rest.starts_with(' '))
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use throng_core::Change;

    use super::*;
    use crate::scenario_file::At;

    const TEXT: &str = r#"model = "rivers"
layers = ["a",
    "b"]
[[agents]]
name = "x"
count = 3
[[agents]]
name = "y, 2"
rules = [
    { pace = 1 },
    { pace = 2, goals = ["a", "b"] },
]
spread = 0
[agents.formation]
shape = "line"
subgroups = 3
[[agents]]
name = "x"
range = 0
[sight.fire]
profile = "p"
[output]
folder = "o"
[[output.arrays]]
epsg = 4
[emits.bed]
salt = 1
"salt, dry" = 2
"#;

    /// Takes a list, named tables, a list in a table and values, and returns the located places of parts of them.
    fn located(changes: &[&str], parts: &[(&str, &str)]) -> Vec<String> {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("s.toml");
        std::fs::write(&path, TEXT).unwrap();
        let changes: Vec<Change> = changes.iter().map(|change| Change::typed(*change)).collect();
        let mut problems = Problems::new();
        let texts = Texts::new("rivers", &path.into(), &changes, &mut problems).unwrap();
        let mut source = texts.tree(&mut problems);
        let mut all = source.take_list::<toml::Table>("agents", &mut problems);
        all.extend(source.take_list_of("output", "arrays", &mut problems));
        all.extend(source.take_named("sight", &mut problems).into_values());
        all.extend(source.take_named("emits", &mut problems).into_values());
        all.extend(["output", "run"].into_iter().filter_map(|key| source.take(key, &mut problems)));
        let layers: At<Vec<String>> = source.take("layers", &mut problems).unwrap();
        assert!(problems.is_empty(), "{problems}");
        for (table, part) in parts {
            let place = all.iter().find(|at| at.place.ends_with(table));
            problems.push(place.map_or_else(|| layers.part(part), |at| at.part(part)), "", "");
        }
        texts.locate(&mut problems);
        let here = format!("{}/", dir.path().display());
        problems.shown().iter().map(|problem| problem.place.replace(&here, "")).collect()
    }

    #[test]
    fn parts_have_their_own_line() {
        for (table, part, line) in [
            ("agents \"y, 2\"", "spread", 13),
            ("agents \"y, 2\"", "formation, subgroups", 16),
            ("agents \"y, 2\"", "rule 2, goals", 11),
            ("agents \"y, 2\"", "rules 1, pace", 10),
            ("agents \"y, 2\"", "rules, 2, goals, 2", 11),
            ("sight \"fire\"", "profile", 21),
            ("output.arrays 1", "epsg", 25),
            ("emits \"bed\"", "salt, dry", 28),
            ("emits \"bed\"", "salt", 27),
            ("output", "folder", 23),
            ("layers", "entry 2", 3),
            // Parts behind an unknown name could be those of something else.
            ("agents \"y, 2\"", "entity 0, formation, subgroups", 7),
            ("agents \"y, 2\"", "formation, a line, subgroups", 14),
            // Parts that the file does not contain are in their table or list.
            ("agents \"y, 2\"", "formation, spacing", 14),
            ("agents \"y, 2\"", "rule 3, goals", 9),
            ("agents \"y, 2\"", "rule 0", 9),
            ("agents \"y, 2\"", "rule 99999999999999999999999", 9),
            ("agents \"y, 2\"", "spreads", 7),
            ("sight \"fire\"", "layer \"profile\"", 20),
        ] {
            let expected = format!("s.toml:{line}: {table}, {part}");
            assert_eq!(located(&[], &[(table, part)]), [expected]);
        }
    }

    #[test]
    fn parts_that_a_change_sets_are_located_in_the_change() {
        let changes = [
            "agents.2.formation.subgroups=0",
            "agents.2.formation.spacing=: 1",
            "sight.fire.profile=q",
            "run.steps=1",
            "run.time=2",
            "agents.1.spawn={ every = 0 }",
        ];
        for (table, part, place) in [
            ("agents \"y, 2\"", "formation, subgroups", "--set agents.2.formation.subgroups=0"),
            ("agents \"y, 2\"", "formation, spacing", "--set agents.2.formation.spacing=: 1"),
            ("agents \"y, 2\"", "formation, shape", "s.toml:15"),
            ("sight \"fire\"", "profile", "--set sight.fire.profile=q"),
            ("run", "steps", "--set run.steps=1"),
            ("run", "time", "--set run.time=2"),
            ("agents \"x\"", "spawn, every", "--set agents.1.spawn={ every = 0 }"),
            ("agents \"x\"", "count", "s.toml:6"),
        ] {
            assert_eq!(located(&changes, &[(table, part)]), [format!("{place}: {table}, {part}")]);
        }
    }

    /// A place on none of the named values is more precise than the path, as that of an unknown key.
    #[test]
    fn other_places_are_kept() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("s.toml");
        std::fs::write(&path, TEXT).unwrap();
        let file = path.display().to_string();
        let mut problems = Problems::new();
        let texts = Texts::new("rivers", &path.into(), &[], &mut problems).unwrap();
        let places = [
            format!("{file}:17: agents \"x\", range"),
            format!("{file}:5: agents \"x\""),
            format!("{file}:2"),
            format!("{file}: agents"),
            "map.csv:7: agents \"x\", range".to_owned(),
            "run, steps".to_owned(),
        ];
        for place in &places {
            problems.push(place, "", "");
        }
        texts.locate(&mut problems);
        let found: Vec<&str> = problems.shown().iter().map(|problem| &*problem.place).collect();
        // The second entry of that name begins in line 17.
        assert_eq!(found[0], format!("{file}:19: agents \"x\", range"));
        assert_eq!(found[1..], places[1..]);
    }

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Wall {
        #[serde(default)]
        #[expect(dead_code, reason = "only read")]
        present: Vec<[f64; 2]>,
        #[serde(default)]
        #[expect(dead_code, reason = "only read")]
        shape: Shape,
    }

    #[derive(Debug, Default, Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum Shape {
        #[default]
        Point,
        Disc {
            #[expect(dead_code, reason = "only read")]
            columns: [u8; 2],
        },
    }

    #[test]
    fn values_that_cannot_be_read_name_their_key() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("s.toml");
        for (text, change, expected) in [
            ("shape = \"x\"", None, "s.toml:2: walls 1, shape: unknown value \"x\"\n    known: point, disc"),
            ("shape = 3", None, "s.toml:2: walls 1, shape: neither a text nor a table with one key"),
            (
                "present = [[0, 1],\n[0]]",
                None,
                "s.toml:3: walls 1, present 2: invalid length 1\n    expected a list of 2",
            ),
            ("present = [[0, 1], [0, true]]", None, "s.toml:2: walls 1, present 2, value 2: invalid type: boolean"),
            (
                "shape = { disc = { columns = [1, -1] } }",
                None,
                "s.toml:2: walls 1, shape.disc.columns 2: invalid value: integer `-1`\n    expected a whole number \
                 from 0 to 255",
            ),
            ("shape = { disc = { rows = 1 } }", None, "s.toml:2: walls 1, shape.disc: unknown key \"rows\""),
            ("shape = { disc = {} }", None, "s.toml:2: walls 1, shape.disc: columns is missing\n    add it"),
            ("size = 1", None, "s.toml:2: walls 1: unknown key \"size\""),
            ("", Some("walls.1.shape=x"), "--set walls.1.shape=x: walls 1, shape: unknown value \"x\""),
            ("", Some("walls.1.present="), "--set walls.1.present=: walls 1, present: invalid type: string \"\""),
            ("", Some("walls.1.size=1"), "--set walls.1.size=1: walls 1: unknown key \"size\""),
        ] {
            std::fs::write(&path, format!("[[walls]]\n{text}")).unwrap();
            let changes: Vec<Change> = change.into_iter().map(Change::typed).collect();
            let mut problems = Problems::new();
            let texts = Texts::new("rivers", &path.clone().into(), &changes, &mut problems).unwrap();
            let walls = texts.tree(&mut problems).take_list::<Wall>("walls", &mut problems);
            assert!(walls.is_empty(), "{text}");
            let read = problems.clone();
            texts.locate(&mut problems);
            assert_eq!(problems, read, "{text}");
            let found = problems.to_string().replace(&format!("{}/", dir.path().display()), "");
            assert!(found.starts_with(expected), "{text}: {found}");
        }
    }
}
