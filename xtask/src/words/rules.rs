//! Rules on words: phrases, the first words of comments and headings, and names of constants.

use super::items::{Item, words};
use super::prose::{Kind, Paragraph};

/// An offending text and its replacement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Finding {
    /// Line number, from 1.
    pub line: usize,
    pub text: String,
    pub advice: &'static str,
}

/// A range of bytes in the text of a paragraph, with its replacement.
struct Spot {
    start: usize,
    length: usize,
    advice: &'static str,
}

/// Phrases and their replacements.
const PHRASES: [(&[&str], &str); 12] = [
    (&["of none"], "name the case: \"0 if there are none\""),
    (&["of equal ones"], "\"ties go to the lower index\""),
    (&["from there on", "from then on"], "\"afterwards\", \"beyond it\", or say since when"),
    (&["come by", "comes by", "came by"], "\"acquire\" or \"get\""),
    (&["none of which"], "\"without\", or a second sentence"),
    (&["anew"], "\"again\", \"new\", or a verb with \"re-\""),
    (&["is asked for", "are asked for", "asks for it", "ask for it"], "\"is requested\", or name the mechanism"),
    (&["somebody", "anybody", "nobody"], "name the user, process or agent"),
    (&["such ones"], "repeat the noun"),
    (&["a thing"], "name it"),
    (&["that is all"], "delete it"),
    (&["is told", "are told"], "say what is passed or returned"),
];

const SUPERLATIVES: [&str; 8] = ["most", "longest", "largest", "smallest", "shortest", "least", "fewest", "greatest"];

/// Checks a paragraph, with the item below its comment.
pub(super) fn check_paragraph(paragraph: &Paragraph<'_>, item: Option<&Item>) -> Vec<Finding> {
    let text = paragraph.text();
    let lower = text.to_ascii_lowercase();
    let mut spots = phrases(&lower);
    spots.extend(uncompared_amounts(&lower));
    spots.extend(own_at_the_end(&lower));
    if paragraph.kind == Kind::Page {
        let start = text.len() - text.trim_start_matches(['#', ' ']).len();
        let opening = if start > 0 { noun_clause(&text[start..], true) } else { None };
        spots.extend(opening.map(|(length, advice)| Spot { start, length, advice }));
    } else if paragraph.is_first {
        let is_doc = paragraph.kind == Kind::Doc;
        let opening = noun_clause(&text, is_doc)
            .or_else(|| superlative(&text, item.filter(|_| is_doc)))
            .or_else(|| repetition(paragraph, item));
        spots.extend(opening.map(|(length, advice)| Spot { start: 0, length, advice }));
    }
    let finding = |Spot { start, length, advice }| Finding {
        line: paragraph.line_at(start),
        text: text[start..start + length].to_owned(),
        advice,
    };
    spots.into_iter().map(finding).collect()
}

/// Checks the name of a constant.
pub(super) fn check_name(item: &Item, line: usize) -> Option<Finding> {
    let first = words(&item.name).into_iter().next()?;
    let is_wrong = item.is_constant && SUPERLATIVES.contains(&first.as_str()) && item.name.contains('_');
    is_wrong.then(|| Finding { line, text: item.name.clone(), advice: "MAX_... or MIN_..." })
}

fn phrases(text: &str) -> Vec<Spot> {
    let spots = |phrase: &'static str, advice| {
        occurrences(text, phrase).into_iter().map(move |start| Spot { start, length: phrase.len(), advice })
    };
    PHRASES.iter().flat_map(|(phrases, advice)| phrases.iter().flat_map(move |phrase| spots(phrase, *advice))).collect()
}

/// Finds "so many" where no "that" or "as" follows.
fn uncompared_amounts(text: &str) -> Vec<Spot> {
    let mut spots = Vec::new();
    for phrase in ["so many", "so much", "so few"] {
        for start in occurrences(text, phrase) {
            let rest = first_sentence(&text[start..]);
            let is_conjunction = text[..start].trim_end().ends_with([',', ';']);
            if !is_conjunction
                && !["that", "as", "better", "more"].iter().any(|word| !occurrences(rest, word).is_empty())
            {
                spots.push(Spot { start, length: phrase.len(), advice: "name the number, or \"this many\"" });
            }
        }
    }
    spots
}

