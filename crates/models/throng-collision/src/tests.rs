use proptest::prelude::*;
use throng_core::Philox;
use throng_device::neighbours::Boundary;

use super::cpu::CpuCrowd;
#[cfg(feature = "gpu")]
use super::gpu::DeviceCrowd;
use super::*;

/// Creates discs at random positions without overlaps, and wishes for steps of up to `step` units.
pub(super) fn crowd(
    seed: u64,
    discs: u32,
    side: i32,
    ratio: i32,
    step: i32,
    boundary: Boundary,
) -> (Scene, [Vec<i32>; 2], [Vec<i32>; 2]) {
    let draws = Philox::new(seed);
    let world = World::new([side, side], boundary).unwrap();
    let (mut radii, mut at, mut to) = (vec![], [vec![], vec![]], [vec![], vec![]]);
    for i in 0..discs * 20 {
        let draw = |purpose: u32, below: i32| draws.below(below as u32, i, 0, purpose, 0) as i32;
        let radius = MIN_RADIUS + draw(0, (ratio - 1) * MIN_RADIUS + 1);
        let place = [draw(1, side), draw(2, side)];
        let is_free = world.contains(place[0], place[1], radius)
            && (0..radii.len()).all(|j| {
                let (dx, dy) = (world.x.offset(place[0], at[0][j]), world.y.offset(place[1], at[1][j]));
                !rules::overlap::is_nearer(dx, dy, radius + radii[j])
            });
        if is_free && radii.len() < discs as usize {
            radii.push(radius);
            for axis in 0..2 {
                at[axis].push(place[axis]);
                // Within the circle of the step; every eighth disc requests to stay.
                let displacement = draw(3 + axis as u32, 2 * step + 1) - step;
                to[axis].push(place[axis] + if i % 8 == 0 { 0 } else { displacement * 7 / 10 });
            }
        }
    }
    (Scene { world, walls: vec![], radii: Radii::of_each(radii).unwrap() }, at, to)
}

fn slices(columns: &[Vec<i32>; 2]) -> [&[i32]; 2] {
    columns.each_ref().map(Vec::as_slice)
}

#[cfg(feature = "gpu")]
/// Creates random walls, short and long, except those that overlap with a disc.
fn walls(seed: u64, scene: &Scene, at: [&[i32]; 2]) -> Vec<Wall> {
    let (draws, size) = (Philox::new(seed), scene.world.size());
    let wall = |i: u32| {
        let draw = |purpose: u32, below: i32| draws.below(below as u32, i, 1, purpose, 0) as i32;
        let from = [draw(0, size[0]), draw(1, size[1])];
        let longest = if i.is_multiple_of(4) { 60_000 } else { 5000 };
        let to = [draw(2, 2 * longest) - longest, draw(3, 2 * longest) - longest];
        [from, [0, 1].map(|axis| (from[axis] + to[axis]).clamp(0, size[axis]))]
    };
    let is_clear = |wall: &Wall| {
        let scene = Scene { walls: vec![*wall], ..scene.clone() };
        CpuCrowd::new(scene, at.map(<[i32]>::to_vec), Options::default()).is_ok()
    };
    (0..60).map(wall).filter(is_clear).collect()
}

