//! Mistakes in groups of agents, their goals and their rules.

use tempfile::TempDir;
use throng_fields_model::{Change, Scenario};

use super::groups::TEAMS;
use super::{changed, saved};

fn error(replaced: &[(&str, &str)], changes: &[&str]) -> String {
    let text = changed(TEAMS, replaced);
    let dir = TempDir::new().unwrap();
    let changes: Vec<Change> = changes.iter().map(|change| Change::typed(*change)).collect();
    Scenario::read(&saved(&dir, &text), &changes).unwrap_err().to_string()
}

#[test]
fn names_of_unreadable_tables_cause_no_further_problems() {
    // A rule, a group, a goal and an entity refer to an item that has another mistake.
    let rule = "rules = [{ near = \"reds\", within = 3, pace = 2 }]\n";
    let blues = format!("name = \"blues\"\n{rule}");
    let found = error(&[("count = 40", "cuont = 40"), ("name = \"blues\"\n", &blues)], &[]);
    assert!(found.contains("agents \"reds\": unknown key \"cuont\"") && !found.contains("there is no"), "{found}");
    let found = error(&[("danger = \"blue presence\"", "dangers = \"blue presence\"")], &[]);
    assert!(found.contains("unknown key \"dangers\"") && !found.contains("wary of blue\"\n"), "{found}");
    let found = error(&[], &["goals.east.radius=wide", "agents.reds.goals=[\"east\"]"]);
    assert!(found.contains("goals \"east\"") && !found.contains("there is no goal"), "{found}");
    let found = error(&[("decay = 0.2", "decoy = 0.2")], &[]);
    assert!(found.contains("decoy") && !found.contains("there is no influence"), "{found}");
    let found = error(&[("[diffusion.scent]", "[diffusoin.scent]")], &[]);
    assert!(found.contains("diffusoin") && !found.contains("does not diffuse"), "{found}");
    // Other mistakes are still found, such as names that the faulty table cannot define.
    let wall = ("shape = \"line\"", "shape = \"line\"\nsells = 1");
    let found = error(&[wall, ("flow = \"wary of blue\"", "flow = \"wary\"")], &[]);
    assert!(found.contains("sells") && found.contains("there is no flow \"wary\""), "{found}");
    let found = error(&[("count = 40", "cuont = 40"), ("spread = 0.2", "spread = 2")], &[]);
    assert!(found.contains("cuont") && found.contains("spread"), "{found}");
}

