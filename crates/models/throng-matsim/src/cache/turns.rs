//! Routes encoded as turns: a byte gives the index of the next link among those out of the current node.
//!
//! This takes about a quarter of the space of link indices, and most bytes are 0 or 1, which compress well. Decoding
//! needs only tables of the size of the network.

use throng_core::NONE;

use throng_traffic_scenario::Network;

/// Marks a link stored in full, as `u32`: first but not the start link, after a gap, or beyond the 255th out of a node.
const FULL_LINK: u8 = u8::MAX;

/// Minimum number of links in a block of routes, except in the last block.
const BLOCK_LINKS: u64 = 1 << 19;

/// The links out of every node, by ascending index.
pub(super) struct Turns<'a> {
    network: &'a Network,
    first: Vec<u32>,
    out: Vec<u32>,
}

impl<'a> Turns<'a> {
    pub(super) fn new(network: &'a Network) -> Self {
        let mut first = vec![0u32; network.nodes() + 1];
        // A nonexistent node has no links. The reader of a cache has already checked that all nodes exist.
        for &from in &network.from {
            if let Some(count) = first.get_mut(from as usize + 1) {
                *count += 1;
            }
        }
        for node in 0..network.nodes() {
            first[node + 1] += first[node];
        }
        let mut next = first.clone();
        let mut out = vec![0; network.links()];
        for (link, &from) in network.from.iter().enumerate() {
            if (from as usize) < network.nodes() {
                let at = &mut next[from as usize];
                out[*at as usize] = link as u32;
                *at += 1;
            }
        }
        Self { network, first, out }
    }

    /// Returns the links out of the end node of `link`; empty for a nonexistent link.
    #[inline]
    fn out_links(&self, link: u32) -> &[u32] {
        let Some(&node) = self.network.to.get(link as usize) else { return &[] };
        let Some(&[first, end]) = self.first.get(node as usize..).and_then(|rest| rest.first_chunk()) else {
            return &[];
        };
        &self.out[first as usize..end as usize]
    }

    /// Appends the encoded route of a leg that starts on the link `start`.
    pub(super) fn encode(&self, start: u32, route: &[u32], out: &mut Vec<u8>) {
        let mut before = None;
        for &link in route {
            let turn = match before {
                None => (link == start).then_some(0),
                // Few links leave a node: a linear search is faster than a lookup table.
                Some(before) => self.out_links(before).iter().position(|&other| other == link),
            };
            if let Some(turn) = turn.and_then(|turn| u8::try_from(turn).ok()).filter(|&turn| turn != FULL_LINK) {
                out.push(turn);
            } else {
                out.push(FULL_LINK);
                out.extend_from_slice(&link.to_le_bytes());
            }
            before = Some(link);
        }
    }

    /// Decodes the route of a leg that starts on the link `start` into `route`, and returns the remaining bytes; `None`
    /// if the bytes are not a valid route.
    pub(super) fn decode<'b>(&self, start: u32, route: &mut [u32], mut bytes: &'b [u8]) -> Option<&'b [u8]> {
        let mut before = None;
        for slot in route {
            let (&turn, rest) = bytes.split_first()?;
            bytes = rest;
            let link = if turn == FULL_LINK {
                let (link, rest) = bytes.split_first_chunk::<4>()?;
                bytes = rest;
                let link = u32::from_le_bytes(*link);
                if link as usize >= self.network.links() && link != NONE {
                    return None;
                }
                link
            } else {
                match before {
                    None if turn == 0 => start,
                    None => return None,
                    Some(before) => *self.out_links(before).get(usize::from(turn))?,
                }
            };
            *slot = link;
            before = Some(link);
        }
        Some(bytes)
    }
}

/// A block of legs whose routes are encoded together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RouteBlock {
    pub(super) legs: std::ops::Range<usize>,
    /// Total number of links of their routes.
    pub(super) links: u64,
}

/// Divides legs into blocks based only on the lengths of the routes, so that reader and writer agree.
pub(super) fn route_blocks(route_len: &[u32]) -> Vec<RouteBlock> {
    let mut blocks = Vec::new();
    let (mut first, mut links) = (0, 0);
    for (leg, &len) in route_len.iter().enumerate() {
        links += u64::from(len);
        if links >= BLOCK_LINKS {
            blocks.push(RouteBlock { legs: first..leg + 1, links });
            (first, links) = (leg + 1, 0);
        }
    }
    if links > 0 {
        blocks.push(RouteBlock { legs: first..route_len.len(), links });
    }
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_traffic_scenario::NetworkBuilder;

    fn network() -> Network {
        let mut builder = NetworkBuilder::new().node("a", 0.0, 0.0).node("b", 1.0, 0.0);
        for i in 0..300 {
            builder = builder.link(&format!("there{i}"), "a", "b", 1.0, 1.0, 1.0, 1.0);
        }
        builder.link("back", "b", "a", 1.0, 1.0, 1.0, 1.0).build().unwrap()
    }

    #[test]
    fn routes_of_all_kinds_are_decoded_unchanged() {
        let network = network();
        let turns = Turns::new(&network);
        for (start, route, bytes) in [
            (0, vec![0, 300, 5, 300], 4),
            (7, vec![0, 300], 6),
            (0, vec![0, 300, 254, 300, 255, 300, 299], 15),
            (0, vec![0, NONE, 3], 11),
            (NONE, vec![NONE], 1),
            (0, vec![], 0),
            (0, vec![0, 1], 6),
        ] {
            let mut out = Vec::new();
            turns.encode(start, &route, &mut out);
            assert_eq!(out.len(), bytes, "{route:?}");
            out.push(77);
            let mut back = vec![0; route.len()];
            assert_eq!(turns.decode(start, &mut back, &out), Some(&[77][..]));
            assert_eq!(back, route);
        }
    }

    #[test]
    fn invalid_route_bytes_are_refused() {
        let network = network();
        let turns = Turns::new(&network);
        for bytes in [&[][..], &[1], &[0, 1], &[FULL_LINK, 1, 0, 0], &[FULL_LINK, 45, 1, 0, 0, 0], &[0, 0]] {
            assert_eq!(turns.decode(0, &mut [0; 3], bytes), None, "{bytes:?}");
        }
    }

    #[test]
    fn blocks_hold_all_legs_with_a_route() {
        let half = BLOCK_LINKS as u32 / 2;
        let blocks = route_blocks(&[0, half, half, 0, 3, 0]);
        let expected = [(0..3, BLOCK_LINKS), (3..6, 3)].map(|(legs, links)| RouteBlock { legs, links });
        assert_eq!(blocks, expected);
        assert_eq!(route_blocks(&[0, 0]), []);
    }
}