/// Finds "of its own" where no noun follows.
fn own_at_the_end(text: &str) -> Vec<Spot> {
    let phrases = ["of its own", "of their own"];
    let is_at_end = |rest: &str| rest.is_empty() || rest.starts_with(['.', ',', ';', ':', ')']);
    let spots = phrases.into_iter().flat_map(|phrase| {
        let ends = occurrences(text, phrase).into_iter().filter(move |start| is_at_end(&text[start + phrase.len()..]));
        ends.map(move |start| Spot { start, length: phrase.len(), advice: "\"its own ...\" or \"a separate ...\"" })
    });
    spots.collect()
}

/// Finds "What an agent offers" at the start of a comment or heading.
fn noun_clause(text: &str, is_doc: bool) -> Option<(usize, &'static str)> {
    let sentence = first_sentence(text);
    let (first, rest) = sentence.split_once(' ')?;
    // "Where both are empty, ..." is a condition.
    let is_clause = match first {
        "What" | "Whatever" | "Who" => true,
        "Where" => is_doc && !sentence.contains(','),
        _ => false,
    };
    let is_question = sentence.ends_with('?');
    (is_clause && !is_question && rest.starts_with(char::is_lowercase)).then_some((first.len(), "a noun phrase"))
}

/// Finds "The longest side" as a definition of a constant, and "The most cells" of any item.
fn superlative(text: &str, item: Option<&Item>) -> Option<(usize, &'static str)> {
    let mut words = text.split_whitespace();
    let (article, adjective, noun) = (words.next()?, words.next()?, words.next()?);
    let is_plural = noun.ends_with('s') && !noun.ends_with("ous");
    let is_amount = is_plural && ["most", "least", "fewest"].contains(&adjective);
    let is_wrong = article == "The" && SUPERLATIVES.contains(&adjective) && (item?.is_constant || is_amount);
    is_wrong.then_some((article.len() + 1 + adjective.len(), "\"Maximum ...\" or \"Minimum ...\""))
}

/// Finds a doc comment that only repeats the name of a private item.
fn repetition(paragraph: &Paragraph<'_>, item: Option<&Item>) -> Option<(usize, &'static str)> {
    const FILLERS: [&str; 8] = ["the", "a", "an", "of", "its", "this", "returns", "return"];
    let known = |text: &str| {
        let mut words = words(text);
        words.retain(|word| !FILLERS.contains(&word.as_str()));
        for word in &mut words {
            word.truncate(word.trim_end_matches('s').len());
        }
        words.sort_unstable();
        words
    };
    let item = item.filter(|item| item.is_private && paragraph.kind == Kind::Doc && paragraph.is_whole_comment())?;
    let text = paragraph.text_with_code();
    let is_repeated = known(&text) == known(&item.name);
    is_repeated.then_some((text.len(), "repeats the name: delete it, or add meaning, unit or range"))
}

/// Returns the text up to its first full stop, question mark or colon before a blank, inclusive.
fn first_sentence(text: &str) -> &str {
    let end = [". ", "? ", ": "].iter().filter_map(|end| text.find(end)).min();
    text[..end.map_or(text.len(), |end| end + 1)].trim_end()
}

/// Returns the positions of a phrase of whole words.
pub(super) fn occurrences(text: &str, phrase: &str) -> Vec<usize> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let is_whole =
        |start: &usize| !text[..*start].ends_with(is_word) && !text[start + phrase.len()..].starts_with(is_word);
    text.match_indices(phrase).map(|(start, _)| start).filter(is_whole).collect()
}

#[cfg(test)]
mod tests {
    use super::super::items::item_at;
    use super::super::prose::{lines, paragraphs};
    use super::*;

    /// Returns the offending phrases of a Rust file.
    fn found(code: &str) -> Vec<String> {
        let all: Vec<&str> = code.lines().collect();
        let lines = lines("a.rs", code);
        let paragraphs = paragraphs(&lines);
        let findings =
            paragraphs.iter().flat_map(|paragraph| check_paragraph(paragraph, item_at(&all, paragraph.end).as_ref()));
        findings.map(|finding| finding.text).collect()
    }

    #[test]
    fn each_phrase_is_found_and_its_parts_are_not() {
        for phrase in PHRASES.iter().flat_map(|(phrases, _)| phrases.iter()) {
            let (first, rest) = phrase.split_once(' ').unwrap_or((phrase, ""));
            assert_eq!(found(&format!("// One {first}\n// {rest} two.")), [format!("{first} {rest}").trim_end()]);
            assert_eq!(found(&format!("// One x{phrase} two, {phrase}x, or `{phrase}`.")), Vec::<String>::new());
        }
        assert_eq!(found("// Nobody\nlet a = \"// nobody\";"), ["Nobody"]);
    }

