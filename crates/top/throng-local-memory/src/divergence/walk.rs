//! Walks over the statements of a function, repeated until the states at loop heads and labels do not change.

use std::collections::{BTreeMap, BTreeSet};

use super::varying::{Cause, Condition, Varying};
use super::{Divergent, Found, Meeting, Summary};
use crate::program::{Action, Dependencies, Dependency, Function, Loop, PRIVATE, RESULT, Statement};

/// The state of the analysis at a point of a function.
#[derive(Debug, Clone, Default)]
struct State {
    /// Whether no path leads to this point. The causes still apply to the statements after it.
    is_dead: bool,
    /// Values that vary; absent values are uniform.
    values: BTreeMap<Dependency, Varying>,
    /// Conditions under which work-items have left the function, the loop or `switch`, and the loop body.
    returned: Cause,
    broken: Cause,
    continued: Cause,
    /// Conditions under which work-items have jumped to later labels.
    left_for_label: BTreeMap<String, Cause>,
}

impl State {
    /// Merges another path; returns whether that changed the state.
    fn meet(&mut self, other: &Self) -> bool {
        let mut is_new = false;
        if !other.is_dead {
            is_new |= std::mem::take(&mut self.is_dead);
            for (key, value) in &other.values {
                let known = self.values.entry(*key).or_default();
                is_new |= !known.covers(*value);
                *known = known.and(*value);
            }
        }
        let mut add = |into: &mut Cause, from: &Cause| {
            is_new |= !into.covers(from);
            *into = std::mem::take(into).and(from);
        };
        add(&mut self.returned, &other.returned);
        add(&mut self.broken, &other.broken);
        add(&mut self.continued, &other.continued);
        for (label, cause) in &other.left_for_label {
            add(self.left_for_label.entry(label.clone()).or_default(), cause);
        }
        is_new
    }

    /// The state after a jump.
    fn dead(self) -> Self {
        Self { is_dead: true, values: BTreeMap::new(), ..self }
    }

    fn of_variable(&self, variable: usize) -> Varying {
        self.values.get(&Dependency::Variable(variable)).copied().unwrap_or_default()
    }

    /// Assigns a value to a variable, which replaces the old one (`replaces`) or changes a part of it.
    fn define(&mut self, variable: usize, value: Varying, replaces: bool) {
        let key = Dependency::Variable(variable);
        let value = if replaces { value } else { value.and(self.of_variable(variable)) };
        if value.is_uniform() {
            self.values.remove(&key);
        } else {
            self.values.insert(key, value);
        }
    }

    /// The conditions under which work-items have already left.
    fn left(&self) -> Cause {
        let before = self.returned.clone().and(&self.broken).and(&self.continued);
        self.left_for_label.values().fold(before, Cause::and)
    }
}

pub(super) struct Walk<'w> {
    function: &'w Function,
    summaries: &'w [Summary],
    summary: Summary,
    found: Found,
    /// The states at loop heads and the conditions of repetition, indexed by the loop's piece.
    heads: BTreeMap<usize, State>,
    repeating: BTreeMap<usize, Cause>,
    labels: BTreeMap<String, State>,
    /// Labels that this walk has passed, and the conditions of jumps back to them.
    passed: BTreeSet<String>,
    returning: BTreeMap<String, Cause>,
    /// The states at `break` and `continue` of the enclosing loops and `switch` statements.
    breaks: Vec<State>,
    continues: Vec<State>,
    is_new: bool,
}

/// The state at a point that no path has reached yet.
fn nowhere() -> State {
    State { is_dead: true, ..State::default() }
}

impl<'w> Walk<'w> {
    pub fn new(function: &'w Function, summaries: &'w [Summary]) -> Self {
        Self {
            function,
            summaries,
            summary: Summary::default(),
            found: Found::new(),
            heads: BTreeMap::new(),
            repeating: BTreeMap::new(),
            labels: BTreeMap::new(),
            passed: BTreeSet::new(),
            returning: BTreeMap::new(),
            breaks: Vec::new(),
            continues: Vec::new(),
            is_new: false,
        }
    }

    pub fn follow(mut self) -> (Summary, Found) {
        let function = self.function;
        let mut start = State::default();
        for (number, variable) in function.parameter_variables.iter().copied().enumerate() {
            if let Some(variable) = variable {
                start.values.insert(Dependency::Variable(variable), Varying::of_argument(number));
            }
        }
        loop {
            (self.is_new, self.passed) = (false, BTreeSet::new());
            let end = self.all(&function.body, start.clone(), &Cause::default());
            self.leave(&end);
            if !self.is_new {
                return (self.summary, self.found);
            }
        }
    }

    /// Merges the result and the private memory at an exit into the summary.
    fn leave(&mut self, state: &State) {
        if !state.is_dead {
            self.summary.result = self.summary.result.and(state.of_variable(RESULT));
            self.summary.private = self.summary.private.and(state.of_variable(PRIVATE));
        }
    }

