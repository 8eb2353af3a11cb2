//! Text files that are compressed while they are written, on the calling thread or on several.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use crate::{
    BlockEncoder, BlockStream, ClosedFile, Codec, OutputError, PendingFile, Pipeline, PipelineSize, RunFolder,
    WrittenFile,
};

/// Number of bytes of text from which the buffer is compressed as a block.
const BLOCK_BYTES: usize = 1 << 18;

/// A small text file, compressed on the calling thread.
#[derive(Debug)]
pub struct TextFile {
    text: Vec<u8>,
    encoder: BlockEncoder,
    stream: BlockStream<PendingFile>,
}

impl TextFile {
    /// Creates the file `name` plus the suffix of `codec`.
    ///
    /// # Errors
    /// When the file cannot be created.
    pub fn create(folder: &RunFolder, name: &str, codec: Codec) -> Result<Self, OutputError> {
        Self::of(folder.file(&format!("{name}{}", codec.suffix()))?, codec)
    }

    /// Creates the file `target` in an existing folder; its extension, `.gz` or `.zst`, determines the compression.
    ///
    /// # Errors
    /// When the file cannot be created.
    pub fn at(target: &Path) -> Result<Self, OutputError> {
        Self::of(PendingFile::create(target)?, Codec::of_file(target))
    }

    fn of(file: PendingFile, codec: Codec) -> Result<Self, OutputError> {
        Ok(Self { text: Vec::new(), encoder: new_encoder(file.target(), codec)?, stream: new_stream(file, codec)? })
    }

    /// The buffer to append text to; call [`TextFile::flush_full`] after each piece.
    pub fn text(&mut self) -> &mut Vec<u8> {
        &mut self.text
    }

    /// Writes out the buffer if enough text has accumulated.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn flush_full(&mut self) -> Result<(), OutputError> {
        if self.text.len() < BLOCK_BYTES { Ok(()) } else { self.write_out() }
    }

    fn write_out(&mut self) -> Result<(), OutputError> {
        let result = self.encoder.encode(&self.text).and_then(|block| self.stream.write_block(&block));
        self.text.clear();
        result.map_err(|e| self.stream.inner().error(e))
    }

    /// Writes the remaining text and gives the file its final name.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn finish(mut self) -> Result<WrittenFile, OutputError> {
        self.write_out()?;
        close(self.stream)?.complete()
    }
}

