//! Cases about exact methods of computing the fields of entities.

use throng_core::{Finding, InputError, Philox};
use throng_device::Error;
use throng_fields_core::Metric;
use throng_fields_core::creation;
use throng_fields_core::creation::FixedPoint;
use throng_fields_core::entities::Entity;
use throng_fields_core::layers::{Combination, LayerStack};
use throng_fields_core::profile::{Knot, Profile};
use throng_fields_core::shape::Shape;
use throng_pictures::{Grid, Mask, Sample};

use super::executor::CaseExecutor;
use super::{differing, off_by_more};

/// Counter word that separates the random draws of the cases.
const SCATTER: u32 = 100;

pub(super) fn a_disc_falls_off(on: &dyn CaseExecutor) -> Result<Finding, Error> {
    let disc = Entity::new([0.0, 0.0], Profile::linear(10.0)?).with_charge(4.0);
    values_along_a_row(on, &disc, &[(0, 4.0), (3, 2.8), (6, 1.6), (9, 0.4), (10, 0.0)])
}

pub(super) fn the_published_profile_jumps(on: &dyn CaseExecutor) -> Result<Finding, Error> {
    let jump = Knot { distance: 4.0, before: -16.5, after: -11.0 };
    let profile = Profile::piecewise(&[Knot::at(0.0, -37.5), jump, Knot::at(50.0 / 7.0, 0.0)])?;
    let base = Entity::new([0.0, 0.0], profile);
    values_along_a_row(on, &base, &[(0, -37.5), (4, -16.5), (5, -7.5), (7, -0.5), (8, 0.0)])
}

pub(super) fn a_quadratic_falls_off(on: &dyn CaseExecutor) -> Result<Finding, Error> {
    let disc = Entity::new([0.0, 0.0], Profile::quadratic(8.0)?).with_charge(4.0);
    values_along_a_row(on, &disc, &[(0, 4.0), (2, 3.75), (4, 3.0), (6, 1.75), (8, 0.0)])
}

pub(super) fn a_table_is_interpolated(on: &dyn CaseExecutor) -> Result<Finding, Error> {
    // The values are at 0, 2, 4 and 6 units, the last one just before the reach.
    let disc = Entity::new([0.0, 0.0], Profile::table(6.0, &[1.0, 0.2, 0.7, 0.1])?).with_charge(10.0);
    values_along_a_row(on, &disc, &[(0, 10.0), (1, 6.0), (2, 2.0), (3, 4.5), (5, 4.0), (6, 0.0)])
}

/// Values at whole distances from an entity in the first cell.
fn values_along_a_row(on: &dyn CaseExecutor, entity: &Entity, expected: &[(u32, f64)]) -> Result<Finding, Error> {
    let grid = Grid::new([0.0, 0.0], 1.0, 16, 1)?.sampled_at(Sample::Corner);
    let field = on.create(&grid, std::slice::from_ref(entity), None)?;
    let found: Vec<f64> = expected.iter().map(|&(column, _)| f64::from(field.values()[column as usize])).collect();
    let expected: Vec<f64> = expected.iter().map(|&(_, value)| value).collect();
    Ok(Finding::all_close(&expected, &found, 1e-5))
}

pub(super) fn a_cone_has_its_volume(on: &dyn CaseExecutor) -> Result<Finding, Error> {
    let [volume, x, y] = volume_and_centre(on, Entity::new([50.0, 50.0], Profile::linear(20.0)?))?;
    // The expected volume is for a radius of 20.
    Ok(Finding::all_close(&[std::f64::consts::PI / 3.0, 50.0, 50.0], &[volume / 400.0, x, y], 1e-3))
}

pub(super) fn a_ring_has_its_volume(on: &dyn CaseExecutor) -> Result<Finding, Error> {
    let ring = Entity::new([50.0, 50.0], Profile::linear(4.0)?).with_shape(Shape::Ring { radius: 20.0 });
    let [volume, x, y] = volume_and_centre(on, ring)?;
    Ok(Finding::all_close(&[std::f64::consts::TAU, 50.0, 50.0], &[volume / 80.0, x, y], 1e-3))
}

