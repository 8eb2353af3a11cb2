//! One CubeCL runtime for all backends.
//!
//! CubeCL's own runtimes are types, so code that launches kernels is generic over them and is compiled once per backend
//! in every crate that calls it. [`Gpu`] selects the backend when a device is opened: it forwards each request to the
//! server of that backend. A request costs one more branch, but the host code of kernels is compiled only once.

use std::fmt::{self, Display};
use std::sync::Arc;

use cubecl::bytes::Bytes;
use cubecl::client::ComputeClient;
#[cfg(feature = "cuda")]
use cubecl::cuda::CudaRuntime;
use cubecl::device::{Device as CubeDevice, DeviceId, DeviceService, ServerUtilitiesHandle};
use cubecl::future::DynFut;
use cubecl::ir::{ElemType, MmaProperties, StorageType, TargetProperties};
use cubecl::profile::ProfileDuration;
use cubecl::server::{
    Binding, ComputeServer, CopyDescriptor, CubeCount, ExecutionMode, Handle, IoError, KernelArguments, MemoryLayout,
    MemoryLayoutDescriptor, MemoryLayoutPolicy, ProfileError, ProfilingToken, ServerCommunication, ServerError,
    ServerUtilities,
};
use cubecl::stream_id::StreamId;
#[cfg(feature = "vulkan")]
use cubecl::wgpu::WgpuRuntime;
use cubecl::zspace::{Shape, Strides, striding::has_pitched_row_major_strides};
use cubecl::{CompilationError, Compiler, CubeTask, MemoryAllocationMode, MemoryUsage, Runtime};
use cubecl_runtime::id::KernelId;
use cubecl_runtime::kernel::{CompiledKernel, KernelDefinition, KernelMetadata};
use cubecl_runtime::logging::ServerLogger;
use cubecl_runtime::memory_management::ManagedMemoryHandle;
use cubecl_runtime::storage::{ComputeStorage, ManagedResource, StorageHandle, StorageId};

/// CubeCL runtime of all devices, whatever their backend.
#[derive(Debug, Clone)]
pub struct Gpu;

#[cfg(feature = "cuda")]
type Cuda = <CudaRuntime as Runtime>::Server;
#[cfg(feature = "vulkan")]
type Vulkan = <WgpuRuntime as Runtime>::Server;
#[cfg(feature = "host")]
use crate::host::Host;

/// The server of a device, which wraps that of its backend.
#[derive(Debug)]
pub struct Server {
    backend: BackendServer,
    utilities: Arc<ServerUtilities<Self>>,
}

#[derive(Debug)]
enum BackendServer {
    #[cfg(feature = "cuda")]
    Cuda(Box<Cuda>),
    #[cfg(feature = "vulkan")]
    Vulkan(Box<Vulkan>),
    #[cfg(feature = "host")]
    Host(Box<Host>),
}

/// Evaluates an expression with the server of the backend.
macro_rules! with_server {
    ($backend:expr, |$server:ident| $body:expr) => {
        match $backend {
            #[cfg(feature = "cuda")]
            BackendServer::Cuda($server) => $body,
            #[cfg(feature = "vulkan")]
            BackendServer::Vulkan($server) => $body,
            #[cfg(feature = "host")]
            BackendServer::Host($server) => $body,
        }
    };
}

/// A device of any backend, as identified by CubeCL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GpuDevice {
    /// A CUDA device, by its index.
    #[cfg(feature = "cuda")]
    Cuda(usize),
    /// A device of wgpu.
    #[cfg(feature = "vulkan")]
    Vulkan(cubecl::wgpu::WgpuDevice),
    /// The interpreter.
    #[cfg(feature = "host")]
    Host,
}

/// The CubeCL device type of CUDA; those of wgpu are small numbers.
#[cfg(feature = "cuda")]
const CUDA: u16 = 1 << 15;
/// The CubeCL device type of the interpreter.
#[cfg(feature = "host")]
const HOST: u16 = 1 << 14;

