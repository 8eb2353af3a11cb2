//! The device that a buffer belongs to.
//!
//! In CubeCL, a buffer is an index into tables of the device that created it. On another device the same index refers
//! to other memory, or none, and a kernel without index checks would write out of bounds. Therefore each buffer records
//! its device, and every use checks it.

use std::cell::Cell;
use std::panic::resume_unwind;

use crate::choice::DeviceId;
use crate::inventory::{DeviceClass, DeviceInfo};

/// Identifies a device of one backend for the lifetime of the process. Several [`Device`](crate::Device)s may be open
/// on it; they share its memory, so all of them can use each other's buffers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Origin {
    pub id: DeviceId,
    /// CubeCL identifies devices by class and index. The id alone may refer to another device after a GPU is plugged
    /// in.
    class: DeviceClass,
    index_in_class: usize,
}

impl Origin {
    pub fn of(device: &DeviceInfo) -> Self {
        Self { id: device.id, class: device.class, index_in_class: device.index_in_class }
    }
}

/// Payload for unwinding from a launch with a buffer of another device; holds that device's id.
pub(crate) struct Foreign(pub DeviceId);

thread_local! {
    /// The device for which this thread is creating kernel arguments.
    static LAUNCHING: Cell<Option<Origin>> = const { Cell::new(None) };
}

/// Runs `launch`, within which [`check`] accepts only buffers of the device `on`.
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

/// Compares the device of a buffer with that of the current launch of this thread.
///
/// Arguments are created in the same expression as the launch, which cannot return an error in between. So this
/// function unwinds to the start of the launch. It does not panic: no hook runs and no message is printed.
///
/// # Panics
/// When called outside a launch.
pub(crate) fn check(buffer: Origin) {
    match LAUNCHING.get() {
        Some(device) if device == buffer => {}
        Some(_) => resume_unwind(Box::new(Foreign(buffer.id))),
        None => panic!("kernel arguments must be created inside the closure passed to `Device::launch`"),
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
    fn a_launch_accepts_only_buffers_of_its_device() {
        launching(origin(0), || {
            assert_eq!(foreign(origin(0)), None);
            assert_eq!(foreign(origin(1)), Some(origin(1).id));
            launching(origin(1), || assert_eq!(foreign(origin(0)), Some(origin(0).id)));
            assert_eq!(foreign(origin(0)), None);
        });
    }

    #[test]
    fn devices_of_different_classes_differ_even_with_the_same_id() {
        let integrated = Origin { class: DeviceClass::Integrated, ..origin(0) };
        launching(origin(0), || assert_eq!(foreign(integrated), Some(integrated.id)));
    }

    #[test]
    fn unwinding_out_of_a_launch_clears_the_current_device() {
        let left = catch_unwind(|| launching(origin(0), || check(origin(1))));
        assert!(left.is_err());
        assert_eq!(LAUNCHING.get(), None);
    }
}
