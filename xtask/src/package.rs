//! `cargo xtask package`: packages the crates as they would be published.

use super::cargo;

/// Packages that are never published.
const PRIVATE: [&str; 5] = ["epidemic", "flocking", "throng-testing", "throng-testing-devices", "xtask"];

/// Packages all crates except the private ones. `cargo publish --dry-run` would contact the registry even with
/// `--offline`; this needs no network. It does not build the crates, which the other checks do.
pub(crate) fn run() -> Result<(), String> {
    let mut command = cargo(&["package", "--workspace", "--no-verify", "--offline", "--allow-dirty", "--quiet"]);
    for name in PRIVATE {
        command.args(["--exclude", name]);
    }
    super::run(command)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::{layers, root};

    #[test]
    fn published_crates_have_readme_keywords_categories_and_licences() {
        let mut published = 0;
        for folder in layers::all_crates() {
            let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
            let name = folder.file_name().unwrap().to_string_lossy().into_owned();
            assert_eq!(manifest.contains("\npublish = false"), PRIVATE.contains(&name.as_str()), "{name}");
            if PRIVATE.contains(&name.as_str()) {
                continue;
            }
            published += 1;
            for key in ["description", "license.workspace", "readme.workspace", "keywords", "categories"] {
                assert!(manifest.contains(&format!("\n{key} = ")), "{name}: {key} is missing");
            }
            for licence in ["LICENSE-MIT", "LICENSE-APACHE"] {
                let [of_crate, of_all] =
                    [folder.as_path(), root()].map(|folder| fs::read(folder.join(licence)).unwrap());
                assert!(of_crate == of_all, "{name}: {licence}");
            }
        }
        assert!(published > 10, "{published}");
    }
}
