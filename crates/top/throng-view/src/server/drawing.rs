//! The thread that draws the pictures of a page.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use throng_core::{InputError, panic_text};

use super::outbox::Outbox;
use super::requests::Requests;
use crate::Show;
use crate::protocol::{Refusal, Request, picture};

/// How long the thread waits for the next request before it improves a first picture. While something moves, a page asks again
/// as soon as it has shown a picture; until then sending and showing it have the cores to themselves.
const PAUSE: Duration = Duration::from_millis(40);

/// Draws what was asked for last, again and again, until there are no more requests.
pub(super) fn draw_newest(show: &dyn Show, requests: &Requests, outbox: &Outbox) {
    while let Some(request) = requests.take() {
        // A picture that makes a show panic costs that picture, and neither the page nor the others.
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

/// Draws the stages of one picture, until there is none that is better or a newer request comes.
fn draw(show: &dyn Show, request: &Request, requests: &Requests, outbox: &Outbox) -> Result<(), InputError> {
    let start = Instant::now();
    let mut work = show.begin(&request.view)?;
    let is_obsolete = || requests.has_newer();
    let mut is_first = true;
    while !is_obsolete() {
        let Some(frame) = work.next(&is_obsolete).transpose()? else { break };
        let microseconds = start.elapsed().as_micros().try_into().unwrap_or(u32::MAX);
        outbox.put_picture(picture(request.seq, &frame, microseconds)?);
        if is_first && requests.has_newer_within(PAUSE) {
            break;
        }
        is_first = false;
    }
    Ok(())
}
