//! Faulty executors: each must fail at least one case, and each case must fail on at least one of them.

use std::panic::catch_unwind;

use throng_model::Failure;

use super::executor::{CaseExecutor, Extent, OnExecutor, best_moves, players_search};
use super::{CASES, Check};
use crate::kalah::alpha_beta;
use crate::kalah::reference::{Illegal, Rules, capture, evaluation, exact_evaluation, minimax_by, play, sow};
use crate::kalah::rules::make_move::MoveResult;
use crate::kalah::unpruned::UnprunedResult;
use crate::kalah::{Board, Game, Side};

/// The fault of an executor.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Fault {
    /// Searches nothing, and leaves boards as they are.
    DoesNothing,
    /// Its rules have a fault.
    Rules(RuleFault),
    /// The sign of values is wrong.
    WrongSign,
    /// Reports the pit after the best one.
    PitOffByOne,
    /// Searches one move less.
    OneMoveLess,
    /// With several best moves, reports the last one.
    LastOfTies,
    /// Counts no board on which the game is over or the depth is reached.
    CountsNoLeaves,
    /// The search of players has a fault.
    Pruning(alpha_beta::Fault),
}

/// The rule of the game that is wrong.
#[derive(Debug, Clone, Copy, PartialEq)]
enum RuleFault {
    /// A last stone in the own store ends the turn.
    NoExtraMove,
    /// A last stone in any cell of the own row gives another move.
    ExtraMoveInOwnRow,
    /// No stone is captured.
    NoCapture,
    /// The capture rule of the other variant: with or without stones in the opposite pit.
    OtherCaptureRule,
    /// Sowing does not skip the opponent's store.
    SowsIntoOtherStore,
    /// Sows the pit after the chosen one.
    SowsNextPit,
    /// Stones that are left in pits at the end of the game belong to no one.
    LeavesLastStones,
    /// The game ends only if the player to move has no stones.
    EndsForPlayerToMove,
}

const FAULTS: [Fault; 18] = [
    Fault::DoesNothing,
    Fault::Rules(RuleFault::NoExtraMove),
    Fault::Rules(RuleFault::ExtraMoveInOwnRow),
    Fault::Rules(RuleFault::NoCapture),
    Fault::Rules(RuleFault::OtherCaptureRule),
    Fault::Rules(RuleFault::SowsIntoOtherStore),
    Fault::Rules(RuleFault::SowsNextPit),
    Fault::Rules(RuleFault::LeavesLastStones),
    Fault::Rules(RuleFault::EndsForPlayerToMove),
    Fault::WrongSign,
    Fault::PitOffByOne,
    Fault::OneMoveLess,
    Fault::LastOfTies,
    Fault::CountsNoLeaves,
    Fault::Pruning(alpha_beta::Fault::CutsOneTooEarly),
    Fault::Pruning(alpha_beta::Fault::TableIgnoresDepth),
    Fault::Pruning(alpha_beta::Fault::TableIgnoresBounds),
    Fault::Pruning(alpha_beta::Fault::TableIgnoresSide),
];

/// The rules of the definition with a fault, and the evaluation of finished games.
struct FaultyRules {
    fault: RuleFault,
    /// Whether a finished game is worth 5 per stone of the margin.
    is_exact: bool,
}

impl Rules for FaultyRules {
    fn play(&self, board: &Board, pit: u32) -> Result<Board, Illegal> {
        let (game, side) = (board.game(), board.to_move());
        let own_row = board.first_pit(side)..board.store_cell(side);
        let sown_pit = if self.fault == RuleFault::SowsNextPit { (pit + 1) % game.pits() } else { pit };
        if board.pits(side)[sown_pit as usize] == 0 {
            return Err(Illegal::Empty);
        }
        let skips = self.fault != RuleFault::SowsIntoOtherStore;
        let (mut cells, last) = sow(board, sown_pit, skips.then(|| board.store_cell(side.other())));
        if self.fault != RuleFault::NoCapture {
            let changes = self.fault == RuleFault::OtherCaptureRule;
            let rule = game.with_empty_capture(game.empty_capture() != changes);
            capture(rule, own_row.start, &mut cells, last);
        }
        let again = match self.fault {
            RuleFault::NoExtraMove => false,
            RuleFault::ExtraMoveInOwnRow => (own_row.start..=own_row.end).contains(&last),
            _ => last == own_row.end,
        };
        Ok(Board::new(game, &cells, if again { side } else { side.other() }).expect("no stone is lost or made"))
    }

    fn is_over(&self, board: &Board) -> bool {
        let is_empty = |side| board.pits(side).iter().all(|&pit| pit == 0);
        is_empty(board.to_move()) || (self.fault != RuleFault::EndsForPlayerToMove && is_empty(board.to_move().other()))
    }

    fn of_finished(&self, board: &Board) -> i32 {
        if self.fault == RuleFault::LeavesLastStones {
            5 * (i32::from(board.store(Side::Top)) - i32::from(board.store(Side::Bottom)))
        } else if self.is_exact {
            exact_evaluation(board)
        } else {
            evaluation(board)
        }
    }
}

/// The CPU executor.
static RIGHT: OnExecutor<'static> = OnExecutor(&throng_device::CPU);

/// The CPU executor with a fault.
struct Mutant(Fault);

