//! Crowds in domains over many steps: the decisions equal the decisions for the whole crowd, for any rule, border,
//! radii and number of domains, across new partitions, restarts, many concurrent threads, and an exchange from outside
//! the crate.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use proptest::prelude::*;
use throng_collision::domains::{
    Agreement, Balance, Domain, Exchange, Failed, Message, Partition, Snapshot, SnapshotDisc,
};
use throng_collision::{Crowd, DomainCheck, MIN_RADIUS, Options, Radii, Rule, Scene, World};
use throng_core::{Philox, StateHash};
use throng_device::CPU;
use throng_device::neighbours::Boundary;

const STEPS: u32 = 30;

/// Creates a crowd of discs that do not overlap, at lattice points that are random or closest to a corner, with a wall
/// near the middle if `ratio` is above 1.
fn crowd(
    seed: u64,
    side: i32,
    discs: usize,
    ratio: i32,
    boundary: Boundary,
    clustered: bool,
) -> (Scene, [Vec<i32>; 2]) {
    let draws = Philox::new(seed);
    let spacing = 2 * ratio * MIN_RADIUS + 200;
    let columns = (side - 2 * ratio * MIN_RADIUS) / spacing;
    let mut order: Vec<u32> = (0..(columns * columns) as u32).collect();
    if clustered {
        order.sort_by_key(|place| (place % columns as u32).max(place / columns as u32));
    } else {
        order.sort_by_key(|&place| draws.block([place, 0, 1, 0]));
    }
    order.truncate(discs);
    let place = |cell: i32| ratio * MIN_RADIUS + cell * spacing;
    let at = [
        order.iter().map(|&cell| place(cell as i32 % columns)).collect(),
        order.iter().map(|&cell| place(cell as i32 / columns)).collect::<Vec<i32>>(),
    ];
    let radius = |disc: u32| {
        let more = draws.below(((ratio - 1) * MIN_RADIUS + 1) as u32, disc, 0, 0, 0) as i32;
        MIN_RADIUS + more
    };
    let radii = Radii::of_each((0..order.len() as u32).map(radius).collect()).unwrap();
    // Halfway between two rows of lattice points, where no disc is at first.
    let wall = place(columns / 2) + spacing / 2;
    let walls = if ratio == 1 { vec![] } else { vec![[[0, wall], [side / 3, wall]]] };
    let scene = Scene { world: World::new([side, side], boundary).unwrap(), walls, radii };
    // Discs of the largest radius are 100 units away from the wall.
    (scene, at)
}

/// Returns wishes for random steps, with a drift of the whole crowd along the diagonal.
fn wishes(seed: u64, step: u32, at: &[Vec<i32>; 2], longest: i32) -> [Vec<i32>; 2] {
    let draws = Philox::new(seed);
    let reach = longest * 7 / 10;
    let wish = |axis: usize, disc: usize| {
        let drawn = draws.below(2 * reach as u32 + 1, disc as u32, step, axis as u32, 0) as i32 - reach;
        at[axis][disc] + (drawn + reach / 2).min(reach)
    };
    [0, 1].map(|axis| (0..at[axis].len()).map(|disc| wish(axis, disc)).collect())
}

fn slices(columns: &[Vec<i32>; 2]) -> [&[i32]; 2] {
    columns.each_ref().map(Vec::as_slice)
}

fn hash(at: &[Vec<i32>; 2]) -> u64 {
    let mut hash = StateHash::new();
    (0..at[0].len()).for_each(|disc| hash.add(disc as u64, &[at[0][disc] as u64, at[1][disc] as u64]));
    hash.finish()
}

