//! CubeCL's interface to the interpreter.

use std::collections::HashMap;
use std::sync::Arc;

use cubecl::backtrace::BackTrace;
use cubecl::bytes::Bytes;
use cubecl::device::{DeviceId, DeviceService, ServerUtilitiesHandle};
use cubecl::features::{AtomicUsage, TypeUsage};
use cubecl::future::DynFut;
use cubecl::ir::{
    AddressType, DeviceProperties, ElemType, FloatKind, HardwareProperties, IntKind, MemoryDeviceProperties,
    StorageType, Type, UIntKind,
};
use cubecl::profile::{ProfileDuration, TimingMethod};
use cubecl::server::{
    Binding, ComputeServer, CopyDescriptor, CubeCount, ExecutionMode, IoError, KernelArguments, LaunchError,
    ProfileError, ProfilingToken, ServerCommunication, ServerError, ServerUtilities,
};
use cubecl::stream_id::StreamId;
use cubecl::{CompilationError, CubeTask, MemoryAllocationMode, MemoryConfiguration, MemoryUsage};
use cubecl_runtime::allocator::ContiguousMemoryLayoutPolicy;
use cubecl_runtime::id::KernelId;
use cubecl_runtime::logging::ServerLogger;
use cubecl_runtime::memory_management::{
    ManagedMemoryHandle, MemoryManagement, MemoryManagementOptions, MemoryPoolOptions, PoolType,
};
use cubecl_runtime::storage::ManagedResource;

use super::interpreter;
use super::lowering::lowered;
use super::memory::{ALIGNMENT, Pages, Region};
use super::program::Program;
use crate::runtime::Expansion;

/// Maximum size of a buffer.
const MAX_BUFFER_BYTES: u64 = 1 << 32;
/// Shared memory of a cube, as most devices have it.
const SHARED_BYTES: usize = 48 << 10;

/// The server of the interpreter. Launches are executed at once, on the thread of the server.
#[derive(Debug)]
pub struct Host {
    memory: MemoryManagement<Pages>,
    programs: HashMap<KernelId, Arc<Program>>,
    /// Errors since the last synchronisation.
    errors: Vec<ServerError>,
    utilities: Arc<ServerUtilities<Self>>,
}

fn properties() -> DeviceProperties {
    let memory = MemoryDeviceProperties { max_page_size: MAX_BUFFER_BYTES, alignment: ALIGNMENT as u64 };
    let hardware = HardwareProperties {
        load_width: 128,
        plane_size_min: 1,
        plane_size_max: 1,
        max_bindings: 1024,
        max_shared_memory_size: SHARED_BYTES,
        max_cube_count: (u32::MAX, u32::MAX, u32::MAX),
        max_units_per_cube: 1024,
        max_cube_dim: (1024, 1024, 64),
        num_streaming_multiprocessors: None,
        num_cpu_cores: Some(1),
        num_tensor_cores: None,
        min_tensor_cores_dim: None,
        max_vector_size: 4,
    };
    let mut properties =
        DeviceProperties::new(cubecl::features::Features::default(), memory, hardware, TimingMethod::System);
    let integers = [
        ElemType::UInt(UIntKind::U8),
        ElemType::UInt(UIntKind::U16),
        ElemType::UInt(UIntKind::U32),
        ElemType::UInt(UIntKind::U64),
        ElemType::Int(IntKind::I8),
        ElemType::Int(IntKind::I16),
        ElemType::Int(IntKind::I32),
        ElemType::Int(IntKind::I64),
    ];
    for element in integers {
        properties.register_type_usage(element, TypeUsage::all());
        properties.register_atomic_type_usage(Type::new(StorageType::Atomic(element)), AtomicUsage::all());
    }
    for element in [ElemType::Bool, ElemType::Float(FloatKind::F32), ElemType::Float(FloatKind::F64)] {
        properties.register_type_usage(element, TypeUsage::all());
    }
    properties.register_address_type(AddressType::U32);
    properties.register_address_type(AddressType::U64);
    properties
}

/// The memory pools. Memory that was never reserved counts as part of the first pool, which therefore has none.
fn pools() -> Vec<MemoryPoolOptions> {
    let sizes = std::iter::once(0).chain((16..=32).step_by(2).map(|bits| 1 << bits));
    let pool = |max_alloc_size| MemoryPoolOptions {
        pool_type: PoolType::ExclusivePages { max_alloc_size },
        dealloc_period: None,
    };
    sizes.map(pool).collect()
}

impl DeviceService for Host {
    fn init(_: DeviceId) -> Self {
        let (properties, logger) = (properties(), Arc::new(ServerLogger::default()));
        let memory = MemoryManagement::from_configuration(
            Pages::default(),
            &properties.memory,
            MemoryConfiguration::Custom { pool_options: pools() },
            Arc::clone(&logger),
            MemoryManagementOptions::new("host"),
        );
        let layout = ContiguousMemoryLayoutPolicy::new(ALIGNMENT);
        let utilities = Arc::new(ServerUtilities::new(properties, logger, (), layout));
        Self { memory, programs: HashMap::new(), errors: Vec::new(), utilities }
    }

    fn utilities(&self) -> ServerUtilitiesHandle {
        Arc::clone(&self.utilities) as ServerUtilitiesHandle
    }
}

impl ServerCommunication for Host {
    const SERVER_COMM_ENABLED: bool = false;
}

impl Host {
    fn region(&mut self, binding: Binding) -> Result<Region, IoError> {
        self.memory.get_resource(binding.memory, binding.offset_start, binding.offset_end)
    }

