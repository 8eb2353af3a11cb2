//! Runs whose cubes meet take turns on a device.
//!
//! Cubes that [meet](crate::meet()) must all be resident. When two threads launch such kernels on one device, each may get a
//! part of the multiprocessors, and both wait until they give up. Programs that run at the same time are no problem: the
//! driver gives each the whole device for a slice of time.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use cubecl::prelude::Runtime;

use crate::choice::DeviceId;
use crate::device::Device;

static TURNS: Mutex<BTreeMap<DeviceId, &'static Mutex<()>>> = Mutex::new(BTreeMap::new());

/// The right to launch kernels whose cubes meet; dropped, it passes on to the next thread.
#[must_use]
pub struct Turn(#[expect(dead_code, reason = "held, not read")] MutexGuard<'static, ()>);

impl<R: Runtime> Device<R> {
    /// Waits until no other thread of this process has a turn on the device. A thread that has one must not ask again.
    pub fn turn(&self) -> Turn {
        turn(self.info().id)
    }
}

fn turn(id: DeviceId) -> Turn {
    let of_device = {
        let mut turns = TURNS.lock().unwrap_or_else(PoisonError::into_inner);
        // One for each device of the machine, for the life of the process.
        *turns.entry(id).or_insert_with(|| Box::leak(Box::default()))
    };
    // A run that panicked has left nothing behind that the next one reads.
    Turn(of_device.lock().unwrap_or_else(PoisonError::into_inner))
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
    use std::thread;

    use super::*;
    use crate::choice::Backend;

    #[test]
    fn one_thread_at_a_time_has_the_turn_of_a_device() {
        let [first, second] = [40, 41].map(|index| DeviceId { backend: Backend::Cuda, index });
        let other_device = turn(second);
        let count = AtomicU32::new(0);
        let add = || {
            for _ in 0..200 {
                let _turn = turn(first);
                let before = count.load(Relaxed);
                thread::yield_now();
                count.store(before + 1, Relaxed);
            }
        };
        thread::scope(|scope| [(); 4].map(|()| scope.spawn(add)).into_iter().for_each(|thread| thread.join().unwrap()));
        assert_eq!(count.into_inner(), 800);
        drop(other_device);
    }

    #[test]
    fn a_panic_passes_the_turn_on() {
        let id = DeviceId { backend: Backend::Cuda, index: 42 };
        let panicked = thread::spawn(move || {
            let _turn = turn(id);
            std::panic::resume_unwind(Box::new(()));
        });
        assert!(panicked.join().is_err());
        let _turn = turn(id);
    }
}
