//! The dependencies of values, and of the conditions under which statements are reached.

/// A value that varies between the work-items of a group, or may: a set of the arguments of the function, and work-items
/// themselves.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Varying {
    /// Bit 0 stands for a function such as `get_local_id`, the others for arguments.
    bits: u64,
    /// The piece of such a function, if bit 0 is set.
    item: usize,
}

const ITEM: u64 = 1;
/// Arguments beyond these share a bit.
const LAST_ARGUMENT: usize = 62;

impl Varying {
    pub fn of_item(piece: usize) -> Self {
        Self { bits: ITEM, item: piece }
    }

    pub fn of_argument(number: usize) -> Self {
        Self { bits: ITEM << (1 + number.min(LAST_ARGUMENT)), item: 0 }
    }

    /// The piece of the built-in function on which it depends.
    pub fn item(self) -> Option<usize> {
        (self.bits & ITEM != 0).then_some(self.item)
    }

    pub fn is_uniform(self) -> bool {
        self.bits == 0
    }

    /// Whether its dependencies include those of another one.
    pub fn covers(self, other: Self) -> bool {
        self.bits | other.bits == self.bits
    }

    pub fn and(self, other: Self) -> Self {
        let item = if self.bits & ITEM != 0 { self.item } else { other.item };
        Self { bits: self.bits | other.bits, item }
    }

    /// The same in a caller, which passes these arguments.
    pub fn with_arguments(self, arguments: &[Varying]) -> Self {
        let given = arguments.iter().enumerate();
        let used = given.filter(|(number, _)| self.bits & Self::of_argument(*number).bits != 0);
        used.fold(Self { bits: self.bits & ITEM, ..self }, |sum, (_, argument)| sum.and(*argument))
    }
}

/// A branch, loop or jump whose condition may vary.
#[derive(Debug, Clone, Copy)]
pub(super) struct Condition {
    pub varying: Varying,
    /// The first piece of the statement.
    pub piece: usize,
    /// Its keyword.
    pub what: &'static str,
}

/// The conditions under which work-items reach a statement. Each one has a dependency that those before it lack, so that
/// there are not more of them than dependencies.
#[derive(Debug, Clone, Default)]
pub(super) struct Cause(Vec<Condition>);

impl Cause {
    pub fn of(condition: Condition) -> Self {
        Self::default().with(condition)
    }

    fn with(mut self, condition: Condition) -> Self {
        if !self.varying().covers(condition.varying) {
            self.0.push(condition);
        }
        self
    }

    pub fn and(self, other: &Self) -> Self {
        other.0.iter().fold(self, |sum, condition| sum.with(*condition))
    }

    pub fn conditions(&self) -> &[Condition] {
        &self.0
    }

    /// The dependencies of all conditions.
    pub fn varying(&self) -> Varying {
        self.0.iter().fold(Varying::default(), |sum, condition| sum.and(condition.varying))
    }

    pub fn covers(&self, other: &Self) -> bool {
        self.varying().covers(other.varying())
    }

    /// The same for a jump that is reached under these conditions.
    pub fn of_jump(&self, piece: usize, what: &'static str) -> Self {
        Self::of(Condition { varying: self.varying(), piece, what })
    }
}
