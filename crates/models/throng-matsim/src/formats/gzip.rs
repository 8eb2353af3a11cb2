//! Gzip files of several members, and with zeros after the last one.

use std::io::{self, BufRead, Read};

use flate2::bufread::GzDecoder;

/// Decompresses all members of a gzip file. Zeros after a complete member, with which tapes and some storage fill their
/// blocks, are skipped; anything else is damage.
#[derive(Debug)]
pub(super) struct Members<R> {
    // `None` at the end.
    member: Option<GzDecoder<R>>,
}

impl<R: BufRead> Members<R> {
    pub(super) fn new(packed: R) -> Self {
        Self { member: Some(GzDecoder::new(packed)) }
    }

    /// The next member, if there is one.
    fn next(mut packed: R) -> io::Result<Option<GzDecoder<R>>> {
        let mut padded = false;
        loop {
            let start = packed.fill_buf()?;
            let zeros = start.iter().take_while(|&&byte| byte == 0).count();
            match start.get(zeros) {
                None if start.is_empty() => return Ok(None),
                None => {
                    padded = true;
                    packed.consume(zeros);
                }
                Some(_) if padded || zeros > 0 => {
                    return Err(io::Error::new(io::ErrorKind::InvalidData, "data after the zeros at its end"));
                }
                Some(_) => return Ok(Some(GzDecoder::new(packed))),
            }
        }
    }
}

impl<R: BufRead> Read for Members<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if out.is_empty() {
            return Ok(0);
        }
        while let Some(member) = &mut self.member {
            let read = member.read(out)?;
            if read > 0 {
                return Ok(read);
            }
            self.member = self.member.take().map_or(Ok(None), |member| Self::next(member.into_inner()))?;
        }
        Ok(0)
    }
}