/// Writing appends to [`TextFile::text`]. An [`OutputError`] is returned as the source of an [`std::io::Error`].
impl Write for TextFile {
    fn write(&mut self, buffer: &[u8]) -> std::io::Result<usize> {
        self.text.extend_from_slice(buffer);
        self.flush_full().map_err(std::io::Error::other)?;
        Ok(buffer.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Formats a block of type `T` as text; each worker thread of a [`ParallelTextFile`] owns one.
pub trait FormatBlock<T>: Send {
    /// Appends the text of `block`.
    fn format(&mut self, block: T, text: &mut Vec<u8>);
}

/// A large text file: blocks are formatted and compressed on several threads and written in order.
#[derive(Debug)]
pub struct ParallelTextFile<T> {
    pipeline: Pipeline<T, BlockStream<PendingFile>>,
    tail: Vec<u8>,
    codec: Codec,
}

impl<T: Send + 'static> ParallelTextFile<T> {
    /// Creates the file `name` plus the suffix of `codec`, with `head` before the first block and `tail` after the last
    /// one.
    ///
    /// # Errors
    /// When the file cannot be created.
    pub fn create<F: FormatBlock<T> + 'static>(
        folder: &RunFolder,
        name: &str,
        codec: Codec,
        size: PipelineSize,
        (head, tail): (&str, &str),
        make_formatter: impl Fn() -> F,
    ) -> Result<Self, OutputError> {
        let file = folder.file(&format!("{name}{}", codec.suffix()))?;
        let mut encoder = new_encoder(file.target(), codec)?;
        let mut stream = new_stream(file, codec)?;
        let target: Arc<Path> = stream.inner().target().into();
        let written = encoder.encode(head.as_bytes()).and_then(|block| stream.write_block(&block));
        written.map_err(|e| stream.inner().error(e))?;

        let make_worker = || {
            let (mut formatter, mut encoder) = (make_formatter(), BlockEncoder::new(codec));
            let (mut text, target) = (Vec::new(), Arc::clone(&target));
            move |block: T| {
                text.clear();
                formatter.format(block, &mut text);
                let fail = |e| OutputError::io("compress", &target, e);
                match &mut encoder {
                    Ok(encoder) => encoder.encode(&text).map_err(fail),
                    Err(e) => Err(fail(std::io::Error::new(e.kind(), e.to_string()))),
                }
            }
        };
        let pipeline = Pipeline::start("text", size, stream, make_worker, |stream, block| {
            stream.write_block(&block).map_err(|e| stream.inner().error(e))
        })?;
        Ok(Self { pipeline, tail: tail.as_bytes().to_vec(), codec })
    }

    /// Sends the next block; blocks while too many are in flight.
    ///
    /// # Errors
    /// The first error of any thread of this file.
    pub fn send(&mut self, block: T) -> Result<(), OutputError> {
        self.pipeline.send(block)
    }

    /// Waits for all blocks, ends the stream and gives the file its final name.
    ///
    /// # Errors
    /// The first error of any thread of this file.
    pub fn finish(self) -> Result<WrittenFile, OutputError> {
        self.close()?.complete()
    }

    /// Waits for all blocks and ends the stream; the file does not have its final name yet.
    ///
    /// # Errors
    /// The first error of any thread of this file.
    pub fn close(self) -> Result<ClosedFile, OutputError> {
        let Self { pipeline, tail, codec } = self;
        let mut stream = pipeline.finish()?;
        let mut encoder = new_encoder(stream.inner().target(), codec)?;
        let written = encoder.encode(&tail).and_then(|block| stream.write_block(&block));
        written.map_err(|e| stream.inner().error(e))?;
        close(stream)
    }
}

fn new_encoder(target: &Path, codec: Codec) -> Result<BlockEncoder, OutputError> {
    BlockEncoder::new(codec).map_err(|e| OutputError::io("compress", target, e))
}

fn new_stream(file: PendingFile, codec: Codec) -> Result<BlockStream<PendingFile>, OutputError> {
    let target = file.target().to_owned();
    BlockStream::new(file, codec).map_err(|e| OutputError::io("write", &target, e))
}

fn close(stream: BlockStream<PendingFile>) -> Result<ClosedFile, OutputError> {
    let target = stream.inner().target().to_owned();
    let file = stream.finish().map_err(|e| OutputError::io("write", &target, e))?;
    file.close()
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;
    use crate::IfNotEmpty;

    struct Numbers;

    impl FormatBlock<std::ops::Range<u32>> for Numbers {
        fn format(&mut self, block: std::ops::Range<u32>, text: &mut Vec<u8>) {
            for n in block {
                writeln!(text, "{n}").unwrap();
            }
        }
    }

    #[test]
    fn files_are_compressed_by_suffix_and_replaced_when_complete() {
        let dir = tempfile::tempdir().unwrap();
        for (name, magic) in [("a.xml", &b"<a/>"[..]), ("a.xml.gz", b"\x1f\x8b"), ("a.xml.zst", b"\x28\xb5\x2f\xfd")] {
            let target = dir.path().join(name);
            std::fs::write(&target, "old").unwrap();
            let mut abandoned = TextFile::at(&target).unwrap();
            abandoned.write_all(b"<b/>").unwrap();
            drop(abandoned);
            let mut file = TextFile::at(&target).unwrap();
            file.write_all(b"<a/>").unwrap();
            assert_eq!(std::fs::read(&target).unwrap(), b"old");
            assert_eq!(file.finish().unwrap().name, name);
            assert!(std::fs::read(&target).unwrap().starts_with(magic), "{name}");
        }
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 3, "no temporary file is left");
    }

    #[test]
    fn both_kinds_of_files_write_the_same_text() {
        let dir = tempfile::tempdir().unwrap();
        let folder = RunFolder::create(dir.path(), IfNotEmpty::Refuse, "").unwrap();
        let mut small = TextFile::create(&folder, "small.txt", Codec::Gzip).unwrap();
        let size = PipelineSize::of_workers(3);
        let frame = ("head\n", "tail");
        let mut large = ParallelTextFile::create(&folder, "large.txt", Codec::Gzip, size, frame, || Numbers).unwrap();
        small.text().extend_from_slice(b"head\n");
        for start in (0..100_000).step_by(1000) {
            Numbers.format(start..start + 1000, small.text());
            small.flush_full().unwrap();
            large.send(start..start + 1000).unwrap();
        }
        small.text().extend_from_slice(b"tail");
        assert_eq!(small.finish().unwrap().name, "small.txt.gz");
        assert_eq!(large.finish().unwrap().name, "large.txt.gz");
        let read = |name: &str| {
            let mut text = String::new();
            let file = std::fs::File::open(dir.path().join(name)).unwrap();
            flate2::read::GzDecoder::new(file).read_to_string(&mut text).unwrap();
            text
        };
        assert_eq!(read("small.txt.gz"), read("large.txt.gz"));
        assert!(read("large.txt.gz").ends_with("99999\ntail"));
    }
}
