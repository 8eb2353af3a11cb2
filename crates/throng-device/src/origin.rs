//! Which device a buffer is of.
//!
//! To CubeCL the memory of a buffer is a place in the tables of the device that made it. On another device the same place
//! is other memory, or none, and a kernel without index checks would write behind its end. So each buffer has the mark of
//! its device, which every use compares.

use std::cell::Cell;
use std::panic::resume_unwind;

use crate::choice::DeviceId;
use crate::inventory::{DeviceClass, DeviceInfo};

/// Identifies a device of one backend for the life of the process. Several [`Device`](crate::Device)s may be open on it; they
/// share their memory, so that a buffer of one is a buffer of all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Origin {
    pub id: DeviceId,
    /// Class and number are what CubeCL tells devices apart by. The id alone may come to mean another one when a card is
    /// plugged in.
    class: DeviceClass,
    index_in_class: usize,
}

impl Origin {
    pub fn of(device: &DeviceInfo) -> Self {
        Self { id: device.id, class: device.class, index_in_class: device.index_in_class }
    }
}

/// What unwinds out of a launch that got a buffer of another device, the one with this id.
pub(crate) struct Foreign(pub DeviceId);

thread_local! {
    /// The device for which this thread makes the arguments of a kernel.
    static LAUNCHING: Cell<Option<Origin>> = const { Cell::new(None) };
}

/// Runs `launch`, in which [`check`] takes buffers of that device only.
pub(crate) fn launching<T>(on: Origin, launch: impl FnOnce() -> T) -> T {
    struct Before(Option<Origin>);
    impl Drop for Before {
        fn drop(&mut self) {
            LAUNCHING.set(self.0);
        }
    }
    let _before = Before(LAUNCHING.replace(Some(on)));
    launch()
}

/// Compares the device of a buffer with the one of the launch that this thread is making.
///
/// An argument is made in the same expression as the launch, which cannot be left with an error in between. So this
/// unwinds, to where the launch began; that is no panic: no hook is run and no message is printed.
///
/// # Panics
/// Outside a launch.
pub(crate) fn check(buffer: Origin) {
    match LAUNCHING.get() {
        Some(device) if device == buffer => {}
        Some(_) => resume_unwind(Box::new(Foreign(buffer.id))),
        None => panic!("arguments of kernels are made inside the closure that `Device::launch` takes"),
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use super::*;
    use crate::choice::Backend;

    fn origin(index: usize) -> Origin {
        let id = DeviceId { backend: Backend::Cuda, index };
        Origin { id, class: DeviceClass::Discrete, index_in_class: index }
    }

    fn foreign(buffer: Origin) -> Option<DeviceId> {
        let unwound = catch_unwind(AssertUnwindSafe(|| check(buffer))).err()?;
        unwound.downcast_ref::<Foreign>().map(|Foreign(id)| *id)
    }

    #[test]
    fn only_buffers_of_the_device_get_into_a_launch() {
        launching(origin(0), || {
            assert_eq!(foreign(origin(0)), None);
            assert_eq!(foreign(origin(1)), Some(origin(1).id));
            launching(origin(1), || assert_eq!(foreign(origin(0)), Some(origin(0).id)));
            assert_eq!(foreign(origin(0)), None);
        });
    }

    #[test]
    fn a_card_that_took_the_number_of_another_is_another() {
        let integrated = Origin { class: DeviceClass::Integrated, ..origin(0) };
        launching(origin(0), || assert_eq!(foreign(integrated), Some(integrated.id)));
    }

    #[test]
    fn the_mark_goes_when_a_launch_is_left_by_unwinding() {
        let left = catch_unwind(|| launching(origin(0), || check(origin(1))));
        assert!(left.is_err());
        assert_eq!(LAUNCHING.get(), None);
    }
}
