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

/// The condition under which work-items reach a statement.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Cause {
    pub varying: Varying,
    /// The branch, loop or jump that has it.
    pub piece: usize,
    /// Its keyword.
    pub what: &'static str,
}

impl Cause {
    pub fn is_uniform(self) -> bool {
        self.varying.is_uniform()
    }

    pub fn covers(self, other: Self) -> bool {
        self.varying.covers(other.varying)
    }

    /// Two of them; the first that varies gives the place.
    pub fn and(self, other: Self) -> Self {
        let varying = self.varying.and(other.varying);
        let is_first = self.varying.item().is_some() || other.varying.item().is_none() && !self.is_uniform();
        let Self { piece, what, .. } = if is_first { self } else { other };
        Self { varying, piece, what }
    }
}
