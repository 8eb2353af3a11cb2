//! Settings of all models that change no result: one list for manifests and for comparisons of runs.

/// Settings that allow a run to replace files in its folder.
const PERMISSIONS: [&str; 3] = ["controller.overwriteFiles", "output.overwrite", "overwrite"];

/// Where files go and which are written, and the number of threads.
const OUTPUT_AND_THREADS: [&str; 10] = [
    "controller.compressionType",
    "controller.outputDirectory",
    "controller.runId",
    "controller.writeEventsInterval",
    "controller.writePlansInterval",
    "folder",
    "global.numberOfThreads",
    "output.folder",
    "qsim.numberOfThreads",
    "throng.eventsParquet",
];

/// Whether a setting only allows a run to replace files. Such settings are not in the manifest, which may repeat the run in
/// any other folder.
pub(crate) fn is_permission(key: &str) -> bool {
    PERMISSIONS.contains(&key)
}

/// Whether a setting changes no result of a run, of whatever model.
pub fn is_without_effect(key: &str) -> bool {
    is_permission(key) || OUTPUT_AND_THREADS.contains(&key)
}
