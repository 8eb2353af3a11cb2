//! Event files.
#![no_main]

use libfuzzer_sys::fuzz_target;
use throng_traffic::matsim::events_reader::EventsReader;

fuzz_target!(|data: &[u8]| {
    let mut events = EventsReader::new(data, "events.xml");
    while let Ok(Some(event)) = events.read() {
        assert!(event.time_s.is_finite());
        assert!(event.get("type").is_some() && event.attributes().count() >= 2);
    }
});
