//! Figures of the published program: one run of each scenario with seed 1, 24 agents, 24 resources and menus of six.

/// Figures of the program on a day.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Published {
    /// The day, from 1.
    pub day: u32,
    /// Figures in the order of [`Figure`](super::Figure); `None` if unknown.
    pub figures: [Option<f64>; 6],
}

/// Figures of a society without devices.
const fn by_hand(day: u32, units: f64, utility: Option<f64>) -> Published {
    Published { day, figures: [Some(units), utility, None, None, None, None] }
}

/// Figures of a society with devices.
const fn with_devices(day: u32, units: f64, utility: f64, gini: Option<f64>, complexity: f64, tools: f64) -> Published {
    Published { day, figures: [Some(units), Some(utility), gini, Some(complexity), None, Some(tools)] }
}

/// Figures without trade and devices.
pub const ALONE: [Published; 7] = [
    by_hand(1, 67.0, Some(21_649.0)),
    by_hand(10, 68.0, None),
    by_hand(20, 68.75, None),
    by_hand(50, 79.6, None),
    by_hand(100, 155.8, Some(56_364.0)),
    by_hand(150, 199.7, None),
    by_hand(200, 200.0, Some(64_053.0)),
];

/// Figures with trade.
pub const TRADE: [Published; 7] = [
    by_hand(10, 68.0, Some(39_600.0)),
    by_hand(20, 69.0, Some(41_465.0)),
    by_hand(50, 86.9, Some(44_563.0)),
    by_hand(75, 190.6, Some(60_580.0)),
    by_hand(100, 198.8, Some(62_948.0)),
    by_hand(150, 199.0, Some(63_176.0)),
    by_hand(200, 199.1, Some(62_818.0)),
];

/// Figures with trade and tools.
pub const TOOLS: [Published; 7] = [
    with_devices(10, 68.0, 39_620.0, Some(0.008), 0.0, 0.0),
    with_devices(20, 116.9, 41_770.0, Some(0.012), 3.66, 2.8),
    with_devices(50, 216.2, 54_267.0, Some(0.029), 4.74, 5.4),
    with_devices(75, 330.0, 67_492.0, Some(0.021), 4.93, 5.8),
    with_devices(100, 383.0, 75_292.0, Some(0.014), 4.98, 5.7),
    with_devices(150, 483.6, 86_272.0, Some(0.0075), 5.0, 5.5),
    with_devices(200, 496.2, 88_543.0, None, 5.0, 5.9),
];

/// Figures with trade and all devices that extract.
pub const EXTRACTING: [Published; 8] = [
    with_devices(1, 67.0, 21_649.0, None, 0.0, 0.0),
    with_devices(10, 68.0, 39_620.0, Some(0.008), 0.0, 0.0),
    with_devices(20, 115.0, 41_455.0, Some(0.008), 3.88, 4.21),
    with_devices(30, 134.1, 45_186.0, Some(0.009), 4.27, 4.54),
    with_devices(50, 345.7, 58_192.0, Some(0.063), 18.63, 6.62),
    with_devices(75, 631.3, 84_570.0, Some(0.075), 23.5, 8.83),
    with_devices(100, 956.9, 106_764.0, Some(0.042), 31.3, 10.04),
    with_devices(119, 1_412.8, 120_976.0, Some(0.043), 73.87, 9.62),
];

#[cfg(test)]
mod tests {
    use super::super::reproduce::Figure;
    use super::super::scenarios::Scenario;

    #[test]
    fn published_days_are_sorted_and_figures_complete() {
        for scenario in Scenario::ALL {
            let published = scenario.published();
            assert!(published.is_sorted_by(|a, b| a.day < b.day), "{}", scenario.name());
            let known = |figure: Figure| published.iter().filter_map(|row| figure.published(row)).count();
            let of_devices = if matches!(scenario, Scenario::Alone | Scenario::Trade) { 0 } else { published.len() };
            assert_eq!((known(Figure::Complexity), known(Figure::Tools)), (of_devices, of_devices));
            let utilities = if scenario == Scenario::Alone { 3 } else { published.len() };
            assert_eq!(known(Figure::Utility), utilities);
            assert_eq!(known(Figure::Gini), of_devices.saturating_sub(1));
        }
        let last = Scenario::ALL.map(|scenario| scenario.published().iter().map(|row| row.day).max());
        assert_eq!(last, [200, 200, 200, 119].map(Some));
    }
}
