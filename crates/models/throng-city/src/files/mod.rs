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
use throng_matsim::config::from_file;
use throng_matsim::formats::network_writer::{NetworkVersion, write_network};
use throng_matsim::load::load_scenario;
use throng_model::Failure;

/// All names that the files of a city may have, before compression suffixes. The config comes first, because the other
/// files cannot be run without it.
pub const FILE_NAMES: [&str; 9] = [
    "config.xml",
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
/// it; a run with `throng.scenarioCache` reads the cache instead.
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
    // The config is written after all files that it names, except the counts of a day with that config.
    files.push(folder.write("config.xml", config::text(&city, codec, plans).as_bytes())?);
    if what == CityFiles::Matsim && stations.is_empty() {
        return Ok(files);
    }
    // The scenario that a run of the folder would load: the files that the config names exist by now.
    let settings = from_file(&folder.path().join(folder.file_name("config.xml")))?.settings;
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
        files.push(folder.write(counts::NAME, counts::text(&options, &scenario, &stations)?.as_bytes())?);
    }
    if what != CityFiles::Matsim {
        files.push(write_cache(&scenario, &origin, &Warnings::new(), folder.file(CACHE_NAME)?)?);
    }
    Ok(files)
}
