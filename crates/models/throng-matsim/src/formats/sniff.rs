//! Detects the kind of a file from its first bytes.

/// Compression of a file, as its first bytes indicate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Packing {
    Plain,
    Gzip,
    Bzip2,
    Zstd,
}

pub(super) fn packing(start: &[u8]) -> Packing {
    match start {
        [0x1f, 0x8b, ..] => Packing::Gzip,
        [b'B', b'Z', b'h', b'1'..=b'9', ..] => Packing::Bzip2,
        [0x28, 0xb5, 0x2f, 0xfd, ..] => Packing::Zstd,
        _ => Packing::Plain,
    }
}

/// Magic numbers of files that users pass by mistake.
const MAGIC: [(&[u8], &str); 18] = [
    (b"PK\x03\x04", "a zip archive"),
    (b"PK\x05\x06", "an empty zip archive"),
    (b"\x1f\x8b", "a gzip file inside another one"),
    (b"\x28\xb5\x2f\xfd", "a zstd file inside another one"),
    (b"BZh", "a bzip2 file inside another one"),
    (b"\xfd7zXZ\0", "an xz file"),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive"),
    (b"\x04\x22\x4d\x18", "an lz4 file"),
    (b"PAR1", "a Parquet table"),
    (b"ARROW1", "an Arrow file"),
    (b"SQLite format 3\0", "a SQLite or GeoPackage database"),
    (b"\x89PNG", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"%PDF", "a PDF document"),
    (b"\x89HDF", "an HDF5 file"),
    (b"\x7fELF", "a program"),
    (b"\0\0\x27\x0a", "a shapefile"),
    (b"THRONG\x1a\n", "a scenario cache"),
];

/// Describes a file that its first bytes, `start`, show to be binary; `None` if it may be text.
pub(super) fn not_text(start: &[u8]) -> Option<&'static str> {
    if let Some((_, what)) = MAGIC.iter().find(|(magic, _)| start.starts_with(magic)) {
        return Some(what);
    }
    if start.get(257..262) == Some(b"ustar") {
        return Some("a tar archive");
    }
    start.iter().take(4096).any(|&byte| byte == 0).then_some("binary data")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packings_are_detected_by_magic_bytes() {
        assert_eq!(packing(b"\x1f\x8b\x08"), Packing::Gzip);
        assert_eq!(packing(b"\x28\xb5\x2f\xfd\x00"), Packing::Zstd);
        assert_eq!(packing(b"BZh91AY&SY"), Packing::Bzip2);
        assert_eq!(packing(b"BZhou"), Packing::Plain);
        assert_eq!(packing(b"<?xml"), Packing::Plain);
        assert_eq!(packing(b""), Packing::Plain);
    }

    #[test]
    fn binary_formats_are_identified() {
        assert_eq!(not_text(b"PK\x03\x04rest"), Some("a zip archive"));
        assert_eq!(not_text(b"SQLite format 3\0"), Some("a SQLite or GeoPackage database"));
        assert_eq!(not_text(b"abc\0def"), Some("binary data"));
        let mut tar = vec![b'a'; 512];
        tar[257..262].copy_from_slice(b"ustar");
        assert_eq!(not_text(&tar), Some("a tar archive"));
        assert_eq!(not_text("<?xml version=\"1.0\"?> äöü".as_bytes()), None);
        assert_eq!(not_text(b""), None);
    }
}
