use throng_device::neighbours::Boundary;

use super::super::rules::grid::Grid;
use super::super::{FieldParameters, FieldTables};
use super::*;

fn world(width: u32, height: u32) -> World {
    World::without_walls(Grid { width, height, boundary: Boundary::Periodic }).unwrap()
}

/// Without a bound, `tick + ticks * times` or `period * 141` might not fit in 32 bits.
#[test]
fn walk_periods_have_an_upper_bound() {
    let refused = |period: u32| {
        let pedestrians =
            Pedestrians { at: vec![0], heading: vec![0], period: vec![period], due: vec![0], ..Pedestrians::default() };
        pedestrians.occupants(&world(3, 2)).err().map(|error| error.to_string()).unwrap_or_default()
    };
    assert_eq!([refused(1), refused(MAX_PERIOD)], ["", ""]);
    assert_eq!(refused(0), "pedestrian 0: a walk period of 0 ticks\n    give 1 to 65536");
    for period in [MAX_PERIOD + 1, u32::MAX] {
        assert_eq!(refused(period), format!("pedestrian 0: a walk period of {period} ticks\n    give 1 to 65536"));
    }
}

/// Bypasses `World::new`, so that the test needs no gigabyte for the flags of a world.
#[test]
fn worlds_whose_numbers_kernels_cannot_index_are_refused() {
    let grid = Grid { width: MAX_SIDE, height: MAX_SIDE, boundary: Boundary::Closed };
    let large = World { grid, ..world(1, 1) };
    let refused = |numbers| large.check_indices("key", "numbers", numbers).err().map(|error| error.to_string());
    // 2^30 space units.
    assert_eq!(refused(3), None);
    let limit = (u64::from(u32::MAX) / 8).to_string();
    assert_eq!(
        refused(8).unwrap(),
        format!("key: numbers in a world of 1073741824 space units\n    use a world of at most {limit}, or do without")
    );
    let traces = FieldTables::new(&FieldParameters { trace_decay: 1, ..FieldParameters::default() }).unwrap();
    let error = Pedestrians::default().begin_traces(&large, &traces).unwrap_err().to_string();
    assert!(error.starts_with("trace_decay: traces in a world of 1073741824 space units"), "{error}");
}