pub(super) fn pyramids_have_their_volumes(on: &dyn CaseExecutor) -> Result<Finding, Error> {
    let mut found = Vec::new();
    for metric in [Metric::Manhattan, Metric::Chebyshev] {
        let disc = Entity::new([50.0, 50.0], Profile::linear(20.0)?).with_metric(metric);
        let ring = Entity::new([50.0, 50.0], Profile::linear(4.0)?).with_shape(Shape::Ring { radius: 20.0 });
        for (entity, size) in [(disc, 400.0), (ring.with_metric(metric), 80.0)] {
            let [volume, x, y] = volume_and_centre(on, entity)?;
            found.extend([volume / size, x, y]);
        }
    }
    // The area within a distance d is 2 d^2 or 4 d^2. With a weight that falls from 1 to 0 at r, this is a third of the
    // area within r; around a ring, it is the reach times the derivative of the area at the radius.
    let expected = [2.0 / 3.0, 4.0, 4.0 / 3.0, 8.0].map(|volume| [volume, 50.0, 50.0]);
    Ok(Finding::all_close(expected.as_flattened(), &found, 1e-3))
}

/// The volume under the field of an entity, and the x and y coordinates of its centroid.
fn volume_and_centre(on: &dyn CaseExecutor, entity: Entity) -> Result<[f64; 3], Error> {
    let grid = Grid::new([0.0, 0.0], 0.25, 400, 400)?;
    let field = on.create(&grid, &[entity], None)?;
    let [mut volume, mut x, mut y] = [0.0; 3];
    for (cell, &value) in field.values().iter().enumerate() {
        let [column, row] = [cell % 400, cell / 400].map(|at| (at as f64 + 0.5) * 0.25);
        volume += f64::from(value);
        x += f64::from(value) * column;
        y += f64::from(value) * row;
    }
    // Cells have an area of 1/16.
    Ok([volume / 16.0, x / volume, y / volume])
}

pub(super) fn every_shape_has_its_distance(on: &dyn CaseExecutor) -> Result<Finding, Error> {
    // Cells are sampled at whole coordinates, and values are 10 minus the distance.
    let grid = Grid::new([0.0, 0.0], 1.0, 40, 40)?.sampled_at(Sample::Corner);
    let triangle = vec![[0.0, 0.0], [8.0, 0.0], [0.0, 6.0]];
    let shapes = [
        (Shape::Ring { radius: 5.0 }, [(23, 24, 10.0), (20, 20, 5.0), (20, 28, 7.0)]),
        // A segment from (20, 20) to (26, 20).
        (Shape::Capsule { length: 6.0 }, [(29, 24, 5.0), (23, 24, 6.0), (17, 16, 5.0)]),
        (Shape::Box { half: [4.0, 2.0] }, [(22, 21, 10.0), (27, 26, 5.0), (20, 25, 7.0)]),
        // The last point is 24 / 5 away from the line 3 x + 4 y = 24.
        (Shape::Polygon { corners: triangle }, [(22, 21, 10.0), (20, 16, 6.0), (28, 26, 5.2)]),
        // The cone opens 40 degrees to both sides of the x axis: 37 degrees is inside, 53 degrees outside.
        (Shape::Cone { half_angle: 0.7 }, [(24, 23, 5.0), (23, 24, 0.0), (16, 20, 0.0)]),
    ];
    let mut differ = 0;
    for (shape, values) in shapes {
        let entity = Entity::new([20.0, 20.0], Profile::linear(10.0)?).with_shape(shape).with_charge(10.0);
        let field = on.create(&grid, &[entity], None)?;
        let off = |&&(column, row, value): &&(u32, u32, f32)| {
            field.at(column, row).is_none_or(|found| (found - value).abs() > 1e-4)
        };
        differ += values.iter().filter(off).count();
    }
    Ok(Finding::no_difference("of 15 values", differ))
}

