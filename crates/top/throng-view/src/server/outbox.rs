//! The messages waiting to be sent to a page.

use std::sync::{Mutex, PoisonError};

use axum::body::Bytes;
use axum::extract::ws::Message;
use tokio::sync::Notify;

use crate::protocol::Refusal;

/// The next action of the connection.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Outgoing {
    Message(Message),
    /// Send the library's own pending data, such as the answer to a ping.
    Flush,
}

/// A buffer for one image and one error message. A better image replaces one that has not been sent yet, so a page that
/// reads slowly, or not at all, takes the memory of a single image and never blocks the drawing thread.
#[derive(Default)]
pub(super) struct Outbox {
    waiting: Mutex<Waiting>,
    changed: Notify,
}

#[derive(Default)]
struct Waiting {
    picture: Option<Bytes>,
    // Kept apart from the image: an error must not be replaced by an image of an earlier request, or the page would
    // wait forever.
    error: Option<String>,
    flush: bool,
}

impl Outbox {
    /// Replaces the waiting image.
    pub fn put_picture(&self, message: Vec<u8>) {
        self.change(|waiting| waiting.picture = Some(message.into()));
    }

    /// Replaces the waiting error message.
    pub fn put_error(&self, refusal: &Refusal) {
        self.change(|waiting| waiting.error = Some(refusal.message()));
    }

    /// Requests a flush.
    pub fn flush(&self) {
        self.change(|waiting| waiting.flush = true);
    }

    /// Waits for a message or a flush, and takes it.
    pub async fn take(&self) -> Outgoing {
        loop {
            let next = self.change_quietly(|waiting| {
                // Sending a message also flushes.
                let flush = std::mem::take(&mut waiting.flush).then_some(Outgoing::Flush);
                let error = waiting.error.take().map(|text| Message::Text(text.into()));
                let message = error.or_else(|| waiting.picture.take().map(Message::Binary));
                message.map(Outgoing::Message).or(flush)
            });
            if let Some(next) = next {
                return next;
            }
            self.changed.notified().await;
        }
    }

    fn change(&self, change: impl FnOnce(&mut Waiting)) {
        self.change_quietly(change);
        // The notification is stored if no task is waiting.
        self.changed.notify_one();
    }

    fn change_quietly<R>(&self, change: impl FnOnce(&mut Waiting) -> R) -> R {
        change(&mut self.waiting.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[cfg(test)]
mod tests {
    use throng_core::InputError;

    use super::*;

    #[test]
    fn newer_images_replace_older_images_and_errors_are_kept() {
        let outbox = Outbox::default();
        outbox.put_picture(vec![1]);
        outbox.put_error(&Refusal { seq: Some(2), error: InputError::one("light", "dark", "") });
        outbox.put_picture(vec![3]);
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let [first, second] = runtime.block_on(async { [outbox.take().await, outbox.take().await] });
        assert_eq!(first, Outgoing::Message(Message::Text(r#"{"error":"light: dark","seq":2}"#.into())));
        assert_eq!(second, Outgoing::Message(Message::Binary(vec![3].into())));
    }
}
