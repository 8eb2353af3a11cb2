//! What the model is not calibrated for, in words for readers of results.

/// Flows through bottlenecks in experiments, persons per metre and second: T. Kretz, A. Grünebohm and M. Schreckenberg,
/// *Experimental study of pedestrian flow through a bottleneck*, 2006; A. Seyfried et al., *New insights into pedestrian flow
/// through bottlenecks*, 2009.
const EXPERIMENTS: [f64; 2] = [1.2, 1.9];

/// A note on a flow through an opening, persons per metre and second, that experiments do not reach.
pub fn compared(specific_flow: f64) -> String {
    let [least, most] = EXPERIMENTS;
    if specific_flow > most { format!(", above the {least} to {most} of experiments") } else { String::new() }
}

/// What results must not be taken for.
pub fn note(has_exits: bool) -> String {
    let [least, most] = EXPERIMENTS;
    if has_exits {
        format!(
            "none: flows through doors and exits follow from space_unit_m and tick_s and not from measurements \
             ({least} to {most} persons per metre and second in experiments), so times of evacuations are no forecasts"
        )
    } else {
        "none: speeds and flows against density follow from the rules and not from measurements".to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flows_above_those_of_experiments_are_marked() {
        assert_eq!([0.0, 1.9, f64::NAN].map(compared), ["", "", ""]);
        assert_eq!(compared(1.91), ", above the 1.2 to 1.9 of experiments");
        assert!(note(true).contains("1.2 to 1.9 persons per metre and second") && !note(false).contains("exits"));
    }
}
