//! Time-dependent least-cost paths.
