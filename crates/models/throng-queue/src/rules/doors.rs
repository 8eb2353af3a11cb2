//! The doors of a vehicle at a stop. One call is one second of service, whatever the length of a step.

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;

/// Persons at a stop who alight from a vehicle or board it, each in order.
#[cube]
pub trait AtDoors {
    /// Whether anyone wants to alight.
    fn alights(&self) -> bool;
    /// Whether anyone wants to board.
    fn boards(&self) -> bool;
    /// The first person alights.
    fn alight_first(&mut self);
    /// The first person boards; false if the vehicle is full.
    fn board_first(&mut self) -> bool;
}

/// The time that persons take at the doors.
#[derive(CubeType, Debug, Clone, Copy, PartialEq)]
pub struct DoorTimes {
    /// Seconds per person who boards.
    pub access_s: f64,
    /// Seconds per person who alights.
    pub egress_s: f64,
    /// Whether persons board while others alight.
    pub parallel: bool,
}

/// The state of the doors.
#[derive(CubeType, Debug, Clone, Copy, Default, PartialEq)]
pub struct Doors {
    /// Whether they are open.
    pub open: bool,
    /// Time that persons who have boarded still need, seconds.
    pub boarding_s: f64,
    /// Time that persons who have alighted still need, seconds.
    pub alighting_s: f64,
}

/// Serves a stop for a second. Returns how long the vehicle stays before the next call: a second, or 0 if the doors are
/// closed and there is no one to board or alight.
#[cube]
pub fn serve<P: AtDoors>(doors: &mut Doors, persons: &mut P, times: DoorTimes) -> f64 {
    let (alights, boards) = (persons.alights(), persons.boards());
    let mut stay_s = 1.0f64;
    if alights || boards {
        if doors.open {
            if times.parallel || !alights {
                board::<P>(doors, persons, boards, times.access_s);
            }
            alight::<P>(doors, persons, alights, times.egress_s);
        } else {
            doors.open = true;
        }
    } else if doors.open {
        close(doors);
    } else {
        stay_s = 0.0f64;
    }
    stay_s
}

/// Closes the doors once all persons have passed them.
#[cube]
fn close(doors: &mut Doors) {
    let passed = doors.boarding_s < 1.0f64 && doors.alighting_s < 1.0f64;
    if passed {
        doors.open = false;
        doors.boarding_s = 0.0f64;
        doors.alighting_s = 0.0f64;
    } else {
        if doors.boarding_s >= 1.0f64 {
            doors.boarding_s -= 1.0f64;
        }
        if doors.alighting_s >= 1.0f64 {
            doors.alighting_s -= 1.0f64;
        }
    }
}

#[cube]
fn alight<P: AtDoors>(doors: &mut Doors, persons: &mut P, wanted: bool, each_s: f64) {
    if wanted {
        while doors.alighting_s < 1.0f64 && persons.alights() {
            persons.alight_first();
            doors.alighting_s += each_s;
        }
        doors.alighting_s -= 1.0f64;
    } else {
        doors.alighting_s = f64::max(0.0f64, doors.alighting_s - 1.0f64);
    }
}

#[cube]
fn board<P: AtDoors>(doors: &mut Doors, persons: &mut P, wanted: bool, each_s: f64) {
    if wanted {
        let mut boarding = doors.boarding_s < 1.0f64 && persons.boards();
        while boarding {
            boarding = persons.board_first();
            if boarding {
                doors.boarding_s += each_s;
                boarding = doors.boarding_s < 1.0f64 && persons.boards();
            }
        }
        doors.boarding_s -= 1.0f64;
    } else {
        doors.boarding_s = f64::max(0.0f64, doors.boarding_s - 1.0f64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default)]
    struct Counted {
        alighting: u32,
        boarding: u32,
        places: u32,
        second: u32,
        times: Vec<(u32, char)>,
    }

    /// CubeCL's traits require a kernel type.
    #[cfg(feature = "gpu")]
    impl CubeType for Counted {
        type ExpandType = <crate::gpu::AtStopsOnDevice<'static> as CubeType>::ExpandType;
    }

    impl AtDoors for Counted {
        fn alights(&self) -> bool {
            self.alighting > 0
        }
        fn boards(&self) -> bool {
            self.boarding > 0
        }
        fn alight_first(&mut self) {
            self.alighting -= 1;
            self.places += 1;
            self.times.push((self.second, 'a'));
        }
        fn board_first(&mut self) -> bool {
            let has_room = self.places > 0;
            if has_room {
                self.places -= 1;
                self.boarding -= 1;
                self.times.push((self.second, 'b'));
            }
            has_room
        }
    }

    /// The seconds after the arrival in which persons move, and the one of the departure.
    fn stop(alighting: u32, boarding: u32, times: DoorTimes) -> (Vec<(u32, char)>, u32) {
        let mut persons = Counted { alighting, boarding, places: 9, ..Counted::default() };
        let mut doors = Doors::default();
        while serve(&mut doors, &mut persons, times) > 0.0 {
            persons.second += 1;
        }
        (persons.times, persons.second)
    }

    const SERIAL: DoorTimes = DoorTimes { access_s: 1.0, egress_s: 1.0, parallel: false };

    #[test]
    fn a_second_per_person_and_one_each_to_open_and_close() {
        assert_eq!(stop(0, 0, SERIAL), (vec![], 0));
        assert_eq!(stop(1, 2, SERIAL), (vec![(1, 'a'), (2, 'b'), (3, 'b')], 5));
        assert_eq!(stop(1, 2, DoorTimes { parallel: true, ..SERIAL }), (vec![(1, 'b'), (1, 'a'), (2, 'b')], 4));
    }

    /// With parallel doors, persons board before others have alighted in the same second.
    #[test]
    fn persons_board_once_there_is_room() {
        let mut persons = Counted { alighting: 2, boarding: 2, ..Counted::default() };
        let (mut doors, times) = (Doors::default(), DoorTimes { parallel: true, ..SERIAL });
        while serve(&mut doors, &mut persons, times) > 0.0 {
            persons.second += 1;
        }
        assert_eq!(persons.times, [(1, 'a'), (2, 'b'), (2, 'a'), (3, 'b')]);
    }

    #[test]
    fn fractions_of_a_second_add_up() {
        let seconds = |access_s, n| {
            let (times, departs) = stop(0, n, DoorTimes { access_s, ..SERIAL });
            (times.into_iter().map(|(second, _)| second).collect::<Vec<_>>(), departs)
        };
        assert_eq!(seconds(0.4, 5).0, [1, 1, 1, 2, 2]);
        assert_eq!(seconds(2.7, 5).0, [1, 3, 6, 9, 11]);
    }
}
