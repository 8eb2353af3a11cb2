//! The page in a browser.

use std::fs;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use crate::support::chromium::Browser;
use crate::support::client::{Page, serve};
use crate::support::gradient::{Gradient, pixels};
use crate::support::wait_until;
use throng_view::{Running, ServerOptions};

/// A server and a browser whose page shows an image; `None` if there is no browser.
fn open(show: &Arc<Gradient>) -> Option<(Running, Browser)> {
    let running = serve(show, ServerOptions::default());
    let mut browser = Browser::open(running.url())?;
    browser.wait_for_picture();
    Some((running, browser))
}

/// A JavaScript expression for the bytes of a part of the canvas. It reads a copy, because Chromium warns about
/// canvases that are read often.
fn bytes(width: &str, height: &str) -> String {
    format!(
        "(() => {{
            const canvas = document.getElementById('canvas');
            const copy = new OffscreenCanvas({width}, {height}).getContext('2d', {{ willReadFrequently: true }});
            copy.drawImage(canvas, 0, 0);
            return copy.getImageData(0, 0, {width}, {height}).data;
        }})()"
    )
}

/// A hash of all pixels of the canvas, computed in the page as in [`hash`].
fn hash_of_canvas(browser: &mut Browser) -> f64 {
    let bytes = bytes("canvas.width", "canvas.height");
    browser.number(&format!("{bytes}.reduce((hash, byte) => Math.imul(hash ^ byte, 0x01000193), 0x811c9dc5 | 0) >>> 0"))
}

fn hash(bytes: &[u8]) -> f64 {
    bytes.iter().fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193)).into()
}

#[test]
fn the_page_shows_the_image_and_its_controls() {
    let show = Gradient::slow(0);
    let Some((_running, mut browser)) = open(&show) else { return };
    let view = show.last();
    assert_eq!(view.light, None);
    assert!(view.width > 400 && view.height > 400, "{view:?}");
    assert_eq!(hash_of_canvas(&mut browser), hash(&pixels(&view, view.width, view.height, 64)));
    let text = browser.evaluate("document.body.innerText").to_string();
    for part in [
        "A gradient",
        "towards z",
        "The position of the light",
        "Light x",
        "Field of view",
        "64 samples",
        "drawn on a brush",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    assert_eq!(browser.evaluate("document.title"), "A gradient – Throng");
    assert_eq!(browser.evaluate("document.getElementById('time-text').value"), "0 s");
    // All controls have names for screen readers.
    let nameless = "[...document.querySelectorAll('input, select, button')].filter((one) =>
        !one.labels?.length && !one.getAttribute('aria-label') && !one.textContent.trim()).length";
    assert_eq!(browser.number(nameless), 0.0);
    assert_eq!(browser.problems(), Vec::<String>::new());
}

#[test]
fn the_policy_is_enforced_and_violations_are_detected() {
    let Some((_running, mut browser)) = open(&Gradient::slow(0)) else { return };
    for forbidden in
        ["<p style='color: red'>", "<img src='http://127.0.0.1:9/x.png'>", "<img src='x' onerror='boom()'>"]
    {
        let before = browser.problems().len();
        browser.evaluate(&format!("document.body.insertAdjacentHTML('beforeend', `{forbidden}`)"));
        wait_until(forbidden, || {
            browser.problems()[before..].iter().any(|text| text.contains("Content Security Policy"))
        });
    }
}

#[test]
fn the_last_of_a_thousand_slider_moves_is_shown() {
    let show = Gradient::slow(2);
    let Some((_running, mut browser)) = open(&show) else { return };
    let before = show.begun();
    // Each move is a separate event: batches of ten, for one second.
    let moves = "new Promise((done) => {
        const slider = document.getElementById('light-x');
        let moves = 0;
        const move = () => {
            for (let i = 0; i < 10; i += 1) {
                moves += 1;
                slider.value = 3 + moves / 100;
                slider.dispatchEvent(new Event('input', { bubbles: true }));
            }
            if (moves < 1000) setTimeout(move, 10); else done(moves);
        };
        move();
    })";
    assert_eq!(browser.number(moves), 1_000.0);
    let at_the_end = show.begun();
    // The red value of the first pixel is the x of the light.
    browser.wait_for(&format!("{}[0] === 130", bytes("1", "1")));
    browser.wait_for_picture();
    assert_eq!(show.last().light, Some([13.0, 5.0, 4.0]));
    // One image may have been in progress; after it, only the last one was drawn.
    assert!(show.begun() - at_the_end <= 2, "{} pictures after the last move", show.begun() - at_the_end);
    assert!((2..1_000).contains(&(show.begun() - before)), "{} pictures", show.begun() - before);
    assert_eq!(browser.number("Number(document.getElementById('light-x-number').value)"), 13.0);
    assert_eq!(browser.problems(), Vec::<String>::new());
}