impl Default for GpuDevice {
    fn default() -> Self {
        Self::from_id(DeviceId::new(0, 0))
    }
}

impl CubeDevice for GpuDevice {
    fn from_id(id: DeviceId) -> Self {
        match id.type_id {
            #[cfg(feature = "cuda")]
            CUDA => Self::Cuda(id.index_id.into()),
            #[cfg(feature = "host")]
            HOST => Self::Host,
            #[cfg(feature = "vulkan")]
            _ => Self::Vulkan(cubecl::wgpu::WgpuDevice::from_id(id)),
            #[cfg(all(feature = "cuda", not(feature = "vulkan")))]
            _ => Self::Cuda(id.index_id.into()),
            #[cfg(not(any(feature = "cuda", feature = "vulkan")))]
            _ => Self::Host,
        }
    }

    fn to_id(&self) -> DeviceId {
        match self {
            #[cfg(feature = "cuda")]
            Self::Cuda(index) => DeviceId::new(CUDA, *index as u16),
            #[cfg(feature = "vulkan")]
            Self::Vulkan(device) => device.to_id(),
            #[cfg(feature = "host")]
            Self::Host => DeviceId::new(HOST, 0),
        }
    }
}

impl Runtime for Gpu {
    type Compiler = Expansion;
    type Server = Server;
    type Device = GpuDevice;

    fn client(device: &GpuDevice) -> ComputeClient<Self> {
        ComputeClient::load(device)
    }

    fn name(client: &ComputeClient<Self>) -> &'static str {
        client.info()
    }

    fn require_array_lengths() -> bool {
        true
    }

    fn max_cube_count() -> (u32, u32, u32) {
        // The minimum over all backends.
        (u16::MAX.into(), u16::MAX.into(), u16::MAX.into())
    }

    fn can_read_tensor(shape: &Shape, strides: &Strides) -> bool {
        has_pitched_row_major_strides(shape, strides)
    }

    fn target_properties() -> TargetProperties {
        // The properties describe matrix units, which these kernels do not use.
        TargetProperties { mma: MmaProperties::default() }
    }

    fn enumerate_devices(_: u16, _: &&'static str) -> Vec<DeviceId> {
        // Unused; see `inventory`.
        Vec::new()
    }
}

impl DeviceService for Server {
    fn init(id: DeviceId) -> Self {
        match GpuDevice::from_id(id) {
            #[cfg(feature = "cuda")]
            GpuDevice::Cuda(index) => {
                let server = Cuda::init(DeviceId::new(0, index as u16));
                let utilities = utilities(&ComputeServer::utilities(&server), "cuda", Layout::Cuda);
                Self { backend: BackendServer::Cuda(Box::new(server)), utilities }
            }
            #[cfg(feature = "vulkan")]
            GpuDevice::Vulkan(device) => {
                let server = Vulkan::init(device.to_id());
                let utilities = utilities(&ComputeServer::utilities(&server), "wgpu<wgsl>", Layout::Vulkan);
                Self { backend: BackendServer::Vulkan(Box::new(server)), utilities }
            }
            #[cfg(feature = "host")]
            GpuDevice::Host => {
                let server = Host::init(id);
                let utilities = utilities(&ComputeServer::utilities(&server), "host", Layout::Host);
                Self { backend: BackendServer::Host(Box::new(server)), utilities }
            }
        }
    }

    fn utilities(&self) -> ServerUtilitiesHandle {
        Arc::clone(&self.utilities) as ServerUtilitiesHandle
    }
}

/// Creates the utilities of a server from those of its backend.
fn utilities<S: ComputeServer>(
    of_backend: &Arc<ServerUtilities<S>>,
    name: &'static str,
    layout: fn(Arc<ServerUtilities<S>>) -> Layout,
) -> Arc<ServerUtilities<Server>> {
    let (properties, logger) = (of_backend.properties.clone(), Arc::clone(&of_backend.logger));
    Arc::new(ServerUtilities::new(properties, logger, name, layout(Arc::clone(of_backend))))
}