pub(super) fn every_metric_has_its_distance(on: &dyn CaseExecutor) -> Result<Finding, Error> {
    let grid = Grid::new([0.0, 0.0], 1.0, 40, 40)?.sampled_at(Sample::Corner);
    let ring = Shape::Ring { radius: 5.0 };
    let entities = [
        (Metric::Euclidean, Shape::Disc, [(23, 16, 5.0), (14, 20, 4.0), (27, 27, 0.1)]),
        (Metric::Manhattan, Shape::Disc, [(23, 16, 3.0), (14, 20, 4.0), (27, 27, 0.0)]),
        // The corner of the square is within reach.
        (Metric::Chebyshev, Shape::Disc, [(23, 16, 6.0), (14, 20, 4.0), (29, 29, 1.0)]),
        (Metric::Manhattan, ring.clone(), [(23, 18, 10.0), (20, 20, 5.0), (26, 12, 1.0)]),
        (Metric::Chebyshev, ring, [(25, 17, 10.0), (20, 20, 5.0), (34, 34, 1.0)]),
    ];
    let mut differ = 0;
    for (metric, shape, values) in entities {
        // The heading turns neither shape.
        let entity = Entity::new([20.0, 20.0], Profile::linear(10.0)?).with_shape(shape).with_metric(metric);
        let entity = entity.with_charge(10.0).with_heading(0.7);
        for fixed in [None, Some(FixedPoint::default())] {
            let field = on.create(&grid, std::slice::from_ref(&entity), fixed)?;
            // In fixed point, distances are exact to a unit of 1/16,384 of the reach.
            let off = |&&(column, row, value): &&(u32, u32, f32)| {
                field.at(column, row).is_none_or(|found| (found - value).abs() > 1e-3)
            };
            differ += values.iter().filter(off).count();
        }
    }
    Ok(Finding::no_difference("of 30 values", differ))
}

pub(super) fn a_shift_shifts_the_field(on: &dyn CaseExecutor) -> Result<Finding, Error> {
    let grid = Grid::new([0.0, 0.0], 0.5, 200, 120)?;
    let field = |dx: f32, dy: f32| {
        let at = |x: f32, y: f32| Entity::new([x + dx, y + dy], Profile::linear(6.0).expect("6 is a radius"));
        on.create(&grid, &[at(20.0, 21.5), at(23.25, 19.0).with_charge(-2.0)], None)
    };
    let (base, moved) = (field(0.0, 0.0)?, field(33.0, 8.5)?);
    let cells = (10..80).flat_map(|row| (10..80).map(move |column| (column, row)));
    let disc = |[x, y]: [f64; 2], [at_x, at_y]: [f64; 2]| (1.0 - libm::hypot(x - at_x, y - at_y) / 6.0).max(0.0);
    let differs = |&(column, row): &(u32, u32)| {
        let middle = [column, row].map(|at| (f64::from(at) + 0.5) * 0.5);
        let expected = disc(middle, [20.0, 21.5]) - 2.0 * disc(middle, [23.25, 19.0]);
        let found = base.at(column, row);
        found != moved.at(column + 66, row + 17) || found.is_none_or(|found| (f64::from(found) - expected).abs() > 1e-5)
    };
    Ok(Finding::no_difference("cells", cells.filter(differs).count()))
}

pub(super) fn tiles_are_every_pair(on: &dyn CaseExecutor) -> Result<Finding, Error> {
    let (grid, entities) = (Grid::new([-10.0, 5.0], 0.7, 300, 200)?, mixed(300)?);
    let (expected, found) = (creation::every_pair(&grid, &entities)?, on.create(&grid, &entities, None)?);
    let charges: f32 = entities.iter().map(Entity::max_contribution).sum();
    Ok(Finding::at_most(1e-5, f64::from(expected.largest_difference(&found)? / charges)))
}

pub(super) fn fixed_point_is_exact(on: &dyn CaseExecutor) -> Result<Finding, Error> {
    let (grid, entities, fixed) = (Grid::new([-10.0, 5.0], 0.7, 300, 200)?, mixed(300)?, FixedPoint::default());
    let expected = fixed.every_pair(&grid, &entities)?;
    Ok(Finding::no_difference("cells", differing(&expected, &on.create(&grid, &entities, Some(fixed))?)))
}

pub(super) fn order_does_not_matter(on: &dyn CaseExecutor) -> Result<Finding, Error> {
    let (grid, mut entities, fixed) = (Grid::new([0.0, 0.0], 0.7, 300, 200)?, mixed(300)?, FixedPoint::default());
    let expected = fixed.every_pair(&grid, &entities)?;
    entities.reverse();
    Ok(Finding::no_difference("cells", differing(&expected, &on.create(&grid, &entities, Some(fixed))?)))
}

