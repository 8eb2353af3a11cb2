//! Crowds: which steering methods lead to goals, with any number of threads, and never through walls.

use throng_fields::routing::{
    AgentState, Crowd, Danger, FlowField, Ground, Measures, Sense, Steering, Trail, TravelTimes, costs_by, maps,
};
use throng_fields::{Entity, Field, Grid, Mask, Profile, creation};

/// Simulates 50 agents, scattered by `seed`, at 1.5 units per second, for at most ten minutes.
fn run_crowd(map: &maps::TestMap, steering: &Steering<'_>, seed: u64) -> Measures {
    let mut crowd = Crowd::new(&map.ground, &map.scatter(50, seed), &[1.5; 50]).unwrap();
    crowd.run(steering, 0.5, 1200).unwrap();
    crowd.measures(20.0).unwrap()
}

#[test]
fn gradients_end_in_traps_and_flow_fields_avoid_them() {
    let map = maps::u_trap(64).unwrap();
    let (field, flow) = (map.attraction().unwrap(), FlowField::new(map.ground.distances()));
    for seed in 0..20 {
        for steering in [Steering::Slope(Sense::climbing(&field)), Steering::Neighbour(Sense::climbing(&field), None)] {
            let measures = run_crowd(&map, &steering, seed);
            assert_eq!((measures.arrived, measures.stuck, measures.detour), (0.0, 1.0, None), "seed {seed}");
            assert!(measures.walked > 1.0, "seed {seed}");
        }
        let measures = run_crowd(&map, &Steering::Follow(&flow), seed);
        assert_eq!((measures.arrived, measures.stuck), (1.0, 0.0), "seed {seed}");
        assert!((0.9..1.05).contains(&measures.detour.unwrap()), "seed {seed}: {measures:?}");
    }
}

#[test]
fn every_steering_reaches_the_goal_without_walls() {
    let map = maps::empty(64).unwrap();
    let (field, flow) = (map.attraction().unwrap(), FlowField::new(map.ground.distances()));
    let climbing = Sense::climbing(&field);
    for steering in [Steering::Slope(climbing), Steering::Neighbour(climbing, None), Steering::Follow(&flow)] {
        for seed in 0..20 {
            let measures = run_crowd(&map, &steering, seed);
            assert_eq!((measures.arrived, measures.stuck), (1.0, 0.0), "seed {seed}");
            // Paths in eight directions are up to 8 % longer than straight lines; along flow fields, paths are
            // straight.
            let most = if matches!(steering, Steering::Follow(_)) { 1.01 } else { 1.09 };
            assert!((0.95..most).contains(&measures.detour.unwrap()), "seed {seed}: {measures:?}");
            assert!(measures.mean_arrival < measures.arrival_95);
        }
    }
}

#[test]
fn descending_travel_times_avoids_traps() {
    for map in [maps::u_trap(40).unwrap(), maps::city(60).unwrap(), maps::maze(40, 2).unwrap()] {
        let times = map.ground.distances().field();
        for steering in
            [Steering::Slope(Sense::descending(&times)), Steering::Neighbour(Sense::descending(&times), None)]
        {
            let measures = run_crowd(&map, &steering, 7);
            assert_eq!(measures.arrived, 1.0, "{measures:?}");
        }
    }
}

#[test]
fn trails_fill_traps() {
    let map = maps::city(48).unwrap();
    let field = map.attraction().unwrap();
    let sense = Sense::climbing(&field);
    let plain = run_crowd(&map, &Steering::Neighbour(sense, None), 1);
    let trail = run_crowd(&map, &Steering::Neighbour(sense, Some(Trail::new(800, 2.0).unwrap())), 1);
    let short = run_crowd(&map, &Steering::Neighbour(sense, Some(Trail::new(3, 2.0).unwrap())), 1);
    assert!(plain.arrived < 0.9 && short.arrived < 0.9, "{plain:?} {short:?}");
    assert_eq!(trail.arrived, 1.0, "{trail:?}");
    // A trail with no cells, or without charge, changes nothing.
    for none in [Trail::new(0, 2.0).unwrap(), Trail::new(50, 0.0).unwrap()] {
        assert_eq!(run_crowd(&map, &Steering::Neighbour(sense, Some(none)), 1), plain);
    }
}

#[test]
fn noise_frees_agents_from_shallow_optima() {
    // A ridge towards the goal, with a dip of 0.5.
    let grid = Grid::new([0.0, 0.0], 1.0, 40, 5).unwrap();
    let top = Entity::new([38.5, 2.5], Profile::linear(60.0).unwrap()).with_charge(6.0);
    let dent = Entity::new([20.5, 2.5], Profile::linear(4.0).unwrap()).with_charge(-0.5);
    let field = creation::by_tiles(&grid, &[top, dent]).unwrap();
    let goals = Mask::new(&grid, |column, row| (column, row) == (38, 2));
    // The corridor is one row wide, so there is no path around the dip.
    let ground = Ground::new(&grid, Mask::new(&grid, |_, row| row == 2), goals).unwrap();
    let arrived = |sense| {
        let mut crowd = Crowd::new(&ground, &[[2.5, 2.5]; 40], &[1.0; 40]).unwrap();
        crowd.run(&Steering::Neighbour(sense, None), 0.5, 2000).unwrap();
        crowd.measures(60.0).unwrap().arrived
    };
    let plain = Sense::climbing(&field);
    assert_eq!((arrived(plain), arrived(plain.with_noise(0.0, 1).unwrap())), (0.0, 0.0));
    assert!(arrived(plain.with_noise(0.3, 1).unwrap()) > 0.9);
}

