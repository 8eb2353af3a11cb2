//! Accepts connections. Any program on this computer may open them, but none can lock others out.

use std::collections::VecDeque;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::Router;
use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service as _, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};

/// Maximum number of open connections, not counting connections of pages.
const MAX_CONNECTIONS: usize = 64;
/// Pause after the system has failed to accept a connection, for example because the process has too many open files.
const PAUSE: Duration = Duration::from_millis(50);

/// A connection, until it is closed or becomes the WebSocket of a page.
struct Connection {
    task: JoinHandle<()>,
    /// Whether a request is being answered.
    is_busy: Arc<AtomicBool>,
}

/// Connections, in the order in which they were opened.
#[derive(Default)]
struct Connections(VecDeque<Connection>);

impl Connections {
    /// Adds a connection. If there are too many, closes the oldest one that waits for a request, or else the oldest
    /// one: browsers send a request as soon as they are connected.
    fn add(&mut self, connection: Connection) {
        self.0.retain(|open| !open.task.is_finished());
        if self.0.len() >= MAX_CONNECTIONS {
            let waiting = self.0.iter().position(|open| !open.is_busy.load(Ordering::Relaxed));
            if let Some(closed) = self.0.remove(waiting.unwrap_or(0)) {
                closed.task.abort();
            }
        }
        self.0.push_back(connection);
    }
}

/// Serves requests until the stop signal, then completes the pending answers, within `parting`.
pub(super) async fn accept(
    listener: TcpListener,
    router: Router,
    request_timeout: Duration,
    parting: Duration,
    mut stop: watch::Receiver<bool>,
) {
    let mut connections = Connections::default();
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            _ = stop.wait_for(|&stops| stops) => break,
        };
        match accepted {
            Ok((stream, _)) => connections.add(open(stream, router.clone(), request_timeout)),
            // A single connection failed, and is already closed.
            Err(error) if error.kind() == io::ErrorKind::ConnectionAborted => {}
            Err(_) => sleep(PAUSE).await,
        }
    }
    let answered = async {
        for Connection { task, is_busy } in connections.0 {
            if is_busy.load(Ordering::Relaxed) {
                let _ = task.await;
            } else {
                task.abort();
            }
        }
    };
    let _ = timeout(parting, answered).await;
}

fn open(stream: TcpStream, router: Router, request_timeout: Duration) -> Connection {
    // Disables Nagle's algorithm, which would delay messages while a slider is moved.
    let _ = stream.set_nodelay(true);
    let is_busy = Arc::new(AtomicBool::new(false));
    let (busy, router) = (is_busy.clone(), TowerToHyperService::new(router));
    let answer = service_fn(move |request: Request<Incoming>| {
        busy.store(true, Ordering::Relaxed);
        let (busy, answer) = (busy.clone(), router.call(request));
        async move {
            let answer = answer.await;
            busy.store(false, Ordering::Relaxed);
            answer
        }
    });
    let mut http = http1::Builder::new();
    // The timeout also starts after each answer.
    http.timer(TokioTimer::new()).header_read_timeout(request_timeout);
    let connection = http.serve_connection(TokioIo::new(stream), answer).with_upgrades();
    // Errors are caused by the client, which notices them itself.
    let task = tokio::spawn(async move { drop(connection.await) });
    Connection { task, is_busy }
}
