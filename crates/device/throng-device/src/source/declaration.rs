//! The declaration of a kernel from source text: its parameters, and a text for each back end.

use std::sync::Arc;

use cubecl::ir::{ElemType, UIntKind};

use super::kernel::SourceKernel;
use super::parameter::{ElementType, Parameter, ParameterKind};
use super::task::SourceTask;
use super::text;
use crate::Element;
use crate::choice::Backend;
use crate::device::Device;
use crate::error::DeviceError;
use crate::launches::CUBE_UNITS;

/// The text of a kernel, in CUDA C++ and in WGSL, with its parameters. [`KernelText::compile`] returns a
/// [`SourceKernel`], which is called by the names of the parameters.
///
/// The text defines a function with the name of the kernel, and any other functions that it needs. Throng writes the
/// entry point that calls it:
///
/// * In CUDA, the parameters of the function are all declared parameters in their order: `const float*` for a buffer of
///   `f32`, `float*` for one that the kernel writes, and `unsigned int` for a length. The function may be marked
///   `__global__` or `__device__`.
/// * In WGSL, the buffers are global arrays, and the parameters of the function are the lengths and numbers in their
///   order.
/// * In both, `ABSOLUTE_POS` is the index of the unit over all cubes, `CUBE_POS` the index of its cube, `UNIT_POS` its
///   index in the cube, and `CUBE_DIM` the number of units per cube. There may be more units than elements.
///
/// ```
/// use throng_device::{DeviceError, DeviceId, KernelText, open};
///
/// const CUDA: &str = "
/// __global__ void saxpy(unsigned int n, float a, const float* x, float* y) {
///     if (ABSOLUTE_POS < n) y[ABSOLUTE_POS] += a * x[ABSOLUTE_POS];
/// }";
/// const WGSL: &str = "
/// fn saxpy(n: u32, a: f32) {
///     if ABSOLUTE_POS < n { y[ABSOLUTE_POS] += a * x[ABSOLUTE_POS]; }
/// }";
///
/// # fn main() -> Result<(), DeviceError> {
/// let Ok(device) = open(DeviceId::parse("vulkan:0").expect("a device id")) else { return Ok(()) };
/// let text = KernelText::new("saxpy").length("n").number::<f32>("a").buffer::<f32>("x", "n").buffer_mut::<f32>("y", "n");
/// // SAFETY: the function accesses only elements below the length of both buffers.
/// let saxpy = unsafe { text.cuda(CUDA).wgsl(WGSL).compile(&device)? };
/// let (x, y) = (device.upload("x", &[1f32, 2.0, 3.0])?, device.upload("y", &[10f32, 20.0, 30.0])?);
/// saxpy.call(&device, x.len(), &[("a", 2f32.into()), ("x", (&x).into()), ("y", (&y).into())])?;
/// assert_eq!(device.read(&y)?, [12.0, 24.0, 36.0]);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct KernelText {
    name: &'static str,
    units: u32,
    parameters: Vec<Parameter>,
    cuda: Option<String>,
    wgsl: Option<String>,
}

impl KernelText {
    /// Starts the declaration of a kernel. The name is that of its function, and its label in the ledger, in timings
    /// and in errors. Cubes have [`CUBE_UNITS`] units.
    pub fn new(name: &'static str) -> Self {
        Self { name, units: CUBE_UNITS, parameters: Vec::new(), cuda: None, wgsl: None }
    }

    /// Sets the number of units per cube.
    pub fn cube_units(mut self, units: u32) -> Self {
        self.units = units;
        self
    }

    /// Declares a length: the number of elements of all buffers that name it. A call fails if they differ. The kernel
    /// gets it as an unsigned 32-bit integer.
    pub fn length(self, name: &'static str) -> Self {
        self.parameter(name, ParameterKind::Length)
    }

    /// Declares a number: `u32`, `i32`, `u64`, `f32` or `f64`.
    pub fn number<T: Element>(self, name: &'static str) -> Self {
        self.parameter(name, ParameterKind::Number(T::TYPE))
    }

    /// Declares a buffer that the kernel only reads, and the name of its length.
    pub fn buffer<T: Element>(self, name: &'static str, length: &'static str) -> Self {
        self.parameter(name, ParameterKind::Buffer { element: T::TYPE, length, writable: false })
    }

    /// Declares a buffer that the kernel writes, and the name of its length.
    pub fn buffer_mut<T: Element>(self, name: &'static str, length: &'static str) -> Self {
        self.parameter(name, ParameterKind::Buffer { element: T::TYPE, length, writable: true })
    }

    fn parameter(mut self, name: &'static str, kind: ParameterKind) -> Self {
        self.parameters.push(Parameter { name, kind });
        self
    }

    /// Sets the text for CUDA devices.
    pub fn cuda(mut self, text: impl Into<String>) -> Self {
        self.cuda = Some(text.into());
        self
    }

    /// Sets the text for Vulkan devices.
    pub fn wgsl(mut self, text: impl Into<String>) -> Self {
        self.wgsl = Some(text.into());
        self
    }

