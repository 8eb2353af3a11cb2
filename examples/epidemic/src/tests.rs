//! Epidemics with a known course.

use throng::device::Executor;
use throng::model::StepModel as _;

use crate::{Epidemic, Health, Scenario};

fn course(scenario: &Scenario, days: usize) -> Vec<Health> {
    let mut executor = Epidemic::executor(&Executor::cpu(), scenario, Epidemic::start(scenario).unwrap()).unwrap();
    let day = |_| {
        executor.step().unwrap();
        executor.state().unwrap()
    };
    (0..days).map(day).collect()
}

#[test]
fn certain_recovery_takes_a_day() {
    let scenario = Scenario { infection: 0.0, recovery: 1.0, infectious: 300, ..Scenario::default() };
    let after = course(&scenario, 2);
    assert_eq!(after[0], after[1]);
    assert!(after[0][0].iter().enumerate().all(|(person, &health)| health == if person < 300 { 2 } else { 0 }));
}

/// With certain infection and without recovery, a fraction p of infectious persons becomes p + (1 - p) p per day on
/// average.
#[test]
fn infections_grow_by_the_expected_fraction_per_day() {
    let scenario =
        Scenario { infection: 1.0, recovery: 0.0, persons: 100_000, infectious: 20_000, ..Scenario::default() };
    let fractions = course(&scenario, 2).iter().map(|health| Epidemic::measure(health)[1] / 1e5).collect::<Vec<_>>();
    // Five standard deviations of the binomial distribution with 80,000 trials of probability 0.2 are 0.0057 of all
    // persons.
    assert!((fractions[0] - 0.36).abs() < 0.0057, "{fractions:?}");
    let expected = fractions[0] + (1.0 - fractions[0]) * fractions[0];
    assert!((fractions[1] - expected).abs() < 0.0061, "{fractions:?}");
}

#[test]
fn the_book_shows_this_program() {
    let page = std::fs::read_to_string(throng_testing::repository().join("docs/src/write-a-model.md")).unwrap();
    let program = include_str!("main.rs").split_once("use throng").unwrap().1.split_once("\n#[cfg(test)]").unwrap().0;
    assert!(page.contains(program), "copy src/main.rs into docs/src/write-a-model.md");
}
