//! Data-flow analysis over all paths through a function.

use std::collections::BTreeMap;

use crate::program::{Action, Function, Loop, Statement};

/// A point where paths meet, for messages. The piece belongs to the statement at the end of the later path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Meeting {
    /// After the arms of `if`, `?:`, `&&` or `||`.
    Arms(usize, &'static str),
    /// At the head of a loop, coming from its end.
    LoopEnd(usize, &'static str),
    Break(usize),
    Continue(usize),
    /// At a `case`, or after the `switch` if no case applies.
    Switch(usize),
    Label(usize),
    /// At the end of the function, coming from a `return` or from the last statement; `first` is another end.
    Return {
        piece: usize,
        first: usize,
    },
    /// After the parts of an expression, evaluated in a different order.
    Orders,
}

/// A data-flow problem: the facts that hold at a point of a function, over all paths to it.
pub(crate) trait Flow {
    type State: Clone;

    /// Applies an action to the state.
    fn act(&mut self, action: &Action, state: &mut Self::State);

    /// Merges the state of another path into `into`; returns whether that changed it.
    fn meet(&mut self, into: &mut Self::State, from: &Self::State, meeting: Meeting) -> bool;

    /// Whether the result of this action depends on which other parts of an expression are executed before it.
    fn depends_on_order(&self, _action: &Action) -> bool {
        false
    }

    /// Reports that the expression at `piece` has more evaluation orders than are followed.
    fn too_many_orders(&mut self, _piece: usize) {}
}

/// Follows all paths up to a fixed point. Returns the state at the end of the function, or `None` if no path reaches
/// it.
pub(crate) fn follow<F: Flow>(flow: &mut F, function: &Function, start: &F::State) -> Option<F::State> {
    let mut walk = Walk {
        flow,
        breaks: Vec::new(),
        continues: Vec::new(),
        labels: BTreeMap::new(),
        loops: BTreeMap::new(),
        open_orders: 0,
        end: None,
    };
    loop {
        let before = walk.labels.len();
        let mut is_new = false;
        let last = walk.follow_all(&function.body, Some(start.clone()), &mut is_new);
        walk.leave(last, function.end_piece);
        if !is_new && walk.labels.len() == before {
            return walk.end.map(|(end, _)| end);
        }
        // A label inside a loop may have changed.
        walk.loops.values_mut().for_each(|known| known.is_valid = false);
    }
}

/// Maximum number of parts of an expression whose orders are compared. Parts are followed about `2 * PARTS` times per
/// nesting level, of which there are at most `LEVELS`.
const PARTS: usize = 12;
const LEVELS: usize = 3;

/// The merged state of all `break`, `continue` or `return` statements, with the piece of one of them.
type Exit<S> = Option<(S, usize)>;

/// The results of the last time that a loop's body was followed.
struct LoopState<S> {
    head: Option<S>,
    /// The state after the loop.
    after: Option<S>,
    /// Whether `after` still holds, provided that the head's state does not change.
    is_valid: bool,
}

struct Walk<'w, F: Flow> {
    flow: &'w mut F,
    breaks: Vec<Exit<F::State>>,
    continues: Vec<Exit<F::State>>,
    labels: BTreeMap<String, F::State>,
    /// Indexed by the piece of the loop.
    loops: BTreeMap<usize, LoopState<F::State>>,
    /// Number of enclosing expressions of which all orders are being followed.
    open_orders: usize,
    end: Exit<F::State>,
}

