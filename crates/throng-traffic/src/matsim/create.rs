//! Writing a text file, packed as its suffix says.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;

/// Text is handed to the compressor in pieces of this many bytes.
const BUFFER: usize = 256 * 1024;

/// A text file being written: gzip for `.gz`, zstd for `.zst`, plain otherwise.
///
/// The text goes to a temporary file beside the target and takes its name in [`TextOutput::finish`]; dropping the
/// value before that removes it. So a file under the target name is always whole.
pub struct TextOutput {
    target: PathBuf,
    temporary: PathBuf,
    // `None` once finished.
    encoder: Option<BufWriter<Encoder>>,
}

enum Encoder {
    Plain(File),
    Gzip(GzEncoder<File>),
    Zstd(zstd::stream::write::Encoder<'static, File>),
}

impl TextOutput {
    /// Begins to write `target`; its folder must exist.
    ///
    /// # Errors
    /// When the temporary file cannot be created.
    pub fn create(target: &Path) -> io::Result<Self> {
        let temporary = temporary_name(target);
        let file = File::create(&temporary)?;
        let suffix = target.extension().unwrap_or_default();
        let encoder = if suffix.eq_ignore_ascii_case("gz") {
            Encoder::Gzip(GzEncoder::new(file, Compression::default()))
        } else if suffix.eq_ignore_ascii_case("zst") {
            Encoder::Zstd(zstd::stream::write::Encoder::new(file, zstd::DEFAULT_COMPRESSION_LEVEL)?)
        } else {
            Encoder::Plain(file)
        };
        let encoder = Some(BufWriter::with_capacity(BUFFER, encoder));
        Ok(Self { target: target.to_owned(), temporary, encoder })
    }

    /// Completes the file and gives it its name, replacing an older file of that name.
    ///
    /// # Errors
    /// When the rest of the text cannot be written; the target is then left as it was.
    pub fn finish(mut self) -> io::Result<()> {
        if let Some(encoder) = self.encoder.take() {
            let file = match encoder.into_inner().map_err(io::IntoInnerError::into_error)? {
                Encoder::Plain(file) => file,
                Encoder::Gzip(encoder) => encoder.finish()?,
                Encoder::Zstd(encoder) => encoder.finish()?,
            };
            // Some file systems report a full disk only when the file is closed or synchronised.
            file.sync_all()?;
            fs::rename(&self.temporary, &self.target)?;
        }
        Ok(())
    }
}

impl Drop for TextOutput {
    fn drop(&mut self) {
        // After `finish` the temporary name is gone and there is nothing to remove.
        drop(self.encoder.take());
        let _ = fs::remove_file(&self.temporary);
    }
}

impl Write for TextOutput {
    #[inline]
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        match &mut self.encoder {
            Some(encoder) => encoder.write(text),
            None => Ok(text.len()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.encoder.as_mut().map_or(Ok(()), BufWriter::flush)
    }
}

impl Write for Encoder {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        match self {
            Self::Plain(file) => file.write(text),
            Self::Gzip(encoder) => encoder.write(text),
            Self::Zstd(encoder) => encoder.write(text),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Plain(file) => file.flush(),
            Self::Gzip(encoder) => encoder.flush(),
            Self::Zstd(encoder) => encoder.flush(),
        }
    }
}

fn temporary_name(target: &Path) -> PathBuf {
    let mut name = target.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.part", std::process::id()));
    target.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;
    use crate::matsim::open::TextInput;

    #[test]
    fn what_is_written_reads_back_and_is_packed() {
        let folder = tempfile::tempdir().unwrap();
        let text = "<a>\n</a>\n".repeat(10_000);
        for (name, magic) in [("a.xml", &b"<a>"[..]), ("a.xml.gz", b"\x1f\x8b"), ("a.xml.zst", b"\x28\xb5\x2f\xfd")] {
            let path = folder.path().join(name);
            let mut output = TextOutput::create(&path).unwrap();
            output.write_all(text.as_bytes()).unwrap();
            assert!(!path.exists(), "{name} appears only when whole");
            output.finish().unwrap();
            assert!(fs::read(&path).unwrap().starts_with(magic), "{name}");
            let mut back = String::new();
            TextInput::open(&path).unwrap().read_to_string(&mut back).unwrap();
            assert!(back == text, "{name}");
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3, "no temporary file is left");
    }

    #[test]
    fn an_abandoned_file_leaves_nothing_and_keeps_the_old_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.xml.gz");
        fs::write(&path, "old").unwrap();
        let mut output = TextOutput::create(&path).unwrap();
        output.write_all(b"new").unwrap();
        drop(output);
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
