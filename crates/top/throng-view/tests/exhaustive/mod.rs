//! What the quick tests leave out: the page in a browser.

mod page;
