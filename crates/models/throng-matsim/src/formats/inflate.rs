//! Decompression on a second thread, so that inflating and parsing overlap.

use std::io::{self, Read};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread::JoinHandle;

use throng_core::NoThread;

use super::open::BLOCK;

/// Maximum number of blocks queued between the threads: enough to bridge a slow block, few enough to stay in the cache.
const QUEUE: usize = 4;

/// A stream of decompressed blocks from another thread.
#[derive(Debug)]
pub(super) struct Inflater {
    // `None` after the end or an error, and while dropping: closing the channel ends the thread.
    blocks: Option<Receiver<io::Result<Vec<u8>>>>,
    used: Sender<Vec<u8>>,
    thread: Option<JoinHandle<()>>,
}

impl Inflater {
    /// Starts reading `decoder` on a separate thread.
    pub(super) fn start(decoder: impl Read + Send + 'static) -> Result<Self, NoThread> {
        let (full, blocks) = sync_channel(QUEUE);
        let (used, empty) = channel();
        let thread = throng_core::spawn("inflate", move || inflate(decoder, &full, &empty))?;
        Ok(Self { blocks: Some(blocks), used, thread: Some(thread) })
    }

    /// Exchanges a used block for the next full one; an empty block means the end.
    pub(super) fn exchange(&mut self, block: &mut Vec<u8>) -> io::Result<()> {
        let next = match &self.blocks {
            Some(blocks) => blocks.recv(),
            None => return Ok(()),
        };
        // A thread that ends without sending an empty block has panicked, which must not look like the end of the file.
        let next = next.map_err(|_| io::Error::other("the decompression stopped unexpectedly"))?;
        let next = next.inspect_err(|_| self.blocks = None)?;
        if next.is_empty() {
            self.blocks = None;
        }
        // The thread may have ended already; the block is then not needed.
        let _ = self.used.send(std::mem::replace(block, next));
        Ok(())
    }
}

impl Drop for Inflater {
    fn drop(&mut self) {
        self.blocks = None;
        if let Some(thread) = self.thread.take() {
            // `exchange` reports a panic of that thread.
            let _ = thread.join();
        }
    }
}

fn inflate(mut decoder: impl Read, full: &SyncSender<io::Result<Vec<u8>>>, empty: &Receiver<Vec<u8>>) {
    loop {
        let mut block = empty.try_recv().unwrap_or_default();
        block.resize(BLOCK, 0);
        let (len, failed) = fill(&mut decoder, &mut block);
        block.truncate(len);
        // Text before the failure is passed on, so that the error can give the line where the file breaks off.
        let last = len == 0;
        if (len > 0 || failed.is_none()) && full.send(Ok(block)).is_err() {
            return;
        }
        if let Some(error) = failed {
            let _ = full.send(Err(error));
            return;
        }
        if last {
            return;
        }
    }
}

fn fill(decoder: &mut impl Read, block: &mut [u8]) -> (usize, Option<io::Error>) {
    let mut len = 0;
    while len < block.len() {
        match decoder.read(&mut block[len..]) {
            Ok(0) => break,
            Ok(read) => len += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return (len, Some(explained(&error))),
        }
    }
    (len, None)
}

/// Error message of the zstd library for a window above the limit.
const TOO_MUCH_MEMORY: &str = "Frame requires too much memory";
/// Error message of the zstd library if the system cannot provide the memory for a window.
const NO_MEMORY: &str = "not enough memory";

fn explained(error: &io::Error) -> io::Error {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => {
            io::Error::new(io::ErrorKind::UnexpectedEof, "the compressed file is truncated")
        }
        _ if error.to_string().contains(TOO_MUCH_MEMORY) => {
            io::Error::new(io::ErrorKind::Unsupported, "decompressing this file takes a window of more than 2 GiB")
        }
        _ if error.to_string().contains(NO_MEMORY) => {
            io::Error::new(io::ErrorKind::OutOfMemory, "the system refused the memory for decompressing this file")
        }
        io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData | io::ErrorKind::Other => {
            io::Error::new(io::ErrorKind::InvalidData, format!("the compressed data is damaged ({error})"))
        }
        kind => io::Error::new(kind, error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn allocation_failures_are_distinguished_from_damage() {
        let refused = explained(&io::Error::other("Allocation error : not enough memory"));
        assert_eq!(refused.kind(), io::ErrorKind::OutOfMemory);
        assert_eq!(explained(&io::Error::other("Corrupted block")).kind(), io::ErrorKind::InvalidData);
    }

    #[test]
    fn a_reader_that_is_dropped_early_ends_the_thread() {
        let mut inflater = Inflater::start(io::repeat(b'x')).unwrap();
        let mut block = Vec::new();
        inflater.exchange(&mut block).unwrap();
        assert_eq!(block.len(), BLOCK);
        drop(inflater); // Joins the thread: hangs if it does not end.
    }

    #[test]
    fn a_panic_in_the_thread_is_an_error() {
        struct Bomb;
        impl Read for Bomb {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                std::panic::resume_unwind(Box::new("quiet panic"))
            }
        }
        let error = Inflater::start(Bomb).unwrap().exchange(&mut Vec::new()).unwrap_err();
        assert!(error.to_string().contains("stopped unexpectedly"), "{error}");
    }
}
