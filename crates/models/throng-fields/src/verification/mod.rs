//! Verification cases of potential fields: values required by formulas, published figures and symmetries, compared with
//! the results of this build on a CPU or a device.
//!
//! ```
//! let mut all_hold = true;
//! throng_fields::verification::verify(&throng_device::CPU, &mut |verified| all_hold &= verified.finding.holds);
//! assert!(all_hold);
//! ```

mod creation;
mod executor;
mod groups;
mod influence;
#[cfg(test)]
mod mutants;
mod nav2;
#[cfg(feature = "gpu")]
mod on_device;
mod routing;
mod sight;
mod windows;

use std::sync::Arc;

use executor::{CaseExecutor, Cpu};
use throng_core::{Finding, VerificationCase as Case, Verified};
use throng_device::{Device, Error, Executor};
use throng_fields_core::field::Field;

type Checked = Result<Finding, Error>;

/// The computation of a case, and the executors it is for.
#[derive(Debug, Clone, Copy)]
enum Check {
    Everywhere(fn(&dyn CaseExecutor) -> Checked),
    Cpu(fn(&dyn CaseExecutor) -> Checked),
    Device(fn(&dyn CaseExecutor) -> Checked),
}

const CASES: &[Case<Check>] = &[
    Case::new(
        "a disc falls off linearly",
        Check::Everywhere(creation::a_disc_falls_off),
        "4 (1 - d / 10) at 0, 3, 6, 9 and 10 units",
    ),
    Case::new(
        "the published profile jumps",
        Check::Everywhere(creation::the_published_profile_jumps),
        "5.25 d - 37.5 up to 4 and 3.5 d - 25 beyond (Elmir 2013, figure 2.2), at 0, 4, 5, 7 and 8 units",
    ),
    Case::new(
        "a quadratic disc falls off",
        Check::Everywhere(creation::a_quadratic_falls_off),
        "4 (1 - d^2 / 64) at 0, 2, 4, 6 and 8 units",
    ),
    Case::new(
        "a table is interpolated",
        Check::Everywhere(creation::a_table_is_interpolated),
        "10, 2, 7 and 1 at 0, 2, 4 and 6 units: the values at 0, 1, 2, 3 and 5, and 0 from the reach (6) on",
    ),
    Case::new(
        "a cone has its volume",
        Check::Everywhere(creation::a_cone_has_its_volume),
        "pi / 3 of the square of its radius, around its position (50, 50), to a thousandth",
    ),
    Case::new(
        "a ring has its volume",
        Check::Everywhere(creation::a_ring_has_its_volume),
        "2 pi times its radius (20) times its reach (4), to a thousandth",
    ),
    Case::new(
        "every shape has its distance",
        Check::Everywhere(creation::every_shape_has_its_distance),
        "ring, capsule, box, polygon and cone, each at three points that were computed by hand",
    ),
    Case::new(
        "every metric has its distance",
        Check::Everywhere(creation::every_metric_has_its_distance),
        "Euclidean, Manhattan and Chebyshev discs and rings, each at three points, in both kinds of arithmetic",
    ),
    Case::new(
        "pyramids have their volumes",
        Check::Everywhere(creation::pyramids_have_their_volumes),
        "discs and rings in Manhattan and Chebyshev metric: 2 r^2 / 3, 4 R r, 4 r^2 / 3, 8 R r, around (50, 50)",
    ),
    Case::new(
        "shifted entities, shifted field",
        Check::Everywhere(creation::a_shift_shifts_the_field),
        "1 - d / 6 of two discs, and the same field shifted by whole cells, bit for bit",
    ),
    Case::new(
        "tiles, or every pair",
        Check::Everywhere(creation::tiles_are_every_pair),
        "300 entities of all shapes, profiles and metrics: the largest difference over the sum of all charges",
    ),
    Case::new(
        "tiles, or every pair, fixed point",
        Check::Everywhere(creation::fixed_point_is_exact),
        "the same entities in fixed point: the same bits on every executor",
    ),
    Case::new(
        "any order of entities",
        Check::Everywhere(creation::order_does_not_matter),
        "in fixed point the sum in the opposite order has the same bits",
    ),
    Case::new(
        "moved, or recomputed",
        Check::Everywhere(creation::moved_is_made_anew),
        "after 200 moves, updated by tiles: the bits of a recomputed field; the sum over every pair up to rounding",
    ),
    Case::new(
        "layers combined at once, or later",
        Check::Everywhere(creation::layers_combined_at_once),
        "sum, maximum, product and mask of layers that are never stored",
    ),
    Case::new(
        "best cells of windows",
        Check::Device(windows::best_cells_of_windows),
        "20 windows computed at once: the best values equal the values of every pair at the reported cells",
    ),
    Case::new(
        "influence fades exponentially",
        Check::Everywhere(influence::influence_fades_exponentially),
        "8 exp(-0.25 d) along a corridor: the largest relative error",
    ),
    Case::new(
        "the strongest source prevails",
        Check::Everywhere(influence::the_strongest_source_fills_the_map),
        "without decay, 2.999 to 3 in open cells (the maximum principle), also in a source of 2; 0 in walls",
    ),
    Case::new(
        "walls are tight",
        Check::Everywhere(influence::walls_are_tight),
        "0 in and behind walls that touch at their corners, exp(-0.01 d) before them: d in straight and diagonal steps",
    ),
    Case::new(
        "an amount spreads as a bell",
        Check::Cpu(influence::an_amount_spreads_as_a_bell),
        "the heat equation: a variance of 2 D t",
    ),
    Case::new(
        "a wall casts its shadow",
        Check::Cpu(sight::a_wall_casts_its_shadow),
        "hidden are the cells behind the front of a block, strictly between the rays through its front corners",
    ),
    Case::new(
        "a gap lets a wedge through",
        Check::Cpu(sight::a_gap_lets_a_wedge_through),
        "beyond a wall: the cells between the rays through the corners of a gap, while it is open",
    ),
    Case::new(
        "sight is mutual",
        Check::Cpu(sight::sight_is_mutual),
        "pairs of cells of a random map: by the sweep in both directions as by the segment between their centres",
    ),
    Case::new(
        "travel times are distances",
        Check::Everywhere(routing::times_around_a_point),
        "around a point on 512 x 512 cells: the mean error over the mean distance, as for a first-order scheme",
    ),
    Case::new(
        "travel times are of first order",
        Check::Everywhere(routing::times_are_of_first_order),
        "the fraction of the mean error that remains when the cell size is divided by 4; it falls as h ln(1 / h)",
    ),
    Case::new(
        "the second order is far closer",
        Check::Everywhere(routing::times_of_second_order),
        "the same mean error of the second-order scheme, which is exact around a point except for rounding",
    ),
    Case::new(
        "travel times where speed grows",
        Check::Everywhere(routing::times_where_speed_grows),
        "speed 1 + x around a point: arcosh(1 + r^2 / (2 (1 + x))), the mean error over the mean time",
    ),
    Case::new(
        "travel times in other metrics",
        Check::Everywhere(routing::times_are_distances_of_metrics),
        "to the nearer of two goals: |x| + |y| (Manhattan), max(|x|, |y|) (Chebyshev), exactly",
    ),
    Case::new(
        "travel times through a city",
        Check::Device(routing::times_through_a_city),
        "costs from 1 to 7, streets and courtyards: the same times as on the CPU, in both orders and all metrics",
    ),
    Case::new(
        "paths in other metrics",
        Check::Cpu(routing::paths_have_lengths_of_metrics),
        "500 starts: |x| + |y| along the axes; with diagonals, max(|x|, |y|) + (sqrt(2) - 1) min(|x|, |y|)",
    ),
    Case::new(
        "paths are straight on average",
        Check::Cpu(routing::paths_are_straight),
        "about 6,000 paths over 512 x 512 open cells: the mean of their lengths over straight distances",
    ),
    Case::new(
        "no path is crooked",
        Check::Cpu(routing::no_path_is_crooked),
        "the same paths: the ratio that is farthest from 1",
    ),
    Case::new(
        "paths touch a corner",
        Check::Cpu(routing::paths_touch_a_corner),
        "1,000 paths around a wall: the ratio to the shortest path, along both corners, that is farthest from 1",
    ),
    Case::new(
        "descent ends in a trap",
        Check::Cpu(routing::slopes_end_in_a_trap),
        "percent of the agents of 20 crowds that end at the back of a U of walls when they follow the slope of a field",
    ),
    Case::new(
        "a flow field leads out of traps",
        Check::Cpu(routing::flow_fields_lead_out_of_it),
        "percent of the same agents that reach the goal when they follow travel times",
    ),
    Case::new(
        "two teams pass each other",
        Check::Cpu(groups::teams_pass_each_other),
        "percent of 100 agents with bodies that reach opposite goals through one door",
    ),
    Case::new(
        "bodies are pushed apart",
        Check::Cpu(groups::bodies_are_pushed_apart),
        "the smallest distance between 100 agents that started at one point: bodies of radius 0.5 that touch",
    ),
    Case::new(
        "Nav2's costs",
        Check::Cpu(nav2::costs_match_the_formula),
        "252 exp(-f (d - r)) around obstacles of 20 maps, to the unit; r is the inscribed radius of a padded 16-gon",
    ),
];