/// Runs of some steps, each with random wishes, on the CPU and on all devices.
#[cfg(feature = "gpu")]
#[test]
fn devices_and_cpu_make_equal_decisions() {
    for case in 0..24u64 {
        let boundary = if case % 2 == 0 { Boundary::Periodic } else { Boundary::Closed };
        let (ratio, step, side) = ([1, 1, 4][case as usize % 3], [700, 4000, MAX_STEP][case as usize / 2 % 3], 150_000);
        let (mut scene, at, _) = crowd(case, 300, side, ratio, step, boundary);
        if case % 4 > 1 {
            scene.walls = walls(case, &scene, slices(&at));
            assert!(!scene.walls.is_empty(), "{case}");
        }
        let longest_step = (case % 5 > 1).then_some(step);
        for rule in Rule::ALL {
            let options = Options { rule, seed: case, longest_step, lattice: None };
            let wishes = |at: &[Vec<i32>; 2], number: u32| {
                let wish = |axis: usize| {
                    let draw = |disc: usize| {
                        let displacement =
                            Philox::new(case).below(2 * step as u32 + 1, disc as u32, number, 7 + axis as u32, 0)
                                as i32
                                - step;
                        at[axis][disc] + displacement * 7 / 10
                    };
                    (0..at[axis].len()).map(draw).collect::<Vec<i32>>()
                };
                [wish(0), wish(1)]
            };
            let mut check = CpuCrowd::new(scene.clone(), at.clone(), options).unwrap();
            let mut expected = vec![];
            // In tests devices sort every third step; this also moves discs far from the positions at which they were
            // sorted.
            for number in 0..5 {
                check.step(slices(&wishes(check.at(), number))).unwrap();
                assert_eq!(oracle::overlaps(&scene, slices(check.at())), Vec::<[usize; 2]>::new());
                expected
                    .push((check.at().clone(), check.accepted().iter().map(|&yes| u32::from(yes)).collect::<Vec<_>>()));
            }
            for (device, waits) in
                throng_testing_devices::devices().iter().flat_map(|device| [(device, false), (device, true)])
            {
                let mut on_device = DeviceCrowd::new(device, &scene, slices(&at), options).unwrap();
                on_device.waits = waits;
                let mut before = at.clone();
                for (number, (expected_at, expected_accepted)) in expected.iter().enumerate() {
                    let wishes = wishes(&before, number as u32).map(|axis| device.upload("wishes", &axis).unwrap());
                    on_device.step(device, wishes.each_ref()).unwrap();
                    before = on_device.at().map(|axis| device.read(axis).unwrap());
                    let accepted = device.read(on_device.accepted()).unwrap();
                    assert_eq!(&accepted, expected_accepted, "case {case}, {rule:?}, step {number}");
                    assert_eq!(&before, expected_at, "case {case}, {rule:?}, step {number}");
                }
                on_device.check_wishes(device).unwrap();
            }
        }
    }
}

/// Whether the target of each refused disc is occupied or outside the world.
fn is_maximal(check: &CpuCrowd, to: [&[i32]; 2]) -> bool {
    let (scene, at) = (check.scene(), check.at());
    let world = scene.world;
    (0..at[0].len()).filter(|&disc| !check.accepted()[disc]).all(|disc| {
        let radius = scene.radii.of(disc);
        let wish = [world.x.inside(to[0][disc]), world.y.inside(to[1][disc])];
        let is_occupied = (0..at[0].len()).any(|other| {
            let (dx, dy) = (world.x.offset(wish[0], at[0][other]), world.y.offset(wish[1], at[1][other]));
            other != disc && rules::overlap::is_nearer(dx, dy, radius + scene.radii.of(other))
        });
        is_occupied || !world.contains(to[0][disc], to[1][disc], radius)
    })
}

#[test]
fn repeated_steps_leave_no_movable_disc() {
    let mut later = 0;
    for case in 0..20 {
        let boundary = if case % 2 == 0 { Boundary::Periodic } else { Boundary::Closed };
        let (scene, at, to) = crowd(case, 200, 100_000, 1 + case as i32 % 3, 5000, boundary);
        for rule in Rule::ALL {
            let options = Options { rule, seed: case, longest_step: Some(5000), lattice: None };
            let once = CpuCrowd::new(scene.clone(), at.clone(), options).unwrap().step(slices(&to)).unwrap();
            let mut check = CpuCrowd::new(scene.clone(), at.clone(), options).unwrap();
            let moved = check.step_until_none_moves(slices(&to)).unwrap();
            later += moved - once;
            let (accepted, moved_to) = (check.accepted().to_vec(), check.at().clone());
            assert_eq!(moved, accepted.iter().filter(|&&accepted| accepted).count());
            assert_eq!(oracle::overlaps(&scene, slices(&moved_to)), Vec::<[usize; 2]>::new());
            assert!(rule != Rule::Sequential || is_maximal(&check, slices(&to)), "{case}");
            // A further step verifies that the same number of priorities was drawn.
            check.step(slices(&moved_to.each_ref().map(|axis| axis.iter().map(|at| at + 900).collect()))).unwrap();
            #[cfg(feature = "gpu")]
            for device in throng_testing_devices::devices() {
                let mut on_device = DeviceCrowd::new(device, &scene, slices(&at), options).unwrap();
                let to = to.each_ref().map(|axis| device.upload("wishes", axis).unwrap());
                on_device.step_until_none_moves(device, to.each_ref()).unwrap();
                let read = |check: &DeviceCrowd| -> Vec<bool> {
                    device.read(check.accepted()).unwrap().into_iter().map(|yes| yes == 1).collect()
                };
                assert_eq!(read(&on_device), accepted, "{case} {rule:?}");
                let to = on_device.at().map(|axis| {
                    let to: Vec<i32> = device.read(axis).unwrap().into_iter().map(|at| at + 900).collect();
                    device.upload("wishes", &to).unwrap()
                });
                on_device.step(device, to.each_ref()).unwrap();
                assert_eq!(read(&on_device), check.accepted(), "{case} {rule:?}");
            }
        }
    }
    assert!(later > 50, "{later}");
}

