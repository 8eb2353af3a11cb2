//! The paper's times, which it gives only as ratios, in its text and the captions of its figures.

/// Maximum speed-up of the first GPU program over the CPU model.
pub const FIRST_AT_MOST: f64 = 30.8;
/// Range of most speed-ups of the first GPU program.
pub const FIRST_MOSTLY: (f64, f64) = (15.0, 25.0);
/// Maximum speed-up of the second GPU program over the CPU model: 700 x 700, density 0.5, 8-directional.
pub const SECOND_AT_MOST: f64 = 71.56;
/// Range of most speed-ups of the second GPU program.
pub const SECOND_MOSTLY: (f64, f64) = (45.0, 60.0);
/// Time of the first GPU program divided by the time of the second: minimum (1000 x 1000, density 0.9, 4-directional),
/// mean and maximum (100 x 100, density 0.7, uni-directional) of the 360 scenarios.
pub const FIRST_OVER_SECOND: [f64; 3] = [1.25, 4.44, 13.3];
