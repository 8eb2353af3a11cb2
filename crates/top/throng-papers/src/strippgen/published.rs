//! The paper's figures.

/// A row of the paper's table 2: a program and its real-time factors.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Published {
    /// Program and machine.
    pub name: &'static str,
    /// The name, abbreviated for a legend.
    pub short: &'static str,
    /// Pairs of a percentage of the population and simulated seconds per second.
    pub real_time_factors: [(f64, f64); 4],
}

/// Table 2. The speed-ups of figures 5 to 7 are relative to the first row.
pub const TABLE_2: [Published; 3] = [
    row("Java, Pentium 2.2 GHz", "Java 2009", [462.0, 308.0, 181.0, 108.0]),
    row("GeForce 8600 GT", "8600 GT 2009", [1419.0, 1077.0, 816.0, 585.0]),
    GTX_280,
];

/// The fastest row of table 2.
pub(super) const GTX_280: Published = row("GeForce GTX 280", "GTX 280 2009", [16_383.0, 12_892.0, 9695.0, 6699.0]);

const fn row(name: &'static str, short: &'static str, [ten, quarter, half, all]: [f64; 4]) -> Published {
    Published { name, short, real_time_factors: [(10.0, ten), (25.0, quarter), (50.0, half), (100.0, all)] }
}

impl Published {
    /// The factor for a sample of the paper, given in percent.
    pub fn at(&self, percent: f64) -> Option<f64> {
        self.real_time_factors.iter().find(|(at, _)| *at == percent).map(|(_, factor)| *factor)
    }
}
