use std::io;

use super::limited::MAX_TOKEN_BYTES;
use super::*;

/// Abbreviates the tokens of a document, each after its line: `1+name a=1`, `2-name "text"`.
fn tokens(text: &[u8]) -> Result<Vec<String>, InputError> {
    let mut xml = Xml::new(text, "f.xml");
    let mut tokens = Vec::new();
    loop {
        match xml.read()? {
            Token::Start(tag) => {
                let attributes: Vec<_> = tag.attributes().map(|(name, value)| format!(" {name}={value}")).collect();
                tokens.push(format!("{}+{}{}", tag.line, tag.name, attributes.concat()));
            }
            Token::End(end) => tokens.push(format!("{}-{} {:?}", end.line, end.name, end.text)),
            Token::Eof => return Ok(tokens),
        }
    }
}

fn fault(text: &[u8]) -> String {
    tokens(text).unwrap_err().to_string()
}

#[test]
fn tags_texts_and_lines_are_read() {
    let text = "\u{feff}<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<!DOCTYPE a SYSTEM \"http://x/a_v1.dtd\">\n<!-- <b> \n -->\n\
                <a xml:lang='de'>\n <b\n  id=\"1 &amp; 2\"/>\n <c>x &lt; <![CDATA[<y>]]><!-- - --> ü</c >\n</a>\n";
    let expected = ["5+a xml:lang=de", "6+b id=1 & 2", "6-b \"\"", "8+c", "8-c \"x < <y> ü\"", "9-a \"\\n\""];
    assert_eq!(tokens(text.as_bytes()).unwrap(), expected);
}

#[test]
fn skipping_leaves_the_parser_after_the_element() {
    let mut xml = Xml::new(&b"<a><b><b/><c>t</c></b><d/><e/></a>"[..], "f.xml");
    xml.root(&["a"], "a test").unwrap();
    for expected in ["b", "d", "e"] {
        let Token::Start(tag) = xml.read().unwrap() else { panic!("expected a start tag") };
        assert_eq!(tag.name, expected);
        xml.skip().unwrap();
    }
    assert!(matches!(xml.read().unwrap(), Token::End(End { name: "a", .. })));
    assert!(matches!(xml.read().unwrap(), Token::Eof));
    assert!(matches!(xml.read().unwrap(), Token::Eof), "the end stays the end");
}

#[test]
fn small_buffers_give_the_same_tokens() {
    let text = "<a>\n<b id=\"1\" x='>'>t&amp;t</b><!-- -- > --></a>".replace(" -- >", " > ");
    let whole = tokens(text.as_bytes()).unwrap();
    for size in 1..8 {
        let mut xml = Xml::new(io::BufReader::with_capacity(size, text.as_bytes()), "f.xml");
        let mut count = 0;
        while !matches!(xml.read().unwrap(), Token::Eof) {
            count += 1;
        }
        assert_eq!(count, whole.len());
    }
}

#[test]
fn the_document_type_is_parsed() {
    for (text, dtd) in [
        ("<!DOCTYPE network SYSTEM \"http://www.matsim.org/files/dtd/network_v2.dtd\"><network/>", "network_v2.dtd"),
        ("<!DOCTYPE network PUBLIC 'x' 'network_v1.dtd' [<!ENTITY a \"b\">]><network/>", "network_v1.dtd"),
        ("<!DOCTYPE network><network/>", ""),
    ] {
        let mut xml = Xml::new(text.as_bytes(), "f.xml");
        xml.root(&["network"], "a network").unwrap();
        assert_eq!(xml.doctype(), Some(&Doctype { root: "network".into(), dtd: dtd.into() }));
    }
}

#[test]
fn the_kind_of_a_wrong_file_is_reported() {
    let text = b"<?xml version='1.0'?>\n<!DOCTYPE plans SYSTEM \"plans_v4.dtd\">\n<plans>";
    let error = Xml::new(&text[..], "p.xml").root(&["network"], "a network").unwrap_err();
    let expected = "p.xml:3: this is a file of plans (<plans> with DTD plans_v4.dtd), not a network\n    \
                    Name a file whose root element is <network>.";
    assert_eq!(error.to_string(), expected);
}

#[test]
fn malformed_xml_is_refused_with_its_line() {
    for (text, part) in [
        (&b""[..], ""),
        (b"id;x;y\n1;2;3\n", "f.xml:1: this is not XML: it begins with \"id;x;y"),
        (b"<a>\n<b>\n</a>", "f.xml:3: not well-formed XML: expected `</b>`"),
        (b"<a>\n<b id=\"1>\n</b>\n", "f.xml:2: not well-formed XML: "),
        (b"<a>\n", "f.xml:2: the file ends inside an element (number of unclosed elements: 1)"),
        (b"<a/>\n<b/>", "f.xml:2: not well-formed XML: a second root element <b>"),
        (b"<a/> x", "text after the root element: \"x\""),
        (b"<!-- -->x<a/>", "text before the root element: \"x\""),
        (b"<a></a></a>", "not well-formed XML: "),
        (b"<a>&nbsp;</a>", "unknown reference"),
        (b"<a>\n\n<b n=\"\xe4\"/></a>", "f.xml:3: the text is not UTF-8"),
        (b"<a>< b/></a>", "a tag without a name"),
        (b"<a b=1/>", "is not in quotes"),
        (b"<a", "not well-formed XML: "),
        (b"<!-- ", "not well-formed XML: "),
    ] {
        let message = tokens(text).map_or_else(|error| error.to_string(), |_| String::new());
        assert!(message.contains(part) && message.is_empty() == part.is_empty(), "{part}: {message}");
    }
    let error = Xml::new(&b"\n<!-- -->\n"[..], "f.xml").root(&["a"], "a test").unwrap_err().to_string();
    assert!(error.contains("there is no XML element in this file"), "{error}");
}

