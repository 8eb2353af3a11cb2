//! Interactive web pages, served on this computer, that show scenes and stored simulations rendered on the fly.
//!
//! * [`Show`] is the content of a page, such as a scene in a ray tracer. It receives the [`View`] that a page requests,
//!   and returns progressively better images.
//! * [`SceneShow`] and [`RunShow`] are Throng's shows, for scene files and for stored runs of models.
//! * [`Server`] sends the page and the images to browsers on this computer, see [`protocol`].
//! * [`open_browser`] opens the page.
//!
//! The page itself consists of static files embedded in the program. It needs no network, and cannot be requested from
//! other computers. Its address contains a random token, so that neither other users of this computer nor pages of
//! other sites can read it.
//!
//! ```
//! use std::sync::Arc;
//!
//! use throng_core::InputError;
//! use throng_view::{Description, Frame, ServerOptions, Server, Show, View, Work};
//!
//! /// Shows one colour.
//! struct Grey;
//!
//! impl Show for Grey {
//!     fn description(&self) -> Description {
//!         let title = "Grey".to_owned();
//!         Description { title, ..Description::default() }
//!     }
//!
//!     fn begin(&self, view: &View) -> Result<Box<dyn Work>, InputError> {
//!         Ok(Box::new(Once(Some(view.clone()))))
//!     }
//! }
//!
//! struct Once(Option<View>);
//!
//! impl Work for Once {
//!     fn next(&mut self, _is_obsolete: &(dyn Fn() -> bool + Sync)) -> Option<Result<Frame, InputError>> {
//!         let View { width, height, .. } = self.0.take()?;
//!         let rgba = [128, 128, 128, 255].repeat(width as usize * height as usize);
//!         Some(Ok(Frame { width, height, samples: 1, rgba, time: None }))
//!     }
//! }
//!
//! let server = Server::bind(Arc::new(Grey), ServerOptions::default())?;
//! assert!(server.url().starts_with("http://127.0.0.1:"));
//! let running = server.spawn()?;
//! // The program waits here, or calls `Server::run` instead of `spawn`.
//! running.stop();
//! # Ok::<(), InputError>(())
//! ```

#![forbid(unsafe_code)]
#![deny(clippy::print_stderr, clippy::print_stdout)]

mod browser;
mod page;
pub mod protocol;
mod server;
mod show;
mod shows;
mod tool;

pub use browser::{Opened, open_browser};
pub use server::{Running, Server, ServerOptions};
pub use show::{Description, Frame, Legend, Show, Slider, View, Work};
pub use shows::{RunShow, SceneShow};
pub use tool::ViewTool;
