//! Throng with an additional model, as small as possible: an epidemic among persons who meet at random.

use throng::model::prelude::*;

step_scenario! {
    /// Everybody meets one person a day.
    pub struct Scenario(days = 100, frame_every = 1, folder = "output/epidemic") {
        /// Number of persons.
        pub persons: u32 = 1000,
        /// Persons who are infectious at the start.
        pub infectious: u32 = 10,
        /// Probability that meeting an infectious person infects.
        pub infection: f64 = 0.4,
        /// Probability that an infectious person recovers in a day.
        pub recovery: f64 = 0.1,
    }
}

/// A column with the health of each person: 0 susceptible, 1 infectious, 2 recovered.
type Health = [Vec<i32>; 1];

struct Epidemic;

impl StepModel for Epidemic {
    type Scenario = Scenario;
    type State = Health;

    const NAME: &str = "epidemic";
    const ABOUT: &str = "An epidemic";
    const STEP: &str = "day";
    const MEASURES: &[Quantity] = &[
        Quantity::count("susceptible", "susceptible", "persons who have not been infected"),
        Quantity::count("infectious", "infectious", "persons who infect others"),
    ];
    const DEVICES: DeviceSupport = DeviceSupport::None;

    fn check(scenario: &Scenario) -> Result<(), InputError> {
        let mut units = WholeUnits::default();
        units.of("persons", scenario.persons.into(), 1, 1.0..=1e7);
        units.of("infectious", scenario.infectious.into(), 1, 0.0..=scenario.persons.into());
        units.of("infection", scenario.infection, 1, 0.0..=1.0);
        units.of("recovery", scenario.recovery, 1, 0.0..=1.0);
        units.finish()
    }

    fn start(scenario: &Scenario) -> Result<Health, Failure> {
        Ok([(0..scenario.persons).map(|person| i32::from(person < scenario.infectious)).collect()])
    }

    fn executor(_: &Executor, scenario: &Scenario, health: Health) -> Result<Box<dyn Steps<State = Health>>, Failure> {
        let Scenario { seed, persons, infection, recovery, .. } = *scenario;
        let draws = Philox::new(seed.into());
        let next = move |[health]: &Health, day: u64| {
            let after = |person: u32| {
                // A draw is a function of seed, person, day and purpose, independent of order and threads.
                let met = draws.below(persons, person, day as u32, 0, 0);
                let chance = draws.unit(person, day as u32, 1, 0);
                match (health[person as usize], health[met as usize]) {
                    (0, 1) if chance < infection => 1,
                    (1, _) if chance < recovery => 2,
                    (unchanged, _) => unchanged,
                }
            };
            [(0..persons).map(after).collect()]
        };
        Ok(Box::new(OnCpu::new(health, next)))
    }

    fn measure([health]: &Health) -> Vec<f64> {
        [0, 1].map(|of| health.iter().filter(|&&health| health == of).count() as f64).to_vec()
    }
}

fn main() -> std::process::ExitCode {
    let mut catalogue = throng::catalogue();
    catalogue.models.push(&Epidemic);
    throng_cli::main_with(&catalogue)
}

#[cfg(test)]
mod tests;
