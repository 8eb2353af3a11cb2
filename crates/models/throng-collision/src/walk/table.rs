//! The table of all discs.

use throng_model::Failure;
use throng_output::csv::{Row, push_header};
use throng_output::{Codec, RunFolder, TextFile, WrittenFile};

use super::walkers::Walkers;

/// The name of the table.
pub const DISCS: &str = "discs.csv";

/// Writes a row per disc: position, radius, and whether its wish was granted in the last step. Read as a file of discs,
/// the table reproduces the same positions and radii, unless radii are less than 3 micrometres: numbers have at most 9
/// decimals.
pub fn write_discs(walkers: &Walkers, folder: &RunFolder) -> Result<WrittenFile, Failure> {
    let mut table = TextFile::create(folder, DISCS, Codec::None)?;
    push_header(table.text(), &["id", "x_m", "y_m", "radius_m", "accepted"]);
    let (lattice, radii) = (walkers.prepared.lattice, &walkers.prepared.scene.radii);
    let [xs, ys, _, refused] = &walkers.columns;
    let digits = lattice.digits();
    for (disc, ((&x, &y), &refused)) in xs.iter().zip(ys).zip(refused).enumerate() {
        let mut row = Row::new(table.text());
        row.text(&walkers.prepared.id(disc));
        for length in [x, y, radii.of(disc)] {
            row.decimal(lattice.metres(length), digits as u32);
        }
        row.integer(i64::from(refused == 0)).end();
        table.flush_full()?;
    }
    Ok(table.finish()?)
}
