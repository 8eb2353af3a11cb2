//! Opens text files that may be compressed.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::Path;

use bzip2::bufread::MultiBzDecoder;
use throng_core::{InputError, STORE_IT, hint_for_missing, special_file};

use super::encoding::{Decoder, WRONG_ENCODING, WrongEncoding};
use super::gzip::Members;
use super::inflate::Inflater;
use super::sniff::{self, Packing};

/// Maximum window size of zstd, as a power of two: the limit of the zstd library, which `zstd --long=31` uses.
const MAX_WINDOW: u32 = if usize::BITS < 64 { 30 } else { 31 };

/// Number of bytes read, decompressed and parsed at a time.
pub(super) const BLOCK: usize = 256 * 1024;

/// A text file opened for reading: plain, gzip (also with several members), bzip2 or zstd. It is read as UTF-8,
/// whatever its encoding.
///
/// The first bytes of the file determine its compression, not its name. Compressed files are decompressed on a second
/// thread, a few blocks ahead of the reader; memory use is bounded for files of any size.
#[derive(Debug)]
pub struct TextInput {
    name: String,
    block: Vec<u8>,
    position: usize,
    source: Source,
    /// `None` if the text is in UTF-8.
    decoder: Option<Decoder>,
    /// Bytes that are not decoded yet.
    raw: Vec<u8>,
}

#[derive(Debug)]
enum Source {
    File(File),
    Inflater(Inflater),
}

impl TextInput {
    /// Opens `path` and checks that it begins with text.
    ///
    /// # Errors
    /// If the file is missing, unreadable, a folder, a pipe, a socket or a device, empty, damaged from the start or of
    /// another kind, or if decompressing it needs too much memory or a thread that cannot be started.
    pub fn open(path: &Path) -> Result<Self, InputError> {
        let name = path.display().to_string();
        let failed = |error: io::Error| cannot_open(path, &error);
        refuse_special(path)?;
        let mut file = File::open(path).map_err(failed)?;
        if file.metadata().map_err(failed)?.is_dir() {
            return Err(InputError::one(name, "this is a folder", "Name a file in it."));
        }
        let mut block = vec![0; BLOCK];
        let len = read_block(&mut file, &mut block).map_err(failed)?;
        block.truncate(len);

        let packing = sniff::packing(&block);
        let source = match packing {
            Packing::Plain => Source::File(file),
            Packing::Gzip => {
                let packed = Cursor::new(std::mem::take(&mut block)).chain(BufReader::with_capacity(BLOCK, file));
                Source::Inflater(Inflater::start(Members::new(packed))?)
            }
            Packing::Bzip2 => {
                let packed = Cursor::new(std::mem::take(&mut block)).chain(BufReader::with_capacity(BLOCK, file));
                Source::Inflater(Inflater::start(MultiBzDecoder::new(packed))?)
            }
            Packing::Zstd => {
                let packed = Cursor::new(std::mem::take(&mut block)).chain(BufReader::with_capacity(BLOCK, file));
                let mut decoder = zstd::stream::read::Decoder::with_buffer(packed).map_err(failed)?;
                // Memory is allocated as it is filled, so a small file does not get all the memory that its header
                // requests.
                decoder.window_log_max(MAX_WINDOW).map_err(failed)?;
                Source::Inflater(Inflater::start(decoder)?)
            }
        };
        let mut input = Self { name, block, position: 0, source, decoder: None, raw: Vec::new() };
        input.check_start()?;
        Ok(input)
    }

    /// Returns the path as the user gave it, for messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    fn check_start(&mut self) -> Result<(), InputError> {
        let name = self.name.clone();
        let start = self.fill_buf().map_err(|error| unreadable(&name, &error))?;
        let wrong = |message: String| InputError::one(format!("{name}:1"), message, WRONG_ENCODING);
        self.decoder = Decoder::of_start(start).map_err(wrong)?;
        if let Some(decoder) = &mut self.decoder {
            self.raw = std::mem::take(&mut self.block);
            decoder.decode(&self.raw, &mut self.block).map_err(|error| unreadable(&name, &error))?;
        }
        let start = self.fill_buf().map_err(|error| unreadable(&name, &error))?;
        if start.is_empty() {
            return Err(InputError::one(name, "the file is empty", "Write or copy it again."));
        }
        match sniff::not_text(start) {
            Some(what) => Err(InputError::one(
                name,
                format!("this is {what}, not XML"),
                "Expected text, plain or compressed with gzip, bzip2 or zstd. Decompress or convert the file, or name another.",
            )),
            None => Ok(()),
        }
    }

    fn refill(&mut self) -> io::Result<()> {
        self.position = 0;
        let Some(decoder) = &mut self.decoder else { return self.source.refill(&mut self.block) };
        self.block.clear();
        // A block may end inside a character, so that it has no text.
        while self.block.is_empty() {
            self.source.refill(&mut self.raw)?;
            decoder.decode(&self.raw, &mut self.block)?;
            if self.raw.is_empty() {
                break;
            }
        }
        Ok(())
    }
}

