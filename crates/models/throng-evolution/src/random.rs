//! The random numbers of the loop: those of MATSim, in its order, or a function of person and iteration.

use throng_core::{JavaRandom, Philox};

/// The purpose of a random number. The value is part of the counter of [`PersonDraws`]; purposes below 2 belong to the
/// mobility simulation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub enum Purpose {
    /// The strategy of a person.
    Strategy = 2,
    /// A plan without score.
    Unscored = 3,
    /// The plan that a strategy selects.
    Plan = 4,
    /// The plan that is forgotten.
    Removal = 5,
    /// The plan that is selected after the removal of the selected one.
    AfterRemoval = 6,
    /// The change of a time.
    Time = 7,
}

/// A source of random numbers.
pub trait Draws {
    /// Returns a number in `[0, 1)`. Each pair of purpose and index is drawn once for a person and an iteration.
    fn unit(&mut self, purpose: Purpose, index: u32) -> f64;

    /// Returns an integer in `0..bound`; `bound` is positive and at most `i32::MAX`.
    fn below(&mut self, bound: u32, purpose: Purpose, index: u32) -> u32;
}

/// Numbers in the order of the calls.
impl Draws for JavaRandom {
    fn unit(&mut self, _: Purpose, _: u32) -> f64 {
        self.next_double()
    }

    fn below(&mut self, bound: u32, _: Purpose, _: u32) -> u32 {
        self.next_int(bound)
    }
}

/// The random numbers of a person in an iteration, each a function of the seed and a counter. Results therefore do not
/// depend on the order of persons or on the number of threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PersonDraws {
    /// The generator of the seed.
    pub random: Philox,
    /// Person index.
    pub person: u32,
    /// Number of the iteration.
    pub iteration: u32,
}

impl Draws for PersonDraws {
    fn unit(&mut self, purpose: Purpose, index: u32) -> f64 {
        self.random.unit(self.person, self.iteration, purpose as u32, index)
    }

    fn below(&mut self, bound: u32, purpose: Purpose, index: u32) -> u32 {
        self.random.below(bound, self.person, self.iteration, purpose as u32, index)
    }
}

/// MATSim's random numbers: a global generator, and local ones for objects such as routers. All of them are a function
/// of the seed and the iteration.
///
/// MATSim resets them twice in an iteration: at its start, and again before the mobility simulation. Replanning and
/// simulation therefore begin with the same numbers.
///
/// ```
/// use throng_evolution::random::MatsimRandom;
/// let mut random = MatsimRandom::new(4711, 1);
/// // Iteration 1 of seed 4711 is iteration 0 of seed 4712.
/// assert_eq!(random.global.next_double(), MatsimRandom::new(4712, 0).global.next_double());
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct MatsimRandom {
    /// The global generator.
    pub global: JavaRandom,
    /// The seed of the global generator.
    seed: i64,
    /// Number of local generators since the reset.
    locals: i64,
}

impl MatsimRandom {
    /// Distance of the seeds of successive local generators.
    const LOCAL_STEP: i64 = 23;
    /// Numbers that a local generator discards first.
    const LOCAL_DISCARDED: usize = 100;

    /// Returns the generators after the reset of `iteration`; the global one discards its first number. `seed` is
    /// `global.randomSeed`.
    pub fn new(seed: i64, iteration: u32) -> Self {
        let seed = seed.wrapping_add(i64::from(iteration));
        let mut global = JavaRandom::new(seed);
        global.next_double();
        Self { global, seed, locals: 0 }
    }

    /// Returns the next local generator.
    pub fn local(&mut self) -> JavaRandom {
        self.locals += 1;
        let mut random = JavaRandom::new(self.seed.wrapping_add(Self::LOCAL_STEP.wrapping_mul(self.locals)));
        for _ in 0..Self::LOCAL_DISCARDED {
            random.next_double();
        }
        random
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_resets_of_an_iteration_give_the_same_numbers() {
        let mut replanning = MatsimRandom::new(4711, 3);
        let (first, local) = (replanning.global.next_double(), replanning.local());
        let second_local = replanning.local();
        assert_ne!(local, second_local);
        let mut simulation = MatsimRandom::new(4711, 3);
        assert_eq!(simulation.global.next_double(), first);
        assert_eq!(simulation.local(), local, "local generators are numbered anew");
    }

    #[test]
    fn one_number_of_the_global_generator_is_discarded() {
        let mut java = JavaRandom::new(4714);
        java.next_double();
        assert_eq!(MatsimRandom::new(4711, 3).global, java);
    }

    #[test]
    fn draws_of_persons_differ_by_each_part_of_the_counter() {
        let random = Philox::new(1);
        let mut draws = PersonDraws { random, person: 1, iteration: 2 };
        let first = draws.unit(Purpose::Plan, 0);
        assert_eq!(draws.unit(Purpose::Plan, 0), first);
        assert_ne!(draws.unit(Purpose::Plan, 1), first);
        assert_ne!(draws.unit(Purpose::Strategy, 0), first);
        assert_ne!(PersonDraws { person: 2, ..draws }.unit(Purpose::Plan, 0), first);
        assert_ne!(PersonDraws { iteration: 3, ..draws }.unit(Purpose::Plan, 0), first);
        assert!((0..100).all(|index| draws.below(3, Purpose::Time, index) < 3));
    }
}
