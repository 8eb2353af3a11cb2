use proptest::prelude::*;
use throng_traffic_scenario::{Network, NetworkBuilder};

use super::*;

const CAR: ModeId = ModeId(0);

fn one_link() -> Network {
    NetworkBuilder::new()
        .node("a", 0.0, 0.0)
        .node("b", 0.0, 0.0)
        .link("ab", "a", "b", 125.0, 10.0, 1.0, 1.0)
        .build()
        .unwrap()
}

fn slots(calculator: &TravelTimeCalculator, free: &FreeSpeeds) -> Vec<f64> {
    calculator.of_link(0, free).collect()
}

fn event(kind: EventKind, link: u32) -> Event {
    Event::of_vehicle(kind, 0, link)
}

fn enters_traffic(mode: ModeId, link: u32) -> Event {
    Event { mode, ..event(EventKind::VehicleEntersTraffic, link) }
}

/// Feeds events at 0 s, 10 s and so on to a calculator for two links, and returns the numbers of measured slots.
fn measured(events: &[Event]) -> [usize; 2] {
    let mut calculator = TravelTimeCalculator::new(900.0, 2, 1, CAR);
    let legs = Legs { vehicle: vec![0], ..Legs::default() };
    for (i, event) in events.iter().enumerate() {
        calculator.take(&legs, 10.0 * i as f64, event);
    }
    [0, 1].map(|link: usize| calculator.links[link].len())
}

#[test]
fn first_and_last_links_of_a_trip_do_not_count() {
    use EventKind::{EnteredLink, LeftLink, VehicleAborts, VehicleLeavesTraffic};
    let start = [enters_traffic(CAR, 0), event(LeftLink, 0), event(EnteredLink, 1)];
    let after = |events: &[Event]| measured(&[&start, events].concat());
    assert_eq!(after(&[event(LeftLink, 1)]), [0, 1]);
    assert_eq!(after(&[event(VehicleLeavesTraffic, 1), enters_traffic(CAR, 1), event(LeftLink, 1)]), [0, 0]);
    assert_eq!(after(&[event(VehicleLeavesTraffic, 1), event(LeftLink, 1)]), [0, 0]);
    assert_eq!(after(&[event(VehicleAborts, 1), event(LeftLink, 1)]), [0, 0]);
    assert_eq!(after(&[event(LeftLink, 1), event(LeftLink, 0)]), [0, 1], "an entry counts once");
}

#[test]
fn a_link_with_a_stop_does_not_count() {
    use EventKind::{EnteredLink, LeftLink, VehicleArrivesAtFacility};
    // Link and detail are the indices of leg and call.
    let stop = Event { detail: 7, ..event(VehicleArrivesAtFacility, 0) };
    let start = [enters_traffic(CAR, 0), event(EnteredLink, 1)];
    assert_eq!(measured(&[start[0], start[1], stop, event(LeftLink, 1)]), [0, 0]);
    let of_unknown_leg = Event { link: 1, ..stop };
    assert_eq!(measured(&[start[0], start[1], of_unknown_leg, event(LeftLink, 1)]), [0, 1]);
}

#[test]
fn a_vehicle_counts_for_the_mode_with_which_it_entered_traffic() {
    use EventKind::{EnteredLink, LeftLink};
    let drive = [event(EnteredLink, 1), event(LeftLink, 1)];
    assert_eq!(measured(&drive), [0, 0], "not in traffic");
    assert_eq!(measured(&[enters_traffic(ModeId(1), 0), drive[0], drive[1]]), [0, 0]);
    assert_eq!(measured(&[enters_traffic(ModeId(1), 0), enters_traffic(CAR, 0), drive[0], drive[1]]), [0, 1]);
}

