//! The collision check over all domains.

use std::panic::resume_unwind;
use std::thread;

use rayon::prelude::*;
use throng_core::{InputError, Problems};

use super::super::options::Options;
use super::super::routes::{check_count, too_long};
use super::super::rules::wish::is_at_wish;
use super::super::scene::Scene;
use super::super::start::{check_start, numbered};
use super::agreement::Agreement;
use super::balance::{Balance, Load, Prediction};
use super::domain::{Domain, Stopped};
use super::exchange::{InProcess, Mailboxes};
use super::partition::Partition;
use super::snapshot::{Snapshot, SnapshotDisc};

/// [`Crowd`](super::super::Crowd) in several domains of one process, with one thread per domain.
#[derive(Debug)]
pub struct DomainCheck {
    scene: Scene,
    options: Options,
    /// Requested number of domains.
    wanted: usize,
    agreement: Agreement,
    domains: Vec<Domain>,
    at: [Vec<i32>; 2],
    accepted: Vec<bool>,
    steps: u64,
    balance: Balance,
}

impl DomainCheck {
    /// Creates a check in `domains` domains with about equal numbers of discs, and with these start positions. There
    /// are fewer domains if the world has fewer cells.
    ///
    /// # Errors
    /// As for [`Crowd::in_units`](super::super::Crowd::in_units); also when steps have no maximum length, or
    /// with more than [`MAX_DOMAINS`](super::MAX_DOMAINS).
    pub fn new(scene: Scene, at: [Vec<i32>; 2], options: Options, domains: usize) -> Result<Self, InputError> {
        let partition = Partition::bisect(&scene.world, domains, &weighed(&at, |_| 1.0))?;
        let agreement = Agreement::new(scene.world, &scene.walls, scene.radii.largest(), &options, partition)?;
        let lattice = options.lattice.as_ref();
        check_start(&scene, &agreement.walls, at.each_ref().map(Vec::as_slice), lattice, &numbered)?;
        let mut check = Self {
            accepted: vec![false; at[0].len()],
            scene,
            options,
            wanted: domains,
            agreement,
            domains: Vec::new(),
            at,
            steps: 0,
            balance: Balance::default(),
        };
        check.distribute();
        Ok(check)
    }

    /// Returns the positions: x and y of every disc, units.
    pub fn at(&self) -> &[Vec<i32>; 2] {
        &self.at
    }

    /// Returns whether each disc's wish was granted in the last step.
    pub fn accepted(&self) -> &[bool] {
        &self.accepted
    }

    /// Returns the world, walls and radii.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// Returns the partition of the world.
    pub fn partition(&self) -> &Partition {
        &self.agreement.partition
    }

    /// Returns the load of each domain in the last step.
    pub fn loads(&self) -> Vec<Load> {
        self.domains.iter().map(Domain::load).collect()
    }

    /// Moves the granted discs, as [`Crowd::step`](super::super::Crowd::step) does. Returns the
    /// number of granted wishes. If a new partition is expected to pay off, the world is partitioned again first.
    ///
    /// # Errors
    /// As for [`Crowd::step`](super::super::Crowd::step); also when the system cannot start a thread
    /// per domain. In either case no disc has moved.
    pub fn step(&mut self, to: [&[i32]; 2]) -> Result<usize, InputError> {
        check_count(self.accepted.len(), to)?;
        let loads = self.loads();
        let mut balance = std::mem::take(&mut self.balance);
        if balance.should_divide(&loads, || self.predict(&self.even_partition())) {
            self.rebalance();
        }
        self.balance = balance;
        let moved = match self.step_of_each(to) {
            Ok(moved) => moved,
            Err(Stopped::TooLong) => {
                return too_long(&self.scene, &self.options, &self.at, to, false).into_result().map(|()| 0);
            }
            Err(Stopped::Failed) => {
                // Some domains may have completed the step.
                self.distribute();
                let message = format!("cannot start a thread for each of {}", self.domains.len());
                return Err(InputError::one("domains", message, "use fewer domains"));
            }
        };
        for SnapshotDisc { id, at, .. } in moved.into_iter().flatten() {
            [self.at[0][id as usize], self.at[1][id as usize]] = at;
        }
        let (world, at) = (&self.scene.world, &self.at);
        self.accepted.par_iter_mut().enumerate().for_each(|(disc, accepted)| {
            *accepted = is_at_wish(world, at[0][disc], at[1][disc], to[0][disc], to[1][disc]);
        });
        self.steps += 1;
        Ok(self.accepted.par_iter().filter(|&&accepted| accepted).count())
    }

    /// Simulates the step of every domain, on one thread each. Returns the moved discs by domain.
    fn step_of_each(&mut self, to: [&[i32]; 2]) -> Result<Vec<Vec<SnapshotDisc>>, Stopped> {
        let Self { agreement, domains, .. } = self;
        let agreement = &*agreement;
        let mailboxes = Mailboxes::new(domains.len());
        let wish = |id: u32| to.map(|axis| axis[id as usize]);
        thread::scope(|scope| {
            // All threads must run before any is joined.
            let mut threads = Vec::with_capacity(domains.len());
            for (number, domain) in domains.iter_mut().enumerate() {
                let exchange = InProcess::new(&mailboxes, number);
                let wish = &wish;
                let step = move || {
                    let result = domain.step(agreement, &exchange, wish);
                    if result != Err(Stopped::Failed) {
                        exchange.done();
                    }
                    result
                };
                // If a thread cannot be started, its exchange is dropped and fails for the running threads.
                threads.push(thread::Builder::new().spawn_scoped(scope, step).map_err(|_| Stopped::Failed));
            }
            let results: Vec<_> =
                threads.into_iter().map(|thread| thread?.join().unwrap_or_else(|panic| resume_unwind(panic))).collect();
            // `TooLong` takes precedence: a domain may report `Failed` only because another one stopped.
            let is_too_long = results.contains(&Err(Stopped::TooLong));
            if is_too_long { Err(Stopped::TooLong) } else { results.into_iter().collect() }
        })
    }

