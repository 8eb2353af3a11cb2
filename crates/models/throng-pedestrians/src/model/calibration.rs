//! Notes for readers of results: the model is not calibrated.

use super::keys;
use super::scenario::Scenario;

/// Range of flows through bottlenecks in experiments, persons per metre and second: T. Kretz, A. Grünebohm and M.
/// Schreckenberg, *Experimental study of pedestrian flow through a bottleneck*, 2006; A. Seyfried et al., *New insights
/// into pedestrian flow through bottlenecks*, 2009.
const EXPERIMENTS: [f64; 2] = [1.2, 1.9];

/// Returns a remark if a flow through an opening, in persons per metre and second, exceeds the flows in experiments.
pub fn mark(specific_flow: f64) -> Option<String> {
    let [lower, upper] = EXPERIMENTS;
    (specific_flow > upper).then(|| format!("above the {lower} to {upper} in experiments"))
}

/// Returns the limits on the interpretation of the results.
pub fn notes(scenario: &Scenario) -> Vec<String> {
    let [lower, upper] = EXPERIMENTS;
    let uncalibrated = if scenario.exits.is_empty() {
        "none: speeds and flows against density follow from the rules and not from measurements".to_owned()
    } else {
        format!(
            "none: flows through doors and exits follow from space_unit_m and tick_s and not from measurements \
             ({lower} to {upper} persons per metre and second in experiments), so evacuation times are not forecasts"
        )
    };
    let too_fast = (!scenario.equal_speeds).then(|| {
        // Steps of one tick also require finer ticks.
        let finer = keys::is_rounded_anywhere(scenario).then(|| keys::finer_ticks(scenario));
        let finer = finer.map_or_else(String::new, |finer| format!(", {finer}"));
        format!(
            "equal_speeds = false: a diagonal step takes as long as one along an axis and is 1.41 times as long, so people \
             walk up to 41 % too fast; set equal_speeds = true{finer}"
        )
    });
    [uncalibrated].into_iter().chain(too_fast).collect()
}

#[cfg(test)]
mod tests {
    use super::super::scenario::Place;
    use super::*;

    #[test]
    fn flows_above_experimental_values_are_marked() {
        assert_eq!([0.0, 1.9, f64::NAN].map(mark), [None, None, None]);
        assert_eq!(mark(1.91).as_deref(), Some("above the 1.2 to 1.9 in experiments"));
    }

    #[test]
    fn notes_depend_on_the_scenario() {
        let exits = vec![Place { name: "exit".to_owned(), at_su: [0, 0], size_su: [1, 1] }];
        let without = Scenario { equal_speeds: true, ..Scenario::default() };
        assert!(matches!(&notes(&without)[..], [note] if !note.contains("exits")));
        let found = notes(&Scenario { exits, ..Scenario::default() });
        assert!(found[0].contains("1.2 to 1.9 persons per metre and second"), "{found:?}");
        let expected = "equal_speeds = false: a diagonal step takes as long as one along an axis and is 1.41 times as long, so \
                        people walk up to 41 % too fast; set equal_speeds = true, tick_s = 0.06, 5 times the ticks and \
                        walk_periods, and exit_flow / 5";
        assert_eq!(found[1], expected);
        let long_steps = Scenario { walk_periods: vec![5, 6], ..Scenario::default() };
        assert!(notes(&long_steps)[1].ends_with("too fast; set equal_speeds = true"));
    }
}
