//! Chromium, the browser in which tests open the page of throng-view.

use throng_testing::has_chromium;

use crate::packages;

/// The package of Debian with Chromium. That of Ubuntu installs a snap, which works as well where snaps do.
const PACKAGES: [&str; 1] = ["chromium"];

/// Sees to it that there is Chromium, and says what it found. Where it cannot be installed, it names the command.
pub(crate) fn install() -> String {
    if has_chromium() {
        return "Chromium: it is installed; tests open the page of the viewer".to_owned();
    }
    if packages::install(&PACKAGES, "Chromium") && has_chromium() {
        return "Chromium: it was installed; tests open the page of the viewer".to_owned();
    }
    format!("skipped: tests in a browser, there is no Chromium; as root: {}", packages::command(&PACKAGES))
}
