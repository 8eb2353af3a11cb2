//! Follows all paths through a function.

use std::collections::BTreeMap;

use crate::program::{Action, Function, Loop, Statement};

/// Where paths meet, for messages. The piece is that of the statement from which the later path comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Meeting {
    /// After the arms of `if`, `?:`, `&&` or `||`.
    Arms(usize, &'static str),
    /// At the head of a loop, from its end.
    LoopEnd(usize, &'static str),
    Break(usize),
    Continue(usize),
    /// At a `case`, or behind the `switch` if none applies.
    Switch(usize),
    Label(usize),
    /// At the end of the function, from a `return` or from the last statement.
    Return(usize),
}

/// What is known at a place of a function on all paths to it.
pub(crate) trait Flow {
    type State: Clone;

    /// The effect of an action.
    fn act(&mut self, action: &Action, state: &mut Self::State);

    /// Adds what is known on another path; says whether that is new.
    fn meet(&mut self, into: &mut Self::State, from: &Self::State, meeting: Meeting) -> bool;
}

/// Follows all paths until nothing new is found. Returns the state at the end of the function, or `None` if no path
/// reaches it.
pub(crate) fn follow<F: Flow>(flow: &mut F, function: &Function, start: &F::State) -> Option<F::State> {
    let mut walk = Walk { flow, breaks: Vec::new(), continues: Vec::new(), labels: BTreeMap::new(), end: None };
    loop {
        let before = walk.labels.len();
        let mut is_new = false;
        walk.end = None;
        let last = walk.all(&function.body, Some(start.clone()), &mut is_new);
        walk.leave(last, Meeting::Return(function.end_piece));
        if !is_new && walk.labels.len() == before {
            return walk.end;
        }
    }
}

/// States that a `break` or `continue` has, each with where it is.
type Exit<S> = Option<(S, usize)>;

struct Walk<'w, F: Flow> {
    flow: &'w mut F,
    breaks: Vec<Exit<F::State>>,
    continues: Vec<Exit<F::State>>,
    labels: BTreeMap<String, F::State>,
    end: Option<F::State>,
}

impl<F: Flow> Walk<'_, F> {
    /// The state after statements. `is_new` is set when a `goto` brings something new to a label that comes before it.
    fn all(&mut self, statements: &[Statement], mut state: Option<F::State>, is_new: &mut bool) -> Option<F::State> {
        for statement in statements {
            state = self.one(statement, state, is_new);
        }
        state
    }

    fn one(&mut self, statement: &Statement, mut state: Option<F::State>, is_new: &mut bool) -> Option<F::State> {
        match statement {
            Statement::Do(action) => {
                if let Some(state) = &mut state {
                    self.flow.act(action, state);
                }
                state
            }
            Statement::Branch { arms, piece, what } => {
                let mut after = None;
                for arm in arms {
                    let end = self.all(arm, state.clone(), is_new);
                    after = self.both(after, end, Meeting::Arms(*piece, what));
                }
                after
            }
            Statement::Loop(inner) => self.repeat(inner, state, is_new),
            Statement::Switch { arms, has_default, piece } => {
                self.breaks.push(None);
                let mut through = None;
                for arm in arms {
                    let begin = self.both(state.clone(), through, Meeting::Switch(*piece));
                    through = self.all(arm, begin, is_new);
                }
                if !has_default {
                    through = self.both(state, through, Meeting::Switch(*piece));
                }
                let left = self.breaks.pop().flatten();
                self.with_exit(through, left, Meeting::Break)
            }
            Statement::Return(piece) => {
                self.leave(state, Meeting::Return(*piece));
                None
            }
            Statement::Break(piece) => {
                let known = self.breaks.pop().flatten();
                let exit = self.exit(known, state, Meeting::Break(*piece), *piece);
                self.breaks.push(exit);
                None
            }
            Statement::Continue(piece) => {
                let known = self.continues.pop().flatten();
                let exit = self.exit(known, state, Meeting::Continue(*piece), *piece);
                self.continues.push(exit);
                None
            }
            Statement::Goto { label, piece } => {
                self.at_label(label, state, Meeting::Label(*piece), is_new);
                None
            }
            Statement::Label { name, piece } => {
                // Not new: what comes after the label is followed from here on.
                self.at_label(name, state, Meeting::Label(*piece), &mut false);
                self.labels.get(name).cloned()
            }
        }
    }

    fn repeat(&mut self, inner: &Loop, state: Option<F::State>, is_new: &mut bool) -> Option<F::State> {
        let mut head = state;
        loop {
            self.breaks.push(None);
            self.continues.push(None);
            let (end, tested) = if inner.tests_last {
                let body = self.all(&inner.body, head.clone(), is_new);
                let continued = self.continues.pop().flatten();
                let body = self.with_exit(body, continued, Meeting::Continue);
                let tested = self.all(&inner.condition, body, is_new);
                (tested.clone(), tested)
            } else {
                let tested = self.all(&inner.condition, head.clone(), is_new);
                let body = self.all(&inner.body, tested.clone(), is_new);
                let continued = self.continues.pop().flatten();
                let body = self.with_exit(body, continued, Meeting::Continue);
                (self.all(&inner.step, body, is_new), tested)
            };
            let left = self.breaks.pop().flatten();
            let has_changed = match (&mut head, &end) {
                (Some(head), Some(end)) => self.flow.meet(head, end, Meeting::LoopEnd(inner.piece, inner.what)),
                // A label in the body makes the head reachable.
                (None, Some(end)) => {
                    head = Some(end.clone());
                    true
                }
                _ => false,
            };
            if !has_changed {
                let after = if inner.is_endless { None } else { tested };
                return self.with_exit(after, left, Meeting::Break);
            }
        }
    }

    fn both(&mut self, one: Option<F::State>, other: Option<F::State>, at: Meeting) -> Option<F::State> {
        match (one, other) {
            (Some(mut one), Some(other)) => {
                self.flow.meet(&mut one, &other, at);
                Some(one)
            }
            (one, other) => one.or(other),
        }
    }

    fn with_exit(
        &mut self,
        state: Option<F::State>,
        exit: Exit<F::State>,
        at: fn(usize) -> Meeting,
    ) -> Option<F::State> {
        match exit {
            Some((left, piece)) => self.both(state, Some(left), at(piece)),
            None => state,
        }
    }

    fn exit(&mut self, known: Exit<F::State>, state: Option<F::State>, at: Meeting, piece: usize) -> Exit<F::State> {
        let first = known.as_ref().map_or(piece, |(_, first)| *first);
        self.both(known.map(|(known, _)| known), state, at).map(|state| (state, first))
    }

    fn leave(&mut self, state: Option<F::State>, at: Meeting) {
        let end = self.end.take();
        self.end = self.both(end, state, at);
    }

    fn at_label(&mut self, label: &str, state: Option<F::State>, at: Meeting, is_new: &mut bool) {
        let Some(state) = state else { return };
        match self.labels.get_mut(label) {
            Some(known) => *is_new |= self.flow.meet(known, &state, at),
            None => {
                self.labels.insert(label.to_owned(), state);
            }
        }
    }
}