    /// Partitions the world again, so that the domains have equal loads: every disc gets the mean cost of a disc in its
    /// domain in the last step. Returns the number of discs that move to another domain.
    pub fn rebalance(&mut self) -> u64 {
        let partition = self.even_partition();
        let migrants = self.predict(&partition).migrants;
        self.agreement.partition = partition;
        self.distribute();
        migrants
    }

    /// Returns the cost of a disc in each domain.
    fn weights(&self) -> Vec<f64> {
        let weight = |load: Load| if load.discs > 0 { load.cost() / load.discs as f64 } else { 1.0 };
        self.domains.iter().map(|domain| weight(domain.load())).collect()
    }

    /// Returns a partition with equal loads, as far as these are known; the current partition if none is possible.
    fn even_partition(&self) -> Partition {
        let weights = self.weights();
        let weighed = weighed(&self.at, |at| weights[self.agreement.partition.domain_of(at)]);
        Partition::bisect(&self.scene.world, self.wanted, &weighed).unwrap_or_else(|_| self.agreement.partition.clone())
    }

    fn predict(&self, partition: &Partition) -> Prediction {
        let weights = self.weights();
        let mut costs = vec![0.0; partition.rectangles().len()];
        let mut migrants = 0;
        for (&x, &y) in self.at[0].iter().zip(&self.at[1]) {
            let (before, after) = (self.agreement.partition.domain_of([x, y]), partition.domain_of([x, y]));
            costs[after] += weights[before];
            migrants += u64::from(before != after);
        }
        Prediction { largest: costs.into_iter().fold(0.0, f64::max), migrants }
    }

    /// Returns the state of every domain.
    pub fn snapshots(&self) -> Vec<Snapshot> {
        self.domains.iter().map(Domain::snapshot).collect()
    }

    /// Assigns every disc to the domain that contains it.
    fn distribute(&mut self) {
        let mut discs = vec![Vec::new(); self.agreement.partition.rectangles().len()];
        for (id, (&x, &y)) in self.at[0].iter().zip(&self.at[1]).enumerate() {
            discs[self.agreement.partition.domain_of([x, y])].push(SnapshotDisc {
                id: id as u32,
                at: [x, y],
                radius: self.scene.radii.of(id),
            });
        }
        let rectangles = self.agreement.partition.rectangles().iter().zip(discs).enumerate();
        self.domains = rectangles
            .map(|(number, (&rectangle, discs))| Domain::new(number, Snapshot { rectangle, discs, steps: self.steps }))
            .collect();
    }

    /// Creates a check that continues from the states of its domains, in any order.
    ///
    /// # Errors
    /// As for [`DomainCheck::new`]; also when the states do not describe all domains at the same step: rectangles that
    /// do not cover the world once, different numbers of steps, or discs that are missing, in two domains, outside
    /// their domain, or not those of the scene.
    pub fn restore(scene: Scene, options: Options, snapshots: Vec<Snapshot>) -> Result<Self, InputError> {
        const REMEDY: &str = "restore the snapshots of all domains, taken at one moment";
        let rectangles = snapshots.iter().map(|snapshot| snapshot.rectangle).collect();
        let partition = Partition::of(&scene.world, rectangles)?;
        let steps = snapshots.first().map_or(0, |snapshot| snapshot.steps);
        let discs = scene.radii.discs();
        let mut at = [vec![0; discs], vec![0; discs]];
        let mut is_found = vec![false; discs];
        let mut problems = Problems::new();
        for (number, snapshot) in snapshots.iter().enumerate() {
            if snapshot.steps != steps {
                let message = format!("{} steps, domain 0 has made {steps}", snapshot.steps);
                problems.push(format!("domain {number}, steps"), message, REMEDY);
            }
            for disc in &snapshot.discs {
                let id = disc.id as usize;
                let problem = if id >= discs {
                    format!("there are {discs} discs")
                } else if is_found[id] {
                    "is in two domains".to_owned()
                } else if disc.radius != scene.radii.of(id) {
                    format!("has a radius of {} units, and of {} in the scene", disc.radius, scene.radii.of(id))
                } else if !snapshot.rectangle.owns(disc.at) {
                    format!("at {:?} is outside its domain", disc.at)
                } else {
                    is_found[id] = true;
                    [at[0][id], at[1][id]] = disc.at;
                    continue;
                };
                problems.push(format!("domain {number}, disc {id}"), problem, REMEDY);
            }
        }
        let missing = is_found.iter().filter(|&&found| !found).count();
        if missing > 0 {
            problems.push("domains, discs", format!("{missing} of {discs} are missing"), REMEDY);
        }
        problems.into_result()?;
        let mut check = Self::new(scene, at, options, snapshots.len())?;
        check.steps = steps;
        check.agreement.partition = partition;
        check.domains =
            snapshots.into_iter().enumerate().map(|(number, snapshot)| Domain::new(number, snapshot)).collect();
        Ok(check)
    }
}

/// Returns the positions, each with a load.
fn weighed(at: &[Vec<i32>; 2], weigh: impl Fn([i32; 2]) -> f64) -> Vec<([i32; 2], f64)> {
    at[0].iter().zip(&at[1]).map(|(&x, &y)| ([x, y], weigh([x, y]))).collect()
}
