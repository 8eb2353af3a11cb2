//! Which fields are summed up, and in which sectors.

/// Which fields are summed up, and in which sectors: the largest angles between a direction and the sectors that scores need,
/// in units of 45°.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Wanted {
    /// Whether RR is, in all sectors.
    pub crowd: bool,
    /// The largest angle of DA.
    pub same: Option<u32>,
    /// The largest angle of DR.
    pub oncoming: Option<u32>,
}

impl Wanted {
    /// For [`Reading::Heading`]: all fields, those of the pedestrian's own heading.
    pub const ALL: Self = Self { crowd: true, same: Some(1), oncoming: Some(2) };
    /// For [`Reading::Cone`]: RR, and then for each direction DA in a cone about it, and DR in its sector.
    pub const CROWD: Self = Self { crowd: true, same: None, oncoming: None };
    pub const CONE: Self = Self { crowd: false, same: Some(1), oncoming: Some(0) };
}
