//! Writes the table of link volumes.

use throng_output::{Codec, OutputError, RunFolder, TextFile, WrittenFile, csv};

use throng_traffic_scenario::Network;
use throng_traffic_scenario::VolumeBin;

/// Writes `link_volumes.csv`: one row for each link and bin of `bin_s` seconds in which vehicles left it.
///
/// # Errors
/// If the file cannot be written.
pub fn write_link_volumes(
    network: &Network,
    bins: &[VolumeBin],
    bin_s: f64,
    folder: &RunFolder,
    codec: Codec,
) -> Result<WrittenFile, OutputError> {
    let mut file = TextFile::create(folder, "link_volumes.csv", codec)?;
    csv::push_header(file.text(), &["time_start", "time_start_s", "time_end", "time_end_s", "link", "volume"]);
    for VolumeBin { bin, vehicles } in bins {
        let (start, end) = (*bin as f64 * bin_s, (*bin + 1) as f64 * bin_s);
        for (link, &count) in vehicles.iter().enumerate().filter(|(_, count)| **count > 0) {
            let name = network.link_ids.name(link as u32);
            csv::Row::new(file.text())
                .time(start)
                .seconds(start)
                .time(end)
                .seconds(end)
                .text(name)
                .integer(i64::from(count))
                .end();
            file.flush_full()?;
        }
    }
    file.finish()
}
