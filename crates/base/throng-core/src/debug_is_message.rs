//! `Debug` of errors.

/// Implements [`Debug`](std::fmt::Debug) for an error type: it prints the message, as [`Display`](std::fmt::Display)
/// does, because a `main` that returns the error prints it with `Debug`.
///
/// ```
/// #[derive(thiserror::Error)]
/// #[error("length is {0}\n    give a length above 0")]
/// struct BadLength(f64);
/// throng_core::debug_is_message!(BadLength);
///
/// assert_eq!(format!("{:?}", BadLength(-1.0)), "length is -1\n    give a length above 0");
/// ```
#[macro_export]
macro_rules! debug_is_message {
    ($error:ty) => {
        impl ::std::fmt::Debug for $error {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                ::std::fmt::Display::fmt(self, f)
            }
        }
    };
}
