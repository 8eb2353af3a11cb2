//! The inflation layer of Nav2. CPU only.

use throng_core::{Finding, Philox};

use super::executor::Executor;
use crate::gpu::GpuError;
use crate::nav2::{FREE_SPACE, INSCRIBED_INFLATED_OBSTACLE, Inflation, LETHAL_OBSTACLE};

pub(super) fn costs_are_those_of_the_formula(on: &dyn Executor) -> Result<Finding, GpuError> {
    const SIDE: u32 = 60;
    let layer = Inflation { inscribed_radius: 0.1, cost_scaling_factor: 5.0, ..Inflation::default() };
    let draws = Philox::new(3);
    let mut differ = 0;
    for map in 0..20 {
        let is_obstacle = |cell: u32| draws.below(50, cell, map, 0, 0) == 0;
        let costs = |cell| if is_obstacle(cell) { LETHAL_OBSTACLE } else { FREE_SPACE };
        let costs: Vec<u8> = (0..SIDE * SIDE).map(costs).collect();
        let place = |cell: u32| (f64::from(cell % SIDE), f64::from(cell / SIDE));
        let obstacles: Vec<_> = (0..SIDE * SIDE).filter(|&cell| is_obstacle(cell)).map(place).collect();
        let expected = |cell: u32| {
            let (x, y) = place(cell);
            let nearest = obstacles.iter().map(|(ox, oy)| libm::hypot(x - ox, y - oy)).fold(f64::INFINITY, f64::min);
            let metres = nearest * layer.resolution;
            match nearest {
                0.0 => LETHAL_OBSTACLE,
                _ if metres <= layer.inscribed_radius => INSCRIBED_INFLATED_OBSTACLE,
                _ if nearest > (layer.inflation_radius / layer.resolution).ceil() => FREE_SPACE,
                _ => (252.0 * libm::exp(-5.0 * (metres - layer.inscribed_radius))) as u8,
            }
        };
        let found = on.inflated(&layer, &costs, SIDE as usize)?;
        differ += (0..).zip(&found).filter(|&(cell, &cost)| cost != expected(cell)).count();
    }
    Ok(Finding::no_difference("cells", differ))
}
