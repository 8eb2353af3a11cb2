//! `benches/peers/societies.py`, a program in Python with the rules of extraction and barter, gives the same societies.

use std::path::Path;
use std::process::Command;

use throng_economy::model::{MEASURES, SocietiesModel};
use throng_economy::parameters::{Economy, Market, Parameters, Work};
use throng_economy::{Devices, Society};
use throng_model::StepModel as _;

/// Included, because a machine without the sources may run the tests.
const PROGRAM: &str = include_str!("../benches/peers/societies.py");
/// Columns of the program that count units. Both programs divide the same integers by the number of agents.
const UNITS: [&str; 3] = ["held", "extracted", "traded"];
/// Columns that depend on powers, which both programs compute by functions of different libraries.
const REALS: [&str; 2] = ["utility", "gini"];

/// Runs the program on `examples/societies/barter.toml` with changes, and returns its table: column names and rows.
fn rows_of_python(python: &Path, changes: &str, days: u32) -> (Vec<String>, Vec<Vec<f64>>) {
    let scenario = throng_testing::repository().join("examples/societies/barter.toml");
    let mut command = Command::new(python);
    command.args(["-c", PROGRAM]).arg(scenario);
    command.args(["--set", &format!("days={days}")]);
    command.args(changes.split_whitespace().flat_map(|change| ["--set", change]));
    let output = command.output().unwrap();
    assert!(output.status.success(), "{changes}: {}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    let mut lines = text.lines().map(|line| line.split(';'));
    let names = lines.next().unwrap().map(ToOwned::to_owned).collect();
    (names, lines.map(|fields| fields.map(|field| field.parse().unwrap()).collect()).collect())
}

#[test]
fn societies_in_python_are_the_same() {
    let Some(python) = throng_testing::python() else { return };
    let small = Parameters { agents: 8, resources: 8, devices: Devices::None, ..Parameters::default() };
    let cases = [
        (20, 1, "agents=8 resources=8", small.clone()),
        (20, 2, "agents=8 resources=8 seed=2 trade=false", Parameters { trade: false, ..small.clone() }),
        (
            40,
            5,
            "agents=7 resources=12 seed=5 trade_powers=[1,3] market.menu_size=4 market.rounds=5",
            Parameters {
                agents: 7,
                resources: 12,
                trade_powers: vec![1, 3],
                market: Market { menu_size: 4, rounds: 5, ..Market::default() },
                ..small.clone()
            },
        ),
        (
            40,
            9,
            "agents=6 resources=8 seed=9 work.full_experience=40 work.tolerance=0.5 economy.elasticity=1.5 \
             economy.unit_lifetime_days=3 economy.least_utility=15",
            Parameters {
                agents: 6,
                work: Work { full_experience: 40, tolerance: 0.5, ..Work::default() },
                economy: Economy {
                    elasticity: 1.5,
                    unit_lifetime_days: 3.0,
                    least_utility: 15.0,
                    ..Economy::default()
                },
                ..small
            },
        ),
    ];
    for (days, seed, changes, parameters) in cases {
        let mut society = Society::new(&parameters, seed).unwrap();
        let (names, rows) = rows_of_python(python, changes, days);
        assert_eq!(rows.len(), days as usize + 1, "{changes}");
        let mut traded = 0.0;
        for (day, row) in (0..).zip(&rows) {
            if day > 0 {
                society.day();
            }
            let measures = SocietiesModel::measure(&society);
            let both = |name: &str| {
                let place = MEASURES.iter().position(|measure| measure.name == name).unwrap();
                let column = names.iter().position(|column| column == name).unwrap();
                (row[column], measures[place])
            };
            assert_eq!(row[0], f64::from(day), "{changes}");
            for name in UNITS {
                let (of_python, found) = both(name);
                assert_eq!(of_python, found, "{changes}: {name} on day {day}");
            }
            for name in REALS {
                let (of_python, found) = both(name);
                let error = (of_python - found).abs();
                assert!(error <= 1e-12 * found.abs().max(1.0), "{changes}: {name} on day {day}: {of_python}, {found}");
            }
            traded += both("traded").1;
        }
        assert_eq!(traded > 0.0, parameters.trade, "{changes}");
    }
}