    #[test]
    fn amounts_without_a_comparison_are_found() {
        assert_eq!(found("/// A run of so many steps. That is long."), ["so many"]);
        assert_eq!(found("/// So much. So few."), ["So much", "So few"]);
        assert_eq!(found("// so many that it overflows"), Vec::<String>::new());
        assert_eq!(found("// twice so many\n// as there are"), Vec::<String>::new());
        assert_eq!(found("// All start at once, so many are late."), Vec::<String>::new());
    }

    #[test]
    fn noun_clauses_are_found_at_the_start_of_comments() {
        assert_eq!(found("/// What an agent offers."), ["What"]);
        assert_eq!(found("// Whatever the device lacks."), ["Whatever"]);
        assert_eq!(found("//! Who may move: the rules."), ["Who"]);
        assert_eq!(found("/// Where a program runs."), ["Where"]);
        for text in ["What is lost?", "Offers. What an agent offers.", "What MATSim does.", "Where both fail, it ends."]
        {
            assert_eq!(found(&format!("/// {text}")), Vec::<String>::new());
        }
        assert_eq!(found("// Where it ends."), Vec::<String>::new());
    }

    #[test]
    fn noun_clauses_are_found_in_headings() {
        let found = |page: &str| {
            let paragraphs = paragraphs(&lines("a.md", page));
            paragraphs.iter().flat_map(|paragraph| check_paragraph(paragraph, None)).count()
        };
        assert_eq!(found("## What an agent offers\n"), 1);
        assert_eq!(found("What an agent offers.\n\n## Offers\n## What is it?\n"), 0);
    }

    #[test]
    fn own_without_a_noun_is_found() {
        assert_eq!(found("// A file of its own. Files of their\n// own"), ["of its own", "of their own"]);
        assert_eq!(found("// The sum of its own pixel."), Vec::<String>::new());
    }

    #[test]
    fn superlatives_that_mean_limits_are_found() {
        assert_eq!(found("/// The longest side of a world.\nconst SIDE: i32 = 5;"), ["The longest"]);
        assert_eq!(found("struct A {\n    /// The most cells of a world.\n    cells: i32,\n}"), ["The most"]);
        assert_eq!(found("struct A {\n    /// The longest side.\n    side: i32,\n}"), Vec::<String>::new());
        assert_eq!(found("/// The most recent steps.\nfn steps() {}"), Vec::<String>::new());
        assert_eq!(found("/// Maximum side of a world.\nconst SIDE: i32 = 5;"), Vec::<String>::new());
    }

    #[test]
    fn repeated_names_are_found() {
        assert_eq!(found("/// The rule.\nrule: Rule,\n"), Vec::<String>::new());
        assert_eq!(found("struct A {\n    /// The rule.\n    rule: Rule,\n}"), ["The rule."]);
        assert_eq!(found("/// Returns the variance of the mean.\nfn variance_of_mean() {}").len(), 1);
        assert_eq!(found("/// The kind of a token.\n#[derive(Debug)]\nenum TokenKind {}").len(), 1);
        assert_eq!(found("/// The kind of a token.\npub enum TokenKind {}"), Vec::<String>::new());
        assert_eq!(found("/// Reads files.\n///\n/// Blocks.\nfn read_file() {}"), Vec::<String>::new());
        assert_eq!(found("// A file.\nfn file() {}"), Vec::<String>::new());
        assert_eq!(found("/// The rule that decides.\nfn rule() {}"), Vec::<String>::new());
    }

    #[test]
    fn constants_for_limits_are_found() {
        let name = |code: &str| check_name(&item_at(&[code], 0).unwrap(), 1).map(|finding| finding.text);
        assert_eq!(name("pub const MOST_CELLS: u32 = 5;"), Some("MOST_CELLS".to_owned()));
        assert_eq!(name("static LONGEST_SIDE: u32 = 5;"), Some("LONGEST_SIDE".to_owned()));
        assert_eq!(name("const MAX_CELLS: u32 = 5;"), None);
        assert_eq!(name("const fn most_cells() -> u32 {"), None);
    }
}
