//! A limit on the length of a token, and a quick scan of its bytes for illegal characters.

use std::io::{self, BufRead, Read};

use super::characters::may_be_illegal;

/// Maximum length of a tag, text or comment, in bytes. A file of another kind may have gigabytes without a `>`.
pub(super) const MAX_TOKEN_BYTES: usize = 64 << 20;

pub(super) const TOO_LONG: &str = "a tag or text longer than 64 MiB: this is not a MATSim file";

/// Limits the length of a token. Blocks are searched for illegal characters as a whole, because a search per token
/// takes several times as long.
#[derive(Debug)]
pub(super) struct Limited<R> {
    input: R,
    token_remaining: usize,
    /// Number of remaining bytes of the current block.
    block_remaining: usize,
    /// Whether the current block may contain illegal characters.
    suspicious_block: bool,
    suspicious_token: bool,
}

impl<R> Limited<R> {
    pub(super) fn new(input: R) -> Self {
        Self {
            input,
            token_remaining: MAX_TOKEN_BYTES,
            block_remaining: 0,
            suspicious_block: false,
            suspicious_token: false,
        }
    }

    pub(super) fn into_inner(self) -> R {
        self.input
    }

    pub(super) fn get_mut(&mut self) -> &mut R {
        &mut self.input
    }

    pub(super) fn get_ref(&self) -> &R {
        &self.input
    }

    /// Starts a new token.
    pub(super) fn begin_token(&mut self) {
        self.token_remaining = MAX_TOKEN_BYTES;
        self.suspicious_token = self.suspicious_block;
    }

    /// Whether the most recent token may contain illegal characters.
    pub(super) fn is_suspicious(&self) -> bool {
        self.suspicious_token
    }
}

impl<R: BufRead> BufRead for Limited<R> {
    #[inline]
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.token_remaining == 0 {
            return Err(io::Error::new(io::ErrorKind::InvalidData, TOO_LONG));
        }
        let block = self.input.fill_buf()?;
        if self.block_remaining == 0 {
            self.block_remaining = block.len();
            self.suspicious_block = may_be_illegal(block);
            self.suspicious_token |= self.suspicious_block;
        }
        Ok(block)
    }

    #[inline]
    fn consume(&mut self, amount: usize) {
        self.token_remaining = self.token_remaining.saturating_sub(amount);
        self.block_remaining = self.block_remaining.saturating_sub(amount);
        self.input.consume(amount);
    }
}

impl<R: BufRead> Read for Limited<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        self.input.read(out)
    }
}
