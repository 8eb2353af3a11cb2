//! Rules that change the behaviour of agents.

use throng_device::CPU;
use throng_fields_model::{GroupCounts, Scenario, Simulation};

use super::groups::{TEAMS, counts, scenario};

/// The course of the first agent in each step: 0 without a rule, else one plus the index of the rule.
fn courses(scenario: &Scenario, steps: u32) -> Vec<u16> {
    let mut simulation = Simulation::new(scenario, &CPU).unwrap();
    let course = |_| {
        simulation.step().unwrap();
        simulation.crowds()[0].course(0).unwrap()
    };
    (0..steps).map(course).collect()
}

#[test]
fn rules_change_goals_and_remove_agents() {
    // Red agents flee from blue ones that are near, and keep away for a while; contact removes a blue agent.
    let flee = "rules = [{ near = \"enemy\", within = 4, goals = [\"west\"], pace = 1.5, keep = 3 }]\n";
    let contact = "rules = [{ near = \"reds\", within = 1.5, leave = true }]\n";
    let scenario = scenario(
        TEAMS,
        &[
            ("name = \"reds\"\n", &format!("name = \"reds\"\n{flee}")),
            ("name = \"blues\"\n", &format!("name = \"blues\"\n{contact}")),
        ],
    );
    let mut simulation = Simulation::new(&scenario, &CPU).unwrap();
    let mut removed = 0;
    let mut fled = false;
    for _ in 0..100 {
        simulation.step().unwrap();
        let blues = counts(&simulation)[1];
        assert!(blues.removed >= removed, "none comes back");
        removed = blues.removed;
        fled |= (0..40).any(|agent| simulation.crowds()[0].course(agent) == Some(1));
    }
    assert!(fled && removed > 0, "{removed}");
}

#[test]
fn rules_stay_in_force_for_their_keep_time() {
    let scenario = scenario(
        TEAMS,
        &[(
            "name = \"reds\"\n",
            "name = \"reds\"\nrules = [{ after = 5, before = 10, goals = [\"west\"], keep = 2 }]\n",
        )],
    );
    // Step k begins at (k - 1) / 2: the rule holds from step 11 to step 20, and stays in force until 9.5 + 2.
    let expected: Vec<u16> = (1..=30).map(|step| u16::from((11..=23).contains(&step))).collect();
    assert_eq!(courses(&scenario, 30), expected);
}

#[test]
fn kept_rules_are_not_interrupted_by_earlier_rules() {
    let text = r#"
model = "fields"
grid = { size = [200, 10], cell = 1 }
run = { steps = 60, time_step = 1 }
goals = [{ name = "east", at = [198, 5], radius = 1 }, { name = "west", at = [2, 5], radius = 1 }]
[[agents]]
name = "g"
count = 1
start = { at = [100.5, 5.5], radius = 0.4 }
speed = 1
follow = "flow"
goals = ["east"]
rules = [
    { after = 10, before = 12, pace = 0 },
    { before = 5, goals = ["west"], keep = 40 },
    { before = 20, pace = 0.5, keep = 30 },
]
[output]
frame_every = 0
"#;
    let scenario = scenario(text, &[]);
    // Step k begins at k - 1. The second rule last holds at 4, and the third one at 19, while the second is in force.
    let expected = |step: u32| match step - 1 {
        10 | 11 => 1,
        0..44 => 2,
        44..49 => 3,
        _ => 0,
    };
    assert_eq!(courses(&scenario, 60), (1..=60).map(expected).collect::<Vec<u16>>());
}

#[test]
fn rules_apply_to_agents_at_goals() {
    const VISIT: &str = r#"
        model = "fields"
        grid = { size = [30, 4], cell = 1 }
        run = { steps = 60, time_step = 1 }
        goals = [{ name = "shop", at = [25, 2], radius = 2 }, { name = "home", at = [3, 2], radius = 2 }]
        [[agents]]
        name = "visitors"
        count = 3
        start = { at = [3, 2], radius = 1 }
        speed = 1
        follow = "flow"
        goals = ["shop"]
        rules = [{ after = 50, leave = true }, { after = 25, goals = ["home"] }]
    "#;
    let scenario = scenario(VISIT, &[]);
    let mut simulation = Simulation::new(&scenario, &CPU).unwrap();
    let mut seen = Vec::new();
    for _ in 0..52 {
        simulation.step().unwrap();
        let GroupCounts { walking, arrived, removed, .. } = counts(&simulation)[0];
        seen.push([walking, arrived, removed]);
    }
    // At the shop, on the way home, at home, and removed.
    assert_eq!([seen[23], seen[30], seen[48], seen[51]], [[0, 3, 0], [3, 0, 0], [0, 3, 0], [0, 0, 3]]);
}
