//! The network reduced to its junctions: two thirds of the nodes have one way in and one way out, and searches skip
//! them.

use throng_core::NONE;

use throng_traffic_scenario::Network;
use throng_traffic_scenario::routing::Graph;

/// Chains of links between junctions. A driver cannot leave a chain before its end.
#[derive(Debug)]
pub(super) struct Skeleton {
    /// Links of all chains, concatenated.
    links: Vec<u32>,
    /// Position in `links` at which each chain begins; one more entry than chains.
    first: Vec<u32>,
    /// The junctions at the beginning and end of each chain.
    pub(super) from: Vec<u32>,
    to: Vec<u32>,
    /// The chain of each link, and the link's position in `links`.
    chain_and_position: Vec<(u32, u32)>,
    junctions: usize,
}

/// The route between two links, up to the part that needs a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RoutePart {
    /// Straight on along one chain, without a search: a range of positions in `links`.
    Straight(u32, u32),
    /// Along one chain to a junction, by any path to another junction, and along a second chain.
    Search { before: (u32, u32), source: u32, target: u32, after: (u32, u32) },
}

impl Skeleton {
    /// Finds the chains of a strongly connected network with at least one junction.
    pub(super) fn new(network: &Network) -> Self {
        let nodes = network.nodes();
        let (mut ins, mut outs, mut only_out) = (vec![0u32; nodes], vec![0u32; nodes], vec![NONE; nodes]);
        for link in 0..network.links() {
            ins[network.to[link] as usize] += 1;
            outs[network.from[link] as usize] += 1;
            only_out[network.from[link] as usize] = link as u32;
        }
        let mut junction = vec![NONE; nodes];
        let mut junctions = 0;
        for node in 0..nodes {
            if ins[node] != 1 || outs[node] != 1 {
                junction[node] = junctions;
                junctions += 1;
            }
        }
        let mut skeleton = Self {
            links: Vec::with_capacity(network.links()),
            first: vec![0],
            from: Vec::new(),
            to: Vec::new(),
            chain_and_position: vec![(NONE, NONE); network.links()],
            junctions: junctions as usize,
        };
        for start in 0..network.links() as u32 {
            let begin = junction[network.from[start as usize] as usize];
            if begin == NONE {
                continue;
            }
            let chain = skeleton.from.len() as u32;
            let mut link = start;
            let end = loop {
                skeleton.chain_and_position[link as usize] = (chain, skeleton.links.len() as u32);
                skeleton.links.push(link);
                let node = network.to[link as usize] as usize;
                if junction[node] != NONE {
                    break junction[node];
                }
                link = only_out[node];
            };
            skeleton.from.push(begin);
            skeleton.to.push(end);
            skeleton.first.push(skeleton.links.len() as u32);
        }
        skeleton
    }

    /// Returns the junctions and chains as a graph; costs are set later.
    pub(super) fn graph(&self) -> Graph {
        Graph::from_edges(self.junctions, self.from.iter().copied().zip(self.to.iter().copied()))
    }

    /// Returns the number of chains.
    pub(super) fn chains(&self) -> usize {
        self.from.len()
    }

    /// Returns the links of a chain.
    pub(super) fn chain(&self, chain: u32) -> &[u32] {
        self.between((self.first[chain as usize], self.first[chain as usize + 1]))
    }

    /// Returns the links at these positions.
    pub(super) fn between(&self, (from, to): (u32, u32)) -> &[u32] {
        &self.links[from as usize..to as usize]
    }

    /// Returns the route from the end of `start` to the beginning of `end`, two different links.
    pub(super) fn route_part(&self, start: u32, end: u32) -> RoutePart {
        let (chain, at) = self.chain_and_position[start as usize];
        let (last_chain, last) = self.chain_and_position[end as usize];
        if chain == last_chain && at < last {
            return RoutePart::Straight(at + 1, last);
        }
        RoutePart::Search {
            before: (at + 1, self.first[chain as usize + 1]),
            source: self.to[chain as usize],
            target: self.from[last_chain as usize],
            after: (self.first[last_chain as usize], last),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_traffic_scenario::NetworkBuilder;

    #[test]
    fn chains_lead_from_junction_to_junction() {
        // From j to k by way of m and directly, and from k to j.
        let network = NetworkBuilder::new()
            .node("j", 0.0, 0.0)
            .node("m", 0.0, 0.0)
            .node("k", 0.0, 0.0)
            .link("jm", "j", "m", 1.0, 1.0, 1.0, 1.0)
            .link("mk", "m", "k", 1.0, 1.0, 1.0, 1.0)
            .link("jk", "j", "k", 1.0, 1.0, 1.0, 1.0)
            .link("kj", "k", "j", 1.0, 1.0, 1.0, 1.0)
            .build()
            .unwrap();
        let s = Skeleton::new(&network);
        assert_eq!((s.junctions, s.chains()), (2, 3));
        assert_eq!((s.chain(0), s.chain(1), s.chain(2)), (&[0, 1][..], &[2][..], &[3][..]));
        assert_eq!(s.route_part(0, 1), RoutePart::Straight(1, 1), "the next link");
        // From mk back to jm: to k, around, and straight onto the chain of jm.
        let RoutePart::Search { before, source, target, after } = s.route_part(1, 0) else {
            panic!("a search is needed")
        };
        assert_eq!((s.between(before), s.between(after)), (&[][..], &[][..]));
        assert_eq!((source, target), (1, 0));
        // From jm to kj: via mk first.
        let RoutePart::Search { before, source, target, after } = s.route_part(0, 3) else {
            panic!("a search is needed")
        };
        assert_eq!((s.between(before), source, target, s.between(after)), (&[1][..], 1, 1, &[][..]));
    }
}
