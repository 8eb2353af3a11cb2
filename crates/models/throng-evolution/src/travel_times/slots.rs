//! Division of the day into slots.

/// Length of the day, seconds; later times belong to the last slot.
const DAY_S: f64 = 30.0 * 3600.0;

/// Slots of equal length from midnight on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Slots {
    /// Length of a slot, seconds.
    pub length_s: f64,
    /// Number of slots, at least one.
    pub count: u32,
}

impl Slots {
    pub fn new(length_s: f64) -> Self {
        Self { length_s, count: (DAY_S / length_s) as u32 + 1 }
    }

    /// Returns the slot of a time, seconds of the day.
    #[inline]
    pub fn of(self, time_s: f64) -> u32 {
        // A quotient just below a whole number may be rounded up to it, but not that of whole numbers.
        let time_s = if self.length_s >= 1.0 && self.length_s.fract() == 0.0 { time_s.trunc() } else { time_s };
        ((time_s / self.length_s) as u32).min(self.count - 1)
    }

    /// Returns the time at which a slot begins, seconds of the day.
    pub fn begins_s(self, slot: u32) -> f64 {
        f64::from(slot) * self.length_s
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_just_before_a_slot_is_in_the_previous_one() {
        let slots = Slots::new(900.0);
        assert_eq!(slots.count, 121);
        for (time, slot) in
            [(-1.0, 0), (0.0, 0), (899.9, 0), (900.0, 1), (107_999.9, 119), (108_000.0, 120), (1e9, 120)]
        {
            assert_eq!(slots.of(time), slot, "{time}");
        }
        assert_eq!(slots.of(2700.0_f64.next_down()), 2);
    }

    #[test]
    fn slots_may_be_shorter_than_a_second() {
        let slots = Slots::new(0.25);
        assert_eq!((slots.of(1.3), slots.begins_s(5)), (5, 1.25));
    }
}
