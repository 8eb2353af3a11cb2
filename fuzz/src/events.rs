//! Event files.

use throng_traffic::matsim::events_reader::EventsReader;

/// Tries one input.
pub fn check(data: &[u8]) {
    let mut events = EventsReader::new(data, "events.xml");
    while let Ok(Some(event)) = events.read() {
        assert!(event.time_s.is_finite());
        assert!(event.get("type").is_some() && event.attributes().count() >= 2);
    }
}
