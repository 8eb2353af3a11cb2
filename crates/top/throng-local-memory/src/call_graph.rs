//! The call graph: an order with callees before callers, and the cycles that prevent one.

use crate::program::Program;

/// The functions in analysis order, and recursion.
#[derive(Debug)]
pub(crate) struct CallGraph {
    /// All functions, callees before their callers.
    pub order: Vec<usize>,
    /// Recursive cycles, as functions with the calls between them.
    pub cycles: Vec<Vec<(usize, usize)>>,
}

impl CallGraph {
    pub fn of(program: &Program) -> Self {
        let mut graph = Self { order: Vec::new(), cycles: Vec::new() };
        let mut states = vec![State::New; program.functions.len()];
        for start in 0..program.functions.len() {
            if states[start] == State::New {
                graph.visit(program, start, &mut states);
            }
        }
        graph
    }

    /// Iterative depth-first search: each entry of the path is a function and the index of its next call.
    fn visit(&mut self, program: &Program, start: usize, states: &mut [State]) {
        let mut path = vec![(start, 0)];
        states[start] = State::Open;
        while let Some((function, next)) = path.last_mut() {
            let (function, call) = (*function, *next);
            let Some(callee) = program.functions[function].calls.get(call).map(|call| call.callee) else {
                states[function] = State::Done;
                self.order.push(function);
                path.pop();
                continue;
            };
            *next += 1;
            match states[callee] {
                State::New => {
                    states[callee] = State::Open;
                    path.push((callee, 0));
                }
                State::Open => {
                    let begin = path.iter().position(|(open, _)| *open == callee).expect("it is open, so on the path");
                    let cycle = path[begin..].iter().map(|(function, next)| (*function, next - 1)).collect();
                    self.cycles.push(cycle);
                }
                State::Done => {}
            }
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    New,
    Open,
    Done,
}
