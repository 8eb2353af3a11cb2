//! The collision check over all domains.

use std::thread;

use rayon::prelude::*;
use throng_core::InputError;

use super::super::cpu::{Options, check_longest_step};
use super::super::scene::Scene;
use super::super::start::check_start;
use super::super::walls::WallIndex;
use super::super::ways::fill_ways;
use super::balance::{Balance, Load};
use super::domain::{Common, Domain, Snapshot, SnapshotDisc, bounded};
use super::exchange::{InProcess, Mailboxes};
use super::partition::Partition;

/// [`CollisionCheck`](super::super::CollisionCheck) in several domains of one process, a thread each.
#[derive(Debug)]
pub struct DomainCheck {
    scene: Scene,
    index: WallIndex,
    options: Options,
    longest_step: i32,
    partition: Partition,
    domains: Vec<Domain>,
    at: [Vec<i32>; 2],
    accepted: Vec<bool>,
    steps: u64,
    balance: Balance,
}

impl DomainCheck {
    /// A check in `domains` domains of about equally many discs, that starts with these positions.
    ///
    /// # Errors
    /// As for [`CollisionCheck::new`](super::super::CollisionCheck::new); also when steps have no longest length.
    pub fn new(scene: Scene, at: [Vec<i32>; 2], options: Options, domains: usize) -> Result<Self, InputError> {
        let longest_step = bounded(options.longest_step)?;
        let reach = check_longest_step(&options)?.max(scene.radii.largest());
        let index = WallIndex::new(&scene.world, &scene.walls, reach)?;
        check_start(&scene, &index, at.each_ref().map(Vec::as_slice), options.lattice.as_ref())?;
        let partition = Partition::bisect(&scene.world, domains, &weighed(&at, |_| 1.0));
        let mut check = Self {
            accepted: vec![false; at[0].len()],
            scene,
            index,
            options,
            longest_step,
            partition,
            domains: Vec::new(),
            at,
            steps: 0,
            balance: Balance::default(),
        };
        check.distribute();
        Ok(check)
    }

    /// The positions: x and y of every disc, units.
    pub fn at(&self) -> &[Vec<i32>; 2] {
        &self.at
    }

    /// For each disc whether it moved to where it wished to be in the last step.
    pub fn accepted(&self) -> &[bool] {
        &self.accepted
    }

    /// The partition of the world.
    pub fn partition(&self) -> &Partition {
        &self.partition
    }

    /// What each domain did in the last step.
    pub fn loads(&self) -> Vec<Load> {
        self.domains.iter().map(Domain::load).collect()
    }

    /// Moves the discs that may move, as [`CollisionCheck::step`](super::super::CollisionCheck::step) does. Returns how
    /// many moved. If the loads have been uneven for long enough that it pays, the world is divided again first.
    ///
    /// # Errors
    /// As for [`CollisionCheck::step`](super::super::CollisionCheck::step).
    pub fn step(&mut self, to: [&[i32]; 2]) -> Result<usize, InputError> {
        if self.balance.should_divide(&self.loads()) {
            self.rebalance();
        }
        let Self { scene, index, options, partition, domains, at, .. } = self;
        let mut ways = vec![[0; 4]; at[0].len()];
        fill_ways(scene, index, options, at, to, &mut ways)?;
        let common = Common {
            world: &scene.world,
            partition,
            radii: &scene.radii,
            rule: options.rule,
            seed: options.seed,
            longest_step: self.longest_step,
        };
        let mailboxes = Mailboxes::new(domains.len());
        let wish = |id: u32| [ways[id as usize][2], ways[id as usize][3]];
        let moved: Vec<Vec<SnapshotDisc>> = thread::scope(|scope| {
            // All threads have to run before any is waited for.
            let mut threads = Vec::with_capacity(domains.len());
            for (number, domain) in domains.iter_mut().enumerate() {
                let exchange = InProcess::new(&mailboxes, number);
                let (common, wish) = (&common, &wish);
                threads.push(scope.spawn(move || domain.step(common, &exchange, wish)));
            }
            threads.into_iter().map(|thread| thread.join().ok().and_then(Result::ok).unwrap_or_default()).collect()
        });
        self.accepted.fill(false);
        for disc in moved.into_iter().flatten() {
            let id = disc.id as usize;
            let wish = [0, 1].map(|axis| if axis == 0 { scene.world.x } else { scene.world.y }.inside(to[axis][id]));
            self.accepted[id] = disc.at == wish;
            [self.at[0][id], self.at[1][id]] = disc.at;
        }
        self.steps += 1;
        Ok(self.accepted.par_iter().filter(|&&accepted| accepted).count())
    }

