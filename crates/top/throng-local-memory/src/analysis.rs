//! Analyses a source and builds the plan.

use std::collections::BTreeSet;

use throng_core::{InputError, Problem, Problems};

use crate::call_graph::CallGraph;
use crate::cuda;
use crate::divergence::{Found, MAX_CALLS, Meeting, divergent};
use crate::limit::bytes;
use crate::lower::lower;
use crate::options::MAX_ALIGN;
use crate::pieces::Pieces;
use crate::plan::{FunctionPlan, KernelPlan, MemoryPlan, MissingBarrier, PathStep};
use crate::preprocess::preprocess;
use crate::program::{Function, Program};
use crate::reuse::{Findings, findings};
use crate::stack::{PeakAt, Usage, usages};
use crate::syntax::Syntax;
use crate::text_order::text_order_peaks;
use crate::{AnalysisOptions, Source};

/// The input of the rewriter.
#[derive(Debug)]
pub(crate) struct Analysed {
    pub pieces: Pieces,
    pub program: Program,
    pub order: Vec<usize>,
    pub usages: Vec<Usage>,
    /// Macros from the options.
    pub defines: Vec<String>,
}

/// A parsed and lowered file.
struct LoweredFile {
    pieces: Pieces,
    program: Program,
    graph: CallGraph,
}

/// Reads a source. Adds problems that do not prevent further analysis to `problems`.
fn read(source: &Source, options: &AnalysisOptions, problems: &mut Problems) -> Result<LoweredFile, InputError> {
    if !options.align.is_power_of_two() || options.align > MAX_ALIGN {
        let message = format!("{} is not a power of two up to {MAX_ALIGN}", options.align);
        return Err(InputError::one("align", message, "give 16, or the size of the largest type in local memory"));
    }
    let mut pieces = Pieces::of(source);
    let preprocessed = preprocess(source, &mut pieces, options);
    cuda::refuse(&pieces)?;
    preprocessed?;
    let syntax = Syntax::parse(&pieces)?;
    let program = lower(&syntax, problems);
    let graph = CallGraph::of(&program);
    Ok(LoweredFile { pieces, program, graph })
}

/// Computes how much local memory each function and kernel of a source needs.
///
/// # Errors
/// When the source is invalid OpenCL C, contains code whose need cannot be computed, such as recursion, sizes that are
/// not constant, and paths that meet with different blocks allocated, or has a kernel that needs more than the limit.
/// The error lists all problems. An invalid alignment in the options is an error, too.
pub fn analyse(source: &Source, options: &AnalysisOptions) -> Result<MemoryPlan, InputError> {
    let mut problems = Problems::new();
    let LoweredFile { pieces, program, graph } = read(source, options, &mut problems)?;
    recursion(&program, &graph, &pieces, &mut problems);
    kernels_that_are_called(&program, &pieces, &mut problems);
    let usages = usages(&program, &graph, options.align, &pieces, &mut problems);
    problems.clone().into_result()?;
    let baseline = text_order_peaks(&program, &graph, options.align);
    let found = findings(&program, &graph, &usages);
    let divergent = divergent(&program, &graph);
    for piece in found.iter().flat_map(|found| &found.too_many_orders) {
        let message = "too many calls in one expression use local memory: a compiler may execute them in any order";
        problems.push(pieces.place(*piece).to_string(), message, "first store the results of some calls in variables");
    }

    let mut warnings: Vec<Problem> = Vec::new();
    let mut plan = MemoryPlan {
        kernels: Vec::new(),
        functions: Vec::new(),
        warnings: Vec::new(),
        has_uses_after_free: false,
        has_divergent_calls: divergent.iter().any(|found| !found.is_empty()),
        align: options.align,
        analysed: Analysed { pieces, program, order: graph.order, usages, defines: options.defines.clone() },
    };
    let Analysed { pieces, program, usages, .. } = &plan.analysed;
    for (number, function) in program.functions.iter().enumerate() {
        let (usage, place) = (&usages[number], pieces.place(function.name_piece));
        plan.has_uses_after_free |= found[number].has_uses_after_free();
        warn(function, usage, &found[number], options.align, pieces, &mut warnings);
        warn_of_divergence(&divergent[number], pieces, &mut warnings);
        if !function.is_kernel {
            let missing: BTreeSet<MissingBarrier> = barriers(&found[number], pieces).collect();
            let (name, missing_barriers) = (function.name.clone(), missing.into_iter().collect());
            plan.functions.push(FunctionPlan { name, place, peak: usage.peak, net: usage.net(), missing_barriers });
            continue;
        }
        let reached = reached(program, number);
        let missing: BTreeSet<MissingBarrier> =
            reached.iter().flat_map(|callee| barriers(&found[*callee], pieces)).collect();
        let declared = declared(program, &reached, pieces, &mut warnings);
        let kernel = KernelPlan {
            name: function.name.clone(),
            place,
            peak: usage.peak,
            peak_path: peak_path(program, usages, pieces, number),
            net: usage.net(),
            without_frees: usage.without_frees,
            text_order_peak: baseline[number],
            declared,
            missing_barriers: missing.into_iter().collect(),
        };
        if let Some(limit) = options.limit {
            compare_with_limit(&kernel, limit, &mut problems);
        }
        plan.kernels.push(kernel);
    }
    problems.into_result()?;
    undefined(program, pieces, &mut warnings);
    plan.warnings = warnings;
    Ok(plan)
}