/// Positions and arrivals of a noisy crowd, as bits.
fn trace(map: &maps::TestMap, field: &Field, seed: u64) -> Vec<(u32, u32, Option<u64>)> {
    let speeds: Vec<f32> = (0..500).map(|i| 0.5 + 0.01 * (i % 100) as f32).collect();
    let mut crowd = Crowd::new(&map.ground, &map.scatter(500, 3), &speeds).unwrap();
    let sense = Sense::climbing(field).with_noise(2.0, seed).unwrap();
    crowd.run(&Steering::Slope(sense), 0.7, 60).unwrap();
    crowd.run(&Steering::Neighbour(sense, Some(Trail::new(20, 0.5).unwrap())), 0.7, 60).unwrap();
    let bits = |([x, y], arrival): ([f32; 2], Option<f64>)| (x.to_bits(), y.to_bits(), arrival.map(f64::to_bits));
    crowd.positions().zip(crowd.arrivals()).map(bits).collect()
}

#[test]
fn results_depend_on_the_seed_but_not_on_the_number_of_threads() {
    let map = maps::city(48).unwrap();
    let field = map.attraction().unwrap();
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| trace(&map, &field, 11))
    };
    let expected = on(1);
    assert!(expected.iter().any(|agent| agent.2.is_some()) && expected.iter().any(|agent| agent.2.is_none()));
    assert!(on(2) == expected && on(3) == expected);
    assert!(trace(&map, &field, 11) == expected && trace(&map, &field, 12) != expected);
}