impl Source {
    /// Replaces the content of `block` by the next bytes; none are the end.
    fn refill(&mut self, block: &mut Vec<u8>) -> io::Result<()> {
        match self {
            Self::File(file) => {
                block.resize(BLOCK, 0);
                let read = read_block(file, block);
                block.truncate(*read.as_ref().unwrap_or(&0));
                read.map(|_| ())
            }
            Self::Inflater(inflater) => {
                block.clear();
                inflater.exchange(block)
            }
        }
    }
}

impl BufRead for TextInput {
    #[inline]
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.position >= self.block.len() {
            self.refill()?;
        }
        Ok(self.block.get(self.position..).unwrap_or_default())
    }

    #[inline]
    fn consume(&mut self, amount: usize) {
        self.position = (self.position + amount).min(self.block.len());
    }
}

impl Read for TextInput {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(out)?;
        self.consume(read);
        Ok(read)
    }
}

/// Returns the damage of a compressed file, of which a reader may have seen only a part that makes no sense.
pub(crate) fn damage(path: &Path) -> Option<InputError> {
    let mut input = TextInput::open(path).ok()?;
    let is_compressed = matches!(input.source, Source::Inflater(_));
    let read = || io::copy(&mut input, &mut io::sink());
    let error = is_compressed.then(read)?.err()?;
    Some(unreadable(&path.display().to_string(), &error))
}

fn read_block(file: &mut File, block: &mut [u8]) -> io::Result<usize> {
    loop {
        match file.read(block) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            done => return done,
        }
    }
}

/// Rejects anything but a file or a folder. Call it before opening `path`: opening a pipe blocks until another program
/// writes to it.
pub(crate) fn refuse_special(path: &Path) -> Result<(), InputError> {
    match special_file(path) {
        None => Ok(()),
        Some(special) => Err(InputError::one(path.display().to_string(), format!("this {special}"), STORE_IT)),
    }
}

/// Returns an error about an input that failed while being read at `place`, with the remedy for the failure.
pub(crate) fn unreadable(place: &str, error: &io::Error) -> InputError {
    let remedy = match error.kind() {
        io::ErrorKind::OutOfMemory => {
            let remedy =
                "Close other programs, or compress the file again with a smaller window (`zstd` without --long).";
            return InputError::out_of_memory(place, error.to_string(), remedy);
        }
        _ if error.get_ref().is_some_and(<dyn std::error::Error + Send + Sync>::is::<WrongEncoding>) => WRONG_ENCODING,
        io::ErrorKind::UnexpectedEof => "The file is incomplete: copy or download it again.",
        io::ErrorKind::InvalidData => {
            "Copy or download the file again; `gzip -t`, `bzip2 -t` or `zstd -t` tells whether it is complete."
        }
        io::ErrorKind::Unsupported => {
            "Compress the file again; `zstd --long=31` is the largest window that is supported."
        }
        _ => "Check the disk and the permissions of the file.",
    };
    InputError::one(place, error.to_string(), remedy)
}

