use throng_device::{DeviceId, open};
use throng_traffic::RunOptions;
use throng_traffic::events::{Event, EventLog};
use throng_traffic::scenario::{NetworkBuilder, Scenario, ScenarioBuilder};
use throng_traffic::{cpu, gpu};

fn sorted(log: &EventLog) -> Vec<(u64, Event)> {
    let mut events: Vec<(u64, Event)> = log.events.iter().map(|&(t, e)| (t.to_bits(), e)).collect();
    events.sort_by_key(|(t, e)| (*t, e.kind, e.mode, e.person, e.link, e.detail));
    events
}

#[test]
fn smoke() {
    let network = NetworkBuilder::new()
        .node("1", 0.0, 0.0)
        .node("2", 1000.0, 0.0)
        .node("3", 2000.0, 0.0)
        .node("4", 3000.0, 0.0)
        .link("a", "1", "2", 100.0, 10.0, 7200.0, 1.0)
        .link("b", "2", "3", 100.0, 10.0, 360.0, 1.0)
        .link("c", "3", "4", 100.0, 10.0, 3600.0, 1.0);
    let mut s = ScenarioBuilder::new(network.build());
    for i in 0..20 {
        s = s.person(&format!("p{i}"), |p| {
            p.until("h", "a", 60.0 + f64::from(i / 3))
                .drive("car", &["a", "b", "c"])
                .lasting("i", "c", 30.0)
                .teleport("walk", "c", "a", 100.0, 10.0)
                .stay("w", "a")
        });
    }
    let s = s.build();
    check(&s);
}

fn check(s: &Scenario) {
    let options = RunOptions { hash_every: 50, ..RunOptions::default() };
    let mut a = EventLog::default();
    let x = cpu::simulate(s, &mut a, &options).unwrap();
    let device = open(DeviceId::parse("vulkan").unwrap()).unwrap();
    let mut b = EventLog::default();
    let since = std::time::Instant::now();
    let y = gpu::simulate(s, &mut b, &options, &device).unwrap();
    println!("{:?}", since.elapsed());
    for (label, phase) in device.ledger().phases {
        println!("{label}: {phase:?}");
    }
    let (sa, sb) = (sorted(&a), sorted(&b));
    let differs = sa.iter().zip(&sb).position(|(a, b)| a != b);
    println!("{:?} {:?}", x.stats, y.stats);
    if let Some(i) = differs {
        println!("{i}: {:?} {:?} {:?}", f64::from_bits(sa[i].0), sa[i], sb[i]);
    }
    assert_eq!(sa.len(), sb.len());
    assert_eq!(differs, None);
    assert_eq!(x.hashes, y.hashes);
}
