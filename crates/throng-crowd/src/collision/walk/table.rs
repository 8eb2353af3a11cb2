//! The table of all discs.

use throng_model::Failure;
use throng_output::csv::{Row, push_header};
use throng_output::{Codec, RunFolder, TextFile, WrittenFile};

use super::walkers::Walkers;

/// The name of the table.
pub const DISCS: &str = "discs.csv";

/// Writes a row for each disc: place, radius, and whether it moved as it wished in the last step.
pub fn write_discs(walkers: &Walkers, folder: &RunFolder) -> Result<WrittenFile, Failure> {
    let mut table = TextFile::create(folder, DISCS, Codec::None)?;
    push_header(table.text(), &["id", "x_m", "y_m", "radius_m", "accepted"]);
    let (lattice, radii) = (walkers.prepared.lattice, &walkers.prepared.scene.radii);
    let [xs, ys, _, refused] = &walkers.columns;
    for (disc, ((&x, &y), &refused)) in xs.iter().zip(ys).zip(refused).enumerate() {
        let mut row = Row::new(table.text());
        row.text(&walkers.prepared.id(disc)).decimal(lattice.metres(x), 5).decimal(lattice.metres(y), 5);
        row.decimal(lattice.metres(radii.of(disc)), 5).integer(i64::from(refused == 0)).end();
        table.flush_full()?;
    }
    Ok(table.finish()?)
}
