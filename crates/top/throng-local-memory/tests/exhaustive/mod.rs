//! Tests that are too slow for the quick tests: rewritten kernels on an OpenCL device.

mod execution;