fn recursion(program: &Program, graph: &CallGraph, pieces: &Pieces, problems: &mut Problems) {
    for cycle in &graph.cycles {
        let name = |(function, _): &(usize, usize)| program.functions[*function].name.as_str();
        let names: Vec<&str> = cycle.iter().chain(cycle.first()).map(name).collect();
        let (last, call) = *cycle.last().expect("a cycle has a call");
        let piece = program.functions[last].calls[call].piece;
        let message = format!("recursion: {}", names.join(" calls "));
        problems.push(pieces.place(piece).to_string(), message, "write a loop; OpenCL C has no recursion");
    }
}

/// Reports calls of kernels that allocate. Each kernel has its own buffer and cannot use the buffer of another kernel.
fn kernels_that_are_called(program: &Program, pieces: &Pieces, problems: &mut Problems) {
    for call in program.functions.iter().flat_map(|function| &function.calls) {
        let callee = &program.functions[call.callee];
        let allocates =
            || reached(program, call.callee).into_iter().any(|f| !program.functions[f].allocations.is_empty());
        if callee.is_kernel && allocates() {
            let message = format!("the kernel `{}`, which allocates, is called like a function", callee.name);
            let remedy = "move its body to a function that both call";
            problems.push(pieces.place(call.piece).to_string(), message, remedy);
        }
    }
}

/// A function and all functions that it calls, directly or indirectly.
pub(crate) fn reached(program: &Program, start: usize) -> BTreeSet<usize> {
    let mut reached = BTreeSet::from([start]);
    let mut open = vec![start];
    while let Some(function) = open.pop() {
        open.extend(program.functions[function].calls.iter().map(|call| call.callee).filter(|c| reached.insert(*c)));
    }
    reached
}

fn peak_path(program: &Program, usages: &[Usage], pieces: &Pieces, kernel: usize) -> Vec<PathStep> {
    let mut path = Vec::new();
    let mut number = kernel;
    while let Some(at) = usages[number].at {
        let function = &program.functions[number];
        let (piece, callee) = match at {
            PeakAt::Allocation(allocation) => (function.allocations[allocation].pieces.start, None),
            PeakAt::Call(call) => (function.calls[call].piece, Some(function.calls[call].callee)),
        };
        path.push(PathStep {
            function: function.name.clone(),
            place: pieces.place(piece),
            calls: callee.map(|callee| program.functions[callee].name.clone()),
        });
        match callee {
            Some(callee) => number = callee,
            None => break,
        }
    }
    path
}

fn barriers<'a>(found: &'a Findings, pieces: &'a Pieces) -> impl Iterator<Item = MissingBarrier> + 'a {
    found.missing_barriers.values().map(|(last, first)| MissingBarrier {
        last_access: pieces.place(last.piece),
        old_block: pieces.place(last.allocated),
        first_access: pieces.place(first.piece),
        new_block: pieces.place(first.allocated),
    })
}

fn warn(function: &Function, usage: &Usage, found: &Findings, align: u64, pieces: &Pieces, into: &mut Vec<Problem>) {
    let mut warning = |piece: usize, message: String, remedy: &str| {
        into.push(Problem { place: pieces.place(piece).to_string(), message, remedy: remedy.to_owned() });
    };
    if let Some(last) = usage.left_allocated.last().filter(|_| function.is_kernel) {
        let message = format!("kernel `{}` ends with {} allocated", function.name, bytes(usage.net()));
        let remedy = format!(
            "free all blocks, so that the kernel's body can become part of another one; the last is allocated at {}",
            pieces.place(last.piece)
        );
        warning(function.end_piece, message, &remedy);
    }
    for (allocated, piece) in &found.used_after_free {
        let message = format!("the block at {} may be accessed here after it was freed", pieces.place(*allocated));
        warning(*piece, message, "free it after its last access");
    }
    for (allocated, piece) in &found.returned_after_free {
        let message =
            format!("a pointer to the block at {} is returned here after it was freed", pieces.place(*allocated));
        warning(*piece, message, "leave the block allocated, and free it in the caller");
    }
    for allocation in function.allocations.iter().filter(|allocation| allocation.needed_align > align) {
        let needed = allocation.needed_align;
        let message = format!("the block holds a type that is aligned to {needed} bytes, and blocks to {align}");
        warning(allocation.pieces.start, message, "choose a larger alignment of blocks");
    }
}

