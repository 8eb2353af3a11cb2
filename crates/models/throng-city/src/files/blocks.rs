//! Writes a large text in parallel: blocks are formatted and compressed on all threads and written in order.

use rayon::prelude::*;
use throng_output::{BlockEncoder, BlockStream, Codec, OutputError, RunFolder, WrittenFile};

/// Maximum number of blocks in memory.
const AHEAD: usize = 256;

/// Writes `head`, `blocks` blocks and `tail`. `format` appends the text of a block.
///
/// The blocks, and therefore the bytes of the file, do not depend on the number of threads.
pub(super) fn write(
    folder: &RunFolder,
    name: &str,
    codec: Codec,
    (head, tail): (&str, &str),
    blocks: usize,
    format: impl Fn(usize, &mut String) + Sync,
) -> Result<WrittenFile, OutputError> {
    let pending = folder.file(&format!("{name}{}", codec.suffix()))?;
    let target = pending.target().to_owned();
    let failed = |e: std::io::Error| OutputError::io("write", &target, e);
    let mut encoder = BlockEncoder::new(codec).map_err(failed)?;
    let mut stream = BlockStream::new(pending, codec).map_err(failed)?;
    stream.write_block(&encoder.encode(head.as_bytes()).map_err(failed)?).map_err(failed)?;
    for first in (0..blocks).step_by(AHEAD) {
        let packed: Vec<_> = (first..blocks.min(first + AHEAD))
            .into_par_iter()
            .map_init(
                || (BlockEncoder::new(codec), String::new()),
                |(encoder, text), block| {
                    text.clear();
                    format(block, text);
                    match encoder {
                        Ok(encoder) => encoder.encode(text.as_bytes()),
                        Err(e) => Err(std::io::Error::new(e.kind(), e.to_string())),
                    }
                },
            )
            .collect();
        for block in packed {
            stream.write_block(&block.map_err(failed)?).map_err(failed)?;
        }
    }
    stream.write_block(&encoder.encode(tail.as_bytes()).map_err(failed)?).map_err(failed)?;
    stream.finish().map_err(failed)?.complete()
}