/// Memory layout of the backend.
pub enum Layout {
    /// Layout of CUDA.
    #[cfg(feature = "cuda")]
    Cuda(Arc<ServerUtilities<Cuda>>),
    /// Layout of wgpu.
    #[cfg(feature = "vulkan")]
    Vulkan(Arc<ServerUtilities<Vulkan>>),
    /// Layout of the interpreter.
    #[cfg(feature = "host")]
    Host(Arc<ServerUtilities<Host>>),
}

impl MemoryLayoutPolicy for Layout {
    fn apply(&self, stream: StreamId, descriptors: &[MemoryLayoutDescriptor]) -> (Handle, Vec<MemoryLayout>) {
        match self {
            #[cfg(feature = "cuda")]
            Self::Cuda(utilities) => utilities.layout_policy.apply(stream, descriptors),
            #[cfg(feature = "vulkan")]
            Self::Vulkan(utilities) => utilities.layout_policy.apply(stream, descriptors),
            #[cfg(feature = "host")]
            Self::Host(utilities) => utilities.layout_policy.apply(stream, descriptors),
        }
    }
}

impl ComputeServer for Server {
    type Kernel = Box<dyn CubeTask<Expansion>>;
    type Info = &'static str;
    type MemoryLayoutPolicy = Layout;
    type Storage = Storage;

    fn initialize_memory(&mut self, memory: ManagedMemoryHandle, size: u64, stream: StreamId) {
        with_server!(&mut self.backend, |server| server.initialize_memory(memory, size, stream));
    }

    fn staging(&mut self, sizes: &[usize], stream: StreamId) -> Result<Vec<Bytes>, ServerError> {
        with_server!(&mut self.backend, |server| server.staging(sizes, stream))
    }

    fn logger(&self) -> Arc<ServerLogger> {
        with_server!(&self.backend, |server| server.logger())
    }

    fn utilities(&self) -> Arc<ServerUtilities<Self>> {
        Arc::clone(&self.utilities)
    }

    fn read(&mut self, from: Vec<CopyDescriptor>, stream: StreamId) -> DynFut<Result<Vec<Bytes>, ServerError>> {
        with_server!(&mut self.backend, |server| server.read(from, stream))
    }

    fn write(&mut self, to: Vec<(CopyDescriptor, Bytes)>, stream: StreamId) {
        with_server!(&mut self.backend, |server| server.write(to, stream));
    }

    fn sync(&mut self, stream: StreamId) -> DynFut<Result<(), ServerError>> {
        with_server!(&mut self.backend, |server| server.sync(stream))
    }

    fn get_resource(&mut self, binding: Binding, stream: StreamId) -> Result<ManagedResource<Memory>, ServerError> {
        let owner = binding.memory.clone();
        let memory = match &mut self.backend {
            #[cfg(feature = "cuda")]
            BackendServer::Cuda(server) => {
                let found = server.get_resource(binding, stream)?;
                Memory { address: Some(found.resource().ptr), bytes: found.resource().size }
            }
            #[cfg(feature = "vulkan")]
            BackendServer::Vulkan(server) => {
                let found = server.get_resource(binding, stream)?;
                Memory { address: None, bytes: found.resource().size }
            }
            #[cfg(feature = "host")]
            BackendServer::Host(server) => {
                let found = server.get_resource(binding, stream)?;
                Memory { address: None, bytes: found.resource().bytes.len() as u64 }
            }
        };
        Ok(ManagedResource::new(owner, memory))
    }

    #[allow(unsafe_code)]
    unsafe fn launch(
        &mut self,
        kernel: Self::Kernel,
        count: CubeCount,
        arguments: KernelArguments,
        mode: ExecutionMode,
        stream: StreamId,
    ) {
        let task = Box::new(Task(kernel));
        // SAFETY: the caller guarantees the same for the same kernel and arguments.
        with_server!(&mut self.backend, |server| unsafe { server.launch(task, count, arguments, mode, stream) });
    }

