//! The tokens of C, with preprocessor directives as single tokens.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TokenKind {
    /// A keyword or a name.
    Word,
    /// A preprocessing number.
    Number,
    /// A string or a character.
    Quoted,
    /// An operator or a bracket.
    Sign,
    /// A line that starts with `#`, with its continuation lines.
    Directive,
    /// The start of an unterminated comment.
    OpenComment,
}

/// A token and its bytes in the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Token {
    pub kind: TokenKind,
    pub start: usize,
    pub end: usize,
}

impl Token {
    pub fn text<'a>(&self, of: &'a str) -> &'a str {
        &of[self.start..self.end]
    }
}

/// Operators of several characters, longer ones first.
const SIGNS: [&str; 23] = [
    "<<=", ">>=", "...", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=", "-=", "*=", "/=",
    "%=", "&=", "|=", "^=", "##",
];

/// The tokens of `text`, without comments and spaces.
pub(crate) fn tokens(text: &str) -> Vec<Token> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    let mut line_is_empty = true;
    while let Some(&byte) = bytes.get(at) {
        let start = at;
        let rest = &bytes[at..];
        let kind = if byte == b'\n' {
            line_is_empty = true;
            at += 1;
            continue;
        } else if byte.is_ascii_whitespace() || byte == 0x0b || rest.starts_with(b"\\\n") || rest.starts_with(b"\\\r\n")
        {
            // A backslash at the end of a line joins it with the next.
            at += if byte == b'\\' { rest.iter().position(|b| *b == b'\n').unwrap_or(0) + 1 } else { 1 };
            continue;
        } else if rest.starts_with(b"//") {
            at = end_of_line(bytes, at);
            continue;
        } else if rest.starts_with(b"/*") {
            if let Some(length) = find(&rest[2..], b"*/") {
                at += length + 4;
                continue;
            }
            at = bytes.len();
            found.push(Token { kind: TokenKind::OpenComment, start, end: start + 2 });
            continue;
        } else if byte == b'#' && line_is_empty {
            at = end_of_directive(bytes, at);
            TokenKind::Directive
        } else if byte == b'"' || byte == b'\'' {
            at = end_of_quoted(bytes, at);
            TokenKind::Quoted
        } else if byte.is_ascii_digit() || byte == b'.' && rest.get(1).is_some_and(u8::is_ascii_digit) {
            at = end_of_number(bytes, at);
            TokenKind::Number
        } else if is_word(byte) {
            at += rest.iter().position(|b| !is_word(*b)).unwrap_or(rest.len());
            TokenKind::Word
        } else {
            let sign = SIGNS.iter().find(|sign| rest.starts_with(sign.as_bytes()));
            at += sign.map_or(text[at..].chars().next().map_or(1, char::len_utf8), |sign| sign.len());
            TokenKind::Sign
        };
        line_is_empty = false;
        found.push(Token { kind, start, end: at });
    }
    found
}

pub(crate) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$'
}

fn find(bytes: &[u8], what: &[u8]) -> Option<usize> {
    bytes.windows(what.len()).position(|window| window == what)
}

/// The end of a line, including the lines joined to it by backslashes.
fn end_of_line(bytes: &[u8], mut at: usize) -> usize {
    while at < bytes.len() && bytes[at] != b'\n' {
        at += if bytes[at..].starts_with(b"\\\r\n") {
            3
        } else if bytes[at] == b'\\' && at + 1 < bytes.len() {
            2
        } else {
            1
        };
    }
    at.min(bytes.len())
}

/// The end of a directive, which backslashes and multi-line comments continue.
fn end_of_directive(bytes: &[u8], mut at: usize) -> usize {
    while at < bytes.len() && bytes[at] != b'\n' {
        let rest = &bytes[at..];
        at = if rest.starts_with(b"//") {
            return end_of_line(bytes, at);
        } else if rest.starts_with(b"/*") {
            find(&rest[2..], b"*/").map_or(bytes.len(), |length| at + length + 4)
        } else if rest.starts_with(b"\\\r\n") {
            at + 3
        } else if rest.starts_with(b"\\\n") {
            at + 2
        } else if bytes[at] == b'"' {
            end_of_quoted(bytes, at)
        } else {
            at + 1
        };
    }
    at.min(bytes.len())
}

/// The end of a string or character literal; an unterminated one ends with its line.
fn end_of_quoted(bytes: &[u8], start: usize) -> usize {
    let quote = bytes[start];
    let mut at = start + 1;
    while at < bytes.len() && bytes[at] != b'\n' {
        match bytes[at] {
            b'\\' => at += 2,
            byte if byte == quote => return at + 1,
            _ => at += 1,
        }
    }
    at.min(bytes.len())
}

/// The end of a number, which can contain signs only after an exponent.
fn end_of_number(bytes: &[u8], mut at: usize) -> usize {
    while at < bytes.len() {
        let is_exponent = matches!(bytes[at], b'e' | b'E' | b'p' | b'P');
        if is_exponent && bytes.get(at + 1).is_some_and(|sign| matches!(sign, b'+' | b'-')) {
            at += 2;
        } else if is_word(bytes[at]) || bytes[at] == b'.' {
            at += 1;
        } else {
            break;
        }
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<&str> {
        tokens(text).iter().map(|token| token.text(text)).collect()
    }

    #[test]
    fn words_numbers_and_signs_are_separate_tokens() {
        assert_eq!(texts("a+=b->c<<=3;x--"), ["a", "+=", "b", "->", "c", "<<=", "3", ";", "x", "--"]);
        assert_eq!(texts("1.5e-3f+.5 0x1p+2-1"), ["1.5e-3f", "+", ".5", "0x1p+2", "-", "1"]);
        assert_eq!(texts(r#"f("a\"b", '\'') é"#), ["f", "(", r#""a\"b""#, ",", r"'\''", ")", "é"]);
    }

    #[test]
    fn comments_and_joined_lines_are_left_out() {
        assert_eq!(texts("a // b\nc /* d\n */ e // f \\\n g\nh \\\n i"), ["a", "c", "e", "h", "i"]);
    }

    #[test]
    fn a_directive_is_one_token() {
        let text = "  # define A \\\n 1 /* x\n y */ 2\nb # c\n/* d */ #if 1";
        assert_eq!(texts(text), ["# define A \\\n 1 /* x\n y */ 2", "b", "#", "c", "#if 1"]);
        assert_eq!(tokens(text)[0].kind, TokenKind::Directive);
    }

    #[test]
    fn an_unclosed_comment_is_reported() {
        assert_eq!(tokens("a /* b").last().unwrap().kind, TokenKind::OpenComment);
        assert_eq!(texts("'a"), ["'a"]);
        assert_eq!(texts("\"a\\"), ["\"a\\"]);
    }
}
