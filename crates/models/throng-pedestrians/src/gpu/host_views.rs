//! Kernel types of the views of host executors. CubeCL's traits require one for each view; host executors use the type
//! of the device executor.

use throng_device::cubecl::prelude::CubeType;

use super::super::bodies::views as bodies;
use super::super::cpu::views as cpu;
use super::super::openings::views as openings;
use super::super::unit_sums::OnFloor;
use super::body_kernels::{BodyCandidates, ContestOnDevice, DecisionContextBody};
use super::floor::FloorOnDevice;
use super::kernels::{Candidates, DecisionContext};
use super::opening_kernels::QueuesOnDevice;
use super::state::Crowd;

macro_rules! in_kernels {
    ($($on_host:ty => $on_device:ty,)*) => {
        $(impl CubeType for $on_host {
            type ExpandType = <$on_device as CubeType>::ExpandType;
        })*
    };
}

in_kernels! {
    cpu::DecisionContext<'_> => DecisionContext<'static>,
    cpu::Candidates<'_> => Candidates<'static>,
    OnFloor<'_> => FloorOnDevice<'static>,
    bodies::BodiesOnFloor<'_> => DecisionContextBody<'static>,
    bodies::DecisionContext<'_> => DecisionContextBody<'static>,
    bodies::Candidates<'_> => BodyCandidates<'static>,
    bodies::Contest<'_> => ContestOnDevice<'static>,
    openings::CrowdOnHost<'_> => Crowd,
    openings::RoutesOnHost<'_> => QueuesOnDevice<'static>,
    openings::QueuesOnHost<'_> => QueuesOnDevice<'static>,
}