    /// Returns the first error since the last call.
    fn outcome(&mut self) -> Result<(), ServerError> {
        self.errors.drain(..).next().map_or(Ok(()), Err)
    }

    fn program(
        &mut self,
        task: &dyn CubeTask<Expansion>,
        mode: ExecutionMode,
    ) -> Result<Arc<Program>, CompilationError> {
        let id = task.id();
        if let Some(program) = self.programs.get(&id) {
            return Ok(Arc::clone(program));
        }
        let addresses = task.address_type();
        let expanded = task.compile(&mut Expansion, &(), mode, addresses)?.repr.expect("an expansion has one");
        let program = lowered(expanded.0, addresses)
            .map_err(|reason| CompilationError::UnsupportedInstruction { reason, backtrace: BackTrace::capture() })?;
        Ok(Arc::clone(self.programs.entry(id).or_insert(Arc::new(program))))
    }

    fn run(
        &mut self,
        task: &dyn CubeTask<Expansion>,
        count: &CubeCount,
        arguments: KernelArguments,
        mode: ExecutionMode,
    ) -> Result<(), ServerError> {
        let generic = |reason| ServerError::Generic { reason, backtrace: BackTrace::capture() };
        let program = self.program(task, mode).map_err(LaunchError::from)?;
        let count = match count {
            CubeCount::Static(x, y, z) => [*x, *y, *z],
            CubeCount::Dynamic(_) => return Err(generic("cannot be launched with a count in a buffer".to_owned())),
        };
        let regions: Result<Vec<_>, IoError> =
            arguments.buffers.into_iter().map(|binding| self.region(binding)).collect();
        let regions = regions?;
        if regions.len() != program.buffers {
            return Err(generic("cannot be launched with one buffer for two arguments".to_owned()));
        }
        let run = |buffers: &mut _| interpreter::run(&program, buffers, &arguments.info.data, count, mode);
        self.memory.storage().with_buffers(&regions, run).map_err(|fault| generic(fault.to_string()))
    }
}

impl ComputeServer for Host {
    type Kernel = Box<dyn CubeTask<Expansion>>;
    type Info = ();
    type MemoryLayoutPolicy = ContiguousMemoryLayoutPolicy;
    type Storage = Pages;

    fn initialize_memory(&mut self, memory: ManagedMemoryHandle, size: u64, _: StreamId) {
        let binding = memory.clone().binding();
        let made = self.memory.reserve(size).and_then(|reserved| self.memory.bind(reserved, memory, 0));
        match made.and_then(|()| self.memory.get_resource(binding, None, None)) {
            Ok(region) => self.memory.storage().forget(&region),
            Err(error) => self.errors.push(error.into()),
        }
    }

    fn logger(&self) -> Arc<ServerLogger> {
        Arc::clone(&self.utilities.logger)
    }

    fn utilities(&self) -> Arc<ServerUtilities<Self>> {
        Arc::clone(&self.utilities)
    }

    fn read(&mut self, from: Vec<CopyDescriptor>, _: StreamId) -> DynFut<Result<Vec<Bytes>, ServerError>> {
        let copy = |host: &mut Self, from: CopyDescriptor| {
            let region = host.region(from.handle)?;
            Ok(Bytes::from_bytes_vec(host.memory.storage().region(&region).to_vec()))
        };
        let read = self.outcome().and_then(|()| from.into_iter().map(|from| copy(self, from)).collect());
        Box::pin(async move { read })
    }

    fn write(&mut self, to: Vec<(CopyDescriptor, Bytes)>, _: StreamId) {
        for (to, bytes) in to {
            match self.region(to.handle) {
                Ok(region) => self.memory.storage().region(&region)[..bytes.len()].copy_from_slice(&bytes),
                Err(error) => self.errors.push(error.into()),
            }
        }
    }

    fn sync(&mut self, _: StreamId) -> DynFut<Result<(), ServerError>> {
        let outcome = self.outcome();
        Box::pin(async move { outcome })
    }

    fn get_resource(&mut self, binding: Binding, _: StreamId) -> Result<ManagedResource<Region>, ServerError> {
        let owner = binding.memory.clone();
        Ok(ManagedResource::new(owner, self.region(binding)?))
    }

    #[allow(unsafe_code, reason = "an interpreted kernel cannot access other memory, whatever the mode")]
    unsafe fn launch(
        &mut self,
        kernel: Self::Kernel,
        count: CubeCount,
        arguments: KernelArguments,
        mode: ExecutionMode,
        _: StreamId,
    ) {
        if let Err(error) = self.run(&*kernel, &count, arguments, mode) {
            self.errors.push(error);
        }
    }

    fn flush(&mut self, _: StreamId) -> Result<(), ServerError> {
        self.outcome()
    }

    fn memory_usage(&mut self, _: StreamId) -> Result<MemoryUsage, ServerError> {
        Ok(self.memory.memory_usage())
    }

    fn memory_cleanup(&mut self, _: StreamId) {
        self.memory.cleanup(true);
    }

    fn start_profile(&mut self, _: StreamId) -> Result<ProfilingToken, ServerError> {
        Ok(ProfilingToken { id: 0 })
    }

    fn end_profile(&mut self, _: StreamId, _: ProfilingToken) -> Result<ProfileDuration, ProfileError> {
        Err(ProfileError::NotRegistered { backtrace: BackTrace::capture() })
    }

    fn allocation_mode(&mut self, mode: MemoryAllocationMode, _: StreamId) {
        self.memory.mode(mode);
    }
}
