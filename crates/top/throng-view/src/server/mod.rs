//! The server: on this computer only, for a few pages.

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

/// The time in which connections and threads end when the server stops.
const PARTING: Duration = Duration::from_secs(2);

/// How a server serves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ServerOptions {
    /// The port, or 0 for one that is free.
    pub port: u16,
    /// The most pages at once. Each has a thread that draws.
    pub max_pages: u16,
    /// The time after which a page that does not read is given up.
    pub write_timeout: Duration,
    /// The time in which the headers of a request have to arrive.
    pub request_timeout: Duration,
}

impl Default for ServerOptions {
    /// A free port, 16 pages, 10 seconds for each of both.
    fn default() -> Self {
        let timeout = Duration::from_secs(10);
        Self { port: 0, max_pages: 16, write_timeout: timeout, request_timeout: timeout }
    }
}

/// A server that has its port, but does not answer yet.
pub struct Server {
    url: String,
    listener: TcpListener,
    router: Router,
    runtime: Runtime,
    pages: Arc<Semaphore>,
    options: ServerOptions,
    stop: watch::Sender<bool>,
}

/// What all connections share.
struct Shared {
    show: Arc<dyn Show>,
    address: Address,
    pages: Arc<Semaphore>,
    max_pages: u16,
    /// How many legends may be made at once.
    legends: Arc<Semaphore>,
    write_timeout: Duration,
    stop: watch::Receiver<bool>,
}

impl Server {
    /// Takes the port. Browsers that connect from now on wait until the server runs.
    ///
    /// # Errors
    /// A port that is in use or that this user may not take, a system without random numbers, a description that cannot be
    /// sent.
    pub fn bind(show: Arc<dyn Show>, options: ServerOptions) -> Result<Self, InputError> {
        let refused = |error: io::Error| {
            let message = format!("{} on this computer cannot be taken: {error}", options.port);
            InputError::one("port", message, "give another port, or 0 for one that is free")
        };
        let description = serde_json::to_string(&show.description())
            .map_err(|error| InputError::one("description", error.to_string(), ""))?;
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, options.port)).map_err(refused)?;
        listener.set_nonblocking(true).map_err(refused)?;
        let address = Address::new(listener.local_addr().map_err(refused)?.port())?;
        // One thread is enough: pictures are drawn, and made into messages, by the threads of the pages.
        let runtime = Builder::new_current_thread().enable_all().build().map_err(|error| {
            InputError::resource("server", format!("the system gives no events: {error}"), "end other programs")
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

    /// The address of the page, with its token.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Serves in this thread, as long as the program runs.
    ///
    /// # Errors
    /// When the system takes the port away.
    pub fn run(self) -> Result<(), InputError> {
        let Self { listener, router, runtime, pages, options, stop, .. } = self;
        let stop_seen = stop.subscribe();
        let result = runtime.block_on(serve(listener, router, pages, options, stop_seen));
        // Tasks that have not ended by then are abandoned.
        runtime.shutdown_background();
        result.map_err(|error| InputError::resource("server", error.to_string(), "start it again"))
    }

    /// Serves in a thread of its own.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn spawn(self) -> Result<Running, InputError> {
        let (url, stop) = (self.url.clone(), self.stop.clone());
        let thread = throng_core::spawn("server", move || self.run())?;
        Ok(Running { url, stop, thread: Some(thread) })
    }
}

/// A server in a thread of its own. It stops when this is dropped.
pub struct Running {
    url: String,
    stop: watch::Sender<bool>,
    thread: Option<JoinHandle<Result<(), InputError>>>,
}

impl Running {
    /// The address of the page, with its token.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Stops the server: pages get a closing message, and a few seconds to answer it.
    pub fn stop(self) {}
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop.send_replace(true);
        if let Some(thread) = self.thread.take() {
            // Neither an error nor a panic of the server is of interest any more.
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
    // All pages are free once their threads have ended.
    let _ = timeout(PARTING, pages.acquire_many(options.max_pages.into())).await;
    Ok(())
}
