//! Road classes and the properties of their links.

/// Road class; it determines the free speed, capacity and lanes of a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RoadClass {
    /// 30 km/h, 600 vehicles per hour, one lane.
    Residential,
    /// 50 km/h, 1000 vehicles per hour, one lane.
    Collector,
    /// 50 km/h, 1600 vehicles per hour, one lane.
    Arterial,
    /// 60 km/h, 2000 vehicles per hour, two lanes; every second arterial road.
    MajorArterial,
    /// On and off motorways: 60 km/h, 1800 vehicles per hour, one lane.
    Ramp,
    /// Radial motorways: 120 km/h, 2000 vehicles per hour on each of two lanes.
    Motorway,
    /// Ring motorways: 100 km/h, 2000 vehicles per hour on each of three lanes.
    RingMotorway,
    /// Tracks for trains only: 100 km/h, 60 trains per hour.
    Railway,
}

impl RoadClass {
    /// All classes, from small to large.
    pub const ALL: [Self; 8] = [
        Self::Residential,
        Self::Collector,
        Self::Arterial,
        Self::MajorArterial,
        Self::Ramp,
        Self::Motorway,
        Self::RingMotorway,
        Self::Railway,
    ];

    /// Returns the name in images and tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Residential => "residential",
            Self::Collector => "collector",
            Self::Arterial => "arterial",
            Self::MajorArterial => "major arterial",
            Self::Ramp => "ramp",
            Self::Motorway => "motorway",
            Self::RingMotorway => "ring motorway",
            Self::Railway => "railway",
        }
    }

    /// Returns the free speed, metres per second.
    pub fn freespeed_mps(self) -> f64 {
        let kmh = match self {
            Self::Residential => 30.0,
            Self::Collector | Self::Arterial => 50.0,
            Self::MajorArterial | Self::Ramp => 60.0,
            Self::Motorway => 120.0,
            Self::RingMotorway | Self::Railway => 100.0,
        };
        // Rounded to hundredths of a metre per second, for short numbers in the file.
        (kmh / 3.6 * 100.0_f64).round() / 100.0
    }

    /// Returns the capacity, vehicles per hour and direction.
    pub fn capacity(self) -> f64 {
        match self {
            Self::Residential => 600.0,
            Self::Collector => 1000.0,
            Self::Arterial => 1600.0,
            Self::MajorArterial => 2000.0,
            Self::Ramp => 1800.0,
            Self::Motorway => 4000.0,
            Self::RingMotorway => 6000.0,
            Self::Railway => 60.0,
        }
    }

    /// Returns the number of lanes per direction.
    pub fn lanes(self) -> f64 {
        match self {
            Self::Residential | Self::Collector | Self::Arterial | Self::Ramp | Self::Railway => 1.0,
            Self::MajorArterial | Self::Motorway => 2.0,
            Self::RingMotorway => 3.0,
        }
    }

    /// Whether there are houses along the road.
    pub fn has_houses(self) -> bool {
        matches!(self, Self::Residential | Self::Collector | Self::Arterial | Self::MajorArterial)
    }
}
