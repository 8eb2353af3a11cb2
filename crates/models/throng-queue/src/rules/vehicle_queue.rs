//! The vehicles driving on a link on the CPU: first in, first out, or by earliest exit time. Kernels keep the same
//! order in linked slots, because their arrays cannot grow; a new vehicle sifts down from the root there, and up from
//! the end here.

use std::collections::VecDeque;

/// The operations that a queue needs from a vehicle.
pub trait HasExitTime {
    /// Earliest time at which the vehicle may leave the link, seconds of the day.
    fn exit_time(&self) -> f64;
    /// Makes the vehicle the first to leave.
    fn leave_at_once(&mut self);
}

/// The queue of a link. `passing` selects the order and is an argument of each call, which keeps a link small; all
/// calls on one queue must pass the same value.
#[derive(Debug, Clone)]
pub struct VehicleQueue<V> {
    vehicles: VecDeque<V>,
}

impl<V> Default for VehicleQueue<V> {
    fn default() -> Self {
        Self { vehicles: VecDeque::new() }
    }
}

impl<V: HasExitTime> VehicleQueue<V> {
    /// Returns the vehicle that leaves next.
    #[inline]
    pub fn front(&self) -> Option<&V> {
        self.vehicles.front()
    }

    /// Returns the vehicle that leaves next, to change it in place: its position remains, whatever its exit time.
    pub fn front_mut(&mut self) -> Option<&mut V> {
        self.vehicles.front_mut()
    }

    /// Whether the queue is empty.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.vehicles.is_empty()
    }

    /// Returns the number of vehicles.
    pub fn len(&self) -> usize {
        self.vehicles.len()
    }

    /// Iterates over all vehicles: in order of leaving without passing, in heap order with passing.
    pub fn iter(&self) -> impl Iterator<Item = &V> {
        self.vehicles.iter()
    }

    /// Adds a vehicle that has entered the link.
    #[inline]
    pub fn push(&mut self, vehicle: V, passing: bool) {
        self.vehicles.push_back(vehicle);
        if passing {
            self.sift_up(self.vehicles.len() - 1);
        }
    }

    /// Adds a vehicle in front of all others: one that departs on the link where it arrives, or returns from a stop.
    pub fn push_to_front(&mut self, mut vehicle: V, passing: bool) {
        vehicle.leave_at_once();
        if passing {
            self.push(vehicle, passing);
        } else {
            self.vehicles.push_front(vehicle);
        }
    }

    /// Removes the vehicle that leaves next.
    #[inline]
    pub fn pop(&mut self, passing: bool) -> Option<V> {
        if !passing {
            return self.vehicles.pop_front();
        }
        let last = self.vehicles.len().checked_sub(1)?;
        self.vehicles.swap(0, last);
        let first = self.vehicles.pop_back();
        self.sift_down();
        first
    }

    // The two sifts move elements exactly as java.util.PriorityQueue does. The order of vehicles with equal exit times
    // depends on the shape of the heap, so any other heap would produce different events.

    fn sift_up(&mut self, mut at: usize) {
        while at > 0 {
            let parent = (at - 1) / 2;
            if self.vehicles[at].exit_time() >= self.vehicles[parent].exit_time() {
                break;
            }
            self.vehicles.swap(at, parent);
            at = parent;
        }
    }

    fn sift_down(&mut self) {
        let (mut at, len) = (0, self.vehicles.len());
        while 2 * at + 1 < len {
            let (left, right) = (2 * at + 1, 2 * at + 2);
            let smaller = if right < len && self.vehicles[left].exit_time() > self.vehicles[right].exit_time() {
                right
            } else {
                left
            };
            if self.vehicles[at].exit_time() <= self.vehicles[smaller].exit_time() {
                break;
            }
            self.vehicles.swap(at, smaller);
            at = smaller;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl HasExitTime for (f64, u32) {
        fn exit_time(&self) -> f64 {
            self.0
        }
        fn leave_at_once(&mut self) {
            self.0 = f64::NEG_INFINITY;
        }
    }

    fn drain(queue: &mut VehicleQueue<(f64, u32)>, passing: bool) -> Vec<u32> {
        std::iter::from_fn(|| queue.pop(passing)).map(|v| v.1).collect()
    }

    #[test]
    fn first_in_first_out() {
        let mut queue = VehicleQueue::default();
        for (i, exit) in [30.0, 10.0, 20.0].into_iter().enumerate() {
            queue.push((exit, i as u32), false);
        }
        queue.push_to_front((5.0, 9), false);
        assert_eq!(drain(&mut queue, false), [9, 0, 1, 2]);
    }

    #[test]
    fn fast_vehicles_pass_slow_ones() {
        let mut queue = VehicleQueue::default();
        for (i, exit) in [30.0, 10.0, 20.0].into_iter().enumerate() {
            queue.push((exit, i as u32), true);
        }
        assert_eq!(drain(&mut queue, true), [1, 2, 0]);
    }

    /// The output of Java 17 for a `PriorityQueue` that was offered 0 to 7 with these keys.
    #[test]
    fn ties_leave_in_the_order_of_a_java_priority_queue() {
        let mut queue = VehicleQueue::default();
        for i in 0..8 {
            queue.push((f64::from(i % 2), i), true);
        }
        assert_eq!(drain(&mut queue, true), JAVA_ORDER);
    }

    const JAVA_ORDER: [u32; 8] = [0, 4, 6, 2, 1, 3, 5, 7];
}
