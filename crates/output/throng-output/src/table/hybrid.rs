//! Parquet's hybrid of run lengths and packed bits, for small integers.
//!
//! Source: Apache Parquet format, "Run Length Encoding / Bit-Packing Hybrid (RLE = 3)".

/// Number of values in the smallest packed group, and in the shortest run.
const GROUP: usize = 8;

/// Returns the number of bits of the codes of `count` different values, at least 1.
pub(super) fn bit_width(count: usize) -> u8 {
    (usize::BITS - count.saturating_sub(1).leading_zeros()).max(1) as u8
}

/// Appends `values`, each below 2 to the power of `width` (at most 32): runs of at least eight equal values by length,
/// the others packed.
pub(super) fn hybrid<T: Copy + PartialEq + Into<u32>>(values: &[T], width: u8, out: &mut Vec<u8>) {
    // The values before this position are written.
    let (mut written, mut at) = (0, 0);
    while at < values.len() {
        let rest = &values[at..];
        let is_run = rest.len() >= GROUP && rest[..GROUP].iter().all(|value| *value == rest[0]);
        if !is_run {
            at += GROUP.min(rest.len());
            continue;
        }
        let run = rest.iter().take_while(|value| **value == rest[0]).count();
        pack(&values[written..at], width, out);
        varint((run as u64) << 1, out);
        let bytes = usize::from(width).div_ceil(8);
        out.extend(&rest[0].into().to_le_bytes()[..bytes]);
        at += run;
        written = at;
    }
    pack(&values[written..], width, out);
}

/// Appends packed values, with zeros at the end up to a multiple of eight.
fn pack<T: Copy + Into<u32>>(values: &[T], width: u8, out: &mut Vec<u8>) {
    if values.is_empty() {
        return;
    }
    let groups = values.len().div_ceil(GROUP);
    varint((groups as u64) << 1 | 1, out);
    let end = out.len() + groups * usize::from(width);
    let (mut bits, mut count) = (0_u64, 0);
    for &value in values {
        bits |= u64::from(value.into()) << count;
        count += u32::from(width);
        if count >= 32 {
            out.extend((bits as u32).to_le_bytes());
            bits >>= 32;
            count -= 32;
        }
    }
    out.extend(bits.to_le_bytes());
    out.resize(end, 0);
}

/// Appends a number, seven bits per byte, lowest bits first.
fn varint(mut number: u64, out: &mut Vec<u8>) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn encoded(values: &[u32], width: u8) -> Vec<u8> {
        let mut out = Vec::new();
        hybrid(values, width, &mut out);
        out
    }

    /// The example of the format's description: 0 to 7 with three bits.
    #[test]
    fn groups_are_packed_as_in_the_description_of_the_format() {
        assert_eq!(encoded(&[0, 1, 2, 3, 4, 5, 6, 7], 3), [3, 0b1000_1000, 0b1100_0110, 0b1111_1010]);
    }

    #[test]
    fn runs_have_their_length_and_value() {
        assert_eq!(encoded(&[700; 100], 10), [200, 1, 0xbc, 2]);
        // A group that is not a run, a run of nine, and a rest of one.
        let values = [[1, 0, 0, 0, 0, 0, 0, 0].as_slice(), &[1; 9], &[0]].concat();
        assert_eq!(encoded(&values, 1), [3, 1, 18, 1, 3, 0]);
        assert_eq!(encoded(&[], 5), [0; 0]);
    }

    #[test]
    fn widths_hold_the_largest_code() {
        assert_eq!([0, 1, 2, 3, 4, 5, 256, 257].map(bit_width), [1, 1, 1, 2, 2, 3, 8, 9]);
    }
}
