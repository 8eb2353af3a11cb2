//! The message of a panic.

use std::any::Any;

/// Returns the message of a caught panic.
///
/// ```
/// let panic = std::panic::catch_unwind(|| panic!("block {} is bad", 3)).unwrap_err();
/// assert_eq!(throng_core::panic_text(panic.as_ref()), "block 3 is bad");
/// ```
pub fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("panic without a message").to_owned()
}
