//! Gzip files with several members, or with trailing zeros.

use std::io::{self, BufRead, Read};

use flate2::bufread::GzDecoder;

/// First byte of a member.
const MAGIC: u8 = 0x1f;

/// Decompresses all members of a gzip file. Zeros after a complete member are skipped, because tapes and some storage
/// systems fill their blocks with them; anything else is an error.
#[derive(Debug)]
pub(super) struct Members<R> {
    // `None` at the end of the file.
    member: Option<GzDecoder<R>>,
}

impl<R: BufRead> Members<R> {
    pub(super) fn new(packed: R) -> Self {
        Self { member: Some(GzDecoder::new(packed)) }
    }

    /// Returns the next member, if any.
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
                Some(&byte) if byte != MAGIC => {
                    return Err(io::Error::new(io::ErrorKind::InvalidData, "data after its end"));
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
