//! Doc tests: of all crates through Cargo, or of one crate with the libraries that are already built.

use std::ffi::OsString;
use std::process::Command;

use crate::artifacts::Library;
use crate::cargo;

/// Returns the command for the doc tests of all crates.
pub(super) fn of_all(how: &[String], arguments: &[OsString]) -> Command {
    let mut command = cargo(&["test", "--doc", "--workspace", "--no-fail-fast"]);
    command.args(how).arg("--").args(arguments);
    command
}

/// Returns the command for the doc tests of one crate of the workspace. Cargo would rebuild all dependencies, because
/// some have fewer features when fewer crates are selected.
pub(super) fn of(name: &str, built: &[Library], arguments: &[OsString]) -> Result<Command, String> {
    let library = built.iter().find(|library| library.name == name);
    let library = library.ok_or_else(|| format!("Cargo named no library {name}"))?;
    let mut command = Command::new("rustdoc");
    command.arg("--test").arg(&library.source).args(["--crate-name", name, "--edition", &library.edition]);
    for feature in &library.features {
        command.arg("--cfg").arg(format!("feature=\"{feature}\""));
    }
    if let Some(folder) = library.path.parent() {
        command.arg("-L").arg(folder.join("deps")).arg("-L").arg(folder);
    }
    for Library { name, path, .. } in built {
        command.arg("--extern").arg(format!("{name}={}", path.display()));
    }
    for argument in arguments {
        command.arg("--test-args").arg(argument);
    }
    // As Cargo does; this program was itself started with the folder of xtask.
    command.current_dir(&library.folder).env("CARGO_MANIFEST_DIR", &library.folder);
    Ok(command)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crate_is_tested_with_its_features_and_all_libraries() {
        let library = |name: &str| Library {
            folder: format!("/p/{name}").into(),
            name: name.to_owned(),
            source: format!("/p/{name}/src/lib.rs").into(),
            edition: "2024".to_owned(),
            features: vec!["gpu".to_owned()],
            path: format!("/t/lib{name}.rlib").into(),
        };
        let built = [library("throng"), library("throng_core")];
        let command = of("throng", &built, &["part".into()]).unwrap();
        let line: Vec<_> = command.get_args().map(|argument| argument.to_string_lossy()).collect();
        let line = line.join(" ");
        assert!(
            line.starts_with("--test /p/throng/src/lib.rs --crate-name throng --edition 2024 --cfg feature=\"gpu\"")
        );
        assert!(line.ends_with(
            "--extern throng=/t/libthrong.rlib --extern throng_core=/t/libthrong_core.rlib --test-args part"
        ));
        assert!(of("nothing", &built, &[]).unwrap_err().contains("named no library nothing"));
    }
}
