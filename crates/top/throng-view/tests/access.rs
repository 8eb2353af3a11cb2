//! Access to the page, and the answers to unauthorized requests.

use std::sync::Arc;

use crate::support::client::{Page, get, parts, serve};
use crate::support::gradient::{Gradient, Shown};
use throng_view::{Server, ServerOptions};

#[test]
fn the_page_and_its_files_are_sent_with_strict_headers() {
    let running = serve(&Gradient::slow(0), ServerOptions::default());
    let (host, path) = parts(running.url());
    for (file, content) in [
        ("", "<script type=\"module\" src=\"viewer.js\">"),
        ("viewer.js", "import { Connection }"),
        ("style.css", "color-scheme"),
        ("description.json", "\"title\":\"A gradient\""),
    ] {
        let (status, answer) = get(running.url(), &format!("{path}{file}"), &[&format!("Host: {host}")]);
        assert_eq!(status, 200, "{file}");
        assert!(answer.contains(content), "{answer}");
        for header in [
            "content-security-policy: default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
             connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\n",
            "x-content-type-options: nosniff\r\n",
            "referrer-policy: no-referrer\r\n",
            "cache-control: no-store\r\n",
            "cross-origin-resource-policy: same-origin\r\n",
        ] {
            assert!(answer.contains(header), "{answer}");
        }
    }
}

#[test]
fn requests_without_the_token_get_404() {
    let running = serve(&Gradient::slow(0), ServerOptions::default());
    let (host, path) = parts(running.url());
    let host = format!("Host: {host}");
    let wrong = format!("/{}/", "0".repeat(32));
    let answers = ["/", "/favicon.ico", &wrong, &format!("{wrong}socket"), &path[..path.len() - 2], "/..%2f"]
        .map(|path| get(running.url(), path, &[&host]));
    for (status, answer) in &answers {
        assert_eq!(*status, 404);
        let (_, body) = answer.split_once("\r\n\r\n").unwrap();
        assert_eq!(body, "");
    }
}

#[test]
fn other_hosts_and_other_origins_are_refused() {
    let running = serve(&Gradient::slow(0), ServerOptions::default());
    let (host, path) = parts(running.url());
    let port = host.rsplit(':').next().unwrap();
    let localhost = format!("localhost:{port}");
    assert_eq!(get(running.url(), path, &[&format!("Host: {localhost}")]).0, 200);
    for other in ["rebound.example", &format!("rebound.example:{port}"), "127.0.0.1", "127.0.0.1:1"] {
        let (status, answer) = get(running.url(), path, &[&format!("Host: {other}")]);
        assert_eq!(status, 403, "{other}");
        assert!(answer.contains("nosniff") && !answer.contains("Throng"), "{answer}");
    }
    let other_origins = ["http://rebound.example", "null", "https://127.0.0.1", "http://127.0.0.1:1"];
    for origin in other_origins.map(Some).into_iter().chain([None]) {
        assert_eq!(Page::open_from(running.url(), origin).err(), Some(403), "{origin:?}");
    }
    assert!(Page::open_from(running.url(), Some(&format!("http://{localhost}"))).is_ok());
}

#[test]
fn a_port_in_use_is_reported() {
    let running = serve(&Gradient::slow(0), ServerOptions::default());
    let port: u16 = parts(running.url()).0.rsplit(':').next().unwrap().parse().unwrap();
    let show = Arc::new(Shown(Gradient::slow(0)));
    let error = Server::bind(show, ServerOptions { port, ..ServerOptions::default() }).err().unwrap().to_string();
    assert!(error.starts_with(&format!("port: {port} on this computer cannot be used: ")), "{error}");
}
