//! Rewrites OpenCL C so that it does not use `local_malloc` and `local_free`.
//!
//! Each kernel declares one buffer of the size of its peak, and passes it to the functions that need it. A block is the
//! address of the buffer plus an offset. The offset is a constant if all paths to the allocation have the same stack
//! height; otherwise, it is an offset passed by the caller plus a constant.

mod edits;
mod guards;

use std::collections::BTreeSet;

use throng_core::InputError;

use crate::analysis::Analysed;
use crate::pieces::{Origin, Pieces};
use crate::plan::MemoryPlan;
use crate::program::{FREE, MALLOC, Parameters};
use crate::tokens::is_word;
use edits::{Edit, apply};
use guards::guards;

/// The stack height at the calls of a function, relative to the start of the buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Base {
    /// No kernel calls the function.
    NotCalled,
    /// The same offset in all calls.
    Same(u64),
    /// Different offsets.
    Varies,
}

impl Base {
    fn with(self, other: Self) -> Self {
        match (self, other) {
            (Self::NotCalled, base) | (base, Self::NotCalled) => base,
            (Self::Same(a), Self::Same(b)) if a == b => self,
            _ => Self::Varies,
        }
    }

    fn plus(self, bytes: u64) -> Self {
        match self {
            Self::Same(base) => Self::Same(base + bytes),
            other => other,
        }
    }
}

/// Returns the source of a plan with offsets in place of allocations. Everything else is unchanged, line by line;
/// macros that contain allocations are expanded where they are used.
///
/// # Errors
/// If code that must be changed is in an included file, contains a directive, or expands to the name of a macro.
pub fn rewrite(plan: &MemoryPlan) -> Result<String, InputError> {
    let Analysed { pieces, program, order, usages, .. } = &plan.analysed;
    let bases = bases(&plan.analysed);
    let needs_buffer: Vec<bool> = needs_buffer(&plan.analysed);
    let words = words(pieces);
    let buffer = unused_name("local_memory", &words);
    let offset = unused_name("local_memory_offset", &words);
    debug_assert_eq!(order.len(), program.functions.len());

    let mut edits = Vec::new();
    // The arguments that a function passes on or receives: the buffer, and the offset if it differs between callers.
    let offset_at = |function: usize, bytes: u64| match bases[function] {
        Base::Varies if bytes == 0 => offset.clone(),
        Base::Varies => format!("{offset} + {bytes}"),
        Base::Same(base) => (base + bytes).to_string(),
        Base::NotCalled => bytes.to_string(),
    };
    for (number, function) in program.functions.iter().enumerate() {
        for (allocation, at) in function.allocations.iter().zip(&usages[number].offsets) {
            let place = offset_at(number, at.unwrap_or(0));
            edits.push(Edit {
                pieces: allocation.pieces.clone(),
                text: format!("((__local void *)({buffer} + {place}))"),
            });
        }
        edits
            .extend(function.frees.iter().map(|free| Edit { pieces: free.pieces.clone(), text: "(void)0".to_owned() }));
        for (call, at) in function.calls.iter().zip(&usages[number].at_calls) {
            if needs_buffer[call.callee] {
                let mut arguments = buffer.clone();
                if bases[call.callee] == Base::Varies {
                    arguments = format!("{arguments}, {}", offset_at(number, at.unwrap_or(0)));
                }
                let comma = if call.argument_count == 0 { "" } else { ", " };
                edits.push(Edit { pieces: call.close..call.close + 1, text: format!("{comma}{arguments})") });
            }
        }
        if !needs_buffer[number] {
            continue;
        }
        if function.is_kernel {
            // A kernel without a reachable allocation still refers to the buffer.
            let size = usages[number].peak.max(plan.align);
            let text = format!("{{ __local uchar {buffer}[{size}] __attribute__((aligned({})));", plan.align);
            edits.push(Edit { pieces: function.body_piece..function.body_piece + 1, text });
        } else {
            edits.push(parameters(&function.parameters, &buffer, &offset, bases[number]));
        }
    }
    for prototype in &program.prototypes {
        if prototype.name == MALLOC || prototype.name == FREE {
            // Prototypes in included files may stay, because these functions are no longer called.
            let is_here = !matches!(pieces.all[prototype.pieces.start].origin, Origin::Included(_));
            if prototype.has_others || !is_here {
                continue;
            }
            edits.push(Edit { pieces: prototype.pieces.clone(), text: String::new() });
        } else if let Some(number) = program.names.get(&prototype.name)
            && needs_buffer[*number]
            && !program.functions[*number].is_kernel
        {
            edits.push(parameters(&prototype.parameters, &buffer, &offset, bases[*number]));
        }
    }
    Ok(apply(pieces, edits)? + &guards(pieces, &plan.analysed.defines))
}

/// Adds the new parameters after the function's own.
fn parameters(own: &Parameters, buffer: &str, offset: &str, base: Base) -> Edit {
    let mut text = format!("__local uchar *{buffer}");
    if base == Base::Varies {
        text = format!("{text}, uint {offset}");
    }
    match own.void {
        Some(void) => Edit { pieces: void..void + 1, text },
        None if own.count == 0 => Edit { pieces: own.close..own.close + 1, text: format!("{text})") },
        None => Edit { pieces: own.close..own.close + 1, text: format!(", {text})") },
    }
}

/// The base of each function; callers are visited before callees.
fn bases(analysed: &Analysed) -> Vec<Base> {
    let Analysed { program, order, usages, .. } = analysed;
    let mut bases = vec![Base::NotCalled; program.functions.len()];
    for number in order.iter().rev() {
        let function = &program.functions[*number];
        if function.is_kernel {
            bases[*number] = Base::Same(0);
        }
        for (call, at) in function.calls.iter().zip(&usages[*number].at_calls) {
            // Unreachable calls impose no constraint.
            let Some(at) = at else { continue };
            let from_here = match bases[*number] {
                // In files without kernels, functions start with an empty buffer.
                Base::NotCalled => Base::Same(*at),
                base => base.plus(*at),
            };
            bases[call.callee] = bases[call.callee].with(from_here);
        }
    }
    bases
}

/// Whether each function allocates, or calls a function that does.
fn needs_buffer(analysed: &Analysed) -> Vec<bool> {
    let Analysed { program, order, .. } = analysed;
    let mut needs = vec![false; program.functions.len()];
    for number in order {
        let function = &program.functions[*number];
        needs[*number] = !function.allocations.is_empty() || function.calls.iter().any(|call| needs[call.callee]);
    }
    needs
}

/// All words of the file, including those in directives, in code removed by the preprocessor, and in included files.
/// Any other name is unused in all variants of the file.
fn words(pieces: &Pieces) -> BTreeSet<&str> {
    let original = pieces.original.split(|c: char| !c.is_ascii() || !is_word(c as u8));
    let included = pieces.all.iter().map(|piece| piece.text.as_str());
    original.chain(included).chain(pieces.macros.iter().map(String::as_str)).collect()
}

fn unused_name(wanted: &str, words: &BTreeSet<&str>) -> String {
    let mut name = wanted.to_owned();
    while words.contains(name.as_str()) {
        name.push('_');
    }
    name
}
