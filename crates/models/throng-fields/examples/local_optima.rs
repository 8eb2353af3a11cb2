//! Compares how agents fare on maps with and without traps when they follow a plain field, a field with trails or
//! noise, or a flow field.
//!
//! `cargo run --release -p throng-fields --example local_optima`

use throng_fields::InputError;
use throng_fields::routing::{Crowd, FlowField, Sense, Steering, Trail, maps};

const AGENTS: u32 = 1000;
/// Side length of the maps, in cells. The speed below is in world units per second, and times are in seconds.
const SIDE: u32 = 48;
const SPEED: f32 = 1.5;
const TIME_STEP: f32 = 0.5;
const STEPS: u32 = 2400;
const STUCK_AFTER: f32 = 30.0;

fn main() -> Result<(), InputError> {
    println!("{AGENTS} agents, {SIDE} x {SIDE} cells, {} s", TIME_STEP * STEPS as f32);
    println!(
        "{:<8}{:<22}{:>10}{:>10}{:>10}{:>10}{:>10}",
        "map", "by", "arrived", "stuck", "mean s", "95 % s", "detour"
    );
    let maps = [
        ("empty", maps::empty(SIDE)?),
        ("U-trap", maps::u_trap(SIDE)?),
        ("maze", maps::maze(SIDE, 1)?),
        ("city", maps::city(SIDE)?),
    ];
    for (name, map) in maps {
        let (field, flow) = (map.attraction()?, FlowField::new(map.ground.distances()));
        let plain = Sense::climbing(&field);
        let steerings = [
            ("slope", Steering::Slope(plain)),
            ("slope, noise", Steering::Slope(plain.with_noise(4.0, 1)?)),
            ("neighbour", Steering::Neighbour(plain, None)),
            ("neighbour, noise", Steering::Neighbour(plain.with_noise(4.0, 1)?, None)),
            ("neighbour, trail", Steering::Neighbour(plain, Some(Trail::new(800, 2.0)?))),
            ("flow field", Steering::Follow(&flow)),
        ];
        for (by, steering) in steerings {
            let mut crowd = Crowd::new(&map.ground, &map.scatter(AGENTS, 1), &[SPEED; AGENTS as usize])?;
            crowd.run(&steering, TIME_STEP, STEPS)?;
            let measures = crowd.measures(STUCK_AFTER)?;
            let percent = |share: f64| format!("{:.1} %", 100.0 * share);
            let number = |value: Option<f64>, digits| value.map_or("-".to_owned(), |value| format!("{value:.digits$}"));
            println!(
                "{name:<8}{by:<22}{:>10}{:>10}{:>10}{:>10}{:>10}",
                percent(measures.arrived),
                percent(measures.stuck),
                number(measures.mean_arrival, 1),
                number(measures.arrival_95, 1),
                number(measures.detour, 2)
            );
        }
    }
    Ok(())
}
