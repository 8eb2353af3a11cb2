//! Properties of the social field model in arbitrary worlds: no pedestrian is lost, none shares a space unit, all
//! executors have the states of the definition, and sums do not depend on the order of pedestrians.

use proptest::prelude::*;
use throng_device::DeviceChoice;
use throng_device::neighbours::Boundary;
use throng_pedestrians::rules::directional::Reading;
use throng_pedestrians::rules::grid::Grid;
use throng_pedestrians::{
    FieldParameters, FieldTables, Flow, Pedestrians, Reference, SectorMap, SocialField, Start, Strength, Summing, World,
};

const TICKS: u32 = 6;

/// A world, its fields and its pedestrians.
#[derive(Debug, Clone)]
struct Scene {
    world: World,
    parameters: FieldParameters,
    pedestrians: Pedestrians,
    seed: u64,
}

impl Scene {
    fn tables(&self) -> FieldTables {
        FieldTables::new(&self.parameters).unwrap()
    }

    fn reference(&self) -> Reference {
        Reference::new(self.world.clone(), self.tables(), self.pedestrians.clone(), self.seed, 0).unwrap()
    }

    fn on_cpu(&self, summing: Summing) -> Option<SocialField> {
        let pedestrians = self.pedestrians.clone();
        let field = SocialField::builder(self.world.clone()).tables(self.tables()).pedestrians(pedestrians);
        field.seed(self.seed).summing(summing).on(DeviceChoice::Cpu).build().ok()
    }
}

fn parameters() -> impl Strategy<Value = FieldParameters> {
    let size = prop::sample::select(vec![1u32, 3, 5, 7, 9, 11, 13]);
    let map = prop::sample::select(SectorMap::ALL.to_vec());
    let reading = prop::sample::select(vec![Reading::Heading, Reading::Cone]);
    let strength = (0.0..2.0, -2.0..0.5).prop_map(|(factor, exponent)| Strength { factor, exponent });
    let weights = [0.0..2.0f64, 0.0..1.0, 0.0..1.0, 0.0..1.0, 0.0..0.5, 0.0..0.5];
    (size, map, reading, strength, weights, 0..4u32, 0..3u32, any::<bool>(), -1.0..1.0).prop_map(
        |(size, map, reading, crowd, weights, trace_decay, exchange_ticks, equal_speeds, threshold)| FieldParameters {
            size,
            map,
            reading,
            crowd,
            heading_weight: weights[0],
            crowd_weight: weights[1],
            same_weight: weights[2],
            oncoming_weight: weights[3],
            obstacle_weight: weights[4],
            side_weight: weights[5],
            // Half of the worlds have no traces.
            trace_decay: trace_decay.saturating_sub(1),
            exchange_ticks,
            equal_speeds,
            threshold,
            ..FieldParameters::default()
        },
    )
}

