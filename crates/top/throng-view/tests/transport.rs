//! Requests and images, as seen by pages.

use std::sync::atomic::Ordering;
use std::thread;
use std::time::{Duration, Instant};

use crate::support::client::{Page, Said, get, parts, request, serve};
use crate::support::gradient::{Gradient, STAGES, pixels};
use crate::support::wait_until;
use throng_view::{ServerOptions, View};
use tungstenite::Message;

#[test]
fn an_image_is_refined_in_stages_up_to_64_samples() {
    let running = serve(&Gradient::slow(30), ServerOptions::default());
    let mut page = Page::open(running.url());
    let mut message = request(3, 40, 20, 20.0);
    message["view"]["time"] = 7.5.into();
    page.send(message.to_string());
    let view: View = serde_json::from_value(message["view"].clone()).unwrap();
    // On a busy machine, a better image may replace one of these.
    let mut stages = STAGES.iter();
    for picture in page.pictures_until_done(3) {
        let (samples, divisor) =
            stages.find(|&&(samples, divisor)| (picture.samples, picture.width) == (samples, 40 / divisor)).unwrap();
        assert_eq!((picture.seq, picture.time.as_str()), (3, "7.5 s"));
        assert_eq!(picture.rgba, pixels(&view, 40 / divisor, 20 / divisor, *samples));
    }
    assert_eq!(stages.next(), None);
}

#[test]
fn the_last_of_a_thousand_requests_per_second_is_drawn() {
    let show = Gradient::slow(2);
    let running = serve(&show, ServerOptions::default());
    let mut page = Page::open(running.url());
    let start = Instant::now();
    for seq in 1..=1_000 {
        page.ask(seq, 64, 64, f64::from(seq % 25));
        // One request per millisecond, even if sleeping takes longer.
        let due = start + Duration::from_millis(seq.into());
        thread::sleep(due.saturating_duration_since(Instant::now()));
    }
    page.ask(1_001, 64, 64, 25.0);
    let pictures = page.pictures_until_done(1_001);
    let drawn = show.drawn.load(Ordering::SeqCst) as usize;
    assert!(pictures.len() <= drawn, "{} pictures, {drawn} drawn", pictures.len());
    assert!(pictures.is_sorted_by_key(|picture| picture.seq));
    assert_eq!(pictures.last().unwrap().rgba[0], 250);
    assert_eq!(show.last().light, Some([25.0, 2.0, 1.0]));
}

#[test]
fn a_newer_request_ends_the_work_on_an_older_one() {
    // If obsolete work were not cancelled, the second image would come after five minutes.
    let show = Gradient::slow(60_000);
    let running = serve(&show, ServerOptions::default());
    let mut page = Page::open(running.url());
    page.ask(1, 8, 8, 1.0);
    wait_until("the first image is begun", || show.begun() == 1);
    page.ask(2, 8, 8, 2.0);
    wait_until("the second image is begun", || show.begun() == 2);
    drop(page);
    wait_until("drawing for a closed page ends", || show.at_work.load(Ordering::SeqCst) == 0);
}

#[test]
fn invalid_requests_are_answered_and_keep_the_connection() {
    let running = serve(&Gradient::slow(0), ServerOptions::default());
    let mut page = Page::open(running.url());
    let fine = request(7, 8, 8, 1.0).to_string();
    for (text, seq, expected) in [
        ("{".to_owned(), None, "request: EOF while parsing"),
        ("[]".to_owned(), None, "request: invalid length 0"),
        (fine.replace("seq", "sec"), None, "request: unknown field `sec`"),
        (fine.replace("light", "lihgt"), Some(7), "request: unknown field `lihgt`"),
        (fine.replace("2.0", "NaN"), None, "request: expected value"),
        (fine.replace("2.0", "1e999"), Some(7), "request: number out of range"),
        (fine.replace("2.0", "1e99"), Some(7), "view.light: [1.0, 1e99, 1.0]\n    give finite numbers"),
        (fine.replace("\"height\":8", "\"height\":0"), Some(7), "view.height: 0\n    give 1 to 4096 pixels"),
        (request(8, 4096, 4096, 1.0).to_string(), Some(8), "view.width, view.height: 4096 x 4096 = 16777216 pixels\n"),
        (fine.replace("\"light\"", "\"colouring\":\"dark\",\"light\""), Some(7), "colouring: dark\n    choose light"),
        (fine.replace("[1.0,2.0,1.0]", "[-1,-1,-1]"), Some(7), "picture: it cannot be drawn: assertion"),
        (fine.replace("[1.0,2.0,1.0]", "[-2,-2,-2]"), Some(7), "light: is rejected too late\n    move it"),
        (
            format!("{fine}{}", " ".repeat(17_000)),
            None,
            &format!("request: {} bytes\n    send at most", 17_000 + fine.len()),
        ),
    ] {
        page.send(text);
        let (answered, error) = page.error();
        assert_eq!(answered, seq, "{error}");
        assert!(error.starts_with(expected), "{error}");
    }
    page.send(fine);
    assert_eq!(page.pictures_until_done(7).last().unwrap().rgba[0], 10);
}

