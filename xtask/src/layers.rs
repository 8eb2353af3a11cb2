//! The layers of crates, which correspond to the folders in `crates`.

use std::path::PathBuf;

use super::root;

/// Layers from lowest to highest: a crate may use crates of the same and of lower layers.
const LAYERS: [&str; 6] = ["base", "device", "output", "model", "models", "top"];

/// Returns the folders of all crates of a layer, sorted by name.
fn crates_in(layer: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(root().join("crates").join(layer)).expect("a layer is a folder");
    let mut crates: Vec<PathBuf> =
        entries.flatten().map(|entry| entry.path()).filter(|path| path.join("Cargo.toml").exists()).collect();
    crates.sort();
    crates
}

/// Returns the folders of all crates, layer by layer.
pub(crate) fn all_crates() -> Vec<PathBuf> {
    LAYERS.into_iter().flat_map(crates_in).collect()
}

/// Returns the folder of the crate with this name, if there is one.
pub(crate) fn folder_of(name: &str) -> Option<PathBuf> {
    all_crates().into_iter().find(|folder| folder.ends_with(name))
}

/// Returns the index of a crate's layer, and the crates that it uses, including those of its tests.
fn layer_and_dependencies(folder: &std::path::Path) -> (usize, Vec<String>) {
    let layer = folder.parent().and_then(std::path::Path::file_name).expect("a crate is in the folder of its layer");
    let layer = LAYERS.iter().position(|name| layer == *name).expect("a layer of the list");
    let manifest = std::fs::read_to_string(folder.join("Cargo.toml")).expect("a crate has a manifest");
    let name = |line: &str| line.split(['.', ' ', '=']).next().unwrap_or_default().to_owned();
    (layer, manifest.lines().map(name).filter(|name| name == "throng" || name.starts_with("throng-")).collect())
}

#[test]
fn every_folder_of_crates_is_a_layer() {
    let mut folders: Vec<String> = std::fs::read_dir(root().join("crates"))
        .unwrap()
        .map(|entry| entry.unwrap())
        .filter(|entry| entry.path().is_dir())
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    folders.sort();
    let mut layers = LAYERS;
    layers.sort_unstable();
    assert_eq!(folders, layers);
}

#[test]
fn crates_use_only_crates_of_their_own_and_lower_layers() {
    let mut arrows = 0;
    for folder in all_crates() {
        let (layer, dependencies) = layer_and_dependencies(&folder);
        for dependency in dependencies {
            let used = folder_of(&dependency).unwrap_or_else(|| panic!("{}: {dependency}", folder.display()));
            assert!(layer_and_dependencies(&used).0 <= layer, "{} uses {dependency}", folder.display());
            arrows += 1;
        }
    }
    assert!(arrows > 80, "{arrows}");
}
