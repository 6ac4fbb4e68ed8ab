//! A headless Chromium, driven by its protocol for developers.
use std::fs;
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};
use tungstenite::{Message, WebSocket};

/// Longest wait for the browser: one that hangs must not hang the tests.
const PATIENCE: Duration = Duration::from_secs(120);

/// Names of the program, of which the first that is found is taken; the variable `CHROMIUM` comes before all.
const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "chrome"];

/// A running browser and its files. Both are gone when the value is dropped, also if the rest of the start fails.
struct Running {
    process: Child,
    profile: PathBuf,
}

/// One page in a browser that ends with it.
pub(crate) struct Chromium {
    _running: Running,
    socket: WebSocket<TcpStream>,
    session: String,
    calls: u64,
    /// Whether the page has been loaded since it was asked for.
    loaded: bool,
    /// Errors that the page wrote to its console or threw, and requests beyond its own file.
    pub(crate) complaints: Vec<String>,
}

/// Path of the browser, if there is one.
pub(crate) fn installed() -> Option<PathBuf> {
    if let Some(path) = std::env::var_os("CHROMIUM").filter(|path| !path.is_empty()) {
        return Some(path.into());
    }
    let folders: Vec<PathBuf> = std::env::split_paths(&std::env::var_os("PATH")?).collect();
    NAMES.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name))).find(|path| path.is_file())
}

impl Chromium {
    /// Starts a browser with an empty page. WebGL is drawn by the processor with `webgl`, and is switched off without
    /// it.
    pub(crate) fn start(program: &Path, name: &str, webgl: bool) -> Self {
        let profile = std::env::temp_dir().join(format!("xtask-browser-{name}-{}", std::process::id()));
        let _old = fs::remove_dir_all(&profile);
        let drawing: &[&str] =
            if webgl { &["--use-angle=swiftshader", "--enable-unsafe-swiftshader"] } else { &["--disable-3d-apis"] };
        let process = Command::new(program)
            .args(["--headless", "--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking"])
            .args(["--disable-component-update", "--disable-sync", "--hide-scrollbars", "--remote-debugging-port=0"])
            // The processor that stands in for a graphics card would draw the page itself more slowly.
            .arg("--disable-gpu-rasterization")
            .args(drawing)
            .arg(format!("--user-data-dir={}", profile.display()))
            .arg("about:blank")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let running = Running { process, profile };
        let (port, path) = address(&running.profile);
        let stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let (socket, _) = tungstenite::client(format!("ws://127.0.0.1:{port}{path}"), stream).unwrap();
        let mut browser =
            Self { _running: running, socket, session: String::new(), calls: 0, loaded: false, complaints: Vec::new() };
        let target = browser.call("Target.createTarget", json!({ "url": "about:blank" }))["targetId"].clone();
        let attached = browser.call("Target.attachToTarget", json!({ "targetId": target, "flatten": true }));
        browser.session = attached["sessionId"].as_str().unwrap().into();
        for domain in ["Page", "Runtime", "Log", "Network"] {
            browser.call(&format!("{domain}.enable"), json!({}));
        }
        browser
    }

    /// Calls the protocol and waits for the answer; complaints of the page are kept meanwhile.
    pub(crate) fn call(&mut self, method: &str, parameters: Value) -> Value {
        self.calls += 1;
        let id = self.calls;
        let mut message = json!({ "id": id, "method": method, "params": parameters });
        if !self.session.is_empty() {
            message["sessionId"] = self.session.clone().into();
        }
        self.socket.send(Message::text(message.to_string())).unwrap();
        loop {
            let answer = self.read();
            if answer["id"] == id {
                assert!(answer["error"].is_null(), "{method}: {}", answer["error"]);
                return answer["result"].clone();
            }
        }
    }

    fn read(&mut self) -> Value {
        let message: Value = match self.socket.read().unwrap() {
            Message::Text(text) => serde_json::from_str(&text).unwrap(),
            _ => return Value::Null,
        };
        let parameters = &message["params"];
        match message["method"].as_str() {
            Some("Page.loadEventFired") => self.loaded = true,
            Some("Runtime.exceptionThrown") => self.complaints.push(parameters["exceptionDetails"].to_string()),
            Some("Runtime.consoleAPICalled") if parameters["type"] == "error" => {
                self.complaints.push(parameters["args"].to_string());
            }
            Some("Log.entryAdded") if parameters["entry"]["level"] == "error" => {
                self.complaints.push(parameters["entry"].to_string());
            }
            Some("Network.requestWillBeSent") => {
                let url = parameters["request"]["url"].as_str().unwrap_or_default();
                if !["file:", "data:", "blob:", "about:"].iter().any(|own| url.starts_with(own)) {
                    self.complaints.push(format!("fetches {url}"));
                }
            }
            _ => (),
        }
        message
    }

    /// Sets the size of the window in pixels, and a light or dark scheme.
    pub(crate) fn look(&mut self, width: u32, height: u32, dark: bool) {
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.call("Emulation.setDeviceMetricsOverride", size);
        let scheme = json!({ "name": "prefers-color-scheme", "value": if dark { "dark" } else { "light" } });
        // No view plays by itself while pictures are taken.
        let motion = json!({ "name": "prefers-reduced-motion", "value": "reduce" });
        self.call("Emulation.setEmulatedMedia", json!({ "features": [scheme, motion] }));
    }

    /// Lets views move, as for a reader who has not asked for reduced motion.
    pub(crate) fn moves(&mut self) {
        self.call("Emulation.setEmulatedMedia", json!({ "features": [] }));
    }

    /// Opens a file and waits until it is loaded.
    pub(crate) fn open(&mut self, file: &Path) {
        let url = format!("file://{}", file.canonicalize().unwrap().display());
        self.loaded = false;
        self.call("Page.navigate", json!({ "url": url }));
        while !self.loaded {
            self.read();
        }
    }

    /// Value of an expression; a promise is awaited.
    pub(crate) fn value(&mut self, expression: &str) -> Value {
        let parameters = json!({ "expression": expression, "awaitPromise": true, "returnByValue": true });
        let answer = self.call("Runtime.evaluate", parameters);
        assert!(answer["exceptionDetails"].is_null(), "{expression}: {}", answer["exceptionDetails"]);
        answer["result"]["value"].clone()
    }

    /// Takes a picture of a part of the page: left, top, width, height in pixels; `whole` if it is larger than the
    /// window.
    pub(crate) fn picture(&mut self, [x, y, width, height]: [f64; 4], whole: bool, file: &Path) {
        let clip = json!({ "x": x, "y": y, "width": width, "height": height, "scale": 1 });
        let parameters =
            json!({ "format": "png", "clip": clip, "captureBeyondViewport": whole, "optimizeForSpeed": true });
        let answer = self.call("Page.captureScreenshot", parameters);
        fs::write(file, BASE64_STANDARD.decode(answer["data"].as_str().unwrap()).unwrap()).unwrap();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ended = self.process.kill();
        let _ended = self.process.wait();
        let _gone = fs::remove_dir_all(&self.profile);
    }
}

/// Port and path that the browser writes down once it listens.
fn address(profile: &Path) -> (u16, String) {
    for _ in 0..600 {
        if let Ok(text) = fs::read_to_string(profile.join("DevToolsActivePort"))
            && let Some((port, path)) = text.split_once('\n')
            && let Ok(port) = port.parse()
        {
            return (port, path.trim().into());
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    panic!("the browser does not start");
}
