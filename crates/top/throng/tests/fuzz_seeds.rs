//! Runs the fuzz targets on their seeds: unchanged, cut off, and with single bytes changed.

use std::path::{Path, PathBuf};

use throng_testing::repository;

#[path = "../../../../fuzz/src/lib.rs"]
mod throng_fuzz;

/// Number of variants per seed and kind; short seeds have one per byte at most.
fn variants(data: &[u8]) -> usize {
    data.len().min(throng_testing::cases(5) as usize)
}

/// Returns the seeds of a target, sorted by name.
fn seeds(target: &str) -> Vec<PathBuf> {
    let folder = repository().join("fuzz/seeds").join(target);
    let files = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<PathBuf> = files.map(|file| file.unwrap().path()).collect();
    files.sort();
    files
}

/// Seeds that must be rejected; all others must be accepted, because a rejected seed tests nothing else.
const REFUSED: [&str; 8] = [
    "cache/cut_off.throng",
    "fields/change_of_list.txt",
    "npy/huge.npy",
    "packed/cut_off.gz",
    "packed/cut_off.zst",
    "packed/garbage_behind.gz",
    "packed/gzip_in_zstd.zst",
    "tables/nothing",
];

/// Runs a target on an input and returns whether it is accepted; a panic is reported with the input.
fn accepts(target: &str, seed: &Path, change: &str, data: &[u8]) -> bool {
    let found = std::panic::catch_unwind(|| throng_fuzz::check(target, data));
    found.unwrap_or_else(|_| panic!("{target} panics on {}, {change}: {}", seed.display(), data.escape_ascii()))
}

fn try_seeds(target: &str) {
    let seeds = seeds(target);
    assert!(!seeds.is_empty(), "{target} has no seed");
    for seed in seeds {
        let data = std::fs::read(&seed).unwrap();
        let name = format!("{target}/{}", seed.file_name().unwrap().to_string_lossy());
        assert_eq!(accepts(target, &seed, "as it is", &data), !REFUSED.contains(&name.as_str()), "{name}");
        for variant in 0..variants(&data) {
            let at = variant * data.len() / variants(&data);
            accepts(target, &seed, &format!("cut off at {at}"), &data[..at]);
            for (what, byte) in [("0", 0), ("255", 255), ("a flipped bit", data[at] ^ (1 << (variant % 8)))] {
                let mut changed = data.clone();
                changed[at] = byte;
                accepts(target, &seed, &format!("{what} at {at}"), &changed);
            }
        }
    }
}

#[test]
fn every_target_has_a_program_and_a_test() {
    let programs = std::fs::read_dir(repository().join("fuzz/fuzz_targets")).unwrap();
    let mut programs: Vec<PathBuf> = programs.map(|file| file.unwrap().path()).collect();
    programs.sort();
    let programs: Vec<_> = programs.iter().map(|file| file.file_stem().unwrap().to_str().unwrap()).collect();
    assert_eq!(throng_fuzz::TARGETS.map(|(name, _)| name).to_vec(), programs);
    assert_eq!(TESTED.to_vec(), programs);
}

macro_rules! targets {
    ($($target:ident)*) => {
        /// Targets that have a test below.
        const TESTED: &[&str] = &[$(stringify!($target)),*];
        $(
            #[test]
            fn $target() {
                try_seeds(stringify!($target));
            }
        )*
    };
}

targets! { cache change_events config events facilities fields network npy packed population tables vehicles }
