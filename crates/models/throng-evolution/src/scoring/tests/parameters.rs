//! Parameter sets.

use throng_traffic_scenario::settings::TypicalDurationScore;

use super::super::parameter_set;
use super::*;

#[test]
fn persons_have_the_parameters_of_their_subpopulation() {
    let set = |name: Option<&str>| ScoringParameters {
        subpopulation: name.map(str::to_owned),
        ..ScoringParameters::default()
    };
    let sets = [set(Some("rich")), set(None), set(Some("poor"))];
    let found = [Some("poor"), Some("rich"), Some("freight"), None].map(|name| parameter_set(&sets, name));
    assert_eq!(found, [Some(2), Some(0), Some(1), Some(1)]);
    assert_eq!(parameter_set(&sets[2..], Some("rich")), None);
}

#[test]
fn scored_activities_have_a_duration_without_utility() {
    let cases: [(f64, f64, TypicalDurationScore, &str); 4] = [
        (0.0, 1.0, TypicalDurationScore::Relative, "typicalDuration: 0\n"),
        (f64::NAN, 1.0, TypicalDurationScore::Relative, "typicalDuration: NaN\n"),
        (60.0, -1.0, TypicalDurationScore::Relative, "priority: -1\n"),
        (
            30.0,
            1.0,
            TypicalDurationScore::Uniform,
            "with typicalDuration 30 s and priority 1, no duration has utility 0",
        ),
    ];
    for (typical_duration_s, priority, score_at_typical_duration, message) in cases {
        let mut set = parameters([]);
        let work = &mut set.activities[WORK as usize];
        let valid = work.clone();
        *work = ActivityParameters { typical_duration_s, priority, score_at_typical_duration, ..valid };
        let result = with_names(|names| Preferences::new(&Scoring::default(), &set, names, &[], 1));
        let error = result.unwrap_err().to_string();
        assert!(error.contains("activity type \"work\"") && error.contains(message), "{error}");
        set.activities[WORK as usize].is_scored = false;
        prepared(&set, 1);
    }
}