impl<F: Flow> Walk<'_, F> {
    /// Returns the state after some statements. Sets `is_new` if a `goto` changes the state of a label before it.
    fn follow_all(
        &mut self,
        statements: &[Statement],
        mut state: Option<F::State>,
        is_new: &mut bool,
    ) -> Option<F::State> {
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
            Statement::Branch { arms, piece, what, .. } => {
                let Some((last, others)) = arms.split_last() else { return state };
                let mut after = None;
                for arm in others {
                    let end = self.follow_all(arm, state.clone(), is_new);
                    after = self.both(after, end, Meeting::Arms(*piece, what));
                }
                let end = self.follow_all(last, state, is_new);
                self.both(after, end, Meeting::Arms(*piece, what))
            }
            Statement::AnyOrder { parts, piece } => self.any_order(parts, *piece, state, is_new),
            Statement::Loop(inner) => self.repeat(inner, state, is_new),
            Statement::Switch { arms, has_default, piece, .. } => {
                self.breaks.push(None);
                let mut through = None;
                for arm in arms {
                    let begin = self.both(state.clone(), through, Meeting::Switch(*piece));
                    through = self.follow_all(arm, begin, is_new);
                }
                if !has_default {
                    through = self.both(state, through, Meeting::Switch(*piece));
                }
                let left = self.breaks.pop().flatten();
                self.with_exit(through, left, Meeting::Break)
            }
            Statement::Return(piece) => {
                self.leave(state, *piece);
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
                // This does not count as a change, because the statements after the label are followed next.
                self.at_label(name, state, Meeting::Label(*piece), &mut false);
                self.labels.get(name).cloned()
            }
        }
    }

    /// Follows the parts of an expression so that each part comes directly after each other one, and each comes last.
    /// Further orders would add nothing: the only effect of parts between two others is a possible barrier between
    /// them.
    fn any_order(
        &mut self,
        parts: &[Vec<Statement>],
        piece: usize,
        state: Option<F::State>,
        is_new: &mut bool,
    ) -> Option<F::State> {
        let (units, rest): (Vec<_>, Vec<_>) = parts.iter().partition(|part| self.depends_on_order(part));
        // Parts that only read and write have no relevant order among themselves.
        let mut units: Vec<Vec<&Vec<Statement>>> = units.into_iter().map(|unit| vec![unit]).collect();
        if !rest.is_empty() && !units.is_empty() {
            units.push(rest);
        }
        if units.len() > PARTS || units.len() > 1 && self.open_orders >= LEVELS {
            self.flow.too_many_orders(piece);
            units.clear();
        }
        if units.len() < 2 {
            return parts.iter().fold(state, |state, part| self.follow_all(part, state, is_new));
        }
        self.open_orders += 1;
        let mut run = |walk: &mut Self, unit: usize, state: Option<F::State>| {
            units[unit].iter().fold(state, |state, part| walk.follow_all(part, state, is_new))
        };
        let mut after = None;
        for one in 0..units.len() {
            let after_one = run(self, one, state.clone());
            let others = || (0..units.len()).filter(|other| *other != one);
            let mut before_one = state.clone();
            for other in others() {
                run(self, other, after_one.clone());
                before_one = run(self, other, before_one);
            }
            let end = run(self, one, before_one);
            after = self.both(after, end, Meeting::Orders);
        }
        self.open_orders -= 1;
        after
    }

    fn depends_on_order(&self, part: &[Statement]) -> bool {
        part.iter().any(|statement| match statement {
            Statement::Do(action) => self.flow.depends_on_order(action),
            Statement::Branch { arms: parts, .. } | Statement::AnyOrder { parts, .. } => {
                parts.iter().any(|part| self.depends_on_order(part))
            }
            // Other statements do not occur in expressions.
            _ => false,
        })
    }

    /// Follows the body of a loop until the state at its head does not change. Keeps that state for the next visit,
    /// because otherwise the number of iterations would double with each enclosing loop.
    fn repeat(&mut self, inner: &Loop, state: Option<F::State>, is_new: &mut bool) -> Option<F::State> {
        let at_head = Meeting::LoopEnd(inner.piece, inner.what);
        let mut head = match self.loops.remove(&inner.piece) {
            Some(LoopState { head: Some(mut head), after, is_valid }) => {
                let has_changed = state.is_some_and(|state| self.flow.meet(&mut head, &state, at_head));
                if is_valid && !has_changed {
                    self.loops.insert(inner.piece, LoopState { head: Some(head), after: after.clone(), is_valid });
                    return after;
                }
                Some(head)
            }
            _ => state,
        };
        loop {
            self.breaks.push(None);
            self.continues.push(None);
            let (end, tested) = if inner.tests_last {
                let body = self.follow_all(&inner.body, head.clone(), is_new);
                let continued = self.continues.pop().flatten();
                let body = self.with_exit(body, continued, Meeting::Continue);
                let tested = self.follow_all(&inner.condition, body, is_new);
                (tested.clone(), tested)
            } else {
                let tested = self.follow_all(&inner.condition, head.clone(), is_new);
                let body = self.follow_all(&inner.body, tested.clone(), is_new);
                let continued = self.continues.pop().flatten();
                let body = self.with_exit(body, continued, Meeting::Continue);
                (self.follow_all(&inner.step, body, is_new), tested)
            };
            let left = self.breaks.pop().flatten();
            let has_changed = match (&mut head, &end) {
                (Some(head), Some(end)) => self.flow.meet(head, end, at_head),
                // A label in the body makes the head reachable.
                (None, Some(end)) => {
                    head = Some(end.clone());
                    true
                }
                _ => false,
            };
            if !has_changed {
                let after = if inner.is_endless { None } else { tested };
                let after = self.with_exit(after, left, Meeting::Break);
                self.loops.insert(inner.piece, LoopState { head, after: after.clone(), is_valid: true });
                return after;
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

    fn leave(&mut self, state: Option<F::State>, piece: usize) {
        let known = self.end.take();
        let first = known.as_ref().map_or(piece, |(_, first)| *first);
        let end = self.both(known.map(|(end, _)| end), state, Meeting::Return { piece, first });
        self.end = end.map(|end| (end, first));
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
