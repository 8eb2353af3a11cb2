//! The three consistent rules, evaluated by each agent from its neighbours one by one.
//!
//! Agent `i` is at `p_i` and wants to move to `q_i`. It has a *stayer* conflict with `j` if its disc at `q_i` overlaps
//! with that of `j` at `p_j`, and a *target* conflict if it overlaps with that of `j` at `q_j`. Of two agents, the one
//! with the lower priority number comes first; ties go to the lower id.

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use throng_device::cubecl::{self, prelude::*};

/// The decision about an agent is open.
pub const UNDECIDED: u32 = 0;
/// The agent moves.
pub const MOVED: u32 = 1;
/// The agent stays, and the conservative rule does not count it among the competitors.
pub const BLOCKED: u32 = 2;
/// The agent stays, because a competitor comes first; only under the conservative rule.
pub const LOST: u32 = 3;

/// The rule that decides which agents move. Under all rules, no two discs overlap after a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Rule {
    /// Like a server that handles one request after the other, by priority: a wish is granted if its target is free at
    /// that moment. An agent can follow another one that comes first.
    #[default]
    Sequential,
    /// Priority settles target conflicts; then agents follow those that leave, in chains and rings of any length.
    Following,
    /// A position that was occupied before the step stays blocked; priority decides among the wishes for free
    /// positions.
    Conservative,
}

impl Rule {
    /// All rules.
    pub const ALL: [Self; 3] = [Self::Sequential, Self::Following, Self::Conservative];
}

/// State of the evaluation of an agent's wish.
#[derive(CubeType, Debug, Clone, Copy, PartialEq, Eq)]
pub struct Contest {
    blocked: bool,
    lost: bool,
    waits: bool,
}

#[cube]
pub fn contest() -> Contest {
    Contest { blocked: false.runtime(), lost: false.runtime(), waits: false.runtime() }
}

#[cube]
impl Contest {
    /// Considers another agent, in the first or a later pass. `stayer` and `target`: the conflicts with it;
    /// `it_is_first`: whether it has the lower priority number; `state`: the decision about it so far, which may
    /// become final while this runs.
    #[inline]
    pub fn consider(&mut self, stayer: bool, target: bool, it_is_first: bool, state: u32, #[comptime] rule: Rule) {
        match rule {
            Rule::Sequential => {
                // A later agent is still at its old position. An earlier one is at its new position if it has moved.
                if stayer && (!it_is_first || state == BLOCKED) {
                    self.blocked = true;
                }
                if target && it_is_first && state == MOVED {
                    self.blocked = true;
                }
                if (stayer || target) && it_is_first && state == UNDECIDED {
                    self.waits = true;
                }
            }
            Rule::Following => {
                if (target && it_is_first) || (stayer && state == BLOCKED) {
                    self.blocked = true;
                }
                if stayer && state == UNDECIDED {
                    self.waits = true;
                }
            }
            Rule::Conservative => {
                if stayer {
                    self.blocked = true;
                }
                // The set of free targets is known only after this pass.
                self.waits = true;
            }
        }
    }

    /// Considers another agent in the second pass of the conservative rule, which makes all remaining decisions.
    #[inline]
    pub fn meet_competitor(&mut self, target: bool, it_is_first: bool, state: u32) {
        if target && it_is_first && state != BLOCKED {
            self.lost = true;
        }
    }

    /// Returns the decision, or [`UNDECIDED`].
    #[inline]
    pub fn verdict(&self) -> u32 {
        let mut verdict = MOVED.runtime();
        if self.blocked {
            verdict = BLOCKED.runtime();
        } else if self.lost {
            verdict = LOST.runtime();
        } else if self.waits {
            verdict = UNDECIDED.runtime();
        }
        verdict
    }
}

/// Whether the agent with priority `other` comes before the one with `own`: the lower priority number comes first; ties
/// go to the lower id.
#[cube]
#[inline]
pub fn is_first(other: u32, other_id: u32, own: u32, own_id: u32) -> bool {
    other < own || (other == own && other_id < own_id)
}
