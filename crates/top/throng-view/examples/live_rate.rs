//! Measures the speed of the live page without a browser: requests images as the page does, the next one as soon as one
//! has arrived.
//!
//! ```text
//! throng view output/evacuation --no-open                  # prints the URL
//! cargo run --release -p throng-view --example live_rate -- URL [width=960] [height=720] [seconds=10] [pages=1]
//! ```
//!
//! Instead of the URL, give a scene file to serve it from this program: `examples/spheres/scenario.toml [device=auto]`.
//! Devices need the features `gpu` and `throng-device/cuda` or `throng-device/vulkan`.
//!
//! A run is played at the page's initial speed; in a scene, the camera turns. "Drawn" is the time from the start of
//! work on an image to its bytes, "sent" the remaining time until it arrives. Times and sizes are medians.

use std::error::Error;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use throng_core::available_threads;
use throng_device::DeviceChoice;
use throng_render::SceneFile;
use throng_view::{Running, SceneShow, Server, ServerOptions};
use tungstenite::client::IntoClientRequest as _;
use tungstenite::{Message, WebSocket};

fn main() -> Result<(), Box<dyn Error>> {
    let page = std::env::args().nth(1).ok_or("give the URL of a page, or a scene file")?;
    let text = |key: &str| std::env::args().find_map(|arg| Some(arg.strip_prefix(key)?.strip_prefix('=')?.to_owned()));
    let number = |key: &str, default: u32| text(key).map_or(Ok(default), |text| text.parse());
    let (size, seconds) = ([number("width", 960)?, number("height", 720)?], number("seconds", 10)?);
    let pages = number("pages", 1)?;

    let is_url = page.starts_with("http://");
    let served = if is_url { None } else { Some(serve(&page, text("device").as_deref().unwrap_or("auto").parse()?)?) };
    let url = served.as_ref().map_or(page.as_str(), Running::url);
    thread::scope(|scope| {
        let measured = || measure(url, size, seconds).map_err(|error| error.to_string());
        let threads: Vec<_> = (0..pages).map(|_| scope.spawn(measured)).collect();
        threads.into_iter().try_for_each(|thread| {
            println!("{}", thread.join().map_err(|_| "a page has panicked")??);
            Ok(())
        })
    })
}

/// Serves a scene file.
fn serve(file: &str, on: DeviceChoice) -> Result<Running, Box<dyn Error>> {
    let show = SceneShow::new(&SceneFile::read(&Path::new(file).into(), &[])?, on, available_threads())?;
    Ok(Server::bind(Arc::new(show), ServerOptions::default())?.spawn()?)
}

/// Requests images for a number of seconds. Returns the measurements as text.
fn measure(url: &str, [width, height]: [u32; 2], seconds: u32) -> Result<String, Box<dyn Error>> {
    let description = description(url)?;
    let mut socket = connect(url)?;
    let end = Duration::from_secs(seconds.into());
    let start = Instant::now();
    let (mut widths, mut drawn_ms, mut sent_ms) = (Vec::new(), Vec::new(), Vec::new());
    let mut device = String::new();
    while start.elapsed() < end {
        let seq = widths.len() as u32 + 1;
        let mut view = view(&description, start.elapsed().as_secs_f64());
        view["width"] = width.into();
        view["height"] = height.into();
        let requested = Instant::now();
        socket.send(Message::text(json!({"seq": seq, "view": view}).to_string()))?;
        let image = answer(&mut socket, seq)?;
        widths.push(f64::from(image.width));
        drawn_ms.push(image.drawn_ms);
        sent_ms.push(requested.elapsed().as_secs_f64() * 1e3 - image.drawn_ms);
        device = image.device;
    }
    let rate = widths.len() as f64 / start.elapsed().as_secs_f64();
    let [drawn, sent, wide] = [drawn_ms, sent_ms, widths].map(median);
    Ok(format!(
        "{width} x {height} on {device}: {rate:.1} pictures/s, {wide:.0} pixels wide; drawn {drawn:.1} ms, sent \
         {sent:.1} ms"
    ))
}

/// The view that a page requests after playing or turning for a few seconds.
fn view(description: &Value, seconds: f64) -> Value {
    let mut view = json!({"camera": description["camera"]});
    let time = &description["time"];
    if let (Some(low), Some(high), Some(step)) = (time["low"].as_f64(), time["high"].as_f64(), time["step"].as_f64()) {
        let per_second = if matches!(time["unit"].as_str(), Some("seconds" | "time_of_day")) { 1.0 } else { step };
        // Plays the whole run in at most two minutes.
        let speed = ((high - low) / 120.0).max(per_second);
        view["time"] = (low + (seconds * speed) % (high - low)).into();
    } else {
        let [eye, target] =
            ["eye", "target"].map(|key| [0, 1, 2].map(|i| view["camera"][key][i].as_f64().unwrap_or(0.0)));
        let (sin, cos) = libm::sincos(0.5 * seconds);
        let [x, z] = [eye[0] - target[0], eye[2] - target[2]];
        view["camera"]["eye"] = json!([target[0] + cos * x + sin * z, eye[1], target[2] - sin * x + cos * z]);
    }
    view
}

/// Splits a URL into host and path.
fn parts(url: &str) -> (&str, &str) {
    let rest = url.trim_start_matches("http://");
    rest.split_at(rest.find('/').unwrap_or(rest.len()))
}

fn description(url: &str) -> Result<Value, Box<dyn Error>> {
    let (host, path) = parts(url);
    let mut stream = TcpStream::connect(host)?;
    write!(stream, "GET {path}description.json HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n")?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    let (_, body) = answer.split_once("\r\n\r\n").ok_or("the server gives no answer")?;
    Ok(serde_json::from_str(body)?)
}

fn connect(url: &str) -> Result<WebSocket<TcpStream>, Box<dyn Error>> {
    let (host, _) = parts(url);
    let mut request = format!("{}socket", url.replacen("http:", "ws:", 1)).into_client_request()?;
    request.headers_mut().insert("Origin", format!("http://{host}").parse()?);
    let stream = TcpStream::connect(host)?;
    stream.set_nodelay(true)?;
    Ok(tungstenite::client(request, stream)?.0)
}

/// A received image, without its pixels.
struct Image {
    width: u32,
    drawn_ms: f64,
    device: String,
}

/// The first image of a request.
fn answer(socket: &mut WebSocket<TcpStream>, seq: u32) -> Result<Image, Box<dyn Error>> {
    loop {
        match socket.read()? {
            Message::Binary(bytes) if bytes.len() >= 36 => {
                let number = |i: usize| u32::from_le_bytes([0, 1, 2, 3].map(|byte| bytes[4 * i + byte]));
                if number(1) == seq {
                    let name = 36 + number(7) as usize;
                    let device = bytes.get(name..name + number(8) as usize).unwrap_or_default();
                    let device = String::from_utf8_lossy(device).into_owned();
                    return Ok(Image { width: number(2), drawn_ms: f64::from(number(6)) / 1e3, device });
                }
            }
            Message::Text(text) => return Err(text.as_str().into()),
            _ => {}
        }
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}