#[test]
fn mouse_and_wheel_move_the_camera() {
    let show = Gradient::slow(0);
    let Some((_running, mut browser)) = open(&show) else { return };
    let first = show.last().camera;
    browser.drag((200.0, 300.0), (300.0, 320.0), 0);
    wait_until("the camera has turned", || show.last().camera.eye[0] < first.eye[0] - 0.5);
    assert_eq!(show.last().camera.target, first.target);
    assert!(browser.number("Number(document.getElementById('azimuth').value)") < -10.0);

    browser.drag((200.0, 300.0), (200.0, 400.0), 8);
    wait_until("the camera has moved", || show.last().camera.target != first.target);
    assert!(show.last().camera.target[1] > first.target[1], "the picture follows the mouse downwards");

    let distance = browser.number("10 ** Number(document.getElementById('distance').value)");
    let wheel = serde_json::json!({"type": "mouseWheel", "x": 300, "y": 300, "deltaX": 0, "deltaY": 200});
    browser.call("Input.dispatchMouseEvent", &wheel);
    browser.wait_for(&format!("10 ** Number(document.getElementById('distance').value) > {distance} * 1.2"));
    assert_eq!(browser.problems(), Vec::<String>::new());
}

#[test]
fn two_fingers_move_and_zoom() {
    let show = Gradient::slow(0);
    let Some((_running, mut browser)) = open(&show) else { return };
    let distance = browser.number("10 ** Number(document.getElementById('distance').value)");
    for (kind, xs) in [("touchStart", &[250.0, 350.0][..]), ("touchMove", &[200.0, 400.0]), ("touchEnd", &[])] {
        let points: Vec<_> = (0..).zip(xs).map(|(id, x)| serde_json::json!({"x": x, "y": 300.0, "id": id})).collect();
        browser.call("Input.dispatchTouchEvent", &serde_json::json!({"type": kind, "touchPoints": points}));
    }
    browser.wait_for(&format!("10 ** Number(document.getElementById('distance').value) < {distance} * 0.6"));
}

#[test]
fn keys_turn_play_reset_and_help() {
    let show = Gradient::slow(0);
    let Some((_running, mut browser)) = open(&show) else { return };
    let first = show.last().camera;
    let azimuth = "Number(document.getElementById('azimuth').value)";
    browser.press("ArrowRight");
    browser.press("ArrowUp");
    assert!((browser.number(azimuth) - 5.0).abs() < 1e-6);
    wait_until("the camera has turned", || show.last().camera.eye[0] > first.eye[0]);
    // After moving back, the camera equals the camera of the scene, up to rounding.
    browser.press("ArrowLeft");
    browser.press("ArrowDown");
    let is_near = |(a, b): (&f64, &f64)| (a - b).abs() < 1e-9;
    wait_until("the camera is back", || show.last().camera.eye.iter().zip(&first.eye).all(is_near));
    browser.press("w");
    wait_until("the camera has moved", || show.last().camera.target[1] > first.target[1]);
    browser.press("r");
    wait_until("the camera is back", || show.last().camera == first);

    // When a slider has the focus, arrow keys move the slider.
    browser.evaluate("document.getElementById('light-y').focus()");
    browser.press("ArrowRight");
    wait_until("the light has moved", || show.last().light.is_some_and(|light| light[1] > 5.0));
    assert_eq!(show.last().camera, first);

    // A light that was not moved, or was moved back, has its position in the scene file.
    browser.press("r");
    wait_until("the light is back", || show.last().light.is_none());
    assert_eq!(browser.number("Number(document.getElementById('light-y').value)"), 5.0);

    browser.press(" ");
    assert_eq!(browser.evaluate("document.getElementById('play').textContent"), "Pause");
    browser.press(" ");
    assert_eq!(browser.evaluate("document.getElementById('play').textContent"), "Play");
    browser.press("h");
    assert_eq!(browser.evaluate("document.getElementById('keys').open"), true);
    browser.press("Escape");
    browser.wait_for("!document.getElementById('keys').open");
    assert_eq!(browser.problems(), Vec::<String>::new());
}

