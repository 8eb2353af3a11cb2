//! The names of players.

use std::fmt;
use std::time::Duration;

use throng_core::InputError;
use throng_model::names::{known, shown};

use crate::kalah::MAX_DEPTH;

/// The effort of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Effort {
    /// Search to this depth, in moves.
    Depth(u32),
    /// Search for this duration per move.
    Time(Duration),
}

/// A computer player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Player {
    /// A legal move, drawn from the seed, the game and the ply.
    Random,
    /// The move with the best evaluation right after it.
    Greedy,
    /// Exhaustive minimax to this depth.
    Minimax(u32),
    /// Alpha-beta search.
    AlphaBeta(Effort),
}

const MINIMAX: &str = "minimax";
const ALPHA_BETA: &str = "alpha-beta";

/// Depths of `minimax`. Each additional move takes about five times as long, and depth 12 a second or more.
const DEPTHS: std::ops::RangeInclusive<u32> = 1..=12;
/// Depths of `alpha-beta`.
const PRUNED_DEPTHS: std::ops::RangeInclusive<u32> = 1..=MAX_DEPTH;
const MIN_TIME: Duration = Duration::from_millis(10);
const MAX_TIME: Duration = Duration::from_hours(1);

impl Player {
    /// Name patterns, with their meanings.
    pub const FORMS: [(&str, &str); 5] = [
        ("random", "a legal move, drawn at random"),
        ("greedy", "the move with the best evaluation immediately after it"),
        ("minimax:N", "the best move of an exhaustive search to depth N; N from 1 to 12"),
        ("alpha-beta:N", "the same with pruning and exact values of finished games; N from 1 to 63"),
        ("alpha-beta:Ts", "the same, as deep as T seconds allow, such as 2s or 0.5s"),
    ];

    /// Parses a name. `place` is its location in messages.
    ///
    /// # Errors
    /// If the name is unknown, or a depth or time is out of range.
    pub fn read(name: &str, place: impl Into<String>) -> Result<Self, InputError> {
        Self::read_beside(name, place, &[])
    }

    /// Like [`Player::read`], where other names are allowed too: the remedy lists those first.
    pub(in crate::kalah) fn read_beside(
        name: &str,
        place: impl Into<String>,
        others: &[&str],
    ) -> Result<Self, InputError> {
        Self::of_name(name.trim(), others)
            .map_err(|remedy| InputError::one(place, format!("no player \"{}\"", shown(name)), remedy))
    }

    /// Returns the player called `name`, or the remedy for an unknown name.
    fn of_name(name: &str, others: &[&str]) -> Result<Self, String> {
        let (kind, effort) = name.split_once(':').map_or((name, None), |(kind, effort)| (kind, Some(effort)));
        match (kind, effort) {
            ("random", None) => Ok(Self::Random),
            ("greedy", None) => Ok(Self::Greedy),
            ("random" | "greedy", Some(_)) => Err(format!("it has no depth: write {kind}")),
            (MINIMAX, effort) => depth(effort, &DEPTHS).map(Self::Minimax).ok_or_else(|| {
                format!("give a depth from {} to {}, such as {MINIMAX}:4", DEPTHS.start(), DEPTHS.end())
            }),
            (ALPHA_BETA, effort) => {
                let by_depth = depth(effort, &PRUNED_DEPTHS).map(Effort::Depth);
                let effort = by_depth.or_else(|| time(effort?).map(Effort::Time));
                effort.map(Self::AlphaBeta).ok_or_else(|| {
                    let (from, to) = (PRUNED_DEPTHS.start(), PRUNED_DEPTHS.end());
                    format!(
                        "give a depth from {from} to {to}, such as {ALPHA_BETA}:8, or seconds from 0.01 to 3600, such as \
                         {ALPHA_BETA}:2s"
                    )
                })
            }
            _ => Err(known(name, others.iter().copied().chain(Self::FORMS.iter().map(|(form, _)| *form)))),
        }
    }

    /// Checks depth or time: a player is valid if its name is.
    ///
    /// # Errors
    /// If the depth or time is out of range.
    pub(in crate::kalah) fn check(self) -> Result<(), InputError> {
        Self::read(&self.to_string(), "player").map(|_| ())
    }

    /// Whether the moves depend on the speed of the machine.
    pub fn is_timed(self) -> bool {
        matches!(self, Self::AlphaBeta(Effort::Time(_)))
    }
}

fn depth(text: Option<&str>, range: &std::ops::RangeInclusive<u32>) -> Option<u32> {
    text?.parse().ok().filter(|depth| range.contains(depth))
}

fn time(text: &str) -> Option<Duration> {
    let seconds: f64 = text.strip_suffix('s')?.parse().ok()?;
    let time = Duration::try_from_secs_f64(seconds).ok()?;
    // Round down to whole milliseconds, which the name can show in full.
    let time = Duration::from_millis(time.as_millis() as u64);
    (MIN_TIME..=MAX_TIME).contains(&time).then_some(time)
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Random => f.write_str("random"),
            Self::Greedy => f.write_str("greedy"),
            Self::Minimax(depth) => write!(f, "{MINIMAX}:{depth}"),
            Self::AlphaBeta(Effort::Depth(depth)) => write!(f, "{ALPHA_BETA}:{depth}"),
            Self::AlphaBeta(Effort::Time(time)) => write!(f, "{ALPHA_BETA}:{}s", time.as_secs_f64()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_and_written() {
        for name in ["random", "greedy", "minimax:12", "alpha-beta:8", "alpha-beta:2s", "alpha-beta:0.25s"] {
            assert_eq!(Player::read(name, "").unwrap().to_string(), name);
        }
        let timed = Player::read("alpha-beta:2s", "").unwrap();
        assert_eq!(timed, Player::AlphaBeta(Effort::Time(Duration::from_secs(2))));
        assert!(timed.is_timed() && !Player::Minimax(2).is_timed());
    }

    #[test]
    fn forms_state_the_limits() {
        let meaning = |form: &str| Player::FORMS.iter().find(|(name, _)| *name == form).unwrap().1;
        for (form, depths) in [("minimax:N", DEPTHS), ("alpha-beta:N", PRUNED_DEPTHS)] {
            let limits = format!("; N from {} to {}", depths.start(), depths.end());
            assert!(meaning(form).ends_with(&limits), "{form}");
        }
    }

    #[test]
    fn invalid_names_are_refused_with_value_and_remedy() {
        for (name, remedy) in [
            ("greddy", "did you mean \"greedy\"? known: random, greedy, minimax:N, alpha-beta:N, alpha-beta:Ts"),
            ("greedy:3", "it has no depth: write greedy"),
            ("minimax", "give a depth from 1 to 12, such as minimax:4"),
            ("minimax:13", "give a depth from 1 to 12, such as minimax:4"),
            ("minimax:2s", "give a depth from 1 to 12, such as minimax:4"),
            ("alpha-beta:0", "give a depth from 1 to 63, such as alpha-beta:8, or seconds from 0.01 to 3600"),
            ("alpha-beta:0.001s", "give a depth from 1 to 63"),
            ("alpha-beta:1e9s", "give a depth from 1 to 63"),
            ("alpha-beta:NaNs", "give a depth from 1 to 63"),
            ("", "known: random"),
        ] {
            let error = Player::read(name, "--top").unwrap_err().to_string();
            let expected = format!("--top: no player \"{name}\"\n    {remedy}");
            assert!(error.starts_with(&expected), "{error}");
        }
    }
}
