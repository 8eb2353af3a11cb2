//! The scores of a tournament.

use std::collections::BTreeMap;

use super::games::{Played, Work};
use super::intervals::{Interval, normal, wilson};
use crate::kalah::Side;

/// The results of one player against another, from the first player's point of view.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Pairing {
    /// Games won.
    pub wins: u32,
    /// Games in which both players got the same number of stones.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
    /// The observations: per opening, the mean points of its games, from 0 to 1.
    pub points: Vec<f64>,
    /// Per opening, the mean margin of its games in stones.
    pub margins: Vec<f64>,
}

impl Pairing {
    /// Returns the number of games played.
    pub fn games(&self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// Returns the points: 1 for a win, 1/2 for a draw.
    pub fn total(&self) -> f64 {
        f64::from(self.wins) + f64::from(self.draws) / 2.0
    }

    /// Returns the points per game, with Wilson's interval over openings.
    pub fn share(&self) -> Interval {
        wilson(&self.points)
    }

    /// Returns the lead in stones per game, with the normal interval over openings.
    pub fn margin(&self) -> Interval {
        normal(&self.margins)
    }

    /// Adds the games of an opening, given as margins of the player.
    fn add(&mut self, margins: &[i32]) {
        let points = |margin: &i32| f64::from(1 + margin.signum()) / 2.0;
        self.wins += margins.iter().filter(|&&margin| margin > 0).count() as u32;
        self.draws += margins.iter().filter(|&&margin| margin == 0).count() as u32;
        self.losses += margins.iter().filter(|&&margin| margin < 0).count() as u32;
        let games = margins.len() as f64;
        self.points.push(margins.iter().map(points).sum::<f64>() / games);
        self.margins.push(f64::from(margins.iter().sum::<i32>()) / games);
    }

    fn append(&mut self, other: &Self) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
        self.points.extend(&other.points);
        self.margins.extend(&other.margins);
    }
}

/// The overall results of a player.
#[derive(Debug, Clone, PartialEq)]
pub struct Standing {
    /// Index of the player.
    pub player: usize,
    /// The results against all other players together.
    pub all: Pairing,
    /// The effort for its moves.
    pub work: Work,
}

/// The results of a tournament.
#[derive(Debug, Clone, PartialEq)]
pub struct Scores {
    /// The results of each player against each other player; `None` on the diagonal.
    pub pairings: Vec<Vec<Option<Pairing>>>,
    /// The players, best first; ties are in the order of the scenario.
    pub standings: Vec<Standing>,
    /// The results of the players who moved first after the opening, with all games of an opening as one observation.
    /// In each opening, each player of a pair moves first once, so playing strength has no effect.
    pub first_mover: Pairing,
}

impl Scores {
    /// Computes the scores of games between `players` players. The games of an opening must be adjacent.
    pub fn new(players: usize, games: &[Played]) -> Self {
        let mut of_openings: BTreeMap<[usize; 2], BTreeMap<u32, Vec<&Played>>> = BTreeMap::new();
        let mut works = vec![Work::default(); players];
        for game in games {
            let [bottom, top] = game.players;
            let pair = [bottom.min(top), bottom.max(top)];
            of_openings.entry(pair).or_default().entry(game.opening).or_default().push(game);
            works[bottom].add(game.work[0]);
            works[top].add(game.work[1]);
        }
        let mut pairings = vec![vec![None; players]; players];
        for (a, row) in pairings.iter_mut().enumerate() {
            for (b, of_pair) in row.iter_mut().enumerate().filter(|(b, _)| *b != a) {
                let mut pairing = Pairing::default();
                for games in of_openings.get(&[a.min(b), a.max(b)]).into_iter().flat_map(BTreeMap::values) {
                    let of_a =
                        |game: &&Played| of_side(game, if game.players[0] == a { Side::Bottom } else { Side::Top });
                    pairing.add(&games.iter().map(of_a).collect::<Vec<_>>());
                }
                *of_pair = Some(pairing);
            }
        }
        let mut first_mover = Pairing::default();
        // The games of an opening are not independent: the opening gives the first mover the same advantage in all of
        // them.
        for games in games.chunk_by(|a, b| a.opening == b.opening) {
            let of_first = |game: &Played| of_side(game, game.record.after_opening().to_move());
            first_mover.add(&games.iter().map(of_first).collect::<Vec<_>>());
        }
        let standing = |player: usize| {
            let mut all = Pairing::default();
            pairings[player].iter().flatten().for_each(|pairing| all.append(pairing));
            Standing { player, all, work: works[player] }
        };
        let mut standings: Vec<Standing> = (0..players).map(standing).collect();
        standings.sort_by(|a, b| b.all.total().total_cmp(&a.all.total()));
        Self { pairings, standings, first_mover }
    }
}

/// Returns the margin of a game for a player.
fn of_side(game: &Played, side: Side) -> i32 {
    game.record.margin().unwrap_or_default() * side.sign()
}
