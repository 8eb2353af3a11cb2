//! The plan as text for a terminal.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use throng_core::{SHOWN_PROBLEMS, printable};

use crate::limit::bytes;
use crate::plan::{KernelPlan, MemoryPlan, MissingBarrier};

impl MemoryPlan {
    /// The plan as text of several lines: for each kernel its peak, the path to it, figures for comparison, and missing
    /// barriers; then the functions that use the stack, and warnings.
    pub fn text(&self) -> String {
        let mut out = String::new();
        let _ = match self.align {
            1 => writeln!(out, "blocks are not aligned"),
            align => writeln!(out, "blocks begin at multiples of {align} bytes"),
        };
        for kernel in &self.kernels {
            describe(kernel, &mut out);
        }
        if self.kernels.is_empty() {
            out.push_str("\nno kernels\n");
        }
        let seen: BTreeSet<&MissingBarrier> = self.kernels.iter().flat_map(|kernel| &kernel.missing_barriers).collect();
        let users: Vec<_> = self.functions.iter().filter(|function| function.peak > 0).collect();
        if !users.is_empty() {
            out.push_str("\nfunctions\n");
        }
        for function in users {
            let left = if function.net == 0 { String::new() } else { format!(", leaves {}", bytes(function.net)) };
            let _ = writeln!(out, "    {} ({}): {}{left}", function.name, function.place, bytes(function.peak));
            // Skips those that were already listed under a kernel.
            let is_seen = |missing: &&MissingBarrier| seen.contains(missing);
            describe_barriers(function.missing_barriers.iter().filter(|missing| !is_seen(missing)), &mut out);
        }
        if !self.warnings.is_empty() {
            out.push('\n');
        }
        for warning in self.warnings.iter().take(SHOWN_PROBLEMS) {
            let _ = writeln!(out, "warning: {warning}");
        }
        if let more @ 1.. = self.warnings.len().saturating_sub(SHOWN_PROBLEMS) {
            let _ = writeln!(out, "... and {more} more ({} warnings in total)", self.warnings.len());
        }
        printable(&out).into_owned()
    }
}

fn describe(kernel: &KernelPlan, out: &mut String) {
    let _ = writeln!(out, "\nkernel {} ({}): {}", kernel.name, kernel.place, bytes(kernel.peak));
    for (number, step) in kernel.peak_path.iter().enumerate() {
        let label = if number == 0 { "peak at" } else { "" };
        let what = match &step.calls {
            Some(callee) => format!("{} calls {callee}", step.function),
            None => format!("{} allocates", step.function),
        };
        let _ = writeln!(out, "    {label:<16}{}, {what}", step.place);
    }
    let mut line = |label: &str, count: u64| {
        let _ = writeln!(out, "    {label:<16}{}", bytes(count));
    };
    line("without frees", kernel.without_frees);
    line("in text order", kernel.text_order_peak);
    if kernel.declared > 0 {
        line("variables", kernel.declared);
    }
    describe_barriers(kernel.missing_barriers.iter(), out);
}

fn describe_barriers<'a>(all: impl Iterator<Item = &'a MissingBarrier>, out: &mut String) {
    let mut total = 0;
    for missing in all {
        total += 1;
        if total <= SHOWN_PROBLEMS {
            describe_barrier(missing, out);
        }
    }
    if let more @ 1.. = total.saturating_sub(SHOWN_PROBLEMS) {
        let _ = writeln!(out, "    ... and {more} more ({total} missing barriers in total)");
    }
}

fn describe_barrier(missing: &MissingBarrier, out: &mut String) {
    let MissingBarrier { last_access, old_block, first_access, new_block } = missing;
    let _ = writeln!(out, "    missing barrier between {last_access} (last access to the block at {old_block})");
    let _ = writeln!(out, "                        and {first_access} (first access to the block at {new_block})");
}
