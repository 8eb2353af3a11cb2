use super::super::rules::directional::Reading;
use super::*;
use crate::Border;

fn rooms() -> Scenario {
    let place = |name: &str, at_su, size_su| Place { name: name.to_owned(), at_su, size_su };
    Scenario {
        width_su: 30,
        height_su: 20,
        border: Border::Closed,
        rooms: vec![place("hall", [1, 1], [13, 18]), place("foyer", [15, 1], [14, 18])],
        doors: vec![Door { name: "door".to_owned(), at_su: [14, 9], size_su: [1, 2], open_s: None }],
        exits: vec![place("exit", [29, 9], [1, 2])],
        groups: vec![Group { room: Some("hall".to_owned()), persons: Some(40), ..Group::default() }],
        ..Scenario::default()
    }
}

fn entry() -> Entry {
    Entry {
        name: "in".to_owned(),
        at_su: [0, 5],
        size_su: [1, 3],
        persons_per_s: 1.0,
        from_s: 0.0,
        to_s: None,
        arrivals: Arrivals::Even,
        exits: None,
        walk_periods: vec![1],
    }
}

fn changed(change: impl Fn(&mut Scenario)) -> Scenario {
    let mut scenario = rooms();
    change(&mut scenario);
    scenario
}

#[test]
fn the_hash_depends_on_neither_threads_nor_devices() {
    let with_entry = changed(|scenario| {
        scenario.entries = vec![entry()];
        scenario.exchange_ticks = 2;
        scenario.choose_every_s = 1.0;
    });
    let torus = Scenario { width_su: 40, headings: super::super::start::Flow::Eight, ..Scenario::default() };
    let traces = Scenario { trace_decay: 3, reading: Reading::Cone, ..torus.clone() };
    let group = |persons, body_su| Group { persons: Some(persons), body_su, ..Group::default() };
    let groups = vec![group(40, [1, 1]), group(30, [2, 3]), group(10, [4, 1])];
    let bodies = Scenario { groups, walk_periods: vec![1, 2], ..torus.clone() };
    for scenario in [with_entry, torus, traces, bodies] {
        let scenario = Scenario { ticks: 80, ..scenario };
        let end = |device| {
            last_state::<SocialFieldModel>(device, &scenario, SocialFieldModel::start(&scenario).unwrap()).unwrap()
        };
        let expected = end(None).hash();
        for threads in [1, 3] {
            let pool = throng_core::thread_pool(threads).unwrap();
            assert_eq!(pool.install(|| end(None).hash()), expected, "{threads} threads");
        }
        for device in throng_testing::devices() {
            assert_eq!(end(Some(device)).hash(), expected, "{}", device.info().label());
        }
    }
}

#[test]
fn people_come_at_the_rate_of_their_entry_and_none_is_lost() {
    let scenario = changed(|scenario| {
        scenario.groups.clear();
        scenario.entries = vec![Entry { persons_per_s: 2.0, from_s: 3.0, to_s: Some(33.0), ..entry() }];
        scenario.ticks = 400;
    });
    let start = SocialFieldModel::start(&scenario).unwrap();
    // Two in each of the 30 seconds, except at the end.
    let due = &start.pedestrians.due;
    assert_eq!((due.len(), due[0], due[58]), (59, 12, 109));
    let last = last_state::<SocialFieldModel>(None, &scenario, start).unwrap();
    assert_eq!(measures::measure(&last), [0.0, 0.0, 59.0, 0.0]);
    let random = changed(|scenario| {
        scenario.entries = vec![Entry { persons_per_s: 5.0, arrivals: Arrivals::Random, ..entry() }];
        scenario.ticks = 2000;
    });
    let come = SocialFieldModel::start(&random).unwrap().pedestrians.len() - 40;
    // 3000 expected, and a standard deviation of their root, 55.
    assert!((2800..3200).contains(&come), "{come}");
}

