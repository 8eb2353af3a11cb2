//! The plans that persons remember, with their scores.
