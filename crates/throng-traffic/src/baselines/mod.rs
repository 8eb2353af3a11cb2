//! Models of papers, kept as they were for comparison. The model that one uses is in [`crate::rules`].

pub mod strippgen;
