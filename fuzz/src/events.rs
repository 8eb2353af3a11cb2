//! Event files.

use throng_matsim::formats::events_reader::EventsReader;

/// Tries one input.
pub fn check(data: &[u8]) -> bool {
    let mut events = EventsReader::new(data, "events.xml");
    loop {
        match events.read() {
            Ok(Some(event)) => {
                assert!(event.time_s.is_finite());
                assert!(event.get("type").is_some() && event.attributes().count() >= 2);
            }
            end => return end.is_ok(),
        }
    }
}
