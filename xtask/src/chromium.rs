//! Chromium, the browser in which tests open the page of throng-view.

use throng_testing::has_chromium;

use crate::packages;

/// Debian's package of Chromium. Ubuntu's package installs a snap, which also works where snaps do.
const PACKAGES: [&str; 1] = ["chromium"];

/// Installs Chromium if it is missing, and returns a message with the result. If it cannot be installed, the message
/// names the command.
pub(crate) fn install() -> String {
    if has_chromium() {
        return "Chromium: it is installed; tests open the page of the viewer".to_owned();
    }
    if packages::install(&PACKAGES, "Chromium") && has_chromium() {
        return "Chromium: it was installed; tests open the page of the viewer".to_owned();
    }
    format!("skipped: tests in a browser, because there is no Chromium; as root: {}", packages::command(&PACKAGES))
}