    fn value(&self, dependencies: &Dependencies, state: &State) -> Varying {
        dependencies.iter().fold(Varying::default(), |sum, dependency| match dependency {
            Dependency::Item(piece) => sum.and(Varying::of_item(*piece)),
            Dependency::Variable(variable) => {
                let value = sum.and(state.of_variable(*variable));
                let is_pointed = self.function.pointed.contains(variable);
                if is_pointed { value.and(state.of_variable(PRIVATE)) } else { value }
            }
            Dependency::Call(_) => sum.and(state.values.get(dependency).copied().unwrap_or_default()),
        })
    }

    fn define(&mut self, state: &mut State, variable: usize, value: Varying, replaces: bool, cause: &Cause) {
        // Work-items that do not reach this statement keep a different value.
        let value = value.and(cause.varying());
        state.define(variable, value, replaces);
        if self.function.pointed.contains(&variable) {
            state.define(PRIVATE, value, false);
        }
        self.summary.writes_private |= variable == PRIVATE;
    }

    fn all(&mut self, statements: &[Statement], state: State, around: &Cause) -> State {
        statements.iter().fold(state, |state, statement| self.one(statement, state, around))
    }

    /// Returns the state after a statement. `around` is the condition of the enclosing statements.
    fn one(&mut self, statement: &Statement, mut state: State, around: &Cause) -> State {
        let cause = around.clone().and(&state.left());
        match statement {
            Statement::Do(action) => {
                if !state.is_dead {
                    self.act(action, &mut state, &cause);
                }
                state
            }
            Statement::Branch { condition, arms, piece, what } => {
                let inside = around.clone().and(&self.condition(condition, &state, *piece, what));
                let ends = arms.iter().map(|arm| self.all(arm, state.clone(), &inside));
                let after = ends.reduce(|mut after, end| {
                    after.meet(&end);
                    after
                });
                after.unwrap_or_else(nowhere)
            }
            Statement::AnyOrder { parts, .. } => parts.iter().fold(state, |state, part| self.all(part, state, around)),
            Statement::Loop(inner) => self.repeat(inner, state, cause),
            Statement::Switch { condition, arms, has_default, piece } => {
                let inside = cause.and(&self.condition(condition, &state, *piece, "switch"));
                self.switch(arms, *has_default, state, &inside)
            }
            Statement::Return(piece) => {
                self.leave(&state);
                state.returned = state.returned.and(&cause.of_jump(*piece, "return"));
                state.dead()
            }
            Statement::Break(piece) => {
                state.broken = state.broken.and(&cause.of_jump(*piece, "break"));
                if let Some(exit) = self.breaks.last_mut() {
                    exit.meet(&state);
                }
                state.dead()
            }
            Statement::Continue(piece) => {
                state.continued = state.continued.and(&cause.of_jump(*piece, "continue"));
                if let Some(exit) = self.continues.last_mut() {
                    exit.meet(&state);
                }
                state.dead()
            }
            Statement::Goto { label, piece } => self.jump(label, state, &cause.of_jump(*piece, "goto")),
            Statement::Label { name, .. } => {
                self.passed.insert(name.clone());
                if let Some(jumped) = self.labels.get(name) {
                    state.meet(jumped);
                }
                state.left_for_label.remove(name);
                if let Some(back) = self.returning.get(name) {
                    state.returned = state.returned.and(back);
                }
                state
            }
        }
    }

    fn jump(&mut self, label: &str, mut state: State, jump: &Cause) -> State {
        // The label may be in other loops than the `goto`.
        let arriving = State { broken: Cause::default(), continued: Cause::default(), ..state.clone() };
        self.is_new |= self.labels.entry(label.to_owned()).or_insert_with(nowhere).meet(&arriving);
        if self.passed.contains(label) {
            let back = self.returning.entry(label.to_owned()).or_default();
            self.is_new |= !back.covers(jump);
            *back = std::mem::take(back).and(jump);
        } else {
            let cause = state.left_for_label.entry(label.to_owned()).or_default();
            *cause = std::mem::take(cause).and(jump);
        }
        state.dead()
    }

    fn switch(&mut self, arms: &[Vec<Statement>], has_default: bool, state: State, inside: &Cause) -> State {
        let outer = (state.broken, state.continued.clone());
        let state = State { broken: Cause::default(), ..state };
        self.breaks.push(nowhere());
        let (mut after, mut through) = (nowhere(), nowhere());
        for arm in arms {
            let mut begin = state.clone();
            if !through.is_dead {
                begin.meet(&through);
            }
            through = self.all(arm, begin, inside);
            // A `return` in an arm affects the statements after the `switch`, but not the next arm.
            after.meet(&State { is_dead: true, ..through.clone() });
        }
        after.meet(&through);
        if !has_default {
            after.meet(&state);
        }
        after.meet(&self.breaks.pop().unwrap_or_else(nowhere));
        State { broken: outer.0, continued: outer.1.and(&after.continued), ..after }
    }