/// Conflicts between discs, by definition.
struct Conflicts<'a> {
    scene: &'a Scene,
    at: &'a [Vec<i32>; 2],
    wishes: &'a [Vec<i32>; 2],
}

impl Conflicts<'_> {
    /// Whether the target of a disc overlaps with another disc at one of these positions.
    fn is_conflict(&self, disc: usize, other: usize, places: &[Vec<i32>; 2]) -> bool {
        let Self { scene: Scene { world, radii, .. }, wishes, .. } = self;
        let dx = world.x.offset(wishes[0][disc], places[0][other]);
        let dy = world.y.offset(wishes[1][disc], places[1][other]);
        disc != other && rules::overlap::is_nearer(dx, dy, radii.of(disc) + radii.of(other))
    }

    /// Returns the discs whose targets are free.
    fn free(&self) -> Vec<usize> {
        let discs = 0..self.at[0].len();
        let is_free = |&disc: &usize| !discs.clone().any(|other| self.is_conflict(disc, other, self.at));
        discs.clone().filter(is_free).collect()
    }

    /// Returns the free disc with the highest priority in the first step.
    fn first_of_the_free(&self, seed: u64) -> Option<usize> {
        let draws = Philox::new(seed);
        self.free().into_iter().min_by_key(|&disc| (draws.block([disc as u32, 0, 1, 0])[0], disc))
    }

    /// Returns the free discs, grouped by wishes that exclude each other, directly or through others.
    fn groups_of_the_free(&self) -> Vec<Vec<usize>> {
        let mut groups: Vec<Vec<usize>> = vec![];
        for disc in self.free() {
            let competes = |group: &Vec<usize>| group.iter().any(|&other| self.is_conflict(disc, other, self.wishes));
            let (joined, mut apart): (Vec<_>, Vec<_>) = groups.into_iter().partition(competes);
            apart.push(joined.into_iter().flatten().chain([disc]).collect());
            groups = apart;
        }
        groups
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(throng_testing::cases(5)))]

    #[test]
    fn decisions_match_the_definition_and_no_discs_overlap(
        seed in 0u64..1_000_000, discs in 0u32..150, side in 23_200i32..200_000, ratio in 1i32..=4,
        step in 0i32..MAX_STEP, periodic: bool, bounded: bool
    ) {
        let boundary = if periodic { Boundary::Periodic } else { Boundary::Closed };
        let (scene, at, to) = crowd(seed, discs, side, ratio, step, boundary);
        let world = scene.world;
        for rule in Rule::ALL {
            let options = Options { rule, seed, longest_step: bounded.then_some(step), lattice: None };
            let mut check = CpuCrowd::new(scene.clone(), at.clone(), options).unwrap();
            let granted = check.step(slices(&to)).unwrap();
            // A wish beyond a closed border becomes a wish to stay.
            let inside = |axis: usize, disc: usize| {
                let is_in = world.contains(to[0][disc], to[1][disc], scene.radii.of(disc));
                let of = if axis == 0 { world.x } else { world.y };
                if is_in { of.inside(to[axis][disc]) } else { at[axis][disc] }
            };
            let wishes = [0, 1].map(|axis| (0..at[0].len()).map(|disc| inside(axis, disc)).collect::<Vec<_>>());
            let expected = oracle::decisions(&scene, rule, seed, 0, slices(&at), slices(&wishes));
            for disc in 0..at[0].len() {
                let place = [0, 1].map(|axis| if expected[disc] { wishes[axis][disc] } else { at[axis][disc] });
                let wish = [world.x.inside(to[0][disc]), world.y.inside(to[1][disc])];
                prop_assert_eq!(check.accepted()[disc], place == wish, "{:?} {}", rule, disc);
                prop_assert_eq!([check.at()[0][disc], check.at()[1][disc]], place);
            }
            prop_assert_eq!(granted, check.accepted().iter().filter(|&&accepted| accepted).count());
            prop_assert_eq!(oracle::overlaps(&scene, slices(check.at())), Vec::<[usize; 2]>::new());
            let conflicts = Conflicts { scene: &scene, at: &at, wishes: &wishes };
            let is_at_wish = |disc: usize| (0..2).all(|axis| check.at()[axis][disc] == wishes[axis][disc]);
            match rule {
                Rule::Sequential => prop_assert!(conflicts.first_of_the_free(seed).is_none_or(is_at_wish)),
                Rule::Conservative => {
                    for group in conflicts.groups_of_the_free() {
                        prop_assert!(group.iter().any(|&disc| is_at_wish(disc)), "{:?}", group);
                    }
                }
                Rule::Following => {}
            }
        }
    }
}

