//! Whether a device rounds like the CPU.

use throng_core::Philox;
use throng_device::cubecl::{self, prelude::*};
use throng_device::{Device, DeviceError, KernelArrays};

/// Number of values that are tested.
const TRIALS: u32 = 4096;

#[derive(CubeType, CubeLaunch, KernelArrays)]
struct Operands {
    a: Array<f32>,
    b: Array<f32>,
}

#[derive(CubeType, CubeLaunch, KernelArrays)]
struct Computed {
    quotients: Array<f32>,
    roots: Array<f32>,
}

/// Computes quotients and square roots.
#[cube(launch)]
fn divide(of: &Operands, computed: &mut Computed) {
    let i = ABSOLUTE_POS;
    if i < of.a.len() {
        computed.quotients[i] = of.a[i] / of.b[i];
        computed.roots[i] = of.b[i].sqrt();
    }
}

/// Whether quotients and square roots of a device are correctly rounded, like those of the CPU. Sums and products
/// always are, so all results of rendering are the same if these are.
pub(crate) fn is_that_of_the_cpu(device: &Device) -> Result<bool, DeviceError> {
    const WHAT: &str = "rounding";
    let draws = Philox::new(3);
    let number = |i: u32, purpose: u32| {
        let scale = [1e-4, 1.0, 30.0, 1e4][draws.below(4, i, 1, purpose, 0) as usize];
        ((draws.unit(i, 0, purpose, 0) + 1e-3) * scale) as f32
    };
    let [a, b] = [0, 1].map(|purpose| (0..TRIALS).map(|i| number(i, purpose)).collect::<Vec<f32>>());
    let (on_a, on_b) = (device.upload(WHAT, &a)?, device.upload(WHAT, &b)?);
    let (quotients, roots) = (device.empty::<f32>(WHAT, a.len())?, device.empty::<f32>(WHAT, a.len())?);
    device.launch(WHAT, a.len(), |client, cubes, dim| {
        let of = OperandsBuffers { a: &on_a, b: &on_b };
        let computed = ComputedBuffers { quotients: &quotients, roots: &roots };
        divide::launch(client, cubes, dim, of.arg(), computed.arg());
    })?;
    let (quotients, roots) = (device.read(&quotients)?, device.read(&roots)?);
    let are_same = |i: usize| quotients[i] == a[i] / b[i] && roots[i] == b[i].sqrt();
    Ok((0..a.len()).all(are_same))
}
