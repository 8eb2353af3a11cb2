//! A city as a folder: network, plans, configuration, map image, README.

mod blocks;
mod config;
mod counts;
mod picture;
mod plans;
mod readme;
mod transit;

use throng_core::{NoProgress, Warnings};
use throng_output::{Codec, OutputError, RunFolder, TextFile, WrittenFile};

use super::City;
use throng_matsim::cache::origin::Origin;
use throng_matsim::cache::{CACHE_NAME, write_cache};
use throng_matsim::config::from_reader;
use throng_matsim::formats::network_writer::{NetworkVersion, write_network};
use throng_matsim::load::load_scenario;
use throng_model::Failure;

const CONFIG_NAME: &str = "config.xml";

/// All names that the files of a city may have, before compression suffixes. The config comes first, because the other
/// files cannot be run without it.
pub const FILE_NAMES: [&str; 9] = [
    CONFIG_NAME,
    "network.xml",
    "plans.xml",
    "transitSchedule.xml",
    "transitVehicles.xml",
    counts::NAME,
    CACHE_NAME,
    "city.svg",
    "README.md",
];

/// The large files of a city to write. The small files are always written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CityFiles {
    /// Network and plans in MATSim's formats.
    Matsim,
    /// Network and plans, and the scenario cache.
    #[default]
    All,
    /// The network and the scenario cache. The plans of a country are 15 GB of compressed XML that no program needs to
    /// read.
    CacheOnly,
}

/// Writes a city to `folder`: `network.xml` and `plans.xml` (both compressed with `codec`), `config.xml`, `city.svg`,
/// `README.md` and the scenario cache, as far as `what` selects them; with lines also `transitSchedule.xml` and
/// `transitVehicles.xml`, with counts also `counts.xml`. With plans, `throng run FOLDER/config.xml` and MATSim can run
/// it; a run with `throng.scenarioCache` reads the cache instead. The config is written last: it exists only if all
/// files that it names do.
///
/// # Errors
/// If a file cannot be written, or be read for the cache, the ids of the vehicles take too much memory, or the day to
/// count cannot be simulated.
pub fn write_city(city: City, folder: &RunFolder, codec: Codec, what: CityFiles) -> Result<Vec<WrittenFile>, Failure> {
    let plans = what != CityFiles::CacheOnly;
    let mut network = TextFile::create(folder, "network.xml", codec)?;
    write_network(&city.network, &city.modes, NetworkVersion::V2, network.text())
        .map_err(|e| OutputError::io("format", folder.path(), e))?;
    let mut files = vec![network.finish()?];
    if plans {
        files.push(plans::write(&city, folder, codec)?);
    }
    if !city.lines.routes.is_empty() {
        files.extend(transit::write(&city, folder, codec)?);
    }
    files.push(folder.write("city.svg", picture::svg(&city.network, &city.classes).as_bytes())?);
    files.push(folder.write("README.md", readme::text(&city, codec, what).as_bytes())?);
    let stations = counts::stations(&city);
    let config = config::text(&city, codec, plans);
    if what != CityFiles::Matsim || !stations.is_empty() {
        files.extend(of_loaded(city, &stations, folder, &config, what)?);
    }
    files.push(folder.write(CONFIG_NAME, config.as_bytes())?);
    Ok(files)
}

/// Writes the files that are made from the scenario that a run of `config` would load: counts and cache. All other
/// files that the config names must exist.
fn of_loaded(
    city: City,
    stations: &[counts::Station],
    folder: &RunFolder,
    config: &str,
    what: CityFiles,
) -> Result<Vec<WrittenFile>, Failure> {
    let mut files = Vec::new();
    let path = folder.path().join(folder.file_name(CONFIG_NAME));
    let settings = from_reader(config.as_bytes(), &path, &[])?.settings;
    let origin = Origin::of(&settings)?;
    let options = city.options.clone();
    // Connections in public transport are found when the plans are read. Warnings of that are not kept: plans without
    // routes are no mistake here.
    let scenario = if city.lines.routes.is_empty() {
        city.into_scenario(settings)?
    } else {
        load_scenario(settings, &mut Warnings::new(), &NoProgress)?
    };
    if !stations.is_empty() {
        files.push(folder.write(counts::NAME, counts::text(&options, &scenario, stations)?.as_bytes())?);
    }
    if what != CityFiles::Matsim {
        files.push(write_cache(&scenario, &origin, &Warnings::new(), folder.file(CACHE_NAME)?)?);
    }
    Ok(files)
}
