//! The names of players.

use std::fmt;
use std::time::Duration;

use throng_core::InputError;
use throng_model::names::{known, shown};

use crate::kalah::MOST_DEPTH;

/// How far a search looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Effort {
    /// So many moves.
    Depth(u32),
    /// As many moves as it can in this time.
    Time(Duration),
}

/// Who chooses moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Player {
    /// A legal move, drawn by seed, game and ply.
    Random,
    /// The move with the best evaluation after it.
    Greedy,
    /// Minimax of all moves to this depth.
    Minimax(u32),
    /// Alpha-beta search.
    AlphaBeta(Effort),
}

const MINIMAX: &str = "minimax";
const ALPHA_BETA: &str = "alpha-beta";

/// The depths of `minimax`: a move more takes some five times as long, and one of 12 a second or more.
const DEPTHS: std::ops::RangeInclusive<u32> = 1..=12;
/// The depths of `alpha-beta`.
const PRUNED_DEPTHS: std::ops::RangeInclusive<u32> = 1..=MOST_DEPTH;
const SHORTEST: Duration = Duration::from_millis(10);
const LONGEST: Duration = Duration::from_hours(1);

impl Player {
    /// The forms of names, each with its meaning.
    pub const FORMS: [(&str, &str); 5] = [
        ("random", "a legal move, drawn by seed, game and move"),
        ("greedy", "the move with the best evaluation after it"),
        ("minimax:N", "the best line of N moves, all lines searched; N from 1 to 12"),
        ("alpha-beta:N", "the best line of N moves, hopeless lines left out; N from 1 to 63"),
        ("alpha-beta:Ts", "the same for as many moves as T seconds allow, such as 2s or 0.5s"),
    ];

    /// Reads a name. `place` is where it was written.
    ///
    /// # Errors
    /// An unknown name, a depth or a time out of range.
    pub fn read(name: &str, place: impl Into<String>) -> Result<Self, InputError> {
        Self::of_name(name.trim())
            .map_err(|remedy| InputError::one(place, format!("no player \"{}\"", shown(name)), remedy))
    }

    /// The player, or the remedy for a name that is none.
    fn of_name(name: &str) -> Result<Self, String> {
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
            _ => Err(known(name, Self::FORMS.iter().map(|(form, _)| *form))),
        }
    }

    /// Whether its moves depend on how fast the machine is.
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
    // Whole milliseconds, so that the name has them all.
    let time = Duration::from_millis(time.as_millis() as u64);
    (SHORTEST..=LONGEST).contains(&time).then_some(time)
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
        assert_eq!(Player::FORMS.len(), 5);
    }

    #[test]
    fn others_are_refused_with_place_value_and_remedy() {
        for (name, remedy) in [
            ("greddy", "did you mean \"greedy\"? known are random, greedy, minimax:N, alpha-beta:N, alpha-beta:Ts"),
            ("greedy:3", "it has no depth: write greedy"),
            ("minimax", "give a depth from 1 to 12, such as minimax:4"),
            ("minimax:13", "give a depth from 1 to 12, such as minimax:4"),
            ("minimax:2s", "give a depth from 1 to 12, such as minimax:4"),
            ("alpha-beta:0", "give a depth from 1 to 63, such as alpha-beta:8, or seconds from 0.01 to 3600"),
            ("alpha-beta:0.001s", "give a depth from 1 to 63"),
            ("alpha-beta:1e9s", "give a depth from 1 to 63"),
            ("alpha-beta:NaNs", "give a depth from 1 to 63"),
            ("", "known are random"),
        ] {
            let error = Player::read(name, "--top").unwrap_err().to_string();
            let expected = format!("--top: no player \"{name}\"\n    {remedy}");
            assert!(error.starts_with(&expected), "{error}");
        }
    }
}