fn cannot_open(path: &Path, error: &io::Error) -> InputError {
    let name = path.display().to_string();
    match error.kind() {
        io::ErrorKind::NotFound => InputError::one(name, "there is no such file", hint_for_missing(path)),
        io::ErrorKind::PermissionDenied => {
            InputError::one(name, "no permission to read this file", "Change its access rights, or run as its owner.")
        }
        _ => unreadable(&name, error),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use std::path::PathBuf;

    use super::*;

    fn gzip(text: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    }

    fn long_text() -> Vec<u8> {
        (0..200_000_u32).flat_map(|i| format!("{}\n", i.wrapping_mul(2_654_435_761)).into_bytes()).collect()
    }

    fn file(name: &str, content: &[u8]) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, content).unwrap();
        (folder, path)
    }

    fn read(path: &Path) -> io::Result<Vec<u8>> {
        let mut text = Vec::new();
        TextInput::open(path).unwrap().read_to_end(&mut text)?;
        Ok(text)
    }

    fn refusal(name: &str, content: &[u8]) -> String {
        let (_folder, path) = file(name, content);
        TextInput::open(&path).unwrap_err().to_string()
    }

    #[test]
    fn plain_gzip_and_zstd_give_the_same_text_whatever_the_suffix() {
        let text = long_text();
        let zstd = zstd::encode_all(&text[..], 1).unwrap();
        for (name, content) in [("a.xml", &text), ("b.xml.gz", &gzip(&text)), ("c.xml.gz", &zstd), ("d.xml", &zstd)] {
            let (_folder, path) = file(name, content);
            assert!(read(&path).unwrap() == text, "{name}");
        }
    }

    fn bzip2(text: &[u8]) -> Vec<u8> {
        let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn bzip2_files_are_read_and_checked() {
        let text = long_text();
        let packed = bzip2(&text);
        let (_folder, path) = file("a.xml.bz2", &packed);
        assert!(read(&path).unwrap() == text);
        // Parallel compressors write several streams.
        let (_folder, path) = file("a.xml", &[bzip2(b"<a>"), bzip2(b"</a>")].concat());
        assert_eq!(read(&path).unwrap(), b"<a></a>");
        let (_folder, path) = file("a.xml.bz2", &packed[..packed.len() / 2]);
        assert_eq!(read(&path).unwrap_err().to_string(), "the compressed file is truncated");
        let mut damaged = packed.clone();
        let middle = damaged.len() / 2;
        damaged[middle..middle + 64].fill(0xff);
        let (_folder, path) = file("a.xml.bz2", &damaged);
        assert_eq!(read(&path).unwrap_err().kind(), io::ErrorKind::InvalidData);
        assert!(refusal("a.xml.bz2", b"BZh9").contains("the compressed file is truncated"));
    }

    #[test]
    fn text_in_other_encodings_becomes_utf_8() {
        let latin = b"<?xml version='1.0' encoding='ISO-8859-1'?>\n<a b='\xe4'/>";
        let wanted = "<?xml version='1.0' encoding='UTF-8'?>\n<a b='ä'/>";
        for content in [latin.to_vec(), gzip(latin)] {
            let (_folder, path) = file("a.xml", &content);
            assert_eq!(read(&path).unwrap(), wanted.as_bytes());
        }
        // Characters at the ends of blocks.
        let long = format!("\u{feff}<a>{}</a>", "\u{1f600}".repeat(BLOCK));
        for to_bytes in [u16::to_le_bytes, u16::to_be_bytes] {
            let bytes: Vec<u8> = long.encode_utf16().flat_map(to_bytes).collect();
            let (_folder, path) = file("a.xml", &bytes);
            assert!(read(&path).unwrap() == long.trim_start_matches('\u{feff}').as_bytes());
            let (_folder, path) = file("a.xml", &bytes[..bytes.len() - 1]);
            let error = read(&path).unwrap_err().to_string();
            assert!(error.starts_with("the text ends inside a character of UTF-16"), "{error}");
        }
    }

    #[test]
    fn a_wrong_declaration_is_an_error_with_its_line() {
        let (_folder, path) = file("a.xml", b"<?xml version='1.0' encoding='US-ASCII'?>\n<a>\n<b c='\xe4'/></a>");
        let mut xml = crate::formats::xml::Xml::new(TextInput::open(&path).unwrap(), "a.xml");
        xml.root(&["a"], "a test").unwrap();
        let message = xml.read().map(|token| format!("{token:?}")).unwrap_err().to_string();
        assert!(message.starts_with("a.xml:3: the bytes E4 are not text in US-ASCII"), "{message}");
        assert!(message.contains("Correct the encoding in the first line"), "{message}");
        let message = refusal("a.xml", b"<?xml version='1.0' encoding='x'?><a/>");
        assert!(message.contains("a.xml:1: the encoding \"x\" is not known"), "{message}");
    }

    #[test]
    fn all_members_of_a_gzip_file_are_read() {
        let mut packed = gzip(b"<a>");
        packed.extend(gzip(b"</a>"));
        let (_folder, path) = file("a.xml.gz", &packed);
        assert_eq!(read(&path).unwrap(), b"<a></a>");
    }

    #[test]
    fn zeros_after_a_gzip_file_are_skipped() {
        let mut packed = gzip(b"<a>");
        packed.extend(gzip(b"</a>"));
        packed.extend(vec![0; 2 * BLOCK]);
        let (_folder, path) = file("a.xml.gz", &packed);
        assert_eq!(read(&path).unwrap(), b"<a></a>");
        packed.push(b'x');
        let (_folder, path) = file("a.xml.gz", &packed);
        let error = read(&path).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::InvalidData);
        assert!(error.to_string().contains("data after the zeros"), "{error}");
        let (_folder, path) = file("a.xml.gz", &[&gzip(b"<a>")[..], b"junk"].concat());
        assert!(read(&path).unwrap_err().to_string().contains("data after its end"));
    }

    #[test]
    fn truncated_and_damaged_files_are_errors_after_the_good_part() {
        let text = long_text();
        let packed = gzip(&text);
        let (_folder, path) = file("a.xml.gz", &packed[..packed.len() / 2]);
        let error = read(&path).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof);
        assert_eq!(error.to_string(), "the compressed file is truncated");

        let zstd = zstd::encode_all(&text[..], 1).unwrap();
        let (_folder, path) = file("a.xml.zst", &zstd[..zstd.len() / 2]);
        assert_eq!(read(&path).unwrap_err().kind(), io::ErrorKind::UnexpectedEof);

        let mut damaged = packed.clone();
        let middle = damaged.len() / 2;
        damaged[middle..middle + 64].fill(0xff);
        let (_folder, path) = file("a.xml.gz", &damaged);
        assert_eq!(read(&path).unwrap_err().kind(), io::ErrorKind::InvalidData);
    }

    #[test]
    fn long_windows_of_zstd_are_read() {
        // Frame and block as in RFC 8878: no checksum, no content size, a window of 2^`window_log` bytes, and one last
        // block of 4 uncompressed bytes.
        let frame = |window_log: u8| {
            [&b"\x28\xb5\x2f\xfd\x00"[..], &[(window_log - 10) << 3], b"\x21\x00\x00", b"<a/>"].concat()
        };
        for window_log in [20, 27, 28, 31] {
            let (_folder, path) = file("a.xml.zst", &frame(window_log));
            assert_eq!(read(&path).unwrap(), b"<a/>", "{window_log}");
        }
        let text = refusal("a.xml.zst", &frame(32));
        assert!(text.contains("a window of more than 2 GiB") && text.contains("zstd --long=31"), "{text}");
    }

    #[test]
    #[cfg(unix)]
    fn sockets_and_devices_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let socket = folder.path().join("socket");
        let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
        let refused = |path: &Path| TextInput::open(path).unwrap_err().to_string();
        assert!(refused(&socket).contains("socket: this is a socket, not a file\n    store its content"));
        assert!(refused(Path::new("/dev/null")).contains("/dev/null: this is a device"));
    }

    #[test]
    fn other_kinds_are_refused_by_name() {
        assert!(refusal("a.xml", b"PK\x03\x04....").contains("a zip archive, not XML"));
        assert!(refusal("a.xml.gz", &gzip(b"PAR1....")).contains("a Parquet table"));
        assert!(refusal("a.xml", b"").contains("the file is empty"));
        assert!(refusal("a.xml.gz", &gzip(b"")).contains("the file is empty"));
        assert!(refusal("a.xml.gz", b"\x1f\x8b\x08").contains("the compressed file is truncated"));
    }

    #[test]
    fn a_missing_file_is_reported_with_a_hint() {
        let (folder, path) = file("net.xml.gz", &gzip(b"<network/>"));
        let message = TextInput::open(&folder.path().join("net.xml")).unwrap_err().to_string();
        assert!(message.contains("no such file") && message.contains(&format!("there is {}", path.display())));
        let message = TextInput::open(&folder.path().join("sub/net.xml")).unwrap_err().to_string();
        assert!(message.contains("does not exist either"), "{message}");
        let message = TextInput::open(&folder.path().join("other.xml")).unwrap_err().to_string();
        assert!(message.contains("check the spelling"), "{message}");
        let message = TextInput::open(folder.path()).unwrap_err().to_string();
        assert!(message.contains("this is a folder"), "{message}");
    }
}
