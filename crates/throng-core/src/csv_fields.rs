//! Lines of tables whose fields are separated by a letter.

/// The fields of a line of a table, without spaces around them. In a field in quotes two of them stand for one.
///
/// ```
/// use throng_core::csv_fields;
///
/// assert_eq!(csv_fields(r#"a; "b;c" ;"say ""d""";"#, ';'), ["a", "b;c", r#"say "d""#, ""]);
/// ```
pub fn csv_fields(line: &str, separator: char) -> Vec<String> {
    let mut fields = vec![];
    let (mut field, mut is_quoted, mut was_quoted) = (String::new(), false, false);
    for letter in line.chars().chain([separator]) {
        if letter == '"' && (is_quoted || was_quoted || field.trim().is_empty()) {
            if was_quoted && !is_quoted {
                field.push('"');
            } else if !is_quoted {
                field.clear();
            }
            is_quoted = !is_quoted;
            was_quoted = true;
        } else if letter == separator && !is_quoted {
            fields.push(if was_quoted { std::mem::take(&mut field) } else { field.trim().to_owned() });
            field.clear();
            was_quoted = false;
        } else if !(was_quoted && !is_quoted && letter.is_whitespace()) {
            field.push(letter);
        }
    }
    fields
}