/// A queue in which each disc requests the position of the next one, and the first cannot move: the decisions follow
/// from each other one by one, and nothing moves. In a ring all discs move under [`Rule::Following`], none under the
/// other rules.
#[cfg(feature = "gpu")]
#[test]
fn long_queues_and_rings_are_decided_on_devices() {
    queues_stand_and_rings_turn(2400, None);
    // With many rounds per launch, and further launches if these do not suffice.
    queues_stand_and_rings_turn(120, Some(false));
    queues_stand_and_rings_turn(2400, Some(false));
}

#[cfg(feature = "gpu")]
fn queues_stand_and_rings_turn(discs: i32, waits: Option<bool>) {
    let columns = 60;
    let spacing = 2 * MIN_RADIUS;
    let world = World::new([columns * spacing, 40 * spacing], Boundary::Periodic).unwrap();
    // Row after row, in alternating directions.
    let cell = |i: i32| {
        let (row, along) = (i / columns, i % columns);
        [if row % 2 == 0 { along } else { columns - 1 - along }, row]
    };
    let scene = Scene { world, walls: vec![], radii: Radii::equal(discs as usize) };
    let at = [0, 1].map(|axis| (0..discs).map(|i| cell(i)[axis] * spacing + spacing / 2).collect::<Vec<i32>>());
    for (rule, is_ring, expected) in [
        (Rule::Following, false, 0),
        (Rule::Following, true, discs),
        (Rule::Sequential, false, 0),
        (Rule::Sequential, true, 0),
        (Rule::Conservative, true, 0),
    ] {
        // The last disc of a queue stays; in a ring it moves to the position of the first, in an adjacent row.
        let next = |i: i32| if is_ring { (i + 1) % discs } else { (i + 1).min(discs - 1) };
        let to = [0, 1].map(|axis| (0..discs).map(|i| at[axis][next(i) as usize]).collect::<Vec<i32>>());
        for longest_step in [Some(2 * MIN_RADIUS), None] {
            let options = Options { rule, seed: 1, longest_step, lattice: None };
            let mut check = CpuCrowd::new(scene.clone(), at.clone(), options).unwrap();
            check.step(slices(&to)).unwrap();
            let moved = |now: [&[i32]; 2]| {
                (0..discs as usize).filter(|&i| (0..2).any(|axis| now[axis][i] != at[axis][i])).count()
            };
            assert_eq!(moved(slices(check.at())) as i32, expected, "{rule:?}");
            for device in throng_testing_devices::devices() {
                let mut on_device = DeviceCrowd::new(device, &scene, slices(&at), options).unwrap();
                on_device.waits = waits.unwrap_or(on_device.waits);
                let to = to.each_ref().map(|axis| device.upload("wishes", axis).unwrap());
                on_device.step(device, to.each_ref()).unwrap();
                let now = on_device.at().map(|axis| device.read(axis).unwrap());
                assert_eq!(moved(slices(&now)) as i32, expected, "{rule:?}, ring {is_ring}, {longest_step:?}");
                let accepted: Vec<bool> =
                    device.read(on_device.accepted()).unwrap().into_iter().map(|yes| yes == 1).collect();
                assert_eq!(accepted, check.accepted());
            }
        }
    }
}

