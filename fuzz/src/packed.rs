//! Possibly compressed text: plain text is read unchanged, and text compressed with gzip or zstd is restored.

use std::io::{Read as _, Write as _};
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use throng_matsim::formats::open::TextInput;

use super::scratch;

/// Maximum number of bytes to unpack: a small input may expand to gigabytes.
const MAX: u64 = 1 << 24;

/// Tries one input.
pub fn check(data: &[u8]) -> bool {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
    gzip.write_all(data).expect("a vector cannot refuse bytes");
    let gzip = gzip.finish().expect("a vector cannot refuse bytes");
    let zstd = zstd::encode_all(data, 1).expect("a vector cannot refuse bytes");
    let (_folder, paths) = scratch::files([data, &gzip, &zstd]);
    let [plain, from_gzip, from_zstd] = paths.each_ref().map(|path| read(path));
    assert_eq!(from_gzip, from_zstd);
    // A compressed input is unpacked only once, whether or not the result is text.
    if plain.as_deref() == Some(data) {
        assert_eq!(from_gzip, plain);
    }
    plain.is_some()
}

/// Returns the content read from a file, or `None` if it is rejected.
fn read(path: &Path) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    TextInput::open(path).ok()?.take(MAX).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}
