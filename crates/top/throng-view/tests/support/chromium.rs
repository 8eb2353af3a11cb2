//! A page in Chromium, controlled through its `DevTools` protocol.

use std::fs;
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;
use tungstenite::{Message, WebSocket, client};

use super::{PATIENCE, wait_until};

/// Only one browser runs at a time, because several would slow each other down.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// A browser with one page.
pub struct Browser {
    process: Child,
    socket: WebSocket<TcpStream>,
    session: Option<String>,
    last_id: u64,
    problems: Vec<String>,
    folder: TempDir,
    _turn: MutexGuard<'static, ()>,
}

impl Browser {
    /// Opens a page in a window of 1000 x 700, or skips the test if there is no Chromium.
    pub fn open(url: &str) -> Option<Self> {
        let program = throng_testing::chromium()?;
        let turn = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
        let folder = tempfile::tempdir().unwrap();
        let process = Command::new(program)
            // The sandbox is off, because containers rarely allow it, and only our own page is loaded.
            .args(["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"])
            .args(["--disable-background-networking", "--remote-debugging-port=0", "--window-size=1000,700"])
            .arg(format!("--user-data-dir={}", folder.path().display()))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // The browser writes this file when it listens; it contains its port, and the path of its socket.
        let active = folder.path().join("DevToolsActivePort");
        let read = || fs::read_to_string(&active).ok().filter(|text| text.lines().count() == 2);
        wait_until("Chromium listens", || read().is_some());
        let text = read().unwrap();
        let (port, path) = text.split_once('\n').unwrap();
        let stream = TcpStream::connect(format!("127.0.0.1:{port}")).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let (socket, _) = client(format!("ws://127.0.0.1:{port}{path}"), stream).unwrap();

        let (session, problems) = (None, Vec::new());
        let mut browser = Self { process, socket, session, last_id: 0, problems, folder, _turn: turn };
        let target = browser.call("Target.createTarget", &json!({"url": "about:blank"}))["targetId"].take();
        let session = browser.call("Target.attachToTarget", &json!({"targetId": target, "flatten": true}));
        browser.session = session["sessionId"].as_str().map(str::to_owned);
        for part in ["Runtime", "Log", "Page"] {
            browser.call(&format!("{part}.enable"), &json!({}));
        }
        browser.resize(1000, 700);
        browser.call("Page.navigate", &json!({"url": url}));
        browser.wait_for("location.protocol === 'http:' && document.readyState === 'complete'");
        Some(browser)
    }

    /// Calls a method and returns its result.
    pub fn call(&mut self, method: &str, parameters: &Value) -> Value {
        self.last_id += 1;
        let mut message = json!({"id": self.last_id, "method": method, "params": parameters});
        if let Some(session) = &self.session {
            message["sessionId"] = session.as_str().into();
        }
        self.socket.send(Message::text(message.to_string())).unwrap();
        loop {
            let Message::Text(text) = self.socket.read().unwrap() else { continue };
            let mut message: Value = serde_json::from_str(&text).unwrap();
            if message["id"] == self.last_id {
                assert_eq!(message["error"], Value::Null, "{method}");
                return message["result"].take();
            }
            self.note(&message);
        }
    }

    /// Records events that the browser's console would show as errors or warnings.
    fn note(&mut self, event: &Value) {
        let parameters = &event["params"];
        let is_problem = match event["method"].as_str() {
            Some("Runtime.exceptionThrown") => true,
            Some("Runtime.consoleAPICalled") => parameters["type"] != "log",
            Some("Log.entryAdded") => {
                parameters["entry"]["level"] != "info" && parameters["entry"]["level"] != "verbose"
            }
            _ => false,
        };
        if is_problem {
            self.problems.push(parameters.to_string());
        }
    }

    /// Errors, warnings and violations of the policy so far.
    pub fn problems(&mut self) -> Vec<String> {
        // The answer arrives after all earlier events.
        self.evaluate("0");
        self.problems.clone()
    }

    /// Evaluates an expression in the page; waits for the result of a promise.
    pub fn evaluate(&mut self, expression: &str) -> Value {
        let parameters = json!({"expression": expression, "returnByValue": true, "awaitPromise": true});
        let mut result = self.call("Runtime.evaluate", &parameters);
        assert_eq!(result["exceptionDetails"], Value::Null, "{expression}");
        result["result"]["value"].take()
    }

    /// Evaluates an expression that is a number.
    pub fn number(&mut self, expression: &str) -> f64 {
        self.evaluate(expression).as_f64().unwrap_or_else(|| panic!("{expression} is not a number"))
    }

    /// Waits until an expression is true.
    pub fn wait_for(&mut self, expression: &str) {
        let start = Instant::now();
        while self.evaluate(expression) != true {
            if start.elapsed() > PATIENCE {
                let state = self.evaluate("document.body.innerText");
                panic!("waited in vain for {expression}; the page says {state}, with {:?}", self.problems);
            }
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// Waits until the image of the newest request has its maximum quality.
    pub fn wait_for_picture(&mut self) {
        self.wait_for("document.getElementById('canvas').dataset.samples === '64'");
    }

    /// Changes the size of the page, in CSS pixels.
    pub fn resize(&mut self, width: u32, height: u32) {
        let metrics = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false});
        self.call("Emulation.setDeviceMetricsOverride", &metrics);
    }

    /// Drags the mouse with the left button; `modifiers` is 8 for the Shift key.
    pub fn drag(&mut self, from: (f64, f64), to: (f64, f64), modifiers: u32) {
        let middle = (f64::midpoint(from.0, to.0), f64::midpoint(from.1, to.1));
        for (kind, (x, y), buttons) in
            [("mousePressed", from, 1), ("mouseMoved", middle, 1), ("mouseMoved", to, 1), ("mouseReleased", to, 0)]
        {
            let event = json!({"type": kind, "x": x, "y": y, "button": "left", "buttons": buttons, "clickCount": 1,
                "modifiers": modifiers});
            self.call("Input.dispatchMouseEvent", &event);
        }
    }

    /// Presses and releases a key.
    pub fn press(&mut self, key: &str) {
        let code = match key {
            "Tab" => 9,
            " " => 32,
            "ArrowLeft" => 37,
            "ArrowUp" => 38,
            "ArrowRight" => 39,
            "Escape" => 27,
            _ => i32::from(key.to_ascii_uppercase().as_bytes()[0]),
        };
        for kind in ["keyDown", "keyUp"] {
            let mut event = json!({"type": kind, "key": key, "windowsVirtualKeyCode": code});
            if key.len() == 1 && kind == "keyDown" {
                event["text"] = key.into();
            }
            self.call("Input.dispatchKeyEvent", &event);
        }
    }

    /// Lets the page download files into the folder `files` of the returned one.
    pub fn allow_downloads(&mut self) -> &Path {
        let session = self.session.take();
        let parameters = json!({"behavior": "allow", "downloadPath": self.folder.path().join("files")});
        self.call("Browser.setDownloadBehavior", &parameters);
        self.session = session;
        self.folder.path()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // When asked to close, the browser also ends its helper processes.
        let _ = self.socket.send(Message::text(r#"{"id": 0, "method": "Browser.close"}"#));
        let start = Instant::now();
        while start.elapsed() < Duration::from_secs(10) && matches!(self.process.try_wait(), Ok(None)) {
            thread::sleep(Duration::from_millis(10));
        }
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
