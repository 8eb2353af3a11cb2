//! Traces of one unit, and a place for a debugger to stop.
//!
//! The environment variable `THRONG_TRACE` selects a unit as `KERNEL,CUBE,UNIT`: the name of the kernel's function, the
//! index of the cube and the index of the unit in the cube. After each of its instructions, [`step`] prints the
//! instruction and its values on standard error.

use std::sync::OnceLock;

/// The unit that `THRONG_TRACE` selects.
struct Selected {
    kernel: String,
    cube: u64,
    unit: u32,
}

impl Selected {
    /// Parses `KERNEL,CUBE,UNIT`.
    fn parse(text: &str) -> Option<Self> {
        let mut parts = text.rsplitn(3, ',');
        let (unit, cube) = (parts.next()?.trim().parse().ok()?, parts.next()?.trim().parse().ok()?);
        Some(Self { kernel: parts.next()?.trim().to_owned(), cube, unit })
    }
}

/// Whether `THRONG_TRACE` selects this unit.
pub(super) fn is_traced(kernel: &str, cube: u64, unit: u32) -> bool {
    static SELECTED: OnceLock<Option<Selected>> = OnceLock::new();
    let selected = SELECTED.get_or_init(|| {
        let text = std::env::var("THRONG_TRACE").ok().filter(|text| !text.is_empty())?;
        let selected = Selected::parse(&text);
        if selected.is_none() {
            print(&format!("THRONG_TRACE={text}: give KERNEL,CUBE,UNIT, such as gather,0,17"), "");
        }
        selected
    });
    selected.as_ref().is_some_and(|of| of.unit == unit && of.cube == cube && of.kernel == kernel)
}

/// Called after each instruction of the selected unit. Stop here in a debugger to step through a kernel.
#[inline(never)]
pub(super) fn step(instruction: &str, values: &str) {
    print(instruction, values);
}

#[allow(clippy::print_stderr, reason = "the user asked for this output")]
pub(super) fn print(text: &str, values: &str) {
    eprintln!("{text}{}{values}", if values.is_empty() { "" } else { "  | " });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_unit_is_selected_by_kernel_cube_and_unit() {
        let selected = Selected::parse("gather, 2,17").unwrap();
        assert_eq!((selected.kernel.as_str(), selected.cube, selected.unit), ("gather", 2, 17));
        for wrong in ["", "gather", "gather,1", "gather,1,x", "gather,-1,0"] {
            assert!(Selected::parse(wrong).is_none(), "{wrong}");
        }
    }
}
