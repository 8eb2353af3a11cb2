//! The connection of a page: receives requests, sends images.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::{CloseFrame, Message, WebSocket, close_code};
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt as _, StreamExt as _};
use throng_core::InputError;
use tokio::time::timeout;

use super::Shared;
use super::drawing::draw_newest;
use super::outbox::{Outbox, Outgoing};
use super::requests::Requests;
use crate::protocol::{MAX_REQUEST_BYTES, Refusal, Request};

/// How long a page may take to receive the closing message.
const PARTING: Duration = Duration::from_secs(1);

/// The end of a connection: code and reason of the closing message, or `None` if the page would not receive one.
type End = Option<(u16, &'static str)>;

/// Serves a page until it is closed, stops reading, violates the protocol, or the server stops.
pub(super) async fn serve(socket: WebSocket, shared: Arc<Shared>) {
    let (mut sink, mut stream) = socket.split();
    let end = match Page::open(&shared) {
        Ok(page) => {
            let mut stop = shared.stop.clone();
            tokio::select! {
                end = page.read(&mut stream) => end,
                end = page.write(&mut sink, shared.write_timeout) => end,
                // This also ends the connection if the sender is gone, so that no stop signal can come.
                _ = stop.wait_for(|&stops| stops) => Some((close_code::AWAY, "throng view has ended")),
            }
        }
        Err(error) => {
            let message = Refusal { seq: None, error }.message();
            let _ = timeout(PARTING, sink.send(Message::Text(message.into()))).await;
            Some((close_code::AGAIN, "no more pages"))
        }
    };
    if let Some((code, reason)) = end {
        let close = Message::Close(Some(CloseFrame { code, reason: reason.into() }));
        // Reads everything that the page has sent. Otherwise, the system would reset the connection, and the page could
        // miss the reason.
        let parting = async {
            if sink.send(close).await.is_ok() {
                while let Some(Ok(_)) = stream.next().await {}
            }
        };
        let _ = timeout(PARTING, parting).await;
    }
}

/// A page and its drawing thread. The thread ends soon after the page is dropped.
struct Page {
    requests: Arc<Requests>,
    outbox: Arc<Outbox>,
}

impl Page {
    /// # Errors
    /// If there are too many pages, or no thread can be started.
    fn open(shared: &Shared) -> Result<Self, InputError> {
        let pages = shared.max_pages;
        let permit = shared.pages.clone().try_acquire_owned().map_err(|_| {
            let message = format!("{pages} are open, and no more are allowed");
            InputError::one("pages", message, "close another one; this one then continues by itself")
        })?;
        let page = Self { requests: Arc::default(), outbox: Arc::default() };
        let (show, requests, outbox) = (shared.show.clone(), page.requests.clone(), page.outbox.clone());
        throng_core::spawn("pictures of a page", move || {
            draw_newest(show.as_ref(), &requests, &outbox);
            // The permit is held until the thread has ended, so that there are never more threads than allowed pages.
            drop(permit);
        })?;
        Ok(page)
    }

    /// Reads requests until the page is closed or violates the protocol.
    async fn read(&self, stream: &mut SplitStream<WebSocket>) -> End {
        loop {
            match stream.next().await {
                Some(Ok(Message::Text(text))) => self.request(&text),
                Some(Ok(Message::Binary(_))) => return Some((close_code::UNSUPPORTED, "requests are text")),
                // The library sends its answer together with the next message, and only while the page reads.
                Some(Ok(Message::Ping(_))) => self.outbox.flush(),
                Some(Ok(Message::Pong(_))) => {}
                Some(Ok(Message::Close(_))) | None => return None,
                Some(Err(_)) => return Some((close_code::SIZE, "a message is too large or invalid")),
            }
        }
    }

    fn request(&self, text: &str) {
        let request = if text.len() > MAX_REQUEST_BYTES {
            let remedy = format!("send at most {MAX_REQUEST_BYTES}");
            Err(Refusal { seq: None, error: InputError::one("request", format!("{} bytes", text.len()), remedy) })
        } else {
            Request::read(text)
        };
        match request {
            Ok(request) => self.requests.put(request),
            Err(refusal) => self.outbox.put_error(&refusal),
        }
    }

    /// Sends images and messages until the page is closed or does not read within the timeout.
    async fn write(&self, sink: &mut SplitSink<WebSocket, Message>, write_timeout: Duration) -> End {
        loop {
            let sent = match self.outbox.take().await {
                Outgoing::Message(message) => timeout(write_timeout, sink.send(message)).await,
                Outgoing::Flush => timeout(write_timeout, sink.flush()).await,
            };
            if !matches!(sent, Ok(Ok(()))) {
                return None;
            }
        }
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        self.requests.close();
    }
}
