//! Networks: an accepted network can be written in both versions and read again.

use throng_core::Warnings;
use throng_matsim::formats::network::read_network_from;
use throng_matsim::formats::network_writer::{NetworkVersion, convert_network, write_network};
use throng_traffic_scenario::ModeTable;

/// Tries one input.
pub fn check(data: &[u8]) -> bool {
    let mut modes = ModeTable::default();
    let Ok(network) = read_network_from(data, "network.xml", &mut modes, &mut Warnings::new()) else { return false };
    for version in [NetworkVersion::V1, NetworkVersion::V2] {
        let whole = write_network(&network, &modes, version, Vec::new()).expect("a vector cannot refuse bytes");
        let streamed = convert_network(data, "network.xml", version, Vec::new(), &mut Warnings::new());
        let (streamed, _) = streamed.expect("it was accepted before").expect("a vector cannot refuse bytes");
        for text in [whole, streamed] {
            let again =
                read_network_from(&text[..], "again.xml", &mut ModeTable::default(), &mut Warnings::new()).unwrap();
            assert_eq!((again.nodes(), again.links()), (network.nodes(), network.links()));
        }
    }
    true
}
