//! The tables of the thesis, parsed from a file.

use super::cases::Case;
use super::program::Program;
use throng_fields::InputError;

/// Means in milliseconds per case, on an i7-920 and a GTX 660.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Published {
    /// Published figures, by case.
    pub rows: Vec<PublishedRow>,
}

/// The times of the five programs in a case.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PublishedRow {
    /// Parameters of the case.
    pub case: Case,
    /// Milliseconds, in the order of [`Program::PUBLISHED`].
    pub milliseconds: [f64; 5],
}

const COLUMNS: [&str; 8] = [
    "radius",
    "cpu_naive_ms",
    "cpu_mem_ms",
    "gpu_naive_ms",
    "gpu_coalesced_ms",
    "gpu_shared_ms",
    "resolution",
    "entities",
];

impl Published {
    /// The figures in the text of the thesis: the largest case of each radius.
    pub fn headline() -> Self {
        let row =
            |radius, milliseconds| PublishedRow { case: Case { radius, resolution: 2048, count: 2048 }, milliseconds };
        Self {
            rows: vec![
                row(15.0, [137_131.60, 2000.29, 324.64, 185.02, 106.66]),
                row(8.0, [135_648.60, 577.26, 324.68, 185.18, 106.80]),
                row(4.0, [131_486.43, 147.29, 325.06, 185.08, 106.82]),
            ],
        }
    }

    /// Parses a table with the comma-separated columns radius, `cpu_naive_ms`, `cpu_mem_ms`, `gpu_naive_ms`,
    /// `gpu_coalesced_ms`, `gpu_shared_ms`, resolution and entities.
    ///
    /// # Errors
    /// If a column is missing or a value is not a number above 0, with the line.
    pub fn parse(text: &str) -> Result<Self, InputError> {
        let mut lines = text.lines().enumerate();
        let header: Vec<&str> = lines.next().map_or("", |(_, line)| line).split(',').map(str::trim).collect();
        let mut places = [0; 8];
        for (place, column) in places.iter_mut().zip(COLUMNS) {
            *place = header.iter().position(|name| *name == column).ok_or_else(|| {
                InputError::one("line 1", header.join(","), format!("expected a column \"{column}\""))
            })?;
        }
        let mut rows = Vec::new();
        for (number, line) in lines.filter(|(_, line)| !line.trim().is_empty()) {
            let cells: Vec<&str> = line.split(',').map(str::trim).collect();
            let mut values = [0.0; 8];
            for ((value, &place), column) in values.iter_mut().zip(&places).zip(COLUMNS) {
                let cell = cells.get(place).copied().unwrap_or_default();
                *value =
                    cell.parse().ok().filter(|value: &f64| value.is_finite() && *value > 0.0).ok_or_else(|| {
                        InputError::one(format!("line {}, {column}", number + 1), cell, "expected a number above 0")
                    })?;
            }
            let [radius, a, b, c, d, e, resolution, count] = values;
            let case = Case { radius: radius as f32, resolution: resolution as u32, count: count as u32 };
            rows.push(PublishedRow { case, milliseconds: [a, b, c, d, e] });
        }
        Ok(Self { rows })
    }

    /// Mean time of a program in a case, milliseconds.
    pub fn milliseconds(&self, case: Case, program: Program) -> Option<f64> {
        let column = Program::PUBLISHED.iter().position(|&published| published == program)?;
        self.rows.iter().find(|row| row.case == case).map(|row| row.milliseconds[column])
    }

    /// Mean time of a program in a case, seconds.
    pub fn seconds(&self, case: Case, program: Program) -> Option<f64> {
        Some(self.milliseconds(case, program)? / 1e3)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "radius,cpu_naive_ms,cpu_mem_ms,gpu_naive_ms,gpu_coalesced_ms,gpu_shared_ms,resolution,entities
15,59.47,0.96,0.84,0.31,0.21,256,64
";

    #[test]
    fn a_table_is_read_by_its_column_names() {
        let table = Published::parse(TABLE).unwrap();
        let case = Case { radius: 15.0, resolution: 256, count: 64 };
        assert_eq!(table.seconds(case, Program::GpuShared), Some(0.21 / 1e3));
        assert_eq!(table.seconds(case, Program::OursOnDevice), None);
        assert_eq!(table.seconds(Case { count: 65, ..case }, Program::GpuShared), None);
    }

    #[test]
    fn invalid_tables_are_refused_with_line_and_column() {
        let error = |text: &str| Published::parse(text).unwrap_err();
        assert_eq!(error("").place(), "line 1");
        assert!(error(&TABLE.replace("entities", "n")).remedy().contains("\"entities\""));
        assert_eq!(error(&TABLE.replace("0.96", "x")).place(), "line 2, cpu_mem_ms");
        assert_eq!(error(&TABLE.replace(",256,64", ",256")).place(), "line 2, entities");
    }
}
