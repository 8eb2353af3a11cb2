//! The planner as a command-line tool.

use std::fs;
use std::path::PathBuf;

use throng_core::NoProgress;
use throng_local_memory::LocalMemory;
use throng_model::flags::Flags;
use throng_model::tool::{Printed, Tool, ToolEnd, ToolRequest};

struct Folder(tempfile::TempDir);

impl Folder {
    fn with(text: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("k.cl"), text).unwrap();
        Self(folder)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn run(&self, flags: &[(&str, &str)]) -> Result<(ToolEnd, String), String> {
        let mut given = Flags::default();
        for (name, value) in flags {
            given.add(*name, *value);
        }
        let request = ToolRequest { input: Some(self.path("k.cl")), flags: given };
        let mut printed = Printed::default();
        let end = LocalMemory.run(&request, &mut printed, &NoProgress);
        end.map(|end| (end, printed.0)).map_err(|failure| format!("{failure:?}"))
    }
}

const RIGHT: &str = "__kernel void k(void) { __local int *p = local_malloc(N); p[0] = 1; local_free(N); }";

#[test]
fn a_plan_is_printed_and_written() {
    let folder = Folder::with(RIGHT);
    let target = folder.path("planned.cl");
    let (end, text) = folder.run(&[("define", "N=64,M"), ("rewrite", target.to_str().unwrap())]).unwrap();
    assert_eq!(end, ToolEnd::Done);
    assert!(text.contains("kernel k (") && text.ends_with("planned.cl\n"), "{text}");
    assert!(fs::read_to_string(target).unwrap().contains("uchar local_memory[64]"));
}

#[test]
fn flags_without_a_usable_value() {
    let folder = Folder::with(RIGHT);
    let refused = |name: &str, value: &str| folder.run(&[("define", "N=64"), (name, value)]).unwrap_err();
    assert!(refused("rewrite", "").contains("this is not the name of a file"), "{}", refused("rewrite", ""));
    assert!(refused("rewrite", "/").contains("this is not the name of a file"));
    assert!(refused("align", "8192").contains("from 1 to 4096"), "{}", refused("align", "8192"));
    assert!(refused("limit", "many").contains("is not a size"));
    for define in ["", "N=64,", "=3", "4=N", "a b=1"] {
        let error = folder.run(&[("define", define)]).unwrap_err();
        assert!(error.contains("does not begin with the name of a macro"), "{define}: {error}");
    }
    assert!(folder.run(&[("define", "N=64,f(x)=x")]).is_ok());
}

/// Both have exit code 1.
#[test]
fn missing_barriers_and_uses_after_free_differ() {
    let text = RIGHT.replace("local_free(N); }", "local_free(N); p[1] = 2; }");
    assert_eq!(Folder::with(&text).run(&[("define", "N=64")]).unwrap().0, ToolEnd::Differs);
    let text = text.replace("p[1] = 2;", "__local int *q = local_malloc(N); q[1] = 2; local_free(N);");
    assert_eq!(Folder::with(&text).run(&[("define", "N=64")]).unwrap().0, ToolEnd::Differs);
    let text = text.replace("q[1]", "barrier(CLK_LOCAL_MEM_FENCE); q[1]");
    assert_eq!(Folder::with(&text).run(&[("define", "N=64")]).unwrap().0, ToolEnd::Done);
    let text = text.replace("barrier", "if (get_local_id(0)) barrier(1); barrier");
    let (end, report) = Folder::with(&text).run(&[("define", "N=64")]).unwrap();
    assert_eq!(end, ToolEnd::Differs);
    assert!(report.contains("only some work-items of a group may reach this `barrier`"), "{report}");
}
