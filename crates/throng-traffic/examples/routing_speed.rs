//! Scratch: routes on a real network.
use std::time::Instant;
use std::io::Read;
use throng_traffic::{routing::{Router, RouterScratch}, scenario::{Link, ModeId, Network}};
use throng_core::Philox;
fn main() {
    let path = std::env::args().nth(1).unwrap();
    let mut text = String::new();
    flate2::read::MultiGzDecoder::new(std::fs::File::open(path).unwrap()).read_to_string(&mut text).unwrap();
    let mut network = Network::default();
    let attr = |line: &str, name: &str| -> String {
        let key = format!(" {name}=\"");
        let at = line.find(&key).unwrap() + key.len();
        line[at..].split('"').next().unwrap().to_owned()
    };
    for line in text.lines().map(str::trim) {
        if line.starts_with("<node ") {
            network.add_node(&attr(line, "id"), attr(line, "x").parse().unwrap(), attr(line, "y").parse().unwrap()).unwrap();
        } else if line.starts_with("<link ") {
            let node = |n: &str| network.node_ids.get(&attr(line, n)).unwrap();
            let f = |n: &str| attr(line, n).parse().unwrap();
            let link = Link { from: node("from"), to: node("to"), length_m: f("length"), freespeed_mps: f("freespeed"), capacity: f("capacity"), lanes: f("permlanes"), modes: 1 };
            network.add_link(&attr(line, "id"), link).unwrap();
        }
    }
    let t = Instant::now();
    let router = Router::new(&network, ModeId(0), f64::INFINITY);
    println!("{} nodes {} links, router {:?}", network.nodes(), network.links(), t.elapsed());
    let draws = Philox::new(1);
    let n = 20000;
    let mut scratch = RouterScratch::default();
    let links = network.links() as u32;
    for _ in 0..3 {
        let t = Instant::now();
        let mut sum = 0;
        let mut found = 0;
        for i in 0..n {
            if let Some(r) = router.route_with(&mut scratch, draws.below(links, i, 0, 0, 0), draws.below(links, i, 0, 0, 1)) {
                sum += r.links.len();
                found += 1;
            }
        }
        println!("{:?} per query, {} found, {} links on average", t.elapsed() / n, found, sum / found.max(1));
    }
}
