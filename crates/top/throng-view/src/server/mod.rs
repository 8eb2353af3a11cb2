//! The server, which serves a few pages on this computer only.

mod accept;
mod address;
mod connection;
mod drawing;
mod legend;
mod outbox;
mod requests;
mod routes;

use std::io;
use std::net::{Ipv4Addr, TcpListener};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use axum::Router;
use throng_core::InputError;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::{Semaphore, watch};
use tokio::time::timeout;

use self::address::Address;
use crate::Show;

/// How long connections and threads may take to end when the server stops.
const PARTING: Duration = Duration::from_secs(2);

/// Options of a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ServerOptions {
    /// Port number, or 0 for any free port.
    pub port: u16,
    /// Maximum number of open pages. Each has a drawing thread.
    pub max_pages: u16,
    /// Timeout for sending to a page that does not read.
    pub write_timeout: Duration,
    /// Timeout for the headers of a request.
    pub request_timeout: Duration,
}

impl Default for ServerOptions {
    /// Any free port, 16 pages, and timeouts of 10 seconds.
    fn default() -> Self {
        let timeout = Duration::from_secs(10);
        Self { port: 0, max_pages: 16, write_timeout: timeout, request_timeout: timeout }
    }
}

/// A server that listens on its port but does not answer yet.
pub struct Server {
    url: String,
    listener: TcpListener,
    router: Router,
    runtime: Runtime,
    pages: Arc<Semaphore>,
    options: ServerOptions,
    stop: watch::Sender<bool>,
}

/// State shared by all connections.
struct Shared {
    show: Arc<dyn Show>,
    address: Address,
    pages: Arc<Semaphore>,
    max_pages: u16,
    /// Limits the number of legends that are created at the same time.
    legends: Arc<Semaphore>,
    write_timeout: Duration,
    stop: watch::Receiver<bool>,
}

impl Server {
    /// Binds the port. Browsers that connect from now on wait until the server runs.
    ///
    /// # Errors
    /// If the port is in use or not permitted, the system provides no random numbers or event loop, or the description
    /// cannot be serialized.
    pub fn bind(show: Arc<dyn Show>, options: ServerOptions) -> Result<Self, InputError> {
        let refused = |error: io::Error| {
            let message = format!("{} on this computer cannot be used: {error}", options.port);
            InputError::one("port", message, "give another port, or 0 for one that is free")
        };
        let description = serde_json::to_string(&show.description())
            .map_err(|error| InputError::one("description", error.to_string(), ""))?;
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, options.port)).map_err(refused)?;
        listener.set_nonblocking(true).map_err(refused)?;
        let address = Address::new(listener.local_addr().map_err(refused)?.port())?;
        // A single-threaded runtime suffices, because the threads of pages draw images and encode the messages.
        let runtime = Builder::new_current_thread().enable_all().build().map_err(|error| {
            InputError::resource("server", format!("the event loop cannot be created: {error}"), "end other programs")
        })?;

        let ServerOptions { max_pages, write_timeout, .. } = options;
        let pages = Arc::new(Semaphore::new(max_pages.into()));
        let (stop, stop_seen) = watch::channel(false);
        let url = address.url();
        let legends = Arc::new(Semaphore::new(max_pages.into()));
        let shared = Shared { show, address, pages: pages.clone(), max_pages, legends, write_timeout, stop: stop_seen };
        let router = routes::router(&Arc::new(shared), description);
        Ok(Self { url, listener, router, runtime, pages, options, stop })
    }

    /// The URL of the page, including its token.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Serves on the current thread until the program ends.
    ///
    /// # Errors
    /// If the listening socket fails.
    pub fn run(self) -> Result<(), InputError> {
        let Self { listener, router, runtime, pages, options, stop, .. } = self;
        let stop_seen = stop.subscribe();
        let result = runtime.block_on(serve(listener, router, pages, options, stop_seen));
        // Abandons tasks that have not ended yet.
        runtime.shutdown_background();
        result.map_err(|error| InputError::resource("server", error.to_string(), "start it again"))
    }

    /// Serves on a new thread.
    ///
    /// # Errors
    /// If no thread can be started.
    pub fn spawn(self) -> Result<Running, InputError> {
        let (url, stop) = (self.url.clone(), self.stop.clone());
        let thread = throng_core::spawn("server", move || self.run())?;
        Ok(Running { url, stop, thread: Some(thread) })
    }
}

/// A server running on its own thread. It stops when this value is dropped.
pub struct Running {
    url: String,
    stop: watch::Sender<bool>,
    thread: Option<JoinHandle<Result<(), InputError>>>,
}

impl Running {
    /// The URL of the page, including its token.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Stops the server: pages get a closing message, and a second to answer it.
    pub fn stop(self) {}
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop.send_replace(true);
        if let Some(thread) = self.thread.take() {
            // Errors and panics of the server are irrelevant at this point.
            let _ = thread.join();
        }
    }
}

/// Serves requests until the stop signal, then waits for open connections and pages to close.
async fn serve(
    listener: TcpListener,
    router: Router,
    pages: Arc<Semaphore>,
    options: ServerOptions,
    stop: watch::Receiver<bool>,
) -> io::Result<()> {
    let listener = tokio::net::TcpListener::from_std(listener)?;
    accept::accept(listener, router, options.request_timeout, PARTING, stop).await;
    // All permits are available once the threads of all pages have ended.
    let _ = timeout(PARTING, pages.acquire_many(options.max_pages.into())).await;
    Ok(())
}
