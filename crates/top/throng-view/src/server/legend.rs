//! The route for the legend of a colouring.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use axum::extract::State;
use axum::http::{StatusCode, Uri, header};
use axum::response::{IntoResponse as _, Response};
use percent_encoding::percent_decode_str;
use throng_core::InputError;
use tokio::sync::oneshot;

use super::Shared;

/// Answers `legend.json?colouring=NAME`.
pub(super) async fn legend(State(shared): State<Arc<Shared>>, uri: Uri) -> Response {
    let json = [(header::CONTENT_TYPE, "application/json")];
    match legend_json(&shared, colouring(&uri)).await {
        Ok(text) => (json, text).into_response(),
        Err((status, message)) => (status, message).into_response(),
    }
}

/// Parses the colouring of a query.
fn colouring(uri: &Uri) -> Option<String> {
    let name = uri.query()?.split('&').find_map(|part| part.strip_prefix("colouring="))?;
    Some(percent_decode_str(name).decode_utf8_lossy().into_owned())
}

/// Creates the legend as JSON in a separate thread, because a colouring may have to read files first, while the server
/// keeps serving other requests.
async fn legend_json(shared: &Arc<Shared>, colouring: Option<String>) -> Result<String, (StatusCode, String)> {
    let failed = |message: String| (StatusCode::INTERNAL_SERVER_ERROR, message);
    let permit = shared.legends.clone().acquire_owned().await.map_err(|error| failed(error.to_string()))?;
    let (sender, receiver) = oneshot::channel();
    let show = shared.show.clone();
    let work = move || {
        let legend = catch_unwind(AssertUnwindSafe(|| show.legend(colouring.as_deref())));
        // The request may have been cancelled in the meantime. A panic drops the sender.
        if let Ok(legend) = legend {
            let _ = sender.send(legend);
        }
        drop(permit);
    };
    throng_core::spawn("a legend", work).map_err(|error| failed(InputError::from(error).to_string()))?;
    match receiver.await {
        Ok(Ok(legend)) => serde_json::to_string(&legend).map_err(|error| failed(error.to_string())),
        Ok(Err(error)) => Err((StatusCode::BAD_REQUEST, error.to_string())),
        Err(_) => {
            Err(failed("legend: it cannot be created\n    this is a mistake in Throng; please report it".to_owned()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_colouring_of_a_query_is_decoded() {
        for (query, expected) in [
            ("", None),
            ("?", None),
            ("?color=red", None),
            ("?colouring=", Some("")),
            ("?a=b&colouring=by%20speed%2B%C3%A4", Some("by speed+ä")),
            ("?colouring=%ff%", Some("\u{fffd}%")),
        ] {
            let uri: Uri = format!("/token/legend.json{query}").parse().unwrap();
            assert_eq!(colouring(&uri).as_deref(), expected, "{query}");
        }
    }
}
