//! A city as a folder: network, plans, configuration, picture, README.

mod blocks;
mod config;
mod picture;
mod plans;
mod readme;

use throng_output::{Codec, OutputError, RunFolder, TextFile, WrittenFile};

use super::City;
use crate::matsim::network_writer::{NetworkVersion, write_network};

/// Writes a city into `folder`: `network.xml`, `plans.xml` (both packed by `codec`), `config.xml`, `city.svg` and
/// `README.md`. `throng run FOLDER/config.xml` runs it, and so does MATSim.
///
/// # Errors
/// When a file cannot be written.
pub fn write_city(city: &City, folder: &RunFolder, codec: Codec) -> Result<Vec<WrittenFile>, OutputError> {
    let mut network = TextFile::create(folder, "network.xml", codec)?;
    write_network(&city.network, &city.modes, NetworkVersion::V2, network.text())
        .map_err(|e| OutputError::io("format", folder.path(), e))?;
    Ok(vec![
        network.finish()?,
        plans::write(city, folder, codec)?,
        folder.write("config.xml", config::text(city, codec).as_bytes())?,
        folder.write("city.svg", picture::svg(&city.network, &city.classes).as_bytes())?,
        folder.write("README.md", readme::text(city, codec).as_bytes())?,
    ])
}
