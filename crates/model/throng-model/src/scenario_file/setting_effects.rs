//! Settings of all models that do not affect results, for manifests and for comparisons of runs.

/// Settings that allow a run to replace files in its folder.
const PERMISSIONS: [&str; 3] = ["controller.overwriteFiles", "output.overwrite", "overwrite"];

/// Settings for output locations, output files and numbers of threads.
const OUTPUT_AND_THREADS: [&str; 11] = [
    "controller.compressionType",
    "controller.outputDirectory",
    "controller.runId",
    "controller.writeEventsInterval",
    "controller.writePlansInterval",
    "folder",
    "global.numberOfThreads",
    "output.folder",
    "qsim.numberOfThreads",
    "scoring.writeExperiencedPlans",
    "throng.eventsParquet",
];

/// Whether a setting only allows a run to replace files. Such settings are omitted from the manifest, so that it can be
/// used to repeat the run in any other folder.
pub(crate) fn is_permission(key: &str) -> bool {
    PERMISSIONS.contains(&key)
}

/// Whether a setting does not affect the results of runs, of any model.
pub fn is_without_effect(key: &str) -> bool {
    is_permission(key) || OUTPUT_AND_THREADS.contains(&key)
}
