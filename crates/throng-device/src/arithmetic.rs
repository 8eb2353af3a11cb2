//! Does a device count in double precision as the host does?

use cubecl::prelude::*;

use crate::{Device, DeviceError};

/// Which operations on 64-bit floats agree with the host to the last bit, as found by trying.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Arithmetic {
    /// Sums, differences, comparisons, and `fma(a, b, zero)` with a zero that no compiler knows, which is a rounded product.
    pub sums_and_products: bool,
    /// Quotients.
    pub quotients: bool,
}

/// `zero` is 0, which no compiler knows: otherwise some make one rounding of the product and the sum.
#[cube(launch)]
fn arithmetic(a: &Array<f64>, b: &Array<f64>, sums: &mut Array<f64>, quotients: &mut Array<f64>, zero: f64) {
    let i = ABSOLUTE_POS;
    if i < a.len() {
        sums[i] = (a[i] - b[i]) + fma(a[i], b[i], zero);
        quotients[i] = a[i] / b[i];
    }
}

const TRIALS: u32 = 4096;

impl Arithmetic {
    /// Tries some thousand numbers.
    ///
    /// # Errors
    /// When the device lacks double precision, or fails.
    pub fn of<R: Runtime>(device: &Device<R>) -> Result<Self, DeviceError> {
        if !device.info().has_f64 {
            let lacks = "it has no double precision, which exact results need".to_owned();
            return Err(DeviceError::Unsuitable { device: device.label(), lacks });
        }
        let draws = throng_core::Philox::new(1);
        let number = |i: u32, purpose: u32| {
            let scale = [1e-6, 1.0, 3600.0, 1e5][draws.below(4, i, 1, purpose, 0) as usize];
            (draws.unit(i, 0, purpose, 0) - 0.25) * scale
        };
        let a: Vec<f64> = (0..TRIALS).map(|i| number(i, 0)).collect();
        let b: Vec<f64> = (0..TRIALS).map(|i| number(i, 1)).collect();
        let (da, db) = (device.upload("arithmetic", &a)?, device.upload("arithmetic", &b)?);
        let sums = device.empty("arithmetic", a.len())?;
        let quotients = device.empty("arithmetic", a.len())?;
        device.launch("arithmetic", a.len(), |client, cubes, dim| {
            arithmetic::launch::<R>(client, cubes, dim, da.arg(), db.arg(), sums.arg(), quotients.arg(), 0.0);
        })?;
        let agree = |buffer: &crate::Buffer<f64>, expected: &dyn Fn(f64, f64) -> f64| -> Result<bool, DeviceError> {
            let found = device.read(buffer)?;
            Ok(found.iter().zip(a.iter().zip(&b)).all(|(f, (&x, &y))| f.to_bits() == expected(x, y).to_bits()))
        };
        Ok(Self {
            sums_and_products: agree(&sums, &|x, y| (x - y) + x * y)?,
            quotients: agree(&quotients, &|x, y| x / y)?,
        })
    }
}
