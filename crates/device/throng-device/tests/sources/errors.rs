//! Errors print their message with `Debug`, because a `main` that returns one prints it so.

use super::{crates, read, sources};

#[test]
fn no_error_derives_debug() {
    let mut errors = 0;
    for file in crates().flat_map(|folder| sources(&folder)) {
        let text = read(&file);
        for derive in text.lines().map(str::trim).filter(|line| line.starts_with("#[derive(")) {
            let traits: Vec<&str> = derive.trim_start_matches("#[derive(").trim_end_matches(")]").split(", ").collect();
            if traits.iter().any(|name| name.ends_with("Error")) {
                let place = file.display();
                assert!(!traits.contains(&"Debug"), "{place}: {derive}: use throng_core::debug_is_message instead");
                errors += 1;
            }
        }
    }
    assert!(errors >= 10, "{errors} errors");
}
