//! Cases about influence and diffusion.

use throng_core::Finding;
use throng_device::Error;
use throng_fields_core::influence::{Diffusion, DiffusionMap, InfluenceMap, Propagation};
use throng_pictures::{Grid, Mask};

use super::executor::CaseExecutor;

pub(super) fn influence_fades_exponentially(on: &dyn CaseExecutor) -> Result<Finding, Error> {
    let grid = Grid::new([0.0, 0.0], 0.5, 60, 1)?;
    let mut map = InfluenceMap::new(grid, Propagation { decay: 0.25, momentum: 0.0 }, None)?;
    map.set_source(0, 0, 8.0)?;
    let field = on.spread(map, 60)?;
    let off =
        |(column, &found): (u32, &f32)| (f64::from(found) / (8.0 * libm::exp(-0.125 * f64::from(column))) - 1.0).abs();
    Ok(Finding::at_most(1e-4, (0..).zip(field.values()).map(off).fold(0.0, f64::max)))
}

pub(super) fn the_strongest_source_fills_the_map(on: &dyn CaseExecutor) -> Result<Finding, Error> {
    let grid = Grid::new([0.0, 0.0], 1.0, 90, 70)?;
    let is_wall = |column: u32, row: u32| (column + 2 * row) % 5 == 1;
    let open = Mask::new(&grid, |column, row| !is_wall(column, row));
    let mut map = InfluenceMap::new(grid, Propagation { decay: 0.0, momentum: 0.3 }, Some(open))?;
    map.set_source(2, 1, 3.0)?;
    map.set_source(61, 47, 2.0)?;
    let field = on.spread(map, 400)?;
    let wrong = |&(column, row): &(u32, u32)| {
        let found = field.at(column, row).unwrap_or(f32::NAN);
        if is_wall(column, row) { found != 0.0 } else { !(2.999..=3.0).contains(&found) }
    };
    let cells = (0..70).flat_map(|row| (0..90).map(move |column| (column, row)));
    Ok(Finding::no_difference("cells", cells.filter(wrong).count()))
}

pub(super) fn walls_are_tight(on: &dyn CaseExecutor) -> Result<Finding, Error> {
    let grid = Grid::new([0.0, 0.0], 1.0, 80, 70)?;
    let open = Mask::new(&grid, |column, row| column + row != 60);
    let mut map = InfluenceMap::new(grid, Propagation { decay: 0.01, momentum: 0.0 }, Some(open))?;
    map.set_source(5, 5, 1.0)?;
    let field = on.spread(map, 150)?;
    let cells = (0..70u32).flat_map(|row| (0..80u32).map(move |column| (column, row)));
    let wrong = |&(column, row): &(u32, u32)| {
        let found = f64::from(field.at(column, row).unwrap_or(f32::NAN));
        if column + row >= 60 {
            return found != 0.0;
        }
        // Straight and diagonal steps from the source, without walls in between.
        let (dx, dy) = (f64::from(column.abs_diff(5)), f64::from(row.abs_diff(5)));
        let length = dx.max(dy) + (std::f64::consts::SQRT_2 - 1.0) * dx.min(dy);
        let right = (found / libm::exp(-0.01 * length) - 1.0).abs() < 1e-4;
        !right
    };
    Ok(Finding::no_difference("cells", cells.filter(wrong).count()))
}

pub(super) fn an_amount_spreads_as_a_bell(on: &dyn CaseExecutor) -> Result<Finding, Error> {
    let grid = Grid::new([0.0, 0.0], 0.5, 201, 201)?;
    let mut map = DiffusionMap::new(grid, Diffusion { diffusivity: 2.0, decay: 0.0 }, None)?;
    map.add(100, 100, 1.0)?;
    let field = on.diffused(map, 16.0)?;
    let second = |(cell, &value): (u32, &f32)| {
        let x = 0.5 * (f64::from(cell % 201) - 100.0);
        f64::from(value) * x * x
    };
    // The variance of a diffusing quantity, 2 D t.
    Ok(Finding::close(64.0, (0..).zip(field.values()).map(second).sum(), 0.01))
}
