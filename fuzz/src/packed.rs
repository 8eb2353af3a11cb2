//! Text that may be packed: plain text is read as it is, and what gzip and zstd make of it is that text again.

use std::io::{Read as _, Write as _};
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use throng_matsim::formats::open::TextInput;

use super::scratch;

/// More than this is not unpacked: a small input may stand for gigabytes.
const MAX: u64 = 1 << 24;

/// Tries one input.
pub fn check(data: &[u8]) -> bool {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
    gzip.write_all(data).expect("a vector takes all");
    let gzip = gzip.finish().expect("a vector takes all");
    let zstd = zstd::encode_all(data, 1).expect("a vector takes all");
    let (_folder, paths) = scratch::files([data, &gzip, &zstd]);
    let [plain, from_gzip, from_zstd] = paths.each_ref().map(|path| read(path));
    assert_eq!(from_gzip, from_zstd);
    // An input that is packed is unpacked once, whether it is text then or not.
    if plain.as_deref() == Some(data) {
        assert_eq!(from_gzip, plain);
    }
    plain.is_some()
}

/// What is read from a file, or `None` when it is refused.
fn read(path: &Path) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    TextInput::open(path).ok()?.take(MAX).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}
