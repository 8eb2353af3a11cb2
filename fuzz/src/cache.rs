//! Scenario caches: an accepted cache is written again and read back with equal sizes. Checksums are corrected, so that
//! changed bytes reach the validation of values.

use std::path::Path;

use throng_core::{NoProgress, Warnings, checksum};
use throng_matsim::cache::origin::Origin;
use throng_matsim::cache::{read_cache, write_cache};
use throng_output::PendingFile;
use throng_traffic_scenario::Scenario;
use throng_traffic_scenario::settings::Settings;

use super::scratch;

/// Bytes of the head and of the foot. The foot holds offset, length and checksum of the directory, and the end marker.
const HEAD: usize = 16;
const FOOT: usize = 32;

/// Tries one input, unchanged and with corrected checksums.
pub fn check(data: &[u8]) -> bool {
    let repaired = repaired(data).unwrap_or_default();
    let (folder, paths) = scratch::files([data, &repaired]);
    let mut accepted = false;
    for path in &paths {
        let Some(scenario) = read(path) else { continue };
        let again = folder.path().join("again");
        let origin = Origin::of(&Settings::default()).expect("the default settings name no files");
        let file = PendingFile::create(&again).expect("the folder was made for this");
        write_cache(&scenario, &origin, &Warnings::new(), file).expect("there is room for a small file");
        let again = read(&again).expect("it was written here");
        let sizes = |scenario: &Scenario| {
            let population = &scenario.population;
            (scenario.network.links(), population.persons(), population.legs.mode.len(), population.route_links.len())
        };
        assert_eq!(sizes(&again), sizes(&scenario));
        accepted = true;
    }
    accepted
}

fn read(path: &Path) -> Option<Scenario> {
    let mut settings = Settings::default();
    settings.files.scenario_cache = Some(path.to_owned());
    read_cache(settings, &mut Warnings::new(), &NoProgress).ok()
}

/// Returns the file with correct checksums of its blocks and its directory; `None` if it has no directory.
fn repaired(data: &[u8]) -> Option<Vec<u8>> {
    let mut file = data.to_vec();
    let foot = file.len().checked_sub(FOOT)?;
    let offset = usize::try_from(number(&file, foot)?).ok().filter(|offset| (HEAD..=foot).contains(offset))?;
    // Limited to the bytes before the foot, whatever the columns of the directory claim.
    let _ = repair_blocks(&mut file[..foot], offset);
    let sum = checksum::of_bytes(&file[offset..foot]);
    file[foot + 16..foot + 24].copy_from_slice(&sum.to_le_bytes());
    Some(file)
}

/// Corrects the checksums in the directory; `None` if it ends too early.
fn repair_blocks(file: &mut [u8], directory: usize) -> Option<()> {
    let word = |file: &[u8], at: usize| Some(u32::from_le_bytes(file.get(at..at + 4)?.try_into().ok()?));
    let (mut at, mut block) = (directory + 4, HEAD);
    for _ in 0..word(file, directory)? {
        // Length of the name, the name, and the number of values.
        at += 1 + usize::from(*file.get(at)?) + 8;
        let blocks = word(file, at)?;
        at += 4;
        for _ in 0..blocks {
            let stored = word(file, at + 4)? as usize;
            let sum = checksum::of_bytes(file.get(block..block + stored).filter(|_| block + stored <= directory)?);
            file.get_mut(at + 8..at + 16)?.copy_from_slice(&sum.to_le_bytes());
            block += stored;
            at += 16;
        }
    }
    Some(())
}

fn number(file: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(file.get(at..at + 8)?.try_into().ok()?))
}