/// Returns the position of the only disc of a world with one wall after a wish, on the CPU and on every device.
fn after_one_wish(wall: Wall, from: [i32; 2], to: [i32; 2], longest_step: Option<i32>) -> [i32; 2] {
    let world = World::new([60_000; 2], Boundary::Closed).unwrap();
    let scene = Scene { world, walls: vec![wall], radii: Radii::equal(1) };
    let (at, options) = (from.map(|place| vec![place]), Options { longest_step, ..Options::default() });
    let mut check = CpuCrowd::new(scene.clone(), at.clone(), options).unwrap();
    check.step([&[to[0]], &[to[1]]]).unwrap();
    let found = check.at().each_ref().map(|axis| axis[0]);
    #[cfg(feature = "gpu")]
    for device in throng_testing_devices::devices() {
        let mut on_device = DeviceCrowd::new(device, &scene, slices(&at), options).unwrap();
        let to = to.map(|axis| device.upload("wishes", &[axis]).unwrap());
        on_device.step(device, to.each_ref()).unwrap();
        assert_eq!(on_device.at().map(|axis| device.read(axis).unwrap()[0]), found, "{wall:?} {from:?}");
    }
    found
}

#[test]
fn nothing_passes_through_walls_lengthwise_or_through_posts() {
    for longest_step in [None, Some(MAX_STEP)] {
        for wall in [[[20_000, 30_000], [28_000, 30_000]], [[24_000, 30_000]; 2], [[24_000, 29_000], [24_000, 31_000]]]
        {
            let (left, right) = ([17_000, 30_000], [31_000, 30_000]);
            assert_eq!(after_one_wish(wall, left, right, longest_step), left, "{wall:?}");
            assert_eq!(after_one_wish(wall, right, left, longest_step), right, "{wall:?}");
            // The same route alongside the wall.
            let (left, right) = ([17_000, 34_000], [31_000, 34_000]);
            assert_eq!(after_one_wish(wall, left, right, longest_step), right, "{wall:?}");
        }
    }
    // Only routes of up to four cells along an axis are tested.
    let far = [24_000 + MAX_STEP, 30_000];
    let wall = [[24_000, 29_000], [24_000, 31_000]];
    assert_eq!(after_one_wish(wall, [20_000, 30_000], far, None), far);
}

/// The start check counts pairs only up to a limit, so that it ends quickly for any number of pairs.
#[test]
fn coincident_discs_are_refused_quickly() {
    let world = World::new([60_000; 2], Boundary::Closed).unwrap();
    let refused = |discs: usize| {
        let scene = Scene { world, walls: vec![], radii: Radii::equal(discs) };
        CpuCrowd::new(scene, [vec![9000; discs], vec![9000; discs]], Options::default()).unwrap_err().to_string()
    };
    let error = refused(400_000);
    assert!(
        error.starts_with("positions: more than 100,000 pairs of discs overlap\n    move the discs apart"),
        "{error}"
    );
    assert!(error.contains("disc 0 at 9000 units, 9000 units: overlaps with disc 1 at ") && !error.contains("total"));
    assert!(refused(447).ends_with("(99681 in total)"), "{}", refused(447));
}

