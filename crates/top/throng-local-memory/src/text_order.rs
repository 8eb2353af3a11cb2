//! The paper's rule, as a baseline.
//!
//! It reads a function from start to end, in source order. A running sum grows by allocations and by the peaks of
//! callees, and shrinks by frees; the peak is its maximum. So memory that a callee has freed stays in the sum, and the
//! branches of an `if` add up (Kloosterman, section 7.2, and the tool's source).

use crate::call_graph::CallGraph;
use crate::program::Program;

/// The paper's figure for all functions, with sizes rounded up to `align` as in our analysis.
pub(crate) fn text_order_peaks(program: &Program, graph: &CallGraph, align: u64) -> Vec<u64> {
    enum Step {
        Allocate(u64),
        Free(u64),
        Call(u64),
    }
    let round = |size: Option<u64>| size.unwrap_or(0).next_multiple_of(align);
    let mut peaks = vec![0_u64; program.functions.len()];
    for number in &graph.order {
        let function = &program.functions[*number];
        let allocations = function.allocations.iter().map(|a| (a.pieces.start, Step::Allocate(round(a.size))));
        let frees = function.frees.iter().map(|free| (free.pieces.start, Step::Free(round(free.size))));
        let calls = function.calls.iter().map(|call| (call.piece, Step::Call(peaks[call.callee])));
        let mut steps: Vec<(usize, Step)> = allocations.chain(frees).chain(calls).collect();
        steps.sort_by_key(|(piece, _)| *piece);
        let (mut sum, mut peak) = (0_i128, 0_i128);
        for (_, step) in steps {
            match step {
                Step::Allocate(bytes) | Step::Call(bytes) => sum += i128::from(bytes),
                Step::Free(bytes) => sum -= i128::from(bytes),
            }
            peak = peak.max(sum);
        }
        peaks[*number] = u64::try_from(peak).unwrap_or(u64::MAX);
    }
    peaks
}

#[cfg(test)]
mod tests {
    use throng_core::Problems;

    use super::*;
    use crate::Source;
    use crate::lower::lower;
    use crate::pieces::Pieces;
    use crate::syntax::Syntax;

    fn peaks(text: &str) -> Vec<u64> {
        let pieces = Pieces::of(&Source::new("k.cl", text));
        let syntax = Syntax::parse(&pieces).unwrap();
        let program = lower(&syntax, &mut Problems::new());
        text_order_peaks(&program, &CallGraph::of(&program), 1)
    }

    /// The rule also has figures for programs that are rejected because of their paths.
    #[test]
    fn branches_add_up_and_loops_count_once() {
        let branches = "__kernel void k(int c) {
            if (c) local_malloc(64); else local_malloc(256);
            if (c) local_free(64); else local_free(256);
        }";
        assert_eq!(peaks(branches), [320]);
        assert_eq!(peaks("__kernel void k(int n) { while (n--) local_malloc(8); }"), [8]);
    }

    #[test]
    fn blocks_freed_by_callees_stay_in_the_sum() {
        let text =
            "void f(void) { local_malloc(4); local_free(4); } __kernel void k(void) { f(); f(); local_malloc(1); }";
        assert_eq!(peaks(text), [4, 9]);
    }
}
