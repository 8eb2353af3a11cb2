//! CubeCL's runtimes and clients are an implementation detail of this crate: no other crate names them, so they occur
//! in no public signature of a model.

use super::{crates, read, sources};

/// Types of CubeCL with or behind a runtime parameter.
const OF_CUBECL: [&str; 4] = ["ComputeClient", "CudaRuntime", "WgpuRuntime", "CpuRuntime"];

/// Whether a line of code names a runtime or a client.
fn names_runtime(line: &str) -> bool {
    let code = line.split("//").next().unwrap_or_default();
    OF_CUBECL.iter().any(|name| code.contains(name)) || code.contains(": Runtime") || code.contains("dyn Runtime")
}

#[test]
fn runtime_types_occur_only_in_this_crate() {
    assert!(names_runtime("pub fn open<R: Runtime>(client: &ComputeClient<R>)") && !names_runtime("// R: Runtime"));
    let mut checked = 0;
    // The macros write `R: Runtime` into the arguments of kernels.
    let users =
        crates().filter(|folder| !folder.ends_with("throng-device") && !folder.ends_with("throng-device-macros"));
    // The server of throng-view has a runtime of tokio.
    for folder in users.filter(|folder| !folder.ends_with("throng-view")) {
        for file in sources(&folder) {
            for (number, line) in read(&file).lines().enumerate() {
                assert!(!names_runtime(line), "{}:{}: {line}", file.display(), number + 1);
                checked += 1;
            }
        }
    }
    assert!(checked > 50_000, "{checked} lines");
}
