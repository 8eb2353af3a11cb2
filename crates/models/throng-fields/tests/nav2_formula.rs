//! Nav2's inflation, compared with costs that `tests/formulas/nav2_costs.py` computed from its published formula.

use std::fs::File;
use std::path::Path;

use throng_nav2::{Inflation, RosDistro};
use throng_pictures::files::npy::{self, Array, Values};

fn read(name: &str) -> Array {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/formulas").join(name);
    npy::read(File::open(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))).unwrap()
}

#[test]
fn cell_costs_match_the_formula() {
    let cases: serde_json::Value = serde_json::from_str(include_str!("formulas/nav2_cases.json")).unwrap();
    let cases = cases.as_array().unwrap();
    assert_eq!(cases.len(), 6);
    for (number, case) in cases.iter().enumerate() {
        let of = |key: &str| case[key].as_f64().unwrap();
        let layer = Inflation {
            resolution: of("resolution"),
            inflation_radius: of("inflation_radius"),
            inscribed_radius: of("inscribed_radius"),
            cost_scaling_factor: of("cost_scaling_factor"),
            inflate_unknown: case["inflate_unknown"].as_bool().unwrap(),
            // The formula does not use a table of distances.
            ros_distro: RosDistro::Jazzy,
            ..Inflation::default()
        };
        let (map, expected) = (read(&format!("nav2_{number}_map.npy")), read(&format!("nav2_{number}_inflated.npy")));
        let (Values::U8(costs), Values::U8(expected)) = (map.values, expected.values) else { panic!("not bytes") };
        let found = layer.inflate(&costs, map.columns as usize).unwrap();
        let differ: Vec<usize> = (0..found.len()).filter(|&cell| found[cell] != expected[cell]).collect();
        assert!(differ.is_empty(), "case {number}: {} cells, the first is {}", differ.len(), differ[0]);
        assert!(number == 5 || found != costs, "case {number} inflates something");
    }
}