    /// Divides the world again, such that the domains have equal loads: every disc weighs as much as the discs of its
    /// domain did in the last step.
    pub fn rebalance(&mut self) {
        let weight = |domain: &Domain| domain.load().cost() / (domain.load().discs.max(1) as f64);
        let weights: Vec<f64> = self.domains.iter().map(weight).collect();
        let weigh = |at: [i32; 2]| weights[self.partition.domain_of(at)].max(1.0);
        let partition = Partition::bisect(&self.scene.world, self.domains.len(), &weighed(&self.at, weigh));
        self.partition = partition;
        self.distribute();
    }

    /// The state of every domain.
    pub fn snapshots(&self) -> Vec<Snapshot> {
        self.domains.iter().map(Domain::snapshot).collect()
    }

    /// Gives every disc to the domain that contains it.
    fn distribute(&mut self) {
        let mut discs = vec![Vec::new(); self.partition.rectangles().len()];
        for (id, (&x, &y)) in self.at[0].iter().zip(&self.at[1]).enumerate() {
            discs[self.partition.domain_of([x, y])].push(SnapshotDisc { id: id as u32, at: [x, y] });
        }
        let rectangles = self.partition.rectangles().iter().zip(discs).enumerate();
        self.domains = rectangles
            .map(|(number, (&rectangle, discs))| Domain::new(number, Snapshot { rectangle, discs, steps: self.steps }))
            .collect();
    }

    /// A check that goes on from the states of its domains.
    ///
    /// # Errors
    /// As for [`DomainCheck::new`]; also when a disc is in no domain, or in two.
    pub fn restore(scene: Scene, options: Options, snapshots: Vec<Snapshot>) -> Result<Self, InputError> {
        let discs = scene.radii.discs();
        let mut at = [vec![i32::MIN; discs], vec![i32::MIN; discs]];
        let mut found = 0;
        for disc in snapshots.iter().flat_map(|snapshot| &snapshot.discs) {
            let id = disc.id as usize;
            if id >= discs || at[0][id] != i32::MIN {
                let message =
                    if id >= discs { format!("there are {discs} discs") } else { "is in two domains".to_owned() };
                return Err(InputError::one(format!("disc {id}"), message, "restore the snapshots of one moment"));
            }
            [at[0][id], at[1][id]] = disc.at;
            found += 1;
        }
        if found < discs {
            let message = format!("{found} of {discs} discs");
            return Err(InputError::one("snapshots", message, "restore the snapshots of all domains"));
        }
        let steps = snapshots.first().map_or(0, |snapshot| snapshot.steps);
        let partition = Partition::of(snapshots.iter().map(|snapshot| snapshot.rectangle).collect());
        let mut check = Self::new(scene, at, options, 1)?;
        check.steps = steps;
        check.partition = partition;
        check.domains =
            snapshots.into_iter().enumerate().map(|(number, snapshot)| Domain::new(number, snapshot)).collect();
        Ok(check)
    }
}

/// The positions with a load each.
fn weighed(at: &[Vec<i32>; 2], weigh: impl Fn([i32; 2]) -> f64) -> Vec<([i32; 2], f64)> {
    at[0].iter().zip(&at[1]).map(|(&x, &y)| ([x, y], weigh([x, y]))).collect()
}
