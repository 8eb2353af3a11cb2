//! Iterative deepening: searches to depth 1, 2 and so on. Each iteration improves the move order of the next one. When
//! time is up, the last complete iteration is the answer.

use super::SearchResult;
use super::depth_limited::{STORE_WEIGHT, Searcher, Shared};
use super::limit::Stopped;
use super::principal_variation::{Finished, principal_variation};
use crate::kalah::Board;
use crate::kalah::numbering::Numbering;
use crate::kalah::rules::Position;
use crate::kalah::sizes::variant;

/// Minimum depth at which starting threads pays.
const PARALLEL_DEPTH: u32 = 7;

/// A search compiled for a number of pits and a capture rule.
pub struct Deepening<'s, const PITS: u32, const EMPTY: bool> {
    shared: Shared<'s>,
    numbering: Numbering<PITS>,
    threads: usize,
}

impl<'s, const PITS: u32, const EMPTY: bool> Deepening<'s, PITS, EMPTY> {
    /// Creates a search with `threads` threads.
    pub fn new(shared: Shared<'s>, threads: usize) -> Self {
        Self { shared, numbering: Numbering::new(), threads }
    }

    /// Searches to `depth`, or until stopped.
    pub fn search(&self, board: &Board, depth: u32) -> SearchResult {
        let position = board.packed(variant::<PITS, EMPTY>(STORE_WEIGHT));
        let sign = board.to_move().sign();
        let value = position.score * sign;
        let mut choice = SearchResult { pit: None, value, proved: None, depth: 0, nodes: 0, line: Vec::new() };
        let mut searchers: Vec<_> =
            (0..self.threads).map(|_| Searcher::<PITS, EMPTY>::new(&self.shared, &self.numbering)).collect();
        for of_depth in 1..=depth {
            let Ok(finished) = self.iteration(&mut searchers, &position, of_depth) else { break };
            choice.value = finished.value * sign;
            choice.pit = finished.line.first().copied();
            choice.line = finished.line;
            choice.depth = of_depth;
            if finished.is_final {
                // A deeper search would find the same result.
                choice.depth = depth;
                // A finished game counts this weight per stone of the margin.
                choice.proved = self.shared.terminal_exact.then_some(choice.value / STORE_WEIGHT as i32);
                break;
            }
        }
        choice.nodes = searchers.iter().map(|searcher| searcher.nodes).sum();
        choice
    }

    /// Searches to a depth on all threads. They search the same tree with the same result and share the table; the
    /// first thread to finish ends the search.
    fn iteration(
        &self,
        searchers: &mut [Searcher<'_, PITS, EMPTY>],
        position: &Position<u64>,
        depth: u32,
    ) -> Result<Finished, Stopped> {
        let stop = self.shared.stop;
        let search = |searcher: &mut Searcher<'_, PITS, EMPTY>| {
            let finished = principal_variation(searcher, position, depth);
            if finished.is_ok() {
                stop.stop();
            }
            finished
        };
        let (first, others) = searchers.split_first_mut().expect("there is a thread");
        let others = if depth < PARALLEL_DEPTH { &mut [] } else { others };
        let finished = std::thread::scope(|scope| {
            // If the system cannot start a thread, fewer threads find the same result.
            let others = others
                .iter_mut()
                .map_while(|searcher| throng_core::spawn_scoped(scope, "alpha-beta", move || search(searcher)).ok());
            let others: Vec<_> = others.collect();
            let of_first = search(first);
            let of_others = others.into_iter().map(|thread| thread.join().expect("a search does not panic"));
            of_others.fold(of_first, Result::or)
        });
        if finished.is_ok() {
            stop.go_on();
        }
        finished
    }
}