#[test]
fn playing_advances_the_time() {
    let show = Gradient::slow(0);
    let Some((_running, mut browser)) = open(&show) else { return };
    assert_eq!(show.last().time, Some(0.0));
    assert_eq!(browser.evaluate("document.getElementById('speed').value"), "64");
    browser.evaluate("document.getElementById('play').click()");
    wait_until("half a minute has been played", || show.last().time.unwrap() > 30.0);
    browser.wait_for("parseFloat(document.getElementById('time-text').value) > 30");
    browser.wait_for("document.getElementById('time-slider').value > 30");
    browser.evaluate("document.getElementById('play').click()");
    browser.wait_for_picture();
    let paused = show.last().time;
    // By now, the image of an earlier time would have arrived.
    browser.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
    browser.wait_for_picture();
    assert_eq!(show.last().time, paused);
    // At the end, playing stops.
    browser.evaluate(
        "const slider = document.getElementById('time-slider'); slider.value = 7199;
        slider.dispatchEvent(new Event('input')); document.getElementById('play').click()",
    );
    browser.wait_for("document.getElementById('play').textContent === 'Play'");
    wait_until("the end is shown", || show.last().time == Some(7_200.0));
    assert_eq!(browser.problems(), Vec::<String>::new());
}

#[test]
fn an_error_is_shown_until_drawing_succeeds() {
    let show = Gradient::slow(0);
    let Some((_running, mut browser)) = open(&show) else { return };
    let choose = |name: &str| {
        format!(
            "const select = document.getElementById('colouring'); select.value = '{name}';
             select.dispatchEvent(new Event('change'))"
        )
    };
    // Each one is in a block, so that the next one can reuse the names.
    browser.evaluate(&format!("{{ {} }}", choose("dark")));
    browser.wait_for("document.getElementById('message').textContent.startsWith('colouring: dark\\n')");
    assert_eq!(browser.evaluate("document.getElementById('meaning').textContent"), "Nothing at all");
    browser.evaluate(&format!("{{ {} }}", choose("light")));
    browser.wait_for("document.getElementById('message').hidden");
}

#[test]
fn the_legend_matches_the_colouring() {
    let show = Gradient::slow(0);
    let Some((_running, mut browser)) = open(&show) else { return };
    let choose = |browser: &mut Browser, name: &str| {
        browser.evaluate(&format!(
            "{{ const select = document.getElementById('colouring'); select.value = '{name}';
                select.dispatchEvent(new Event('change')) }}"
        ));
    };
    let shown = "[document.title, document.getElementById('title').textContent,
        ...[...document.getElementById('legend').children].map((row) => row.textContent)].join('|')";
    let light = "A gradient – Throng|A gradient|towards x|towards z";
    assert_eq!(browser.evaluate(shown), light);
    choose(&mut browser, "dark");
    browser.wait_for(&format!("{shown} === 'The night – Throng|The night|black & nothing else'"));
    let swatch = "document.querySelector('#legend .swatch').style.backgroundColor";
    assert_eq!(browser.evaluate(swatch), "rgb(0, 0, 0)");
    // The answer to the earlier request arrives after the answer to the last one.
    choose(&mut browser, "slow");
    choose(&mut browser, "light");
    browser.wait_for(&format!("{shown} === '{light}'"));
    show.is_released.store(true, Ordering::SeqCst);
    browser.wait_for("performance.getEntriesByType('resource').some((one) => one.name.endsWith('colouring=slow'))");
    browser.evaluate("new Promise((done) => setTimeout(done))");
    assert_eq!(browser.evaluate(shown), light);
    assert_eq!(browser.problems(), Vec::<String>::new());
}