#[test]
fn means_belong_to_the_slot_of_the_entry() {
    let free = FreeSpeeds::new(&one_link(), &[]);
    let mut calculator = TravelTimeCalculator::new(900.0, 1, 3, CAR);
    // The last one overtakes, and enters an earlier slot than the one before.
    for (vehicle, enters, leaves) in [(0, 100.0, 1000.0), (1, 1000.0, 1300.0), (2, 800.0, 1500.0)] {
        calculator.enter(vehicle, enters);
        calculator.leave(vehicle, 0, leaves);
    }
    calculator.enter(9, 0.0);
    calculator.leave(9, 0, 9000.0);
    let values = slots(&calculator, &free);
    assert_eq!(values[..3], [800.0, 300.0, 12.5]);
    assert_eq!(values[120], 12.5, "free speed, not floored");
    assert_eq!(calculator.slot_of(900.0), 1);
    calculator.reset();
    assert_eq!(slots(&calculator, &free), [12.5; 121]);
}

#[test]
fn a_long_delay_decays_by_the_length_of_a_slot() {
    let network = one_link();
    let free = Arc::new(FreeSpeeds::new(&network, &[]));
    let mut calculator = TravelTimeCalculator::new(900.0, 1, 1, CAR);
    calculator.enter(0, 900.0);
    calculator.leave(0, 0, 900.0 + 2000.0);
    assert_eq!(slots(&calculator, &free)[..5], [12.5, 2000.0, 1100.0, 200.0, 12.5]);
    let average = calculator.table(&free, Getter::Average);
    let linear = calculator.table(&free, Getter::LinearInterpolation);
    let at = |time| [average.travel_time_s(0, time), linear.travel_time_s(0, time)];
    assert_eq!(at(450.0), [12.5, 12.5]);
    assert_eq!(at(900.0), [2000.0, f64::midpoint(12.5, 2000.0)]);
    assert_eq!(at(1350.0), [2000.0, 2000.0]);
    assert_eq!(at(1350.0 + 225.0), [2000.0, 1775.0]);
    assert_eq!(at(108_000.0 + 500.0), [12.5, 12.5]);
    assert_eq!((average.least_s(), linear.least_s()), (vec![12.5], vec![12.5]));
}

#[test]
fn counts_exceed_16_bits() {
    let mut calculator = TravelTimeCalculator::new(900.0, 1, 1, CAR);
    for i in 0..70_000 {
        calculator.enter(0, 0.0);
        calculator.leave(0, 0, if i < 35_000 { 10.0 } else { 20.0 });
    }
    let slot = calculator.links[0][0];
    assert_eq!(slot.entries, 70_000);
    assert!((slot.mean_s - 15.0).abs() < 1e-9, "{}", slot.mean_s);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(throng_testing::cases(32)))]

    /// At equal offsets in their slots, and at any time with interpolation, a later entry does not leave earlier.
    #[test]
    fn later_entries_do_not_leave_earlier(
        trips in prop::collection::vec((0.0..30_000.0, 1.0..5000.0), 1..60),
        times in prop::collection::vec(0.0..40_000.0, 1..100),
    ) {
        let free = Arc::new(FreeSpeeds::new(&one_link(), &[]));
        let mut calculator = TravelTimeCalculator::new(900.0, 1, 1, CAR);
        for (entry, duration) in trips {
            calculator.enter(0, entry);
            calculator.leave(0, 0, entry + duration);
        }
        let values = slots(&calculator, &free);
        let exits: Vec<f64> = values.iter().enumerate().map(|(i, value)| 900.0 * i as f64 + value).collect();
        prop_assert!(exits.is_sorted_by(|a, b| *b >= a - 1e-9), "{:?}", exits);
        let table = calculator.table(&free, Getter::LinearInterpolation);
        let mut times = times;
        times.sort_by(f64::total_cmp);
        let exits: Vec<f64> = times.iter().map(|&time| time + table.travel_time_s(0, time)).collect();
        prop_assert!(exits.is_sorted_by(|a, b| *b >= a - 1e-9), "{:?}", exits);
    }
}