fn sum_of_hashes(snapshots: &[Snapshot]) -> u64 {
    let mut sum = StateHash::new();
    for snapshot in snapshots {
        sum.merge(snapshot.hash());
    }
    sum.finish()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(throng_testing::cases(5)))]

    #[test]
    fn thirty_steps_in_domains_match_the_whole_crowd(
        seed in 0u64..1_000_000, rule in 0usize..3, periodic: bool, clustered: bool, ratio in 1i32..=4,
        discs in 0usize..400, side in 60_000i32..500_000, longest in 10i32..16_384, domains in 0usize..6,
        rebalance_every in 1u32..12, restart_at in 0u32..STEPS
    ) {
        let rule = Rule::ALL[rule];
        let boundary = if periodic { Boundary::Periodic } else { Boundary::Closed };
        let (scene, at) = crowd(seed, side, discs, ratio, boundary, clustered);
        let discs = at[0].len();
        let options = Options { rule, seed, longest_step: Some(longest), lattice: None };
        let domains = [1, 2, 3, 4, 7, 9][domains];
        let mut whole = Crowd::in_units(scene.clone(), at.clone(), Vec::new(), options, &CPU).unwrap();
        let mut parts = DomainCheck::new(scene.clone(), at, options, domains).unwrap();
        prop_assert_eq!(parts.partition().rectangles().len(), domains);
        for step in 0..STEPS {
            if step % rebalance_every == 0 {
                parts.rebalance();
            }
            if step == restart_at {
                let mut snapshots = parts.snapshots();
                prop_assert_eq!(sum_of_hashes(&snapshots), hash(&whole.positions().unwrap()));
                snapshots.reverse();
                parts = DomainCheck::restore(scene.clone(), options, snapshots).unwrap();
            }
            let to = wishes(seed, step, &whole.positions().unwrap(), longest);
            let moved = whole.step(slices(&to)).unwrap();
            prop_assert_eq!(parts.step(slices(&to)).unwrap(), moved, "step {}", step);
            prop_assert_eq!(parts.accepted(), &*whole.granted().unwrap(), "step {}", step);
            prop_assert_eq!(parts.at(), &*whole.positions().unwrap(), "step {}", step);
            let loads = parts.loads();
            prop_assert_eq!(loads.iter().map(|load| load.discs).sum::<u64>(), discs as u64);
            prop_assert!(loads.iter().all(|load| load.ghosts + load.discs <= discs as u64));
            prop_assert!(loads.iter().all(|load| load.rounds == loads[0].rounds));
        }
        prop_assert_eq!(sum_of_hashes(&parts.snapshots()), hash(&whole.positions().unwrap()));
    }
}

/// A crowd that starts in one corner and walks: domains become uneven, and the world is partitioned again
/// automatically.
#[test]
fn walking_crowds_are_divided_again() {
    let (scene, at) = crowd(3, 900_000, 2000, 1, Boundary::Periodic, true);
    let options = Options { rule: Rule::Following, longest_step: Some(12_000), ..Options::default() };
    let mut check = DomainCheck::new(scene.clone(), at.clone(), options, 4).unwrap();
    let mut whole = Crowd::in_units(scene, at, Vec::new(), options, &CPU).unwrap();
    let start = check.partition().clone();
    let mut owners: Vec<usize> = (0..2000).map(|_| usize::MAX).collect();
    let (mut divisions, mut migrants, mut worst) = (0, 0, 1.0f64);
    for step in 0..120 {
        let before = check.partition().clone();
        let to = wishes(5, step, &whole.positions().unwrap(), 12_000);
        assert_eq!(whole.step(slices(&to)).unwrap(), check.step(slices(&to)).unwrap());
        assert_eq!(hash(&whole.positions().unwrap()), sum_of_hashes(&check.snapshots()));
        divisions += usize::from(*check.partition() != before);
        worst = worst.max(Balance::imbalance(&check.loads()));
        for (number, snapshot) in check.snapshots().iter().enumerate() {
            for disc in &snapshot.discs {
                let owner = &mut owners[disc.id as usize];
                migrants += usize::from(*owner != number && *owner != usize::MAX);
                *owner = number;
            }
        }
    }
    assert!(divisions >= 1 && *check.partition() != start, "{divisions} divisions");
    assert!(migrants > 500, "{migrants} discs changed their domain");
    assert!(worst > 1.1, "the loads were uneven at times: {worst}");
    assert_eq!(check.at(), &*whole.positions().unwrap());
}

/// Several checks of many domains at once: more threads than processors, in any order that the system chooses.
#[test]
fn many_threads_change_no_decision() {
    let (scene, at) = crowd(11, 600_000, 1500, 2, Boundary::Periodic, false);
    let options = Options { longest_step: Some(6000), seed: 2, ..Options::default() };
    let run = |domains: usize| {
        let mut check = DomainCheck::new(scene.clone(), at.clone(), options, domains).unwrap();
        let hash_after = |step: u32| {
            let to = wishes(7, step, check.at(), 6000);
            check.step(slices(&to)).unwrap();
            (hash(check.at()), check.accepted().to_vec())
        };
        (0..STEPS).map(hash_after).collect::<Vec<_>>()
    };
    let expected = run(1);
    assert!(expected.iter().all(|(_, accepted)| accepted.contains(&false) && accepted.contains(&true)));
    thread::scope(|scope| {
        let runs: Vec<_> = [2, 9, 16, 33, 64].into_iter().map(|domains| scope.spawn(move || run(domains))).collect();
        for run in runs {
            assert!(run.join().unwrap() == expected);
        }
    });
}

