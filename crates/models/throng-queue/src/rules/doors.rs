//! The doors of a vehicle at a stop. One call is one second of service, whatever the length of a step.

/// Persons at a stop who alight from a vehicle or board it, each in order.
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
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DoorTimes {
    /// Seconds per person who boards.
    pub access_s: f64,
    /// Seconds per person who alights.
    pub egress_s: f64,
    /// Whether persons board while others alight.
    pub parallel: bool,
}

/// The state of the doors.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Doors {
    open: bool,
    /// Time that persons who have boarded and alighted still need, seconds.
    boarding_s: f64,
    alighting_s: f64,
}

impl Doors {
    /// Serves a stop for a second. Returns how long the vehicle stays before the next call: a second, or 0 if the doors
    /// are closed and there is no one to board or alight.
    pub fn serve(&mut self, persons: &mut impl AtDoors, times: DoorTimes) -> f64 {
        let (alights, boards) = (persons.alights(), persons.boards());
        if !(alights || boards) {
            return self.close();
        }
        if !self.open {
            self.open = true;
            return 1.0;
        }
        if times.parallel {
            self.board(boards, persons, times.access_s);
            self.alight(alights, persons, times.egress_s);
        } else if alights {
            self.alight(true, persons, times.egress_s);
        } else {
            self.alight(false, persons, times.egress_s);
            self.board(boards, persons, times.access_s);
        }
        1.0
    }

    /// The time that persons who are boarding and alighting still need, seconds.
    pub fn remaining_s(&self) -> [f64; 2] {
        [self.boarding_s, self.alighting_s]
    }

    /// Closes the doors once all persons have passed them.
    fn close(&mut self) -> f64 {
        if !self.open {
            return 0.0;
        }
        if self.boarding_s < 1.0 && self.alighting_s < 1.0 {
            *self = Self::default();
            return 1.0;
        }
        for rest in [&mut self.boarding_s, &mut self.alighting_s] {
            if *rest >= 1.0 {
                *rest -= 1.0;
            }
        }
        1.0
    }

    fn alight(&mut self, wanted: bool, persons: &mut impl AtDoors, each_s: f64) {
        if !wanted {
            self.alighting_s = f64::max(0.0, self.alighting_s - 1.0);
            return;
        }
        while self.alighting_s < 1.0 && persons.alights() {
            persons.alight_first();
            self.alighting_s += each_s;
        }
        self.alighting_s -= 1.0;
    }

    fn board(&mut self, wanted: bool, persons: &mut impl AtDoors, each_s: f64) {
        if !wanted {
            self.boarding_s = f64::max(0.0, self.boarding_s - 1.0);
            return;
        }
        while self.boarding_s < 1.0 && persons.boards() && persons.board_first() {
            self.boarding_s += each_s;
        }
        self.boarding_s -= 1.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default)]
    struct Counted {
        alighting: u32,
        boarding: u32,
        second: u32,
        times: Vec<(u32, char)>,
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
            self.times.push((self.second, 'a'));
        }
        fn board_first(&mut self) -> bool {
            self.boarding -= 1;
            self.times.push((self.second, 'b'));
            true
        }
    }

    /// The seconds after the arrival in which persons move, and the one of the departure.
    fn stop(alighting: u32, boarding: u32, times: DoorTimes) -> (Vec<(u32, char)>, u32) {
        let mut persons = Counted { alighting, boarding, ..Counted::default() };
        let mut doors = Doors::default();
        while doors.serve(&mut persons, times) > 0.0 {
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
