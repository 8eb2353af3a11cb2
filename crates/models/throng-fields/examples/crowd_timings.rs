//! Measures the time per step of two crowds that walk through each other, without and with bodies.
//!
//! `cargo run --release -p throng-fields --example crowd_timings`

use std::time::Instant;

use throng_fields::routing::{Body, Course, Crowd, FlowField, Ground, Steering, walk_together};
use throng_fields::{Grid, InputError, Mask};

/// Side length of the map, in cells of one unit.
const SIDE: u32 = 1024;
/// Number of measured steps; the same number of steps before them is not measured.
const STEPS: u32 = 20;

fn main() -> Result<(), InputError> {
    let grid = Grid::new([0.0, 0.0], 1.0, SIDE, SIDE)?;
    let open = Mask::new(&grid, |_, _| true);
    let ground = |goal: u32| Ground::new(&grid, open.clone(), Mask::new(&grid, |column, _| column == goal));
    let (west, east) = (ground(0)?, ground(SIDE - 1)?);
    let (to_west, to_east) = (FlowField::new(west.distances()), FlowField::new(east.distances()));
    println!("agents  bodies                 ms per step   million agent steps per second");
    for agents in [1_000u32, 10_000, 100_000] {
        let spaced = Body::new(0.3)?.with_spacing(1.5)?;
        for (name, body) in [("none", Body::default()), ("radius 0.3", Body::new(0.3)?), ("and spacing 1.5", spaced)] {
            // The crowds stand side by side with one agent per two cells, so they meet in the middle.
            let rows = SIDE - 4;
            let starts = |first: f32, step: f32| -> Vec<[f32; 2]> {
                (0..agents / 2).map(|i| [first + step * 2.0 * (i / rows) as f32, 2.5 + (i % rows) as f32]).collect()
            };
            let speeds = vec![1.4; agents as usize / 2];
            let mut crowds = [
                Crowd::new(&east, &starts(500.5, -1.0), &speeds)?.with_body(body),
                Crowd::new(&west, &starts(523.5, 1.0), &speeds)?.with_body(body),
            ];
            let courses =
                [Course::new(&east, Steering::Follow(&to_east)), Course::new(&west, Steering::Follow(&to_west))];
            let mut step = || walk_together(&mut crowds, &[&courses[..1], &courses[1..]], 0.5);
            (0..STEPS).try_for_each(|_| step())?;
            let began = Instant::now();
            (0..STEPS).try_for_each(|_| step())?;
            let seconds = began.elapsed().as_secs_f64() / f64::from(STEPS);
            println!("{agents:>6}  {name:<20} {:>13.2} {:>12.2}", 1e3 * seconds, f64::from(agents) / seconds / 1e6);
        }
    }
    Ok(())
}