/// An exchange over channels, one for each ordered pair of domains, as in a program with several processes. The domains
/// sum a number by sending it to all others.
struct Channels {
    domain: usize,
    to: Vec<Sender<(u64, Vec<Message>)>>,
    from: Vec<Receiver<(u64, Vec<Message>)>>,
}

impl Channels {
    /// Creates the endpoints of every domain.
    fn all(domains: usize) -> Vec<Self> {
        let mut ends: Vec<Self> =
            (0..domains).map(|domain| Self { domain, to: Vec::new(), from: Vec::new() }).collect();
        for from in 0..domains {
            for to in 0..domains {
                let (sender, receiver) = channel();
                ends[from].to.push(sender);
                ends[to].from.push(receiver);
            }
        }
        ends
    }

    fn receive(&self, from: usize) -> Result<(u64, Vec<Message>), Failed> {
        self.from[from].recv().map_err(|_| Failed)
    }
}

impl Exchange for Channels {
    fn exchange(&self, neighbours: &[usize], outgoing: Vec<Vec<Message>>) -> Result<Vec<Vec<Message>>, Failed> {
        assert!(!neighbours.contains(&self.domain));
        for (&to, messages) in neighbours.iter().zip(outgoing) {
            self.to[to].send((0, messages)).map_err(|_| Failed)?;
        }
        neighbours.iter().map(|&from| Ok(self.receive(from)?.1)).collect()
    }

    fn sum(&self, number: u64) -> Result<u64, Failed> {
        for to in &self.to {
            to.send((number, Vec::new())).map_err(|_| Failed)?;
        }
        (0..self.from.len()).map(|from| Ok(self.receive(from)?.0)).sum()
    }
}

/// Domains that share only an agreement and channels make the same steps as the whole crowd.
#[test]
fn domains_over_another_exchange_match_the_whole_crowd() {
    let (scene, at) = crowd(19, 400_000, 800, 3, Boundary::Periodic, false);
    let longest = 9000;
    for (rule, domains) in [(Rule::Sequential, 2), (Rule::Following, 5), (Rule::Conservative, 7)] {
        let options = Options { rule, seed: 4, longest_step: Some(longest), lattice: None };
        let mut whole = Crowd::in_units(scene.clone(), at.clone(), Vec::new(), options, &CPU).unwrap();
        let targets: Vec<[Vec<i32>; 2]> = (0..STEPS)
            .map(|step| {
                let to = wishes(8, step, &whole.positions().unwrap(), longest);
                whole.step(slices(&to)).unwrap();
                to
            })
            .collect();
        assert!(whole.granted().unwrap().contains(&false) && *whole.positions().unwrap() != at, "{rule:?}");
        let weighed: Vec<([i32; 2], f64)> = (0..at[0].len()).map(|disc| ([at[0][disc], at[1][disc]], 1.0)).collect();
        let partition = Partition::bisect(&scene.world, domains, &weighed).unwrap();
        let agreement =
            Agreement::new(scene.world, &scene.walls, scene.radii.largest(), &options, partition.clone()).unwrap();
        let snapshots = thread::scope(|scope| {
            let run = |(number, exchange): (usize, Channels)| {
                let discs = (0..at[0].len()).map(|id| SnapshotDisc {
                    id: id as u32,
                    at: [at[0][id], at[1][id]],
                    radius: scene.radii.of(id),
                });
                let rectangle = partition.rectangles()[number];
                let own = discs.filter(|disc| partition.domain_of(disc.at) == number).collect();
                let mut domain = Domain::new(number, Snapshot { rectangle, discs: own, steps: 0 });
                let (agreement, targets) = (&agreement, &targets);
                scope.spawn(move || {
                    for to in targets {
                        domain.step(agreement, &exchange, |id| [to[0][id as usize], to[1][id as usize]]).unwrap();
                    }
                    domain.snapshot()
                })
            };
            let threads: Vec<_> = Channels::all(domains).into_iter().enumerate().map(run).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect::<Vec<_>>()
        });
        assert_eq!(sum_of_hashes(&snapshots), hash(&whole.positions().unwrap()), "{rule:?}");
    }
}
