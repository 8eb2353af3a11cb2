//! Allocations that the system may refuse.

use crate::InputError;

/// Allocations below this size, in bytes, are not checked; they rarely fail, because Linux allocates on first use.
const MIN_CHECKED_BYTES: usize = 1 << 26;

/// Checks that memory for `count` values is available by allocating and freeing it. A refusal of the system becomes an
/// error, where a failed vector allocation would abort the program. `what` names the data that need the memory.
///
/// # Errors
/// If the system refuses the memory; the message states the bytes.
pub fn check_allocation<T>(what: &str, count: usize) -> Result<(), InputError> {
    let bytes = count.saturating_mul(size_of::<T>());
    if bytes < MIN_CHECKED_BYTES {
        return Ok(());
    }
    let mut probe = Vec::<T>::new();
    let reserved = probe.try_reserve_exact(count);
    // The compiler may remove an allocation that is never read.
    std::hint::black_box(&probe);
    reserved.map_err(|_| refused(what, bytes, count))
}

/// Reserves space for `more` values in a vector whose final length is unknown. A refusal of the system becomes an
/// error.
///
/// # Errors
/// If the system refuses the memory; the message states the bytes.
pub fn try_reserve<T>(what: &str, values: &mut Vec<T>, more: usize) -> Result<(), InputError> {
    // First with amortised growth, so that values rarely move; if that fails, exactly the required space.
    let reserved = values.try_reserve(more).or_else(|_| values.try_reserve_exact(more));
    let count = values.len().saturating_add(more);
    reserved.map_err(|_| refused(what, count.saturating_mul(size_of::<T>()), count))
}

fn refused(what: &str, bytes: usize, count: usize) -> InputError {
    let remedy = "the system has no more memory: use fewer or larger cells, or fewer agents";
    InputError::out_of_memory(format!("{what}, memory"), format!("{bytes} bytes for {count} elements"), remedy)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::InputErrorKind;

    #[test]
    fn impossible_allocations_are_errors() {
        assert!(
            check_allocation::<f32>("cells", 1000).is_ok()
                && check_allocation::<f32>("cells", MIN_CHECKED_BYTES).is_ok()
        );
        let error = check_allocation::<f32>("cells of a field", 1 << 50).unwrap_err();
        assert_eq!((error.place(), error.kind()), ("cells of a field, memory", InputErrorKind::OutOfMemory));
        assert_eq!(error.message(), "4503599627370496 bytes for 1125899906842624 elements");
        assert!(check_allocation::<[f64; 2]>("cells", usize::MAX).is_err());
        let mut values = vec![7u8];
        assert_eq!(try_reserve("numbers", &mut values, 1 << 60).unwrap_err().place(), "numbers, memory");
        try_reserve("numbers", &mut values, 100).unwrap();
        assert!(values == [7] && values.capacity() >= 101);
    }
}