fn scenes() -> impl Strategy<Value = Scene> {
    let start = (0.0..1.0, prop::sample::select(Flow::ALL.to_vec()), any::<u64>(), any::<bool>());
    (parameters(), 0..30u32, 0..30u32, any::<bool>(), 0..6u32, start).prop_map(
        |(parameters, width, height, is_closed, walls, (density, flow, seed, is_slow))| {
            // Fields fit into the world.
            let [width, height] = [width, height].map(|more| parameters.size + more);
            let boundary = if is_closed { Boundary::Closed } else { Boundary::Periodic };
            let is_wall = |unit: u32| unit.wrapping_mul(2_654_435_761).wrapping_add(seed as u32) >> 28 < walls;
            let world =
                World::new(Grid { width, height, boundary }, (0..width * height).map(is_wall).collect()).unwrap();
            let periods: &[u32] = if is_slow { &[1, 2, 5] } else { &[1] };
            let pedestrians = Start { density, flow, periods, seed }.pedestrians(&world).unwrap();
            Scene { world, parameters, pedestrians, seed }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(throng_testing::cases(5)))]

    #[test]
    fn nobody_is_lost_and_nobody_shares_a_space_unit(scene in scenes()) {
        let mut reference = scene.reference();
        let grid = *scene.world.grid();
        for tick in 0..TICKS {
            let before = reference.pedestrians().clone();
            let moved = reference.step();
            let after = reference.pedestrians();
            // Fails if two share a space unit, or one is in a wall or outside.
            prop_assert_eq!(after.occupants(&scene.world).unwrap(), reference.occupants());
            prop_assert_eq!(after.len(), before.len());
            let movers: Vec<usize> = (0..before.len()).filter(|&number| before.at[number] != after.at[number]).collect();
            prop_assert_eq!(movers.len(), moved);
            for number in movers {
                let [x, y] = grid.place(before.at[number]);
                prop_assert!((0..8).any(|direction| grid.neighbour(x, y, direction) == after.at[number]));
                prop_assert!(before.due[number] <= tick && after.due[number] > tick);
            }
            prop_assert_eq!((&after.heading, &after.period), (&before.heading, &before.period));
        }
    }

    #[test]
    fn executors_agree_with_the_definition(scene in scenes()) {
        let mut reference = scene.reference();
        // Not all methods support all fields.
        let ways = [Summing::Windows, Summing::Sides, Summing::Units, Summing::Transforms];
        let mut fields: Vec<_> = ways.into_iter().filter_map(|summing| Some((summing, scene.on_cpu(summing)?))).collect();
        prop_assert!(!fields.is_empty());
        for tick in 0..TICKS {
            reference.step();
            for (summing, field) in &mut fields {
                field.step().unwrap();
                prop_assert_eq!(&field.pedestrians().unwrap(), reference.pedestrians(), "{:?}, tick {}", summing, tick);
            }
        }
    }

    /// Draws, and thus the future, depend on the indices of pedestrians; the sums of a state do not.
    #[test]
    fn sums_do_not_depend_on_indices(scene in scenes(), turn in 0..1000usize) {
        let mut other = scene.clone();
        let Pedestrians { at, heading, period, due, .. } = &mut other.pedestrians;
        let count = at.len().max(1);
        at.rotate_left(turn % count);
        heading.rotate_left(turn % count);
        period.rotate_left(turn % count);
        due.rotate_left(turn % count);
        let (one, other) = (scene.reference(), other.reference());
        for unit in (0..scene.world.grid().units() as u32).step_by(7) {
            prop_assert_eq!(one.sums(unit, unit % 8), other.sums(unit, unit % 8), "{}", unit);
        }
    }
}

#[test]
fn simulations_that_make_no_sense_are_refused() {
    use throng_pedestrians::MAX_FIRST_TICK;

    let huge = Grid { width: u32::MAX, height: u32::MAX, boundary: Boundary::Closed };
    assert!(World::without_walls(huge).unwrap_err().to_string().starts_with("width: 4294967295 space units\n"));
    let world = World::without_walls(Grid { width: 40, height: 40, boundary: Boundary::Periodic }).unwrap();
    let field = || SocialField::builder(world.clone()).at_random(0.1, Flow::Bi).on(&throng_device::CPU);
    let error = field().first_tick(MAX_FIRST_TICK + 1).build().unwrap_err().to_string();
    assert!(error.starts_with("first tick: 2147483649\n"), "{error}");
    let bodies = Pedestrians { at: vec![50], heading: vec![0], period: vec![1], ..Pedestrians::default() };
    let bodies = Pedestrians { due: vec![0], bodies: vec![[2, 2]], ..bodies };
    let error = field().pedestrians(bodies).summing(Summing::Windows).build().unwrap_err().to_string();
    assert!(error.starts_with("summing: Windows\n"), "{error}");
}

#[test]
fn pedestrians_at_random_take_turns_from_any_first_tick() {
    let world = World::without_walls(Grid { width: 40, height: 40, boundary: Boundary::Periodic }).unwrap();
    let after = |tick: u32| {
        let field = SocialField::builder(world.clone()).at_random(0.1, Flow::Bi).walk_periods(&[4]);
        let mut field = field.first_tick(tick).on(&throng_device::CPU).build().unwrap();
        field.step().unwrap();
        field.pedestrians().unwrap().due.iter().filter(|&&due| due > tick + 3).count()
    };
    let all = 160;
    // A quarter walks in the first tick; each is due again four ticks later.
    for tick in [0, 1000] {
        assert!((all / 8..all / 2).contains(&after(tick)), "{} from tick {tick}", after(tick));
    }
}
