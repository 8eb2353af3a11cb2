//! A kernel from source text, as a task for CubeCL's compilers.

use std::sync::Arc;

use cubecl::ir::{AddressType, ElemType, StorageType, Type, UIntKind};
use cubecl::prelude::*;
use cubecl::{CompilationError, CubeTask, KernelSettings};
use cubecl_runtime::id::KernelId;
use cubecl_runtime::kernel::{CompiledKernel, KernelMetadata};

use super::text;
use crate::runtime::{Expanded, Expansion};

/// The complete source, and the layout of its arguments.
#[derive(Debug, Clone)]
pub(super) struct SourceTask {
    /// Label, and name of the function in the text.
    pub name: &'static str,
    pub source: Arc<str>,
    pub buffers: usize,
    /// Units per cube.
    pub units: u32,
}

impl KernelMetadata for SourceTask {
    fn name(&self) -> &'static str {
        self.name
    }

    /// Kernels with the same source are the same kernel.
    fn id(&self) -> KernelId {
        KernelId::new::<Self>().info(Arc::clone(&self.source)).cube_dim(CubeDim::new_1d(self.units))
    }

    fn address_type(&self) -> StorageType {
        AddressType::U32.unsigned_type()
    }
}

impl CubeTask<Expansion> for SourceTask {
    /// Returns the source, and the expansion of an empty kernel with as many buffers, from which a back end takes the
    /// layout of the arguments.
    fn compile(
        &self,
        _: &mut Expansion,
        (): &(),
        _: ExecutionMode,
        _: StorageType,
    ) -> Result<CompiledKernel<Expansion>, CompilationError> {
        let mut empty = KernelBuilder::default();
        AddressType::U32.register(&mut empty.scope);
        for _ in 0..self.buffers {
            // The layout does not depend on the type of the elements.
            empty.output_array(Type::new(ElemType::UInt(UIntKind::U32).into()));
        }
        let (entry, cube_dim) = (text::entry(self.name), CubeDim::new_1d(self.units));
        let settings = KernelSettings::default().cube_dim(cube_dim).kernel_name(&entry);
        Ok(CompiledKernel {
            entrypoint_name: entry,
            debug_name: Some(self.name),
            source: self.source.to_string(),
            repr: Some(Expanded(empty.build(settings))),
            cube_dim,
            debug_info: None,
        })
    }
}
