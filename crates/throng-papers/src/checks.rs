//! Papers as something that can be checked.

use throng_core::Verified;
use throng_device::AnyDevice;
use throng_model::Check;

/// The programs of Elmir's thesis.
#[derive(Debug, Clone, Copy, Default)]
pub struct Elmir;

impl Check for Elmir {
    fn name(&self) -> &'static str {
        "elmir"
    }

    fn verify(&self, device: Option<&AnyDevice>, tell: &mut dyn FnMut(Verified)) {
        crate::elmir::verify(device, tell);
    }
}
