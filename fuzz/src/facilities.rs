//! Facilities.

use throng_core::{IdTable, Warnings};
use throng_matsim::formats::facilities::read_facilities_from;

/// Tries one input.
pub fn check(data: &[u8]) -> bool {
    let mut links = IdTable::new();
    links.intern("1").unwrap();
    let read = read_facilities_from(data, "facilities.xml", &links, &mut Warnings::new());
    let Ok(facilities) = read else { return false };
    let sizes = [facilities.link.len(), facilities.x.len(), facilities.y.len()];
    assert_eq!(sizes, [facilities.ids.len(); 3]);
    true
}
