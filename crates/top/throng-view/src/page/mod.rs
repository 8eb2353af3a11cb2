//! The files of the page, embedded in the program. The page needs no other files and no network.

/// A file of the page.
pub(crate) struct File {
    /// Name of the file, relative to the address of the page.
    pub name: &'static str,
    /// Content type of the file.
    pub content_type: &'static str,
    pub text: &'static str,
}

const SCRIPT: &str = "text/javascript; charset=utf-8";

macro_rules! file {
    ($name:literal, $path:literal, $content_type:expr) => {
        File { name: $name, content_type: $content_type, text: include_str!($path) }
    };
}

/// All files. The page itself has an empty name: its address ends with the token.
pub(crate) const FILES: [File; 11] = [
    file!("", "index.html", "text/html; charset=utf-8"),
    file!("style.css", "style.css", "text/css; charset=utf-8"),
    file!("icon.svg", "icon.svg", "image/svg+xml"),
    file!("viewer.js", "viewer.js", SCRIPT),
    file!("connection.js", "connection.js", SCRIPT),
    file!("controls.js", "controls.js", SCRIPT),
    file!("gestures.js", "gestures.js", SCRIPT),
    file!("orbit.js", "orbit.js", SCRIPT),
    file!("player.js", "player.js", SCRIPT),
    file!("screen.js", "screen.js", SCRIPT),
    file!("slider.js", "slider.js", SCRIPT),
];

#[cfg(test)]
mod tests {
    use super::*;

    /// The page's policy forbids inline code, but violations would only be noticed in a browser.
    #[test]
    fn the_page_contains_no_inline_code() {
        let page = FILES[0].text;
        for forbidden in ["style=", "<style", "onclick=", "onload=", "http://", "https://"] {
            assert!(!page.contains(forbidden), "{forbidden}");
        }
        assert_eq!(page.matches("<script").count(), page.matches("<script type=\"module\" src=").count());
    }

    #[test]
    fn files_imported_by_scripts_exist() {
        for file in &FILES {
            for import in file.text.lines().filter(|line| line.starts_with("import ")) {
                let name = import.rsplit("\"./").next().and_then(|end| end.split('"').next()).unwrap();
                assert!(FILES.iter().any(|file| file.name == name), "{} imports {name}", file.name);
            }
        }
    }
}
