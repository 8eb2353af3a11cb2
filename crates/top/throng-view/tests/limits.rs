//! Programs that keep connections open, and pages that do not read, do not block others.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use crate::support::client::{Page, Said, get, parts, serve};
use crate::support::gradient::Gradient;
use crate::support::{PATIENCE, wait_until};
use throng_view::ServerOptions;
use tungstenite::Message;

/// More connections than the server keeps open.
const MANY: usize = 300;

/// Connections that have sent the start of a request.
fn send_incomplete_requests(host: &str) -> Vec<TcpStream> {
    let begin = |_| {
        let mut stream = TcpStream::connect(host).unwrap();
        stream.write_all(b"GET / HTTP/1.1\r\nHost: 127.").unwrap();
        stream
    };
    (0..MANY).map(begin).collect()
}

/// Whether the other end of a connection has closed it.
fn is_closed(mut stream: &TcpStream) -> bool {
    stream.set_read_timeout(Some(Duration::from_millis(1))).unwrap();
    // A timeout response may come before the connection is closed.
    loop {
        match stream.read(&mut [0; 512]) {
            Ok(0) => return true,
            Ok(_) => {}
            Err(error) => return error.kind() == std::io::ErrorKind::ConnectionReset,
        }
    }
}

#[test]
fn incomplete_requests_do_not_block_other_requests() {
    let running = serve(&Gradient::slow(0), ServerOptions { request_timeout: PATIENCE, ..ServerOptions::default() });
    let (host, path) = parts(running.url());
    let half = send_incomplete_requests(host);
    assert_eq!(get(running.url(), path, &[&format!("Host: {host}")]).0, 200);
    let mut page = Page::open(running.url());
    page.ask(1, 4, 4, 1.0);
    page.pictures_until_done(1);
    // The oldest connections were closed.
    wait_until("all but 64 are closed", || half.iter().filter(|stream| !is_closed(stream)).count() <= 64);
    assert!(is_closed(&half[0]) && !is_closed(&half[MANY - 1]));
}

#[test]
fn incomplete_requests_time_out() {
    let request_timeout = Duration::from_millis(300);
    let running = serve(&Gradient::slow(0), ServerOptions { request_timeout, ..ServerOptions::default() });
    let half = send_incomplete_requests(parts(running.url()).0);
    // One connection sends a character now and then, the other sends nothing.
    let mut slow = TcpStream::connect(parts(running.url()).0).unwrap();
    let silent = TcpStream::connect(parts(running.url()).0).unwrap();
    wait_until("all are closed", || {
        let _ = slow.write_all(b"G");
        is_closed(&slow) && is_closed(&silent) && half.iter().all(is_closed)
    });
}

#[test]
fn a_page_that_sends_pings_without_reading_is_disconnected() {
    let write_timeout = Duration::from_secs(1);
    let running = serve(&Gradient::slow(0), ServerOptions { write_timeout, max_pages: 1, ..ServerOptions::default() });
    let mut page = Page::open(running.url());
    // A page that reads gets its answers.
    page.0.send(Message::Ping(vec![7; 125].into())).unwrap();
    assert_eq!(page.0.read().unwrap(), Message::Pong(vec![7; 125].into()));
    let start = Instant::now();
    loop {
        assert!(start.elapsed() < PATIENCE, "the server keeps answering a page that does not read");
        let sent = (0..500).try_for_each(|_| page.0.write(Message::Ping(vec![7; 125].into())));
        if sent.and_then(|()| page.0.flush()).is_err() {
            break;
        }
    }
    wait_until("there is room for another page", || {
        let mut page = Page::open(running.url());
        page.ask(1, 4, 4, 1.0);
        matches!(page.hear(), Said::Picture(_))
    });
}