#[cfg(feature = "gpu")]
#[test]
fn devices_support_empty_crowds_and_the_smallest_worlds() {
    for boundary in [Boundary::Closed, Boundary::Periodic] {
        let side = 2 * MAX_RADIUS;
        let world = World::new([side; 2], boundary).unwrap();
        let quarter = side / 4;
        let all = [vec![quarter, 3 * quarter, quarter], vec![quarter, quarter, 3 * quarter]];
        for discs in [0, 1, 3] {
            let scene = Scene { world, walls: vec![], radii: Radii::equal(discs) };
            let at = all.each_ref().map(|axis| axis[..discs].to_vec());
            // All discs request the same free corner.
            let to = [vec![3 * quarter; discs], vec![3 * quarter; discs]];
            for (rule, longest_step) in Rule::ALL.into_iter().flat_map(|rule| [(rule, None), (rule, Some(MAX_STEP))]) {
                let options = Options { rule, longest_step, ..Options::default() };
                let mut check = CpuCrowd::new(scene.clone(), at.clone(), options).unwrap();
                assert_eq!(check.step(slices(&to)).unwrap(), discs.min(1), "{boundary:?} {rule:?} {discs}");
                for device in throng_testing_devices::devices() {
                    let mut on_device = DeviceCrowd::new(device, &scene, slices(&at), options).unwrap();
                    let to = to.each_ref().map(|axis| device.upload("wishes", axis).unwrap());
                    on_device.step(device, to.each_ref()).unwrap();
                    on_device.check_wishes(device).unwrap();
                    let read = |buffer| device.read(buffer).unwrap().into_iter().take(discs).collect::<Vec<i32>>();
                    assert_eq!(on_device.at().map(read), *check.at(), "{boundary:?} {rule:?} {discs}");
                }
            }
        }
    }
}

#[cfg(feature = "gpu")]
#[test]
fn devices_refuse_incomplete_and_too_dense_wishes() {
    use throng_device::DeviceClass;

    let discs = 60_100;
    let spacing = 2 * MIN_RADIUS + 1;
    let world = World::new([250 * spacing; 2], Boundary::Periodic).unwrap();
    let at = [0, 1].map(|axis| (0..discs).map(|disc| [disc % 250, disc / 250][axis] * spacing).collect::<Vec<i32>>());
    let scene = Scene { world, walls: vec![], radii: Radii::equal(discs as usize) };
    for device in throng_testing_devices::devices() {
        let mut check = DeviceCrowd::new(device, &scene, slices(&at), Options::default()).unwrap();
        let few = device.upload("wishes", &[1, 2]).unwrap();
        let error = check.step(device, [&few, &few]).unwrap_err().to_string();
        assert_eq!(error, "wishes: [2, 2] for 60100 discs\n    give x and y for every disc");
        if device.info().class == DeviceClass::Software {
            let same = device.upload("wishes", &vec![9000; discs as usize]).unwrap();
            let error = check.step(device, [&same, &same]).unwrap_err().to_string();
            assert!(error.starts_with("wishes: 60100 near one position; a software device can"), "{error}");
            assert_eq!(device.read(check.at()[0]).unwrap(), at[0]);
        }
    }
}

/// The same discs in another order, with the same ids, on the CPU and on every device.
#[test]
fn the_order_of_discs_with_ids_does_not_matter() {
    let (scene, at, to) = crowd(6, 250, 150_000, 2, 9000, Boundary::Periodic);
    let discs = at[0].len();
    let order: Vec<usize> = (0..discs).map(|place| (place * 97 + 13) % discs).collect();
    assert!(discs > 100 && !discs.is_multiple_of(97));
    let ordered = |columns: &[Vec<i32>; 2]| {
        columns.each_ref().map(|axis| order.iter().map(|&disc| axis[disc]).collect::<Vec<i32>>())
    };
    let radii = Radii::of_each(order.iter().map(|&disc| scene.radii.of(disc)).collect()).unwrap();
    let other_scene = Scene { radii, ..scene.clone() };
    let ids: Vec<u32> = order.iter().map(|&disc| disc as u32).collect();
    let mut differ = 0;
    for (rule, longest_step) in Rule::ALL.into_iter().flat_map(|rule| [(rule, None), (rule, Some(9000))]) {
        let options = Options { rule, seed: 3, longest_step, lattice: None };
        let mut check = CpuCrowd::new(scene.clone(), at.clone(), options).unwrap();
        let granted = check.step(slices(&to)).unwrap();
        assert!(granted > discs / 8 && granted < discs, "{granted} of {discs}");
        let mut without = CpuCrowd::new(other_scene.clone(), ordered(&at), options).unwrap();
        without.step(slices(&ordered(&to))).unwrap();
        differ += usize::from(*without.at() != ordered(check.at()));
        let mut other = CpuCrowd::with_ids(other_scene.clone(), ordered(&at), ids.clone(), options).unwrap();
        other.step(slices(&ordered(&to))).unwrap();
        assert_eq!(*other.at(), ordered(check.at()), "{rule:?} {longest_step:?}");
        #[cfg(feature = "gpu")]
        for device in throng_testing_devices::devices() {
            let (at, to) = (ordered(&at), ordered(&to).map(|axis| device.upload("wishes", &axis).unwrap()));
            let on_device = DeviceCrowd::with_ids(device, &other_scene, slices(&at), &ids, options);
            let mut on_device = on_device.unwrap();
            on_device.step(device, to.each_ref()).unwrap();
            assert_eq!(on_device.at().map(|axis| device.read(axis).unwrap()), *other.at(), "{rule:?} {longest_step:?}");
        }
    }
    assert!(differ >= 4, "without ids the order matters: {differ} of 6");
    let refused = |ids: &[u32]| {
        let check = CpuCrowd::with_ids(scene.clone(), at.clone(), ids.to_vec(), Options::default());
        check.unwrap_err().to_string()
    };
    assert!(refused(&[1]).starts_with(&format!("ids: 1 for {discs} discs\n")));
    assert!(refused(&vec![7; discs]).starts_with("ids: 7 occurs twice\n"));
}