    /// Compiles the kernel for a device, and waits for it. Equal texts are compiled only once per process and device.
    ///
    /// # Safety
    /// In every call, the function must access only existing elements of its arrays, and it must end. The text is
    /// compiled without index checks.
    ///
    /// # Errors
    /// [`DeviceError::Text`] with the compiler's message, [`DeviceError::Call`] if the declaration is incorrect or has
    /// no text for the device, and [`DeviceError::Unsuitable`] if the device lacks a type or takes fewer buffers.
    #[allow(unsafe_code)]
    pub unsafe fn compile(&self, device: &Device) -> Result<SourceKernel, DeviceError> {
        self.check(device)?;
        let Self { name, units, parameters, .. } = self;
        let (source, signature) = match device.info().id.backend {
            Backend::Cuda => {
                let source = text::cuda(
                    name,
                    *units,
                    parameters,
                    self.text(self.cuda.as_ref(), "CUDA C++", "give one with `cuda`, or use another device")?,
                );
                (source, text::cuda_signature(name, parameters))
            }
            Backend::Vulkan => {
                let source = text::wgsl(
                    name,
                    *units,
                    parameters,
                    self.text(self.wgsl.as_ref(), "WGSL", "give one with `wgsl`, or use another device")?,
                );
                (source, text::wgsl_signature(name, parameters))
            }
            Backend::Host => {
                let problem = "the device host interprets kernels in Rust, and no text".to_owned();
                return Err(self.wrong(problem, "use a GPU or a software device"));
            }
        };
        let buffers = parameters.iter().filter(|parameter| parameter.kind.number().is_none()).count();
        let task = SourceTask { name, source: Arc::from(source), buffers, units: *units };
        let kernel = SourceKernel::new(task, parameters.clone(), device.origin());
        kernel.launch_without_effect(device).map_err(|error| match error {
            DeviceError::Kernel { device, kernel, message } => DeviceError::Text { device, kernel, message, signature },
            other => other,
        })?;
        Ok(kernel)
    }

    /// Returns the text for the device.
    fn text<'t>(&self, text: Option<&'t String>, language: &str, remedy: &'static str) -> Result<&'t str, DeviceError> {
        let Some(text) = text else {
            return Err(self.wrong(format!("it has no text in {language}, which the device needs"), remedy));
        };
        // The compiler takes a text that ends with this character.
        match text.find('\0') {
            Some(at) => {
                let line = text[..at].matches('\n').count() + 1;
                Err(self.wrong(format!("line {line} of its text contains the character \\0"), "remove it"))
            }
            None => Ok(text),
        }
    }

    fn wrong(&self, problem: String, remedy: &'static str) -> DeviceError {
        DeviceError::Call { kernel: self.name.to_owned(), problem, remedy }
    }

    /// Checks the declaration, except the text.
    fn check(&self, device: &Device) -> Result<(), DeviceError> {
        let Self { name, units, parameters, .. } = self;
        let hardware = &device.client.properties().hardware;
        let limit = hardware.max_units_per_cube.min(hardware.max_cube_dim.0);
        if !(1..=limit).contains(units) {
            let problem = format!("its cubes have {units} units, and {} allows 1 to {limit}", device.label());
            return Err(self.wrong(problem, "declare another number with `cube_units`"));
        }
        let mut names = vec![*name];
        names.extend(parameters.iter().map(|parameter| parameter.name));
        for (i, name) in names.iter().enumerate() {
            if !is_identifier(name) {
                let problem = format!("\"{name}\" cannot be a name");
                return Err(
                    self.wrong(problem, "use letters, digits and _, with a letter first, and not throng_ at the start")
                );
            }
            if names[..i].contains(name) {
                return Err(self.wrong(format!("the name \"{name}\" occurs twice"), "give each parameter its own name"));
            }
        }
        let is_length = |name| parameters.iter().any(|other| other.name == name && other.kind == ParameterKind::Length);
        for Parameter { name, kind } in parameters {
            match *kind {
                ParameterKind::Buffer { length, .. } if !is_length(length) => {
                    let problem = format!("the buffer \"{name}\" has the length \"{length}\", which is not declared");
                    return Err(self.wrong(problem, "declare it with `length`"));
                }
                ParameterKind::Length if !parameters.iter().any(|other| other.kind.has_length(name)) => {
                    let problem = format!("no buffer has the length \"{name}\"");
                    return Err(self.wrong(problem, "declare it as a number, or name it as the length of a buffer"));
                }
                _ => {}
            }
            self.check_type(device, name, *kind)?;
        }
        let buffers = parameters.iter().filter(|parameter| parameter.kind.number().is_none()).count();
        device.check_buffers(buffers as u32)
    }

    fn check_type(&self, device: &Device, name: &str, kind: ParameterKind) -> Result<(), DeviceError> {
        let (ParameterKind::Number(element) | ParameterKind::Buffer { element, .. }) = kind else { return Ok(()) };
        let has_type = match element {
            ElementType::F64 => device.info().has_f64,
            ElementType::U64 => device.client.properties().supports_type(ElemType::UInt(UIntKind::U64)),
            ElementType::U32 | ElementType::I32 | ElementType::F32 => true,
        };
        if has_type {
            return Ok(());
        }
        let lacks = format!("it has no {}, the type of \"{name}\" of the kernel \"{}\"", element.name(), self.name);
        Err(DeviceError::Unsuitable { device: device.label(), lacks })
    }
}

/// Whether CUDA and WGSL accept the name, and the code around the text does not use it.
fn is_identifier(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_alphabetic())
        && name.chars().all(|other| other.is_ascii_alphanumeric() || other == '_')
        && !name.to_ascii_lowercase().starts_with("throng_")
}
