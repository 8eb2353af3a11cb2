//! Faults of the executor, for tests of the verification cases. Other builds contain no code for them.

/// A fault of the executor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    /// Light passes through shapes.
    NoShadows,
    /// A mirror reflects all light, whatever its reflectance.
    MirrorsDoNotWeaken,
}

impl Fault {
    /// Whether this is the fault of an executor.
    #[inline(always)]
    pub fn is(self, fault: Option<Self>) -> bool {
        cfg!(test) && fault == Some(self)
    }
}
