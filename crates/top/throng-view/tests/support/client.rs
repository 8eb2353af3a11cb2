//! A client that acts like a page, without a browser.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::sync::Arc;

use serde_json::{Value, json};
use throng_view::{Running, Server, ServerOptions};
use tungstenite::client::IntoClientRequest as _;
use tungstenite::handshake::client::Request;
use tungstenite::protocol::CloseFrame;
use tungstenite::{Message, WebSocket, client};

use super::PATIENCE;
use super::gradient::{Gradient, Shown};

/// Starts a server that shows a gradient.
pub fn serve(show: &Arc<Gradient>, options: ServerOptions) -> Running {
    Server::bind(Arc::new(Shown(show.clone())), options).unwrap().spawn().unwrap()
}

/// Splits the URL of a server into `127.0.0.1:PORT` and `/TOKEN/`.
pub fn parts(url: &str) -> (&str, &str) {
    let rest = url.strip_prefix("http://").unwrap();
    rest.split_at(rest.find('/').unwrap())
}

/// Sends `GET path` with headers. Returns the status and the whole answer as text.
pub fn get(url: &str, path: &str, headers: &[&str]) -> (u16, String) {
    let (host, _) = parts(url);
    let mut stream = TcpStream::connect(host).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    let headers = headers.iter().fold(String::new(), |all, header| format!("{all}{header}\r\n"));
    write!(stream, "GET {path} HTTP/1.1\r\n{headers}Connection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let status = answer.split(' ').nth(1).and_then(|status| status.parse().ok());
    (status.unwrap_or_else(|| panic!("{answer}")), answer)
}

/// A received image.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    pub seq: u32,
    pub width: u32,
    pub height: u32,
    pub samples: u32,
    pub time: String,
    pub device: String,
    pub rgba: Vec<u8>,
}

/// A message from the server.
#[derive(Debug)]
pub enum Said {
    Picture(Picture),
    /// The `seq` of the request, and the message.
    Error(Option<u64>, String),
    /// The connection has ended; the code comes from the server's closing message, if there was one.
    End(Option<u16>),
}

/// A connection to a server.
pub struct Page(pub WebSocket<TcpStream>);

/// The request that upgrades to a WebSocket.
fn upgrade(url: &str, origin: Option<&str>) -> Request {
    let mut request = format!("{}socket", url.replacen("http:", "ws:", 1)).into_client_request().unwrap();
    if let Some(origin) = origin {
        request.headers_mut().insert("Origin", origin.parse().unwrap());
    }
    request
}

impl Page {
    pub fn open(url: &str) -> Self {
        let (host, _) = parts(url);
        Self::open_from(url, Some(&format!("http://{host}"))).unwrap()
    }

    /// Opens a connection with a given origin, like a page of another site; an error has the status.
    pub fn open_from(url: &str, origin: Option<&str>) -> Result<Self, u16> {
        let stream = TcpStream::connect(parts(url).0).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.set_nodelay(true).unwrap();
        match client(upgrade(url, origin), stream) {
            Ok((socket, _)) => Ok(Self(socket)),
            Err(tungstenite::HandshakeError::Failure(tungstenite::Error::Http(answer))) => {
                Err(answer.status().as_u16())
            }
            Err(error) => panic!("{error}"),
        }
    }

    pub fn send(&mut self, text: impl Into<String>) {
        self.0.send(Message::text(text.into())).unwrap();
    }

    /// Requests an image with a light at x.
    pub fn ask(&mut self, seq: u32, width: u32, height: u32, x: f64) {
        self.send(request(seq, width, height, x).to_string());
    }

    pub fn hear(&mut self) -> Said {
        loop {
            match self.0.read() {
                Ok(Message::Binary(bytes)) => return Said::Picture(picture(&bytes)),
                Ok(Message::Text(text)) => {
                    let message: Value = serde_json::from_str(&text).unwrap();
                    return Said::Error(message["seq"].as_u64(), message["error"].as_str().unwrap().to_owned());
                }
                Ok(Message::Close(frame)) => return Said::End(frame.map(|CloseFrame { code, .. }| code.into())),
                Ok(_) => {}
                Err(tungstenite::Error::Io(error)) if error.kind() == std::io::ErrorKind::WouldBlock => {
                    panic!("the server says nothing")
                }
                Err(_) => return Said::End(None),
            }
        }
    }

    pub fn picture(&mut self) -> Picture {
        match self.hear() {
            Said::Picture(picture) => picture,
            other => panic!("no image but {other:?}"),
        }
    }

    pub fn error(&mut self) -> (Option<u64>, String) {
        match self.hear() {
            Said::Error(seq, message) => (seq, message),
            other => panic!("no error but {other:?}"),
        }
    }

    /// Receives images up to the one of request `seq` with 64 samples.
    pub fn pictures_until_done(&mut self, seq: u32) -> Vec<Picture> {
        let mut pictures = Vec::new();
        loop {
            pictures.push(self.picture());
            let last = &pictures[pictures.len() - 1];
            if last.seq == seq && last.samples == 64 {
                return pictures;
            }
        }
    }
}

/// A request with a light at x.
pub fn request(seq: u32, width: u32, height: u32, x: f64) -> Value {
    json!({"seq": seq, "view": {"width": width, "height": height, "camera": {}, "light": [x, 2.0, 1.0]}})
}

fn picture(bytes: &[u8]) -> Picture {
    assert_eq!(bytes[..4], *b"THRG");
    let number = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
    assert_eq!(number(20), 1);
    let (time, rest) = bytes[36..].split_at(number(28) as usize);
    let (device, rgba) = rest.split_at(number(32) as usize);
    let [seq, width, height, samples] = [4, 8, 12, 16].map(number);
    assert_eq!(rgba.len() as u32, width * height * 4);
    let [time, device] = [time, device].map(|text| String::from_utf8(text.to_vec()).unwrap());
    Picture { seq, width, height, samples, time, device, rgba: rgba.to_vec() }
}