pub(super) fn moved_is_made_anew(on: &dyn CaseExecutor) -> Result<Finding, Error> {
    let (grid, first) = (Grid::new([0.0, 0.0], 0.7, 300, 200)?, mixed(100)?);
    let draws = Philox::new(2);
    let moved = |round: u32, nth: u32| {
        let i = draws.below(100, round, nth, SCATTER, 0) as usize;
        let at = |index, most: f32| draws.unit(round, nth, SCATTER, index) as f32 * most;
        (i, Entity { position: [at(1, 210.0), at(2, 140.0)].map(f64::from), ..first[i].clone() })
    };
    let rounds: Vec<Vec<_>> = (0..20).map(|round| (0..10).map(|nth| moved(round, nth)).collect()).collect();
    let found = on.moved(&grid, &first, &rounds)?;
    let mut last = first.clone();
    for (i, entity) in rounds.iter().flatten() {
        last[*i] = entity.clone();
    }
    let off_recomputed = differing(&on.create(&grid, &last, None)?, &found);
    let charges: f32 = last.iter().map(Entity::max_contribution).sum();
    let off_definition = off_by_more(&creation::every_pair(&grid, &last)?, &found, 1e-5 * charges);
    Ok(Finding::no_difference("cells", off_recomputed.max(off_definition)))
}

pub(super) fn layers_combined_at_once(on: &dyn CaseExecutor) -> Result<Finding, Error> {
    let grid = Grid::new([0.0, 0.0], 0.7, 300, 200)?;
    let entities: Vec<Entity> =
        mixed(200)?.into_iter().enumerate().map(|(i, entity)| entity.in_layers(1 << (i % 3))).collect();
    let checks = Mask::new(&grid, |column, row| (column / 8 + row / 8) % 2 == 0);
    let layers = Combination::new().add(1.0, 0).max(0.5, 1).times(-2.0, 2).masked(&checks, 7.0);
    let of_layer = |layer: u32| {
        let members: Vec<Entity> = entities.iter().filter(|entity| entity.layers == 1 << layer).cloned().collect();
        if on.combines_whole_steps() {
            FixedPoint::default().every_pair(&grid, &members)
        } else {
            creation::every_pair(&grid, &members)
        }
    };
    let stored = LayerStack::of((0..3).map(of_layer).collect::<Result<_, _>>()?)?;
    Ok(Finding::no_difference("cells", differing(&layers.of(&stored)?, &on.combined(&grid, &entities, &layers)?)))
}

/// Entities with all profiles, all shapes except stamps, and all metrics, scattered over 230 x 160 units.
fn mixed(count: u32) -> Result<Vec<Entity>, InputError> {
    let profiles = [
        Profile::linear(9.0)?,
        Profile::quadratic(14.0)?,
        Profile::gaussian(4.0, 12.0)?,
        Profile::piecewise(&[Knot::at(0.0, 1.0), Knot { distance: 3.0, before: 2.0, after: 1.5 }, Knot::at(8.0, 0.0)])?,
        Profile::table(6.0, &[1.0, 0.2, 0.7, 0.1])?,
    ];
    let shapes = [
        Shape::Disc,
        Shape::Ring { radius: 5.0 },
        Shape::Capsule { length: 11.0 },
        Shape::Box { half: [4.0, 2.0] },
        Shape::Polygon { corners: vec![[0.0, 0.0], [6.0, 1.0], [2.0, 5.0]] },
        Shape::Cone { half_angle: 0.6 },
        Shape::Disc,
    ];
    let metrics = [Metric::Euclidean, Metric::Manhattan, Metric::Chebyshev];
    let draws = Philox::new(1);
    let entity = |i: u32| {
        let draw = |index, most: f32| draws.unit(i, 0, SCATTER, index) as f32 * most;
        Entity::new([draw(0, 230.0) - 10.0, draw(1, 160.0)], profiles[i as usize % 5].clone())
            .with_shape(shapes[i as usize % 7].clone())
            .with_charge(draw(2, 4.0) - 2.0)
            .with_heading(draw(3, 6.0))
            .with_metric(metrics[i as usize / 7 % 3 * usize::from(matches!(i % 7, 0 | 1))])
    };
    Ok((0..count).map(entity).collect())
}