    fn repeat(&mut self, inner: &Loop, state: State, cause: Cause) -> State {
        let outer = (state.broken, state.continued);
        let entry = State { broken: Cause::default(), continued: Cause::default(), ..state };
        self.heads.entry(inner.piece).or_insert_with(nowhere).meet(&entry);
        let head = self.heads[&inner.piece].clone();
        let around = self.repeating.get(&inner.piece).into_iter().fold(cause, Cause::and);
        self.breaks.push(nowhere());
        self.continues.push(nowhere());
        let (mut end, tested, condition);
        if inner.tests_last {
            end = self.body(inner, head, &around);
            end = self.all(&inner.condition, end, &around);
            (condition, tested) = (self.condition(&inner.dependencies, &end, inner.piece, inner.what), end.clone());
        } else {
            tested = self.all(&inner.condition, head, &around);
            condition = self.condition(&inner.dependencies, &tested, inner.piece, inner.what);
            let around = around.and(&condition);
            end = self.body(inner, tested.clone(), &around);
            end = self.all(&inner.step, end, &around);
        }
        let known = self.repeating.entry(inner.piece).or_default();
        self.is_new |= !known.covers(&condition);
        *known = std::mem::take(known).and(&condition);
        if !end.is_dead
            && let Some(head) = self.heads.get_mut(&inner.piece)
        {
            self.is_new |= head.meet(&end);
        }
        let mut after = if inner.is_endless { nowhere() } else { tested };
        after.meet(&end.dead());
        after.meet(&self.breaks.pop().unwrap_or_else(nowhere));
        State { broken: outer.0, continued: outer.1, ..after }
    }

    /// Returns the state at the end of a loop body, including that of `continue`.
    fn body(&mut self, inner: &Loop, state: State, around: &Cause) -> State {
        let mut end = self.all(&inner.body, state, around);
        end.meet(&self.continues.pop().unwrap_or_else(nowhere));
        State { continued: Cause::default(), ..end }
    }

    fn condition(&self, dependencies: &Dependencies, state: &State, piece: usize, what: &'static str) -> Cause {
        Cause::of(Condition { varying: self.value(dependencies, state), piece, what })
    }

    fn act(&mut self, action: &Action, state: &mut State, cause: &Cause) {
        let function = self.function;
        let site = |piece| Meeting { piece, calls: Vec::new() };
        match action {
            Action::Allocate(number) => self.meet(site(function.allocations[*number].pieces.start), cause.conditions()),
            Action::Free(number) => self.meet(site(function.frees[*number].pieces.start), cause.conditions()),
            Action::Meet(piece) => self.meet(site(*piece), cause.conditions()),
            Action::Define { variable, dependencies, replaces } => {
                let value = self.value(dependencies, state);
                self.define(state, *variable, value, *replaces, cause);
            }
            Action::Call(number) => self.call(*number, state, cause),
            Action::End(variable) => state.define(*variable, Varying::default(), true),
            Action::Barrier
            | Action::Use { .. }
            | Action::Assign { .. }
            | Action::Store { .. }
            | Action::Result { .. } => {}
        }
    }

    fn call(&mut self, number: usize, state: &mut State, cause: &Cause) {
        let call = &self.function.calls[number];
        let arguments: Vec<Varying> = call.dependencies.iter().map(|argument| self.value(argument, state)).collect();
        let summaries = self.summaries;
        let callee = &summaries[call.callee];
        state.values.insert(Dependency::Call(number), callee.result.with_arguments(&arguments));
        let private = callee.private.with_arguments(&arguments);
        for variable in call.reaches.iter().filter(|_| callee.writes_private) {
            self.define(state, *variable, private, false, cause);
        }
        for (meeting, condition) in &callee.by_arguments {
            let varying = condition.varying.with_arguments(&arguments);
            self.meet(meeting.through(call.piece), &[Condition { varying, ..*condition }]);
        }
        if let Some(meeting) = &callee.meets {
            self.meet(meeting.through(call.piece), cause.conditions());
        }
    }

    /// Records a barrier, an allocation or a free, or a call that leads to one.
    fn meet(&mut self, meeting: Meeting, conditions: &[Condition]) {
        self.summary.meets.get_or_insert_with(|| meeting.clone());
        let decides = conditions.iter().find_map(|condition| Some((condition, condition.varying.item()?)));
        if let Some((Condition { piece, what, .. }, item)) = decides {
            let place = meeting.calls.first().copied().unwrap_or(meeting.piece);
            self.found.entry(place).or_insert(Divergent { cause: *piece, what, item, meeting });
            return;
        }
        for condition in conditions {
            let known = &mut self.summary.by_arguments;
            if !known.iter().fold(Varying::default(), |sum, (_, one)| sum.and(one.varying)).covers(condition.varying) {
                known.push((meeting.clone(), *condition));
            }
        }
    }
}
