//! Exact values of small games.

use throng_core::Finding;

use super::executor::CaseExecutor;
use super::{Checked, game, list};
use crate::kalah::Side;

/// For each number of pits, the margins of the first player with 1, 2, ... stones per pit, without and with empty
/// captures.
const VALUES: [(u32, [&[i32]; 2]); 4] = [
    (1, [&[0, -2, 6, -2, 2, 0], &[0, -2, 6, -2, 2, 0]]),
    (2, [&[2, -2, -2, -10, 6, 8], &[2, -2, -2, -12, 6, 8]]),
    (3, [&[0, 4, 2, 2, 6, -8], &[0, 4, 2, 2, 6, -10]]),
    (4, [&[2, 6, 6, 2], &[2, 6, 8, 2]]),
];

pub(super) fn exact_values(on: &dyn CaseExecutor) -> Checked {
    let (mut games, mut differ, mut of_last) = (0, 0, [Vec::new(), Vec::new()]);
    for (pits, of_rules) in VALUES.into_iter().filter(|(pits, _)| *pits <= on.extent().pits) {
        for (values, empty_capture) in of_rules.into_iter().zip([false, true]) {
            let mut found = Vec::new();
            for stones in 1..=values.len() as u32 {
                found.push(on.margin(&game(pits, stones).with_empty_capture(empty_capture).start(Side::Top))?);
            }
            games += values.len();
            differ += found.iter().zip(values).filter(|(found, value)| found != value).count();
            of_last[usize::from(empty_capture)] = found;
        }
    }
    let [standard, empty] = of_last;
    Ok(Finding {
        expected: format!("0 of {games}; 2 6 6 2, 2 6 8 2"),
        found: format!("{differ} of {games}; {}, {}", list(standard), list(empty)),
        holds: differ == 0,
    })
}
