//! The server of the page, the page in a browser, and what is shown.

mod access;
mod browser;
mod exhaustive;
mod limits;
mod shows;
mod support;
mod transport;
