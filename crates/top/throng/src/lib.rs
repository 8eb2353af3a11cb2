//! Throng: multi-agent simulation with the same results on every machine.
//!
//! Rust programs depend on this crate; it only re-exports the other crates and lists their models and tools
//! ([`catalogue`]). [`traffic::run`] takes settings and writes a run folder with events, tables and a report;
//! [`fields::run`] takes a scenario of potential fields and writes a run folder with an animation.
//!
//! ```no_run
//! use throng::core::NoProgress;
//! use throng::model::RunRequest;
//! use throng::traffic::{self, Day, config};
//!
//! let configured = config::from_file("examples/city/config.xml".as_ref())?;
//! let done = traffic::run(Day::new(configured.settings), &RunRequest::default(), &NoProgress)?;
//! println!("{} trips, mean {:.0} s", done.results.summary.trips, done.results.summary.mean_trip_s);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Features
//! `cuda` and `vulkan` (default) are the backends for devices. `papers` and `local-memory` (off by default) add the
//! commands `reproduce` and `local-memory`; `image` and `ndarray` add conversions of fields.
//!
#![doc = include_str!("../../../../docs/src/programs.md")]
#![forbid(unsafe_code)]
#![deny(clippy::print_stderr, clippy::print_stdout)]

use model::Catalogue;
#[cfg(not(all(feature = "papers", feature = "local-memory")))]
use model::LeftOut;

pub use throng_city as city;
pub use throng_collision as collision;
pub use throng_core as core;

pub use throng_device as device;
pub use throng_device::DeviceChoice::{Auto, Cpu};
pub use throng_device::{DeviceChoice, Error, Executor};
pub use throng_economy as economy;
pub use throng_games as games;
#[cfg(feature = "local-memory")]
pub use throng_local_memory as local_memory;
pub use throng_model as model;
pub use throng_nav2 as nav2;
pub use throng_output as output;
#[cfg(feature = "papers")]
pub use throng_papers as papers;
pub use throng_pedestrians as pedestrians;
pub use throng_pictures as pictures;
pub use throng_render as render;
pub use throng_scene as scene;
pub use throng_traffic as traffic;
pub use throng_view as view;

/// Compiles and runs the program of the README.
#[cfg(doctest)]
#[doc = include_str!("../../../../README.md")]
struct Readme;

/// Potential fields, influence maps and travel times: the library of `throng_fields`, and the model of
/// `throng_fields_model`.
pub mod fields {
    pub use throng_fields::*;
    pub use throng_fields_model::*;
}

/// Returns all models, generators, papers and tools of Throng. A program with its own models adds them and passes the
/// result to `throng_cli::main_with`.
pub fn catalogue() -> Catalogue {
    Catalogue {
        models: vec![
            &traffic::Traffic,
            &fields::FieldsModel,
            &collision::walk::Collision,
            &pedestrians::model::SocialFieldModel,
            &games::kalah::tournament::KalahModel,
            &economy::model::SocietiesModel,
            &render::RenderModel,
        ],
        generators: vec![&city::CityGenerator, &games::kalah::EndgamesGenerator],
        #[cfg(feature = "papers")]
        papers: vec![
            &papers::STRIPPGEN,
            &papers::ELMIR,
            &papers::VIGUERAS,
            &papers::YU,
            &papers::KLOOSTERMAN,
            &papers::HANEY,
        ],
        #[cfg(not(feature = "papers"))]
        papers: Vec::new(),
        tools: vec![
            &render::Render { catalogue },
            &view::ViewTool { catalogue },
            &games::kalah::play::PlayKalah,
            &games::kalah::SolveKalah,
            #[cfg(feature = "local-memory")]
            &local_memory::LocalMemory,
        ],
        left_out: vec![
            #[cfg(not(feature = "papers"))]
            LeftOut {
                command: "reproduce",
                about: "Repeat the experiment of a paper, with its figures beside those of this machine",
                feature: "papers",
            },
            #[cfg(not(feature = "local-memory"))]
            LeftOut {
                command: "local-memory",
                about: "Compute how much local memory the kernels of an OpenCL file need",
                feature: "local-memory",
            },
        ],
    }
}

#[cfg(test)]
mod tests {
    use model::flags::Flags;
    use model::generator::GenerateRequest;
    use model::paper::ReproduceRequest;
    use model::tool::ToolRequest;

    use model::ScenarioRequest;
    use model::scenario_file::ScenarioFile;
    use model::{Calibration, CalibrationScenario};

    use super::*;

    #[test]
    fn calibrations_are_scenarios_of_their_models() {
        let (Catalogue { models, .. }, mut files) = (catalogue(), 0);
        let dir = tempfile::tempdir().unwrap();
        for model in models {
            let Some(Calibration { scenarios, .. }) = model.calibration() else { continue };
            for scenario in scenarios {
                let CalibrationScenario::File(text) = scenario else { continue };
                let path = dir.path().join("scenario.toml");
                std::fs::write(&path, text).unwrap();
                let file = Some(ScenarioFile::from(path));
                let request = ScenarioRequest { file, ..ScenarioRequest::default() };
                let failure = model.scenario(&request).err();
                assert!(failure.is_none(), "{}: {failure:?}", model.name());
                files += 1;
            }
        }
        assert_eq!(files, 10, "two for each model but traffic and Kalah");
    }

    #[test]
    fn generators_and_papers_refuse_flags_that_they_do_not_have() {
        let mut flags = Flags::default();
        flags.add("no-such-flag", "");
        let Catalogue { models: _, generators, papers, tools, left_out: _ } = catalogue();
        for generator in generators {
            let request = GenerateRequest { flags: flags.clone(), ..GenerateRequest::default() };
            let failure = generator.generate(&request, &throng_core::NoProgress).unwrap_err();
            let expected = format!("--no-such-flag: generator {} has no such flag", generator.name());
            assert!(failure.to_string().starts_with(&expected), "{failure}");
        }
        for paper in papers {
            let request = ReproduceRequest { flags: flags.clone(), ..ReproduceRequest::default() };
            let failure = paper.experiment(&request).unwrap_err();
            let expected = format!("--no-such-flag: paper {} has no such flag", paper.name());
            assert!(failure.to_string().starts_with(&expected), "{failure}");
        }
        for tool in tools {
            let request = ToolRequest { flags: flags.clone(), ..ToolRequest::default() };
            let error = request.check(tool).unwrap_err();
            let expected = format!("--no-such-flag: {} has no such flag", tool.help().words());
            assert!(error.to_string().contains(&expected), "{error}");
        }
    }
}
