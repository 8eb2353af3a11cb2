//! The scores of MATSim's scenario equil with 100 persons, from Throng's own simulation.

use throng_core::{NoProgress, Warnings};
use throng_evolution::scoring::{DayScore, DayScores, Preferences, ScoreParts};
use throng_matsim::config;
use throng_matsim::formats::network::read_network;
use throng_matsim::formats::population::PopulationReader;
use throng_matsim::load::{Parts, assemble};
use throng_queue::RunOptions;
use throng_queue::cpu::simulate;
use throng_testing::reference_data;
use throng_traffic_scenario::settings::{Compat, FacilitiesSource, Settings};
use throng_traffic_scenario::{ModeTable, Scenario};

fn load() -> Option<Scenario> {
    let (network, plans) = (reference_data("equil100/network.xml")?, reference_data("equil100/plans100.xml")?);
    let config = reference_data("equil100/config.xml")?;
    let mut settings = Settings::default();
    settings.extensions.compat = Compat::Matsim13;
    settings.facilities.source = FacilitiesSource::OnePerActivityLinkInPlansFile;
    settings.scoring = config::from_file(&config).unwrap().settings.scoring;
    let (mut warnings, mut modes) = (Warnings::new(), ModeTable::default());
    let network = read_network(&network, &mut modes, &mut warnings).unwrap();
    let parts = Parts { modes, network, ..Parts::default() };
    let reader = PopulationReader::open(&plans).unwrap();
    Some(assemble(settings, parts, reader, &mut warnings, &NoProgress).unwrap())
}

fn score(scenario: &Scenario) -> Vec<DayScore> {
    let preferences = Preferences::of_scenario(scenario, 1).unwrap();
    let sets = vec![0; scenario.population.persons()];
    let mut scores = DayScores::new(scenario, &preferences, &sets).unwrap();
    simulate(scenario, &mut scores, &RunOptions::default()).unwrap();
    scores.finish().unwrap()
}

/// Scores of iteration 0 that MATSim wrote, and their mean in the table `scorestats`.
#[test]
fn scores_of_equil_are_those_of_matsim() {
    let Some(scenario) = load() else { return };
    let scores = score(&scenario);
    let of = |id| scores[scenario.population.person_ids.get(id).unwrap() as usize];
    for (id, expected, legs) in
        [("1", 53.498_829_102_578_256, -2.075 - 3.9), ("50", 63.694_109_570_990_73, -6.0 * 3430.0 / 3600.0)]
    {
        let DayScore { score, parts } = of(id);
        assert!((score - expected).abs() <= 1e-12, "person {id}: {score}");
        assert!((parts.legs - legs).abs() <= 1e-12, "person {id}: {parts:?}");
        assert_eq!((parts.money, parts.stuck, parts.events), (0.0, 0.0, 0.0));
    }
    assert_eq!(scores.len(), 100);
    let mean = scores.iter().map(|of| of.score).sum::<f64>() / 100.0;
    assert!((mean - 64.756_866_592_912_74).abs() <= 1e-12, "{mean}");
}

/// Person 1 drives over the links 2, 7, 12 and 20 after link 1, and over 21, 22, 23 and 1 after link 20.
#[test]
fn the_first_link_of_a_route_does_not_count() {
    let Some(mut scenario) = load() else { return };
    let before = score(&scenario);
    let set = &mut scenario.settings.scoring.parameters[0];
    set.modes.iter_mut().for_each(|mode| mode.distance_per_m = -0.001);
    let after = score(&scenario);
    let first = scenario.population.person_ids.get("1").unwrap() as usize;
    let [ScoreParts { legs: before, .. }, ScoreParts { legs: after, .. }] = [before, after].map(|of| of[first].parts);
    let there_m = 10_000.0 + 5_000.0 + 10_000.0;
    let back_m = 10_000.0 + 35_000.0 + 10_000.0 + 10_000.0;
    assert!((before - after - 0.001 * (there_m + back_m)).abs() < 1e-9, "{before} {after}");
}
