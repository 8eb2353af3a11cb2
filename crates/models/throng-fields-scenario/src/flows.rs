//! The costs of paths that groups may choose.

use throng_core::Problems;
use throng_fields_core::creation;
use throng_fields_core::routing::{Danger, TravelTimes};
use throng_model::At;

use crate::given::accept;
use crate::tables::Named;
use crate::{FlowRule, Shown, names, walls, written};

/// The names and the rules of `[flow]` and of all `[flows]`. The first name is empty, that of `[flow]`. A rule with
/// problems is `None`.
pub fn all(
    flow: Option<&At<written::Flow>>,
    flows: &Named<written::Flow>,
    layers: &[String],
    combinations: &[String],
    problems: &mut Problems,
) -> (Vec<String>, Vec<Option<FlowRule>>) {
    let mut names = vec![String::new()];
    let mut rules = vec![rule(flow, layers, combinations, problems)];
    for (name, written) in flows {
        names::check_name(name, &written.place, problems);
        names.push(name.clone());
        rules.push(rule(Some(written), layers, combinations, problems));
    }
    (names, rules)
}

/// Costs of paths; without any, the lengths of paths. The first name of a combination is that of the combined field.
fn rule(
    written: Option<&At<written::Flow>>,
    layers: &[String],
    combinations: &[String],
    problems: &mut Problems,
) -> Option<FlowRule> {
    let Some(written) = written else {
        let written::Flow { base, weight, every, order, .. } = written::Flow::without_danger();
        let danger = Danger { base, weight, highest: Some(base * TravelTimes::MOST_RATIO) };
        return Some(FlowRule { felt: Shown::Combination(0), danger, every, order });
    };
    let &written::Flow { ref danger, base, weight, highest, every, order } = &written.value;
    let felt = match danger {
        Some(name) => names::field(name, &written.part("danger"), layers, combinations, problems)?,
        None => Shown::Combination(0),
    };
    if every == 0 {
        problems.push(written.part("every"), "0", "expected a number of steps, 1 or more");
    }
    let danger = Danger { base, weight, highest: Some(highest.unwrap_or(base * TravelTimes::MOST_RATIO)) };
    let flat = accept(&written.place, creation::by_tiles(&walls::tiny(), &[]), problems)?;
    accept(&written.place, danger.costs(&flat, None), problems)?;
    Some(FlowRule { felt, danger, every, order })
}
