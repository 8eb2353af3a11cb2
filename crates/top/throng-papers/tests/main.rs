//! Experiments of the papers at a small size.

mod elmir;
mod vigueras;
mod yu;
