//! The limit on the number of threads, and the label of the CPU.

use throng_core::InputError;

/// Maximum number of threads that can be requested.
pub const MAX_THREADS: usize = 1024;

/// Checks that the number of threads is in the valid range.
///
/// # Errors
/// When it is 0 or more than [`MAX_THREADS`].
pub fn check_threads(threads: usize) -> Result<(), InputError> {
    if (1..=MAX_THREADS).contains(&threads) {
        return Ok(());
    }
    let remedy = format!("give a whole number from 1 to {MAX_THREADS}, or leave it out");
    Err(InputError::one("--threads", threads.to_string(), remedy))
}

/// Describes the CPU with this number of threads.
pub fn cpu_label(threads: usize) -> String {
    if threads == 1 { "cpu, 1 thread".to_owned() } else { format!("cpu, {threads} threads") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_threads_is_limited() {
        assert!([0, 1025].into_iter().all(|threads| check_threads(threads).is_err()));
        assert!([1, 1024].into_iter().all(|threads| check_threads(threads).is_ok()));
    }
}
