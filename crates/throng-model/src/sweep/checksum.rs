//! Checksums of bytes, against torn records and changed inputs; not against forgery.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use throng_core::StateHash;

/// Bytes that are hashed at once.
const BLOCK: usize = 1 << 16;

/// The checksum of bytes, which also depends on their number.
pub(super) fn of_bytes(bytes: &[u8]) -> u64 {
    let mut sum = StateHash::new();
    for (number, block) in (0..).zip(bytes.chunks(BLOCK)) {
        add(&mut sum, number, block);
    }
    finish(sum, bytes.len() as u64)
}

/// Size and checksum of a file.
pub(super) fn of_file(path: &Path) -> io::Result<(u64, u64)> {
    let mut file = File::open(path)?;
    let (mut sum, mut bytes, mut block) = (StateHash::new(), 0, Vec::with_capacity(BLOCK));
    for number in 0.. {
        block.clear();
        // A single read may return less than a block.
        (&mut file).take(BLOCK as u64).read_to_end(&mut block)?;
        if block.is_empty() {
            break;
        }
        bytes += block.len() as u64;
        add(&mut sum, number, &block);
    }
    Ok((bytes, finish(sum, bytes)))
}

fn add(sum: &mut StateHash, number: u64, block: &[u8]) {
    let word = |part: &[u8]| part.iter().rev().fold(0, |word, &byte| (word << 8) | u64::from(byte));
    let words: Vec<u64> = block.chunks(8).map(word).collect();
    sum.add(number, &words);
}

fn finish(mut sum: StateHash, bytes: u64) -> u64 {
    sum.add(u64::MAX, &[bytes]);
    sum.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_the_checksum_of_its_bytes() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a");
        let bytes: Vec<u8> = (0..150_001u32).map(|i| (i % 251) as u8).collect();
        for length in [0, 1, 8, BLOCK, BLOCK + 1, bytes.len()] {
            std::fs::write(&path, &bytes[..length]).unwrap();
            assert_eq!(of_file(&path).unwrap(), (length as u64, of_bytes(&bytes[..length])), "{length}");
        }
        assert_ne!(of_bytes(&[0, 0]), of_bytes(&[0, 0, 0]), "zeros at the end count");
        assert_ne!(of_bytes(&[1, 2]), of_bytes(&[2, 1]));
    }
}
