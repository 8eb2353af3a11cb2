//! Takes a screenshot of a page in Chromium after some time, through its `DevTools` protocol over pipes, which needs no
//! library.

use std::fs::{self, File};
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use crate::{at, run};

/// Saves a screenshot of a page in a window of the given width and height; with a heading, only of its section.
///
/// # Errors
/// If the browser or a file cannot be used, or the page has no such heading.
pub(super) fn photograph(
    program: &Path,
    folder: &Path,
    url: &str,
    [width, height]: [u32; 2],
    heading: Option<&str>,
    after: Duration,
    file: &Path,
) -> Result<(), String> {
    let mut browser = Browser::start(program, folder)?;
    let page = browser.call("Target.createTarget", &json!({"url": url}), None)?;
    let attach = json!({"targetId": page["targetId"], "flatten": true});
    let attached = browser.call("Target.attachToTarget", &attach, None)?;
    let session = attached["sessionId"].as_str();
    let size = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false});
    browser.call("Emulation.setDeviceMetricsOverride", &size, session)?;
    thread::sleep(after);
    let mut part = json!({"format": "png"});
    if let Some(heading) = heading {
        let script = json!({"expression": format!("({SECTION})({})", json!(heading)), "returnByValue": true});
        part["clip"] = browser.call("Runtime.evaluate", &script, session)?["result"]["value"].take();
        part["captureBeyondViewport"] = true.into();
        if part["clip"].is_null() {
            return Err(format!("{url} has no section \"{heading}\""));
        }
    }
    let picture = browser.call("Page.captureScreenshot", &part, session)?;
    let encoded = folder.join("page.base64");
    fs::write(&encoded, picture["data"].as_str().unwrap_or_default()).map_err(at(&encoded))?;
    let mut decode = Command::new("base64");
    decode.arg("-d").arg(&encoded).stdout(File::create(file).map_err(at(file))?);
    run(decode)
}

/// A JavaScript function that returns the rectangle of the section with a heading.
const SECTION: &str = "heading => {
    const found = [...document.querySelectorAll('section>h2')].find(h2 => h2.textContent === heading);
    if (!found) return null;
    const {x, y, width, height} = found.parentElement.getBoundingClientRect();
    return {x: x + scrollX, y: y + scrollY, width, height, scale: 1};
}";

/// A browser process that reads commands and writes answers, each terminated by a zero byte.
struct Browser {
    process: Child,
    commands: File,
    answers: BufReader<File>,
    last_id: u64,
}

impl Browser {
    fn start(program: &Path, folder: &Path) -> Result<Self, String> {
        let [commands, answers] = ["commands", "answers"].map(|name| folder.join(name));
        for pipe in [&commands, &answers] {
            let _ = fs::remove_file(pipe);
            let mut make = Command::new("mkfifo");
            make.arg(pipe);
            run(make)?;
        }
        // The protocol uses the file descriptors 3 and 4.
        let mut command = Command::new("sh");
        command.args(["-c", "exec \"$0\" \"$@\" 3<commands 4>answers"]).arg(program).current_dir(folder);
        // Without a sandbox: containers rarely allow one, and the only page is our own.
        command.args(["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run"]);
        command.args(["--remote-debugging-pipe", "--user-data-dir=profile"]);
        let process = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        let process = process.map_err(|error| format!("{}: {error}", program.display()))?;
        // Each call blocks until the shell has opened the other end.
        let commands = File::options().write(true).open(&commands).map_err(at(&commands))?;
        let answers = BufReader::new(File::open(&answers).map_err(at(&answers))?);
        Ok(Self { process, commands, answers, last_id: 0 })
    }

    /// Sends a command and returns its result; with a session, the command goes to a page.
    fn call(&mut self, method: &str, params: &Value, session: Option<&str>) -> Result<Value, String> {
        self.last_id += 1;
        let mut command = json!({"id": self.last_id, "method": method, "params": params});
        if let Some(session) = session {
            command["sessionId"] = session.into();
        }
        write!(self.commands, "{command}\0").map_err(|error| format!("{method}: {error}"))?;
        loop {
            let mut answer = Vec::new();
            self.answers.read_until(0, &mut answer).map_err(|error| format!("{method}: {error}"))?;
            let Some(answer) = answer.strip_suffix(b"\0") else {
                return Err(format!("{method}: the browser has ended"));
            };
            let mut answer: Value = serde_json::from_slice(answer).map_err(|error| format!("{method}: {error}"))?;
            if answer["id"] == self.last_id {
                let result = answer["result"].take();
                return if result.is_null() { Err(format!("{method}: {}", answer["error"])) } else { Ok(result) };
            }
        }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
