//! Programs of published work, for comparison; apart from the library's own.

pub mod elmir;
