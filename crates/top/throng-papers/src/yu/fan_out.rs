//! The paper's strength fan-outs, next to the fan-outs of Throng's sector maps.
//!
//! The paper prints its sector map for 7 x 7 only, and no known map gives all its fan-outs. Those of a given map are
//! counted by brute force ([`SectorMap::fan_out`](throng_pedestrians::SectorMap::fan_out)).

/// Columns and rows of the fields in table I.
pub const SIDES: [u32; 6] = [1, 3, 5, 7, 9, 11];

/// Table I: a row per number of columns (`wd`), with a fan-out per number of rows (`ht`).
pub const TABLE_I: [[u32; 6]; 6] = [
    [0, 1, 2, 3, 4, 5],
    [1, 1, 2, 5, 8, 11],
    [2, 3, 4, 6, 10, 14],
    [3, 6, 6, 6, 10, 14],
    [4, 8, 9, 10, 11, 15],
    [5, 11, 14, 15, 15, 15],
];

/// Table II: columns of a square field, its fan-out, and the memory of all caches for 2000 x 2000 space units in GiB,
/// which the paper calls GB.
pub const TABLE_II: [(u32, u32, f64); 6] =
    [(7, 6, 2.9), (21, 61, 29.1), (35, 164, 78.2), (49, 328, 156.4), (63, 535, 255.1), (77, 808, 385.3)];

/// Table II: bytes per space unit of the cache of recurrent fields, for the same fields.
pub const RECURRENT_BYTES: [u64; 6] = [192, 1952, 5248, 10496, 17120, 25856];

/// Number of a map's fan-outs that match the paper's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hits {
    /// Matches among the 36 of table I.
    pub table_1: usize,
    /// Sum of the absolute differences in table I.
    pub difference: u32,
    /// Matches among the 6 of table II.
    pub table_2: usize,
}

/// Compares fan-outs, given as a function of columns and rows of a field, with the paper's.
pub fn hits(fan_out: impl Fn(u32, u32) -> u32) -> Hits {
    let fan_out = &fan_out;
    let of_table_1 = SIDES.into_iter().zip(TABLE_I).flat_map(|(columns, row)| {
        SIDES.into_iter().zip(row).map(move |(rows, published)| fan_out(columns, rows).abs_diff(published))
    });
    let differences: Vec<u32> = of_table_1.collect();
    Hits {
        table_1: differences.iter().filter(|&&difference| difference == 0).count(),
        difference: differences.iter().sum(),
        table_2: TABLE_II.into_iter().filter(|&(side, published, _)| fan_out(side, side) == published).count(),
    }
}

#[cfg(test)]
mod tests {
    use throng_pedestrians::SectorMap;

    use super::*;

    /// Compares with counts from independent code, a numerical search for the paper's map.
    #[test]
    fn hits_match_an_independent_count() {
        let [exact, seed7, skew] = SectorMap::ALL.map(|map| hits(|columns, rows| map.fan_out(columns, rows)));
        assert_eq!((exact.table_1, exact.difference, exact.table_2), (19, 20, 0));
        assert_eq!((skew.table_1, skew.difference, skew.table_2), (24, 12, 1));
        assert_eq!(seed7.table_2, 1);
    }
}
