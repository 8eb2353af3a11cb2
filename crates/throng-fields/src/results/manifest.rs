//! What a run was, for `manifest.json`.

use throng_output::Manifest;

use crate::run::{Done, Run, Summary};

/// The manifest of a run, `finished` at a date.
pub(crate) fn manifest(run: &Run, done: &Done, finished: String) -> Manifest {
    let Summary { cells, entities, agents, arrived, stuck, steps, time, hash } = &done.summary;
    let steps_asked = run.steps.map(|steps| ("steps".to_owned(), steps.to_string()));
    let hash_every = (run.hash_every > 0).then(|| ("hash-every".to_owned(), run.hash_every.to_string()));
    Manifest {
        program: run.program.clone(),
        model: "fields".to_owned(),
        scenario: run.name.clone(),
        seed: run.scenario.seed,
        device: done.device.clone(),
        finished,
        options: steps_asked.into_iter().chain(hash_every).collect(),
        settings: run.scenario.settings.clone(),
        timings_s: done.timings_s.clone(),
        warnings: done
            .warnings
            .iter()
            .map(|(kind, warning)| (kind.to_owned(), warning.count, warning.detail().to_owned()))
            .collect(),
        inputs: run.scenario.inputs.iter().map(|(path, bytes)| (path.display().to_string(), *bytes)).collect(),
        results: serde_json::json!({
            "cells": cells,
            "entities": entities,
            "agents": agents,
            "arrived": arrived,
            "stuck": stuck,
            "steps": steps,
            "time": time,
            "hash": format!("{hash:016x}"),
        }),
        files: done.files.clone(),
    }
}