fn warn_of_divergence(found: &Found, pieces: &Pieces, into: &mut Vec<Problem>) {
    for (piece, divergent) in found {
        let word = |piece: usize| pieces.all[piece].text.as_str();
        let Meeting { piece: meeting, calls } = &divergent.meeting;
        let mut which = match calls.first() {
            None => format!("this `{}`", word(*meeting)),
            Some(call) => format!("the `{}` at {} through `{}`", word(*meeting), pieces.place(*meeting), word(*call)),
        };
        let further = calls.iter().take(MAX_CALLS).skip(1);
        which.extend(further.map(|call| format!(", then `{}` at {}", word(*call), pieces.place(*call))));
        if calls.len() > MAX_CALLS {
            which += ", then further calls";
        }
        into.push(Problem {
            place: pieces.place(*piece).to_string(),
            message: format!(
                "only some work-items of a group may reach {which}: the `{}` at {} depends on `{}` at {}",
                divergent.what,
                pieces.place(divergent.cause),
                word(divergent.item),
                pieces.place(divergent.item)
            ),
            remedy: "move it elsewhere, or use a condition that is the same for the whole group".to_owned(),
        });
    }
}

/// Total size in bytes of the variables in local memory declared by a kernel and by all functions that it calls;
/// compilers give each of them separate memory. Skips variables of unknown size, with a warning.
fn declared(program: &Program, reached: &BTreeSet<usize>, pieces: &Pieces, warnings: &mut Vec<Problem>) -> u64 {
    let mut sum = 0_u64;
    for (piece, layout) in reached.iter().flat_map(|number| &program.functions[*number].local_variables) {
        match layout {
            Ok(layout) => {
                let start = sum.checked_next_multiple_of(layout.align.max(1)).unwrap_or(u64::MAX);
                sum = start.saturating_add(layout.size);
            }
            Err(why) => {
                let problem = Problem {
                    place: pieces.place(*piece).to_string(),
                    message: format!("the size of this variable is not counted: {why}"),
                    remedy: String::new(),
                };
                // A function called by several kernels is visited once per kernel.
                if !warnings.contains(&problem) {
                    warnings.push(problem);
                }
            }
        }
    }
    sum
}

/// Warns about functions that are declared but not defined in the file, calls of unknown functions with names similar
/// to `local_malloc`, and barriers with unknown flags.
fn undefined(program: &Program, pieces: &Pieces, warnings: &mut Vec<Problem>) {
    for (piece, known) in &program.misspelt {
        warnings.push(Problem {
            place: pieces.place(*piece).to_string(),
            message: format!("`{}` is not known; it counts as a built-in function", pieces.all[*piece].text),
            remedy: format!("write `{known}` if you mean it"),
        });
    }
    for flags in &program.unknown_flags {
        warnings.push(Problem {
            place: pieces.place(*flags).to_string(),
            message: "the flags of this barrier are unknown; it does not count for local memory".to_owned(),
            remedy: "write CLK_LOCAL_MEM_FENCE, or the name of a `const` variable that has it".to_owned(),
        });
    }
    let mut reported = BTreeSet::new();
    for prototype in &program.prototypes {
        let name = prototype.name.as_str();
        let is_ours = name == crate::program::MALLOC || name == crate::program::FREE;
        if !is_ours && !program.names.contains_key(name) && reported.insert(name) {
            warnings.push(Problem {
                place: pieces.place(prototype.pieces.start).to_string(),
                message: format!("`{name}` is declared, but not defined in the file; it counts as 0 bytes"),
                remedy: "include the file that defines it".to_owned(),
            });
        }
    }
}

fn compare_with_limit(kernel: &KernelPlan, limit: u64, problems: &mut Problems) {
    let total = kernel.peak.saturating_add(kernel.declared);
    if total <= limit {
        return;
    }
    let place = kernel.peak_path.last().map_or(&kernel.place, |step| &step.place);
    let and_declared = match kernel.declared {
        0 => String::new(),
        declared => format!(", {} of them in variables", bytes(declared)),
    };
    let message = format!(
        "kernel `{}` needs {} of local memory{and_declared}, and the limit is {}",
        kernel.name,
        bytes(total),
        bytes(limit)
    );
    let path: Vec<String> =
        kernel.peak_path.iter().map(|step| format!("{} at {}", step.function, step.place)).collect();
    let remedy = if path.is_empty() {
        "use smaller variables".to_owned()
    } else {
        format!("use smaller blocks, or free some earlier; the peak is reached in {}", path.join(", then "))
    };
    problems.push(place.to_string(), message, remedy);
}