/// Runs all cases for the CPU or for a device, which takes a few seconds in total, and reports each when it is done.
pub fn verify(on: &Executor, tell: &mut dyn FnMut(Verified)) {
    for case in CASES {
        let checked = match (case.check, on.shared_device()) {
            (Check::Everywhere(check) | Check::Cpu(check), None) => check(&Cpu),
            (Check::Everywhere(check) | Check::Device(check), Some(device)) => on_device(device, check),
            (Check::Cpu(_), Some(_)) | (Check::Device(_), None) => continue,
        };
        tell(case.verified(checked));
    }
}

#[cfg(feature = "gpu")]
fn on_device(device: &Arc<Device>, check: fn(&dyn CaseExecutor) -> Checked) -> Checked {
    check(&on_device::OnDevice(device))
}

#[cfg(not(feature = "gpu"))]
fn on_device(device: &Arc<Device>, _check: fn(&dyn CaseExecutor) -> Checked) -> Checked {
    Err(crate::gpu::no_kernels(device))
}

/// Number of cells that differ in any bit.
fn differing(a: &Field, b: &Field) -> usize {
    a.values().iter().zip(b.values()).filter(|(a, b)| a.to_bits() != b.to_bits()).count()
}

/// Number of cells that differ by more than `tolerance`.
fn off_by_more(a: &Field, b: &Field, tolerance: f32) -> usize {
    let near = a.values().iter().zip(b.values()).filter(|(a, b)| (*a - *b).abs() <= tolerance).count();
    a.values().len() - near
}