#[test]
fn illegal_characters_are_refused_with_their_line() {
    for (text, part) in [
        ("<a>\n<b/>\n\u{1}</a>", "f.xml:3: not well-formed XML: the character U+0001"),
        ("<a\nb='\u{b}'/>", "f.xml:2: not well-formed XML: the character U+000B"),
        ("<a><!--\n\n\u{ffff} --></a>", "f.xml:3: not well-formed XML: the character U+FFFE or U+FFFF"),
        ("<a>\n&#1;</a>", "f.xml:2: not well-formed XML: the reference \"&#1;\" to a character"),
        ("<a b='&#x0;'/>", "f.xml:1: not well-formed XML: the reference \"&#x0;\" to a character"),
    ] {
        let message = fault(text.as_bytes());
        assert!(message.starts_with(part), "{message}");
    }
}

#[test]
fn line_ends_and_blanks_follow_the_rules_of_xml() {
    let expected = ["1+a x=1 2", "3-a \"b\\nc\\r\""];
    assert_eq!(tokens(b"<a x='1\r\n2'>b\r\nc&#13;</a>").unwrap(), expected);
}

#[test]
fn unsupported_xml_features_are_reported() {
    let message = fault(b"<!DOCTYPE a [\n<!ENTITY e SYSTEM 'e.xml'>]>\n<a>\n&e;</a>");
    assert!(message.starts_with("f.xml:4: the external entity \"&e;\" is not supported"), "{message}");
    assert!(message.contains("xmllint --noent"), "{message}");
    let message = fault(b"<!DOCTYPE a [\n<!ENTITY e 'x'>\n%p;]>\n<a/>");
    assert!(message.starts_with("f.xml:3: the parameter entity \"%p;\" is not supported"), "{message}");
    let error = Xml::new(&b"<m:network xmlns:m='x'/>"[..], "f.xml").root(&["network"], "a network").unwrap_err();
    assert!(
        error.to_string().contains("<m:network>: element names with a namespace prefix are not supported"),
        "{error}"
    );
}

#[test]
fn declared_entities_are_expanded_in_values_and_text() {
    let text =
        "<!DOCTYPE a SYSTEM \"a.dtd\" [\n<!ENTITY run \"r1 &x;\">\n<!ENTITY x '2'>]>\n<a b='out/&run;'>&run;!</a>";
    assert_eq!(tokens(text.as_bytes()).unwrap(), ["4+a b=out/r1 2", "4-a \"r1 2!\""]);
}

#[test]
fn depth_is_bounded() {
    let nested = |depth: usize| "<a>".repeat(depth) + &"</a>".repeat(depth);
    assert_eq!(tokens(nested(MAX_DEPTH).as_bytes()).unwrap().len(), 2 * MAX_DEPTH);
    let message = fault(nested(MAX_DEPTH + 1).as_bytes());
    assert!(message.contains("f.xml:1: more than 256 nested elements"), "{message}");
    // Skipped elements count too.
    let text = nested(MAX_DEPTH + 1);
    let mut xml = Xml::new(text.as_bytes(), "f.xml");
    xml.root(&["a"], "a test").unwrap();
    assert!(xml.skip().is_err());
}

#[test]
fn text_in_pieces_is_bounded() {
    struct Pieces {
        piece: Vec<u8>,
        at: usize,
    }
    impl io::Read for Pieces {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            unreachable!("the parser asks for a buffer")
        }
    }
    impl BufRead for Pieces {
        fn fill_buf(&mut self) -> io::Result<&[u8]> {
            Ok(&self.piece[self.at..])
        }
        fn consume(&mut self, amount: usize) {
            self.at = (self.at + amount) % self.piece.len();
        }
    }
    // An endless repetition of the same bytes.
    let mut piece = vec![b'x'; 1 << 20];
    piece.extend(b"<!---->");
    let mut xml = Xml::new(io::Read::chain(&b"<a>"[..], Pieces { piece, at: 0 }), "f.xml");
    xml.read().unwrap();
    let message = xml.read().unwrap_err().to_string();
    assert!(message.contains("longer than 64 MiB"), "{message}");
}

#[test]
fn endless_tokens_are_refused() {
    let mut text = b"<a ".to_vec();
    text.resize(MAX_TOKEN_BYTES + 4096, b'x');
    let mut xml = Xml::new(io::BufReader::new(&text[..]), "f.xml");
    let message = xml.read().unwrap_err().to_string();
    assert!(message.contains("longer than 64 MiB"), "{message}");
}

proptest::proptest! {
    #[test]
    fn no_input_panics(text in "[<>/a-b =\"'&;!\\-\\[\\]?\n\u{e4}]{0,80}", cut in 0_usize..80) {
        let bytes = text.as_bytes();
        let _ = tokens(bytes);
        let _ = tokens(bytes.get(..cut).unwrap_or(bytes));
    }
}
