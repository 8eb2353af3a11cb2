//! The planner as a command-line tool.

use std::io::Write as _;
use std::path::Path;

use throng_core::{InputError, Problems, Progress};
use throng_model::Failure;
use throng_model::flags::Flag;
use throng_model::tool::{Terminal, Tool, ToolEnd, ToolHelp, ToolInput, ToolRequest};
use throng_output::{OutputError, PendingFile};

use crate::options::MAX_ALIGN;
use crate::{AnalysisOptions, MemoryPlan, analyse, parse_size, read, rewrite};

/// The command `throng local-memory`.
#[derive(Debug, Clone, Copy, Default)]
pub struct LocalMemory;

const FLAGS: [Flag; 5] = [
    Flag::new("limit", "SIZE", "Local memory of the device, such as 48KiB; more is an error [default: none]"),
    Flag::new("align", "BYTES", "Alignment of blocks in bytes, a power of two [default: 16]"),
    Flag::new("rewrite", "FILE", "Write the file with offsets into one buffer in place of allocations"),
    Flag::list("define", "NAME[=VALUE],...", "Macros for the preprocessor, as with -D"),
    Flag::switch("overwrite", "Replace the file of --rewrite if it exists"),
];

impl Tool for LocalMemory {
    fn help(&self) -> ToolHelp {
        ToolHelp {
            command: "local-memory",
            about_command: "Plan the local memory of OpenCL kernels that allocate it as a stack",
            name: None,
            about: "Plan the local memory of OpenCL kernels that allocate it as a stack",
            input: Some(ToolInput { name: "KERNELS.cl", help: "A file of OpenCL C", is_optional: false }),
            flags: &FLAGS,
            more: "Functions allocate with local_malloc(SIZE) and free with local_free(SIZE), in reverse order of allocation; \
sizes are constants. For each kernel, prints the maximum number of bytes in use, the calls that lead to it, and \
barriers that are missing between uses of the same bytes, or that only some work-items of a group may reach.

Examples:
  throng local-memory examples/local-memory/row_sums.cl
  throng local-memory examples/local-memory/row_sums.cl --limit 48KiB --rewrite row_sums_planned.cl

Exit code 1 if a barrier is missing, a block is used after it was freed, or only some work-items of a group may reach a barrier \
or an allocation; 2 if the file is invalid or a kernel needs more than the limit.",
        }
    }

    fn run(
        &self,
        request: &ToolRequest,
        terminal: &mut dyn Terminal,
        _progress: &dyn Progress,
    ) -> Result<ToolEnd, Failure> {
        request.check(self)?;
        let Some(input) = &request.input else { return Ok(ToolEnd::Done) };
        let options = options(request)?;
        let target = request.flags.get("rewrite").map(Path::new);
        if target.is_some_and(|target| target.file_name().is_none()) {
            return Err(Failure::input("--rewrite", "this is not the name of a file", "give the file to write"));
        }
        if let Some(target) = target.filter(|target| target.exists() && !request.flags.has("overwrite")) {
            let place = format!("--rewrite: {}", target.display());
            return Err(Failure::input(place, "the file exists", "give another name, or --overwrite to replace it"));
        }
        let real = |path: &Path| path.canonicalize().ok();
        if let Some(target) = target.filter(|target| real(target).is_some_and(|target| Some(target) == real(input))) {
            let place = format!("--rewrite: {}", target.display());
            return Err(Failure::input(place, "is the input file", "give another name"));
        }
        let plan = analyse(&read(input)?, &options)?;
        terminal.print(&plan.text())?;
        if let Some(target) = target {
            write(target, &rewrite(&plan)?)?;
            terminal.print(&format!("written  {}\n", target.display()))?;
        }
        let is_wrong = has_missing_barriers(&plan) || plan.has_uses_after_free || plan.has_divergent_calls;
        Ok(if is_wrong { ToolEnd::Differs } else { ToolEnd::Done })
    }
}

fn has_missing_barriers(plan: &MemoryPlan) -> bool {
    plan.kernels.iter().any(|kernel| !kernel.missing_barriers.is_empty())
        || plan.functions.iter().any(|function| !function.missing_barriers.is_empty())
}

fn options(request: &ToolRequest) -> Result<AnalysisOptions, InputError> {
    let mut options = AnalysisOptions::default();
    let mut problems = Problems::new();
    if let Some(limit) = request.flags.get("limit") {
        match parse_size(limit) {
            Ok(bytes) => options.limit = Some(bytes),
            Err(message) => problems.push("--limit", message, ""),
        }
    }
    match request.flags.number("align", 1..=MAX_ALIGN) {
        Ok(Some(align)) if !align.is_power_of_two() => {
            problems.push("--align", align.to_string(), format!("give a power of two from 1 to {MAX_ALIGN}"));
        }
        Ok(Some(align)) => options.align = align,
        Ok(None) => {}
        Err(error) => problems.append(error.0),
    }
    if let Some(defines) = request.flags.get("define") {
        options.defines = defines.split(',').map(str::to_owned).collect();
        for define in &options.defines {
            let name = define.split(['=', '(']).next().unwrap_or_default();
            let is_name = |(at, c): (usize, char)| c == '_' || c.is_ascii_alphabetic() || at > 0 && c.is_ascii_digit();
            if name.is_empty() || !name.chars().enumerate().all(is_name) {
                let message = format!("\"{define}\" does not begin with the name of a macro");
                problems.push("--define", message, "give NAME or NAME=VALUE; separate several with commas");
            }
        }
    }
    problems.into_result()?;
    Ok(options)
}

fn write(target: &Path, text: &str) -> Result<(), OutputError> {
    let mut file = PendingFile::create(target)?;
    file.write_all(text.as_bytes()).map_err(|error| file.error(error))?;
    file.complete().map(|_| ())
}
