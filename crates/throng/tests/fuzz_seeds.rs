//! What the fuzz targets try, on their seeds: as they are, cut off, and with single bytes changed.

use std::path::{Path, PathBuf};

use throng_testing::repository;

#[path = "../../../fuzz/src/lib.rs"]
mod throng_fuzz;

/// Variants of each seed of each kind; all of those that a short one has.
const VARIANTS: usize = 40;

/// The seeds of a target, in the order of their names.
fn seeds(target: &str) -> Vec<PathBuf> {
    let folder = repository().join("fuzz/seeds").join(target);
    let files = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<PathBuf> = files.map(|file| file.unwrap().path()).collect();
    files.sort();
    files
}

/// Tries an input; the panic of a target is followed by the input that it panicked on.
fn check(target: &str, seed: &Path, change: &str, data: &[u8]) {
    let found = std::panic::catch_unwind(|| throng_fuzz::check(target, data));
    assert!(found.is_ok(), "{target} panics on {}, {change}: {}", seed.display(), data.escape_ascii());
}

fn try_seeds(target: &str) {
    let seeds = seeds(target);
    assert!(!seeds.is_empty(), "{target} has no seed");
    for seed in seeds {
        let data = std::fs::read(&seed).unwrap();
        check(target, &seed, "as it is", &data);
        for variant in 0..VARIANTS.min(data.len()) {
            let at = variant * data.len() / VARIANTS.min(data.len());
            check(target, &seed, &format!("cut off at {at}"), &data[..at]);
            for (what, byte) in [("0", 0), ("255", 255), ("a flipped bit", data[at] ^ (1 << (variant % 8)))] {
                let mut changed = data.clone();
                changed[at] = byte;
                check(target, &seed, &format!("{what} at {at}"), &changed);
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
        /// The targets with a test below.
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
