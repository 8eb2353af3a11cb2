//! The newest request of a page.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::protocol::Request;

/// A buffer for one request, between the connection and the drawing thread. A newer request replaces one that has not
/// been taken yet, so a page that sends requests faster than images can be drawn only gets the newest image. The last
/// request stays until it is taken.
#[derive(Default)]
pub(super) struct Requests {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    newest: Option<Request>,
    is_closed: bool,
}

impl State {
    /// Whether the request taken last is the newest, and the buffer is open.
    fn is_current(&self) -> bool {
        !self.is_closed && self.newest.is_none()
    }
}

impl Requests {
    /// Replaces the waiting request.
    pub fn put(&self, request: Request) {
        self.state().newest = Some(request);
        self.changed.notify_one();
    }

    /// Closes the buffer, and discards the waiting request.
    pub fn close(&self) {
        self.state().is_closed = true;
        self.changed.notify_one();
    }

    /// Waits for a request and takes it; `None` once the buffer is closed.
    pub fn take(&self) -> Option<Request> {
        let waits = |state: &mut State| state.is_current();
        let mut state = self.changed.wait_while(self.state(), waits).unwrap_or_else(PoisonError::into_inner);
        if state.is_closed { None } else { state.newest.take() }
    }

    /// Whether the request taken last is obsolete.
    pub fn has_newer(&self) -> bool {
        !self.state().is_current()
    }

    /// Like [`Requests::has_newer`], after waiting up to `limit` for a newer request.
    pub fn has_newer_within(&self, limit: Duration) -> bool {
        let is_current = |state: &mut State| state.is_current();
        let waited = self.changed.wait_timeout_while(self.state(), limit, is_current);
        let (state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        !state.is_current()
    }

    /// Ignores poisoning, because no panic can occur while the state changes.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    fn request(seq: u32) -> Request {
        Request::read(&format!(r#"{{"seq": {seq}, "view": {{"width": 1, "height": 1, "camera": {{}}}}}}"#)).unwrap()
    }

    #[test]
    fn the_newest_request_is_taken_and_the_last_is_never_lost() {
        let requests = Requests::default();
        thread::scope(|scope| {
            scope.spawn(|| (1..=1_000).for_each(|seq| requests.put(request(seq))));
            let mut last = 0;
            while last < 1_000 {
                let seq = requests.take().unwrap().seq;
                assert!(seq > last, "{seq} after {last}");
                last = seq;
            }
        });
        assert!(!requests.has_newer() && !requests.has_newer_within(Duration::from_millis(1)));
        let long = Duration::from_mins(10);
        thread::scope(|scope| {
            scope.spawn(|| requests.put(request(1_001)));
            assert!(requests.has_newer_within(long), "it waits for the request and no longer");
        });
        assert!(requests.has_newer() && requests.has_newer_within(long));
        requests.close();
        assert!(requests.has_newer());
        assert_eq!(requests.take(), None);
    }
}
