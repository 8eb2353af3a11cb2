//! Programs that run, all seen in the same way.

use std::time::Instant;

use throng_device::Device;
use throng_model::Failure;
use throng_pedestrians::{FieldTables, Pedestrians, SocialField, Summing, World};

use super::caching::Caching;
use super::method::Method;
use super::program::StoredFields;

/// A program with its state.
pub(super) trait Running {
    /// Makes ticks and waits for the last one. Returns the seconds.
    fn run(&mut self, ticks: u32) -> Result<f64, Failure>;

    /// The pedestrians after the last tick.
    fn pedestrians(&self) -> Result<Pedestrians, Failure>;

    /// Bytes of its memory on the device.
    fn bytes(&self) -> Option<u64>;
}

/// What all programs of a case have in common.
#[derive(Debug)]
pub(super) struct Setting<'a> {
    pub world: World,
    pub tables: FieldTables,
    pub seed: u64,
    pub pool: &'a rayon::ThreadPool,
    pub device: Option<&'a Device>,
}

impl Setting<'_> {
    /// A program with pedestrians before a tick.
    pub fn start(&self, method: Method, state: &Pedestrians, tick: u32) -> Result<Box<dyn Running + '_>, Failure> {
        let Self { world, tables, seed, pool, .. } = self;
        match (method, self.device) {
            (Method::Naive, _) => {
                let (world, state) = (world.clone(), state.clone());
                Ok(Box::new(StoredFields::new(world, tables, state, *seed, tick, Caching::None)?))
            }
            (Method::Cpu, _) => {
                let (world, state, summing) = (world.clone(), state.clone(), Summing::fastest(tables));
                let field = SocialField::new(world, tables.clone(), state, *seed, tick, summing)?;
                Ok(Box::new(OnThreads { field, pool }))
            }
            #[cfg(feature = "gpu")]
            (_, Some(device)) => self.start_on_device(device, method, state, tick),
            #[cfg(not(feature = "gpu"))]
            (_, Some(device)) => Err(device.no_kernels("throng-papers").into()),
            (_, None) => Err(Failure::input("device", method.name(), "is a program of a device")),
        }
    }

    #[cfg(feature = "gpu")]
    fn start_on_device<'s>(
        &'s self,
        device: &'s Device,
        method: Method,
        state: &Pedestrians,
        tick: u32,
    ) -> Result<Box<dyn Running + 's>, Failure> {
        use on_device::{Stored, Throng};
        use throng_pedestrians::DeviceSocialField;

        use super::device::DeviceStoredFields;

        let Self { world, tables, seed, .. } = self;
        Ok(if let Some(caching) = method.caching() {
            let state = DeviceStoredFields::new(device, world, tables, state, *seed, tick, caching)?;
            Box::new(Stored { device, state })
        } else {
            let summing = Summing::fastest(tables);
            let state = DeviceSocialField::new(device, world, tables, state, *seed, tick, summing)?;
            Box::new(Throng { device, state })
        })
    }
}

impl Running for StoredFields {
    fn run(&mut self, ticks: u32) -> Result<f64, Failure> {
        let since = Instant::now();
        (0..ticks).for_each(|_| {
            self.step();
        });
        Ok(since.elapsed().as_secs_f64())
    }

    fn pedestrians(&self) -> Result<Pedestrians, Failure> {
        Ok(self.pedestrians().clone())
    }

    fn bytes(&self) -> Option<u64> {
        None
    }
}

/// Throng's CPU executor and its threads.
struct OnThreads<'p> {
    field: SocialField,
    pool: &'p rayon::ThreadPool,
}

impl Running for OnThreads<'_> {
    fn run(&mut self, ticks: u32) -> Result<f64, Failure> {
        let Self { field, pool } = self;
        pool.install(|| {
            let since = Instant::now();
            (0..ticks).for_each(|_| {
                field.step();
            });
            Ok(since.elapsed().as_secs_f64())
        })
    }

    fn pedestrians(&self) -> Result<Pedestrians, Failure> {
        Ok(self.field.pedestrians())
    }

    fn bytes(&self) -> Option<u64> {
        None
    }
}

#[cfg(feature = "gpu")]
mod on_device {
    use std::time::Instant;

    use throng_device::Device;
    use throng_model::Failure;
    use throng_pedestrians::{DeviceSocialField, Pedestrians};

    use super::Running;
    use crate::yu::device::DeviceStoredFields;

    /// Ticks after which launches are submitted to the device; Vulkan gathers launches otherwise.
    const FLUSH_EVERY: u32 = 16;

    pub(super) struct Stored<'d> {
        pub device: &'d Device,
        pub state: DeviceStoredFields,
    }

    pub(super) struct Throng<'d> {
        pub device: &'d Device,
        pub state: DeviceSocialField,
    }

    fn timed(device: &Device, ticks: u32, mut step: impl FnMut() -> Result<(), Failure>) -> Result<f64, Failure> {
        device.synchronize("ticks")?;
        let since = Instant::now();
        for tick in 1..=ticks {
            step()?;
            if tick.is_multiple_of(FLUSH_EVERY) {
                device.flush()?;
            }
        }
        device.synchronize("last tick")?;
        Ok(since.elapsed().as_secs_f64())
    }

    impl Running for Stored<'_> {
        fn run(&mut self, ticks: u32) -> Result<f64, Failure> {
            timed(self.device, ticks, || Ok(self.state.step(self.device)?))
        }

        fn pedestrians(&self) -> Result<Pedestrians, Failure> {
            Ok(self.state.pedestrians(self.device)?)
        }

        fn bytes(&self) -> Option<u64> {
            Some(self.state.bytes())
        }
    }

    impl Running for Throng<'_> {
        fn run(&mut self, ticks: u32) -> Result<f64, Failure> {
            timed(self.device, ticks, || self.state.step(self.device))
        }

        fn pedestrians(&self) -> Result<Pedestrians, Failure> {
            Ok(self.state.pedestrians(self.device)?)
        }

        fn bytes(&self) -> Option<u64> {
            Some(self.state.bytes() as u64)
        }
    }
}