impl Mutant {
    /// A result with the fault.
    fn faulty(&self, board: &Board, depth: u32, found: UnprunedResult) -> Result<UnprunedResult, Failure> {
        Ok(match self.0 {
            Fault::WrongSign => UnprunedResult { value: -found.value, ..found },
            Fault::PitOffByOne => UnprunedResult { pit: found.pit.map(|pit| (pit + 1) % board.game().pits()), ..found },
            Fault::OneMoveLess => RIGHT.search(board, depth.saturating_sub(1))?,
            Fault::LastOfTies => {
                let mut last = found.pit;
                for pit in 0..board.game().pits() {
                    let next = if depth > 0 { play(board, pit).ok() } else { None };
                    if let Some(next) = next
                        && RIGHT.search(&next, depth - 1)?.value == found.value
                    {
                        last = Some(pit);
                    }
                }
                UnprunedResult { pit: last, ..found }
            }
            Fault::CountsNoLeaves => {
                let less = if depth == 0 { 0 } else { RIGHT.search(board, depth - 1)?.nodes };
                UnprunedResult { nodes: less, ..found }
            }
            Fault::DoesNothing => UnprunedResult { value: 0, pit: None, nodes: 0 },
            Fault::Rules(_) | Fault::Pruning(_) => found,
        })
    }
}

impl CaseExecutor for Mutant {
    fn extent(&self) -> Extent {
        Extent { depth: 6, pruned_depth: 6, boards: 8, move_boards: 20, pits: 2 }
    }

    fn search(&self, board: &Board, depth: u32) -> Result<UnprunedResult, Failure> {
        if let Fault::Rules(fault) = self.0 {
            let found = minimax_by(&FaultyRules { fault, is_exact: false }, board, depth);
            return Ok(UnprunedResult { value: found.value, pit: found.pit, nodes: found.nodes });
        }
        self.faulty(board, depth, RIGHT.search(board, depth)?)
    }

    fn make_move(&self, board: &Board, pit: u32) -> MoveResult<u64> {
        let variant = board.game().wide(5);
        let right = RIGHT.make_move(board, pit);
        let mut position = right.position;
        match self.0 {
            Fault::DoesNothing => MoveResult { position: board.packed(variant), again: true },
            Fault::WrongSign => {
                position.score = -position.score;
                MoveResult { position, ..right }
            }
            Fault::Rules(fault) => match (FaultyRules { fault, is_exact: false }).play(board, pit) {
                Ok(next) => MoveResult { position: next.packed(variant), again: next.to_move() == board.to_move() },
                Err(_) => MoveResult { position: board.packed(variant), again: true },
            },
            _ => right,
        }
    }

    fn best_moves(&self, game: Game, boards: &[Board], depth: u32) -> Result<Vec<(i32, Option<u32>)>, Failure> {
        if let Fault::Pruning(fault) = self.0 {
            // The search panics if no move has the value of the position.
            let found = catch_unwind(|| best_moves(players_search(game)?.with_fault(fault), boards, depth));
            return found.unwrap_or_else(|_| Ok(vec![(0, None); boards.len()]));
        }
        let of_board = |board| self.search(board, depth).map(|found| (found.value, found.pit));
        boards.iter().map(of_board).collect()
    }

    fn margin(&self, board: &Board) -> Result<i32, Failure> {
        Ok(match self.0 {
            Fault::DoesNothing => 0,
            Fault::WrongSign => -RIGHT.margin(board)?,
            Fault::Rules(fault) => {
                let rules = FaultyRules { fault, is_exact: true };
                minimax_by(&rules, board, u32::MAX).value * board.to_move().sign() / 5
            }
            _ => RIGHT.margin(board)?,
        })
    }
}

/// The faults that each case must detect, besides that of an executor that does nothing.
const DETECTED: [(&str, &[&str]); CASES.len()] = [
    ("nodes from the start", &["OneMoveLess", "CountsNoLeaves"]),
    ("values from the start", &["WrongSign", "Rules(NoCapture)"]),
    ("best cells from the start", &["PitOffByOne", "LastOfTies", "Rules(SowsNextPit)"]),
    ("nodes of other games", &["Rules(OtherCaptureRule)", "Rules(SowsIntoOtherStore)"]),
    (
        "searches are the definition",
        &[
            "Rules(NoExtraMove)",
            "Rules(ExtraMoveInOwnRow)",
            "Rules(LeavesLastStones)",
            "Rules(EndsForPlayerToMove)",
            "CountsNoLeaves",
        ],
    ),
    (
        "packed rules are the definition",
        &[
            "Rules(NoExtraMove)",
            "Rules(ExtraMoveInOwnRow)",
            "Rules(NoCapture)",
            "Rules(OtherCaptureRule)",
            "Rules(SowsIntoOtherStore)",
            "Rules(SowsNextPit)",
        ],
    ),
    (
        "alpha-beta from the start",
        &["Pruning(CutsOneTooEarly)", "Pruning(TableIgnoresDepth)", "Pruning(TableIgnoresBounds)"],
    ),
    (
        "alpha-beta is minimax",
        &[
            "Pruning(CutsOneTooEarly)",
            "Pruning(TableIgnoresDepth)",
            "Pruning(TableIgnoresBounds)",
            "Pruning(TableIgnoresSide)",
        ],
    ),
    ("exact values of small games", &["Rules(LeavesLastStones)", "Rules(EndsForPlayerToMove)", "WrongSign"]),
];

#[test]
fn cases_detect_faulty_rules_and_searches() {
    assert!(CASES.iter().map(|case| case.name).eq(DETECTED.map(|(case, _)| case)));
    let faults = FAULTS.map(|fault| format!("{fault:?}"));
    throng_testing::assert_detects(&faults, &["DoesNothing"], &DETECTED, |case, fault| {
        let (Check::Everywhere(check) | Check::Cpu(check)) = CASES[case].check;
        let found = match fault {
            Some(fault) => check(&Mutant(FAULTS[fault])),
            None => check(&RIGHT),
        };
        CASES[case].verified(found).outcome()
    });
}
