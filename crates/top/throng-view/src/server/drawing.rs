//! The thread that draws the images of a page.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use throng_core::{InputError, panic_text};

use super::outbox::Outbox;
use super::requests::Requests;
use crate::Show;
use crate::protocol::{Refusal, Request, picture};

/// How long the thread waits for the next request before it improves a first image. During a movement, a page sends the
/// next request as soon as it has shown an image; the pause keeps the cores free for sending and showing it.
const PAUSE: Duration = Duration::from_millis(40);

/// Draws the newest request, repeatedly, until the page is closed.
pub(super) fn draw_newest(show: &dyn Show, requests: &Requests, outbox: &Outbox) {
    while let Some(request) = requests.take() {
        // A panic in a show only affects the current image, neither the page nor other pages.
        let drawn = catch_unwind(AssertUnwindSafe(|| draw(show, &request, requests, outbox)));
        let error = match drawn {
            Ok(Ok(())) => continue,
            Ok(Err(error)) => error,
            Err(panic) => {
                let message = format!("it cannot be drawn: {}", panic_text(panic.as_ref()));
                InputError::one("picture", message, "this is a mistake in Throng; please report it")
            }
        };
        outbox.put_error(&Refusal { seq: Some(request.seq), error });
    }
}

/// Draws the stages of an image, until there is no better one or a newer request arrives.
fn draw(show: &dyn Show, request: &Request, requests: &Requests, outbox: &Outbox) -> Result<(), InputError> {
    let start = Instant::now();
    let mut work = show.begin(&request.view)?;
    let is_obsolete = || requests.has_newer();
    let (mut is_first, mut has_failed) = (true, false);
    while !is_obsolete() {
        let frame = match work.next(&is_obsolete) {
            None => break,
            Some(Ok(frame)) => frame,
            Some(Err(_)) if has_failed => break,
            Some(Err(error)) => {
                outbox.put_error(&Refusal { seq: Some(request.seq), error });
                has_failed = true;
                continue;
            }
        };
        has_failed = false;
        let microseconds = start.elapsed().as_micros().try_into().unwrap_or(u32::MAX);
        outbox.put_picture(picture(request.seq, &frame, microseconds)?);
        if is_first && requests.has_newer_within(PAUSE) {
            break;
        }
        is_first = false;
    }
    Ok(())
}