#[test]
fn the_image_has_the_size_of_the_window_up_to_the_limit() {
    let show = Gradient::slow(0);
    let Some((_running, mut browser)) = open(&show) else { return };
    browser.resize(2_400, 1_300);
    wait_until("a larger image is drawn", || show.last().width > 1_200);
    assert!(show.last().width <= 1_280 && show.last().height <= 800, "{:?}", show.last());
    browser.evaluate(
        "const select = document.getElementById('resolution'); select.value = 0;
        select.dispatchEvent(new Event('change'))",
    );
    wait_until("a smaller image is drawn", || show.last().width <= 480);
    browser.wait_for("document.getElementById('canvas').width <= 480");
    browser.resize(400, 800);
    wait_until("a narrow image is drawn", || show.last().width <= 400);
    assert_eq!(browser.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"), true);
    assert_eq!(browser.problems(), Vec::<String>::new());
}

#[test]
fn wide_and_narrow_pages_are_readable_and_usable_by_keyboard() {
    let show = Gradient::slow(0);
    let Some((_running, mut browser)) = open(&show) else { return };
    for width in [1_280, 390] {
        browser.resize(width, 800);
        browser.wait_for(&format!("window.innerWidth === {width}"));
        let visible = "[...document.querySelectorAll('body *')].filter((one) => one.checkVisibility())";
        let has_text = "[...one.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim())";
        let sizes =
            format!("{visible}.filter((one) => {has_text}).map((one) => parseFloat(getComputedStyle(one).fontSize))");
        assert!(browser.number(&format!("Math.min(...{sizes})")) >= 11.0, "at {width} pixels");
        let is_cut = "getComputedStyle(one).overflowX !== 'visible' && one.scrollWidth > one.clientWidth";
        let cut = format!("{visible}.filter((one) => {is_cut}).map((one) => one.id || one.tagName).join()");
        assert_eq!(browser.evaluate(&cut), "", "at {width} pixels");

        let controls = format!("{visible}.filter((one) => one.matches('button, select, input, canvas'))");
        browser.evaluate("document.activeElement.blur()");
        let count = browser.number(&format!("{controls}.length"));
        let mut reached = std::collections::BTreeSet::new();
        for _ in 0..count as usize + 2 {
            browser.press("Tab");
            let focus = browser.evaluate(
                "document.activeElement === document.body || getComputedStyle(document.activeElement).outlineStyle === 'solid'
                    ? document.activeElement.id : 'without a visible focus'",
            );
            reached.insert(focus.to_string());
        }
        let expected = browser.evaluate(&format!("{controls}.map((one) => one.id)"));
        for control in expected.as_array().unwrap() {
            assert!(reached.contains(&control.to_string()), "{control} at {width} pixels is not among {reached:?}");
        }
        assert!(!reached.contains("\"without a visible focus\""), "at {width} pixels");
    }
    assert_eq!(browser.problems(), Vec::<String>::new());
}

#[test]
fn the_image_is_saved() {
    let show = Gradient::slow(0);
    let Some((_running, mut browser)) = open(&show) else { return };
    let file = browser.allow_downloads().join("files/A gradient.png");
    browser.evaluate("document.getElementById('save').click()");
    wait_until("the image is saved", || fs::read(&file).is_ok_and(|bytes| bytes.starts_with(b"\x89PNG")));
    assert_eq!(browser.problems(), Vec::<String>::new());
}

#[test]
fn a_lost_connection_is_shown() {
    let show = Gradient::slow(0);
    let Some((running, mut browser)) = open(&show) else { return };
    running.stop();
    browser.wait_for(
        "document.getElementById('message').textContent.startsWith('The connection is lost')
            && !document.getElementById('message').hidden",
    );
    assert_eq!(browser.evaluate("document.getElementById('state').textContent"), "not connected");
}

#[test]
fn a_surplus_page_connects_when_another_page_closes() {
    let show = Gradient::slow(0);
    let running = serve(&show, ServerOptions { max_pages: 1, ..ServerOptions::default() });
    let mut other = Page::open(running.url());
    other.ask(1, 8, 8, 1.0);
    other.pictures_until_done(1);
    let Some(mut browser) = Browser::open(running.url()) else { return };
    browser.wait_for("document.getElementById('message').textContent.startsWith('pages: 1 are open')");
    drop(other);
    browser.wait_for_picture();
    browser.wait_for("document.getElementById('message').hidden");
    assert!(show.drawn.load(Ordering::SeqCst) >= 10);
}