#[test]
fn mistakes_in_groups_are_reported_with_place_value_and_remedy() {
    let reds = "name = \"reds\"\n";
    let with = |keys: &str| error(&[(reds, &format!("{reds}{keys}\n"))], &[]);
    for (keys, expected) in [
        ("goals = [\"wets\"]", "agents \"reds\", goals: there is no goal \"wets\"\n    did you mean \"west\"?"),
        ("goals = []", "agents \"reds\", goals: an empty list"),
        (
            "rules = [{ after = 1, follow = \"field\", combine = \"red\" }]",
            "combine: there is no combination \"red\"\n    add [combinations.red]",
        ),
        ("spawn = { every = 0 }", "spawn, every: 0\n    expected a finite time above 0"),
        ("rules = [{ goals = [\"west\"] }]", "rule 1: no condition\n    say when it holds"),
        ("rules = [{ near = \"enemy\" }]", "rule 1: within is missing\n    near needs it"),
        (
            "rules = [{ near = \"green\", within = 1 }]",
            "there is no team, group or entity \"green\"\n    known: enemy, red",
        ),
        ("rules = [{ after = 1, within = 2 }]", "within is given\n    a rule without near has no within"),
        ("rules = [{ after = 1, leave = true, pace = 2 }]", "pace is given\n    a rule with leave = true has no pace"),
        ("rules = [{ near = \"enemy\", within = -1 }]", "rule 1, within: -1\n    expected a finite number"),
        (
            "rules = [{ near = \"enemy\", within = 1e30 }]",
            "rule 1, within: 1000000000000000000000000000000\n    give at",
        ),
        (
            "rules = [{ near = \"red base\", within = 3, at_least = 2, leave = true }]",
            "rule 1, at_least: 2\n    near is a single entity",
        ),
        ("rules = [{ after = 10, before = 5, pace = 2 }]", "rule 1, before: 5\n    expected a time above 10"),
        ("spawn = { every = 1, from = 15, until = 5 }", "spawn, until: 5\n    expected 15 or more"),
        (
            "spawn = { every = 1e-9 }",
            "spawn, every: 1e-9, which lets 49500500000 agents enter\n    a group has at most 100000000",
        ),
        (
            "goals = [\"all\", \"east\"]",
            "goals: \"all\" among other names\n    this word stands for several goals: write",
        ),
        ("goals = [\"east\", \"others\"]", "goals: \"others\" among other names"),
        ("rules = [{ after = 5, pace = 5000 }]", "rule 1, pace: 5000 times the speed of 1.5\n    with this time step"),
        ("noise = 1", "noise is given\n    follow = \"flow\" has no noise"),
        ("trail_charge = 1", "trail_charge is given\n    follow = \"flow\" has no trail_charge"),
        ("combine = \"red\"", "combine is given\n    follow = \"flow\" has no combine"),
        ("rules = [{ after = 1, follow = \"field\", flow = \"wary of red\" }]", "rule 1: flow is given"),
        (
            "rules = [{ after = 1, combine = \"red\" }]",
            "rule 1: combine is given\n    follow = \"flow\" has no combine",
        ),
        ("switch_gain = 1", "switch_gain is given\n    a group without planner = \"actions\" has no switch_gain"),
        ("planner = \"nearest\"\nleast_utility = 1", "a group without planner = \"actions\" has no least_utility"),
        (
            "planner = \"actions\"\nswitch_gain = -1",
            "agents \"reds\", switch_gain: -1\n    expected a finite number, 0",
        ),
        ("planner = \"actions\"\nswitch_gain = inf", "switch_gain: inf\n    expected a finite number"),
        ("planner = \"actions\"\nleast_utility = nan", "least_utility: NaN\n    expected a number, or -inf"),
        (
            "formation = { shape = \"line\", spacing = 0 }",
            "agents \"reds\", formation, spacing: 0\n    expected a finite number above 0",
        ),
        (
            "formation = { shape = \"line\", spacing = nan }",
            "formation, spacing: NaN\n    expected a finite number above 0",
        ),
        (
            "formation = { shape = \"line\", spacing = 1e30 }",
            "formation, spacing: 1000000000000000000000000000000\n    give at",
        ),
        (
            "formation = { shape = \"line\", spacing = 0.3 }",
            "formation, spacing: 0.3\n    expected at least 0.4, the diameter of the bodies",
        ),
        (
            "formation = { shape = \"box\", spacing = 1, subgroups = 0 }",
            "formation, subgroups: 0\n    expected a number from 1 to 40",
        ),
        ("formation = { shape = \"box\", spacing = 1, subgroups = 41 }", "formation, subgroups: 41\n    expected"),
        ("formation = { shape = \"ring\", spacing = 1 }", "unknown value \"ring\""),
        (
            "planner = \"actions\"\nformation = { shape = \"box\", spacing = 1 }",
            "formation: planner is \"actions\"\n    agents with different goals keep no formation",
        ),
        ("planner = \"best\"", "unknown value \"best\"\n    known: nearest, actions"),
        (
            "rules = [{ after = 1, follow = \"field\", planner = \"actions\" }]",
            "rule 1: planner is given\n    follow = \"field\" has no planner",
        ),
        ("rules = [{ after = 1, leave = true, planner = \"actions\" }]", "a rule with leave = true has no planner"),
        (
            "trail_charge = 1\nrules = [{ after = 1, follow = \"neighbour\" }]",
            "trail_charge: 1\n    there is no trail without trail_cells",
        ),
    ] {
        let found = with(keys);
        assert!(found.contains(expected), "{keys}: {found}");
    }
    for (from, to, expected) in [
        (
            "follow = \"flow\"\nflow = \"wary of blue\"",
            "follow = \"field\"\nformation = { shape = \"line\", spacing = 1 }",
            "formation is given\n    follow = \"field\" has no formation",
        ),
        ("radius = 0.2", "radius = -1", ", radius: -1"),
        (
            "owner = \"red\"",
            "owner = \"rad\"",
            "goals \"west\", owner: there is no team \"rad\"\n    did you mean \"red\"?",
        ),
        ("name = \"east\"", "name = \"west\"", "\"west\", the name of an earlier goal"),
        ("owner = \"red\"", "worth = nan", "goals \"west\", worth: NaN\n    expected a finite number"),
        ("owner = \"red\"", "weight = 2", "goals \"west\": weight is given\n    a goal without value has no weight"),
        ("owner = \"red\"", "value = \"scent\"\nweight = inf", "goals \"west\", weight: inf\n    expected a finite"),
        ("owner = \"red\"", "value = \"sent\"", "value: there is no layer \"sent\"\n    did you mean \"scent\"?"),
        ("name = \"east\"", "name = \"all\"", "this word stands for several goals"),
        (
            "owner = \"blue\"",
            "owner = \"blue\"\ncapture_time = 3\n[[agents]]\nname = \"x\"\nteam = \"red\"\ncount = 1\nspeed = 1\n\
             follow = \"flow\"\nat_goal = \"leave\"\nstart = { at = [5, 5], radius = 1 }",
            "agents \"x\", at_goal: \"leave\", and a goal has a capture_time\n    agents that leave",
        ),
        (
            "owner = \"blue\"",
            "owner = \"blue\"\ncapture_time = 3\n[[agents]]\nname = \"x\"\nteam = \"red\"\ncount = 1\nspeed = 1\n\
             follow = \"flow\"\nat_goal = \"leave\"\nstart = { at = [5, 5], radius = 1 }\ngoals = [\"west\"]\n\
             rules = [{ after = 1, pace = 2 }, { after = 2, goals = [\"east\"] }]",
            "agents \"x\", rule 2, goals: a goal with a capture_time, and at_goal is \"leave\"\n    agents that leave",
        ),
        ("name = \"east\"", "name = \"\"", "name: \"\"\n    expected at least one letter"),
        ("name = \"blues\"", "name = \"\"", "name: \"\"\n    expected at least one letter"),
        (
            "name = \"blues\"\n",
            "name = \"blue\"\nrules = [{ near = \"blue\", within = 1, pace = 2 }]\n",
            "rule 1, near: \"blue\" is the name of a team and of a group\n    give one of them another name",
        ),
        ("flow = \"wary of blue\"", "flow = \"wary\"", "there is no flow \"wary\"\n"),
        ("layers = [\"red presence\"]\nemits", "layers = [\"red\"]\nemits", "there is no layer \"red\""),
        (
            "profile = \"near\"\ncharge = -1",
            "charge = -1",
            "charge is given\n    a group without a profile has no charge",
        ),
        ("charge = -1", "charge = -90000", "sum of all charges"),
        ("emits = { scent = 0.1 }", "emits = { scent = 1e20 }", "reduce the emissions"),
        ("[influence]\ndecay = 0.2\nsweeps = 2\n", "", "strength: there is no influence\n    add [influence]"),
    ] {
        let found = error(&[(from, to)], &[]);
        assert!(found.contains(expected), "{to}: {found}");
    }
    // Goals without a name get a default name.
    let unnamed = error(&[("name = \"west\"", "name = \"goal 2\""), ("name = \"east\"\n", "")], &[]);
    assert!(unnamed.contains("\"goal 2\", which stands for a goal without a name"), "{unnamed}");
    // A mistake of a group is not repeated for its rules, nor is a mistake of a rule repeated for the group.
    let inherited = with("goals = [\"nowhere\"]\nrules = [{ after = 1, pace = 2 }, { after = 2, goals = [\"none\"] }]");
    assert_eq!((inherited.matches("nowhere").count(), inherited.matches("\"none\"").count()), (1, 1), "{inherited}");
    // Two groups with the same name, one of which also has another problem.
    let twice = error(&[("name = \"blues\"", "name = \"reds\""), ("count = 30", "count = 0")], &[]);
    assert!(twice.contains("another group has this name"), "{twice}");
    assert!(
        error(&[], &["agents.reds.team=green", "agents.reds.goals=[\"north\"]"]).contains("there is no goal \"north\"")
    );
}
