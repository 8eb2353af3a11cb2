//! The paper's results. It used an Intel Core i7-3770K for the sequential program and OpenCL on the CPU, and an AMD
//! Radeon 7970.

use super::method::Method;

/// Seconds per move: depth, sequential, OpenCL on the CPU, OpenCL on the GPU.
pub const SECONDS: [(u32, f64, f64, f64); 10] = [
    (4, 0.000_068, 0.000_656, 0.000_919),
    (5, 0.000_343, 0.008_957, 0.000_907),
    (6, 0.001_658, 0.004_544, 0.001_054),
    (7, 0.008_301, 0.023_702, 0.001_382),
    (8, 0.040_561, 0.102_351, 0.005_487),
    (9, 0.203_477, 0.516_266, 0.021_644),
    (10, 0.980_497, 2.612_65, 0.1048),
    (11, 4.801_43, 11.0873, 0.438_745),
    (12, 23.4349, 60.0211, 2.235_96),
    (13, 113.512, 231.792, 9.416_22),
];

/// Seconds per move at depth 13, by the number of moves in the first two layers; tiles take the other four levels.
pub const SPLITS: [(u32, u32, f64); 5] = [(0, 10, 9.40), (1, 9, 11.05), (2, 8, 10.62), (3, 7, 11.70), (4, 6, 14.09)];

/// The depth of [`SPLITS`].
pub const SPLIT_DEPTH: u32 = 13;

/// Published seconds per move of a program.
pub fn seconds(depth: u32, method: Method) -> Option<f64> {
    let (_, sequential, cpu, gpu) = SECONDS.into_iter().find(|row| row.0 == depth)?;
    let column = Method::PUBLISHED.into_iter().position(|published| published == method)?;
    Some([sequential, cpu, gpu][column])
}