#[test]
fn agents_do_not_enter_walls_or_cut_corners() {
    for map in [maps::u_trap(32).unwrap(), maps::maze(32, 5).unwrap(), maps::city(40).unwrap()] {
        let (field, flow) = (map.attraction().unwrap(), FlowField::new(map.ground.distances()));
        let noisy = Sense::climbing(&field).with_noise(6.0, 1).unwrap();
        let (grid, open) = (map.ground.grid(), map.ground.open());
        let trail = Some(Trail::new(100, 1.0).unwrap());
        for steering in [Steering::Slope(noisy), Steering::Neighbour(noisy, trail), Steering::Follow(&flow)] {
            // Less than half a cell per step, and eight cells per step.
            for time in [0.4, 8.0] {
                let mut crowd = Crowd::new(&map.ground, &map.scatter(60, 9), &[1.0; 60]).unwrap();
                for _ in 0..150 {
                    let before: Vec<[f32; 2]> = crowd.positions().collect();
                    crowd.step(&steering, time).unwrap();
                    for (from, to) in before.into_iter().zip(crowd.positions()) {
                        let (a, b) = (grid.cell_at(from).unwrap(), grid.cell_at(to).unwrap());
                        assert!(open.allows(b.0, b.1), "{from:?} {to:?}");
                        let (x, y) = (to[0] - from[0], to[1] - from[1]);
                        assert!((x * x + y * y).sqrt() <= time * 1.0001);
                        // It may have turned in the cell in between.
                        assert!(time > 1.0 || open.allows(a.0, b.1) || open.allows(b.0, a.1), "{from:?} {to:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn agents_keep_their_speed_and_arrive_between_steps() {
    let map = maps::empty(64).unwrap();
    let flow = FlowField::new(map.ground.distances());
    let middle = 32.5;
    // 60 is the left border of the goal: 50 units at a speed of 2, 40 at 1.6. The third agent has speed 0, and the last
    // one takes two seconds per cell.
    for time in [0.1, 0.35, 4.0] {
        let starts = [[10.0, middle], [20.0, middle], [5.0, middle], [61.0, middle], [5.0, middle]];
        let mut crowd = Crowd::new(&map.ground, &starts, &[2.0, 1.6, 0.0, 0.0, 0.5]).unwrap();
        crowd.run(&Steering::Follow(&flow), time, (40.0 / time) as u32).unwrap();
        let arrivals: Vec<_> = crowd.arrivals().collect();
        // Arrival times are off by at most the time to cross half a cell.
        for arrival in &arrivals[..2] {
            assert!((arrival.unwrap() - 25.0).abs() < 0.35, "{time}: {arrival:?}");
        }
        assert_eq!(arrivals[2..], [None, Some(0.0), None]);
        let measures = crowd.measures(10.0).unwrap();
        assert_eq!((measures.arrived, measures.stuck), (0.6, 0.2));
    }
}

#[test]
fn crowds_avoid_danger() {
    // The direct path leads through the enemy.
    let map = maps::empty(48).unwrap();
    let grid = map.ground.grid();
    let enemy = Entity::new([24.5, 24.5], Profile::linear(12.0).unwrap()).with_charge(-1.0);
    let field = creation::by_tiles(grid, &[enemy]).unwrap();
    let costs = Danger { base: 1.0, weight: 20.0, highest: None }.costs(&field, Some(map.ground.open())).unwrap();
    let goals: Vec<_> = map.ground.goals().cells().collect();
    let felt = |costs: &[f32]| {
        let flow = FlowField::new(&TravelTimes::to_goals(grid, costs, &goals).unwrap());
        let mut crowd = Crowd::new(&map.ground, &map.scatter(100, 1), &[1.0; 100]).unwrap();
        let mut least = 0.0f32;
        for _ in 0..200 {
            crowd.step(&Steering::Follow(&flow), 0.5).unwrap();
            least = crowd.positions().filter_map(|position| field.sample(position)).fold(least, f32::min);
        }
        assert_eq!(crowd.measures(5.0).unwrap().arrived, 1.0);
        least
    };
    let careless = costs_by(&field, None, 1.0..=1.0, |_| 1.0).unwrap();
    assert!(felt(&costs) > -0.3 && felt(&careless) < -0.8, "{} {}", felt(&costs), felt(&careless));
}

#[test]
fn agents_on_a_detour_are_not_stuck() {
    // A U of mud that is open to the left: the straight way through its back takes 100 units of time.
    let map = maps::empty(48).unwrap();
    let grid = map.ground.grid();
    let mud = |column: u32, row: u32| {
        (column == 30 && (10..=38).contains(&row)) || ((10..=30).contains(&column) && (row == 10 || row == 38))
    };
    let costs = (0..48 * 48).map(|cell| if mud(cell % 48, cell / 48) { 100.0 } else { 1.0 });
    let goals: Vec<_> = map.ground.goals().cells().collect();
    let times = TravelTimes::to_goals(grid, &costs.collect::<Vec<f32>>(), &goals).unwrap();
    let (flow, field) = (FlowField::new(&times), times.field());
    let descending = Sense::descending(&field);
    for steering in [Steering::Follow(&flow), Steering::Slope(descending), Steering::Neighbour(descending, None)] {
        // The second agent does not move.
        let mut crowd = Crowd::new(&map.ground, &[[28.5, 24.5]; 2], &[1.0, 0.0]).unwrap();
        crowd.run(&steering, 0.5, 30).unwrap();
        let [x, _] = crowd.positions().next().unwrap();
        assert!(x < 20.0, "{x}: it walks away from the goal");
        assert_eq!(
            crowd.states(5.0).unwrap().collect::<Vec<_>>(),
            [AgentState::Walking, AgentState::Stuck],
            "{steering:?}"
        );
    }
}

#[test]
fn invalid_input_is_refused() {
    let map = maps::u_trap(20).unwrap();
    let new = |positions: &[[f32; 2]], speeds: &[f32]| {
        Crowd::new(&map.ground, positions, speeds).unwrap_err().place().to_owned()
    };
    assert_eq!(new(&[[1.0, 1.0]], &[]), "speeds");
    assert_eq!(new(&[[1.0, 1.0], [20.0, 1.0]], &[1.0; 2]), "agent 1, position");
    assert_eq!(new(&[[12.5, 10.0]], &[1.0]), "agent 0, position");
    assert_eq!(new(&[[f32::NAN, 10.0]], &[1.0]), "agent 0, position");
    assert_eq!(new(&[[1.0, 1.0]], &[-1.0]), "agent 0, speed");
    let field = map.attraction().unwrap();
    let other = maps::empty(21).unwrap().attraction().unwrap();
    let mut crowd = Crowd::new(&map.ground, &[[5.5, 10.0]], &[2.0]).unwrap();
    let mut step = |field, time| {
        crowd.step(&Steering::Slope(Sense::climbing(field)), time).err().map(|error| error.place().to_owned())
    };
    assert_eq!(step(&field, 0.0).as_deref(), Some("time step"));
    assert_eq!(step(&field, 501.0).as_deref(), Some("time step"));
    assert_eq!(step(&other, 1.0).as_deref(), Some("steering, grid"));
    assert_eq!(step(&field, 500.0), None);
    assert_eq!(crowd.time(), 500.0);
    assert_eq!(crowd.measures(f32::NAN).unwrap_err().place(), "time after which agents are stuck");
    assert_eq!(Trail::new(4097, 1.0).unwrap_err().place(), "trail, cells");
    assert_eq!(Trail::new(4, -1.0).unwrap_err().place(), "trail, charge");
    assert_eq!(Sense::climbing(&field).with_noise(f32::NAN, 1).unwrap_err().place(), "noise, amplitude");
}
