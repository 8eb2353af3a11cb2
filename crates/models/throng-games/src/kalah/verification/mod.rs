//! The verification cases of Kalah, for every executor.

mod executor;
#[cfg(test)]
mod mutants;
mod packed;
mod pruned;
mod searches;
mod small;

use throng_core::{Finding, VerificationCase as Case, Verified};
use throng_device::Executor;
use throng_model::Failure;

use super::Game;
use executor::{CaseExecutor, OnExecutor};

type Checked = Result<Finding, Failure>;

#[derive(Clone, Copy)]
enum Check {
    Everywhere(fn(&dyn CaseExecutor) -> Checked),
    /// A case for the CPU only.
    Cpu(fn(&dyn CaseExecutor) -> Checked),
}

const CASES: &[Case<Check>] = &[
    Case::new(
        "nodes from the start",
        Check::Everywhere(searches::nodes),
        "6 pits, 4 stones: all boards to depths 1 to 9, counted by another program",
    ),
    Case::new(
        "values from the start",
        Check::Everywhere(searches::values),
        "minimax to depths 1 to 9, computed by another program; either player begins, with opposite values",
    ),
    Case::new(
        "best cells from the start",
        Check::Everywhere(searches::cells),
        "the first of the best moves of these searches, as cells of the upper row",
    ),
    Case::new(
        "nodes of other games",
        Check::Everywhere(searches::nodes_of_other_games),
        "depth 8: 6 pits, 4 stones with empty captures, and 6 pits, 6 stones",
    ),
    Case::new(
        "searches are the definition",
        Check::Everywhere(searches::definition),
        "value, move and nodes on random boards of five games, as in the stone-by-stone recursion",
    ),
    Case::new(
        "packed rules are the definition",
        Check::Cpu(packed::packed_rules),
        "the boards after all moves on 250 random boards of each of 72 games, as in stone-by-stone sowing",
    ),
    Case::new(
        "alpha-beta from the start",
        Check::Cpu(pruned::from_the_start),
        "minimax to depths 1 to 12, computed by another program: value and cell of the best move at a depth of 12; how \
         many depths differ, for either player",
    ),
    Case::new(
        "alpha-beta is minimax",
        Check::Cpu(pruned::is_minimax),
        "value and move on random boards of four games, for either player, as in the stone-by-stone recursion",
    ),
    Case::new(
        "exact values of small games",
        Check::Cpu(small::exact_values),
        "margins of the first player: 1 to 3 pits with 1 to 6 stones, 4 with 1 to 4; how many differ, and those of 4 pits",
    ),
];

/// Runs all cases for the CPU or for a device, and reports each as it completes.
pub(super) fn verify(on: &Executor, tell: &mut dyn FnMut(Verified)) {
    for case in CASES {
        let (Check::Everywhere(check) | Check::Cpu(check)) = case.check;
        if matches!(case.check, Check::Everywhere(_)) || on.device().is_none() {
            tell(case.verified(check(&OnExecutor(on))));
        }
    }
}

/// Formats a list for a table.
fn list<T: ToString>(values: impl IntoIterator<Item = T>) -> String {
    values.into_iter().map(|value| value.to_string()).collect::<Vec<_>>().join(" ")
}

/// Returns a game of a valid size.
fn game(pits: u32, stones: u32) -> Game {
    Game::new(pits, stones).expect("1 to 6 pits and stones")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_cases_hold_on_the_cpu() {
        let mut cases = 0;
        verify(&Executor::cpu(), &mut |verified| {
            assert!(verified.finding.holds, "{verified:?}");
            cases += 1;
        });
        assert_eq!(cases, CASES.len());
    }
}
