//! Influence that spreads from cell to cell, teams, and quantities that diffuse.

use serde::Deserialize;
use throng_fields::Grid;
use throng_fields::influence::{Diffusion, DiffusionMap, InfluenceMap, Propagation, Teams};

use super::reading::{Findings, open, places, read};

#[derive(Deserialize)]
struct Spreading {
    name: String,
    grid: Grid,
    walls: Vec<usize>,
    sources: Vec<(u32, u32, f32)>,
    decay: f32,
    momentum: f32,
    sweeps: u32,
    /// The maximum relative error.
    bound: f32,
}

#[test]
fn influence_is_the_maximum_over_neighbours() {
    let (scenarios, mut expected) = read::<Spreading>("influence");
    let mut findings = Findings::default();
    for scenario in scenarios {
        let Spreading { name, grid, walls, sources, decay, momentum, sweeps, bound } = scenario;
        let open = Some(open(&grid, &walls)).filter(|_| !walls.is_empty());
        let mut map = InfluenceMap::new(grid, Propagation { decay, momentum }, open).unwrap();
        for (column, row, strength) in sources {
            map.set_source(column, row, strength).unwrap();
        }
        map.sweep(sweeps);
        let expected = expected.cells(&grid);
        // Relative errors: cells far from sources have small values.
        let ratios: Vec<f32> = map.values().iter().zip(&expected).map(|(value, right)| ratio(*value, *right)).collect();
        findings.compare(&name, &ratios, &vec![1.0; ratios.len()], bound);
    }
    findings.finish();
}

/// A value as a multiple of the expected one; 1 if both are 0.
fn ratio(value: f32, right: f32) -> f32 {
    if value == right { 1.0 } else { value / right }
}

#[derive(Deserialize)]
struct Contest {
    name: String,
    grid: Grid,
    walls: Vec<usize>,
    teams: usize,
    sources: Vec<(usize, u32, u32, f32)>,
    decay: f32,
    momentum: f32,
    sweeps: u32,
    bound: f32,
}

#[test]
fn views_of_teams_follow_from_their_influences() {
    let (scenarios, mut expected) = read::<Contest>("teams");
    let mut findings = Findings::default();
    for Contest { name, grid, walls, teams, sources, decay, momentum, sweeps, bound } in scenarios {
        let map = InfluenceMap::new(grid, Propagation { decay, momentum }, Some(open(&grid, &walls))).unwrap();
        let mut teams = Teams::new(vec![map; teams]).unwrap();
        for (team, column, row, strength) in sources {
            teams.set_source(team, column, row, strength).unwrap();
        }
        teams.sweep(sweeps);
        let mut compare = |view: &str, values: &[f32], bound| {
            findings.compare(&format!("{name}, {view}"), values, &expected.cells(&grid), bound);
        };
        compare("influence", teams.influence(0).unwrap().values(), bound);
        compare("tension", teams.tension().values(), bound);
        compare("vulnerability", teams.vulnerability(0).unwrap().values(), bound);
        let holders: Vec<f32> = teams.strongest().iter().map(|team| team.map_or(-1.0, f32::from)).collect();
        compare("strongest", &holders, 0.0);
        let front = teams.front_line();
        let front = places(&grid).map(|(column, row)| f32::from(u8::from(front.allows(column, row))));
        compare("front", &front.collect::<Vec<f32>>(), 0.0);
    }
    findings.finish();
}

#[derive(Deserialize)]
struct Spread {
    name: String,
    grid: Grid,
    walls: Vec<usize>,
    sources: Vec<(u32, u32, f32)>,
    amounts: Vec<(u32, u32, f32)>,
    diffusivity: f32,
    decay: f32,
    time: f32,
}

/// The maximum error of a cell, relative to the largest value. Each step exchanges up to 1/6 of the difference with
/// each neighbour, and the shortest time in these scenarios, 3 `h^2 / k`, has 18 steps.
const DIFFUSION_BOUND: f32 = 0.06;

#[test]
fn amounts_diffuse_around_walls_and_decay() {
    let (scenarios, mut expected) = read::<Spread>("diffusion");
    let mut findings = Findings::default();
    for Spread { name, grid, walls, sources, amounts, diffusivity, decay, time } in scenarios {
        let open = Some(open(&grid, &walls)).filter(|_| !walls.is_empty());
        let mut map = DiffusionMap::new(grid, Diffusion { diffusivity, decay }, open).unwrap();
        let emits_nothing = sources.is_empty();
        for (column, row, rate) in sources {
            map.set_source(column, row, rate).unwrap();
        }
        for &(column, row, amount) in &amounts {
            map.add(column, row, amount).unwrap();
        }
        map.advance(time).unwrap();
        let (field, expected) = (map.field(), expected.cells(&grid));
        let largest = expected.iter().fold(0.0f32, |most, value| most.max(value.abs()));
        findings.compare(&name, field.values(), &expected, DIFFUSION_BOUND * largest);
        if emits_nothing {
            let total: f32 = amounts.iter().map(|(.., amount)| amount).sum();
            let left = libm::expf(-decay * time) * total;
            findings.compare(&format!("{name}, sum"), &[field.values().iter().sum()], &[left], 1e-4 * total);
        }
        for cell in walls {
            findings.compare(&format!("{name}, wall"), &[field.values()[cell]], &[0.0], 0.0);
        }
    }
    findings.finish();
}
