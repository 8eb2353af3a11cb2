//! Finds the values of a board and of each of its moves by bisection: each proof halves the interval of a value.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use throng_core::NoThread;

use super::bounds::Bounds;
use super::proof::{Node, Prover, Shared};
use super::watch::Watch;
use crate::kalah::Board;
use crate::kalah::alpha_beta::Stopped;
use crate::kalah::numbering::Numbering;
use crate::kalah::reference::play;
use crate::kalah::sizes::variant;

/// The interval between progress reports.
const REPORT_EVERY: Duration = Duration::from_millis(500);

/// A search compiled for a number of pits and a capture rule.
pub struct Search<'s, const PITS: u32, const EMPTY: bool> {
    shared: &'s Shared<'s>,
    provers: Vec<Prover<'s, PITS, EMPTY>>,
}

/// The value of a board, and its moves (pits) with their values.
pub type Values = (i32, Vec<(u32, i32)>);

impl<'s, const PITS: u32, const EMPTY: bool> Search<'s, PITS, EMPTY> {
    /// Creates a search with `threads` threads.
    pub fn new(shared: &'s Shared<'s>, numbering: &'s Numbering<PITS>, threads: usize) -> Self {
        let provers = (0..threads).map(|_| Prover::new(shared, numbering)).collect();
        Self { shared, provers }
    }

    /// Returns the margins of a board and of its moves, for the player to move.
    ///
    /// # Errors
    /// If the system cannot start a thread.
    pub fn values(&mut self, board: &Board, watch: &mut Watch<'_>) -> Result<Values, NoThread> {
        let side = board.to_move();
        watch.begin("board".to_owned(), false);
        // No move is better than the board's value, which narrows the intervals of the moves.
        let value = self.margin(board, i32::MAX, watch)?;
        watch.found(value, self.shared);
        let mut moves = Vec::new();
        for pit in 0..PITS {
            let Ok(next) = play(board, pit) else { continue };
            watch.begin(format!("pit {}", pit + 1), next.to_move() != side);
            let margin = if next.to_move() == side {
                self.margin(&next, value, watch)?
            } else {
                -self.margin_above(&next, -value, watch)?
            };
            watch.found(margin, self.shared);
            moves.push((pit, margin));
        }
        Ok((value, moves))
    }

    /// Returns the final margin of a board for the player to move, given that it is at most `most`.
    fn margin(&mut self, board: &Board, most: i32, watch: &mut Watch<'_>) -> Result<i32, NoThread> {
        let (node, offset) = self.node(board);
        let most = u32::try_from((most.saturating_sub(offset)) / 2).unwrap_or(0).min(node.stones);
        Ok(offset + 2 * self.value(&node, offset, Bounds { least: 0, most }, watch)? as i32)
    }

    /// Like [`Self::margin`], given that the margin is at least `least`.
    fn margin_above(&mut self, board: &Board, least: i32, watch: &mut Watch<'_>) -> Result<i32, NoThread> {
        let (node, offset) = self.node(board);
        let least = u32::try_from((least - offset) / 2).unwrap_or(0);
        Ok(offset + 2 * self.value(&node, offset, Bounds { least, most: node.stones }, watch)? as i32)
    }

    /// Returns the node of a board, and the margin if the opponent got all stones in the pits.
    fn node(&self, board: &Board) -> (Node, i32) {
        let position = board.packed(variant::<PITS, EMPTY>(1));
        let node = self.provers[0].node(position.own, position.other);
        let own = board.to_move();
        (node, i32::from(board.store(own)) - i32::from(board.store(own.other())) - node.stones as i32)
    }

    /// Returns the value of a position, given bounds on it.
    fn value(&mut self, node: &Node, offset: i32, within: Bounds, watch: &mut Watch<'_>) -> Result<u32, NoThread> {
        let mut bounds = within;
        loop {
            let known = self.provers[0].known(node).bounds;
            bounds = Bounds { least: bounds.least.max(known.least), most: bounds.most.min(known.most) };
            let margin = |value: u32| offset + 2 * value as i32;
            watch.margins(margin(bounds.least), margin(bounds.most));
            if bounds.least == bounds.most {
                return Ok(bounds.least);
            }
            let target = (bounds.least + bounds.most).div_ceil(2);
            let bound = self.bound(node, target, watch)?;
            // Bounds that are found quickly are also saved and reported.
            watch.tick(self.shared);
            if bound >= target {
                bounds.least = bound;
            } else {
                bounds.most = bound;
            }
        }
    }

    /// Runs [`Prover::bound`] on all threads. They search the same tree and share the table; the first thread to finish
    /// ends the search.
    fn bound(&mut self, node: &Node, target: u32, watch: &mut Watch<'_>) -> Result<u32, NoThread> {
        let stop = self.shared.stop;
        let bound = std::thread::scope(|scope| {
            let (sender, bounds) = channel();
            for prover in &mut self.provers {
                let sender = sender.clone();
                let started = throng_core::spawn_scoped(scope, "solver", move || {
                    let known = prover.known(node);
                    let bound = known.bounds.decided(target).map_or_else(|| prover.bound(node, known, target), Ok);
                    prover.report_nodes();
                    // The receiver has been dropped if another thread was faster.
                    let _ = sender.send(bound);
                });
                if let Err(error) = started {
                    stop.stop();
                    return Err(error);
                }
            }
            drop(sender);
            loop {
                match bounds.recv_timeout(REPORT_EVERY) {
                    Ok(Ok(bound)) => {
                        stop.stop();
                        return Ok(bound);
                    }
                    Ok(Err(Stopped)) => {}
                    Err(RecvTimeoutError::Timeout) => watch.tick(self.shared),
                    Err(RecvTimeoutError::Disconnected) => unreachable!("a thread ends with a bound"),
                }
            }
        });
        stop.reset();
        bound
    }
}
