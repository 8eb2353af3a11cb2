//! Calls of compiled kernels.

use cubecl::server::{Binding, KernelArguments, MetadataBindingInfo};

use super::parameter::{Given, PackedNumbers, Parameter, ParameterKind, SourceArgument};
use super::task::SourceTask;
use crate::device::Device;
use crate::error::DeviceError;
use crate::launches::cubes_of_units;
use crate::origin::Origin;

/// A kernel that was compiled from source text for one device; see [`KernelText`](crate::KernelText).
#[derive(Debug, Clone)]
pub struct SourceKernel {
    task: SourceTask,
    parameters: Vec<Parameter>,
    origin: Origin,
}

impl SourceKernel {
    pub(super) fn new(task: SourceTask, parameters: Vec<Parameter>, origin: Origin) -> Self {
        Self { task, parameters, origin }
    }

    /// Calls the kernel on at least `units` units, in cubes of the declared size. Each number and each buffer is given
    /// once, by its name, in any order. Does not wait for the device.
    ///
    /// # Errors
    /// [`DeviceError::Call`] if an argument is missing, unknown or given twice, has another type or number of elements
    /// than declared, or if the kernel was compiled for another device; [`DeviceError::Foreign`] if a buffer belongs to
    /// another device. Also if the device is lost. A failure inside the kernel is reported by the next transfer or
    /// [`Device::synchronize`].
    pub fn call(
        &self,
        device: &Device,
        units: usize,
        arguments: &[(&str, SourceArgument<'_>)],
    ) -> Result<(), DeviceError> {
        self.call_cubes(device, cubes_of_units(units, self.task.units), arguments)
    }

    /// Like [`SourceKernel::call`], on `cubes` cubes; does nothing for 0 cubes.
    ///
    /// # Errors
    /// As for [`SourceKernel::call`].
    pub fn call_cubes(
        &self,
        device: &Device,
        cubes: u32,
        arguments: &[(&str, SourceArgument<'_>)],
    ) -> Result<(), DeviceError> {
        if device.origin() != self.origin {
            let problem = format!("it was compiled for {}, and called on {}", self.origin.id, device.label());
            return Err(self.wrong(problem, "compile it for this device, too"));
        }
        let arguments = self.arguments(device, arguments)?;
        device.launch_cubes(self.task.name, cubes, self.task.units, |client, count, _| {
            client.launch(Box::new(self.task.clone()), count, arguments);
        })
    }

    /// Compiles the kernel by a launch in which its entry point does not call its function.
    pub(super) fn launch_without_effect(&self, device: &Device) -> Result<(), DeviceError> {
        let buffers = self.parameters.iter().filter(|parameter| parameter.kind.number().is_none());
        let buffers = buffers.map(|_| device.empty::<u64>(self.task.name, 1)).collect::<Result<Vec<_>, _>>()?;
        let buffers = buffers.into_iter().map(|buffer| buffer.handle.binding()).collect();
        let mut numbers = PackedNumbers::default();
        numbers.push(&0u32.to_ne_bytes());
        for number in self.parameters.iter().filter_map(|parameter| parameter.kind.number()) {
            numbers.push(&[0; 8][..number.bytes()]);
        }
        device.compile(self.task.name, self.task.units, |client, count, _| {
            client.launch(Box::new(self.task.clone()), count, packed(buffers, numbers));
        })
    }

    /// Checks the arguments, and arranges them as the entry point expects them.
    fn arguments(
        &self,
        device: &Device,
        arguments: &[(&str, SourceArgument<'_>)],
    ) -> Result<KernelArguments, DeviceError> {
        for (i, (name, SourceArgument(given))) in arguments.iter().enumerate() {
            let Some(parameter) = self.parameters.iter().find(|parameter| parameter.name == *name) else {
                let names: Vec<&str> = self.parameters.iter().map(|parameter| parameter.name).collect();
                let problem = format!("it has no parameter \"{name}\"; its parameters are {}", names.join(", "));
                return Err(self.wrong(problem, "correct the name, or declare the parameter"));
            };
            if arguments[..i].iter().any(|(other, _)| other == name) {
                return Err(self.wrong(format!("the argument \"{name}\" occurs twice"), "give each argument once"));
            }
            if !parameter.kind.accepts(given) {
                let problem = format!("\"{name}\" is {}, but the argument is {given}", parameter.kind);
                return Err(self.wrong(problem, "give an argument of the declared type"));
            }
        }
        let mut numbers = PackedNumbers::default();
        numbers.push(&1u32.to_ne_bytes());
        let mut buffers = Vec::new();
        for &Parameter { name, kind } in &self.parameters {
            if kind == ParameterKind::Length {
                numbers.push(&self.length(name, arguments)?.to_ne_bytes());
                continue;
            }
            match self.argument(name, arguments)? {
                Given::Number(element, bytes) => numbers.push(&bytes[..element.bytes()]),
                Given::Buffer { origin, .. } if origin != device.origin() => return Err(device.foreign(origin.id)),
                Given::Buffer { handle, .. } => buffers.push(handle.clone().binding()),
            }
        }
        Ok(packed(buffers, numbers))
    }

    fn argument<'b>(&self, name: &str, arguments: &[(&str, SourceArgument<'b>)]) -> Result<Given<'b>, DeviceError> {
        let found = arguments.iter().find(|(other, _)| *other == name).map(|(_, SourceArgument(given))| *given);
        found.ok_or_else(|| {
            self.wrong(format!("the argument \"{name}\" is missing"), "give each number and each buffer by its name")
        })
    }

    /// Returns the number of elements of all buffers with the length of this name.
    fn length(&self, length: &str, arguments: &[(&str, SourceArgument<'_>)]) -> Result<u32, DeviceError> {
        let mut common: Option<(&str, usize)> = None;
        for Parameter { name, .. } in self.parameters.iter().filter(|parameter| parameter.kind.has_length(length)) {
            let Given::Buffer { len, .. } = self.argument(name, arguments)? else { continue };
            match common {
                Some((other, expected)) if len != expected => {
                    let problem = format!(
                        "\"{name}\" has {len} elements, and \"{other}\" has {expected}, but both have the length \
                         \"{length}\""
                    );
                    return Err(self.wrong(problem, "give buffers of the same length, or declare two lengths"));
                }
                _ => common = Some((name, len)),
            }
        }
        let (name, len) = common.unwrap_or_default();
        u32::try_from(len).map_err(|_| {
            let problem = format!("\"{name}\" has {len} elements, and a length is at most {}", u32::MAX);
            self.wrong(problem, "give a shorter buffer")
        })
    }

    fn wrong(&self, problem: String, remedy: &'static str) -> DeviceError {
        DeviceError::Call { kernel: self.task.name.to_owned(), problem, remedy }
    }
}

fn packed(buffers: Vec<Binding>, numbers: PackedNumbers) -> KernelArguments {
    let info = MetadataBindingInfo::custom(numbers.into_words());
    KernelArguments::new().with_buffers(buffers).with_info(info)
}

#[cfg(test)]
mod tests {
    use throng_testing::skip_backend;

    use crate::choice::{Backend, DeviceId};
    use crate::error::DeviceError;
    use crate::{Device, KernelText, open};

    #[allow(unsafe_code)]
    fn refuses_other_devices(device: &Device) {
        let text = KernelText::new("fill").length("n").buffer_mut::<u32>("values", "n");
        let text = text.cuda("__global__ void fill(unsigned n, unsigned* values) { values[0] = 5; }");
        // SAFETY: a buffer has at least one element.
        let mut fill = unsafe { text.wgsl("fn fill(n: u32) { values[0] = 5u; }").compile(device) }.unwrap();
        let own = device.upload("own", &[7u32]).unwrap();
        // Simulates a second device, because most machines have only one.
        let mut other = own.clone();
        other.origin.id.index += 1;
        let foreign = fill.call(device, 1, &[("values", (&other).into())]);
        assert_eq!(foreign, Err(DeviceError::Foreign { device: device.label(), owner: other.origin.id }));
        fill.origin.id.index += 1;
        let error = fill.call(device, 1, &[("values", (&own).into())]).unwrap_err();
        let (compiled, called) = (fill.origin.id, device.label());
        let expected = format!("the kernel \"fill\": it was compiled for {compiled}, and called on {called}");
        assert_eq!(error.to_string(), expected);
        assert_eq!(device.read(&own).unwrap(), [7], "nothing was launched");
    }

    #[test]
    fn other_devices_are_refused() {
        for backend in Backend::of_gpus() {
            match open(DeviceId { backend, index: 0 }) {
                Ok(device) => refuses_other_devices(&device),
                Err(error) => skip_backend(backend.name(), error),
            }
        }
    }
}
