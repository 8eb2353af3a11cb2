//! The complete source of a kernel: the user's text, and an entry point that calls the user's function with the
//! declared arguments.
//!
//! The entry point takes the buffers in their order, and then a pointer to all numbers, as CubeCL passes them. The
//! first number is 0 in the launch that only compiles the kernel.

use std::iter::once;

use super::parameter::{ElementType, Parameter, ParameterKind};

/// Name of the entry point.
pub(super) fn entry(name: &str) -> String {
    format!("throng_entry_of_{name}")
}

/// Returns the declaration of the function that a CUDA text must define.
pub(super) fn cuda_signature(name: &str, parameters: &[Parameter]) -> String {
    format!("void {name}({})", joined(parameters.iter().map(cuda_parameter), ", "))
}

fn cuda_parameter(Parameter { name, kind }: &Parameter) -> String {
    match kind {
        ParameterKind::Length => format!("unsigned int {name}"),
        ParameterKind::Number(element) => format!("{} {name}", element.cuda_name()),
        ParameterKind::Buffer { element, writable: true, .. } => format!("{}* {name}", element.cuda_name()),
        ParameterKind::Buffer { element, writable: false, .. } => format!("const {}* {name}", element.cuda_name()),
    }
}

/// Returns the declaration of the function that a WGSL text must define; its buffers are global.
pub(super) fn wgsl_signature(name: &str, parameters: &[Parameter]) -> String {
    format!(
        "fn {name}({})",
        joined(numbers(parameters).map(|(name, number)| format!("{name}: {}", number.name())), ", ")
    )
}

/// Surrounds a CUDA text. The entry point stands before it, so that `__global__` in the text can mean a function that
/// the entry point calls. The compiler counts the lines of the text from 1. At the end, it rejects a function that only
/// overloads the declared one.
pub(super) fn cuda(name: &str, units: u32, parameters: &[Parameter], text: &str) -> String {
    let (entry, signature) = (entry(name), cuda_signature(name, parameters));
    let fields = numbers(parameters).map(|(name, number)| format!("{} {name}", number.cuda_name()));
    let fields = joined(once("unsigned int throng_runs".to_owned()).chain(fields), "; ");
    let buffers = parameters.iter().filter(|parameter| parameter.kind.number().is_none());
    let pointers: String = buffers.map(|buffer| cuda_parameter(buffer) + ", ").collect();
    let arguments = parameters.iter().map(|Parameter { name, kind }| match kind.number() {
        Some(_) => format!("throng_numbers->{name}"),
        None => (*name).to_owned(),
    });
    let arguments = joined(arguments, ", ");
    format!(
        "#define CUBE_DIM {units}u
#define UNIT_POS (threadIdx.x)
#define CUBE_POS (blockIdx.y * gridDim.x + blockIdx.x)
#define ABSOLUTE_POS (CUBE_POS * CUBE_DIM + UNIT_POS)
struct throng_numbers_of_call {{ {fields}; }};
extern \"C\" __device__ {signature};
extern \"C\" __global__ void __launch_bounds__({units}) {entry}(
    {pointers}const throng_numbers_of_call* throng_numbers
) {{
    if (throng_numbers->throng_runs) {name}({arguments});
}}
#undef __global__
#define __global__ __device__
#undef __launch_bounds__
#define __launch_bounds__(...)
#line 1 \"{name}\"
{text}
#line 1 \"declared arguments of {name}\"
typedef decltype(&{name}) throng_function;
"
    )
}

/// Extends a WGSL text. WGSL allows uses before declarations, so everything stands after the text, and the compiler
/// counts the lines of the text from 1.
pub(super) fn wgsl(name: &str, units: u32, parameters: &[Parameter], text: &str) -> String {
    let entry = entry(name);
    let buffers = parameters.iter().filter_map(|Parameter { name, kind }| match kind {
        ParameterKind::Buffer { element, .. } => Some((name, element.name())),
        _ => None,
    });
    let last = buffers.clone().count();
    // CubeCL binds small buffers as parts of a larger one, which is writable if one of its parts is, so all are.
    let bindings = buffers.enumerate().map(|(i, (name, element))| {
        format!("@group(0) @binding({i}) var<storage, read_write> {name}: array<{element}>;")
    });
    let bindings = joined(bindings, "\n");
    let fields = numbers(parameters).map(|(name, number)| format!("{name}: {}", number.name()));
    let fields = joined(once("throng_runs: u32".to_owned()).chain(fields), ", ");
    let arguments = joined(numbers(parameters).map(|(name, _)| format!("throng_numbers.{name}")), ", ");
    format!(
        "{text}
const CUBE_DIM: u32 = {units}u;
var<private> UNIT_POS: u32;
var<private> CUBE_POS: u32;
var<private> ABSOLUTE_POS: u32;
{bindings}
struct ThrongNumbers {{ {fields} }}
@group(0) @binding({last}) var<storage, read> throng_numbers: ThrongNumbers;
@compute @workgroup_size({units}) fn {entry}(
    @builtin(local_invocation_index) throng_unit: u32,
    @builtin(workgroup_id) throng_cube: vec3<u32>,
    @builtin(num_workgroups) throng_cubes: vec3<u32>
) {{
    UNIT_POS = throng_unit;
    CUBE_POS = throng_cube.y * throng_cubes.x + throng_cube.x;
    ABSOLUTE_POS = CUBE_POS * CUBE_DIM + UNIT_POS;
    if throng_numbers.throng_runs != 0u {{ {name}({arguments}); }}
}}
"
    )
}

/// Returns names and types of the lengths and numbers.
fn numbers(parameters: &[Parameter]) -> impl Iterator<Item = (&str, ElementType)> {
    parameters.iter().filter_map(|Parameter { name, kind }| Some((*name, kind.number()?)))
}

fn joined(parts: impl Iterator<Item = String>, separator: &str) -> String {
    parts.collect::<Vec<_>>().join(separator)
}