#[test]
fn a_crowd_is_usable_after_targets_that_are_too_far_away() {
    for executor in throng_testing_devices::executors() {
        let crowd = Crowd::builder([20.0, 20.0]).discs_m(&[5.0, 10.0], &[5.0, 5.0], 0.25).max_step_m(0.5);
        let mut crowd = crowd.on(&executor).build().unwrap();
        let error = crowd.step_m(&[9.0, 10.0], &[5.0, 5.0]).unwrap_err().to_string();
        assert!(error.contains("disc 0"), "{error}");
        assert_eq!(crowd.step_m(&[5.25, 10.25], &[5.0, 5.0]).unwrap(), 2, "{executor:?}");
        let [xs, _] = crowd.positions_m().unwrap();
        assert!(xs.iter().zip([5.25, 10.25]).all(|(x, expected)| (x - expected).abs() < 1e-4), "{xs:?}");
    }
}

#[test]
fn a_crowd_in_units_may_be_empty() {
    for executor in throng_testing_devices::executors() {
        let world = World::new([1 << 20; 2], Boundary::Closed).unwrap();
        let scene = Scene { world, walls: vec![], radii: Radii::equal(0) };
        let crowd = Crowd::in_units(scene, [vec![], vec![]], vec![], Options::default(), &executor);
        let mut crowd = crowd.unwrap();
        assert_eq!(crowd.step([&[], &[]]).unwrap(), 0, "{executor:?}");
        assert_eq!(*crowd.positions().unwrap(), [Vec::<i32>::new(), Vec::new()], "{executor:?}");
        assert!(crowd.granted().unwrap().is_empty(), "{executor:?}");
    }
}

#[test]
fn a_builder_refuses_lengths_in_metres_and_coordinates_without_partners() {
    let refused = |crowd: CrowdBuilder| crowd.on(&throng_device::CPU).build().unwrap_err().to_string();
    let world = || Crowd::builder([10.0, 10.0]);
    let unpaired = world().discs_m(&[1.0, 2.0], &[1.0], 0.25).discs_m(&[5.0], &[5.0, 6.0], 0.25);
    assert!(refused(unpaired).starts_with("discs: 2 x and 1 y in one call\n"));
    assert!(refused(world()).starts_with("discs: none\n"));
    let two = |first: f64| world().discs_m(&[1.0], &[1.0], first).discs_m(&[5.0], &[5.0], 0.25);
    assert!(refused(two(f64::NAN)).starts_with("radius: NaN m\n"));
    let text = refused(two(4.0));
    assert!(text.contains("disc 0, radius: 4.000") && text.contains("0 m to 1.0000"), "{text}");
    let text = refused(Crowd::builder([1.0, 10.0]).discs_m(&[0.5], &[5.0], 0.25));
    assert!(text.contains("world, width: 1.00000 m\n    give a side of 2.00000 m"), "{text}");
    let text = refused(Crowd::builder([f64::NAN, 10.0]).discs_m(&[0.5], &[5.0], 0.25));
    assert!(text.starts_with("width: NaN m\n"), "{text}");
}
