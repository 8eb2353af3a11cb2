//! Compares the first step of a device program with the first step on the CPU.

use throng_core::Philox;
use throng_device::Device;
use throng_model::Failure;

use super::baseline::Baseline;
use super::crowd::{Crowd, Moves};
use super::device::DeviceCrowd;
use super::grid::Stamps;
use super::method::Method;
use super::published::{FourSteps, Restore, Variant};

/// Returns the number of discs for which a device program and the same check on the CPU decide differently. For a check
/// with races, the discs write on the CPU in an order that has the same winners.
///
/// # Errors
/// If the device fails or the crowd does not fit.
pub(super) fn differing(
    device: &Device,
    crowd: &Crowd,
    moves: Moves,
    seed: u64,
    method: Method,
) -> Result<usize, Failure> {
    let mut on_device = DeviceCrowd::new(device, crowd, moves, seed, method)?;
    on_device.run(1)?;
    let at = [&crowd.at[0][..], &crowd.at[1]];
    let to = moves.wishes(Philox::new(seed), 0, at);
    let to = [&to[0][..], &to[1]];
    let (world, discs) = (crowd.world, at[0].len());
    let four_steps = |restore| FourSteps::new(world, discs, Variant { restore, stamps: Stamps::PerSlot });
    let expected = match method {
        Method::NoCheck => vec![true; discs],
        Method::SequentialOnDevice | Method::SequentialOnCpu => {
            unreachable!("a crowd on a device takes methods of the paper only, and was created above")
        }
        Method::AtomicGrid | Method::Baseline | Method::FastSortBaseline | Method::OptimisedBaseline(_) => {
            Baseline::new(world, discs)?.accepted(at, to)?
        }
        Method::FourStepsAtomic => four_steps(Restore::Immediate)?.accepted(at, to)?,
        Method::FourSteps(restore) => four_steps(restore)?.accepted_in_order(at, to, &on_device.order_of_writers()?)?,
        Method::ClearedFourSteps => {
            four_steps(Restore::Immediate)?.accepted_in_order(at, to, &on_device.order_of_writers()?)?
        }
    };
    Ok(on_device.accepted()?.iter().zip(&expected).filter(|(found, expected)| found != expected).count())
}