#[test]
fn what_cannot_be_simulated_is_refused_with_place_value_and_remedy() {
    let place = |name: &str, at_su, size_su| Place { name: name.to_owned(), at_su, size_su };
    let door = |at_su| Door { name: "side".to_owned(), at_su, size_su: [1, 1], open_s: None };
    let closed = |scenario: &mut Scenario| scenario.doors.clear();
    for (scenario, expected) in [
        (
            changed(|s| s.rooms[1].at_su = [12, 1]),
            "rooms \"foyer\": overlaps with room \"hall\", at [12, 1]\n    move it",
        ),
        (
            changed(|s| s.rooms[1].size_su = [20, 18]),
            "rooms \"foyer\": at_su = [15, 1], size_su = [20, 18]\n    give a",
        ),
        (changed(closed), "rooms \"hall\": no way leads to an exit from 234 of its 234 space units\n    add a door"),
        (
            changed(|s| s.doors.push(door([5, 5]))),
            "doors \"side\": is not in a wall: some of its space units are floor",
        ),
        (changed(|s| s.doors.push(door([14, 0]))), "doors \"side\": does not join two parts of the floor\n    place"),
        (changed(|s| s.doors[0].open_s = Some(vec![[9.0, 3.0]])), "doors \"door\", open_s: [9, 3]\n    give two times"),
        (
            changed(|s| s.exits.push(place("exit", [0, 3], [1, 1]))),
            "exits \"exit\": the name also belongs to one of the",
        ),
        (changed(|s| s.groups[0].persons = Some(235)), "groups 1, persons: 235 persons, for 234 free space units\n"),
        (
            changed(|s| s.groups[0].room = Some("hal".to_owned())),
            "groups 1, room: \"hal\" is no room\n    did you mean",
        ),
        (changed(|s| s.groups[0].density = Some(0.1)), "groups 1: persons and density\n    give one of the two"),
        (
            changed(|s| s.groups[0].exits = Some(vec!["exti".to_owned()])),
            "groups 1, exits: \"exti\" is no exit\n    did",
        ),
        (changed(|s| s.groups[0].walk_periods = vec![0]), "groups 1, walk_periods: 0\n    give 1 to 1000 ticks"),
        (
            changed(|s| s.entries = vec![Entry { persons_per_s: f64::NAN, ..entry() }]),
            "entries \"in\", persons_per_s: NaN",
        ),
        (
            changed(|s| s.entries = vec![Entry { from_s: 9.0, to_s: Some(1.0), ..entry() }]),
            "entries \"in\", from_s: 9 to",
        ),
        (changed(|s| s.exits.clear()), "exits: none, with doors or entries\n    add [[exits]]"),
        (changed(|s| s.border = Border::Periodic), "border: periodic, in a world with exits\n    give \"closed\""),
        (changed(|s| s.field_size = 21), "field_size: 21 space units, in a world of 30 x 20\n    give at most 19"),
        (changed(|s| s.field_size = 8), "field_size: 8\n    give an odd number"),
        (changed(|s| s.tick_s = 0.0), "tick_s: 0\n    give a number from 0.001"),
        (changed(|s| s.exit_flow = 0.0), "exit_flow: 0\n    give a number from 0.01 to 1"),
        (changed(|s| s.width_su = 0), "width_su: 0\n    give 1 to 32768"),
        (Scenario { density: 1.5, ..Scenario::default() }, "density: 1.5\n    give a number from 0 to 1"),
    ] {
        let found = SocialFieldModel::check(&scenario).unwrap_err().to_string();
        assert!(found.contains(expected), "expected {expected}\nfound {found}");
    }
}

#[test]
fn all_cases_of_the_verification_hold_on_the_cpu() {
    for case in SocialFieldModel::CASES {
        let verified = case.verified((case.check)(None));
        assert!(verified.finding.holds, "{verified:?}");
    }
}

#[test]
fn bodies_of_a_group_find_place_or_are_refused() {
    let with = |body_su, persons: Option<u32>, density| {
        let group = Group { persons, density, body_su, ..Group::default() };
        Scenario { width_su: 40, height_su: 30, groups: vec![group], ..Scenario::default() }
    };
    // Half of 1,200 space units, six for each body.
    let state = SocialFieldModel::start(&with([3, 2], None, Some(0.5))).unwrap();
    let crowd = &state.pedestrians;
    assert_eq!((crowd.len(), crowd.bodies.len(), crowd.body(99)), (100, 100, [3, 2]));
    let covered = crowd.occupants(&state.prepared.world).unwrap();
    assert_eq!(covered.iter().filter(|&&occupant| occupant < super::super::WALL).count(), 600);

    let refused = |scenario: &Scenario| SocialFieldModel::start(scenario).map(drop).unwrap_err().to_string();
    for (scenario, start) in [
        (with([12, 1], Some(1), None), "groups 1, body_su: [12, 1]\n    give columns and rows from 1 to 11"),
        (with([0, 1], Some(1), None), "groups 1, body_su: [0, 1]"),
        (with([3, 2], Some(201), None), "groups 1, persons: 201 persons, for 1200 free space units, in which"),
        (with([5, 5], Some(2), None), "field_size: a field of 35 space units about a body of 5"),
        (changed(|scenario| scenario.groups[0].body_su = [2, 1]), "body_su: bodies of several space units in a world"),
    ] {
        let message = refused(&scenario);
        assert!(message.starts_with(start), "{message}");
    }
}
