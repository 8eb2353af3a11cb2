//! Homes, activities and times of the inhabitants.

mod chains;
mod gravity;
mod people;
mod places;
mod times;

pub(crate) use people::{Destinations, Person, people};
pub(crate) use places::Places;

/// Purpose of an activity; it determines location and times.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Home,
    Work,
    Education,
    Shopping,
    Leisure,
}

impl Kind {
    /// All kinds, in the order of their indices.
    pub(crate) const ALL: [Self; 5] = [Self::Home, Self::Work, Self::Education, Self::Shopping, Self::Leisure];

    /// Returns the name in the plans.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Home => "home",
            Self::Work => "work",
            Self::Education => "education",
            Self::Shopping => "shopping",
            Self::Leisure => "leisure",
        }
    }
}
