//! Primitives, rules and neighbours on every backend, and the code of the book.

#[cfg(feature = "gpu")]
mod backends;
#[cfg(feature = "gpu")]
mod book;
#[cfg(feature = "gpu")]
mod checks;
#[cfg(feature = "gpu")]
mod kernel_panics;
mod neighbours;
#[cfg(feature = "gpu")]
mod rules;
mod sources;
mod world;
