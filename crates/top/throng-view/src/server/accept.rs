//! Accepting connections: any program on this computer may open them, and none may keep others out.

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

/// Maximum number of connections that are open at once, besides those of pages.
const MAX_CONNECTIONS: usize = 64;
/// The time after which a connection is accepted again when the system has refused one, for example because the process has
/// too many files open.
const PAUSE: Duration = Duration::from_millis(50);

/// A connection, until it is closed or becomes the WebSocket of a page.
struct Connection {
    task: JoinHandle<()>,
    /// Whether the answer to a request is being made.
    is_busy: Arc<AtomicBool>,
}

/// Connections in the order in which they were opened.
#[derive(Default)]
struct Connections(VecDeque<Connection>);

impl Connections {
    /// Adds a connection. When there are too many, the oldest one that waits for a request is closed, or else the oldest one:
    /// a browser asks as soon as it is connected.
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

/// Serves requests until the stop signal, then completes the answers that are being made, within `parting`.
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
            // Of one connection, which is gone.
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
    // Otherwise the system would wait for more to send, while someone moves a slider.
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
    // The time counts from the end of the last answer on as well.
    http.timer(TokioTimer::new()).header_read_timeout(request_timeout);
    let connection = http.serve_connection(TokioIo::new(stream), answer).with_upgrades();
    // An error is that of a client, which has noticed it.
    let task = tokio::spawn(async move { drop(connection.await) });
    Connection { task, is_busy }
}
