//! Parsing and formatting of sizes in bytes.

/// Parses a size such as `48KiB`, `64 KiB`, `32768` or `0.5 MiB`. Returns bytes.
///
/// ```
/// use throng_local_memory::parse_size;
///
/// assert_eq!(parse_size("48KiB"), Ok(49_152));
/// assert_eq!(parse_size("227 KiB"), Ok(232_448));
/// assert_eq!(parse_size("1000"), Ok(1_000));
/// assert!(parse_size("48 apples").is_err());
/// ```
///
/// # Errors
/// A message for the user if the text is not a size, or the size is not a whole number of bytes above 0.
pub fn parse_size(text: &str) -> Result<u64, String> {
    let wrong = || format!("\"{text}\" is not a size in bytes; write a number such as 32768, 48KiB or 1MiB");
    let trimmed = text.trim();
    let end = trimmed.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(trimmed.len());
    let (number, unit) = trimmed.split_at(end);
    // Storage is sold in decimal kB of 1000 bytes, but device limits never use them, so KB means KiB.
    let factor: u64 = match unit.trim().to_lowercase().as_str() {
        "" | "b" | "bytes" | "byte" => 1,
        "k" | "kb" | "kib" => 1 << 10,
        "m" | "mb" | "mib" => 1 << 20,
        _ => return Err(wrong()),
    };
    let bytes = if let Some((whole, fraction)) = number.split_once('.') {
        let digits = u32::try_from(fraction.len()).ok().filter(|digits| *digits <= 9).ok_or_else(wrong)?;
        let scale = 10_u64.pow(digits);
        let all = format!("{whole}{fraction}").parse::<u64>().ok().and_then(|all| all.checked_mul(factor));
        all.filter(|all| all % scale == 0).map(|all| all / scale)
    } else {
        number.parse::<u64>().ok().and_then(|number| number.checked_mul(factor))
    };
    bytes.filter(|bytes| *bytes > 0).ok_or_else(wrong)
}

/// A number of bytes with its unit, for reports: `1 byte`, `100 bytes`.
pub(crate) fn bytes(count: u64) -> String {
    if count == 1 { "1 byte".to_owned() } else { format!("{count} bytes") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_parsed_with_and_without_units() {
        for (text, expected) in [
            ("32 KiB", 32_768),
            ("48kib", 49_152),
            ("64K", 65_536),
            ("227KiB", 232_448),
            ("1MiB", 1_048_576),
            ("0.5 MiB", 524_288),
            ("12", 12),
            (" 7 bytes ", 7),
        ] {
            assert_eq!(parse_size(text), Ok(expected), "{text}");
        }
        for text in
            ["", "KiB", "0", "-1", "1e3", "1.5", "1 GiBi", "99999999999999999999", "1..5K", "18446744073709551615K"]
        {
            assert!(parse_size(text).is_err(), "{text}");
        }
    }
}