#[test]
fn each_colouring_has_its_legend() {
    let running = serve(&Gradient::slow(0), ServerOptions::default());
    let (host, path) = parts(running.url());
    let ask = |path: &str, query: &str| {
        let (status, answer) = get(running.url(), &format!("{path}legend.json{query}"), &[&format!("Host: {host}")]);
        assert!(answer.contains("nosniff\r\n") && answer.contains("cache-control: no-store\r\n"), "{answer}");
        let body = answer.split_once("\r\n\r\n").unwrap().1.to_owned();
        (status, body)
    };
    let light = r#"{"title":"A gradient","rows":[[[1.0,0.0,0.0],"towards x"],[[0.0,0.2,1.0],"towards z"]]}"#;
    let dark = r#"{"title":"The night","rows":[[[0.0,0.0,0.0],"black & nothing else"]]}"#;
    let unknown = "colouring: \"by day\"\n    give one of light, dark\n";
    let panic = "legend: it cannot be created\n    this is a mistake in Throng; please report it";
    for (query, expected, body) in [
        ("", 200, light),
        ("?colouring=light", 200, light),
        ("?colouring=dark", 200, dark),
        ("?colouring=by%20day", 400, unknown.trim_end()),
        ("?colouring=panic", 500, panic),
    ] {
        assert_eq!(ask(path, query), (expected, body.to_owned()), "{query}");
    }
    assert_eq!(ask("/", "?colouring=dark"), (404, String::new()));
    let url = format!("{path}legend.json?colouring=dark");
    assert_eq!(get(running.url(), &url, &["Host: rebound.example"]).0, 403);
}

#[test]
fn binary_and_huge_messages_end_the_connection() {
    let show = Gradient::slow(0);
    let running = serve(&show, ServerOptions::default());
    for (message, code) in [(Message::binary(vec![1, 2]), 1003), (Message::text("x".repeat(1 << 20)), 1009)] {
        let mut page = Page::open(running.url());
        // The server may close the connection before it has read everything.
        let _ = page.0.send(message);
        assert!(matches!(page.hear(), Said::End(Some(end)) if end == code));
    }
    assert_eq!(show.begun(), 0);
}

#[test]
fn a_surplus_page_is_refused_and_may_reconnect() {
    let running = serve(&Gradient::slow(0), ServerOptions::default());
    let mut pages: Vec<Page> = (0..16).map(|_| Page::open(running.url())).collect();
    for page in &mut pages {
        page.ask(1, 4, 4, 1.0);
        page.pictures_until_done(1);
    }
    let mut other = Page::open(running.url());
    let (seq, error) = other.error();
    assert_eq!(seq, None);
    assert!(error.starts_with("pages: 16 are open, and no more are allowed\n    close another one"), "{error}");
    assert!(matches!(other.hear(), Said::End(Some(1013))));
    pages.pop();
    wait_until("there is room for another page", || {
        let mut page = Page::open(running.url());
        page.ask(1, 4, 4, 1.0);
        matches!(page.hear(), Said::Picture(_))
    });
}

#[test]
fn two_pages_receive_separate_images() {
    let running = serve(&Gradient::slow(3), ServerOptions::default());
    let mut pages = [Page::open(running.url()), Page::open(running.url())];
    for seq in 1..=20 {
        for (i, page) in (0..).zip(&mut pages) {
            page.ask(seq, 8 + i, 8, f64::from(10 * i + 1));
        }
    }
    for (i, page) in (0..).zip(&mut pages) {
        for picture in page.pictures_until_done(20) {
            assert_eq!(u32::from(picture.rgba[0]), 100 * i + 10);
            assert!(picture.samples == 1 || picture.width == 8 + i);
        }
    }
}

#[test]
fn a_page_that_does_not_read_delays_neither_other_pages_nor_shutdown() {
    let show = Gradient::slow(0);
    let options = ServerOptions { write_timeout: Duration::from_secs(2), max_pages: 2, ..ServerOptions::default() };
    let running = serve(&show, options);
    // Images of 14 MB exceed the system's buffers for a connection.
    let mut lazy = Page::open(running.url());
    lazy.ask(1, 2_000, 1_800, 1.0);
    wait_until("a whole image waits to be sent", || show.drawn.load(Ordering::SeqCst) >= 2);
    let mut busy = Page::open(running.url());
    for seq in 1..=10 {
        busy.ask(seq, 64, 64, 2.0);
        assert_eq!(busy.pictures_until_done(seq).last().unwrap().rgba[0], 20);
    }
    let mut next = None;
    wait_until("the page that does not read has been given up, so there is room for another", || {
        let mut page = Page::open(running.url());
        page.ask(1, 4, 4, 1.0);
        next = matches!(page.hear(), Said::Picture(_)).then_some(page);
        next.is_some()
    });
    // The connection ends in the middle of an image.
    let first_end = (0..10).find_map(|_| match lazy.hear() {
        Said::End(code) => Some(code),
        _ => None,
    });
    assert_eq!(first_end, Some(None));

    wait_until("nothing is drawn", || show.at_work.load(Ordering::SeqCst) == 0);
    let drawn = show.drawn.load(Ordering::SeqCst);
    let mut lazy = next.unwrap();
    lazy.ask(2, 2_000, 1_800, 1.0);
    wait_until("a whole image waits to be sent", || show.drawn.load(Ordering::SeqCst) >= drawn + 2);
    running.stop();
    assert!(matches!(busy.hear(), Said::End(Some(1001))));
}
