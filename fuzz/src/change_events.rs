//! Network change events: accepted events are sorted by time and refer to existing links.

use throng_core::{IdTable, Warnings};
use throng_matsim::formats::change_events::read_change_events_from;

/// Tries one input.
pub fn check(data: &[u8]) -> bool {
    let mut links = IdTable::new();
    links.intern("1").unwrap();
    links.intern("2").unwrap();
    let read = read_change_events_from(data, "changes.xml", &links, &mut Warnings::new());
    let Ok(events) = read else { return false };
    assert!(events.is_sorted_by(|a, b| a.time_s <= b.time_s));
    assert!(events.iter().flat_map(|event| &event.links).all(|&link| link < 2));
    true
}
