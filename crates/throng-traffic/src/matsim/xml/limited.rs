//! A bound on the length of one token.

use std::io::{self, BufRead, Read};

/// The most bytes of one tag, text or comment. A file of another kind may hold gigabytes without a `>`.
pub(super) const LONGEST_TOKEN: usize = 64 << 20;

pub(super) const TOO_LONG: &str = "a tag or text longer than 64 MiB: this is no file of MATSim";

/// Bounds the bytes of one token.
#[derive(Debug)]
pub(super) struct Limited<R> {
    input: R,
    left: usize,
}

impl<R> Limited<R> {
    pub(super) fn new(input: R) -> Self {
        Self { input, left: LONGEST_TOKEN }
    }

    /// A new token begins.
    pub(super) fn begin_token(&mut self) {
        self.left = LONGEST_TOKEN;
    }
}

impl<R: BufRead> BufRead for Limited<R> {
    #[inline]
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.left == 0 {
            return Err(io::Error::new(io::ErrorKind::InvalidData, TOO_LONG));
        }
        self.input.fill_buf()
    }

    #[inline]
    fn consume(&mut self, amount: usize) {
        self.left = self.left.saturating_sub(amount);
        self.input.consume(amount);
    }
}

impl<R: BufRead> Read for Limited<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        self.input.read(out)
    }
}
