//! Interactive web pages, served on this computer, that show scenes and stored simulations rendered on the fly.
//!
//! * [`Show`] is the content of a page: it receives the [`View`] that a page requests, and returns images.
//! * [`SceneShow`] is the show of a scene file, and [`RunShow`] that of a stored run of a model.
//! * [`Server`] sends the page and the images to browsers on this computer.
//!
//! ```
//! use std::path::Path;
//! use std::sync::Arc;
//!
//! use throng_device::DeviceChoice;
//! use throng_render::SceneFile;
//! use throng_view::{SceneShow, Server, ServerOptions};
//!
//! # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../.."))?;
//! let file = SceneFile::read(&Path::new("examples/spheres/scenario.toml").into(), &[])?;
//! let show = SceneShow::new(&file, DeviceChoice::Auto, 2)?;
//! let server = Server::bind(Arc::new(show), ServerOptions::default())?;
//! println!("open {} in a browser", server.url());
//! # assert!(server.url().starts_with("http://127.0.0.1:"));
//! let running = server.spawn()?;
//! // The program waits here, or calls `Server::run` instead of `spawn`.
//! running.stop();
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The page itself consists of static files embedded in the program. It needs no network, and cannot be requested from
//! other computers. Its address contains a random token, so that neither other users of this computer nor pages of
//! other sites can read it. [`open_browser`] opens the page; [`protocol`] describes the messages between page and
//! server.
//!
//! # Your own show
//!
//! The work for a view returns progressively better images until it is done, or until the view is obsolete:
//!
//! ```
//! use throng_core::InputError;
//! use throng_view::{Description, Frame, Show, View, Work};
//!
//! /// Shows one colour.
//! struct Grey;
//!
//! impl Show for Grey {
//!     fn description(&self) -> Description {
//!         Description { title: "Grey".to_owned(), ..Description::default() }
//!     }
//!
//!     fn begin(&self, view: &View) -> Result<Box<dyn Work>, InputError> {
//!         Ok(Box::new(Once(Some(view.clone()))))
//!     }
//! }
//!
//! /// The view to draw; `None` after its image.
//! struct Once(Option<View>);
//!
//! impl Work for Once {
//!     fn next(&mut self, _is_obsolete: &(dyn Fn() -> bool + Sync)) -> Option<Result<Frame, InputError>> {
//!         let View { width, height, .. } = self.0.take()?;
//!         let rgba = [128, 128, 128, 255].repeat(width as usize * height as usize);
//!         Some(Ok(Frame { width, height, samples: 1, rgba, time: None, device: None }))
//!     }
//! }
//!
//! assert_eq!(Grey.description().title, "Grey");
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
