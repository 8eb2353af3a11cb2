//! The fields to sum up, and their sectors.

/// The fields to sum up, and their sectors: the largest angles between a direction and the sectors that scores need, in
/// units of 45°.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct FieldSelection {
    /// Whether to sum up RR, in all sectors.
    pub crowd: bool,
    /// Largest angle of DA; `None` to leave it out.
    pub same: Option<u32>,
    /// Largest angle of DR; `None` to leave it out.
    pub oncoming: Option<u32>,
}

impl FieldSelection {
    /// For [`Reading::Heading`]: all fields, for the pedestrian's own heading.
    pub const ALL: Self = Self { crowd: true, same: Some(1), oncoming: Some(2) };
    /// For [`Reading::Cone`]: first RR alone, then per direction DA in a cone around it, and DR in its sector.
    pub const CROWD: Self = Self { crowd: true, same: None, oncoming: None };
    pub const CONE: Self = Self { crowd: false, same: Some(1), oncoming: Some(0) };
}
