//! The routes of the server, and the headers of all answers.

use std::sync::Arc;

use axum::Router;
use axum::extract::ws::{WebSocket, WebSocketUpgrade};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{MethodRouter, get};

use super::{Shared, connection, legend};
use crate::page::FILES;
use crate::protocol::{MAX_ANSWER_BYTES, MAX_REQUEST_BYTES};

/// The page may only load and run its own files, and no other page may embed it. `'self'` includes the WebSocket.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Headers of all answers.
const HEADERS: [(HeaderName, &str); 5] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    // A page from an earlier version of Throng must not connect to this one.
    (header::CACHE_CONTROL, "no-store"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// Serves the page under the path with its token; all other paths are not found.
pub(super) fn router(shared: &Arc<Shared>, description: String) -> Router {
    let path = |file| shared.address.path(file);
    let mut router = Router::new()
        .route(&path("description.json"), file("application/json", description))
        .route(&path("legend.json"), get(legend::legend))
        .route(&path("socket"), get(socket));
    for page_file in &FILES {
        router = router.route(&path(page_file.name), file(page_file.content_type, page_file.text));
    }
    router
        .fallback(async || StatusCode::NOT_FOUND)
        .layer(from_fn_with_state(shared.clone(), guard))
        .with_state(shared.clone())
}

fn file(content_type: &'static str, text: impl Into<axum::body::Bytes>) -> MethodRouter<Arc<Shared>> {
    let text = text.into();
    get(async move || ([(header::CONTENT_TYPE, content_type)], text))
}

/// Rejects requests that were meant for another host, and adds the headers to every answer.
async fn guard(State(shared): State<Arc<Shared>>, request: Request, next: Next) -> Response {
    let mut response = if shared.address.is_host_of(request.headers()) {
        next.run(request).await
    } else {
        StatusCode::FORBIDDEN.into_response()
    };
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

async fn socket(State(shared): State<Arc<Shared>>, headers: HeaderMap, upgrade: WebSocketUpgrade) -> Response {
    if !shared.address.is_origin_of(&headers) {
        return StatusCode::FORBIDDEN.into_response();
    }
    // Requests slightly above the limit are answered with an error; far larger messages end the connection unread.
    let limit = 4 * MAX_REQUEST_BYTES;
    upgrade
        .max_message_size(limit)
        .max_frame_size(limit)
        // Sends messages immediately. A buffer would only hold more data for pages that do not read.
        .write_buffer_size(0)
        // Answers to pings are queued after an image. There is room for a few; beyond that, only the last ping is
        // answered.
        .max_write_buffer_size(MAX_ANSWER_BYTES + limit)
        .on_upgrade(move |socket: WebSocket| connection::serve(socket, shared))
}
