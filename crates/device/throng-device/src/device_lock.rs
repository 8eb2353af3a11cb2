//! Exclusive use of a device by runs whose kernels contain a grid barrier.
//!
//! All cubes that wait at a [grid barrier](crate::grid_barrier()) must be resident. If two threads launch such kernels
//! on one device, each kernel may get only some of the multiprocessors, and both wait until they time out. Concurrent
//! processes do not interfere: the driver gives each of them the whole device for a time slice.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::choice::DeviceId;
use crate::device::Device;

static LOCKS: Mutex<BTreeMap<DeviceId, &'static Mutex<()>>> = Mutex::new(BTreeMap::new());

/// The right to launch kernels with a grid barrier; released when dropped.
#[must_use]
pub struct DeviceLock(#[expect(dead_code, reason = "held, not read")] MutexGuard<'static, ()>);

impl Device {
    /// Waits until no other thread of this process holds the device's lock. A thread that holds the lock must not lock
    /// again.
    pub fn lock(&self) -> DeviceLock {
        lock(self.info().id)
    }
}

fn lock(id: DeviceId) -> DeviceLock {
    let of_device = {
        let mut locks = LOCKS.lock().unwrap_or_else(PoisonError::into_inner);
        // One lock per device, for the life of the process.
        *locks.entry(id).or_insert_with(|| Box::leak(Box::default()))
    };
    // A poisoned lock is harmless: it protects no data.
    DeviceLock(of_device.lock().unwrap_or_else(PoisonError::into_inner))
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
    use std::thread;

    use super::*;
    use crate::choice::Backend;

    #[test]
    fn one_thread_at_a_time_holds_the_lock_of_a_device() {
        let [first, second] = [40, 41].map(|index| DeviceId { backend: Backend::Cuda, index });
        let other_device = lock(second);
        let count = AtomicU32::new(0);
        let add = || {
            for _ in 0..200 {
                let _lock = lock(first);
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
    fn a_panic_releases_the_lock() {
        let id = DeviceId { backend: Backend::Cuda, index: 42 };
        let panicked = thread::spawn(move || {
            let _lock = lock(id);
            std::panic::resume_unwind(Box::new(()));
        });
        assert!(panicked.join().is_err());
        let _lock = lock(id);
    }
}
