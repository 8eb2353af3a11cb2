use super::*;

#[test]
fn a_program_stops_at_its_last_tick_or_time_limit() {
    for (seconds_per_tick, method, ticks, runs) in [
        (0.001, Method::Naive, 20, vec![1, 2, 6, 11]),
        (0.25, Method::Naive, 4, vec![1, 2, 1]),
        (7.0, Method::Naive, 1, vec![1]),
        (0.001, Method::Device, 20, vec![16, 4]),
        (0.001, Method::Device, 3, vec![3]),
    ] {
        let mut made_in_runs = Vec::new();
        let run = |ticks| {
            made_in_runs.push(ticks);
            Ok(seconds_per_tick * f64::from(ticks))
        };
        let (made, seconds) = timed(run, method, if ticks == 3 { 3 } else { 20 }, 1.0).unwrap();
        assert_eq!((made, &made_in_runs), (ticks, &runs));
        assert!((seconds - seconds_per_tick * f64::from(ticks)).abs() < 1e-9);
    }
}

#[test]
fn a_state_different_from_the_reference_program_is_refused() {
    let options = Options { windows: 2, ..Options::default() };
    let case = Case { side: 20, density: 0.3, flow: throng_pedestrians::Flow::Bi };
    let pool = throng_core::thread_pool(1).unwrap();
    let tables = FieldTables::new(&FieldParameters::default()).unwrap();
    let setting = Setting { world: world(20).unwrap(), tables, seed: 1, pool: &pool, device: None };
    let state = pedestrians(&setting.world, case, 1).unwrap();
    let task = Task { case, options: &options, setting: &setting, leader: Method::Cpu };
    let windows = task.windows(&state, 7).unwrap();
    assert_eq!(windows.iter().map(|window| (window.tick, window.ticks)).collect::<Vec<_>>(), [(0, 3), (3, 4)]);
    let mut ends = Vec::new();
    let row = task.run(Method::Naive, &windows, &mut ends).unwrap();
    assert_eq!((row.figures.ticks, ends.len()), (7, 2));
    task.compare(&windows, &ends).unwrap();
    ends[1].hash ^= 1;
    let refused = task.compare(&windows, &ends).unwrap_err().to_string();
    let expected = "after tick 7, but Throng, CPU ";
    assert!(refused.starts_with("stored fields, 1 thread has state ") && refused.contains(expected), "{refused}");
}
