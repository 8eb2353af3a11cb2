//! Tests that are too slow for the quick tests: the page in a browser.

mod page;
