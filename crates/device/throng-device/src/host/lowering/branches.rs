//! Branches and loops as jumps.

use cubecl::ir::{Arithmetic, BinaryOperator, Branch, Comparison, ElemType, Variable};

use super::Lowering;
use super::values::element;
use crate::host::arithmetic;
use crate::host::program::{Operand, Step};

impl Lowering {
    pub(super) fn branch(&mut self, branch: &Branch) -> Result<(), String> {
        match branch {
            Branch::If(branch) => {
                let skip = self.jump_unless(branch.cond)?;
                self.scope(&branch.scope)?;
                self.arrive([skip]);
            }
            Branch::IfElse(branch) => {
                let to_else = self.jump_unless(branch.cond)?;
                self.scope(&branch.scope_if)?;
                let to_end = self.step(Step::Jump { to: 0 });
                self.arrive([to_else]);
                self.scope(&branch.scope_else)?;
                self.arrive([to_end]);
            }
            Branch::Switch(branch) => {
                self.describe(format!("switch({})", branch.value), &[branch.value]);
                let element = element(branch.value)?;
                let is_case = Operand::scalar(self.register(1));
                let mut ends = Vec::new();
                for (case, scope) in &branch.cases {
                    self.compare(&Comparison::Equal, branch.value, *case, element, is_case)?;
                    let next = self.step(Step::JumpIf { condition: is_case.first, is: false, to: 0 });
                    self.scope(scope)?;
                    ends.push(self.step(Step::Jump { to: 0 }));
                    self.arrive([next]);
                }
                self.scope(&branch.scope_default)?;
                self.arrive(ends);
            }
            Branch::RangeLoop(range) => {
                let (dots, step) = (if range.inclusive { "..=" } else { ".." }, range.step);
                self.describe(format!("for({} in {}{dots}{})", range.i, range.start, range.end), &[range.i, range.end]);
                let (i, element) = (self.operand(range.i)?, element(range.i)?);
                self.compute(Some(|[start, ..]| Some(start)), &[range.start], element, i)?;
                let continues = Operand::scalar(self.register(1));
                let start = self.program.steps.len();
                let condition = if range.inclusive { Comparison::LowerEqual } else { Comparison::Lower };
                self.compare(&condition, range.i, range.end, element, continues)?;
                let end = self.step(Step::JumpIf { condition: continues.first, is: false, to: 0 });
                self.breaks.push(vec![end]);
                self.scope(&range.scope)?;
                self.describe(format!("next {}", range.i), &[range.i]);
                let step = step.unwrap_or_else(|| Variable::constant(1u64.into(), range.i.ty));
                let operands = BinaryOperator { lhs: range.i, rhs: step };
                let add = arithmetic::arithmetic(&Arithmetic::Add(operands), element);
                self.compute(add, &[range.i, step], element, i)?;
                self.step(Step::Jump { to: start });
                let ends = self.breaks.pop().unwrap_or_default();
                self.arrive(ends);
            }
            Branch::Loop(branch) => {
                self.breaks.push(Vec::new());
                let start = self.program.steps.len();
                self.scope(&branch.scope)?;
                self.describe("loop".to_owned(), &[]);
                self.step(Step::Jump { to: start });
                let ends = self.breaks.pop().unwrap_or_default();
                self.arrive(ends);
            }
            Branch::Break => {
                self.describe("break".to_owned(), &[]);
                let jump = self.step(Step::Jump { to: 0 });
                self.breaks.last_mut().ok_or("a break is outside a loop")?.push(jump);
            }
            Branch::Return => {
                self.describe("return".to_owned(), &[]);
                self.step(Step::End);
            }
            Branch::Unreachable => {
                self.describe("unreachable".to_owned(), &[]);
                self.step(Step::Unreachable);
            }
        }
        Ok(())
    }

    fn compare(
        &mut self,
        comparison: &dyn Fn(BinaryOperator) -> Comparison,
        lhs: Variable,
        rhs: Variable,
        element: ElemType,
        out: Operand,
    ) -> Result<(), String> {
        let comparison = comparison(BinaryOperator { lhs, rhs });
        let function = arithmetic::comparison(&comparison, element);
        self.compute(function, &[lhs, rhs], element, out)?
            .ok_or_else(|| format!("a comparison of {element} is not supported"))
    }

    /// Adds a jump that is taken if a condition does not hold.
    fn jump_unless(&mut self, condition: Variable) -> Result<usize, String> {
        self.describe(format!("if({condition})"), &[condition]);
        let condition = self.converted(condition, ElemType::Bool)?.first;
        Ok(self.step(Step::JumpIf { condition, is: false, to: 0 }))
    }
}
