//! Files as other programs read them.

mod exhaustive;
