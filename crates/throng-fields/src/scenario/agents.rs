//! Groups of agents: their starts and speeds.

use crate::pictures::Colour;
use crate::routing::{Crowd, Ground, Trail};
use throng_core::{Philox, Problems};

use crate::scenario::Way;
use crate::scenario::figures::accept;
use crate::scenario::ground::area;
use crate::scenario::names;
use crate::scenario::written::{self, Follow};
use throng_model::At;

/// Purposes of random draws.
mod purpose {
    pub(crate) const START: u32 = 100;
    pub(crate) const SPEED: u32 = 101;
}

/// The largest number of agents of a group.
const MOST: u32 = 100_000_000;

/// Agents with equal properties.
#[derive(Debug, Clone)]
pub(crate) struct Group {
    pub name: String,
    pub positions: Vec<[f32; 2]>,
    pub speeds: Vec<f32>,
    pub way: Way,
    /// The error of their perception of the field.
    pub noise: f32,
    pub colour: Colour,
}

/// All groups, in their order.
pub(crate) fn groups(
    written: &[At<written::Agents>],
    ground: &Ground,
    seed: i64,
    time_step: f64,
    problems: &mut Problems,
) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let mut first = 0u32;
    for written in written {
        let Some(next) = first.checked_add(written.value.count) else {
            problems.push(written.part("count"), written.value.count.to_string(), "there are too many agents in all");
            break;
        };
        if groups.iter().any(|group| group.name == written.value.name) {
            problems.push(&written.place, "another group has this name", "give each group a unique name");
        }
        let Some(group) = group(written, ground, (seed, first), problems) else { continue };
        let fastest = group.speeds.iter().copied().fold(0.0, f32::max);
        let most = Crowd::MOST_CELLS * ground.grid().cell() / time_step as f32;
        if fastest > most {
            let cells = Crowd::MOST_CELLS;
            let remedy = format!("with this time step the limit is {most}, {cells} cells in a step");
            problems.push(written.part("speed"), fastest.to_string(), remedy);
        }
        groups.push(group);
        first = next;
    }
    groups
}

/// Makes a group whose first agent has the number `first`.
fn group(
    written: &At<written::Agents>,
    ground: &Ground,
    (seed, first): (i64, u32),
    problems: &mut Problems,
) -> Option<Group> {
    let agents = &written.value;
    let place = &written.place;
    let before = problems.total();
    names::check(&agents.name, &written.part("name"), names::LONGEST, problems);
    if !(0.0..1.0).contains(&agents.spread) {
        problems.push(written.part("spread"), agents.spread.to_string(), "expected a share from 0 to below 1");
    }
    if !(1..=MOST).contains(&agents.count) {
        problems.push(written.part("count"), agents.count.to_string(), format!("expected a number from 1 to {MOST}"));
    }
    if !(agents.speed.is_finite() && agents.speed >= 0.0) {
        problems.push(written.part("speed"), agents.speed.to_string(), "expected a finite number, 0 or more");
    }
    if !(agents.noise.is_finite() && agents.noise >= 0.0) {
        problems.push(written.part("noise"), agents.noise.to_string(), "expected a finite number, 0 or more");
    }
    let trail = accept(place, Trail::new(agents.trail_cells, agents.trail_charge), problems)?;
    let way = match agents.follow {
        Follow::Field => Way::Field,
        Follow::Neighbour => Way::Neighbour((agents.trail_cells > 0).then_some(trail)),
        Follow::Flow => Way::Flow,
    };
    if agents.trail_cells > 0 && agents.follow != Follow::Neighbour {
        problems.push(
            written.part("trail_cells"),
            agents.trail_cells.to_string(),
            "only follow = \"neighbour\" has trails",
        );
    }
    if agents.noise > 0.0 && agents.follow == Follow::Flow {
        problems.push(written.part("noise"), agents.noise.to_string(), "follow = \"flow\" has none");
    }
    if agents.follow == Follow::Flow && ground.goals().cells().next().is_none() {
        problems.push(place, "follow is \"flow\", and there are no goals", "add [[goals]] with at and radius");
    }
    let start = area(ground.grid(), &agents.start, &written.part("start"), problems)?;
    let cells: Vec<(u32, u32)> = start.cells().filter(|&(column, row)| ground.open().allows(column, row)).collect();
    if cells.is_empty() {
        problems.push(written.part("start"), "no open cell", "let the area cover the centre of an open cell");
    }
    if problems.total() > before {
        return None;
    }
    let draws = Philox::new(seed as u64);
    let (grid, cell) = (ground.grid(), ground.grid().cell());
    let position = |agent: u32| {
        let (column, row) = cells[draws.below(cells.len() as u32, agent, 0, purpose::START, 0) as usize];
        // Away from the borders of the cell, so that rounding does not lead into another.
        let within = |index| (0.05 + 0.9 * draws.unit(agent, 0, purpose::START, index)) as f32;
        let [x, y] = grid.origin().map(|at| at as f32);
        [x + (column as f32 + within(1)) * cell, y + (row as f32 + within(2)) * cell]
    };
    let speed = |agent: u32| {
        let up_or_down = 2.0 * draws.unit(agent, 0, purpose::SPEED, 0) as f32 - 1.0;
        agents.speed * (1.0 + agents.spread * up_or_down)
    };
    let numbers = first..first + agents.count;
    let group = Group {
        name: agents.name.clone(),
        positions: numbers.clone().map(position).collect(),
        speeds: numbers.map(speed).collect(),
        way,
        noise: agents.noise,
        colour: agents.colour,
    };
    accept(place, Crowd::check(ground, &group.positions, &group.speeds), problems)?;
    Some(group)
}
