//! The dependencies of values, and of the conditions under which statements are reached.

/// The possible causes of a value's variation between the work-items of a group: arguments of the function, and a
/// built-in function that distinguishes work-items. Empty if the value is uniform.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Varying {
    /// Bit 0 stands for a function such as `get_local_id`, the other bits for arguments.
    bits: u64,
    /// The piece of that function, if bit 0 is set.
    item: usize,
}

const ITEM: u64 = 1;
/// All arguments from this index on share a bit.
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

    /// Whether its dependencies include all dependencies of `other`.
    pub fn covers(self, other: Self) -> bool {
        self.bits | other.bits == self.bits
    }

    pub fn and(self, other: Self) -> Self {
        let item = if self.bits & ITEM != 0 { self.item } else { other.item };
        Self { bits: self.bits | other.bits, item }
    }

    /// Translates the dependencies to a caller that passes these arguments.
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
    /// First piece of the statement.
    pub piece: usize,
    /// Keyword of the statement.
    pub what: &'static str,
}

/// The conditions under which work-items reach a statement. Each condition adds a dependency to those before it, so
/// there are no more conditions than dependencies.
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

    /// The same conditions, attributed to a jump that is reached under them.
    pub fn of_jump(&self, piece: usize, what: &'static str) -> Self {
        Self::of(Condition { varying: self.varying(), piece, what })
    }
}
