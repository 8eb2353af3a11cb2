//! The command `throng view`.

use std::path::Path;
use std::sync::Arc;

use throng_core::{InputError, Progress, available_threads};
use throng_device::{Executor, IS_CPU_ONLY, On};
use throng_model::flags::Flag;
use throng_model::names::one_line;
use throng_model::nearby::{check_run, check_scenario, neither_scene_nor_run};
use throng_model::replay::StoredRun;
use throng_model::scenario_file::find_model;
use throng_model::tool::{Terminal, Tool, ToolEnd, ToolHelp, ToolInput, ToolRequest};
use throng_model::{Catalogue, Failure, named_executor, with_reason};
use throng_render::{RenderModel, SceneFile};

use crate::{RunShow, SceneShow, Server, ServerOptions, Show, open_browser};

/// The command `throng view SCENE|RUN`: a live page on this computer, for scenes and for runs of models.
#[derive(Clone, Copy)]
pub struct ViewTool {
    /// Returns the catalogue of models.
    pub catalogue: fn() -> Catalogue,
}

/// The command's name in messages.
const COMMAND: &str = "throng view";

const FLAGS: [Flag; 5] = [
    Flag::new("colour", "NAME", "Initial colouring [default: the model's first one]"),
    Flag::new("port", "N", "Port of the page on this computer; 0 takes a free one [default: 0]"),
    Flag::switch("no-open", "Print the address, and do not open a browser"),
    Flag::new(
        "device",
        "DEVICE",
        "auto, cpu, cuda:N, vulkan:N or host; without N the first one; images look the same [default: auto]",
    ),
    Flag::new("threads", "N", "Threads of the CPU [default: one per core]"),
];

impl Tool for ViewTool {
    fn help(&self) -> ToolHelp {
        ToolHelp {
            command: "view",
            about_command: "Show a scene or a stored run in a live page of the browser",
            name: None,
            about: "Show a scene or a stored run in a live page of the browser",
            input: Some(ToolInput {
                name: "SCENE|RUN",
                help: "A scene file (model = \"render\"), or the output folder of `throng run`",
                is_optional: false,
            }),
            flags: &FLAGS,
            more: "The page is drawn on this computer and needs no network; only programs on this computer that know its address can \
see it. Drag to turn the camera, use the wheel to zoom, and press H in the page for all keys. Ctrl-C ends it. `auto` draws on the \
fastest device that `throng doctor` lists, never on one that computes in software, or else on the CPU; the page names the device.

Examples:
  throng view examples/spheres
      a scene: move the lamp and the camera
  throng view output/city
      after `throng run examples/city`: play the day, and choose a colouring
  throng view output/city --colour volume
      the same run, coloured by volume at first
  throng view output/city --device cpu
      the same images, drawn by the threads of the CPU
  throng view output/city --port 8000 --no-open
      the address is printed, for example to forward it through ssh",
        }
    }

    fn run(
        &self,
        request: &ToolRequest,
        terminal: &mut dyn Terminal,
        progress: &dyn Progress,
    ) -> Result<ToolEnd, Failure> {
        request.check(self)?;
        let flags = &request.flags;
        let port = flags.number("port", 0..=u16::MAX)?.unwrap_or(0);
        let threads = flags.number("threads", 1..)?.unwrap_or_else(available_threads);
        throng_model::threads::check_threads(threads)?;
        let choice = flags.device()?;
        let on = named_executor(choice, progress)?.map_or(On::Choice(choice), On::Open);
        let input = request.input.clone().unwrap_or_default();
        let (show, executor) = show(&input, &(self.catalogue)(), flags.get("colour"), on, threads)?;
        if !IS_CPU_ONLY {
            progress.note(&format!("device: {}", with_reason(&executor, &executor.label())));
        }
        let title = one_line(&show.description().title);
        let server = Server::bind(show, ServerOptions { port, ..ServerOptions::default() })
            .map_err(|error| error.with_places(|place| place.replace("port", "--port")))?;
        terminal.print(&format!("{title}\n{}\nCtrl-C ends the page.\n", server.url()))?;
        let opens = !flags.has("no-open") && terminal.is_interactive();
        let opened = opens.then(|| open_browser(server.url()));
        if let Some(Err(error)) = &opened {
            terminal.print(&format!("{error}\n"))?;
        }
        server.run()?;
        drop(opened);
        Ok(ToolEnd::Done)
    }
}

/// Opens a scene file or the folder of a run, and the executor that draws it.
fn show(
    input: &Path,
    catalogue: &Catalogue,
    colouring: Option<&str>,
    on: On,
    threads: usize,
) -> Result<(Arc<dyn Show>, Executor), Failure> {
    let scene = throng_model::Check::name(&RenderModel);
    if StoredRun::is_in(input) {
        let run = StoredRun::open(input)?;
        if run.model() == scene {
            let picture = input.join("picture.png");
            let remedy = format!("view its scene file, or open {}", picture.display());
            return Err(InputError::one(input.display().to_string(), "is the run of a scene", remedy).into());
        }
        let named = |place: &str| if place == "colouring" { "--colour".to_owned() } else { place.to_owned() };
        let show = RunShow::new(run, catalogue, colouring, on, threads).map_err(|failure| match failure {
            Failure::Input(error) => Failure::Input(error.with_places(named)),
            other => other,
        })?;
        let executor = show.executor();
        return Ok((Arc::new(show), executor));
    }
    let models = &catalogue.models;
    if check_scenario(models, COMMAND, input).is_err() {
        check_run(models, COMMAND, input)?;
    }
    let (model, file) = find_model(models, Some(input))?;
    match file {
        Some(_) if throng_model::Check::name(model) == scene && colouring.is_some() => {
            Err(InputError::one("--colour", "is for runs, and this is a scene", "leave it out").into())
        }
        Some(file) if throng_model::Check::name(model) == scene => {
            let show = SceneShow::new(&SceneFile::read(&file, &[])?, on, threads)?;
            let executor = show.executor();
            Ok((Arc::new(show), executor))
        }
        _ => Err(neither_scene_nor_run(models, COMMAND, input, model).into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn viewing_the_run_of_a_scene_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("manifest.json"), r#"{"model": "render"}"#).unwrap();
        let Err(Failure::Input(error)) = show(dir.path(), &Catalogue::default(), None, On::default(), 1) else {
            panic!("it is shown")
        };
        let place = dir.path().display();
        let picture = dir.path().join("picture.png");
        let expected =
            format!("{place}: is the run of a scene\n    view its scene file, or open {}", picture.display());
        assert_eq!(error.to_string(), expected);
    }
}