    fn flush(&mut self, stream: StreamId) -> Result<(), ServerError> {
        with_server!(&mut self.backend, |server| server.flush(stream))
    }

    fn memory_usage(&mut self, stream: StreamId) -> Result<MemoryUsage, ServerError> {
        with_server!(&mut self.backend, |server| server.memory_usage(stream))
    }

    fn memory_cleanup(&mut self, stream: StreamId) {
        with_server!(&mut self.backend, |server| server.memory_cleanup(stream));
    }

    fn start_profile(&mut self, stream: StreamId) -> Result<ProfilingToken, ServerError> {
        with_server!(&mut self.backend, |server| server.start_profile(stream))
    }

    fn end_profile(&mut self, stream: StreamId, token: ProfilingToken) -> Result<ProfileDuration, ProfileError> {
        with_server!(&mut self.backend, |server| server.end_profile(stream, token))
    }

    fn allocation_mode(&mut self, mode: MemoryAllocationMode, stream: StreamId) {
        with_server!(&mut self.backend, |server| server.allocation_mode(mode, stream));
    }
}

impl ServerCommunication for Server {
    // Servers of different backends cannot reach each other's memory.
    const SERVER_COMM_ENABLED: bool = false;
}

/// Location and size of a buffer in device memory.
#[derive(Debug, Clone, Copy)]
pub struct Memory {
    /// Address on the device, if the backend has one.
    pub address: Option<u64>,
    /// Size in bytes.
    pub bytes: u64,
}

/// The storage of a server. It belongs to the backend, so this type has no values.
#[derive(Debug)]
pub enum Storage {}

impl ComputeStorage for Storage {
    type Resource = Memory;

    fn alignment(&self) -> usize {
        match *self {}
    }

    fn get(&mut self, _: &StorageHandle) -> Memory {
        match *self {}
    }

    fn alloc(&mut self, _: u64) -> Result<StorageHandle, IoError> {
        match *self {}
    }

    fn dealloc(&mut self, _: StorageId) {
        match *self {}
    }

    fn flush(&mut self) {
        match *self {}
    }
}

/// The compiler used for kernels. It only expands them; [`Task`] passes the expansion to the compiler of the backend.
#[derive(Debug, Clone)]
pub struct Expansion;

/// An expanded kernel.
#[derive(Debug)]
pub struct Expanded(pub(crate) KernelDefinition);

impl Display for Expanded {
    /// Empty: the backend generates the source, unless the kernel has one.
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        Ok(())
    }
}

impl Compiler for Expansion {
    type Representation = Expanded;
    type CompilationOptions = ();

    fn compile(
        &mut self,
        kernel: KernelDefinition,
        (): &(),
        _: ExecutionMode,
        _: StorageType,
    ) -> Result<Expanded, CompilationError> {
        Ok(Expanded(kernel))
    }

    fn elem_size(&self, element: ElemType) -> usize {
        element.size()
    }

    fn extension(&self) -> &'static str {
        ""
    }
}

/// A kernel for the compiler of a backend.
struct Task(Box<dyn CubeTask<Expansion>>);

impl KernelMetadata for Task {
    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn id(&self) -> KernelId {
        self.0.id()
    }

    fn address_type(&self) -> StorageType {
        self.0.address_type()
    }
}

impl<C: Compiler> CubeTask<C> for Task {
    fn compile(
        &self,
        compiler: &mut C,
        options: &C::CompilationOptions,
        mode: ExecutionMode,
        addresses: StorageType,
    ) -> Result<CompiledKernel<C>, CompilationError> {
        let CompiledKernel { entrypoint_name, debug_name, repr, cube_dim, debug_info, source } =
            self.0.compile(&mut Expansion, &(), mode, addresses)?;
        let Expanded(kernel) = repr.expect("an expansion always has a representation");
        let compiled = compiler.compile(kernel, options, mode, addresses)?;
        let source = if source.is_empty() { compiled.to_string() } else { source };
        Ok(CompiledKernel { entrypoint_name, debug_name, source, repr: Some(compiled), cube_dim, debug_info })
    }
}
